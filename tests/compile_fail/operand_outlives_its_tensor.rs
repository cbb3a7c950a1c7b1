//! An operand borrows its tensor.

use aclnn::{Operand, Tensor};

fn kept<'a>(tensor: Tensor) -> Operand<'a> {
    Operand::from(&tensor)
}

fn main() {}
