//! An operand borrows its tensor.

use aclnn::{Operand, Tensor};

fn kept<'a>(tensor: Tensor) -> Operand<'a> {
    Operand::Tensor(&tensor)
}

fn main() {}
