//! A step of AdamW whose moments are numbers of steps, block by block.

use aclnn_numerics::DType::{F32, I32, I64, U8};

use cann_kernels::allocation;

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Plan};
use crate::operators::check::{self, has_shape, when_divided};
use crate::operators::lane_planner::Planner;
use crate::operators::signatures;
use crate::operators::stage_planner::{typed, within};
use crate::status::Result;

/// Steps of a table.
const STEPS: usize = 256;

/// The number of the step that is nearest to a part of the greatest number, the lower one of two.
fn nearest(table: &[f32], part: f64) -> usize {
    let above = table.partition_point(|step| f64::from(*step) < part).clamp(1, STEPS - 1);
    let (low, high) = (f64::from(table[above - 1]), f64::from(table[above]));
    if part - low <= high - part { above - 1 } else { above }
}

/// The moments of a block, and their greatest number.
struct Block {
    numbers: Vec<f64>,
    most: f32,
}

impl Block {
    /// Reads the numbers of steps, and changes each moment.
    fn of(
        codes: &[f32],
        (table, most): (&[f32], f32),
        next: impl Fn(usize, f64) -> f64,
    ) -> cann_kernels::Result<Self> {
        let step = |code: f32| f64::from(table[code as usize]) * f64::from(most);
        let numbers = codes.iter().enumerate().map(|(place, code)| next(place, step(*code)));
        let numbers = allocation::collect(numbers)?;
        // A moment that is NaN makes the greatest number NaN, and with it the whole block when it is read again.
        let greater = |most: f64, x: &f64| if most >= x.abs() || most.is_nan() { most } else { x.abs() };
        let most = numbers.iter().fold(0.0, greater) as f32;
        Ok(Self { numbers, most })
    }

    /// Writes the numbers of steps. One that loses its sign takes the next step.
    fn store(&self, table: &[f32], codes: &mut [f32]) {
        for (code, number) in codes.iter_mut().zip(&self.numbers) {
            let part = if self.most == 0.0 { 0.0 } else { number / f64::from(self.most) };
            let mut step = nearest(table, part);
            if *number > 0.0 && table[step] < 0.0 {
                step = (step + 1).min(STEPS - 1);
            } else if *number < 0.0 && table[step] > 0.0 {
                step = step.saturating_sub(1);
            }
            *code = step as f32;
        }
    }
}

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
    let (beta1, beta2) = (call.float("beta1")?, call.float("beta2")?);
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
        let [var_out, m_out, v_out, most_m_out, most_v_out] = outputs;
        let step = f64::from(step[0]);
        let (first, second) = (1.0 - beta1.powf(step), 1.0 - beta2.powf(step));
        for (block, start) in (0..count).step_by(len).enumerate() {
            let own = start..count.min(start + len);
            let grad = |place: usize| f64::from(grad[start + place]) * scale;
            let m = Block::of(&m[own.clone()], (of_m, most_m[block]), |place, m| {
                beta1 * m + (1.0 - beta1) * grad(place)
            })?;
            let v = Block::of(&v[own.clone()], (of_v, most_v[block]), |place, v| {
                beta2 * v + (1.0 - beta2) * grad(place) * grad(place)
            })?;
            let moments = m.numbers.iter().zip(&v.numbers);
            for ((out, var), (m, v)) in var_out[own.clone()].iter_mut().zip(&var[own.clone()]).zip(moments) {
                let change = m / first / ((v / second).sqrt() + eps);
                *out = (f64::from(*var) * (1.0 - lr * decay) - lr * change) as f32;
            }
            m.store(of_m, &mut m_out[own.clone()]);
            v.store(of_v, &mut v_out[own]);
            (most_m_out[block], most_v_out[block]) = (m.most, v.most);
        }
        Ok(())
    })?;
    Ok(planner.plan())
}
