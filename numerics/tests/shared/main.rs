//! Tests that run side by side in one process and take moments, on every platform.

mod cann_cast;
mod layout;
mod onnx_api;
mod onnx_golden;
mod onnx_matrix;
mod onnx_range;
mod print;
mod promotion;
mod range;
mod rounding;
