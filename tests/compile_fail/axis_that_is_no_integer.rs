//! Axes and indices are integers, and several indices a range of them.

use aclnn::Tensor;

fn run(a: &Tensor) {
    let _ = a.select(0, 0.5);
    let _ = a.slice(0, 3);
    let _ = a.slice(0, 0.5..);
}

fn main() {}

// error[E0277]: `{float}` does not number an axis or an index
//   line 6: not an integer
//   line 6: required by a bound introduced by this call
//   help: the trait `aclnn::Index` is not implemented for `{float}`
//   note: axes and indices are integers: 0 is the first, -1 the last
//   note: required by a bound in `aclnn::tensor::view::<impl aclnn::Tensor>::select`
//     src/tensor/view.rs: required by this bound in `aclnn::tensor::view::<impl Tensor>::select`
// error[E0277]: `{integer}` is not a range of indices
//   line 7: not a range of integers
//   line 7: required by a bound introduced by this call
//   help: the trait `IndexRange` is not implemented for `{integer}`
//   note: ranges of indices are written `1..3`, `..=2`, `-2..`, `..-1` or `..`; `select` takes a single index
//   note: required by a bound in `aclnn::tensor::view::<impl aclnn::Tensor>::slice`
//     src/tensor/view.rs: required by this bound in `aclnn::tensor::view::<impl Tensor>::slice`
// error[E0277]: `{float}` does not number an axis or an index
//   line 8: not an integer
//   line 8: required by a bound introduced by this call
//   help: the trait `aclnn::Index` is not implemented for `{float}`
//   note: axes and indices are integers: 0 is the first, -1 the last
//   note: required for `std::ops::RangeFrom<{float}>` to implement `IndexRange`
//   note: required by a bound in `aclnn::tensor::view::<impl aclnn::Tensor>::slice`
//     src/tensor/view.rs: required by this bound in `aclnn::tensor::view::<impl Tensor>::slice`
