//! Filling: tensors of one constant, as new tensors and in place.

use aclnn_numerics::{DType, Shape};

use crate::argument_checks::{Operation, written_as};
use crate::call::launch;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

impl Tensor {
    /// Makes a tensor with `value` in every element. The value is converted as the library converts scalars: a float is
    /// truncated to an integer, an integer keeps its low bits, and a complex value becomes zero if the type is real.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::full(&device, [2, 2], 7, DType::F32)?.to_vec::<f32>()?, [7.0; 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported), [`Scalar`](crate::Error::Scalar) and [`Rank`](crate::Error::Rank)
    /// before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnInplaceFillScalar")]
    #[doc(alias = "new_full")]
    pub fn full(
        on: impl Into<Stream>,
        shape: impl Into<Shape>,
        value: impl Into<Scalar>,
        dtype: DType,
    ) -> Result<Tensor> {
        filled(Operation::new("full", &on.into()), shape.into(), value.into(), dtype)
    }

    /// Makes a tensor of zeros.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::zeros(&device, [2, 2], DType::F32)?.to_vec::<f32>()?, [0.0; 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::full`].
    #[doc(alias = "aclnnInplaceFillScalar")]
    pub fn zeros(on: impl Into<Stream>, shape: impl Into<Shape>, dtype: DType) -> Result<Tensor> {
        filled(Operation::new("zeros", &on.into()), shape.into(), 0.into(), dtype)
    }

    /// Makes a tensor of ones.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::ones(&device, 3, DType::I64)?.to_vec::<i64>()?, [1; 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::full`].
    #[doc(alias = "aclnnInplaceFillScalar")]
    pub fn ones(on: impl Into<Stream>, shape: impl Into<Shape>, dtype: DType) -> Result<Tensor> {
        filled(Operation::new("ones", &on.into()), shape.into(), 1.into(), dtype)
    }

    /// Makes a contiguous tensor of the same shape and type, on the same stream, with `value` in every element, converted as
    /// by [`Tensor::full`].
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1i64, 2, 3], [3])?;
    /// assert_eq!(a.full_like(7)?.to_vec::<i64>()?, [7; 3]);
    /// assert_eq!(a.zeros_like()?.to_vec::<i64>()?, [0; 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::full`].
    #[doc(alias = "aclnnInplaceFillScalar")]
    pub fn full_like(&self, value: impl Into<Scalar>) -> Result<Tensor> {
        self.filled_like("full_like", value.into())
    }

    /// Makes a contiguous tensor of zeros of the same shape and type, on the same stream.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1u8, 2], [2])?;
    /// assert_eq!(a.zeros_like()?.to_vec::<u8>()?, [0; 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::full`].
    #[doc(alias = "aclnnInplaceFillScalar")]
    #[doc(alias = "new_zeros")]
    #[inline]
    pub fn zeros_like(&self) -> Result<Tensor> {
        self.filled_like("zeros_like", 0.into())
    }

    /// Makes a contiguous tensor of ones of the same shape and type, on the same stream.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[7u8, 2], [2])?;
    /// assert_eq!(a.ones_like()?.to_vec::<u8>()?, [1; 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::full`].
    #[doc(alias = "aclnnInplaceFillScalar")]
    #[doc(alias = "new_ones")]
    #[inline]
    pub fn ones_like(&self) -> Result<Tensor> {
        self.filled_like("ones_like", 1.into())
    }

    #[inline]
    fn filled_like(&self, name: &'static str, value: Scalar) -> Result<Tensor> {
        let operation = Operation::new(name, self.stream()).tensor("self", self);
        operation.placed()?;
        filled(operation, self.shape().clone(), value, self.dtype())
    }

    /// Writes `value` to every element, converted as by [`Tensor::full`].
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// grid.select(1, 0)?.fill_in_place(0)?;
    /// assert_eq!(grid.to_vec::<i32>()?, [0, 2, 3, 0, 5, 6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::full`], and [`SharedElements`](crate::Error::SharedElements).
    #[doc(alias = "aclnnInplaceFillScalar")]
    #[doc(alias = "fill_")]
    #[doc(alias = "const_set")]
    #[doc(alias = "zero_")]
    pub fn fill_in_place(&mut self, value: impl Into<Scalar>) -> Result<()> {
        let value = value.into();
        let operation =
            Operation::new("fill_in_place", self.stream()).tensor("self", self).scalar("value", value);
        operation.placed()?;
        operation.writable("self", self, self.shape())?;
        operation.takes("InplaceFillScalar", signatures::fill_scalar.takes, self.dtype())?;
        let value = converted(&operation, value, self.dtype())?;
        match written_as(self) {
            None => launch::InplaceFillScalar(self.stream().into(), self, &value),
            Some(signed) => {
                let (target, value) = (self.with_bits_of(signed), value.with_signed_bits());
                launch::InplaceFillScalar(self.stream().into(), &target, &value)
            }
        }
    }
}

/// Makes a tensor filled with a value, on the stream of the operation.
#[inline]
fn filled(operation: Operation<'_>, shape: Shape, value: Scalar, dtype: DType) -> Result<Tensor> {
    let operation = operation.scalar("value", value);
    operation.takes("InplaceFillScalar", signatures::fill_scalar.takes, dtype)?;
    let value = converted(&operation, value, dtype)?;
    let tensor = operation.empty(shape, dtype)?;
    Operation::new(operation.operator, operation.stream).tensor("self", &tensor).placed()?;
    launch::InplaceFillScalar(operation.stream.into(), &tensor, &value)?;
    Ok(tensor)
}

/// Returns the value as it is sent: of the tensor's type, so that the library has nothing to promote.
#[inline]
pub(super) fn converted(operation: &Operation<'_>, value: Scalar, dtype: DType) -> Result<Scalar> {
    value.to(dtype).ok_or_else(|| operation.bad_scalar(format!("there are no scalars of {dtype}")))
}
