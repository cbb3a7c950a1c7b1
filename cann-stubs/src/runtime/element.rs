//! Elements on the host: the size of an element type, and conversion to and from half precision.

use aclnn_numerics::{DType, f16};
use aclnn_sys::aclDataType;

use crate::entry::entry_points;

/// Returns the bytes of an element as CANN returns them: packed integers count as one byte, packed floats as eight.
fn size(dtype: aclDataType) -> usize {
    match DType::from_acl_code(dtype.0) {
        None => 0,
        Some(dtype) if dtype.acl_name().is_none() => 0,
        Some(DType::String) => 0,
        Some(dtype) if dtype.bits() >= 8 => dtype.bits() / 8,
        Some(dtype) if dtype.is_integer() => 1,
        Some(_) => 8,
    }
}

entry_points! { SYMBOLS:
    fn aclDataTypeSize(dtype: aclDataType) -> usize {
        size(dtype)
    }

    fn aclFloat16ToFloat(value: u16) -> f32 {
        f16::from_bits(value).to_f32()
    }

    fn aclFloatToFloat16(value: f32) -> u16 {
        f16::from_f32(value).to_bits()
    }
}
