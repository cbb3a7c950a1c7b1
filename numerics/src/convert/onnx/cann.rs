//! Where CANN's Cast does what ONNX describes.

use crate::dtype::DType::{self, *};

/// Whether CANN's Cast gives what ONNX Cast describes, for every input for which ONNX defines the result.
///
/// It rounds twice from f64 to f16 and bf16, and from integers of 32 and 64 bits to bf16. A float outside the range of
/// an integer type is not defined by ONNX; the host makes of it what is known of the device. Types without a Cast on every
/// product (the 8-bit floats and the packed types) are left to the host.
pub fn is_exact_on_cann(from: DType, to: DType) -> bool {
    let on_device = |dtype: DType| DType::TABLE.contains(&dtype) && !dtype.is_complex();
    let twice_rounded = match to {
        F16 => from == F64,
        BF16 => matches!(from, F64 | I32 | U32 | I64 | U64),
        _ => false,
    };
    on_device(from) && on_device(to) && !twice_rounded
}
