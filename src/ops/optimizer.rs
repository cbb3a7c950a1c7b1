//! Optimizer steps, and the loss scale of mixed precision.

use std::fmt;

use aclnn_numerics::DType;

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::{Overlap, Tensor};

/// A step of Adam with decoupled decay of weights, with options.
#[must_use = "nothing is launched before `run`"]
pub struct AdamW<'a> {
    param: &'a mut Tensor,
    first: &'a mut Tensor,
    second: &'a mut Tensor,
    greatest: Option<&'a mut Tensor>,
    grad: &'a Tensor,
    steps: &'a Tensor,
    lr: f32,
    betas: [f32; 2],
    weight_decay: f32,
    eps: f32,
    maximize: bool,
}

impl fmt::Debug for AdamW<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdamW")
            .field("param", self.param)
            .field("lr", &self.lr)
            .field("betas", &self.betas)
            .field("weight_decay", &self.weight_decay)
            .field("eps", &self.eps)
            .field("amsgrad", &self.greatest.is_some())
            .field("maximize", &self.maximize)
            .finish_non_exhaustive()
    }
}

/// Prepares a step of Adam with decoupled decay of weights.
///
/// `param` is changed, and its first and second moments, which are zeros before the first step. `steps` is how many steps were
/// taken before this one: one element of f32 or i64, which the caller counts. Tensors are f32, f16 or bf16 (not on the 910 and
/// the 310P), in any mix; everything is computed in f32. The defaults are those of PyTorch: a rate of 0.001, betas of 0.9 and
/// 0.999, a decay of 0.01 and an eps of 10⁻⁸.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let mut param = Tensor::from_slice(&device, &[1.0f32, -1.0], [2])?;
/// let (mut first, mut second) = (param.zeros_like()?, param.zeros_like()?);
/// let grad = Tensor::from_slice(&device, &[0.25f32, 0.5], [2])?;
/// let steps = Tensor::from_slice(&device, &[0.0f32], [1])?;
/// ops::adam_w(&mut param, &mut first, &mut second, &grad, &steps).lr(0.5).weight_decay(0.0).run()?;
/// // The first step is as long as the rate, whatever the gradient is.
/// let near = |value: f32, expected: f32| (value - expected).abs() < 1e-5;
/// let values = param.to_vec::<f32>()?;
/// assert!(near(values[0], 0.5) && near(values[1], -1.5), "{values:?}");
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnApplyAdamWV2")]
#[inline]
pub fn adam_w<'a>(
    param: &'a mut Tensor,
    first: &'a mut Tensor,
    second: &'a mut Tensor,
    grad: &'a Tensor,
    steps: &'a Tensor,
) -> AdamW<'a> {
    AdamW {
        param,
        first,
        second,
        greatest: None,
        grad,
        steps,
        lr: 1e-3,
        betas: [0.9, 0.999],
        weight_decay: 0.01,
        eps: 1e-8,
        maximize: false,
    }
}

impl<'a> AdamW<'a> {
    /// Sets the learning rate.
    #[inline]
    pub fn lr(mut self, lr: f32) -> Self {
        self.lr = lr;
        self
    }

    /// Sets how much of the first and of the second moment is kept in a step.
    #[inline]
    pub fn betas(mut self, first: f32, second: f32) -> Self {
        self.betas = [first, second];
        self
    }

    /// Sets the part of a parameter, times the rate, that a step takes away.
    #[inline]
    pub fn weight_decay(mut self, weight_decay: f32) -> Self {
        self.weight_decay = weight_decay;
        self
    }

    /// Sets what is added to the root of the second moment.
    #[inline]
    pub fn eps(mut self, eps: f32) -> Self {
        self.eps = eps;
        self
    }

    /// Sets whether the gradient is climbed.
    #[inline]
    pub fn maximize(mut self, maximize: bool) -> Self {
        self.maximize = maximize;
        self
    }

    /// Divides by the root of the greatest second moment that there was, which is kept in a tensor of its own.
    #[inline]
    pub fn amsgrad(mut self, greatest: &'a mut Tensor) -> Self {
        self.greatest = Some(greatest);
        self
    }

    /// Queues the step.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) for tensors of different shapes or that share memory, and for `steps` that are not
    /// one element of f32 or i64; [`Unsupported`](crate::Error::Unsupported), [`Devices`](crate::Error::Devices),
    /// [`Rank`](crate::Error::Rank) and [`SharedElements`](crate::Error::SharedElements), all before anything is launched;
    /// [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(self) -> Result<()> {
        let Self { param, first, second, greatest, grad, steps, .. } = self;
        let (param, first, second, greatest) = (&*param, &*first, &*second, greatest.as_deref());
        let stream = param.stream();
        let written: Vec<(&'static str, &Tensor)> = [
            ("param", Some(param)),
            ("first", Some(first)),
            ("second", Some(second)),
            ("greatest", greatest),
        ]
        .into_iter()
        .filter_map(|(name, tensor)| Some((name, tensor?)))
        .collect();
        let mut operation = Operation::new("adam_w", stream).tensor("grad", grad).tensor("steps", steps);
        for (name, tensor) in &written {
            operation = operation.tensor(name, tensor);
        }
        operation.placed()?;
        for tensor in written.iter().map(|(_, tensor)| *tensor).chain([grad]) {
            operation.takes("ApplyAdamWV2", signatures::apply_adam_w_v2.takes, tensor.dtype())?;
            if tensor.shape() != param.shape() {
                return Err(operation.refused("all tensors but steps must have one shape".to_owned()));
            }
        }
        if !matches!(steps.dtype(), DType::F32 | DType::I64) || steps.numel() != 1 {
            return Err(operation.refused("steps must be one element of f32 or i64".to_owned()));
        }
        for (index, (name, tensor)) in written.iter().enumerate() {
            operation.writable(name, tensor, param.shape())?;
            let others = written.iter().skip(index + 1).map(|(_, other)| *other);
            if others.chain([grad, steps]).any(|other| tensor.overlap(other) != Overlap::None) {
                return Err(operation.refused(format!("{name} shares memory with another tensor")));
            }
        }
        if param.numel() == 0 {
            return Ok(());
        }
        let [beta1, beta2] = self.betas;
        launch::ApplyAdamWV2(
            stream.into(),
            param,
            first,
            second,
            greatest,
            grad,
            steps,
            self.lr,
            beta1,
            beta2,
            self.weight_decay,
            self.eps,
            greatest.is_some(),
            self.maximize,
        )
    }
}

/// Updates the scale of a loss in mixed precision.
///
/// If `found` is not 0, a gradient was not finite: the scale is multiplied by `backoff`, and `tracker`, which counts steps since
/// the last change, starts again from 0. After `interval` steps without one the scale is multiplied by `growth`, unless that
/// is infinite, and `tracker` starts again as well. CANN does not say in which type a large product is infinite; on the emulator
/// it is that of the scale. `scale` and `found` are one element of f32, f16 or bf16 (not on the 910 and
/// the 310P), both of one type; `tracker` is one element of i32. [`foreach::unscale`](crate::ops::foreach::unscale) makes
/// `found`.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let mut scale = Tensor::from_slice(&device, &[1024.0f32], [1])?;
/// let mut tracker = Tensor::from_slice(&device, &[0], [1])?;
/// let found = Tensor::from_slice(&device, &[1.0f32], [1])?;
/// ops::update_scale(&mut scale, &mut tracker, &found, 2.0, 0.5, 2000)?;
/// assert_eq!(scale.to_vec::<f32>()?, [512.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// [`Argument`](crate::Error::Argument) for tensors of another type, with another number of elements or that share memory;
/// [`Unsupported`](crate::Error::Unsupported), [`Devices`](crate::Error::Devices) and [`Rank`](crate::Error::Rank), all before
/// anything is launched; [`Launch`](crate::Error::Launch) if the library refuses.
#[doc(alias = "aclnnAmpUpdateScale")]
#[inline]
pub fn update_scale(
    scale: &mut Tensor,
    tracker: &mut Tensor,
    found: &Tensor,
    growth: f64,
    backoff: f64,
    interval: i64,
) -> Result<()> {
    let (scale, tracker) = (&*scale, &*tracker);
    let stream = scale.stream();
    let operation = Operation::new("update_scale", stream)
        .tensor("scale", scale)
        .tensor("tracker", tracker)
        .tensor("found", found);
    operation.placed()?;
    operation.takes("AmpUpdateScale", signatures::amp_update_scale.takes, scale.dtype())?;
    let all = [scale, tracker, found];
    if all.iter().any(|tensor| tensor.numel() != 1) {
        return Err(operation.refused("all tensors must have one element".to_owned()));
    }
    if found.dtype() != scale.dtype() || tracker.dtype() != DType::I32 {
        let reason = "scale and found must have one type, and tracker must be i32".to_owned();
        return Err(operation.refused(reason));
    }
    let is_apart = |a: &Tensor, b: &Tensor| a.overlap(b) == Overlap::None;
    if !is_apart(scale, tracker) || !is_apart(scale, found) || !is_apart(tracker, found) {
        return Err(operation.refused("the tensors share memory".to_owned()));
    }
    launch::AmpUpdateScale(stream.into(), scale, tracker, found, growth, backoff, interval, scale, tracker)
}
