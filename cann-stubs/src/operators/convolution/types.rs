//! The types in which convolutions are computed.

use aclnn_numerics::DType::{self, F16, F32};
use aclnn_numerics::product::Product::{Ascend310P, Ascend910};

use crate::operators::axes::invalid;
use crate::settings;
use crate::status::Result;

/// `cubeMathType` that lets f32 become f16.
pub(super) const USE_F16: i64 = 2;

/// The type to which operands that promote to a type are converted. Precision that a device leaves out, as with HF32, is
/// kept here.
pub(in crate::operators) fn computed(promoted: DType, cube: i64, most: i64) -> Result<DType> {
    if !(0..=most).contains(&cube) {
        return invalid(format_args!("cubeMathType is {cube}, but must be from 0 to {most}"));
    }
    if matches!(settings::get().product, Ascend910 | Ascend310P) {
        if promoted == F32 && matches!(cube, 0 | 3 | 4) {
            return invalid(
                "this product convolves f16 alone; cubeMathType 1 or 2 lets it convert f32 to f16",
            );
        }
        return Ok(F16);
    }
    Ok(if promoted == F32 && cube == USE_F16 { F16 } else { promoted })
}
