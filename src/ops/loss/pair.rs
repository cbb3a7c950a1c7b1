//! The operation of losses of two tensors.

use aclnn_numerics::promote::Edition;
use aclnn_numerics::signature::Wide;
use aclnn_numerics::{DType, Shape};

use super::checks::{has_no_batches, has_shape, has_type};
use super::reduction::LossReduction;
use crate::argument_checks::Operation;
use crate::error::Result;
use crate::ops::prepared::prepared;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// A loss of predictions beside a target, with options; `K` holds those of its kind.
///
/// Operands are f32, f16 or bf16 (not on the 910 and the 310P). Operands of different types are cast to the one that they
/// promote to, which is that of the result. The emulator computes in f64, and rounds each result once; the loss of a sigmoid
/// is rounded for each element before a mean or a sum.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Loss<'a, K> {
    pub(super) own: &'a Tensor,
    pub(super) target: &'a Tensor,
    pub(super) kind: K,
    reduction: LossReduction,
    stream: Option<&'a Stream>,
}

/// A kind of losses: their names, and how they are launched. Weights are those for elements and those of positive
/// targets.
pub trait Kind {
    #[doc(hidden)]
    const NAMES: [&'static str; 2];
    #[doc(hidden)]
    const FORM: &'static str;
    #[doc(hidden)]
    const SIGNATURE: Wide;
    /// Whether predictions and target broadcast.
    #[doc(hidden)]
    const BROADCASTS: bool;
    /// Whether there is a mean over batches.
    #[doc(hidden)]
    const HAS_BATCHES: bool = false;

    #[doc(hidden)]
    fn weights(&self) -> [Option<&Tensor>; 2];
    #[doc(hidden)]
    fn launch(
        &self,
        stream: &Stream,
        operands: [&Tensor; 2],
        weights: [Option<&Tensor>; 2],
        reduction: i64,
        out: &Tensor,
    ) -> Result<()>;
    #[doc(hidden)]
    fn launch_backward(
        &self,
        stream: &Stream,
        operands: [&Tensor; 3],
        weights: [Option<&Tensor>; 2],
        reduction: i64,
        out: &Tensor,
    ) -> Result<()>;
}

/// Operands of a launch in one type, and its reduction.
pub(super) struct Typed {
    operands: [Tensor; 2],
    weights: [Option<Tensor>; 2],
    pub(super) reduction: i64,
}

impl Typed {
    #[inline]
    pub(super) fn operands(&self) -> [&Tensor; 2] {
        self.operands.each_ref()
    }

    #[inline]
    pub(super) fn weights(&self) -> [Option<&Tensor>; 2] {
        self.weights.each_ref().map(Option::as_ref)
    }
}

prepared! {
    ['a, K] Loss<'a, K>:
    on("the predictions")
}

impl<'a, K> Loss<'a, K> {
    #[inline]
    pub(super) fn new(own: &'a Tensor, target: &'a Tensor, kind: K) -> Self {
        Self { own, target, kind, reduction: LossReduction::default(), stream: None }
    }

    /// Sets how the losses of elements are combined; the default is their mean.
    #[inline]
    pub fn reduction(mut self, reduction: LossReduction) -> Self {
        self.reduction = reduction;
        self
    }
}

impl<K: Kind> Loss<'_, K> {
    #[inline]
    fn operation<'o>(&'o self, name: &'static str) -> Operation<'o> {
        let stream = self.stream.unwrap_or(self.own.stream());
        let operation = Operation::new(name, stream).tensor("self", self.own).tensor("target", self.target);
        self.named_weights().fold(operation, |operation, (name, weight)| operation.tensor(name, weight))
    }

    #[inline]
    fn named_weights(&self) -> impl Iterator<Item = (&'static str, &Tensor)> {
        let weights = ["weight", "pos_weight"].into_iter().zip(self.kind.weights());
        weights.filter_map(|(name, weight)| Some((name, weight?)))
    }

    /// Checks the operands. Returns the shape of the losses of elements, and the type in which they are computed.
    #[inline]
    fn checked(&self, operation: &Operation<'_>, grad: Option<&Tensor>) -> Result<(Shape, DType)> {
        operation.placed()?;
        let weights = self.named_weights().map(|(_, weight)| weight);
        let mut promoted = self.own.dtype();
        for tensor in [self.own, self.target].into_iter().chain(weights).chain(grad) {
            operation.takes(K::FORM, K::SIGNATURE.takes, tensor.dtype())?;
            promoted = Edition::default().promote(promoted, tensor.dtype()).unwrap_or(DType::F32);
        }
        if !K::HAS_BATCHES {
            has_no_batches(operation, self.reduction)?;
        }
        let shape = match K::BROADCASTS {
            true => operation.broadcast(self.own.shape(), self.target.shape())?,
            false => self.own.shape().clone(),
        };
        if grad.is_some() || !K::BROADCASTS {
            has_shape(operation, "target", self.target, self.own.dims())?;
        }
        for (name, weight) in self.named_weights() {
            if operation.broadcast(weight.shape(), &shape)? != shape {
                let reason = format!("{name} has shape {}, which is larger than {shape}", weight.shape());
                return Err(operation.refused(reason));
            }
        }
        Ok((shape, promoted))
    }

    /// The operands in one type.
    #[inline]
    fn typed(&self, dtype: DType) -> Result<Typed> {
        let typed = |tensor: &Tensor| match tensor.dtype() == dtype {
            true => Ok(tensor.clone()),
            false => tensor.cast(dtype),
        };
        let [weight, positive] = self.kind.weights();
        let operands = [typed(self.own)?, typed(self.target)?];
        // Tensors of as many axes have one storage format, which the library asks for.
        let ranked = |tensor: &Tensor| -> Result<Tensor> {
            let missing = self.own.rank().saturating_sub(tensor.rank());
            (0..missing).try_fold(typed(tensor)?, |tensor, _| tensor.unsqueeze(0))
        };
        let weights = [weight.map(ranked).transpose()?, positive.map(ranked).transpose()?];
        Ok(Typed { operands, weights, reduction: self.reduction.code() })
    }

    /// Queues the operation and returns the loss: a tensor without axes, or without a reduction a loss for each element.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Broadcast`](crate::Error::Broadcast), [`Devices`](crate::Error::Devices),
    /// [`Rank`](crate::Error::Rank) and [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let [name, _] = K::NAMES;
        let operation = self.operation(name);
        let (shape, dtype) = self.checked(&operation, None)?;
        let out = operation.empty(self.reduction.shape(&shape), dtype)?;
        if out.numel() > 0 {
            let typed = self.typed(dtype)?;
            self.kind.launch(operation.stream, typed.operands(), typed.weights(), typed.reduction, &out)?;
        }
        Ok(out)
    }

    /// Queues the gradient by the predictions and returns it: `grad` is that of the result of [`run`](Loss::run), and has its
    /// shape and type.
    ///
    /// # Errors
    /// Those of [`run`](Loss::run); [`Argument`](crate::Error::Argument) also if predictions and target have different
    /// shapes: broadcast them first, and sum up the gradient along the axes for which that was done.
    #[inline]
    pub fn backward(&self, grad: &Tensor) -> Result<Tensor> {
        let [_, name] = K::NAMES;
        self.gradient(name, grad, |stream, typed, out| {
            let [own, target] = typed.operands();
            let operands = [grad, own, target];
            self.kind.launch_backward(stream, operands, typed.weights(), typed.reduction, out)
        })
    }

    /// A gradient by one of the operands, which have one shape.
    pub(super) fn gradient(
        &self,
        name: &'static str,
        grad: &Tensor,
        launch: impl FnOnce(&Stream, &Typed, &Tensor) -> Result<()>,
    ) -> Result<Tensor> {
        let operation = self.operation(name).tensor("grad", grad);
        let (shape, dtype) = self.checked(&operation, Some(grad))?;
        has_type(&operation, "grad", grad, dtype)?;
        has_shape(&operation, "grad", grad, &self.reduction.shape(&shape))?;
        let out = operation.empty(shape, dtype)?;
        if out.numel() > 0 {
            launch(operation.stream, &self.typed(dtype)?, &out)?;
        }
        Ok(out)
    }
}
