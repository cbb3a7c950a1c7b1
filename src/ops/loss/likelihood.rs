//! The negative log likelihood of classes.

use aclnn_numerics::Shape;

use super::checks::{are_labels, has_no_batches, has_shape, has_type};
use super::reduction::{LossReduction, of_classes};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::ops::prepared::prepared;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The negative log likelihood of classes, with options.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct NllLoss<'a> {
    own: &'a Tensor,
    target: &'a Tensor,
    weight: Option<&'a Tensor>,
    ignored: i64,
    reduction: LossReduction,
    stream: Option<&'a Stream>,
}

/// Starts the loss `−weight[c] self[c]` of rows of logarithms of probabilities, such as those of
/// [`Tensor::log_softmax`], with a class `c` each.
///
/// `own` is `[classes]`, `[n, classes]` or `[n, classes, height, width]`; `target` has the axes without that of the classes,
/// and is i64, i32 or u8. The emulator lets the work fail where a class does not exist; what a device does then is known of
/// the 950 alone, which fails too.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[-1.0f32, -2.0, -0.5, -4.0], [2, 2])?;
/// let target = Tensor::from_slice(&device, &[1i64, 0], [2])?;
/// let loss = ops::nll_loss(&x, &target);
/// let (mean, total_weight) = loss.run_with_total_weight()?;
/// assert_eq!(mean.to_vec::<f32>()?, [1.25]);
/// let grad = Tensor::ones(&device, [], aclnn::DType::F32)?;
/// assert_eq!(loss.backward(&grad, &total_weight)?.to_vec::<f32>()?, [0.0, -0.5, -0.5, 0.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnNLLLoss")]
#[doc(alias = "aclnnNLLLoss2d")]
#[inline]
pub fn nll_loss<'a>(own: &'a Tensor, target: &'a Tensor) -> NllLoss<'a> {
    let reduction = LossReduction::default();
    NllLoss { own, target, weight: None, ignored: -100, reduction, stream: None }
}

prepared! {
    ['a] NllLoss<'a>:
    on("the logarithms")
}

of_classes!(NllLoss);

/// The checked operands: the rows of the logarithms, whether they are images, and the weights of the classes.
struct Checked {
    rows: Shape,
    of_images: bool,
    weight: Tensor,
}

impl<'a> NllLoss<'a> {
    /// Sets a weight for each class, of the type of the logarithms. A mean is divided by the sum of the weights of all rows.
    #[inline]
    pub fn weight(mut self, weight: &'a Tensor) -> Self {
        self.weight = Some(weight);
        self
    }

    #[inline]
    fn checked(&self, operation: &Operation<'_>) -> Result<Checked> {
        operation.placed()?;
        operation.takes("NLLLoss", signatures::nll_loss.takes, self.own.dtype())?;
        are_labels(operation, self.target)?;
        has_no_batches(operation, self.reduction)?;
        let (classes, rows) = match *self.own.dims() {
            [classes] => (classes, Shape::scalar()),
            [rows, classes] => (classes, Shape::from([rows])),
            [images, classes, height, width] => (classes, Shape::from([images, height, width])),
            _ => {
                let reason = format!("self has {} axes, but must have 1, 2 or 4", self.own.rank());
                return Err(operation.refused(reason));
            }
        };
        has_shape(operation, "target", self.target, &rows)?;
        if classes == 0 {
            return Err(operation.refused("there are no classes".to_owned()));
        }
        let weight = match self.weight {
            Some(weight) => {
                has_type(operation, "weight", weight, self.own.dtype())?;
                has_shape(operation, "weight", weight, &[classes])?;
                weight.clone()
            }
            None => Tensor::ones(operation.stream, [classes], self.own.dtype())?,
        };
        Ok(Checked { rows, of_images: self.own.rank() == 4, weight })
    }

    /// Queues the operation and returns the loss: a tensor without axes, or without a reduction a loss for each row.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        self.run_with_total_weight().map(|(loss, _)| loss)
    }

    /// Queues the operation and returns the loss, and the sum of the weights of all rows that are not ignored, which
    /// [`backward`](NllLoss::backward) takes. Without a reduction that is 0.
    ///
    /// # Errors
    /// Those of [`run`](NllLoss::run).
    #[inline]
    pub fn run_with_total_weight(&self) -> Result<(Tensor, Tensor)> {
        let operation = self.operation("nll_loss");
        let Checked { rows, of_images, weight } = self.checked(&operation)?;
        let (stream, dtype) = (operation.stream, self.own.dtype());
        let out = operation.empty(self.reduction.shape(&rows), dtype)?;
        // The library does not write it without a reduction.
        let total = Tensor::zeros(stream, Shape::scalar(), dtype)?;
        let form = if of_images { launch::NLLLoss2d } else { launch::NLLLoss };
        let (own, target, code) = (self.own, self.target, self.reduction.code());
        if out.numel() > 0 {
            form(stream.into(), own, target, &weight, code, self.ignored, &out, &total)?;
        }
        Ok((out, total))
    }

    /// Queues the gradient by the logarithms and returns it: `grad` is that of the loss and has its shape, and `total_weight`
    /// comes from [`run_with_total_weight`](NllLoss::run_with_total_weight).
    ///
    /// # Errors
    /// Those of [`run`](NllLoss::run).
    #[doc(alias = "aclnnNLLLossBackward")]
    #[doc(alias = "aclnnNLLLoss2dBackward")]
    #[inline]
    pub fn backward(&self, grad: &Tensor, total_weight: &Tensor) -> Result<Tensor> {
        let operation = self.operation("nll_loss_backward").tensor("grad", grad);
        let operation = operation.tensor("total_weight", total_weight);
        let Checked { rows, of_images, weight } = self.checked(&operation)?;
        has_type(&operation, "grad", grad, self.own.dtype())?;
        has_shape(&operation, "grad", grad, &self.reduction.shape(&rows))?;
        has_type(&operation, "total_weight", total_weight, self.own.dtype())?;
        has_shape(&operation, "total_weight", total_weight, &[])?;
        let out = operation.empty(self.own.shape(), self.own.dtype())?;
        let form = if of_images { launch::NLLLoss2dBackward } else { launch::NLLLossBackward };
        let (own, target, code) = (self.own, self.target, self.reduction.code());
        if out.numel() > 0 {
            form(
                operation.stream.into(),
                grad,
                own,
                target,
                &weight,
                code,
                self.ignored,
                total_weight,
                &out,
            )?;
        }
        Ok(out)
    }
}
