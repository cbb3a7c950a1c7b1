//! A result is written through a unique borrow.

use aclnn::{Tensor, ops};

fn run(a: &Tensor, out: &Tensor) {
    let _ = ops::add(a, 1).run_into(out);
}

fn main() {}

// error[E0308]: mismatched types
//   line 6: arguments to this method are incorrect
//   line 6: types differ in mutability
//   note: expected mutable reference `&mut aclnn::Tensor` found reference `&aclnn::Tensor`
//   note: method defined here
//     src/ops/binary.rs
