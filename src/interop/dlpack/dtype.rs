//! Element types by their codes in DLPack.

use aclnn_numerics::{Class, DType};

use super::abi::DLDataType;
use super::refused;
use crate::error::{Error, Result};

/// The names of the codes, for messages.
const NAMES: [&str; 18] = [
    "kDLInt",
    "kDLUInt",
    "kDLFloat",
    "kDLOpaqueHandle",
    "kDLBfloat",
    "kDLComplex",
    "kDLBool",
    "kDLFloat8_e3m4",
    "kDLFloat8_e4m3",
    "kDLFloat8_e4m3b11fnuz",
    "kDLFloat8_e4m3fn",
    "kDLFloat8_e4m3fnuz",
    "kDLFloat8_e5m2",
    "kDLFloat8_e5m2fnuz",
    "kDLFloat8_e8m0fnu",
    "kDLFloat6_e2m3fn",
    "kDLFloat6_e3m2fn",
    "kDLFloat4_e2m1fn",
];

/// Returns the code of a type, if DLPack has the type.
#[inline]
fn code(dtype: DType) -> Option<u8> {
    Some(match dtype {
        DType::F16 | DType::F32 | DType::F64 => 2,
        DType::BF16 => 4,
        DType::F8E4M3FN => 10,
        DType::F8E4M3FNUZ => 11,
        DType::F8E5M2 => 12,
        DType::F8E5M2FNUZ => 13,
        DType::F8E8M0 => 14,
        DType::F6E2M3 => 15,
        DType::F6E3M2 => 16,
        DType::F4E2M1 => 17,
        _ => match dtype.class() {
            Class::Signed => 0,
            Class::Unsigned => 1,
            Class::Complex => 5,
            Class::Bool => 6,
            Class::Float | Class::String => return None,
        },
    })
}

/// Fails for the types that DLPack does not have.
impl TryFrom<DType> for DLDataType {
    type Error = Error;

    #[inline]
    fn try_from(dtype: DType) -> Result<DLDataType> {
        let code =
            code(dtype).ok_or_else(|| refused(format!("it has no type for {dtype}; cast it first")))?;
        Ok(DLDataType { code, bits: dtype.bits() as u8, lanes: 1 })
    }
}

/// Fails for the types that only DLPack has, and for vectors.
impl TryFrom<DLDataType> for DType {
    type Error = Error;

    #[inline]
    fn try_from(DLDataType { code: wanted, bits, lanes }: DLDataType) -> Result<DType> {
        let is_it =
            |dtype: &DType| code(*dtype) == Some(wanted) && dtype.bits() == usize::from(bits) && lanes == 1;
        DType::ALL.iter().copied().find(is_it).ok_or_else(|| {
            let name = NAMES.get(usize::from(wanted)).unwrap_or(&"not known");
            refused(format!(
                "type code {wanted} ({name}) with {bits} bits and {lanes} lanes has no tensors here; convert it first"
            ))
        })
    }
}
