//! An operation borrows its operands until it is run.

use aclnn::{Tensor, ops};

fn kept(a: &Tensor, b: Tensor) -> ops::Binary<'_, true> {
    ops::add(a, &b)
}

fn main() {}

// error[E0515]: cannot return value referencing function parameter `b`
//   line 6: `b` is borrowed here
//   line 6: returns a value referencing data owned by the current function
