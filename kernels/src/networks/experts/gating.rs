//! The choice of experts: the greatest of the softmax or of the sigmoids of a row.

use crate::LaneFunction;
use crate::sorting::greatest::{self, rank_as_number};
use crate::views::failure::Result;

/// The function of the elements of a row.
#[derive(Clone, Copy, PartialEq)]
pub enum Norm {
    /// The elements themselves; the greatest go through the softmax then.
    Late,
    Softmax,
    Sigmoid,
    /// The square root of the softplus.
    RootOfSoftplus,
}

/// A choice of experts by their scores.
#[derive(Clone)]
pub struct Gating {
    pub norm: Norm,
    /// The number of experts that are chosen.
    pub k: usize,
    /// Groups of experts, and how many of them stay.
    pub groups: [usize; 2],
    /// Whether a group counts as much as the sum of its two greatest, and not as its greatest.
    pub sums_two: bool,
    /// Whether what is chosen is divided by its sum, and what is added to that.
    pub renormalizes: Option<f32>,
    pub factor: f32,
    /// Whether values are rounded to the halves of f32 here, ties away from zero.
    pub ties_away: bool,
}

fn softmax(row: &mut [f32]) {
    let greatest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for x in row.iter_mut() {
        *x = (*x - greatest).exp();
        sum += *x;
    }
    row.iter_mut().for_each(|x| *x /= sum);
}

/// The places of the `count` greatest: the greatest first, the earlier of equal ones first; NaN is above all numbers.
fn greatest(scores: &[f32], places: Vec<usize>, count: usize) -> Result<Vec<usize>> {
    let score = |place: usize| scores.get(place).copied().unwrap_or(f32::NEG_INFINITY);
    greatest::greatest(&mut places.into_iter().map(|place| (rank_as_number(score(place)), place)), count)
}

impl Gating {
    /// The function of a row from which experts are chosen.
    fn normalize(&self, row: &mut [f32]) {
        match self.norm {
            Norm::Late => {}
            Norm::Softmax => softmax(row),
            Norm::Sigmoid => row.iter_mut().for_each(|x| *x = 1.0 / (1.0 + (-*x).exp())),
            Norm::RootOfSoftplus => {
                row.iter_mut().for_each(|x| *x = (x.max(0.0) + (-x.abs()).exp().ln_1p()).sqrt());
            }
        }
    }

    /// The experts that stay when only the best groups do.
    fn staying(&self, scores: &[f32]) -> Result<Vec<usize>> {
        let [groups, kept] = self.groups;
        let len = scores.len() / groups.max(1);
        if groups <= 1 || len <= 1 || kept == groups {
            // Groups of one expert that stay are the greatest experts, and no more than these are chosen.
            return Ok((0..scores.len()).collect());
        }
        let score = |group: &[f32]| {
            let best = greatest(group, (0..group.len()).collect(), if self.sums_two { 2 } else { 1 })?;
            Ok(best.into_iter().filter_map(|place| group.get(place)).sum::<f32>())
        };
        let of_groups: Vec<f32> = scores.chunks(len).map(score).collect::<Result<_>>()?;
        let mut best = greatest(&of_groups, (0..groups).collect(), kept)?;
        best.sort_unstable();
        Ok(best.into_iter().flat_map(|group| group * len..(group + 1) * len).collect())
    }

    /// The body: lanes of elements, of the numbers to be added to scores if there are some, of ids that are given, and of whether
    /// a row is finished; results are the chosen values, their experts, and a further output: the row as it was normalised,
    /// or the numbers of the chosen places in column order, of `rows` rows.
    pub fn body(self, inputs: Inputs, further: Further) -> LaneFunction {
        LaneFunction::new("choose experts", move |number, operands, outputs| {
            let Some((x, operands)) = operands.split_first() else { return Ok(()) };
            let [values, experts, others @ ..] = outputs else { return Ok(()) };
            let mut next = operands.iter();
            let mut given = |is_there: bool| is_there.then(|| next.next()).flatten();
            let (bias, ids, finished) = (given(inputs.bias), given(inputs.ids), given(inputs.finished));
            let mut row = bytemuck::cast_slice::<u8, f32>(x).to_vec();
            self.normalize(&mut row);
            let chosen = match (ids, bias) {
                (Some(ids), _) => {
                    bytemuck::cast_slice::<u8, i32>(ids).iter().map(|id| (*id).max(0) as usize).collect()
                }
                (None, Some(bias)) => {
                    let bias = bytemuck::cast_slice::<u8, f32>(bias);
                    let scores: Vec<f32> = row.iter().zip(bias).map(|(x, bias)| x + bias).collect();
                    greatest(&scores, self.staying(&scores)?, self.k)?
                }
                (None, None) => greatest(&row, self.staying(&row)?, self.k)?,
            };
            let of = |place: &usize| row.get(*place).copied().unwrap_or(0.0);
            let mut best: Vec<f32> = chosen.iter().map(of).collect();
            if self.norm == Norm::Late {
                softmax(&mut best);
            }
            if let Some(eps) = self.renormalizes {
                let sum = best.iter().sum::<f32>() + eps;
                best.iter_mut().for_each(|value| *value /= sum);
            }
            let is_finished =
                finished.is_some_and(|finished| finished.first().is_some_and(|byte| *byte != 0));
            let values = bytemuck::cast_slice_mut::<u8, f32>(values);
            let experts = bytemuck::cast_slice_mut::<u8, i32>(experts);
            for ((value, expert), (best, place)) in
                values.iter_mut().zip(experts).zip(best.iter().zip(&chosen))
            {
                *value = best * self.factor;
                if self.ties_away {
                    *value = f32::from_bits(value.to_bits().wrapping_add(0x8000) & 0xffff_0000);
                }
                *expert = if is_finished { row.len() as i32 } else { *place as i32 };
            }
            match (further, others) {
                (Further::Row, [out]) => bytemuck::cast_slice_mut::<u8, f32>(out).copy_from_slice(&row),
                (Further::Places { rows }, [out]) => {
                    let places = bytemuck::cast_slice_mut::<u8, i32>(out);
                    places.iter_mut().enumerate().for_each(|(j, place)| *place = (j * rows + number) as i32);
                }
                (Further::Zeros, [out]) => out.fill(0),
                _ => {}
            }
            Ok(())
        })
    }
}

/// The inputs of a choice of experts that are there, besides elements.
#[derive(Clone, Copy, Default)]
pub struct Inputs {
    pub bias: bool,
    pub ids: bool,
    pub finished: bool,
}

/// The output of a choice of experts besides values and experts.
#[derive(Clone, Copy)]
pub enum Further {
    None,
    Row,
    Places { rows: usize },
    Zeros,
}
