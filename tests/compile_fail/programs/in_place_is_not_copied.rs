//! Nor is it copied before, as two of them would write the same tensor.

use aclnn::{Tensor, ops};

fn run(a: &mut Tensor) {
    let operation = ops::add_in_place(a, 1);
    let _ = operation.clone();
}

fn main() {}
