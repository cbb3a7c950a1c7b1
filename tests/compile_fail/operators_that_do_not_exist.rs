//! `f64` and `i32` stand on the left, and others as a `Scalar`. There is no `+=`: nobody would learn of a refusal.

use aclnn::{Scalar, Tensor};

fn run(mut a: Tensor, b: &Tensor) {
    let _ = 0.5f32 * b;
    let _ = Scalar::from(0.5f32) * b;
    a += b;
}

fn main() {}
