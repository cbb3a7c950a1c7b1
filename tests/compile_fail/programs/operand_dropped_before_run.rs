//! A tensor does not go while an operation has it.

use aclnn::{Tensor, ops};

fn run(a: &Tensor, b: Tensor) {
    let operation = ops::mul(a, &b);
    drop(b);
    let _ = operation.run();
}

fn main() {}
