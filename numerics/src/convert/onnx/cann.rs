//! The pairs for which CANN's Cast does what ONNX describes.

use crate::dtype::DType::{self, *};

/// Returns whether CANN's Cast gives what ONNX Cast describes, for every input for which ONNX defines the result.
///
/// CANN's Cast rounds twice from f64 to f16 and bf16, and from integers of 32 and 64 bits to bf16. ONNX does not define
/// the result of a float outside the range of an integer type; there the host follows what is known of the device.
/// Types that not every product casts (the 8-bit floats and the packed types) are converted on the host.
#[inline]
pub fn is_exact_on_cann(from: DType, to: DType) -> bool {
    let on_device = |dtype: DType| DType::TABLE.contains(&dtype) && !dtype.is_complex();
    let twice_rounded = match to {
        F16 => from == F64,
        BF16 => matches!(from, F64 | I32 | U32 | I64 | U64),
        _ => false,
    };
    on_device(from) && on_device(to) && !twice_rounded
}
