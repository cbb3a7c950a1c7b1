//! Elements are plain values that the device knows; nothing else goes there as bytes.

use aclnn::{Device, Tensor};

fn run(device: &Device, words: &[String]) {
    let _ = Tensor::from_slice(device, words, [1]);
    let _ = Tensor::from_vec(device, vec![1usize], [1]);
}

fn main() {}

// error[E0277]: `std::string::String` is not the element of a tensor
//   line 6: not an element of a tensor
//   line 6: required by a bound introduced by this call
//   help: the trait `aclnn::Element` is not implemented for `std::string::String`
//   note: elements are `f32`, `f64`, `f16`, `bf16`, `i8` to `i64`, `u8` to `u64`, `bool`, `Complex` of `f16`, `f32` or `f64`, and the 8-bit floats of `element`
//   note: `usize` and `isize` have no width of their own: convert them to `u64` and `i64`
//   note: required by a bound in `aclnn::host::copy::<impl aclnn::Tensor>::from_slice`
//     src/host/copy.rs: required by this bound in `aclnn::host::copy::<impl Tensor>::from_slice`
// error[E0277]: `usize` is not the element of a tensor
//   line 7: not an element of a tensor
//   line 7: required by a bound introduced by this call
//   help: the trait `aclnn::Element` is not implemented for `usize`
//   note: elements are `f32`, `f64`, `f16`, `bf16`, `i8` to `i64`, `u8` to `u64`, `bool`, `Complex` of `f16`, `f32` or `f64`, and the 8-bit floats of `element`
//   note: `usize` and `isize` have no width of their own: convert them to `u64` and `i64`
//   note: required by a bound in `aclnn::host::copy::<impl aclnn::Tensor>::from_vec`
//     src/host/copy.rs: required by this bound in `aclnn::host::copy::<impl Tensor>::from_vec`
