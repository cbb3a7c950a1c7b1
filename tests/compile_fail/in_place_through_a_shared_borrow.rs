//! An operator in place writes through a unique borrow.

use aclnn::{Tensor, ops};

fn run(a: &Tensor) {
    let _ = ops::add_in_place(a, 1);
}

fn main() {}

// error[E0308]: mismatched types
//   line 6: arguments to this function are incorrect
//   line 6: types differ in mutability
//   note: expected mutable reference `&mut aclnn::Tensor` found reference `&aclnn::Tensor`
//   note: function defined here
//     src/ops/arithmetic.rs
