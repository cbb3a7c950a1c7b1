//! Functions of three operands: a choice, sums of products and of quotients, interpolation.

use aclnn_numerics::types_by_product::Types;

use super::elementwise::{Attributes, Elementwise, Operator};
use super::prepared::{InPlace, OTHERS};
use crate::call::launch;
use crate::error::Result;
use crate::operand::{IntoOperand, Operand};
use crate::scalar::Scalar;
use crate::signatures;
use crate::tensor::Tensor;

/// The number by which [`addcmul`] and [`addcdiv`] scale.
#[derive(Debug, Clone, Copy)]
pub struct Factor(Scalar);

impl Attributes for Factor {
    #[inline]
    fn value(&self) -> Option<(&'static str, Scalar)> {
        Some(("value", self.0))
    }
}

/// The weight of [`lerp`], if that is a number.
#[derive(Debug, Clone, Copy)]
pub struct Weight(Option<Scalar>);

impl Attributes for Weight {
    #[inline]
    fn value(&self) -> Option<(&'static str, Scalar)> {
        self.0.map(|weight| ("weight", weight))
    }
}

impl Elementwise<'_, Factor> {
    /// Sets the number by which the function scales; the default is 1. Beside integers it must be an integer. It is converted
    /// to the type that the operands are promoted to; the Ascend 950 takes it as f32 beside f16 and bf16.
    pub fn value(mut self, value: impl Into<Scalar>) -> Self {
        self.attributes = Factor(value.into());
        self
    }
}

/// Prepares a choice: the elements of `a` where `condition` is true, those of `b` elsewhere. The condition is bool, or u8 of
/// which every number but 0 is true.
///
/// Beside a tensor a number takes its type as far as its kind allows; of two numbers the types are promoted as they are, so
/// that 1 and 2.5 make f64, and 1 and 2.5f32 make f32.
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
        signature: signatures::where_,
        operands: &["condition", "self", "other"],
        kept: &[Types::of("bool u8")],
        promotes: true,
        converts: true,
        launch: |stream, operands, (), out| match operands {
            [condition, a, b] => launch::SWhere(stream.into(), condition, a, b, out),
            _ => Err(OTHERS),
        },
        in_place: None,
    };
    Elementwise::new(OPERATOR, [condition.into_operand(), a.into_operand(), b.into_operand()], ())
}

/// Prepares `own + value · tensor1 · tensor2`; the value is 1 unless set.
///
/// Nothing is launched before [`Elementwise::run`].
#[doc(alias = "aclnnAddcmul")]
#[inline]
pub fn addcmul<'a>(own: &'a Tensor, tensor1: &'a Tensor, tensor2: &'a Tensor) -> Elementwise<'a, Factor> {
    const OPERATOR: &Operator<Factor> = &Operator {
        name: "addcmul",
        form: "Addcmul",
        signature: signatures::addcmul,
        operands: &["self", "tensor1", "tensor2"],
        kept: &[],
        promotes: true,
        converts: true,
        launch: |stream, operands, value, out| match operands {
            [own, a, b] => launch::Addcmul(stream.into(), own, a, b, &value.0, out),
            _ => Err(OTHERS),
        },
        in_place: Some(InPlace {
            name: "addcmul_in_place",
            form: "InplaceAddcmul",
            launch: |stream, operands, value| match operands {
                [own, a, b] => launch::InplaceAddcmul(stream.into(), own, a, b, &value.0),
                _ => Err(OTHERS),
            },
        }),
    };
    let operands = [own, tensor1, tensor2].map(IntoOperand::into_operand);
    Elementwise::new(OPERATOR, operands, Factor(Scalar::from(1)))
}

/// Prepares `own + value · (tensor1 / tensor2)`; the value is 1 unless set. The quotient of integers is rounded towards zero;
/// one that is divided by zero fails the stream of the emulator.
///
/// Nothing is launched before [`Elementwise::run`].
#[doc(alias = "aclnnAddcdiv")]
#[inline]
pub fn addcdiv<'a>(own: &'a Tensor, tensor1: &'a Tensor, tensor2: &'a Tensor) -> Elementwise<'a, Factor> {
    const OPERATOR: &Operator<Factor> = &Operator {
        name: "addcdiv",
        form: "Addcdiv",
        signature: signatures::addcdiv,
        operands: &["self", "tensor1", "tensor2"],
        kept: &[],
        promotes: true,
        converts: true,
        launch: |stream, operands, value, out| match operands {
            [own, a, b] => launch::Addcdiv(stream.into(), own, a, b, &value.0, out),
            _ => Err(OTHERS),
        },
        in_place: Some(InPlace {
            name: "addcdiv_in_place",
            form: "InplaceAddcdiv",
            launch: |stream, operands, value| match operands {
                [own, a, b] => launch::InplaceAddcdiv(stream.into(), own, a, b, &value.0),
                _ => Err(OTHERS),
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
pub fn lerp<'a>(own: &'a Tensor, end: &'a Tensor, weight: impl IntoOperand<'a>) -> Elementwise<'a, Weight> {
    const TENSOR: &Operator<Weight> = &Operator {
        name: "lerp",
        form: "Lerp",
        signature: signatures::lerp,
        operands: &["self", "end", "weight"],
        kept: &[],
        promotes: false,
        converts: false,
        launch: |stream, operands, _, out| match operands {
            [own, end, weight] => launch::Lerp(stream.into(), own, end, weight, out),
            _ => Err(OTHERS),
        },
        in_place: Some(InPlace {
            name: "lerp_in_place",
            form: "InplaceLerp",
            launch: |stream, operands, _| match operands {
                [own, end, weight] => launch::InplaceLerp(stream.into(), own, end, weight),
                _ => Err(OTHERS),
            },
        }),
    };
    const SCALAR: &Operator<Weight> = &Operator {
        form: "Lerps",
        operands: &["self", "end"],
        launch: |stream, operands, weight, out| match operands {
            [own, end] => launch::Lerps(stream.into(), own, end, &weight.0.ok_or(OTHERS)?, out),
            _ => Err(OTHERS),
        },
        in_place: Some(InPlace {
            name: "lerp_in_place",
            form: "InplaceLerps",
            launch: |stream, operands, weight| match operands {
                [own, end] => launch::InplaceLerps(stream.into(), own, end, &weight.0.ok_or(OTHERS)?),
                _ => Err(OTHERS),
            },
        }),
        ..*TENSOR
    };
    let operands = [own, end].map(IntoOperand::into_operand);
    match weight.into_operand() {
        Operand::Scalar(weight) => Elementwise::new(SCALAR, operands, Weight(Some(weight))),
        tensor => Elementwise::new(TENSOR, operands.into_iter().chain([tensor]), Weight(None)),
    }
}

impl Tensor {
    /// Chooses elements by this tensor: those of `a` where it is true, those of `b` elsewhere, as a new contiguous tensor. It
    /// is bool, or u8 of which every number but 0 is true. [`ops::where_`](crate::ops::where_) says how types follow.
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
    #[doc(alias = "select", alias = "where_cond")]
    #[doc(alias = "where")]
    #[doc(alias = "mask_where")]
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
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut a = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
    /// let b = Tensor::from_slice(&device, &[3.0f32, 4.0], 2)?;
    /// a.addcmul_in_place(&b, &b, -1)?;
    /// assert_eq!(a.to_vec::<f32>()?, [-8.0, -14.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
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
    /// is rounded towards zero; one that is divided by zero fails the stream of the emulator.
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
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut a = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
    /// let b = Tensor::from_slice(&device, &[4.0f32, 8.0], 2)?;
    /// a.addcdiv_in_place(&b.square()?, &b, 0.25)?;
    /// assert_eq!(a.to_vec::<f32>()?, [2.0, 4.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
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
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut a = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
    /// let b = Tensor::from_slice(&device, &[3.0f32, 10.0], 2)?;
    /// a.lerp_in_place(&b, 0.5)?;
    /// assert_eq!(a.to_vec::<f32>()?, [2.0, 6.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Elementwise::run_into`](crate::ops::Elementwise::run_into).
    #[doc(alias = "aclnnInplaceLerp")]
    #[doc(alias = "aclnnInplaceLerps")]
    pub fn lerp_in_place<'a>(&'a mut self, end: &'a Tensor, weight: impl IntoOperand<'a>) -> Result<()> {
        lerp(self, end, weight).run_in_place()
    }
}
