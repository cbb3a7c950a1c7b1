//! An operation in place is consumed by its run.

use aclnn::{Tensor, ops};

fn run(a: &mut Tensor) {
    let operation = ops::add_in_place(a, 1);
    let _ = operation.run();
    let _ = operation.run();
}

fn main() {}
