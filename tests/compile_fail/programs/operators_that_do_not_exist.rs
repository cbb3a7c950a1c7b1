//! Of the integers `i32` stands on the left, and others as a `Scalar`. There is no `+=`: nobody would learn of a refusal.

use aclnn::{Scalar, Tensor};

fn run(mut a: Tensor, b: &Tensor) {
    let _ = 5u8 * b;
    let _ = Scalar::from(5u8) * b;
    a += b;
}

fn main() {}
