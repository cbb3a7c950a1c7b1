//! What stands beside a tensor is a borrowed tensor or a number, and the compiler says so.

use aclnn::{Tensor, ops};

fn run(a: &Tensor, b: Tensor) {
    let _ = a.add(b);
    let _ = ops::mul(a, "2");
    let _ = a / vec![1.0f32];
}

fn main() {}

// error[E0277]: `aclnn::Tensor` cannot stand beside a tensor
//   line 6: required by a bound introduced by this call
//   line 6: the trait `IntoOperand<'_>` is not implemented for `aclnn::Tensor`
//   note: the trait bound `aclnn::Tensor: IntoOperand<'_>` is not satisfied
//   note: required by a bound in `aclnn::ops::arithmetic::<impl aclnn::Tensor>::add`
//     src/ops/arithmetic.rs: required by a bound in this associated function
//     src/ops/arithmetic.rs: required by this bound in `aclnn::ops::arithmetic::<impl Tensor>::add`
//   help: consider borrowing here
//     line 6: &
// error[E0277]: `&str` cannot stand beside a tensor
//   line 7: neither a borrowed tensor nor a number
//   line 7: required by a bound introduced by this call
//   help: the trait `IntoOperand<'_>` is not implemented for `&str`
//   note: a tensor is borrowed here: `&other`
//   note: numbers are those of Rust, `f16`, `bf16` and `Complex`; `aclnn::Scalar` holds any of them
//   note: required by a bound in `aclnn::ops::mul`
//     src/ops/arithmetic.rs: required by a bound in this function
//     src/ops/arithmetic.rs: required by this bound in `mul`
// error[E0277]: `Vec<f32>` cannot stand beside a tensor
//   line 8: neither a borrowed tensor nor a number
//   help: the trait `IntoOperand<'_>` is not implemented for `Vec<f32>`
//   note: a tensor is borrowed here: `&other`
//   note: numbers are those of Rust, `f16`, `bf16` and `Complex`; `aclnn::Scalar` holds any of them
//   note: required for `&aclnn::Tensor` to implement `Div<Vec<f32>>`
