//! Products of vectors in space, and the sum of a diagonal.

use aclnn_numerics::DType::{self, Bool, I64};
use aclnn_numerics::Shape;

use super::shapes::{alike, matrices};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::{Index, Tensor};

impl Tensor {
    /// Returns the vectors that are orthogonal to the vectors along an axis of this tensor and of another one, which have
    /// three elements each; the other axes broadcast.
    ///
    /// `axis` is one of the result. Types are floats, integers up to i64 and complex numbers, one for both. The emulator
    /// computes floats in f64 and rounds once; integers wrap.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[1.0f32, 0.0, 0.0], [3])?;
    /// let y = Tensor::from_slice(&device, &[0.0f32, 2.0, 0.0, 0.0, 0.0, 3.0], [2, 3])?;
    /// assert_eq!(x.cross(&y, -1)?.to_vec::<f32>()?, [0.0, 0.0, 2.0, 0.0, -3.0, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if the axis has not three elements or the types differ,
    /// [`Broadcast`](crate::Error::Broadcast), [`View`](crate::Error::View) if the axis does not exist,
    /// [`Devices`](crate::Error::Devices) and [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnLinalgCross")]
    pub fn cross(&self, other: &Tensor, axis: impl Index) -> Result<Tensor> {
        let operation = Operation::new("cross", self.stream()).tensor("self", self).tensor("other", other);
        operation.placed()?;
        operation.takes("LinalgCross", signatures::cross.takes, self.dtype())?;
        alike(&operation, self, &[other])?;
        let shape = operation.broadcast(self.shape(), other.shape())?;
        let own = self.broadcast_to(&shape)?;
        let axis = operation.axis(&own, axis)?;
        match shape.get(axis) {
            Some(3) => {}
            size => {
                let size = size.copied().unwrap_or(1);
                return Err(operation
                    .refused(format!("axis {axis} has {size} elements, but vectors in space have three")));
            }
        }
        let out = operation.empty(shape, self.dtype())?;
        launch::LinalgCross(self.stream().into(), &own, other, axis as i64, &out)?;
        Ok(out)
    }

    /// Returns the sum of the diagonal of a matrix, a tensor without axes.
    ///
    /// Types are floats, integers up to i64, bool and complex numbers; sums of integers and bool are i64. The emulator adds
    /// floats in f64 and rounds once.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let matrix = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(matrix.trace()?.to_vec::<i64>()?, [6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if the tensor has not two axes, [`Unsupported`](crate::Error::Unsupported), before
    /// anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch).
    #[doc(alias = "aclnnTrace")]
    #[inline]
    pub fn trace(&self) -> Result<Tensor> {
        let operation = Operation::new("trace", self.stream()).tensor("self", self);
        let (batch, _) = matrices(&operation, ("Trace", signatures::trace.takes), ("self", self))?;
        if !batch.is_empty() {
            return Err(operation.refused(format!("self has {} axes, but must have two", self.rank())));
        }
        let summed = |dtype: DType| if dtype.is_integer() || dtype == Bool { I64 } else { dtype };
        let out = operation.empty(Shape::scalar(), summed(self.dtype()))?;
        launch::Trace(self.stream().into(), self, &out)?;
        Ok(out)
    }
}
