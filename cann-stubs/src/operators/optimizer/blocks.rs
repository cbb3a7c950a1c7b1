//! A step of AdamW whose moments are numbers of steps, block by block.

use aclnn_numerics::DType::{F32, I32, I64, U8};
use cann_kernels::networks::optimizer::{AdamWInBlocks, Coded, STEPS};

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Plan};
use crate::operators::check::{self, has_shape, when_divided};
use crate::operators::lane_planner::Planner;
use crate::operators::signatures;
use crate::operators::stage_planner::{typed, within};
use crate::status::Result;

pub(super) fn apply_adam_w_quant(call: &Call<'_>) -> Result<Plan> {
    let [var, grad, step] = &call.tensors_of(["varRef", "grad", "step"])?;
    let codes = &call.tensors_of(["mRef", "vRef"])?;
    let lists = &call.tensors_of(["qmapM", "qmapV", "absmaxMRef", "absmaxVRef"])?;
    let [of_m, of_v, most_m, most_v] = lists;
    check::alike(&[var, grad], signatures::apply_adam_w_quant.takes)?;
    check::all_exactly(codes, U8)?;
    check::all_exactly(lists, F32)?;
    typed(step, &[I64, I32, F32])?;
    let mode = call.optional_text("quantModeOptional")?;
    let checked = || -> Result<[usize; 2]> {
        let len = within("blockSize", call.int("blockSize")?, 1..=i64::MAX)?;
        if mode.as_deref().is_some_and(|mode| mode != "BLOCKWISE") {
            let mode = check::shown(mode.as_deref());
            return invalid(format_args!("quantMode is {mode}, but must be BLOCKWISE"));
        }
        check::each(&[&codes[..], &[*grad]].concat(), |operand| has_shape(operand, var.shape()?))?;
        let count = var.shape()?.numel().unwrap_or(usize::MAX);
        check::have_elements(&[Some(of_m), Some(of_v)], STEPS)?;
        check::have_elements(&[Some(most_m), Some(most_v)], count.div_ceil(len))?;
        check::have_elements(&[Some(step)], 1)?;
        Ok([count, len])
    };
    let [count, len] = checked().map_err(when_divided)?;
    if count == 0 {
        return Ok(Plan::empty());
    }
    let (lr, decay) = (call.float("lr")?, call.float("weightDecay")?);
    let (eps, scale) = (call.float("eps")?, call.float("gnormScale")?);
    let betas = [call.float("beta1")?, call.float("beta2")?];
    let adam = AdamWInBlocks { len, lr, decay, eps, scale, betas };
    let mut planner = Planner::new();
    let mut inputs = [None; 9];
    let read = [var, grad, step, &codes[0], &codes[1], of_m, of_v, most_m, most_v];
    for (input, operand) in inputs.iter_mut().zip(read) {
        *input = planner.all(Some(operand), 1)?;
    }
    let mut outputs = [None; 5];
    for (output, operand) in outputs.iter_mut().zip([var, &codes[0], &codes[1], most_m, most_v]) {
        *output = planner.out(operand, operand.shape()?.numel().unwrap_or(0))?;
    }
    planner.try_lanes(1, inputs, outputs, "AdamW in blocks", move |inputs, outputs| {
        let [var, grad, step, m, v, of_m, of_v, most_m, most_v] = inputs;
        let number = step.first().map_or(0.0, |step| f64::from(*step));
        let m = Coded { codes: m, table: of_m, most: most_m };
        let v = Coded { codes: v, table: of_v, most: most_v };
        adam.step(number, [var, grad], [m, v], outputs)
    })?;
    Ok(planner.plan())
}
