//! A Cast of ONNX borrows its input.

use aclnn::{DType, Tensor, onnx};

fn kept<'a>(input: Tensor) -> onnx::Cast<'a> {
    onnx::cast(&input, DType::F16)
}

fn main() {}

// error[E0515]: cannot return value referencing function parameter `input`
//   line 6: `input` is borrowed here
//   line 6: returns a value referencing data owned by the current function
