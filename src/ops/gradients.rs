//! Operators that differ from their declaration: the exact Gaussian error linear unit, and gradients with other parameters in C.

use super::activations::gelu_v2;
use aclnn_numerics::signature::AlongAxes;

use super::axes::IntoAxes as _;
use super::parametric::{Operator, Parametric};
use super::prepared::OTHERS;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::operand::IntoOperand;
use crate::scalar::Scalar;
use crate::signatures;
use crate::tensor::{Index, Tensor};

/// Prepares the gradient of the exact Gaussian error linear unit at `x`, times `own`.
///
/// Nothing is launched before [`Parametric::run`].
#[doc(alias = "aclnnGeluBackwardV2")]
pub fn gelu_erf_backward<'a>(own: &'a Tensor, x: impl IntoOperand<'a>) -> Parametric<'a> {
    const OPERATOR: &Operator = &Operator {
        name: "gelu_erf_backward",
        form: "GeluBackwardV2",
        signature: signatures::gelu_backward_v2,
        others: &["x"],
        attributes: &[],
        launch: |stream, tensors, _, out| {
            let [own, x] = tensors else { return Err(OTHERS) };
            launch::GeluBackwardV2(stream.into(), own, x, c"none", out)
        },
        in_place: None,
    };
    Parametric::new(OPERATOR, own, [x.into_operand()], [])
}

/// Prepares the gradient of `log_sigmoid` at `x`, times `own`.
///
/// Nothing is launched before [`Parametric::run`].
#[doc(alias = "aclnnLogSigmoidBackward")]
pub fn log_sigmoid_backward<'a>(own: &'a Tensor, x: impl IntoOperand<'a>) -> Parametric<'a> {
    const OPERATOR: &Operator = &Operator {
        name: "log_sigmoid_backward",
        form: "LogSigmoidBackward",
        signature: signatures::log_sigmoid_backward,
        others: &["x"],
        attributes: &[],
        // The library asks for a third tensor and does not look at it.
        launch: |stream, tensors, _, out| {
            let [own, x] = tensors else { return Err(OTHERS) };
            launch::LogSigmoidBackward(stream.into(), own, x, x, out)
        },
        in_place: None,
    };
    Parametric::new(OPERATOR, own, [x.into_operand()], [])
}

/// Prepares the gradient of `elu`, times `own`, at an argument `x` of it, or, with `is_result`, where its result is `x`; then
/// `alpha` must not be negative.
///
/// Nothing is launched before [`Parametric::run`].
#[doc(alias = "aclnnEluBackward")]
pub fn elu_backward<'a>(
    own: &'a Tensor,
    x: impl IntoOperand<'a>,
    alpha: impl Into<Scalar>,
    scale: impl Into<Scalar>,
    input_scale: impl Into<Scalar>,
    is_result: bool,
) -> Parametric<'a> {
    const OPERATOR: &Operator = &Operator {
        name: "elu_backward",
        form: "EluBackward",
        signature: signatures::elu_backward,
        others: &["x"],
        attributes: &["alpha", "scale", "input_scale", "is_result"],
        launch: |stream, tensors, attributes, out| {
            let ([own, x], [alpha, scale, input_scale, is_result]) = (tensors, attributes) else {
                return Err(OTHERS);
            };
            let is_result = is_result.get::<f32>() != Some(0.0);
            launch::EluBackward(stream.into(), own, alpha, scale, input_scale, is_result, x, out)
        },
        in_place: None,
    };
    let attributes = [alpha.into(), scale.into(), input_scale.into(), is_result.into()];
    Parametric::new(OPERATOR, own, [x.into_operand()], attributes)
}

/// The gradient of the softmax by its result, or of its logarithms by those.
fn softmax_gradient(
    grad: &Tensor,
    result: &Tensor,
    axis: impl Index,
    (name, form, signature): (&'static str, &'static str, AlongAxes),
    launch: for<'a> fn(&'a Tensor, &'a Tensor, i64, &'a Tensor) -> Result<()>,
) -> Result<Tensor> {
    let operation = Operation::new(name, grad.stream()).tensor("self", grad).tensor("result", result);
    operation.placed()?;
    operation.takes(form, signature.takes, grad.dtype())?;
    let axis = axis.into_axes().one(grad, &operation)?.unwrap_or_default();
    if result.dtype() != grad.dtype() || result.shape() != grad.shape() {
        return Err(operation.refused("self and result must have one type and one shape".to_owned()));
    }
    let out = operation.empty(grad.shape(), grad.dtype())?;
    if out.numel() > 0 {
        launch(grad, result, axis, &out)?;
    }
    Ok(out)
}

impl Tensor {
    /// Computes the gradient of [`Tensor::softmax`] by its result `result`, times this tensor.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let gradient = Tensor::from_slice(&device, &[1.0f32, 0.0], [2])?;
    /// let result = Tensor::from_slice(&device, &[0.25f32, 0.75], [2])?;
    /// assert_eq!(gradient.softmax_backward(&result, -1)?.to_vec::<f32>()?, [0.1875, -0.1875]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`View`](crate::Error::View) if the axis does not exist, [`Argument`](crate::Error::Argument),
    /// [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and [`Unsupported`](crate::Error::Unsupported), all
    /// before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library
    /// refuses.
    #[doc(alias = "aclnnSoftmaxBackward")]
    pub fn softmax_backward(&self, result: &Tensor, axis: impl Index) -> Result<Tensor> {
        let about = ("softmax_backward", "SoftmaxBackward", signatures::softmax_backward);
        softmax_gradient(self, result, axis, about, |grad, result, axis, out| {
            launch::SoftmaxBackward(grad.stream().into(), grad, result, axis, out)
        })
    }

    /// Computes the gradient of [`Tensor::log_softmax`] by its result `result`, times this tensor.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let gradient = Tensor::from_slice(&device, &[-1.0f32, 0.0], [2])?;
    /// let result = Tensor::from_slice(&device, &[0.0f32, f32::NEG_INFINITY], [2])?;
    /// assert_eq!(gradient.log_softmax_backward(&result, -1)?.to_vec::<f32>()?, [0.0, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::softmax_backward`].
    #[doc(alias = "aclnnLogSoftmaxBackward")]
    pub fn log_softmax_backward(&self, result: &Tensor, axis: impl Index) -> Result<Tensor> {
        let about = ("log_softmax_backward", "LogSoftmaxBackward", signatures::log_softmax_backward);
        softmax_gradient(self, result, axis, about, |grad, result, axis, out| {
            launch::LogSoftmaxBackward(grad.stream().into(), grad, result, axis, out)
        })
    }

    /// Computes the Gaussian error linear unit exactly, by the error function, as PyTorch does unless it is asked to
    /// approximate. [`Tensor::gelu`] is the approximation with tanh.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[-1.0f32, 1.0], [2])?;
    /// assert_eq!(x.gelu_erf()?.to_vec::<f32>()?, [-0.15865526, 0.8413448]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Parametric::run`](crate::ops::Parametric::run).
    #[doc(alias = "aclnnGeluV2")]
    #[inline]
    pub fn gelu_erf(&self) -> Result<Tensor> {
        gelu_v2(self, 0).run()
    }

    /// Computes the gradient of [`Tensor::gelu_erf`] at `x`, times this tensor.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let gradient = Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?;
    /// let x = Tensor::from_slice(&device, &[0.0f32, 0.0], [2])?;
    /// assert_eq!(gradient.gelu_erf_backward(&x)?.to_vec::<f32>()?, [0.5, 1.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Parametric::run`](crate::ops::Parametric::run).
    #[doc(alias = "aclnnGeluBackwardV2")]
    pub fn gelu_erf_backward<'a>(&'a self, x: impl IntoOperand<'a>) -> Result<Tensor> {
        gelu_erf_backward(self, x).run()
    }

    /// Computes the gradient of [`Tensor::log_sigmoid`] at `x`, times this tensor.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let gradient = Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?;
    /// let x = Tensor::from_slice(&device, &[0.0f32, 0.0], [2])?;
    /// assert_eq!(gradient.log_sigmoid_backward(&x)?.to_vec::<f32>()?, [0.5, 1.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Parametric::run`](crate::ops::Parametric::run).
    #[doc(alias = "aclnnLogSigmoidBackward")]
    pub fn log_sigmoid_backward<'a>(&'a self, x: impl IntoOperand<'a>) -> Result<Tensor> {
        log_sigmoid_backward(self, x).run()
    }

    /// Computes the gradient of `elu` with a factor `alpha` at `x`, times this tensor.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let gradient = Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?;
    /// let x = Tensor::from_slice(&device, &[0.0f32, 3.0], [2])?;
    /// assert_eq!(gradient.elu_backward(&x, 0.5)?.to_vec::<f32>()?, [0.5, 2.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::elu_backward`](crate::ops::elu_backward()) takes the other factors, and options.
    ///
    /// # Errors
    /// Those of [`Parametric::run`](crate::ops::Parametric::run).
    #[doc(alias = "aclnnEluBackward")]
    pub fn elu_backward<'a>(&'a self, x: impl IntoOperand<'a>, alpha: impl Into<Scalar>) -> Result<Tensor> {
        elu_backward(self, x, alpha, 1, 1, false).run()
    }
}
