//! An operation in place is consumed by its run.

use aclnn::{Tensor, ops};

fn run(a: &mut Tensor) {
    let operation = ops::add_in_place(a, 1);
    let _ = operation.run();
    let _ = operation.run();
}

fn main() {}

// error[E0382]: use of moved value: `operation`
//   line 6: move occurs because `operation` has type `BinaryInPlace<'_, true>`, which does not implement the `Copy` trait
//   line 7: `operation` moved due to this method call
//   line 8: value used here after move
//   note: `BinaryInPlace::<'_, SCALED>::run` takes ownership of the receiver `self`, which moves `operation`
//     src/ops/binary.rs
