//! Nothing is launched before `run`, and the compiler tells who forgets it.

#![deny(unused_must_use)]

use aclnn::{Tensor, ops};

fn run(a: &mut Tensor, b: &Tensor) {
    ops::add(b, 1);
    ops::add_in_place(a, 1);
}

fn main() {}
