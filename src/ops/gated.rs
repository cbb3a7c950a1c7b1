//! Gated linear units, their gradients, and the gradients of prelu.

use aclnn_numerics::Shape;
use aclnn_numerics::types_by_product::Types;

use super::prepared::prepared;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::{Index, Tensor};

/// Checks a tensor that is cut in halves along an axis, and returns the axis and the shape of a half.
fn halved(
    operation: &Operation<'_>,
    (form, takes): (&'static str, Types),
    own: &Tensor,
    axis: impl Index,
) -> Result<(usize, Shape)> {
    operation.placed()?;
    operation.takes(form, takes, own.dtype())?;
    if own.rank() == 0 {
        return Err(operation.refused("a tensor without axes has no halves".to_owned()));
    }
    let axis = operation.axis(own, axis)?;
    let mut sizes = own.dims().to_vec();
    match sizes.get_mut(axis) {
        Some(size) if *size % 2 == 0 => *size /= 2,
        _ => return Err(operation.refused(format!("the size of axis {axis} is not even"))),
    }
    Ok((axis, Shape::from(sizes)))
}

/// Checks that a tensor has the type of another one and this shape.
#[inline]
fn is_like(
    operation: &Operation<'_>,
    name: &'static str,
    tensor: &Tensor,
    own: &Tensor,
    shape: &Shape,
) -> Result<()> {
    match tensor.dtype() == own.dtype() && tensor.shape() == shape {
        true => Ok(()),
        false => {
            let dtype = own.dtype();
            Err(operation.refused(format!("{name} must be {dtype} of shape {shape}")))
        }
    }
}

macro_rules! gates {
    ($(
        $(#[$doc:meta])* $name:ident = $Form:ident by $signature:ident,
        $(#[$backward_doc:meta])* $backward:ident = $Backward:ident by $backward_signature:ident;
    )*) => {
        impl Tensor {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`Argument`](crate::Error::Argument) if the size of the axis is not even, [`View`](crate::Error::View) if the axis does not
            /// exist, [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
            /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
            pub fn $name(&self, axis: impl Index) -> Result<Tensor> {
                let operation = Operation::new(stringify!($name), self.stream()).tensor("self", self);
                let by = (stringify!($Form), signatures::$signature.takes);
                let (axis, shape) = halved(&operation, by, self, axis)?;
                let out = operation.empty(shape, self.dtype())?;
                launch::$Form(operation.stream.into(), self, axis as i64, &out)?;
                Ok(out)
            }

            $(#[$backward_doc])*
            ///
            /// # Errors
            #[doc = concat!("As [`Tensor::", stringify!($name), "`]; [`Argument`](crate::Error::Argument) if this tensor has not the")]
            /// type of `x` and the shape of a half.
            pub fn $backward(&self, x: &Tensor, axis: impl Index) -> Result<Tensor> {
                let operation =
                    Operation::new(stringify!($backward), self.stream()).tensor("self", self).tensor("x", x);
                let by = (stringify!($Backward), signatures::$backward_signature.takes);
                let (axis, shape) = halved(&operation, by, x, axis)?;
                is_like(&operation, "self", self, x, &shape)?;
                let out = operation.empty(x.shape(), x.dtype())?;
                launch::$Backward(operation.stream.into(), self, x, axis as i64, &out)?;
                Ok(out)
            }
        )*}
    };
}

gates! {
    /// Multiplies the first half along an axis by the sigmoid function of the second one. The tensor is f32, f16, f64 or bf16
    /// (not on the 910 and the 310P), computed in f32 or f64, and rounded once.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[3.0f32, 0.0], [2])?;
    /// assert_eq!(x.glu(0)?.to_vec::<f32>()?, [1.5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnGlu")]
    glu = Glu by glu,
    /// Computes the gradient of [`Tensor::glu`] of `x`, where this tensor is the gradient of its result.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[3.0f32, 0.0], [2])?;
    /// let grad = Tensor::from_slice(&device, &[2.0f32], [1])?;
    /// assert_eq!(grad.glu_backward(&x, 0)?.to_vec::<f32>()?, [1.0, 1.5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnGluBackward")]
    glu_backward = GluBackward by glu_backward;

    /// Multiplies the second half along an axis by the function [`silu`](Tensor::silu) of the first one. The tensor is f32, f16
    /// or bf16 (not on the 310P; the 910 has no such operator), computed in f32 and rounded once.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?;
    /// assert_eq!(x.swiglu(0)?.to_vec::<f32>()?, [1.4621172]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnSwiGlu")]
    swiglu = SwiGlu by swi_glu,
    /// Computes the gradient of [`Tensor::swiglu`] of `x`, where this tensor is the gradient of its result.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[0.0f32, 3.0], [2])?;
    /// let grad = Tensor::from_slice(&device, &[2.0f32], [1])?;
    /// assert_eq!(grad.swiglu_backward(&x, 0)?.to_vec::<f32>()?, [3.0, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnSwiGluGrad")]
    swiglu_backward = SwiGluGrad by swi_glu_grad;
}

/// A linear unit that is gated by the function gelu, with options; see [`geglu`].
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct GeGlu<'a> {
    own: &'a Tensor,
    axis: i64,
    by_tanh: bool,
    of_first: bool,
    stream: Option<&'a Stream>,
}

/// Prepares the product of the first half along an axis and the function gelu of the second one. The tensor is f32, f16 or bf16
/// (not on the 910 and the 310P), computed in f32 and rounded once.
///
/// Nothing is launched before [`GeGlu::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[2.0f32, 1.0], [2])?;
/// let (y, gelu) = ops::geglu(&x, 0).run()?;
/// assert_eq!((y.to_vec::<f32>()?, gelu.to_vec::<f32>()?), (vec![1.6826895], vec![0.8413448]));
/// let grad = Tensor::from_slice(&device, &[1.0f32], [1])?;
/// assert_eq!(ops::geglu(&x, 0).backward(&grad, &gelu)?.to_vec::<f32>()?, [0.8413448, 2.166631]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnGeGluV3")]
#[doc(alias = "aclnnGeGlu")]
#[inline]
pub fn geglu(own: &Tensor, axis: i64) -> GeGlu<'_> {
    GeGlu { own, axis, by_tanh: false, of_first: false, stream: None }
}

prepared! {
    ['a] GeGlu<'a>:
    on("the tensor")
}

impl GeGlu<'_> {
    /// Approximates gelu with tanh.
    #[inline]
    pub fn tanh(mut self) -> Self {
        self.by_tanh = true;
        self
    }

    /// Takes gelu of the first half instead of the second one.
    #[inline]
    pub fn gelu_of_first(mut self) -> Self {
        self.of_first = true;
        self
    }

    /// Queues the operation and returns the product, and the function gelu of one half, which the gradient needs.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if the size of the axis is not even, [`View`](crate::Error::View) if the axis does not exist,
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory);
    /// [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<(Tensor, Tensor)> {
        let (own, stream) = (self.own, self.stream.unwrap_or(self.own.stream()));
        let operation = Operation::new("geglu", stream).tensor("self", own);
        let (axis, shape) = halved(&operation, ("GeGluV3", signatures::ge_glu.takes), own, self.axis)?;
        let (out, gelu) = (operation.empty(&shape, own.dtype())?, operation.empty(&shape, own.dtype())?);
        let approximate = i64::from(self.by_tanh);
        launch::GeGluV3(stream.into(), own, axis as i64, approximate, self.of_first, &out, &gelu)?;
        Ok((out, gelu))
    }

    /// Queues the gradient, for a gradient of the product and the second result of [`GeGlu::run`], and returns it.
    ///
    /// # Errors
    /// As [`GeGlu::run`]; [`Argument`](crate::Error::Argument) if the other tensors have not the type of the tensor and the shape of a
    /// half.
    #[doc(alias = "aclnnGeGluV3Backward")]
    #[doc(alias = "aclnnGeGluBackward")]
    #[inline]
    pub fn backward(&self, grad: &Tensor, gelu: &Tensor) -> Result<Tensor> {
        let (own, stream) = (self.own, self.stream.unwrap_or(self.own.stream()));
        let operation = Operation::new("geglu_backward", stream)
            .tensor("self", own)
            .tensor("grad", grad)
            .tensor("gelu", gelu);
        let by = ("GeGluV3Backward", signatures::ge_glu_backward.takes);
        let (axis, shape) = halved(&operation, by, own, self.axis)?;
        is_like(&operation, "grad", grad, own, &shape)?;
        is_like(&operation, "gelu", gelu, own, &shape)?;
        let out = operation.empty(own.shape(), own.dtype())?;
        let approximate = i64::from(self.by_tanh);
        launch::GeGluV3Backward(
            stream.into(),
            grad,
            own,
            gelu,
            axis as i64,
            approximate,
            self.of_first,
            &out,
        )?;
        Ok(out)
    }
}

impl Tensor {
    /// Computes the gradients of [`Tensor::prelu`] of `x` with respect to `x` and to its weight, where this tensor is the gradient
    /// of its result. All have one type; the gradient of the weight is summed with more digits, and rounded once.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[-2.0f32, 2.0], [2])?;
    /// let grad = Tensor::from_slice(&device, &[1.0f32, 3.0], [2])?;
    /// let weight = Tensor::from_slice(&device, &[0.25f32], [1])?;
    /// let (of_x, of_weight) = grad.prelu_backward(&x, &weight)?;
    /// assert_eq!((of_x.to_vec::<f32>()?, of_weight.to_vec::<f32>()?), (vec![0.25, 3.0], vec![-2.0]));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if types or shapes do not match, [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory);
    /// [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnPreluBackward")]
    #[inline]
    pub fn prelu_backward(&self, x: &Tensor, weight: &Tensor) -> Result<(Tensor, Tensor)> {
        let operation = Operation::new("prelu_backward", self.stream())
            .tensor("self", self)
            .tensor("x", x)
            .tensor("weight", weight);
        operation.placed()?;
        operation.takes("PreluBackward", signatures::prelu_backward.takes, x.dtype())?;
        is_like(&operation, "self", self, x, x.shape())?;
        is_like(&operation, "weight", weight, x, weight.shape())?;
        let channels = x.dims().get(1).copied().unwrap_or(1);
        if weight.numel() != 1 && weight.numel() != channels {
            let reason = format!("weight has {} elements, but x has {channels} channels", weight.numel());
            return Err(operation.refused(reason));
        }
        let of_channels = Shape::from([channels]);
        let shape = if weight.numel() == 1 { weight.shape() } else { &of_channels };
        if x.numel() == 0 {
            let of_weight = Tensor::zeros(operation.stream, shape, x.dtype())?;
            return Ok((operation.empty(x.shape(), x.dtype())?, of_weight));
        }
        let (of_x, of_weight) = (operation.empty(x.shape(), x.dtype())?, operation.empty(shape, x.dtype())?);
        launch::PreluBackward(operation.stream.into(), self, x, weight, &of_x, &of_weight)?;
        Ok((of_x, of_weight))
    }
}
