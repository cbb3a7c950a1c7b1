//! Logits of a part of a vocabulary, and numbers that go with elements in order.

use aclnn_numerics::DType::{Bool, F32, I32, I64, U8};
use aclnn_numerics::layout::Shape;
use cann_kernels::allocation;
use cann_kernels::axis::softmax::sum_of_exponentials;

use crate::operators::axes::{axis, invalid};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, sizes, when_divided};
use crate::operators::lane_planner::{Lanes, Planner, longs, longs_mut};
use crate::operators::signatures;
use crate::operators::stage_planner::typed;
use crate::status::Result;

pub(super) fn index_logit(call: &Call<'_>) -> Result<Plan> {
    let [logits, most] = call.tensors_of(["vocabParallelLogits", "globalLogitsMax"])?;
    let target = call.tensor("target")?;
    let names = ["predictedLogitsOut", "sumExpLogitsOut", "expLogitsOut", "targetOffsetOut", "targetMaskOut"];
    let [predicted, sum, exps, places, mask] = &call.tensors_of(names)?;
    let own = check::dtype(&logits, signatures::index_logit.takes)?;
    typed(&target, &[I32, I64])?;
    for operand in [&most, predicted, sum, exps] {
        typed(operand, &[own, F32])?;
    }
    typed(places, &[I32, I64])?;
    typed(mask, &[Bool, U8])?;
    let (start, end) = (call.int("vocabStartIndex")?, call.int("vocabEndIndex")?);
    let checked = || -> Result<[usize; 2]> {
        let [count, len] = sizes(&logits)?;
        let rows = Shape::from([count]);
        check::have_shape(&[&target, &most, predicted, sum, places, mask], &rows)?;
        check::output_shape(exps, logits.shape()?)?;
        match (0..=end).contains(&start) {
            true => Ok([count, len]),
            false => invalid(format_args!(
                "vocabStartIndex is {start} and vocabEndIndex {end}, but both must be positive or 0, and the first not the greater"
            )),
        }
    };
    let [count, len] = checked().map_err(when_divided)?;
    if count == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let inputs =
        [planner.rows(&logits, len)?, planner.rows(&target, 1)?.map(Lanes::long), planner.rows(&most, 1)?];
    let outputs = [
        planner.out(predicted, 1)?,
        planner.out(sum, 1)?,
        planner.out(exps, len)?,
        planner.out(places, 1)?.map(Lanes::long),
        planner.out(mask, 1)?,
    ];
    planner.lanes(count, inputs, outputs, "exponentials of logits", move |inputs, outputs| {
        let ([logits, target, most], [predicted, sum, exps, place, mask]) = (inputs, outputs);
        let target = longs(target).first().copied().unwrap_or(0);
        let most = f64::from(most[0]);
        // Where another rank has the word, the first one stands for it and counts nothing.
        let is_here = (start..end).contains(&target);
        let offset = if is_here { target - start } else { 0 };
        let own = usize::try_from(offset).ok().and_then(|offset| logits.get(offset)).filter(|_| is_here);
        predicted[0] = own.map_or(0.0, |x| (f64::from(*x) - most) as f32);
        sum[0] = sum_of_exponentials(logits, most, exps) as f32;
        longs_mut(place).fill(offset);
        mask[0] = f32::from(!is_here);
    })?;
    Ok(planner.plan())
}

pub(super) fn sort_with_index(call: &Call<'_>) -> Result<Plan> {
    let [x, index, values, indices] = &call.tensors_of(["x", "index", "valuesOut", "indicesOut"])?;
    check::alike(&[x, values], signatures::sort_with_index.takes)?;
    let numbers = check::any_dtype(index)?;
    typed(index, &[I32, I64])?;
    check::exactly(indices, numbers)?;
    let axis = axis(x, call.int("axis")?)?;
    for operand in [index, values, indices] {
        check::output_shape(operand, x.shape()?)?;
    }
    let is_descending = call.flag("descending")?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let len = x.shape()?.get(axis).copied().unwrap_or(1);
    let count = x.shape()?.numel().unwrap_or(0) / len;
    let mut planner = Planner::new();
    let along = |operand: &Operand, dtype| match operand.rank() {
        0 => operand.in_order(dtype),
        _ => operand.lanes(dtype, &[axis]),
    };
    let inputs = [planner.read(x, len, &along)?, planner.read(index, len, &along)?.map(Lanes::long)];
    let outputs =
        [planner.write(values, len, &along)?, planner.write(indices, len, &along)?.map(Lanes::long)];
    planner.try_lanes(count, inputs, outputs, "sort with numbers", move |inputs, outputs| {
        let ([x, index], [values, indices]) = (inputs, outputs);
        let (index, indices) = (longs(index), longs_mut(indices));
        let mut order = allocation::collect(0..x.len())?;
        // NaN is the greatest number.
        let key = |place: &usize| (x[*place].is_nan(), x[*place]);
        order.sort_by(|a, b| {
            let (a, b) = if is_descending { (b, a) } else { (a, b) };
            key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal)
        });
        for (to, from) in order.into_iter().enumerate() {
            (values[to], indices[to]) = (x[from], index[from]);
        }
        Ok(())
    })?;
    Ok(planner.plan())
}
