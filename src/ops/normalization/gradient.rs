//! The gradients of normalisations.

use aclnn_numerics::DType::F32;
use aclnn_numerics::Shape;

use super::batch::folded;
use super::checks::{are_weights, channels, has_dtype, has_shape};
use super::layer::{images, rows};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::ops::prepared::prepared;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The gradients of a normalisation with respect to its operands, with options.
///
/// The gradient of the result and the tensor have one type and one shape. Everything is computed in f32 or with more digits, and
/// rounded once. Sums of gradients over rows or images have one order, whatever the number of threads is, in the emulator.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct NormalizationBackward<'a> {
    kind: Kind,
    grad: &'a Tensor,
    own: &'a Tensor,
    statistics: [&'a Tensor; 2],
    weight: Option<&'a Tensor>,
    eps: f64,
    stream: Option<&'a Stream>,
}

#[derive(Debug, Clone)]
enum Kind {
    Rows(Shape),
    Groups(usize),
    Channels,
}

/// Prepares the gradients of [`layer_norm`](crate::ops::layer_norm()) of `own`, for a gradient `grad` of its result, by the
/// statistics that [`run_with_statistics`](crate::ops::Normalization::run_with_statistics) returned.
///
/// Nothing is launched before [`NormalizationBackward::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 3.0], [1, 2])?;
/// let (_, mean, rstd) = ops::layer_norm(&x, 2).eps(0.0).run_with_statistics()?;
/// let grad = Tensor::from_slice(&device, &[1.0f32, 2.0], [1, 2])?;
/// let (of_x, of_weight, of_bias) = ops::layer_norm_backward(&grad, &x, 2, &mean, &rstd).run()?;
/// assert_eq!(of_x.to_vec::<f32>()?, [0.0, 0.0]);
/// assert_eq!(of_weight.to_vec::<f32>()?, [-1.0, 2.0]);
/// assert_eq!(of_bias.to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnLayerNormBackward")]
pub fn layer_norm_backward<'a>(
    grad: &'a Tensor,
    own: &'a Tensor,
    shape: impl Into<Shape>,
    mean: &'a Tensor,
    rstd: &'a Tensor,
) -> NormalizationBackward<'a> {
    NormalizationBackward::new(Kind::Rows(shape.into()), grad, own, [mean, rstd])
}

/// Prepares the gradients of [`group_norm`](crate::ops::group_norm()) of `own`, for a gradient `grad` of its result, by the
/// statistics that [`run_with_statistics`](crate::ops::Normalization::run_with_statistics) returned.
///
/// Nothing is launched before [`NormalizationBackward::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 3.0], [1, 2])?;
/// let (y, mean, rstd) = ops::group_norm(&x, 1).run_with_statistics()?;
/// let (_, _, of_bias) = ops::group_norm_backward(&x, &x, 1, &mean, &rstd).run()?;
/// assert_eq!(of_bias.to_vec::<f32>()?, [1.0, 3.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnGroupNormBackward")]
#[inline]
pub fn group_norm_backward<'a>(
    grad: &'a Tensor,
    own: &'a Tensor,
    groups: usize,
    mean: &'a Tensor,
    rstd: &'a Tensor,
) -> NormalizationBackward<'a> {
    NormalizationBackward::new(Kind::Groups(groups), grad, own, [mean, rstd])
}

/// Prepares the gradients of [`batch_norm`](crate::ops::batch_norm()) of `own`, for a gradient `grad` of its result, by the
/// statistics that [`run_with_statistics`](crate::ops::BatchNorm::run_with_statistics) returned, with the same
/// [`eps`](NormalizationBackward::eps).
///
/// Nothing is launched before [`NormalizationBackward::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 10.0, 3.0, 30.0], [2, 2])?;
/// let (_, mean, spread) = ops::batch_norm(&x).run_with_statistics()?;
/// let (_, _, of_bias) = ops::batch_norm_backward(&x, &x, &mean, &spread).run()?;
/// assert_eq!(of_bias.to_vec::<f32>()?, [4.0, 40.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnBatchNormBackward")]
#[inline]
pub fn batch_norm_backward<'a>(
    grad: &'a Tensor,
    own: &'a Tensor,
    mean: &'a Tensor,
    spread: &'a Tensor,
) -> NormalizationBackward<'a> {
    NormalizationBackward::new(Kind::Channels, grad, own, [mean, spread])
}

prepared! {
    ['a] NormalizationBackward<'a>:
    on("the gradient of the result")
}

impl<'a> NormalizationBackward<'a> {
    #[inline]
    fn new(kind: Kind, grad: &'a Tensor, own: &'a Tensor, statistics: [&'a Tensor; 2]) -> Self {
        Self { kind, grad, own, statistics, weight: None, eps: 1e-5, stream: None }
    }

    /// Sets the tensor by which normalised elements were multiplied.
    #[inline]
    pub fn weight(mut self, weight: &'a Tensor) -> Self {
        self.weight = Some(weight);
        self
    }

    /// Sets the number that was added to a variance; the default is 10⁻⁵. Only [`batch_norm_backward`] needs it, where the
    /// product saved a variance.
    #[inline]
    pub fn eps(mut self, eps: f64) -> Self {
        self.eps = eps;
        self
    }

    /// Queues the operation and returns the gradients of the tensor, of the weight and of the bias, new contiguous tensors of the
    /// type of the gradient; those of weight and bias of [`batch_norm_backward`] are f32.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<(Tensor, Tensor, Tensor)> {
        let Self { grad, own, statistics: [mean, rstd], weight, eps, .. } = *self;
        let stream = self.stream.unwrap_or(grad.stream());
        let (name, form, takes) = match self.kind {
            Kind::Rows(_) => {
                ("layer_norm_backward", "LayerNormBackward", signatures::layer_norm_backward.takes)
            }
            Kind::Groups(_) => {
                ("group_norm_backward", "GroupNormBackward", signatures::group_norm_backward.takes)
            }
            Kind::Channels => {
                ("batch_norm_backward", "BatchNormBackward", signatures::batch_norm_backward.takes)
            }
        };
        let mut operation = Operation::new(name, stream).tensor("grad", grad).tensor("self", own);
        operation = operation.tensor("mean", mean).tensor("rstd", rstd);
        if let Some(weight) = weight {
            operation = operation.tensor("weight", weight);
        }
        operation.placed()?;
        operation.takes(form, takes, grad.dtype())?;
        has_dtype(&operation, "self", own, grad.dtype())?;
        has_shape(&operation, "self", own, grad.shape())?;
        let statistics = [("mean", mean), ("rstd", rstd)];
        let all = [true; 3];
        let dtype = grad.dtype();
        match &self.kind {
            Kind::Rows(shape) => {
                let kept = rows(&operation, own, shape)?;
                are_weights(&operation, &[("weight", weight)], shape, dtype)?;
                for (name, statistic) in statistics {
                    operation.takes(form, takes, statistic.dtype())?;
                    has_shape(&operation, name, statistic, &kept)?;
                }
                let of_own = operation.empty(own.shape(), dtype)?;
                let [of_weight, of_bias] = [operation.empty(shape, dtype)?, operation.empty(shape, dtype)?];
                let sizes: Vec<i64> = shape.iter().map(|size| *size as i64).collect();
                launch::LayerNormBackward(
                    stream.into(),
                    grad,
                    own,
                    &sizes,
                    mean,
                    rstd,
                    weight,
                    None,
                    &all,
                    Some(&of_own),
                    Some(&of_weight),
                    Some(&of_bias),
                )?;
                Ok((of_own, of_weight, of_bias))
            }
            Kind::Groups(groups) => {
                let [images, channels, area] = images(&operation, own, *groups)?;
                if let Some(weight) = weight {
                    has_dtype(&operation, "weight", weight, dtype)?;
                    has_shape(&operation, "weight", weight, &Shape::from([channels]))?;
                }
                for (name, statistic) in statistics {
                    has_dtype(&operation, name, statistic, dtype)?;
                    has_shape(&operation, name, statistic, &Shape::from([images, *groups]))?;
                }
                let of_own = operation.empty(own.shape(), dtype)?;
                let [of_weight, of_bias] =
                    [operation.empty([channels], dtype)?, operation.empty([channels], dtype)?];
                let [n, c, area, groups] = [images, channels, area, *groups].map(|size| size as i64);
                launch::GroupNormBackward(
                    stream.into(),
                    grad,
                    own,
                    mean,
                    rstd,
                    weight,
                    n,
                    c,
                    area,
                    groups,
                    Some(&all),
                    Some(&of_own),
                    Some(&of_weight),
                    Some(&of_bias),
                )?;
                Ok((of_own, of_weight, of_bias))
            }
            Kind::Channels => {
                let channels = channels(&operation, own)?;
                let shape = Shape::from([channels]);
                are_weights(&operation, &[("weight", weight)], &shape, dtype)?;
                for (name, statistic) in statistics {
                    has_dtype(&operation, name, statistic, F32)?;
                    has_shape(&operation, name, statistic, &shape)?;
                }
                let (grad, seen) = (folded(grad)?, folded(own)?);
                let of_own = operation.empty(seen.shape(), dtype)?;
                let [of_weight, of_bias] = [operation.empty(&shape, F32)?, operation.empty(&shape, F32)?];
                launch::BatchNormBackward(
                    stream.into(),
                    &grad,
                    &seen,
                    weight,
                    None,
                    None,
                    Some(mean),
                    Some(rstd),
                    true,
                    eps,
                    &all,
                    Some(&of_own),
                    Some(&of_weight),
                    Some(&of_bias),
                )?;
                Ok((of_own.reshape(own.shape())?, of_weight, of_bias))
            }
        }
    }
}
