//! An operand borrows its tensor.

use aclnn::{Operand, Tensor};

fn kept<'a>(tensor: Tensor) -> Operand<'a> {
    Operand::Tensor(&tensor)
}

fn main() {}

// error[E0515]: cannot return value referencing function parameter `tensor`
//   line 6: `tensor` is borrowed here
//   line 6: returns a value referencing data owned by the current function
