//! A tensor that is written in place is not the other operand as well.

use aclnn::Tensor;

fn run(mut a: Tensor) {
    let _ = a.add_in_place(&a);
}

fn main() {}
