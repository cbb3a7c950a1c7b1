//! Extremes and sums of several tensors, complex numbers of their parts, squares.

use aclnn_numerics::DType;
use aclnn_numerics::promote::Edition;
use aclnn_numerics::types_by_product::TypeSet;

use super::elementwise::{Elementwise, Operator};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::{Error, Result};
use crate::operand::{IntoOperand, Operand};
use crate::signatures;
use crate::tensor::Tensor;

/// Expands to functions of the elements of several tensors.
macro_rules! functions {
    ($($(#[$doc:meta])* $function:ident, $Form:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Nothing is launched before [`Elementwise::run`].
        #[inline]
        pub fn $function<'a>(own: &'a Tensor, others: &[&'a Tensor]) -> Elementwise<'a, ()> {
            const OPERATOR: &Operator<()> = &Operator {
                name: stringify!($function),
                form: stringify!($Form),
                signature: signatures::$function,
                operands: &["self", "other"],
                kept: &[],
                promotes: true,
                converts: true,
                launch: |stream, operands, (), out| launch::$Form(stream.into(), operands, out),
                in_place: None,
            };
            Elementwise::new(OPERATOR, all(own, others), ())
        }
    )*};
}

functions! {
    /// Prepares the greatest of the elements of several tensors; NaN if one is NaN.
    #[doc(alias = "aclnnMaxN")]
    max_n, MaxN;
    /// Prepares the smallest of the elements of several tensors; NaN if one is NaN.
    #[doc(alias = "aclnnMinN")]
    min_n, MinN;
    /// Prepares the sum of the elements of several tensors.
    #[doc(alias = "aclnnAddN")]
    #[doc(alias = "aclnnSum")]
    add_n, Sum;
}

#[inline]
fn all<'a>(own: &'a Tensor, others: &[&'a Tensor]) -> Vec<Operand<'a>> {
    [own].iter().chain(others).map(|tensor| tensor.into_operand()).collect()
}

impl Tensor {
    /// Computes the greatest of the elements of this tensor and others, as a new contiguous tensor; NaN if one is NaN.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let [a, b, c] = [[1.0f32, 7.0], [5.0, 2.0], [3.0, 4.0]].map(|x| Tensor::from_slice(&device, &x, 2));
    /// assert_eq!(a?.max_n(&[&b?, &c?])?.to_vec::<f32>()?, [5.0, 7.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Elementwise::run`](crate::ops::Elementwise::run).
    #[doc(alias = "aclnnMaxN")]
    #[inline]
    pub fn max_n(&self, others: &[&Tensor]) -> Result<Tensor> {
        max_n(self, others).run()
    }

    /// Computes the smallest of the elements of this tensor and others, as a new contiguous tensor; NaN if one is NaN.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let [a, b, c] = [[1.0f32, 7.0], [5.0, 2.0], [3.0, 4.0]].map(|x| Tensor::from_slice(&device, &x, 2));
    /// assert_eq!(a?.min_n(&[&b?, &c?])?.to_vec::<f32>()?, [1.0, 2.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Elementwise::run`](crate::ops::Elementwise::run).
    #[doc(alias = "aclnnMinN")]
    #[inline]
    pub fn min_n(&self, others: &[&Tensor]) -> Result<Tensor> {
        min_n(self, others).run()
    }

    /// Computes the sum of the elements of this tensor and others, as a new contiguous tensor.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let [a, b, c] = [[1.0f32, 7.0], [5.0, 2.0], [3.0, 4.0]].map(|x| Tensor::from_slice(&device, &x, 2));
    /// assert_eq!(a?.add_n(&[&b?, &c?])?.to_vec::<f32>()?, [9.0, 13.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Elementwise::run`](crate::ops::Elementwise::run).
    #[doc(alias = "aclnnAddN")]
    #[doc(alias = "aclnnSum")]
    #[inline]
    pub fn add_n(&self, others: &[&Tensor]) -> Result<Tensor> {
        add_n(self, others).run()
    }

    /// Computes `√(self² + other²)` of each pair of elements, without an overflow in between: the absolute values of the complex
    /// numbers that the elements are the parts of. Both are promoted first, and halves are computed in f32.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[3.0f32, 3e38], 2)?;
    /// let b = Tensor::from_slice(&device, &[4.0f32, 0.0], 2)?;
    /// assert_eq!(a.hypot(&b)?.to_vec::<f32>()?, [5.0, 3e38]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotPromotable`](Error::NotPromotable), and those of [`Tensor::complex`] and [`Tensor::abs`].
    #[doc(alias = "aclnnComplex", alias = "aclnnAbs")]
    #[inline]
    pub fn hypot(&self, other: &Tensor) -> Result<Tensor> {
        let operation = Operation::new("hypot", self.stream()).tensor("self", self).tensor("other", other);
        let promoted = Edition::default().promote(self.dtype(), other.dtype());
        let promoted = promoted.map_err(|cause| Error::NotPromotable {
            operator: "hypot",
            operands: operation.operands(),
            cause,
        })?;
        let compute = match promoted {
            DType::F16 | DType::BF16 => DType::F32,
            exact => exact,
        };
        let lengths = self.to_dtype(compute)?.complex(&other.to_dtype(compute)?)?.abs()?;
        lengths.to_dtype(promoted)
    }

    /// Makes complex numbers with the elements of this tensor as real parts, as a new contiguous tensor: c64 of two tensors of
    /// f32, c128 of f64.
    ///
    /// ```
    /// use aclnn::{Complex, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
    /// assert_eq!(a.complex(&a)?.to_vec::<Complex<f32>>()?[1], Complex::new(2.0, 2.0));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Devices`](Error::Devices), [`Rank`](Error::Rank), [`Broadcast`](Error::Broadcast) and
    /// [`Unsupported`](Error::Unsupported), also for parts of two types, before anything is launched;
    /// [`OutOfMemory`](Error::OutOfMemory); [`Launch`](Error::Launch) if the library refuses.
    #[doc(alias = "aclnnComplex")]
    #[inline]
    pub fn complex(&self, imaginary: &Tensor) -> Result<Tensor> {
        let stream = self.stream();
        let operation = Operation::new("complex", stream).tensor("real", self).tensor("imag", imaginary);
        operation.placed()?;
        let shape = operation.broadcast(self.shape(), imaginary.shape())?;
        operation.takes("Complex", signatures::complex.takes, self.dtype())?;
        let only = |dtype: DType| TypeSet::of(&[dtype]);
        if imaginary.dtype() != self.dtype() {
            return Err(Error::Unsupported {
                operator: "complex",
                operands: operation.operands(),
                by: "Complex",
                dtype: imaginary.dtype(),
                product: self.device().soc_name().to_owned(),
                accepted: only(self.dtype()),
            });
        }
        let whole = if self.dtype() == DType::F64 { DType::C128 } else { DType::C64 };
        let out = operation.empty(shape, whole)?;
        launch::Complex(stream.into(), self, imaginary, &out)?;
        Ok(out)
    }

    /// Computes the square of every element, in the same type, as a new contiguous tensor. Integers wrap.
    ///
    /// The library has an operator for that on the Ascend 950 alone; elsewhere the tensor is multiplied by itself.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.5f32, -2.0], 2)?;
    /// assert_eq!(a.square()?.to_vec::<f32>()?, [2.25, 4.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`mul`](Tensor::mul).
    #[doc(alias = "aclnnSquare")]
    #[doc(alias = "sqr")]
    #[inline]
    pub fn square(&self) -> Result<Tensor> {
        let (stream, dtype) = (self.stream(), self.dtype());
        let operation = Operation::new("square", stream).tensor("self", self);
        operation.placed()?;
        let has_operator = operation.product().is_some()
            && operation.takes("Square", signatures::square.takes, dtype).is_ok();
        if !has_operator {
            return self.mul(self);
        }
        let out = operation.empty(self.shape(), dtype)?;
        launch::Square(stream.into(), self, &out)?;
        Ok(out)
    }
}
