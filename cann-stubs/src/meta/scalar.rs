//! `aclScalar`: one value on the host, copied when the scalar is made.

use std::sync::Arc;

use aclnn_numerics::DType;
use aclnn_numerics::convert::cann::scalar_converter;
use aclnn_sys::{ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR, aclDataType, aclScalar, aclnnStatus};

use super::handle_codes::dangling;
use crate::entry::{Handle, Untyped, entry_points};
use crate::handle::{Kind, Registry, to_pointer};
use crate::status::{Result, Status};

pub(crate) static SCALARS: Registry<Scalar> = Registry::new(Kind::Scalar);

/// A value of a known type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub(crate) dtype: DType,
    bytes: [u8; 16],
}

impl Scalar {
    /// Makes a value from its representation, of which as many bytes are read as the type has.
    #[inline(never)]
    pub(crate) fn of_bytes(dtype: DType, value: &[u8]) -> Self {
        let mut bytes = [0; 16];
        let size = dtype.bits().div_ceil(8).min(value.len());
        bytes[..size].copy_from_slice(&value[..size]);
        Scalar { dtype, bytes }
    }

    /// The value in another type, by the library's rules for scalars on the host; `None` where there is none.
    #[inline(never)]
    pub(crate) fn converted(&self, to: DType) -> Option<[u8; 16]> {
        let mut element = [0; 16];
        scalar_converter(self.dtype, to)?(self.bytes(), &mut element[..to.bits().div_ceil(8)]);
        Some(element)
    }

    /// The value converted to f32 or f64; 0 for a complex number.
    #[inline(never)]
    pub(crate) fn real(&self, as_float: DType) -> Option<f64> {
        let bytes = self.converted(as_float)?;
        match as_float {
            DType::F32 => bytes.first_chunk().map(|bytes| f32::from_ne_bytes(*bytes).into()),
            DType::F64 => bytes.first_chunk().map(|bytes| f64::from_ne_bytes(*bytes)),
            _ => None,
        }
    }

    /// Type and value, as numbers that tell scalars apart.
    pub(crate) fn words(&self) -> [u64; 3] {
        let value = u128::from_ne_bytes(self.bytes);
        [self.dtype as u64, value as u64, (value >> 64) as u64]
    }

    /// The value, in the type's own representation.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.dtype.bits().div_ceil(8)]
    }
}

/// Returns whether CANN makes scalars of this type: not of the packed integers, of half complex numbers or of strings.
fn can_be_scalar(dtype: DType) -> bool {
    dtype.acl_code().is_some()
        && !matches!(dtype, DType::I4 | DType::U1 | DType::C32 | DType::String | DType::HiF4)
}

/// The scalar behind an argument called `name`.
#[inline(never)]
pub(crate) fn resolve(handle: usize, name: &str) -> Result<Arc<Scalar>> {
    SCALARS.get(handle).map_err(|why| dangling(name, why))
}

entry_points! {
    SYMBOLS:

    fn aclCreateScalar(value: Untyped, dataType: aclDataType) -> *mut aclScalar {
        let dtype = DType::from_acl_code(dataType.0).filter(|&dtype| can_be_scalar(dtype)).ok_or_else(|| {
            Status::new(ACLNN_ERR_PARAM_INVALID, format_args!("no scalar can have data type {}", dataType.0))
        })?;
        let size = dtype.bits().div_ceil(8);
        if value.is_null() {
            return Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, "value is null"));
        }
        let fill = |scalar: &mut Scalar| {
            (scalar.dtype, scalar.bytes) = (dtype, [0; 16]);
            value.copy_to(&mut scalar.bytes[..size]);
        };
        let make = || {
            let mut scalar = Scalar { dtype, bytes: [0; 16] };
            fill(&mut scalar);
            scalar
        };
        let handle = SCALARS.insert_filled(make, fill);
        Ok(to_pointer(handle))
    }

    fn aclDestroyScalar(scalar: Handle<*const aclScalar>) -> aclnnStatus {
        if scalar.0 != 0 {
            SCALARS.end(scalar.0, |_| ()).map_err(|why| dangling("scalar", why))?;
        }
        Ok(())
    }
}
