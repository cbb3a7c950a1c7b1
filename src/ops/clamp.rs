//! Clamping: bounds that are numbers or tensors.

use super::parametric::{Operator, Parametric};
use super::prepared::{InPlace, OTHERS};
use crate::call::launch;
use crate::error::Result;
use crate::operand::{IntoOperand, Operand};
use crate::signatures;
use crate::tensor::Tensor;

/// Expands to an operator of the family; the names of bounds that are operands, then of those that are attributes.
macro_rules! operator {
    ($name:literal $Form:ident $declared:ident [$($other:ident),*] [$($attribute:ident),*] $($InPlace:ident)?) => {
        &Operator {
            name: $name,
            form: stringify!($Form),
            signature: signatures::$declared,
            others: &[$(stringify!($other)),*],
            attributes: &[$(stringify!($attribute)),*],
            launch: |stream, tensors, attributes, out| {
                let ([own $(, $other)*], [$($attribute),*]) = (tensors, attributes) else { return Err(OTHERS) };
                launch::$Form(stream.into(), own, $(pass!($Form $other),)* $(pass!($Form $attribute),)* out)
            },
            in_place: in_place!($name [$($other),*] [$($attribute),*] $($InPlace)?),
        }
    };
}

/// Expands to the form in place, if CANN has one.
macro_rules! in_place {
    ($name:literal [$($other:ident),*] [$($attribute:ident),*]) => {
        None
    };
    ($name:literal [$($other:ident),*] [$($attribute:ident),*] $InPlace:ident) => {
        Some(InPlace {
            name: concat!($name, "_in_place"),
            form: stringify!($InPlace),
            launch: |stream, tensors, attributes| {
                let ([own $(, $other)*], [$($attribute),*]) = (tensors, attributes) else { return Err(OTHERS) };
                launch::$InPlace(stream.into(), own, $($other,)* $($attribute,)*)
            },
        })
    };
}

/// A bound that may be null is an option.
macro_rules! pass {
    (Clamp $bound:ident) => {
        Some(*$bound)
    };
    (ClampTensor $bound:ident) => {
        Some(*$bound)
    };
    ($Form:ident $bound:ident) => {
        $bound
    };
}

/// Prepares the nearest number between two bounds, each a number or a tensor; the upper one, if they are exchanged.
///
/// Two numbers are promoted with the tensor as other scalars are: an integer tensor with a bound of 2.5 gives f32. Beside a
/// bound that is a tensor, a number becomes a tensor of one element first. NaN stays NaN in the emulator, as in PyTorch; what a
/// device makes of it, CANN does not state.
///
/// Nothing is launched before [`Parametric::run`].
#[doc(alias = "aclnnClamp")]
#[doc(alias = "aclnnClampTensor")]
pub fn clamp<'a>(own: &'a Tensor, min: impl IntoOperand<'a>, max: impl IntoOperand<'a>) -> Parametric<'a> {
    const SCALARS: &Operator = operator!("clamp" Clamp clamp [] [min, max]);
    const TENSORS: &Operator = operator!("clamp" ClampTensor clamp_tensor [min, max] []);
    match (min.into_operand(), max.into_operand()) {
        (Operand::Scalar(min), Operand::Scalar(max)) => Parametric::new(SCALARS, own, [], [min, max]),
        (min, max) => Parametric::new(TENSORS, own, [min, max], []),
    }
}

/// Prepares the nearest number that is not less than a bound, which is a number or a tensor. NaN stays NaN.
///
/// Nothing is launched before [`Parametric::run`].
#[doc(alias = "aclnnClampMin")]
#[doc(alias = "aclnnClampMinTensor")]
pub fn clamp_min<'a>(own: &'a Tensor, min: impl IntoOperand<'a>) -> Parametric<'a> {
    const SCALAR: &Operator = operator!("clamp_min" ClampMin clamp_min [] [min]);
    const TENSOR: &Operator =
        operator!("clamp_min" ClampMinTensor clamp_min_tensor [min] [] InplaceClampMinTensor);
    match min.into_operand() {
        Operand::Scalar(min) => Parametric::new(SCALAR, own, [], [min]),
        min => Parametric::new(TENSOR, own, [min], []),
    }
}

/// Prepares the nearest number that is not greater than a bound, which is a number or a tensor. NaN stays NaN.
///
/// Nothing is launched before [`Parametric::run`].
#[doc(alias = "aclnnClampMax")]
#[doc(alias = "aclnnClampMaxTensor")]
pub fn clamp_max<'a>(own: &'a Tensor, max: impl IntoOperand<'a>) -> Parametric<'a> {
    const SCALAR: &Operator = operator!("clamp_max" ClampMax clamp_max [] [max] InplaceClampMax);
    const TENSOR: &Operator =
        operator!("clamp_max" ClampMaxTensor clamp_max_tensor [max] [] InplaceClampMaxTensor);
    match max.into_operand() {
        Operand::Scalar(max) => Parametric::new(SCALAR, own, [], [max]),
        max => Parametric::new(TENSOR, own, [max], []),
    }
}

impl Tensor {
    /// Computes the nearest number between two bounds, each a number or a tensor; the upper one, if they are exchanged.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[-2.0f32, 0.5, 7.0], [3])?;
    /// assert_eq!(x.clamp(0, 1)?.to_vec::<f32>()?, [0.0, 0.5, 1.0]);
    /// let highest = Tensor::from_slice(&device, &[1.0f32, 0.25, 9.0], [3])?;
    /// assert_eq!(x.clamp(0, &highest)?.to_vec::<f32>()?, [0.0, 0.25, 7.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::clamp`](crate::ops::clamp()) takes options, and says how types follow.
    ///
    /// # Errors
    /// Those of [`Parametric::run`](crate::ops::Parametric::run).
    #[doc(alias = "aclnnClamp")]
    #[doc(alias = "aclnnClampTensor")]
    #[doc(alias = "clip")]
    pub fn clamp<'a>(&'a self, min: impl IntoOperand<'a>, max: impl IntoOperand<'a>) -> Result<Tensor> {
        clamp(self, min, max).run()
    }

    /// Computes the nearest number that is not less than a bound, which is a number or a tensor.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[-2i32, 0, 7], [3])?;
    /// assert_eq!(x.clamp_min(-1)?.to_vec::<i32>()?, [-1, 0, 7]);
    /// assert_eq!(x.clamp_min(0.5)?.to_vec::<f32>()?, [0.5, 0.5, 7.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Parametric::run`](crate::ops::Parametric::run).
    #[doc(alias = "aclnnClampMin")]
    #[doc(alias = "aclnnClampMinTensor")]
    pub fn clamp_min<'a>(&'a self, min: impl IntoOperand<'a>) -> Result<Tensor> {
        clamp_min(self, min).run()
    }

    /// Computes the nearest number that is not greater than a bound, which is a number or a tensor.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[-2.0f32, 0.5, 7.0], [3])?;
    /// assert_eq!(x.clamp_max(1)?.to_vec::<f32>()?, [-2.0, 0.5, 1.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Parametric::run`](crate::ops::Parametric::run).
    #[doc(alias = "aclnnClampMax")]
    #[doc(alias = "aclnnClampMaxTensor")]
    pub fn clamp_max<'a>(&'a self, max: impl IntoOperand<'a>) -> Result<Tensor> {
        clamp_max(self, max).run()
    }

    /// Moves every element between two bounds, each a number or a tensor, as [`Tensor::clamp`] does in a new tensor.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut x = Tensor::from_slice(&device, &[-2.0f32, 0.5, 7.0], [3])?;
    /// x.clamp_in_place(0, 1)?;
    /// assert_eq!(x.to_vec::<f32>()?, [0.0, 0.5, 1.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Parametric::run_into`](crate::ops::Parametric::run_into).
    #[doc(alias = "aclnnClamp")]
    #[doc(alias = "aclnnClampTensor")]
    pub fn clamp_in_place<'a>(
        &'a mut self,
        min: impl IntoOperand<'a>,
        max: impl IntoOperand<'a>,
    ) -> Result<()> {
        clamp(self, min, max).run_in_place()
    }

    /// Raises every element that is less than a bound, a number or a tensor, to it, as [`Tensor::clamp_min`] does in a new
    /// tensor.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut x = Tensor::from_slice(&device, &[-2i32, 0, 7], [3])?;
    /// x.clamp_min_in_place(0)?;
    /// assert_eq!(x.to_vec::<i32>()?, [0, 0, 7]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Parametric::run_into`](crate::ops::Parametric::run_into).
    #[doc(alias = "aclnnInplaceClampMinTensor")]
    pub fn clamp_min_in_place<'a>(&'a mut self, min: impl IntoOperand<'a>) -> Result<()> {
        clamp_min(self, min).run_in_place()
    }

    /// Lowers every element that is greater than a bound, a number or a tensor, to it, as [`Tensor::clamp_max`] does in a new
    /// tensor.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut x = Tensor::from_slice(&device, &[-2.0f32, 0.5, 7.0], [3])?;
    /// x.clamp_max_in_place(1)?;
    /// assert_eq!(x.to_vec::<f32>()?, [-2.0, 0.5, 1.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Parametric::run_into`](crate::ops::Parametric::run_into).
    #[doc(alias = "aclnnInplaceClampMax")]
    #[doc(alias = "aclnnInplaceClampMaxTensor")]
    pub fn clamp_max_in_place<'a>(&'a mut self, max: impl IntoOperand<'a>) -> Result<()> {
        clamp_max(self, max).run_in_place()
    }
}
