//! The cross entropy of the softmax of rows: of classes, and of probabilities.

use aclnn_numerics::DType::{F32, I32, I64};
use aclnn_numerics::Shape;

use super::checks::{has_no_batches, has_shape, has_type};
use super::reduction::{LossReduction, of_classes};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::ops::prepared::prepared;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The cross entropy of the softmax of rows and a class each, with options.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct CrossEntropy<'a> {
    own: &'a Tensor,
    target: &'a Tensor,
    weight: Option<&'a Tensor>,
    ignored: i64,
    smoothing: f64,
    reduction: LossReduction,
    stream: Option<&'a Stream>,
}

/// Starts the cross entropy of the softmax of rows `[n, classes]` and a class each, `[n]` of i64: the negative of the
/// logarithm of its probability.
///
/// The 910B and the 950 have an operator for it; on others [`Tensor::log_softmax`] and [`nll_loss`](crate::ops::nll_loss())
/// give the same. The emulator lets the work fail where a class does not exist.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[0.0f32, 0.0, 3.0, -3.0], [2, 2])?;
/// let target = Tensor::from_slice(&device, &[1i64, 0], [2])?;
/// let loss = ops::cross_entropy(&x, &target);
/// let (mean, log_probabilities) = loss.run_with_log_probabilities()?;
/// assert_eq!(mean.to_vec::<f32>()?, [0.34781143]);
/// let grad = Tensor::ones(&device, [], aclnn::DType::F32)?;
/// assert_eq!(loss.backward(&grad, &log_probabilities)?.to_vec::<f32>()?[..2], [0.25, -0.25]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnCrossEntropyLoss")]
#[inline]
pub fn cross_entropy<'a>(own: &'a Tensor, target: &'a Tensor) -> CrossEntropy<'a> {
    let reduction = LossReduction::default();
    CrossEntropy { own, target, weight: None, ignored: -100, smoothing: 0.0, reduction, stream: None }
}

prepared! {
    ['a] CrossEntropy<'a>:
    on("the rows")
}

of_classes!(CrossEntropy);

impl<'a> CrossEntropy<'a> {
    /// Sets a weight for each class, as f32. A mean is divided by the sum of the weights of all rows.
    #[inline]
    pub fn weight(mut self, weight: &'a Tensor) -> Self {
        self.weight = Some(weight);
        self
    }

    /// Sets the part of the loss, from 0 to 1, that all classes have alike; the default is 0. There is no operator for the
    /// gradient of another number.
    #[inline]
    pub fn label_smoothing(mut self, smoothing: f64) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// Checks the operands. Returns the number of rows.
    #[inline]
    fn checked(&self, operation: &Operation<'_>) -> Result<usize> {
        operation.placed()?;
        operation.takes("CrossEntropyLoss", signatures::cross_entropy_loss.takes, self.own.dtype())?;
        has_no_batches(operation, self.reduction)?;
        let [rows, classes] = *self.own.dims() else {
            return Err(operation.refused(format!("self has {} axes, but must have 2", self.own.rank())));
        };
        has_type(operation, "target", self.target, I64)?;
        has_shape(operation, "target", self.target, &[rows])?;
        if let Some(weight) = self.weight {
            has_type(operation, "weight", weight, F32)?;
            has_shape(operation, "weight", weight, &[classes])?;
        }
        if classes == 0 {
            return Err(operation.refused("there are no classes".to_owned()));
        }
        if !(0.0..=1.0).contains(&self.smoothing) {
            let reason = format!("label_smoothing is {}, but must be from 0 to 1", self.smoothing);
            return Err(operation.refused(reason));
        }
        Ok(rows)
    }

    /// Queues the operation and returns the loss: a tensor without axes, or without a reduction a loss for each row.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        self.run_with_log_probabilities().map(|(loss, _)| loss)
    }

    /// Queues the operation and returns the loss, and the logarithms of the softmax, which
    /// [`backward`](CrossEntropy::backward) takes.
    ///
    /// # Errors
    /// Those of [`run`](CrossEntropy::run).
    #[inline]
    pub fn run_with_log_probabilities(&self) -> Result<(Tensor, Tensor)> {
        let operation = self.operation("cross_entropy");
        let rows = self.checked(&operation)?;
        let (stream, dtype, is_each) =
            (operation.stream, self.own.dtype(), self.reduction == LossReduction::None);
        // The library gives a reduced loss one axis.
        let out = operation.empty(if is_each { [rows] } else { [1] }, dtype)?;
        let logarithms = operation.empty(self.own.shape(), dtype)?;
        if out.numel() > 0 {
            // It asks for two more results, which it does not write.
            let (loss, each) = (operation.empty(out.shape(), dtype)?, operation.empty([rows], dtype)?);
            launch::CrossEntropyLoss(
                stream.into(),
                self.own,
                self.target,
                self.weight,
                self.reduction.text(),
                self.ignored,
                self.smoothing,
                0.0,
                false,
                &out,
                &logarithms,
                &loss,
                &each,
            )?;
        }
        Ok((if is_each { out } else { out.reshape(Shape::scalar())? }, logarithms))
    }

    /// Queues the gradient by the rows and returns it: `grad` is that of the loss and has its shape, and `log_probabilities`
    /// come from [`run_with_log_probabilities`](CrossEntropy::run_with_log_probabilities).
    ///
    /// # Errors
    /// Those of [`run`](CrossEntropy::run); [`Argument`](crate::Error::Argument) also where labels are smoothed.
    #[doc(alias = "aclnnCrossEntropyLossGrad")]
    #[inline]
    pub fn backward(&self, grad: &Tensor, log_probabilities: &Tensor) -> Result<Tensor> {
        let operation = self.operation("cross_entropy_backward").tensor("grad", grad);
        let operation = operation.tensor("log_probabilities", log_probabilities);
        let rows = self.checked(&operation)?;
        let dtype = self.own.dtype();
        let of_loss: &[usize] = if self.reduction == LossReduction::None { &[rows] } else { &[] };
        has_type(&operation, "grad", grad, dtype)?;
        has_shape(&operation, "grad", grad, of_loss)?;
        has_type(&operation, "log_probabilities", log_probabilities, dtype)?;
        has_shape(&operation, "log_probabilities", log_probabilities, self.own.dims())?;
        if self.smoothing != 0.0 {
            return Err(operation.refused("there is no gradient of smoothed labels".to_owned()));
        }
        let out = operation.empty(self.own.shape(), dtype)?;
        if out.numel() > 0 {
            launch::CrossEntropyLossGrad(
                operation.stream.into(),
                grad,
                log_probabilities,
                self.target,
                self.weight,
                None,
                None,
                self.reduction.text(),
                self.ignored,
                0.0,
                0.0,
                &out,
            )?;
        }
        Ok(out)
    }
}

impl Tensor {
    /// Computes how far the numbers of the classes of each row `[n, classes]` are from lying 1 above those of all other classes:
    /// the loss, and which classes are those of the row, as 1 and 0 of the type of this tensor.
    ///
    /// `target` has the shape of this tensor, i64 or i32, and lists the classes of each row, up to the first −1. A tensor with
    /// one axis is one row, whose loss has no axes. What CANN refuses is not known; the emulator does as PyTorch, and lets
    /// the work fail where a class does not exist.
    ///
    /// ```
    /// use aclnn::ops::LossReduction;
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[2.0f32, 0.0, 1.5, 0.0], [1, 4])?;
    /// let target = Tensor::from_slice(&device, &[0i64, -1, 0, 0], [1, 4])?;
    /// let (loss, is_target) = x.multilabel_margin_loss(&target, LossReduction::Mean)?;
    /// assert_eq!(loss.to_vec::<f32>()?, [0.125]);
    /// assert_eq!(is_target.to_vec::<f32>()?, [1.0, 0.0, 0.0, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if shapes or types do not fit; [`Unsupported`](crate::Error::Unsupported);
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch).
    #[doc(alias = "aclnnMultilabelMarginLoss")]
    #[inline]
    pub fn multilabel_margin_loss(
        &self,
        target: &Tensor,
        reduction: LossReduction,
    ) -> Result<(Tensor, Tensor)> {
        let operation = Operation::new("multilabel_margin_loss", self.stream())
            .tensor("self", self)
            .tensor("target", target);
        operation.placed()?;
        let takes = signatures::multilabel_margin_loss.takes;
        operation.takes("MultilabelMarginLoss", takes, self.dtype())?;
        has_no_batches(&operation, reduction)?;
        if !matches!(target.dtype(), I32 | I64) {
            return Err(operation.refused(format!("target is {}, but must be i64 or i32", target.dtype())));
        }
        let rows = match *self.dims() {
            [_] => Shape::scalar(),
            [rows, _] => Shape::from([rows]),
            _ => {
                let reason = format!("self has {} axes, but must have 1 or 2", self.rank());
                return Err(operation.refused(reason));
            }
        };
        has_shape(&operation, "target", target, self.dims())?;
        let loss = operation.empty(reduction.shape(&rows), self.dtype())?;
        let is_target = operation.empty(self.shape(), self.dtype())?;
        if loss.numel() > 0 {
            let on = operation.stream.into();
            launch::MultilabelMarginLoss(on, self, target, reduction.code(), &loss, &is_target)?;
        }
        Ok((loss, is_target))
    }

    /// Computes the cross entropy of the softmax of rows `[n, classes]` and probabilities `labels` of the same shape: a loss for
    /// each row, and the gradient of each by its row for labels that sum up to 1.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[1.0f32, 1.0], [1, 2])?;
    /// let labels = Tensor::from_slice(&device, &[0.25f32, 0.75], [1, 2])?;
    /// let (loss, gradient) = x.softmax_cross_entropy(&labels)?;
    /// assert_eq!(loss.to_vec::<f32>()?, [0.6931472]);
    /// assert_eq!(gradient.to_vec::<f32>()?, [0.25, -0.25]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if both are not tables of one shape and type;
    /// [`Unsupported`](crate::Error::Unsupported); [`OutOfMemory`](crate::Error::OutOfMemory);
    /// [`Launch`](crate::Error::Launch).
    #[doc(alias = "aclnnSoftmaxCrossEntropyWithLogits")]
    #[inline]
    pub fn softmax_cross_entropy(&self, labels: &Tensor) -> Result<(Tensor, Tensor)> {
        let operation = Operation::new("softmax_cross_entropy", self.stream())
            .tensor("self", self)
            .tensor("labels", labels);
        operation.placed()?;
        let takes = signatures::softmax_cross_entropy_with_logits.takes;
        operation.takes("SoftmaxCrossEntropyWithLogits", takes, self.dtype())?;
        let [rows, _] = *self.dims() else {
            return Err(operation.refused(format!("self has {} axes, but must have 2", self.rank())));
        };
        has_type(&operation, "labels", labels, self.dtype())?;
        has_shape(&operation, "labels", labels, self.dims())?;
        let results = (operation.empty([rows], self.dtype())?, operation.empty(self.shape(), self.dtype())?);
        if self.numel() > 0 {
            let (loss, gradient) = (&results.0, &results.1);
            launch::SoftmaxCrossEntropyWithLogits(operation.stream.into(), self, labels, loss, gradient)?;
        } else if rows > 0 {
            // The sum over no classes.
            launch::InplaceZero(operation.stream.into(), &results.0)?;
        }
        Ok(results)
    }
}
