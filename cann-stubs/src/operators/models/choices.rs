//! Probable elements of rows, and samples of them.

use aclnn_numerics::DType::{F32, I32, I64};
use aclnn_sys::ACL_FORMAT_ND;
use cann_kernels::allocation;

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes, when_divided};
use crate::operators::images::has_format;
use crate::operators::lane_planner::{Lanes, Planner, ints, longs_mut};
use crate::operators::signatures;
use crate::status::Result;

/// The elements of a row that are chosen: so many of the greatest, those that together have a probability, and those that
/// have a part of the probability of the greatest one.
struct Choice {
    k: Option<usize>,
    p: Option<f32>,
    part: Option<f32>,
    /// Whether elements are logits; otherwise they are probabilities.
    of_logits: bool,
}

impl Choice {
    /// The number in the place of an element that is not chosen.
    fn hidden(&self) -> f32 {
        if self.of_logits { f32::NEG_INFINITY } else { 0.0 }
    }

    /// The probability of an element, but for a factor that all elements of a row have.
    fn weight(&self, x: f32, most: f32) -> f32 {
        if self.of_logits { (x - most).exp() } else { x }
    }

    /// Hides what is not chosen of a row. Returns the places of its elements, the greatest one last.
    fn hide(&self, row: &mut [f32]) -> cann_kernels::Result<Vec<usize>> {
        let mut order = allocation::collect(0..row.len())?;
        order.sort_by(|a, b| row[*a].partial_cmp(&row[*b]).unwrap_or_else(|| row[*a].total_cmp(&row[*b])));
        let Some((last, others)) = order.split_last() else { return Ok(order) };
        if let Some(k) = self.k.filter(|k| (1..row.len()).contains(k)) {
            let least = row[order[row.len() - k]];
            row.iter_mut().filter(|x| **x < least).for_each(|x| *x = self.hidden());
        }
        let most = row[*last];
        if most.is_infinite() {
            return Ok(order);
        }
        if let Some(p) = self.p {
            let sum: f32 = order.iter().map(|place| self.weight(row[*place], most)).sum();
            let mut below = 0.0;
            for place in others {
                below += self.weight(row[*place], most);
                if below > (1.0 - p) * sum {
                    break;
                }
                row[*place] = self.hidden();
            }
        }
        if let Some(part) = self.part {
            let least = part * self.weight(most, most);
            let is_less = |x: f32| self.weight(x, most) < least;
            row.iter_mut().filter(|x| is_less(**x)).for_each(|x| *x = self.hidden());
        }
        Ok(order)
    }
}

pub(super) fn apply_top_k_top_p(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["logits", "out"])?;
    let ([logits, out], p, k) = (&tensors, call.optional_tensor("p")?, call.optional_tensor("k")?);
    let all = [&tensors[..], p.as_slice()].concat();
    check::alike(&all, signatures::apply_top_k_top_p.takes)?;
    if let Some(k) = &k {
        check::exactly(k, I32)?;
    }
    let [count, len] = sizes(logits)?;
    check::output_shape(out, logits.shape()?)?;
    check::have_shape(&[p, k], &[count])?;
    check::each(&[&all[..], k.as_slice()].concat(), |operand| has_format(operand, &[ACL_FORMAT_ND]))?;
    // Without both there is nothing to choose, and what fails inside the library is only logged.
    if count == 0 || len == 0 || p.is_none() && k.is_none() && len != 1 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let (has_p, has_k) = (p.is_some(), k.is_some());
    let inputs = [
        planner.rows(logits, len)?,
        planner.read_if(p.as_ref(), 1, &Operand::in_order)?,
        planner.read_if(k.as_ref(), 1, &Operand::in_order)?.map(Lanes::whole),
    ];
    let out = planner.out(out, len)?;
    planner.try_lanes(count, inputs, [out], "choose probable elements", move |[row, p, k], [out]| {
        out.copy_from_slice(row);
        if row.len() > 1 {
            let k = ints(k).first().filter(|_| has_k).map(|k| *k as usize);
            let p = p.first().copied().filter(|_| has_p);
            Choice { k, p, part: None, of_logits: true }.hide(out)?;
        }
        Ok(())
    })?;
    Ok(planner.plan())
}

/// The greatest `topK` that limits a choice where no argument says so.
const LARGEST: i64 = 1024;

/// Checks a list with a number for each row.
fn of_rows(operand: &Operand, count: usize) -> Result {
    has_shape(operand, &[count])
}

pub(super) fn top_k_top_p_sample(call: &Call<'_>) -> Result<Plan> {
    let takes = signatures::top_k_top_p_sample.takes;
    let is_second = call.has("minPs");
    let [logits, k, p] = call.tensors_of(["logits", "topK", "topP"])?;
    let q = call.optional_tensor("q")?;
    let parts = if is_second { call.optional_tensor("minPs")? } else { None };
    let chosen = call.tensor("logitsSelectIdx")?;
    let given = |name: &str| -> Result<Option<Operand>> {
        Ok(call.optional_tensor(name)?.filter(|operand| !operand.is_empty()))
    };
    let kept = given("logitsTopKPSelect")?;
    let (places, sorted) = match is_second {
        true => (given("logitsIdx")?, given("logitsSortMasked")?),
        false => (None, None),
    };
    for operand in [Some(logits), Some(p), parts].iter().flatten() {
        check::dtype(operand, takes)?;
    }
    check::exactly(&k, I32)?;
    check::all_exactly(&[&q, &kept, &sorted], F32)?;
    check::all_exactly(&[Some(&chosen), places.as_ref()], I64)?;
    let asked = |name: &str| if call.has(name) { call.flag(name) } else { Ok(false) };
    let checked = || -> Result<[usize; 2]> {
        let [count, len] = sizes(&logits)?;
        check::each(&[Some(&k), Some(&p), Some(&chosen), parts.as_ref()], |operand| of_rows(operand, count))?;
        let all = [q, kept, sorted, places];
        check::each(&all, |operand| check::output_shape(operand, logits.shape()?))?;
        let wanted = [
            ("isNeedLogits", "logitsTopKPSelect", &kept),
            ("isNeedSampleResult", "logitsIdx", &places),
            ("isNeedSampleResult", "logitsSortMasked", &sorted),
        ];
        for (flag, name, operand) in wanted {
            if asked(flag)? && operand.is_none() && count != 0 && len != 0 {
                return invalid(format_args!("{flag} is true, but {name} has no elements"));
            }
        }
        Ok([count, len])
    };
    let [count, len] = checked().map_err(when_divided)?;
    if count == 0 || len == 0 {
        return Ok(Plan::empty());
    }
    let of_logits = !is_second || call.flag("inputIsLogits")?;
    let largest = if is_second { call.int("ksMax")? } else { LARGEST };
    let eps = call.float("eps")?;
    let mut planner = Planner::new();
    let inputs = [
        planner.rows(&logits, len)?,
        planner.numbers(&k, 1)?,
        planner.rows(&p, 1)?,
        planner.read_if(q.as_ref(), len, &Operand::in_order)?,
        planner.read_if(parts.as_ref(), 1, &Operand::in_order)?,
    ];
    let outputs = [
        planner.out(&chosen, 1)?.map(Lanes::long),
        planner.write_if(kept.as_ref(), len, &Operand::in_order)?,
        planner.write_if(places.as_ref(), len, &Operand::in_order)?.map(Lanes::long),
        planner.write_if(sorted.as_ref(), len, &Operand::in_order)?,
    ];
    let step = "sample probable elements";
    planner.try_lanes(count, inputs, outputs, step, move |[row, k, p, q, part], outputs| {
        let [chosen, kept, places, sorted] = outputs;
        let mut own = allocation::collect(row.iter().copied())?;
        let k = ints(k).first().map(|k| i64::from(*k)).filter(|k| (1..=largest).contains(k));
        let choice = Choice {
            k: k.map(|k| k as usize),
            p: p.first().copied(),
            part: part.first().copied(),
            of_logits,
        };
        let order = choice.hide(&mut own)?;
        let most = order.last().map_or(0.0, |place| own[*place]);
        let weight = |x: f32| if of_logits { (f64::from(x) - f64::from(most)).exp() } else { x.into() };
        let (mut best, mut score) = (0, f64::NEG_INFINITY);
        for (place, x) in own.iter().enumerate() {
            let divisor = q.get(place).map_or(1.0, |q| f64::from(q.abs()) + eps);
            let own = weight(*x) / divisor;
            if own > score {
                (best, score) = (place, own);
            }
        }
        longs_mut(chosen).fill(best as i64);
        kept.iter_mut().zip(&own).for_each(|(kept, x)| *kept = *x);
        // The greatest one comes first, and of equal ones the later, as the order of the choice has them.
        longs_mut(places).iter_mut().zip(order.iter().rev()).for_each(|(at, place)| *at = *place as i64);
        sorted.iter_mut().zip(order.iter().rev()).for_each(|(sorted, place)| *sorted = own[*place]);
        Ok(())
    })?;
    Ok(planner.plan())
}
