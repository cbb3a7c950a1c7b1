//! An operation borrows its operands until it is run.

use aclnn::{Tensor, ops};

fn kept(a: &Tensor, b: Tensor) -> ops::Binary<'_, true> {
    ops::add(a, &b)
}

fn main() {}
