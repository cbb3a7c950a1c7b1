//! Conversion to another element type.

use aclnn_numerics::DType;

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::plan::{CastBy, casts};
use crate::stream::Stream;
use crate::tensor::Tensor;

impl Tensor {
    /// Converts every element to `dtype`, in a new contiguous tensor, even if the type stays the same.
    ///
    /// Floats round to the nearest, ties to even, and are truncated for integer types; integers keep their low bits, so that
    /// 300 becomes 44 as u8 ([`clamp`](Tensor::clamp) before); for bool only zero becomes false; a complex value becomes its
    /// real part. [Casting](crate::topics::casting) has the details.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[-1.5f32, 0.0, 2.7], [3])?;
    /// assert_eq!(a.cast(DType::I64)?.to_vec::<i64>()?, [-1, 0, 2]);
    /// assert_eq!(a.cast(DType::Bool)?.to_vec::<bool>()?, [true, false, true]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) or [`Error::NoCast`](crate::Error::NoCast) where the product
    /// does not cast between the types, [`Error::Rank`](crate::Error::Rank), or what the library returned.
    #[doc(alias = "aclnnCast")]
    #[inline]
    pub fn cast(&self, dtype: DType) -> Result<Tensor> {
        let stream = self.stream();
        let operation = Operation::new("cast", stream).tensor("self", self);
        operation.placed()?;
        operation.castable(self.dtype(), dtype)?;
        let out = operation.empty(self.shape(), dtype)?;
        // Cast does not take views where it packs elements.
        let source = if dtype.bits() < 8 { self.contiguous()? } else { self.clone() };
        cast_into(stream, &source, &out, casts::cast_by(&source))?;
        Ok(out)
    }

    /// Converts every element to `dtype`: another name of [`Tensor::cast`].
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.5f32, 2.0], [2])?;
    /// assert_eq!(a.to_dtype(DType::I32)?.to_vec::<i32>()?, [1, 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::cast`].
    #[doc(alias = "aclnnCast")]
    #[doc(alias = "astype")]
    #[doc(alias = "type")]
    #[inline]
    pub fn to_dtype(&self, dtype: DType) -> Result<Tensor> {
        self.cast(dtype)
    }
}

/// Converts with the operator that the plan names.
#[inline]
pub(super) fn cast_into(stream: &Stream, from: &Tensor, to: &Tensor, by: CastBy) -> Result<()> {
    match by {
        CastBy::Cast => launch::Cast(stream.into(), from, to.dtype(), to),
        CastBy::Copy => launch::InplaceCopy(stream.into(), to, from),
    }
}
