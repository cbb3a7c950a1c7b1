//! Of the integers `i32` stands on the left, and others as a `Scalar`. There is no `+=`: nobody would learn of a refusal.

use aclnn::{Scalar, Tensor};

fn run(mut a: Tensor, b: &Tensor) {
    let _ = 5u8 * b;
    let _ = Scalar::from(5u8) * b;
    a += b;
}

fn main() {}

// error[E0277]: cannot multiply `u8` by `&aclnn::Tensor`
//   line 6: no implementation for `u8 * &aclnn::Tensor`
//   help: the trait `Mul<&aclnn::Tensor>` is not implemented for `u8`
// error[E0368]: binary assignment operation `+=` cannot be applied to type `aclnn::Tensor`
//   line 8
//   line 8: cannot use `+=` on type `aclnn::Tensor`
//   note: `aclnn::Tensor` does not implement `AddAssign<&aclnn::Tensor>`
//     src/tensor/mod.rs: `aclnn::Tensor` is defined in another crate
