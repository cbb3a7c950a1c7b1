//! A result is written through a unique borrow.

use aclnn::{Tensor, ops};

fn run(a: &Tensor, out: &Tensor) {
    let _ = ops::add(a, 1).run_into(out);
}

fn main() {}
