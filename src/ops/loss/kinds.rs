//! The losses of two tensors.

use aclnn_numerics::signature::Wide;

use super::pair::{Kind, Loss};
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// Expands to kinds: their attributes, weights, names, operators, and whether predictions and target broadcast.
macro_rules! kinds {
    ($(
        $(#[$doc:meta])*
        $Kind:ident $(<$life:lifetime>)? { $($field:ident: $type:ty),* }
        attributes [$($attribute:ident),*] weights [$($weight:ident),*]:
        $name:ident $backward:ident $Form:ident $Backward:ident broadcasts $broadcasts:literal batches $batches:literal;
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default)]
        pub struct $Kind $(<$life>)? {
            $($field: $type,)*
        }

        impl $(<$life>)? Kind for $Kind $(<$life>)? {
            const NAMES: [&'static str; 2] = [stringify!($name), stringify!($backward)];
            const FORM: &'static str = stringify!($Form);
            // Integers, of which the absolute difference alone is known, have no gradient.
            const SIGNATURE: Wide = signatures::$backward;
            const BROADCASTS: bool = $broadcasts;
            const HAS_BATCHES: bool = $batches;

            #[inline]
            fn weights(&self) -> [Option<&Tensor>; 2] {
                let mut weights = [$(self.$weight),*].into_iter();
                [weights.next().flatten(), weights.next().flatten()]
            }

            #[inline]
            fn launch(
                &self,
                stream: &Stream,
                [own, target]: [&Tensor; 2],
                weights: [Option<&Tensor>; 2],
                reduction: i64,
                out: &Tensor,
            ) -> Result<()> {
                let mut _weights = weights.into_iter();
                $(let $weight = _weights.next().flatten();)*
                launch::$Form(stream.into(), own, target, $($weight,)* reduction, $(self.$attribute,)* out)
            }

            #[inline]
            fn launch_backward(
                &self,
                stream: &Stream,
                [grad, own, target]: [&Tensor; 3],
                weights: [Option<&Tensor>; 2],
                reduction: i64,
                out: &Tensor,
            ) -> Result<()> {
                let mut _weights = weights.into_iter();
                $(let $weight = _weights.next().flatten();)*
                launch::$Backward(stream.into(), grad, own, target, $($weight,)* reduction, $(self.$attribute,)* out)
            }
        }
    )*};
}

kinds! {
    /// The kind of [`mse_loss`].
    Mse {} attributes [] weights []:
        mse_loss mse_loss_backward MseLoss MseLossBackward broadcasts true batches false;
    /// The kind of [`l1_loss`].
    L1 {} attributes [] weights []:
        l1_loss l1_loss_backward L1Loss L1LossBackward broadcasts true batches false;
    /// The kind of [`soft_margin_loss`].
    SoftMargin {} attributes [] weights []:
        soft_margin_loss soft_margin_loss_backward SoftMarginLoss SoftMarginLossBackward broadcasts true batches false;
    /// The kind of [`smooth_l1_loss`].
    SmoothL1 { beta: f32 } attributes [beta] weights []:
        smooth_l1_loss smooth_l1_loss_backward SmoothL1Loss SmoothL1LossBackward broadcasts true batches false;
    /// The kind of [`kl_div`].
    Divergence { log_target: bool } attributes [log_target] weights []:
        kl_div kl_div_backward KlDiv KlDivBackward broadcasts true batches true;
    /// The kind of [`binary_cross_entropy`].
    BinaryCrossEntropy<'a> { weight: Option<&'a Tensor> } attributes [] weights [weight]:
        binary_cross_entropy binary_cross_entropy_backward BinaryCrossEntropy BinaryCrossEntropyBackward
        broadcasts false batches false;
    /// The kind of [`binary_cross_entropy_with_logits`].
    BinaryCrossEntropyWithLogits<'a> { weight: Option<&'a Tensor>, pos_weight: Option<&'a Tensor> }
        attributes [] weights [weight, pos_weight]:
        binary_cross_entropy_with_logits binary_cross_entropy_with_logits_backward BinaryCrossEntropyWithLogits
        BinaryCrossEntropyWithLogitsBackward broadcasts false batches false;
}

/// Starts the loss `(self − target)²`. Both broadcast.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
/// use aclnn::ops::LossReduction;
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 2.0, 4.0], [3])?;
/// let target = Tensor::from_slice(&device, &[1.0f32, 0.0, 5.0], [3])?;
/// let loss = ops::mse_loss(&x, &target).reduction(LossReduction::Sum);
/// assert_eq!(loss.run()?.to_vec::<f32>()?, [5.0]);
/// let grad = Tensor::ones(&device, [], aclnn::DType::F32)?;
/// assert_eq!(loss.backward(&grad)?.to_vec::<f32>()?, [0.0, 4.0, -2.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnMseLoss")]
#[doc(alias = "aclnnMseLossBackward")]
#[inline]
pub fn mse_loss<'a>(own: &'a Tensor, target: &'a Tensor) -> Loss<'a, Mse> {
    Loss::new(own, target, Mse {})
}

/// Starts the loss `|self − target|`. Both broadcast. The gradient is 0 where they are equal.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?;
/// let target = Tensor::from_slice(&device, &[4.0f32], [1])?;
/// assert_eq!(ops::l1_loss(&x, &target).run()?.to_vec::<f32>()?, [2.5]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnL1Loss")]
#[doc(alias = "aclnnL1LossBackward")]
#[inline]
pub fn l1_loss<'a>(own: &'a Tensor, target: &'a Tensor) -> Loss<'a, L1> {
    Loss::new(own, target, L1 {})
}

/// Starts the loss `log(1 + e^(−target self))`, for targets of −1 and 1. Both broadcast.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[0.0f32, 0.0], [2])?;
/// let target = Tensor::from_slice(&device, &[-1.0f32, 1.0], [2])?;
/// assert_eq!(ops::soft_margin_loss(&x, &target).run()?.to_vec::<f32>()?, [0.6931472]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnSoftMarginLoss")]
#[doc(alias = "aclnnSoftMarginLossBackward")]
#[inline]
pub fn soft_margin_loss<'a>(own: &'a Tensor, target: &'a Tensor) -> Loss<'a, SoftMargin> {
    Loss::new(own, target, SoftMargin {})
}

impl Loss<'_, SmoothL1> {
    /// Sets the difference below which the loss is squared; the default is 1. The library refuses a negative one.
    ///
    /// With 0 the loss is [`l1_loss`], and its gradient NaN where prediction and target are equal.
    #[inline]
    pub fn beta(mut self, beta: f32) -> Self {
        self.kind.beta = beta;
        self
    }
}

/// Starts the loss `d² / 2 beta` for differences `d` below `beta`, and `|d| − beta / 2` for others. Both tensors broadcast.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[0.5f32, 3.0], [2])?;
/// let target = Tensor::from_slice(&device, &[0.0f32, 0.0], [2])?;
/// assert_eq!(ops::smooth_l1_loss(&x, &target).beta(2.0).run()?.to_vec::<f32>()?, [1.03125]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnSmoothL1Loss")]
#[doc(alias = "aclnnSmoothL1LossBackward")]
#[inline]
pub fn smooth_l1_loss<'a>(own: &'a Tensor, target: &'a Tensor) -> Loss<'a, SmoothL1> {
    Loss::new(own, target, SmoothL1 { beta: 1.0 })
}

impl Loss<'_, Divergence> {
    /// Declares that the target holds logarithms of probabilities too.
    #[inline]
    pub fn log_target(mut self) -> Self {
        self.kind.log_target = true;
        self
    }

    /// Queues the gradient by the target and returns it. In the emulator it is 0 where the target is 0.
    ///
    /// # Errors
    /// Those of [`backward`](Loss::backward).
    #[doc(alias = "aclnnKlDivTargetBackward")]
    #[inline]
    pub fn target_backward(&self, grad: &Tensor) -> Result<Tensor> {
        self.gradient("kl_div_target_backward", grad, |stream, typed, out| {
            let ([own, target], is_logarithm) = (typed.operands(), self.kind.log_target);
            launch::KlDivTargetBackward(stream.into(), grad, own, target, typed.reduction, is_logarithm, out)
        })
    }
}

/// Starts the divergence of Kullback and Leibler of probabilities `target` from those whose logarithms are `self`:
/// `target (log target − self)`. Both broadcast. A target of 0 adds nothing; the documentation of CANN says NaN there, except
/// for the 950.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
/// use aclnn::ops::LossReduction;
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[0.25f32, 0.75], [1, 2])?.log()?;
/// let target = Tensor::from_slice(&device, &[0.5f32, 0.5], [1, 2])?;
/// let divergence = ops::kl_div(&x, &target).reduction(LossReduction::BatchMean).run()?;
/// assert_eq!(divergence.to_vec::<f32>()?, [0.14384104]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnKlDiv")]
#[doc(alias = "aclnnKlDivBackward")]
#[inline]
pub fn kl_div<'a>(own: &'a Tensor, target: &'a Tensor) -> Loss<'a, Divergence> {
    Loss::new(own, target, Divergence { log_target: false })
}

impl<'a> Loss<'a, BinaryCrossEntropy<'a>> {
    /// Sets weights of the losses of elements, which broadcast to the predictions.
    #[inline]
    pub fn weight(mut self, weight: &'a Tensor) -> Self {
        self.kind.weight = Some(weight);
        self
    }
}

/// Starts the cross entropy of probabilities `self` and `target`, which have one shape. Logarithms below −100 count as −100,
/// so that a prediction of 0 has a finite loss.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[0.5f32, 1.0], [2])?;
/// let target = Tensor::from_slice(&device, &[1.0f32, 0.0], [2])?;
/// assert_eq!(ops::binary_cross_entropy(&x, &target).run()?.to_vec::<f32>()?, [50.346573]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnBinaryCrossEntropy")]
#[doc(alias = "aclnnBinaryCrossEntropyBackward")]
#[inline]
pub fn binary_cross_entropy<'a>(own: &'a Tensor, target: &'a Tensor) -> Loss<'a, BinaryCrossEntropy<'a>> {
    Loss::new(own, target, BinaryCrossEntropy::default())
}

impl<'a> Loss<'a, BinaryCrossEntropyWithLogits<'a>> {
    /// Sets weights of the losses of elements, which broadcast to the predictions.
    #[inline]
    pub fn weight(mut self, weight: &'a Tensor) -> Self {
        self.kind.weight = Some(weight);
        self
    }

    /// Sets how often positive targets count, which broadcasts to the predictions.
    #[inline]
    pub fn pos_weight(mut self, pos_weight: &'a Tensor) -> Self {
        self.kind.pos_weight = Some(pos_weight);
        self
    }

    /// Queues the gradient by the target and returns it.
    ///
    /// # Errors
    /// Those of [`backward`](Loss::backward).
    #[doc(alias = "aclnnBinaryCrossEntropyWithLogitsTargetBackward")]
    #[inline]
    pub fn target_backward(&self, grad: &Tensor) -> Result<Tensor> {
        self.gradient("binary_cross_entropy_with_logits_target_backward", grad, |stream, typed, out| {
            let ([own, target], [weight, positive]) = (typed.operands(), typed.weights());
            launch::BinaryCrossEntropyWithLogitsTargetBackward(
                stream.into(),
                grad,
                own,
                target,
                weight,
                positive,
                typed.reduction,
                out,
            )
        })
    }
}

/// Starts the cross entropy of the sigmoid of `self` and probabilities `target`, which have one shape. Large numbers lose no
/// digits in the sigmoid.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[0.0f32, 200.0], [2])?;
/// let target = Tensor::from_slice(&device, &[1.0f32, 0.0], [2])?;
/// assert_eq!(ops::binary_cross_entropy_with_logits(&x, &target).run()?.to_vec::<f32>()?, [100.34657]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnBinaryCrossEntropyWithLogits")]
#[doc(alias = "aclnnBinaryCrossEntropyWithLogitsBackward")]
#[inline]
pub fn binary_cross_entropy_with_logits<'a>(
    own: &'a Tensor,
    target: &'a Tensor,
) -> Loss<'a, BinaryCrossEntropyWithLogits<'a>> {
    Loss::new(own, target, BinaryCrossEntropyWithLogits::default())
}
