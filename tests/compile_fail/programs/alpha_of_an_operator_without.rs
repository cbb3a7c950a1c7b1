//! Options that an operator does not have are not there.

use aclnn::{Tensor, ops};

fn run(a: &Tensor, b: &Tensor) {
    let _ = ops::mul(a, b).alpha(2);
}

fn main() {}
