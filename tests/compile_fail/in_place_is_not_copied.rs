//! Nor is it copied before, as two of them would write the same tensor.

use aclnn::{Tensor, ops};

fn run(a: &mut Tensor) {
    let operation = ops::add_in_place(a, 1);
    let _ = operation.clone();
}

fn main() {}

// error[E0599]: no method named `clone` found for struct `BinaryInPlace<'a, SCALED>` in the current scope
//   line 7: method not found in `BinaryInPlace<'_, true>`
