//! Gradients of normalised sums.

use aclnn_numerics::DType::{self, F32};
use cann_kernels::axis::normalization::{
    first, gradients_of_sum, store, sum_of, sum_of_gradients_by_normalised_sums,
};
use smallvec::SmallVec;

use super::checks::{has_shape, have_elements, trailing};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::lane_planner::Planner;
use crate::operators::{check, signatures};
use crate::status::Result;

/// A sum of two tensors that was normalised, and the gradient of the result.
struct Sum<'a> {
    gradients: &'a Operand<'a>,
    terms: [&'a Operand<'a>; 2],
    /// The factor of the first term.
    factor: f64,
    gamma: &'a Operand<'a>,
    mean: &'a Operand<'a>,
    rstd: &'a Operand<'a>,
    /// Another gradient of the sum.
    other: Option<&'a Operand<'a>>,
}

/// The places of the gradients: of the first term, if it differs from that of the second one, of the second, of gamma and of beta.
struct Gradients<'a> {
    first: Option<&'a Operand<'a>>,
    second: &'a Operand<'a>,
    gamma: &'a Operand<'a>,
    beta: &'a Operand<'a>,
}

impl Sum<'_> {
    fn plan(&self, to: &Gradients<'_>) -> Result<Plan> {
        let Self { gradients, terms: [x, y], factor, gamma, mean, rstd, other } = *self;
        let checked = || -> Result<[usize; 3]> {
            check::rank(gradients)?;
            let shape = gradients.shape()?;
            let inner = trailing(gradients, gamma.shape()?)?;
            for operand in [x, y, to.second].into_iter().chain(other).chain(to.first) {
                has_shape(operand, shape)?;
            }
            check::each(&[to.gamma, to.beta], |output| has_shape(output, gamma.shape()?))?;
            let outer = shape.rank() - inner;
            let count = shape[..outer].iter().product();
            have_elements(&[Some(mean), Some(rstd)], count)?;
            match shape.is_empty_tensor() {
                true => {
                    invalid(format_args!("{} has shape {shape}, but must have an element", gradients.name))
                }
                false => Ok([outer, count, shape[outer..].iter().product()]),
            }
        };
        let [outer, count, len] = checked().map_err(check::when_divided)?;
        let mut planner = Planner::new();
        let outer: SmallVec<[usize; 8]> = (0..outer).collect();
        let columns = |operand: &Operand, dtype: DType| operand.lanes(dtype, &outer);
        let inputs = [
            planner.read(gradients, count, &columns)?,
            planner.read(x, count, &columns)?,
            planner.read(y, count, &columns)?,
            planner.all(Some(mean), len)?,
            planner.all(Some(rstd), len)?,
        ];
        let outputs = [planner.out(to.gamma, 1)?, planner.out(to.beta, 1)?];
        planner.lanes(
            len,
            inputs,
            outputs,
            "sum gradients of columns",
            move |[g, x, y, mean, rstd], [gamma, beta]| {
                store(gamma, sum_of_gradients_by_normalised_sums([g, x, y, mean, rstd], factor));
                store(beta, sum_of(g));
            },
        )?;
        let inputs = [
            planner.rows(gradients, len)?,
            planner.rows(x, len)?,
            planner.rows(y, len)?,
            planner.rows(mean, 1)?,
            planner.rows(rstd, 1)?,
            planner.all(Some(gamma), count)?,
            planner.read_if(other, len, &Operand::in_order)?,
        ];
        let outputs = [planner.write_if(to.first, len, &Operand::in_order)?, planner.out(to.second, len)?];
        planner.try_lanes(count, inputs, outputs, "gradients of rows", move |inputs, outputs| {
            let [g, x, y, mean, rstd, gamma, other] = inputs;
            let moments = (first(mean, 0.0), first(rstd, 1.0));
            gradients_of_sum([g, x, y, gamma, other], factor, moments, outputs)
        })?;
        Ok(planner.plan())
    }
}

pub(super) fn add_layer_norm_grad(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["dy", "x1", "x2", "gamma", "dxOut"])?;
    let singles = call.tensors_of(["rstd", "mean", "dgammaOut", "dbetaOut"])?;
    let ([gradients, x1, x2, gamma, second], [rstd, mean, of_gamma, of_beta]) = (&tensors, &singles);
    let other = call.optional_tensor("dsumOptional")?;
    let all = [&tensors[..], other.as_slice()].concat();
    check::alike(&all, signatures::add_layer_norm_grad.takes)?;
    check::all_exactly(&singles, F32)?;
    let sum = Sum { gradients, terms: [x1, x2], factor: 1.0, gamma, mean, rstd, other: other.as_ref() };
    sum.plan(&Gradients { first: None, second, gamma: of_gamma, beta: of_beta })
}

pub(super) fn deep_norm_grad(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["dy", "x", "gx", "gamma", "dxOut", "dgxOut"])?;
    let singles = call.tensors_of(["mean", "rstd", "dbetaOut", "dgammaOut"])?;
    let ([gradients, x, gx, gamma, first, second], [mean, rstd, of_beta, of_gamma]) = (&tensors, &singles);
    let all: Vec<&Operand> = tensors.iter().collect();
    check::alike(&all, signatures::deep_norm_grad.takes)?;
    check::all_exactly(&singles, F32)?;
    let sum = Sum { gradients, terms: [x, gx], factor: call.float("alpha")?, gamma, mean, rstd, other: None };
    sum.plan(&Gradients { first: Some(first), second, gamma: of_gamma, beta: of_beta })
}
