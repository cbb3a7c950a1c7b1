//! Numbers in steps.

use super::function::functions;
use super::operation::Direct;

functions! {
    quantize(own: tensor, scales: tensor, zero_points: tensor, axis: axis = "0", dtype: dtype = "i8")[Quantize] =>
        Direct(move || own.quantize(scales, zero_points, axis, dtype));
    fake_quantize(own: tensor, scale: tensor, zero_point: tensor, least: i64 = "-128", most: i64 = "127")
        [FakeQuantPerTensorAffineCachemask] => Direct(move || own.fake_quantize(scale, zero_point, least..=most));
    fake_quantize_along(
        own: tensor, scales: tensor, zero_points: tensor, axis: axis = "0", least: i64 = "-128", most: i64 = "127"
    )[FakeQuantPerChannelAffineCachemask] =>
        Direct(move || own.fake_quantize_along(axis, scales, zero_points, least..=most));
}
