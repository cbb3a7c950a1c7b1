//! Trailing axes, or groups of channels, normalised by their mean and variance.

use aclnn_numerics::DType::F32;
use aclnn_numerics::Shape;

use super::checks::{affine, are_weights, channels, has_dtype};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// A normalisation by the mean and the variance of the elements themselves, with options: `(x − mean) · rstd · weight + bias`,
/// where `rstd` is the inverse of the root of the variance, which counts all elements, plus [`eps`](Normalization::eps).
///
/// The tensor is f32, f16 or bf16 (not on the 910 and the 310P), and so is the result. Everything is computed in f32 or with more
/// digits, and rounded once. A NaN or an infinity makes all elements NaN that are normalised together with it.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Normalization<'a> {
    kind: Kind,
    own: &'a Tensor,
    weight: Option<&'a Tensor>,
    bias: Option<&'a Tensor>,
    eps: f64,
    stream: Option<&'a Stream>,
}

/// The elements that are normalised together.
#[derive(Debug, Clone)]
enum Kind {
    /// The trailing axes of this shape.
    Rows(Shape),
    /// A group of channels.
    Groups(usize),
    /// Every channel by itself.
    Channels,
}

/// Prepares a normalisation of the trailing axes, whose sizes are `shape`. Weight and bias have this shape.
///
/// Nothing is launched before [`Normalization::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 3.0, 10.0, 30.0], [2, 2])?;
/// let bias = Tensor::from_slice(&device, &[0.5f32, 0.5], [2])?;
/// let y = ops::layer_norm(&x, 2).bias(&bias).eps(0.0).run()?;
/// assert_eq!(y.to_vec::<f32>()?, [-0.5, 1.5, -0.5, 1.5]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnLayerNorm")]
pub fn layer_norm(own: &Tensor, shape: impl Into<Shape>) -> Normalization<'_> {
    Normalization::new(own, Kind::Rows(shape.into()))
}

/// Prepares a normalisation of groups of channels. The channels are on axis 1, and their number is a multiple of `groups`. Weight
/// and bias have an element for each channel. [`eps`](Normalization::eps) must be positive.
///
/// Nothing is launched before [`Normalization::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 3.0, 10.0, 30.0], [1, 4])?;
/// let y = ops::group_norm(&x, 2).eps(1e-12).run()?;
/// assert_eq!(y.to_vec::<f32>()?, [-1.0, 1.0, -1.0, 1.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnGroupNorm")]
#[inline]
pub fn group_norm(own: &Tensor, groups: usize) -> Normalization<'_> {
    Normalization::new(own, Kind::Groups(groups))
}

/// Prepares a normalisation of each channel of each image: of as many groups as there are channels, as [`group_norm`] does it.
///
/// Nothing is launched before [`Normalization::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 3.0, 10.0, 30.0], [1, 2, 2])?;
/// let y = ops::instance_norm(&x).eps(1e-12).run()?;
/// assert_eq!(y.to_vec::<f32>()?, [-1.0, 1.0, -1.0, 1.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[inline]
pub fn instance_norm(own: &Tensor) -> Normalization<'_> {
    Normalization::new(own, Kind::Channels)
}

affine!(Normalization);

impl<'a> Normalization<'a> {
    #[inline]
    fn new(own: &'a Tensor, kind: Kind) -> Self {
        Self { kind, own, weight: None, bias: None, eps: 1e-5, stream: None }
    }

    /// Queues the normalisation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        self.run_with_statistics().map(|(out, ..)| out)
    }

    /// Queues the normalisation and returns the result, the means, and the inverses of the standard deviations, which the
    /// gradient needs. Those of [`layer_norm`] are f32, with the axes of the tensor, of which those that are normalised have one
    /// element; those of [`group_norm`] have the type of the tensor and the shape `[images, groups]`.
    ///
    /// # Errors
    /// As [`Normalization::run`].
    #[inline]
    pub fn run_with_statistics(&self) -> Result<(Tensor, Tensor, Tensor)> {
        let Self { own, weight, bias, eps, .. } = *self;
        let stream = self.stream.unwrap_or(own.stream());
        let name = match self.kind {
            Kind::Rows(_) => "layer_norm",
            Kind::Groups(_) => "group_norm",
            Kind::Channels => "instance_norm",
        };
        let mut operation = Operation::new(name, stream).tensor("self", own);
        for (name, weight) in [("weight", weight), ("bias", bias)] {
            if let Some(weight) = weight {
                operation = operation.tensor(name, weight);
            }
        }
        operation.placed()?;
        let weights = [("weight", weight), ("bias", bias)];
        let groups = match &self.kind {
            Kind::Rows(shape) => {
                operation.takes("LayerNorm", signatures::layer_norm.takes, own.dtype())?;
                let kept = rows(&operation, own, shape)?;
                are_weights(&operation, &weights, shape, own.dtype())?;
                let out = operation.empty(own.shape(), own.dtype())?;
                let [mean, rstd] = [operation.empty(&kept, F32)?, operation.empty(&kept, F32)?];
                let sizes: Vec<i64> = shape.iter().map(|size| *size as i64).collect();
                launch::LayerNorm(
                    stream.into(),
                    own,
                    &sizes,
                    weight,
                    bias,
                    eps,
                    &out,
                    Some(&mean),
                    Some(&rstd),
                )?;
                return Ok((out, mean, rstd));
            }
            Kind::Groups(groups) => *groups,
            Kind::Channels => channels(&operation, own)?,
        };
        operation.takes("GroupNorm", signatures::group_norm.takes, own.dtype())?;
        let [images, channels, area] = images(&operation, own, groups)?;
        // The library takes weights of f32 beside halves only in other operators.
        for (name, weight) in weights.iter().filter_map(|(name, weight)| Some((*name, (*weight)?))) {
            has_dtype(&operation, name, weight, own.dtype())?;
        }
        are_weights(&operation, &weights, &Shape::from([channels]), own.dtype())?;
        if eps.is_nan() || eps <= 0.0 {
            return Err(operation.refused(format!("eps is {eps}, but must be positive")));
        }
        let out = operation.empty(own.shape(), own.dtype())?;
        let [mean, rstd] = [
            operation.empty([images, groups], own.dtype())?,
            operation.empty([images, groups], own.dtype())?,
        ];
        let [n, c, area, groups] = [images, channels, area, groups].map(|size| size as i64);
        launch::GroupNorm(stream.into(), own, weight, bias, n, c, area, groups, eps, &out, &mean, &rstd)?;
        Ok((out, mean, rstd))
    }
}

/// Returns the shape of what there is one of for each row, if trailing axes of the tensor have this shape.
#[inline]
pub(super) fn rows(operation: &Operation<'_>, own: &Tensor, shape: &Shape) -> Result<Shape> {
    match own.dims().strip_suffix(&shape[..]) {
        Some(outer) if shape.rank() > 0 => Ok(outer.iter().copied().chain(shape.iter().map(|_| 1)).collect()),
        _ => {
            let reason = format!("self has shape {}, which does not end with {shape}", own.shape());
            Err(operation.refused(reason))
        }
    }
}

/// Returns the numbers of images, of channels and of elements of a channel.
#[inline]
pub(super) fn images(operation: &Operation<'_>, own: &Tensor, groups: usize) -> Result<[usize; 3]> {
    let channels = channels(operation, own)?;
    if groups == 0 || channels % groups != 0 {
        return Err(operation.refused(format!("{channels} channels are not cut into {groups} equal groups")));
    }
    let (images, area) = (own.dims().iter().take(1).product(), own.dims().iter().skip(2).product());
    Ok([images, channels, area])
}
