//! A result is written to a tensor that the operation does not read: what reads and writes one tensor is the form in place.

use aclnn::{Tensor, ops};

fn run(mut a: Tensor) {
    let operation = ops::add(&a, 1);
    let _ = operation.run_into(&mut a);
}

fn main() {}
