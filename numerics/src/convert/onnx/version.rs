//! The types that each version of Cast has, and the forms of its target.

use super::CastError;
use crate::dtype::DType::{self, *};

/// The versions of Cast and the types that each of them added.
const VERSIONS: [(u32, &[DType]); 9] = [
    (1, &[Bool, F64, F32, F16, I8, I16, I32, I64, U8, U16, U32, U64]),
    (6, &[]),
    (9, &[String]),
    (13, &[BF16]),
    (19, &[F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ]),
    (21, &[I4, U4]),
    (23, &[F4E2M1]),
    (24, &[F8E8M0]),
    (25, &[I2, U2]),
];

/// The latest version described here.
pub const LATEST: u32 = 25;

/// The first opset with a version of Cast that is not described here.
const NEXT: u32 = 28;

/// The first version of CastLike.
const CAST_LIKE: u32 = 15;

/// Returns the version of Cast that an opset has: the last version up to the opset.
///
/// # Errors
/// The opset is 0, which does not exist, or 28 or later, whose version is not described here.
#[inline]
pub fn version(opset: u32) -> Result<u32, CastError> {
    VERSIONS
        .iter()
        .map(|&(version, _)| version)
        .rfind(|&version| version <= opset && opset < NEXT)
        .ok_or(CastError::Opset { opset })
}

/// Returns the version of CastLike that an opset has. CastLike exists from opset 15 on, takes the types of Cast, and
/// has a new version whenever Cast has one.
///
/// # Errors
/// The opset is before 15, or has a version that is not described here.
#[inline]
pub fn cast_like_version(opset: u32) -> Result<u32, CastError> {
    let version = version(opset)?;
    if opset < CAST_LIKE { Err(CastError::NoCastLike { opset }) } else { Ok(version.max(CAST_LIKE)) }
}

/// Returns the first version with a type, as source and as target alike; `None` if no version has the type.
#[inline]
pub fn since(dtype: DType) -> Option<u32> {
    VERSIONS.iter().find(|(_, types)| types.contains(&dtype)).map(|&(version, _)| version)
}

/// Returns the types of the version that an opset has, oldest first.
#[inline]
pub fn types(opset: u32) -> impl Iterator<Item = DType> {
    let versions = VERSIONS.iter().filter(move |&&(version, _)| version <= opset);
    versions.flat_map(|(_, types)| types.iter().copied())
}

/// Returns the version of an opset, if the version has both types.
#[inline]
pub(super) fn check(from: DType, to: DType, opset: u32) -> Result<u32, CastError> {
    let version = version(opset)?;
    // If both types are missing, the error names the one that ONNX added later.
    let missing = |dtype: &DType| since(*dtype).is_none_or(|since| since > version);
    let lateness = |dtype: &DType| since(*dtype).unwrap_or(u32::MAX);
    match [from, to].into_iter().filter(missing).max_by_key(lateness) {
        Some(dtype) => Err(CastError::Type { dtype, opset, since: since(dtype) }),
        None => Ok(version),
    }
}

/// The target of a Cast: a type, or the attribute `to` of a model, which is a name in version 1 and a code from version
/// 6 on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To<'a> {
    /// The type itself, whatever the version.
    Type(DType),
    /// The enumerator of `TensorProto.DataType`, such as `FLOAT16`; case is ignored.
    Name(&'a str),
    /// The value in `TensorProto.DataType`.
    Code(i64),
}

impl From<DType> for To<'_> {
    #[inline]
    fn from(dtype: DType) -> Self {
        To::Type(dtype)
    }
}

impl To<'_> {
    /// Returns the type that the target names.
    ///
    /// [`Cast::new`](super::Cast::new) checks whether the opset has the type.
    ///
    /// # Errors
    /// The opset is unknown or has the attribute in the other form, or ONNX has no such type.
    #[inline]
    pub fn resolve(self, opset: u32) -> Result<DType, CastError> {
        let version = version(opset)?;
        match self {
            To::Type(dtype) => Ok(dtype),
            To::Name(_) if version > 1 => Err(CastError::ToForm { opset }),
            To::Code(_) if version == 1 => Err(CastError::ToForm { opset }),
            To::Name(name) => DType::ALL
                .iter()
                .copied()
                .find(|dtype| dtype.onnx_name().is_some_and(|known| known.eq_ignore_ascii_case(name)))
                .ok_or_else(|| CastError::ToName { name: name.to_owned() }),
            To::Code(code) => {
                i32::try_from(code).ok().and_then(DType::from_onnx_code).ok_or(CastError::ToCode { code })
            }
        }
    }
}
