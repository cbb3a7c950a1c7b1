//! Tests of elements for closeness and presence, and of tensors for equality.

use aclnn_numerics::DType::Bool;
use aclnn_numerics::Shape;
use aclnn_numerics::promote::{Edition, promote_scalar};

use super::elementwise::{Attributes, Elementwise, Operator};
use super::prepared::OTHERS;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::{Error, Result};
use crate::operand::IntoOperand;
use crate::scalar::Scalar;
use crate::signatures;
use crate::tensor::Tensor;

/// The tolerances of [`is_close`].
#[derive(Debug, Clone, Copy)]
pub struct Tolerances {
    rtol: f64,
    atol: f64,
    equal_nan: bool,
}

impl Attributes for Tolerances {}

impl Elementwise<'_, Tolerances> {
    /// Sets the relative tolerance, a part of the second element; the default is 10⁻⁵. It is rounded to f32.
    #[inline]
    pub fn rtol(mut self, rtol: f64) -> Self {
        self.attributes.rtol = rtol;
        self
    }

    /// Sets the absolute tolerance; the default is 10⁻⁸. It is rounded to f32.
    #[inline]
    pub fn atol(mut self, atol: f64) -> Self {
        self.attributes.atol = atol;
        self
    }

    /// Lets NaN be close to NaN, which it is not otherwise.
    #[inline]
    pub fn equal_nan(mut self) -> Self {
        self.attributes.equal_nan = true;
        self
    }
}

/// Prepares a test whether elements are close: `|own − other| ≤ atol + rtol · |other|`, or the same infinity. Tensors of bool
/// count as 0 and 1; i64 and f64 are compared as f64, all others as f32.
///
/// Nothing is launched before [`Elementwise::run`].
#[doc(alias = "aclnnIsClose")]
#[inline]
pub fn is_close<'a>(own: &'a Tensor, other: &'a Tensor) -> Elementwise<'a, Tolerances> {
    const OPERATOR: &Operator<Tolerances> = &Operator {
        name: "is_close",
        form: "IsClose",
        signature: signatures::is_close,
        operands: &["self", "other"],
        kept: &[],
        promotes: false,
        converts: false,
        launch: |stream, operands, Tolerances { rtol, atol, equal_nan }, out| match operands {
            [own, other] => launch::IsClose(stream.into(), own, other, *rtol, *atol, *equal_nan, out),
            _ => Err(OTHERS),
        },
        in_place: None,
    };
    let tolerances = Tolerances { rtol: 1e-5, atol: 1e-8, equal_nan: false };
    Elementwise::new(OPERATOR, [own, other].map(IntoOperand::into_operand), tolerances)
}

impl Tensor {
    /// Returns for each element whether it is close to that of another tensor, to 10⁻⁵ of that or 10⁻⁸, as a tensor of
    /// bool. [`ops::is_close`](crate::ops::is_close) takes other tolerances.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
    /// let b = Tensor::from_slice(&device, &[1.000001f32, 2.1], 2)?;
    /// assert_eq!(a.is_close(&b)?.to_vec::<bool>()?, [true, false]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Elementwise::run`](crate::ops::Elementwise::run).
    #[doc(alias = "aclnnIsClose")]
    #[doc(alias = "isclose")]
    #[inline]
    pub fn is_close(&self, other: &Tensor) -> Result<Tensor> {
        is_close(self, other).run()
    }

    /// Returns whether all elements are close to those of another tensor: `|self − other| ≤ atol + rtol · |other|`. NaN is close
    /// to nothing. This waits for the result.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
    /// let b = Tensor::from_slice(&device, &[1.001f32, 2.001], 2)?;
    /// assert!(a.allclose(&b, 1e-2, 0.0)? && !a.allclose(&b, 1e-5, 1e-8)?);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Elementwise::run`](crate::ops::Elementwise::run) and of [`Tensor::item`].
    #[doc(alias = "aclnnIsClose", alias = "all_close")]
    #[inline]
    pub fn allclose(&self, other: &Tensor, rtol: f64, atol: f64) -> Result<bool> {
        is_close(self, other).rtol(rtol).atol(atol).run()?.all(..)?.item::<bool>()
    }

    /// Returns whether two tensors have the same shape and equal elements, after they were promoted; NaN equals nothing. This
    /// waits for the result. [`eq`](Tensor::eq) compares element by element.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1i32, 2], 2)?;
    /// let b = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
    /// assert!(a.equal(&b)? && !a.equal(&b.slice(0, 0..1)?)?);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Devices`](Error::Devices), [`Rank`](Error::Rank), [`NotPromotable`](Error::NotPromotable) and
    /// [`Unsupported`](Error::Unsupported), before anything is launched; [`OutOfMemory`](Error::OutOfMemory);
    /// [`Launch`](Error::Launch) if the library refuses; what copies to the host return.
    #[doc(alias = "aclnnEqual")]
    #[doc(alias = "array_equal")]
    #[inline]
    pub fn equal(&self, other: &Tensor) -> Result<bool> {
        let stream = self.stream();
        let operation = Operation::new("equal", stream).tensor("self", self).tensor("other", other);
        operation.placed()?;
        let promoted = Edition::Library.promote(self.dtype(), other.dtype());
        let promoted = promoted.map_err(|cause| Error::NotPromotable {
            operator: "equal",
            operands: operation.operands(),
            cause,
        })?;
        operation.takes("Equal", signatures::equal.takes, promoted)?;
        if self.shape() != other.shape() {
            return Ok(false);
        }
        let out = operation.empty(Shape::from(1), Bool)?;
        launch::Equal(stream.into(), self, other, &out)?;
        Ok(out.to_vec::<bool>()?.first() == Some(&true))
    }

    /// Returns for each element whether it is NaN, as a tensor of bool; a complex number is NaN if one of its parts is.
    ///
    /// The library has no operator for that: the elements are compared with themselves, which only NaN differs from.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, f32::NAN], 2)?;
    /// assert_eq!(a.is_nan()?.to_vec::<bool>()?, [false, true]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::ne`].
    #[doc(alias = "aclnnNeTensor", alias = "isnan")]
    #[inline]
    pub fn is_nan(&self) -> Result<Tensor> {
        self.ne(self)
    }

    /// Returns for each element whether it equals a number, as a tensor of bool. [`Tensor::eq`] does the same, and
    /// compares with tensors, too.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
    /// assert_eq!(a.is_in(2)?.to_vec::<bool>()?, [false, true]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Rank`](Error::Rank), [`NotPromotable`](Error::NotPromotable), [`Unsupported`](Error::Unsupported) and
    /// [`NoCast`](Error::NoCast), before anything is launched; [`OutOfMemory`](Error::OutOfMemory);
    /// [`Launch`](Error::Launch) if the library refuses.
    #[doc(alias = "aclnnIsInTensorScalar")]
    #[doc(alias = "isin")]
    pub fn is_in(&self, value: impl Into<Scalar>) -> Result<Tensor> {
        let value = value.into();
        let cast = self.beside("is_in", "IsInTensorScalar", value)?;
        let own = cast.as_ref().unwrap_or(self);
        let operation = Operation::new("is_in", self.stream()).tensor("self", self).scalar("value", value);
        let out = operation.empty(self.shape(), Bool)?;
        launch::IsInTensorScalar(self.stream().into(), own, &value, false, false, &out)?;
        Ok(out)
    }

    /// Returns whether an element equals a number. This waits for the result.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
    /// assert!(a.contains(2)? && !a.contains(1.5)?);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Rank`](Error::Rank), [`NotPromotable`](Error::NotPromotable), [`Unsupported`](Error::Unsupported) and
    /// [`NoCast`](Error::NoCast), before anything is launched; [`OutOfMemory`](Error::OutOfMemory);
    /// [`Launch`](Error::Launch) if the library refuses; what copies to the host return.
    #[doc(alias = "aclnnIsInScalarTensor")]
    pub fn contains(&self, value: impl Into<Scalar>) -> Result<bool> {
        let (stream, value) = (self.stream(), value.into());
        let cast = self.beside("contains", "IsInScalarTensor", value)?;
        let operation = Operation::new("contains", stream).tensor("self", self).scalar("value", value);
        let out = operation.empty(Shape::scalar(), Bool)?;
        launch::IsInScalarTensor(stream.into(), &value, cast.as_ref().unwrap_or(self), false, false, &out)?;
        Ok(out.to_vec::<bool>()?.first() == Some(&true))
    }

    /// Checks that the tensor is compared with a number, and casts it to the common type if it has another one.
    #[inline]
    fn beside(&self, operator: &'static str, form: &'static str, value: Scalar) -> Result<Option<Tensor>> {
        let operation = Operation::new(operator, self.stream()).tensor("self", self).scalar("value", value);
        operation.placed()?;
        let promoted = promote_scalar(self.dtype(), value.dtype()).map_err(|cause| Error::NotPromotable {
            operator,
            operands: operation.operands(),
            cause,
        })?;
        operation.takes(form, signatures::is_in_tensor_scalar.takes, promoted)?;
        if promoted == self.dtype() { Ok(None) } else { self.cast(promoted).map(Some) }
    }
}
