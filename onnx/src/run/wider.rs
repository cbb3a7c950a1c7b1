//! Which types can stand for others.

use aclnn::DType;

/// Returns the types that hold every element of a type, the nearest one first; for integers of 64 bits the one of the
/// same bits.
pub(super) fn wider(dtype: DType) -> impl Iterator<Item = DType> {
    use DType::*;
    let types: &[DType] = match dtype {
        Bool => &[U8, I8, I32, F32],
        I8 => &[I16, I32, I64, F16, F32],
        U8 => &[I16, I32, I64, F16, F32],
        I16 => &[I32, I64, F32],
        U16 => &[I32, I64, F32],
        I32 => &[I64, F64],
        U32 => &[I64, F64],
        U64 => &[I64],
        F16 | BF16 => &[F32, F64],
        F32 => &[F64],
        F8E4M3FN | F8E5M2 | F8E4M3FNUZ | F8E5M2FNUZ | F4E2M1 => &[F16, F32],
        I4 | U4 | I2 | U2 => &[I8, I32],
        _ => &[],
    };
    types.iter().copied()
}
