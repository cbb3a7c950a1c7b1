//! An operator in place writes through a unique borrow.

use aclnn::{Tensor, ops};

fn run(a: &Tensor) {
    let _ = ops::add_in_place(a, 1);
}

fn main() {}
