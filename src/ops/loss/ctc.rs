//! The connectionist temporal classification loss.

use aclnn_numerics::DType::{I32, I64};
use aclnn_numerics::Shape;
use aclnn_numerics::product::Product::Ascend950;

use super::checks::{has_shape, has_type};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::ops::prepared::prepared;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The connectionist temporal classification loss, with options.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct CtcLoss<'a> {
    own: &'a Tensor,
    target: &'a Tensor,
    lengths: &'a [i64],
    target_lengths: &'a [i64],
    blank: i64,
    zero_infinity: bool,
    stream: Option<&'a Stream>,
}

/// Starts the negative logarithm of the probability that sequences of classes read as their labels, once repetitions and
/// then blanks are left out.
///
/// `own` holds logarithms of probabilities, `[steps, n, classes]`, in f32, f64, f16 or bf16. `target` holds the labels, a row
/// of i32 or i64 for each sequence, or all one after the other; labels are not 0, unless the blank is another class.
/// `lengths` and `target_lengths` say how many steps and labels each sequence has.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// // Two steps, one sequence, and two classes, all alike: three of four ways to read them give the label 1.
/// let x = Tensor::full(&device, [2, 1, 2], 0.5f32.ln(), aclnn::DType::F32)?;
/// let target = Tensor::from_slice(&device, &[1i64], [1, 1])?;
/// let (loss, log_alpha) = ops::ctc_loss(&x, &target, &[2], &[1]).run()?;
/// assert!((loss.to_vec::<f32>()?[0] + 0.75f32.ln()).abs() < 1e-6);
/// # drop(log_alpha);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnCtcLoss")]
#[inline]
pub fn ctc_loss<'a>(
    own: &'a Tensor,
    target: &'a Tensor,
    lengths: &'a [i64],
    target_lengths: &'a [i64],
) -> CtcLoss<'a> {
    CtcLoss { own, target, lengths, target_lengths, blank: 0, zero_infinity: false, stream: None }
}

prepared! {
    ['a] CtcLoss<'a>:
    on("the logarithms")
}

impl<'a> CtcLoss<'a> {
    /// Sets the class that is no label; the default is 0.
    #[inline]
    pub fn blank(mut self, class: i64) -> Self {
        self.blank = class;
        self
    }

    /// Lets the gradient of an infinite loss, of a sequence that is too short for its labels, be 0.
    #[inline]
    pub fn zero_infinity(mut self) -> Self {
        self.zero_infinity = true;
        self
    }

    #[inline]
    fn operation<'o>(&'o self, name: &'static str) -> Operation<'o> {
        let stream = self.stream.unwrap_or(self.own.stream());
        Operation::new(name, stream).tensor("self", self.own).tensor("target", self.target)
    }

    /// Checks the operands. Returns the number of sequences, and the shape of the logarithms of a forward pass.
    #[inline]
    fn checked(&self, operation: &Operation<'_>) -> Result<(usize, Shape)> {
        operation.placed()?;
        operation.takes("CtcLoss", signatures::ctc_loss.takes, self.own.dtype())?;
        let [steps, count, classes] = *self.own.dims() else {
            return Err(operation.refused(format!("self has {} axes, but must have 3", self.own.rank())));
        };
        if !matches!(self.target.dtype(), I32 | I64) {
            return Err(
                operation.refused(format!("target is {}, but must be i32 or i64", self.target.dtype()))
            );
        }
        if self.lengths.len() != count || self.target_lengths.len() != count {
            let (lengths, others) = (self.lengths.len(), self.target_lengths.len());
            let reason =
                format!("there are {lengths} lengths and {others} target lengths for {count} sequences");
            return Err(operation.refused(reason));
        }
        let is_len = |len: &i64, most: usize| usize::try_from(*len).is_ok_and(|len| len <= most);
        let row = match *self.target.dims() {
            [rows, row] if rows == count => row,
            [all]
                if self.target_lengths.iter().try_fold(0i64, |sum, len| sum.checked_add(*len))
                    == Some(all as i64) =>
            {
                all
            }
            _ => {
                let reason = format!(
                    "target has shape {}, but needs a row for each of {count} sequences, or all labels one after the other",
                    self.target.shape()
                );
                return Err(operation.refused(reason));
            }
        };
        if steps == 0 || !self.lengths.iter().all(|len| is_len(len, steps)) {
            return Err(operation.refused(format!(
                "lengths must be from 0 to the {steps} steps, of which there must be some"
            )));
        }
        if !self.target_lengths.iter().all(|len| is_len(len, row)) {
            return Err(operation.refused(format!("target lengths must be from 0 to {row}")));
        }
        if !usize::try_from(self.blank).is_ok_and(|blank| blank < classes) {
            let blank = self.blank;
            return Err(operation.refused(format!("blank is {blank}, but there are {classes} classes")));
        }
        let longest = self.target_lengths.iter().max().map_or(0, |len| *len as usize);
        let states = 2 * longest + 1;
        let states = if operation.product() == Some(Ascend950) { states } else { states.next_multiple_of(8) };
        Ok((count, Shape::from([count, steps, states])))
    }

    /// Queues the operation and returns the loss of each sequence, and the logarithms of its forward pass, `[n, steps, states]`,
    /// which [`backward`](CtcLoss::backward) takes. The emulator writes minus infinity where those have no meaning.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<(Tensor, Tensor)> {
        let operation = self.operation("ctc_loss");
        let (count, forward) = self.checked(&operation)?;
        let dtype = self.own.dtype();
        let (loss, forward) = (operation.empty([count], dtype)?, operation.empty(forward, dtype)?);
        if count > 0 {
            launch::CtcLoss(
                operation.stream.into(),
                self.own,
                self.target,
                self.lengths,
                self.target_lengths,
                self.blank,
                self.zero_infinity,
                &loss,
                &forward,
            )?;
        }
        Ok((loss, forward))
    }

    /// Queues the gradient by the logarithms and returns it: `grad` is that of the losses, and `loss` and `log_alpha` come from
    /// [`run`](CtcLoss::run).
    ///
    /// # Errors
    /// Those of [`run`](CtcLoss::run).
    #[doc(alias = "aclnnCtcLossBackward")]
    #[inline]
    pub fn backward(&self, grad: &Tensor, loss: &Tensor, log_alpha: &Tensor) -> Result<Tensor> {
        let operation = self.operation("ctc_loss_backward").tensor("grad", grad);
        let operation = operation.tensor("loss", loss).tensor("log_alpha", log_alpha);
        let (count, forward) = self.checked(&operation)?;
        for (name, tensor, shape) in [
            ("grad", grad, &Shape::from([count])),
            ("loss", loss, &Shape::from([count])),
            ("log_alpha", log_alpha, &forward),
        ] {
            has_type(&operation, name, tensor, self.own.dtype())?;
            has_shape(&operation, name, tensor, shape)?;
        }
        let out = operation.empty(self.own.shape(), self.own.dtype())?;
        if out.numel() > 0 {
            launch::CtcLossBackward(
                operation.stream.into(),
                grad,
                self.own,
                self.target,
                self.lengths,
                self.target_lengths,
                loss,
                log_alpha,
                self.blank,
                self.zero_infinity,
                &out,
            )?;
        }
        Ok(out)
    }
}
