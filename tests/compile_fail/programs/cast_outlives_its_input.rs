//! A Cast of ONNX borrows its input.

use aclnn::{DType, Tensor, onnx};

fn kept<'a>(input: Tensor) -> onnx::Cast<'a> {
    onnx::cast(&input, DType::F16)
}

fn main() {}
