//! Losses of the difference of two tensors, or of their product.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::Ascend950;
use aclnn_numerics::signature::{Output, Wide};
use cann_kernels::networks::loss::elements::Term;
use cann_kernels::networks::loss::functions::{
    Distance, DistanceGradient, DistanceGradientBeyond, SmoothDistance, SmoothDistanceGradient, SoftMargin,
    SoftMarginGradient, Square, SquareGradient,
};

use super::reduction::Reduction;
use super::terms::Terms;
use crate::operators::axes::{invalid, no_kernel, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// Operands that broadcast, and their output.
pub(super) struct Broadcast<'c, const N: usize> {
    pub(super) operands: [Operand<'c>; N],
    pub(super) out: Operand<'c>,
    pub(super) dtypes: [DType; N],
    pub(super) promoted: DType,
    pub(super) to: DType,
    pub(super) shape: Shape,
}

impl<'c, const N: usize> Broadcast<'c, N> {
    /// The tensors of these names, with the types of a list; `promotes` says that any type will do that is promoted to one
    /// of the list.
    pub(super) fn of(call: &'c Call<'_>, signature: &Wide, names: [&str; N], promotes: bool) -> Result<Self> {
        let mut operands = Vec::with_capacity(N);
        for name in names {
            operands.push(call.tensor(name)?);
        }
        let out = call.output()?;
        let operands: [Operand<'c>; N] =
            operands.try_into().map_err(|_| no_kernel("the declaration has other operands"))?;
        let mut dtypes = [DType::F32; N];
        for (operand, dtype) in operands.iter().zip(&mut dtypes) {
            *dtype = match promotes {
                false => check::dtype(operand, signature.takes)?,
                true => check::any_dtype(operand)?,
            };
        }
        let first = *dtypes.first().unwrap_or(&DType::F32);
        let promoted = dtypes.iter().try_fold(first, |common, dtype| check::promote(common, *dtype))?;
        if !check::types(signature.takes).contains(promoted) {
            let list = check::types(signature.takes);
            return invalid(format_args!("the operands are promoted to {promoted}, but it computes {list}"));
        }
        let to = output_of(signature.output, first, promoted, &out)?;
        if let Output::Castable = signature.output {
            check::output_dtype(&out, promoted)?;
        }
        check::ranks(&operands)?;
        check::rank(&out)?;
        let shape = check::broadcast_all(&operands)?;
        Ok(Self { operands, out, dtypes, promoted, to, shape })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.shape.is_empty_tensor()
    }

    pub(super) fn terms(&self) -> Terms<'_> {
        let operands = self.operands.iter().zip(self.dtypes).map(Some).collect();
        Terms { operands, shape: &self.shape, through: self.promoted, out: (&self.out, self.to) }
    }

    /// The loss of each element, or of all together.
    fn reduced(&self, reduction: Reduction, term: impl Term + 'static) -> Result<Plan> {
        if self.is_empty() {
            return reduction.of_nothing((&self.out, self.to), &self.shape);
        }
        self.terms().reduced(reduction, reduction.divisor(&self.shape, &self.shape), term)
    }
}

const PAIR: [&str; 2] = ["self", "target"];

pub(super) fn mse_loss(call: &Call<'_>) -> Result<Plan> {
    let pair = Broadcast::of(call, &signatures::mse_loss, PAIR, false)?;
    let reduction = Reduction::of(call)?;
    reduction.shapes(&pair.out, &pair.shape)?;
    pair.reduced(reduction, Square {})
}

pub(super) fn mse_loss_out(call: &Call<'_>) -> Result<Plan> {
    let pair = Broadcast::of(call, &signatures::mse_loss_out, PAIR, false)?;
    let reduction = Reduction::of(call)?;
    let [first, rest @ ..] = &pair.shape[..] else {
        return invalid("the operands have no axes, of which the first is reduced");
    };
    match reduction {
        Reduction::None => check::output_shape(&pair.out, &pair.shape)?,
        _ => check::output_shape(&pair.out, rest)?,
    }
    if pair.is_empty() {
        return Ok(Plan::empty());
    }
    let divisor = if reduction == Reduction::Mean { *first as f64 } else { 1.0 };
    match reduction {
        Reduction::None => pair.terms().each(1.0, Square {}),
        _ => pair.terms().along(&[0], divisor, Square {}),
    }
}

pub(super) fn l1_loss(call: &Call<'_>) -> Result<Plan> {
    let pair = Broadcast::of(call, &signatures::l1_loss, PAIR, true)?;
    let reduction = Reduction::of(call)?;
    let [own, target] = pair.dtypes.map(DType::is_float);
    if reduction == Reduction::None && !own && target {
        return invalid("self is no float beside a target that is one");
    }
    if reduction == Reduction::Mean && !own && !target {
        return invalid("a mean needs a float operand");
    }
    reduction.shapes(&pair.out, &pair.shape)?;
    if pair.promoted == DType::I64 && !pair.is_empty() {
        return pair.terms().integer_distances(reduction);
    }
    pair.reduced(reduction, Distance {})
}

pub(super) fn smooth_l1_loss(call: &Call<'_>) -> Result<Plan> {
    let pair = Broadcast::of(call, &signatures::smooth_l1_loss, PAIR, false)?;
    let (reduction, beta) = (Reduction::of(call)?, beta(call)?);
    if reduction == Reduction::None {
        check::output_shape(&pair.out, &pair.shape)?;
    }
    pair.reduced(reduction, SmoothDistance { beta })
}

fn beta(call: &Call<'_>) -> Result<f64> {
    match call.float("beta")? {
        beta if beta >= 0.0 => Ok(beta),
        beta => invalid(format_args!("beta is {beta}, but must not be negative or NaN")),
    }
}

/// How losses of a soft margin are combined: every other number than 0 and 1 sums them up.
fn unchecked(call: &Call<'_>) -> Result<Reduction> {
    Ok(match call.int("reduction")? {
        0 => Reduction::None,
        1 => Reduction::Mean,
        _ => Reduction::Sum,
    })
}

pub(super) fn soft_margin_loss(call: &Call<'_>) -> Result<Plan> {
    let pair = Broadcast::of(call, &signatures::soft_margin_loss, PAIR, false)?;
    let reduction = unchecked(call)?;
    reduction.shapes(&pair.out, &pair.shape)?;
    if pair.is_empty() && !matches!(call.int("reduction")?, 1 | 2) {
        return Ok(Plan::empty());
    }
    pair.reduced(reduction, SoftMargin {})
}

/// The gradients of losses: for each element the function of the gradient of its result, the prediction and the target, over
/// the number of elements for a mean.
fn gradient(all: &Broadcast<3>, reduction: Reduction, term: impl Term + 'static) -> Result<Plan> {
    check::output_shape(&all.out, &all.shape)?;
    if all.is_empty() {
        return Ok(Plan::empty());
    }
    let divisor = reduction.divisor(&all.shape, &all.shape);
    all.terms().each(divisor, term)
}

pub(super) fn mse_loss_backward(call: &Call<'_>) -> Result<Plan> {
    let names = ["gradOutput", "self", "target"];
    let all = Broadcast::of(call, &signatures::mse_loss_backward, names, false)?;
    if all.dtypes.iter().any(|dtype| *dtype != all.promoted) {
        return invalid("gradOutput, self and target must have one type");
    }
    gradient(&all, Reduction::of(call)?, SquareGradient {})
}

pub(super) fn l1_loss_backward(call: &Call<'_>) -> Result<Plan> {
    let names = ["gradOutput", "self", "target"];
    let all = Broadcast::of(call, &signatures::l1_loss_backward, names, true)?;
    gradient(&all, Reduction::of(call)?, DistanceGradient {})
}

/// The smallest `beta` by which the 950 divides differences.
const LEAST_BETA: f32 = 1e-6;

pub(super) fn smooth_l1_loss_backward(call: &Call<'_>) -> Result<Plan> {
    let names = ["gradOut", "self", "target"];
    let all = Broadcast::of(call, &signatures::smooth_l1_loss_backward, names, false)?;
    let beta = beta(call)?;
    let reduction = Reduction::of(call)?;
    if settings::get().product != Ascend950 || beta as f32 >= LEAST_BETA {
        return gradient(&all, reduction, SmoothDistanceGradient { beta });
    }
    // Nothing is divided by so small a number there.
    let [grad, ..] = &all.operands;
    let near = if grad.shape()?.numel() == Some(1) { 0.0 } else { f64::NAN };
    gradient(&all, reduction, DistanceGradientBeyond { beta, near })
}

pub(super) fn soft_margin_loss_backward(call: &Call<'_>) -> Result<Plan> {
    let names = ["gradOutput", "self", "target"];
    let all = Broadcast::of(call, &signatures::soft_margin_loss_backward, names, false)?;
    gradient(&all, unchecked(call)?, SoftMarginGradient {})
}
