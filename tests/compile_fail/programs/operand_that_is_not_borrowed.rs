//! What stands beside a tensor is a borrowed tensor or a number, and the compiler says so.

use aclnn::{Tensor, ops};

fn run(a: &Tensor, b: Tensor) {
    let _ = a.add(b);
    let _ = ops::mul(a, "2");
    let _ = a / vec![1.0f32];
}

fn main() {}
