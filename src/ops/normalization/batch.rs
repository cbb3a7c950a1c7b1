//! Channels normalised by the mean and the variance of a batch, or by given ones.

use std::borrow::Cow;

use aclnn_numerics::DType::F32;
use aclnn_numerics::Shape;

use super::checks::{affine, channels, has_shape};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::{Overlap, Tensor};

/// A normalisation of each channel by the mean and the variance of its elements in all images, as in training, with options.
///
/// The channels are on axis 1. The tensor is f32, f16 or bf16 (not on the 910 and the 310P), and so is the result; weight, bias
/// and running statistics have an element for each channel, and any of these types. Everything is computed in f32 or with more
/// digits, and rounded once.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct BatchNorm<'a> {
    own: &'a Tensor,
    weight: Option<&'a Tensor>,
    bias: Option<&'a Tensor>,
    eps: f64,
    stream: Option<&'a Stream>,
}

/// A normalisation of each channel by a given mean and variance, with options.
///
/// Operands are as for [`BatchNorm`].
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct BatchNormInference<'a> {
    own: &'a Tensor,
    statistics: [&'a Tensor; 2],
    weight: Option<&'a Tensor>,
    bias: Option<&'a Tensor>,
    eps: f64,
    stream: Option<&'a Stream>,
}

/// Prepares a normalisation of each channel by the mean and the variance of the batch.
///
/// Nothing is launched before [`BatchNorm::run`].
///
/// ```
/// use aclnn::{DType, Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 10.0, 3.0, 30.0], [2, 2])?;
/// assert_eq!(ops::batch_norm(&x).eps(0.0).run()?.to_vec::<f32>()?, [-1.0, -1.0, 1.0, 1.0]);
/// // Running statistics take a part of those of the batch.
/// let mut mean = Tensor::zeros(&device, [2], DType::F32)?;
/// let mut variance = Tensor::ones(&device, [2], DType::F32)?;
/// ops::batch_norm(&x).run_updating(&mut mean, &mut variance, 0.5)?;
/// assert_eq!(mean.to_vec::<f32>()?, [1.0, 10.0]);
/// assert_eq!(variance.to_vec::<f32>()?, [1.5, 100.5]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnBatchNorm")]
#[inline]
pub fn batch_norm(own: &Tensor) -> BatchNorm<'_> {
    BatchNorm { own, weight: None, bias: None, eps: 1e-5, stream: None }
}

/// Prepares a normalisation of each channel by a mean and a variance, for example the running ones of a training.
///
/// Nothing is launched before [`BatchNormInference::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 10.0, 3.0, 30.0], [2, 2])?;
/// let mean = Tensor::from_slice(&device, &[1.0f32, 20.0], [2])?;
/// let variance = Tensor::from_slice(&device, &[4.0f32, 100.0], [2])?;
/// let y = ops::batch_norm_inference(&x, &mean, &variance).eps(0.0).run()?;
/// assert_eq!(y.to_vec::<f32>()?, [0.0, -1.0, 1.0, 1.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnBatchNorm")]
#[inline]
pub fn batch_norm_inference<'a>(
    own: &'a Tensor,
    mean: &'a Tensor,
    variance: &'a Tensor,
) -> BatchNormInference<'a> {
    let statistics = [mean, variance];
    BatchNormInference { own, statistics, weight: None, bias: None, eps: 1e-5, stream: None }
}

affine!(BatchNorm);
affine!(BatchNormInference);

/// The operands of a call, checked.
struct Operands<'t> {
    operation: Operation<'t>,
    /// The tensor with at most four axes: five ask for a storage format that tensors here do not have.
    own: Cow<'t, Tensor>,
    channels: usize,
}

#[inline]
fn checked<'t>(
    stream: &'t Stream,
    own: &'t Tensor,
    others: &[(&'static str, Option<&'t Tensor>)],
) -> Result<Operands<'t>> {
    let mut operation = Operation::new("batch_norm", stream).tensor("self", own);
    let given = || others.iter().filter_map(|(name, other)| Some((*name, (*other)?)));
    for (name, other) in given() {
        operation = operation.tensor(name, other);
    }
    operation.placed()?;
    operation.takes("BatchNorm", signatures::batch_norm.takes, own.dtype())?;
    let channels = channels(&operation, own)?;
    for (name, other) in given() {
        operation.takes("BatchNorm", signatures::batch_norm.takes, other.dtype())?;
        has_shape(&operation, name, other, &Shape::from([channels]))?;
    }
    Ok(Operands { own: folded(own)?, operation, channels })
}

/// The tensor with the axes behind the channels as one, if there are three.
#[inline]
pub(super) fn folded(own: &Tensor) -> Result<Cow<'_, Tensor>> {
    match own.dims() {
        [images, channels, area @ ..] if area.len() == 3 => {
            let area = area.iter().product();
            own.contiguous()?.reshape([*images, *channels, area]).map(Cow::Owned)
        }
        _ => Ok(Cow::Borrowed(own)),
    }
}

impl BatchNorm<'_> {
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

    /// Queues the normalisation and returns the result, the means of the channels, and their spread, all for
    /// [`batch_norm_backward`](crate::ops::batch_norm_backward()). The statistics are f32. The spread is what the product saves:
    /// the variance before the 950, and on it the inverse of the standard deviation.
    ///
    /// # Errors
    /// As [`BatchNorm::run`].
    #[inline]
    pub fn run_with_statistics(&self) -> Result<(Tensor, Tensor, Tensor)> {
        self.launched(None, 0.0)
    }

    /// Does the same, and moves running statistics towards those of the batch: `running · (1 − momentum) + batch · momentum`.
    /// The running variance takes the unbiased one, which is NaN for a single element on the 950.
    ///
    /// # Errors
    /// As [`BatchNorm::run`]; [`SharedElements`](crate::Error::SharedElements) and [`Overlap`](crate::Error::Overlap) if the running
    /// statistics are views of that kind.
    #[inline]
    pub fn run_updating(
        &self,
        mean: &mut Tensor,
        variance: &mut Tensor,
        momentum: f64,
    ) -> Result<(Tensor, Tensor, Tensor)> {
        self.launched(Some([mean, variance]), momentum)
    }

    #[inline]
    fn launched(&self, running: Option<[&Tensor; 2]>, momentum: f64) -> Result<(Tensor, Tensor, Tensor)> {
        let Self { own, weight, bias, eps, stream } = *self;
        let stream = stream.unwrap_or(own.stream());
        let [mean, variance] = running.map_or([None; 2], |running| running.map(Some));
        let others = [("weight", weight), ("bias", bias)];
        let Operands { operation, own: seen, channels } = checked(stream, own, &others)?;
        for (name, running) in [("mean", mean), ("variance", variance)] {
            let Some(running) = running else { continue };
            operation.takes("BatchNorm", signatures::batch_norm.takes, running.dtype())?;
            operation.writable(name, running, &Shape::from([channels]))?;
        }
        let read = [Some(own), weight, bias];
        for (written, other) in [(mean, variance), (variance, mean)] {
            let Some(written) = written else { continue };
            if read
                .into_iter()
                .chain([other])
                .flatten()
                .any(|tensor| written.overlap(tensor) != Overlap::None)
            {
                return Err(operation.refused(
                    "the running mean and variance must share no memory with each other or with an operand"
                        .to_owned(),
                ));
            }
        }
        if let (Some(mean), Some(variance)) = (mean, variance) {
            let both = Operation::new("batch_norm", stream).tensor("variance", variance);
            both.placed()?;
            both.tensor("mean", mean).writable("mean", mean, &Shape::from([channels]))?;
        }
        let out = operation.empty(seen.shape(), own.dtype())?;
        let [save_mean, spread] = [operation.empty([channels], F32)?, operation.empty([channels], F32)?];
        launch::BatchNorm(
            stream.into(),
            &seen,
            weight,
            bias,
            mean,
            variance,
            true,
            momentum,
            eps,
            &out,
            Some(&save_mean),
            Some(&spread),
        )?;
        Ok((out.reshape(own.shape())?, save_mean, spread))
    }
}

impl BatchNormInference<'_> {
    /// Queues the normalisation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// As [`BatchNorm::run`].
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let Self { own, statistics: [mean, variance], weight, bias, eps, stream } = *self;
        let stream = stream.unwrap_or(own.stream());
        let others = [("mean", Some(mean)), ("variance", Some(variance)), ("weight", weight), ("bias", bias)];
        let Operands { operation, own: seen, .. } = checked(stream, own, &others)?;
        let out = operation.empty(seen.shape(), own.dtype())?;
        let running = [Some(mean), Some(variance)];
        launch::BatchNorm(
            stream.into(),
            &seen,
            weight,
            bias,
            running[0],
            running[1],
            false,
            0.0,
            eps,
            &out,
            None,
            None,
        )?;
        out.reshape(own.shape())
    }
}
