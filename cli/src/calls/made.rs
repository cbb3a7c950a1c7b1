//! Functions that make a tensor of numbers, or of another type.

use aclnn::Tensor;

use super::function::functions;
use super::operation::{Direct, changed};

functions! {
    cast(own: tensor, dtype: dtype)[Cast] => Direct(|| own.cast(dtype));
    full(device: device, value: value, shape: sizes, dtype: dtype = "f32")[] =>
        Direct(|| Tensor::full(device, &shape[..], value, dtype));
    zeros(device: device, shape: sizes, dtype: dtype = "f32")[] => Direct(|| Tensor::zeros(device, &shape[..], dtype));
    ones(device: device, shape: sizes, dtype: dtype = "f32")[] => Direct(|| Tensor::ones(device, &shape[..], dtype));
    full_like(own: tensor, value: value)[] => Direct(|| own.full_like(value));
    zeros_like(own: tensor)[] => Direct(|| own.zeros_like());
    ones_like(own: tensor)[] => Direct(|| own.ones_like());
    fill_in_place(own: target, value: value)[InplaceFillScalar] => changed(own, |own| own.fill_in_place(value));
    eye(device: device, rows: size, columns: optional_size, dtype: dtype = "f32")[Eye] =>
        Direct(|| Tensor::eye(device, rows, columns.unwrap_or(rows), dtype));
    arange(device: device, start: value, end: value, step: value, dtype: dtype = "f32")[Arange] =>
        Direct(|| Tensor::arange(device, start, end, step, dtype));
    range_inclusive(device: device, start: value, end: value, step: value, dtype: dtype = "f32")[Range] =>
        Direct(|| Tensor::range_inclusive(device, start, end, step, dtype));
    linspace(device: device, start: value, end: value, steps: size, dtype: dtype = "f32")[Linspace] =>
        Direct(|| Tensor::linspace(device, start, end, steps, dtype));
}
