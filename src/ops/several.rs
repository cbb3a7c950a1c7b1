//! Functions of several operands: a choice, sums of products and of quotients, interpolation, closeness, extremes, complex
//! numbers of their parts; and whether tensors are equal or have a number.

use aclnn_numerics::DType::{self, Bool};
use aclnn_numerics::Shape;
use aclnn_numerics::promote::{Edition, promote_scalar};
use aclnn_numerics::types::{TypeSet, Types};

use super::elementwise::{Attributes, Elementwise, InPlace, Operator};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::declared;
use crate::error::{Error, Result};
use crate::operand::{IntoOperand, Operand};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// The number by which [`addcmul`], [`addcdiv`] and [`lerp`] scale.
#[derive(Debug, Clone, Copy)]
pub struct Factor(Scalar);

impl Attributes for Factor {
    fn value(&self) -> Option<Scalar> {
        Some(self.0)
    }
}

/// The tolerances of [`is_close`].
#[derive(Debug, Clone, Copy)]
pub struct Tolerances {
    rtol: f64,
    atol: f64,
    equal_nan: bool,
}

impl Attributes for Tolerances {}

impl Elementwise<'_, Factor> {
    /// Sets the number by which the function scales, for [`lerp`] the weight if that is a number; the default is 1. Beside integers it must be an integer. It is
    /// converted to the type that the operands are promoted to; the Ascend 950 takes it as f32 beside f16 and bf16.
    pub fn value(mut self, value: impl Into<Scalar>) -> Self {
        self.attributes = Factor(value.into());
        self
    }
}

impl Elementwise<'_, Tolerances> {
    /// Sets the relative tolerance, a part of the second element; the default is 10⁻⁵. It is rounded to f32.
    pub fn rtol(mut self, rtol: f64) -> Self {
        self.attributes.rtol = rtol;
        self
    }

    /// Sets the absolute tolerance; the default is 10⁻⁸. It is rounded to f32.
    pub fn atol(mut self, atol: f64) -> Self {
        self.attributes.atol = atol;
        self
    }

    /// Sets whether NaN is close to NaN; the default is that it is not.
    pub fn equal_nan(mut self, equal_nan: bool) -> Self {
        self.attributes.equal_nan = equal_nan;
        self
    }
}

/// Prepares a choice: the elements of `a` where `condition` is true, those of `b` elsewhere. The condition is bool, or u8 of
/// which every number but 0 is true.
///
/// Nothing is launched before [`Elementwise::run`].
#[doc(alias = "aclnnSWhere")]
pub fn where_<'a>(
    condition: &'a Tensor,
    a: impl IntoOperand<'a>,
    b: impl IntoOperand<'a>,
) -> Elementwise<'a, ()> {
    const OPERATOR: &Operator<()> = &Operator {
        name: "where_",
        form: "SWhere",
        signature: declared::where_,
        operands: &["condition", "self", "other"],
        kept: &[Types::of("bool u8")],
        promotes: true,
        converts: true,
        launch: |stream, operands, (), out| match operands {
            [condition, a, b] => launch::SWhere(stream.into(), condition, a, b, out),
            _ => Err(MISSING),
        },
        in_place: None,
    };
    Elementwise::new(OPERATOR, [condition.into_operand(), a.into_operand(), b.into_operand()], ())
}

const MISSING: Error = Error::Internal { what: "a function with too few operands" };

/// Prepares `own + value · tensor1 · tensor2`; the value is 1 unless set.
///
/// Nothing is launched before [`Elementwise::run`].
#[doc(alias = "aclnnAddcmul")]
pub fn addcmul<'a>(own: &'a Tensor, tensor1: &'a Tensor, tensor2: &'a Tensor) -> Elementwise<'a, Factor> {
    const OPERATOR: &Operator<Factor> = &Operator {
        name: "addcmul",
        form: "Addcmul",
        signature: declared::addcmul,
        operands: &["self", "tensor1", "tensor2"],
        kept: &[],
        promotes: true,
        converts: true,
        launch: |stream, operands, value, out| match operands {
            [own, a, b] => launch::Addcmul(stream.into(), own, a, b, &value.0, out),
            _ => Err(MISSING),
        },
        in_place: Some(InPlace {
            name: "addcmul_in_place",
            form: "InplaceAddcmul",
            launch: |stream, operands, value| match operands {
                [own, a, b] => launch::InplaceAddcmul(stream.into(), own, a, b, &value.0),
                _ => Err(MISSING),
            },
        }),
    };
    let operands = [own, tensor1, tensor2].map(IntoOperand::into_operand);
    Elementwise::new(OPERATOR, operands, Factor(Scalar::from(1)))
}

/// Prepares `own + value · (tensor1 / tensor2)`; the value is 1 unless set. The quotient of integers is rounded towards zero;
/// they do not divide by zero.
///
/// Nothing is launched before [`Elementwise::run`].
#[doc(alias = "aclnnAddcdiv")]
pub fn addcdiv<'a>(own: &'a Tensor, tensor1: &'a Tensor, tensor2: &'a Tensor) -> Elementwise<'a, Factor> {
    const OPERATOR: &Operator<Factor> = &Operator {
        name: "addcdiv",
        form: "Addcdiv",
        signature: declared::addcdiv,
        operands: &["self", "tensor1", "tensor2"],
        kept: &[],
        promotes: true,
        converts: true,
        launch: |stream, operands, value, out| match operands {
            [own, a, b] => launch::Addcdiv(stream.into(), own, a, b, &value.0, out),
            _ => Err(MISSING),
        },
        in_place: Some(InPlace {
            name: "addcdiv_in_place",
            form: "InplaceAddcdiv",
            launch: |stream, operands, value| match operands {
                [own, a, b] => launch::InplaceAddcdiv(stream.into(), own, a, b, &value.0),
                _ => Err(MISSING),
            },
        }),
    };
    let operands = [own, tensor1, tensor2].map(IntoOperand::into_operand);
    Elementwise::new(OPERATOR, operands, Factor(Scalar::from(1)))
}

/// Prepares an interpolation, `own + weight · (end − own)`, of f32, f16 and bf16. The weight is a tensor or a number, and may
/// lie outside 0 to 1.
///
/// Nothing is launched before [`Elementwise::run`].
#[doc(alias = "aclnnLerp")]
#[doc(alias = "aclnnLerps")]
pub fn lerp<'a>(own: &'a Tensor, end: &'a Tensor, weight: impl IntoOperand<'a>) -> Elementwise<'a, Factor> {
    const TENSOR: &Operator<Factor> = &Operator {
        name: "lerp",
        form: "Lerp",
        signature: declared::lerp,
        operands: &["self", "end", "weight"],
        kept: &[],
        promotes: false,
        converts: false,
        launch: |stream, operands, _, out| match operands {
            [own, end, weight] => launch::Lerp(stream.into(), own, end, weight, out),
            _ => Err(MISSING),
        },
        in_place: Some(InPlace {
            name: "lerp_in_place",
            form: "InplaceLerp",
            launch: |stream, operands, _| match operands {
                [own, end, weight] => launch::InplaceLerp(stream.into(), own, end, weight),
                _ => Err(MISSING),
            },
        }),
    };
    const SCALAR: &Operator<Factor> = &Operator {
        form: "Lerps",
        operands: &["self", "end"],
        launch: |stream, operands, weight, out| match operands {
            [own, end] => launch::Lerps(stream.into(), own, end, &weight.0, out),
            _ => Err(MISSING),
        },
        in_place: Some(InPlace {
            name: "lerp_in_place",
            form: "InplaceLerps",
            launch: |stream, operands, weight| match operands {
                [own, end] => launch::InplaceLerps(stream.into(), own, end, &weight.0),
                _ => Err(MISSING),
            },
        }),
        ..*TENSOR
    };
    let operands = [own, end].map(IntoOperand::into_operand);
    match weight.into_operand() {
        Operand::Scalar(weight) => Elementwise::new(SCALAR, operands, Factor(weight)),
        tensor => Elementwise::new(TENSOR, operands.into_iter().chain([tensor]), Factor(Scalar::from(1))),
    }
}

/// Prepares whether elements are close: `|own − other| ≤ atol + rtol · |other|`, or the same infinity. Tensors of bool count
/// as 0 and 1; i64 and f64 are compared as f64, all others as f32.
///
/// Nothing is launched before [`Elementwise::run`].
#[doc(alias = "aclnnIsClose")]
pub fn is_close<'a>(own: &'a Tensor, other: &'a Tensor) -> Elementwise<'a, Tolerances> {
    const OPERATOR: &Operator<Tolerances> = &Operator {
        name: "is_close",
        form: "IsClose",
        signature: declared::is_close,
        operands: &["self", "other"],
        kept: &[],
        promotes: false,
        converts: false,
        launch: |stream, operands, Tolerances { rtol, atol, equal_nan }, out| match operands {
            [own, other] => launch::IsClose(stream.into(), own, other, *rtol, *atol, *equal_nan, out),
            _ => Err(MISSING),
        },
        in_place: None,
    };
    let tolerances = Tolerances { rtol: 1e-5, atol: 1e-8, equal_nan: false };
    Elementwise::new(OPERATOR, [own, other].map(IntoOperand::into_operand), tolerances)
}

/// Prepares the greatest of the elements of several tensors; NaN if one is NaN.
///
/// Nothing is launched before [`Elementwise::run`].
#[doc(alias = "aclnnMaxN")]
pub fn max_n<'a>(own: &'a Tensor, others: &[&'a Tensor]) -> Elementwise<'a, ()> {
    const OPERATOR: &Operator<()> = &Operator {
        name: "max_n",
        form: "MaxN",
        signature: declared::max_n,
        operands: &["self", "other"],
        kept: &[],
        promotes: true,
        converts: true,
        launch: |stream, operands, (), out| launch::MaxN(stream.into(), operands, out),
        in_place: None,
    };
    Elementwise::new(OPERATOR, all(own, others), ())
}

/// Prepares the smallest of the elements of several tensors; NaN if one is NaN.
///
/// Nothing is launched before [`Elementwise::run`].
#[doc(alias = "aclnnMinN")]
pub fn min_n<'a>(own: &'a Tensor, others: &[&'a Tensor]) -> Elementwise<'a, ()> {
    const OPERATOR: &Operator<()> = &Operator {
        name: "min_n",
        form: "MinN",
        signature: declared::min_n,
        operands: &["self", "other"],
        kept: &[],
        promotes: true,
        converts: true,
        launch: |stream, operands, (), out| launch::MinN(stream.into(), operands, out),
        in_place: None,
    };
    Elementwise::new(OPERATOR, all(own, others), ())
}

fn all<'a>(own: &'a Tensor, others: &[&'a Tensor]) -> Vec<Operand<'a>> {
    [own].iter().chain(others).map(|tensor| tensor.into_operand()).collect()
}

impl Tensor {
    /// Chooses elements by this tensor: those of `a` where it is true, those of `b` elsewhere, as a new contiguous tensor. It
    /// is bool, or u8 of which every number but 0 is true.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, -2.0, 3.0], 3)?;
    /// assert_eq!(a.gt(0)?.where_(&a, 0)?.to_vec::<f32>()?, [1.0, 0.0, 3.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Elementwise::run`](crate::ops::Elementwise::run).
    #[doc(alias = "aclnnSWhere")]
    pub fn where_<'a>(&'a self, a: impl IntoOperand<'a>, b: impl IntoOperand<'a>) -> Result<Tensor> {
        where_(self, a, b).run()
    }

    /// Computes `self + value · tensor1 · tensor2`, element by element, as a new contiguous tensor.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
    /// assert_eq!(a.addcmul(&a, &a, 0.5)?.to_vec::<f32>()?, [1.5, 4.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Elementwise::run`](crate::ops::Elementwise::run).
    #[doc(alias = "aclnnAddcmul")]
    pub fn addcmul(&self, tensor1: &Tensor, tensor2: &Tensor, value: impl Into<Scalar>) -> Result<Tensor> {
        addcmul(self, tensor1, tensor2).value(value).run()
    }

    /// Adds `value · tensor1 · tensor2` to the elements of the tensor, which keeps its type and shape.
    ///
    /// # Errors
    /// Those of [`Elementwise::run_into`](crate::ops::Elementwise::run_into).
    #[doc(alias = "aclnnInplaceAddcmul")]
    pub fn addcmul_in_place(
        &mut self,
        tensor1: &Tensor,
        tensor2: &Tensor,
        value: impl Into<Scalar>,
    ) -> Result<()> {
        addcmul(self, tensor1, tensor2).value(value).run_in_place()
    }

    /// Computes `self + value · (tensor1 / tensor2)`, element by element, as a new contiguous tensor. The quotient of integers
    /// is rounded towards zero; they do not divide by zero.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
    /// let b = Tensor::from_slice(&device, &[4.0f32, 4.0], 2)?;
    /// assert_eq!(a.addcdiv(&a, &b, -2)?.to_vec::<f32>()?, [0.5, 1.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Elementwise::run`](crate::ops::Elementwise::run).
    #[doc(alias = "aclnnAddcdiv")]
    pub fn addcdiv(&self, tensor1: &Tensor, tensor2: &Tensor, value: impl Into<Scalar>) -> Result<Tensor> {
        addcdiv(self, tensor1, tensor2).value(value).run()
    }

    /// Adds `value · (tensor1 / tensor2)` to the elements of the tensor, which keeps its type and shape.
    ///
    /// # Errors
    /// Those of [`Elementwise::run_into`](crate::ops::Elementwise::run_into).
    #[doc(alias = "aclnnInplaceAddcdiv")]
    pub fn addcdiv_in_place(
        &mut self,
        tensor1: &Tensor,
        tensor2: &Tensor,
        value: impl Into<Scalar>,
    ) -> Result<()> {
        addcdiv(self, tensor1, tensor2).value(value).run_in_place()
    }

    /// Interpolates, `self + weight · (end − self)`, element by element, as a new contiguous tensor. The weight is a tensor or
    /// a number, and may lie outside 0 to 1.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
    /// let b = Tensor::from_slice(&device, &[3.0f32, 10.0], 2)?;
    /// assert_eq!(a.lerp(&b, 0.25)?.to_vec::<f32>()?, [1.5, 4.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Elementwise::run`](crate::ops::Elementwise::run).
    #[doc(alias = "aclnnLerp")]
    pub fn lerp<'a>(&'a self, end: &'a Tensor, weight: impl IntoOperand<'a>) -> Result<Tensor> {
        lerp(self, end, weight).run()
    }

    /// Moves the elements of the tensor towards those of another: `self + weight · (end − self)` replaces them.
    ///
    /// # Errors
    /// Those of [`Elementwise::run_into`](crate::ops::Elementwise::run_into).
    #[doc(alias = "aclnnInplaceLerp")]
    #[doc(alias = "aclnnInplaceLerps")]
    pub fn lerp_in_place<'a>(&'a mut self, end: &'a Tensor, weight: impl IntoOperand<'a>) -> Result<()> {
        lerp(self, end, weight).run_in_place()
    }

    /// Tells of each element whether it is close to that of another tensor, to 10⁻⁵ of that or 10⁻⁸, as a tensor of bool.
    /// [`ops::is_close`](crate::ops::is_close) takes other tolerances.
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
    pub fn is_close(&self, other: &Tensor) -> Result<Tensor> {
        is_close(self, other).run()
    }

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
    pub fn min_n(&self, others: &[&Tensor]) -> Result<Tensor> {
        min_n(self, others).run()
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
    pub fn complex(&self, imaginary: &Tensor) -> Result<Tensor> {
        let stream = self.stream();
        let operation = Operation::new("complex", stream).tensor("real", self).tensor("imag", imaginary);
        operation.placed()?;
        let shape = operation.broadcast(self.shape(), imaginary.shape())?;
        operation.takes("Complex", declared::complex.takes, self.dtype())?;
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
        operation.takes("Equal", declared::equal.takes, promoted)?;
        if self.shape() != other.shape() {
            return Ok(false);
        }
        let out = operation.empty(Shape::from(1), Bool)?;
        launch::Equal(stream.into(), self, other, &out)?;
        Ok(out.to_vec::<bool>()?.first() == Some(&true))
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
        let operation = Operation::new("contains", stream).tensor("self", self).scalar("value", value);
        operation.placed()?;
        let promoted = promote_scalar(self.dtype(), value.dtype()).map_err(|cause| Error::NotPromotable {
            operator: "contains",
            operands: operation.operands(),
            cause,
        })?;
        operation.takes("IsInScalarTensor", declared::is_in_scalar_tensor.takes, promoted)?;
        // A tensor that promotes is cast here, by the table of this crate.
        let cast = if promoted == self.dtype() { None } else { Some(self.cast(promoted)?) };
        let out = operation.empty(Shape::scalar(), Bool)?;
        launch::IsInScalarTensor(stream.into(), &value, cast.as_ref().unwrap_or(self), false, false, &out)?;
        Ok(out.to_vec::<bool>()?.first() == Some(&true))
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
    pub fn square(&self) -> Result<Tensor> {
        let (stream, dtype) = (self.stream(), self.dtype());
        let operation = Operation::new("square", stream).tensor("self", self);
        operation.placed()?;
        let has_operator =
            operation.product().is_some() && operation.takes("Square", declared::square.takes, dtype).is_ok();
        if !has_operator {
            return self.mul(self);
        }
        let out = operation.empty(self.shape(), dtype)?;
        launch::Square(stream.into(), self, &out)?;
        Ok(out)
    }
}
