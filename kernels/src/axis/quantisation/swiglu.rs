//! Gated linear units of rows, in f32: one half of a row, times its logistic function, times the other half. Then the result is
//! quantised.

use super::codes::{Codes, multiply, scale};
use super::dynamic::Scheme;
use super::rows::{Rows, floats, given, put};
use crate::Bound;
use crate::views::failure::{Cause, Failure, Result};

/// The meaning of the numbers of a list of groups of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// The end of each group.
    Ends,
    /// The number of rows of each group.
    Counts,
    /// Pairs of a group and the number of its rows, up to the first pair without rows.
    Pairs,
}

/// Groups of rows, which follow one another.
#[derive(Clone, Copy)]
pub struct Groups {
    /// The input with the list, in i64.
    pub input: usize,
    pub listed: Listed,
}

impl Groups {
    /// The group of a row; none behind the last.
    pub fn group(&self, list: &[i64], row: usize) -> Option<usize> {
        self.ends(list).find(|(end, _)| *end > row as i64).map(|(_, group)| group)
    }

    /// The number of rows in groups.
    pub fn rows(&self, list: &[i64]) -> usize {
        self.ends(list).last().map_or(0, |(end, _)| usize::try_from(end).unwrap_or(0))
    }

    /// The ends of groups, and their numbers.
    fn ends<'a>(&self, list: &'a [i64]) -> impl Iterator<Item = (i64, usize)> + 'a {
        let (listed, mut end) = (self.listed, 0_i64);
        let step = if listed == Listed::Pairs { 2 } else { 1 };
        let entries = list.chunks_exact(step).enumerate();
        let entries = entries.take_while(move |(_, entry)| listed != Listed::Pairs || entry[1] > 0);
        entries.map(move |(number, entry)| match listed {
            Listed::Ends => (entry[0], number),
            _ => {
                end = end.saturating_add(entry[step - 1].max(0));
                (end, if step == 2 { usize::try_from(entry[0]).unwrap_or(usize::MAX) } else { number })
            }
        })
    }

    /// The rows up to the end of the last group.
    pub(super) fn limit(self, rows: Rows, entries: usize) -> Rows {
        rows.up_to(move |inputs: &[Bound<'_>]| {
            let mut list = vec![0_i64; entries];
            if let Some(input) = inputs.get(self.input) {
                input.gather(0..entries, bytemuck::cast_slice_mut(&mut list));
            }
            self.rows(&list)
        })
    }
}

/// An input with so many numbers for each group of rows.
#[derive(Clone, Copy)]
pub struct Table {
    pub input: usize,
    pub width: usize,
}

impl Table {
    fn of<'a>(&self, inputs: &[&'a [u8]], group: usize) -> Result<&'a [f32]> {
        let (all, start) = (floats(inputs, self.input)?, group.saturating_mul(self.width));
        all.get(start..start.saturating_add(self.width)).ok_or_else(|| {
            let groups = all.len() / self.width.max(1);
            Failure::new(
                Cause::AiCore,
                format_args!(
                    "a list of groups has one that does not exist: there are {groups}, from 0 to {}",
                    groups.saturating_sub(1)
                ),
            )
        })
    }
}

/// The operands that make elements of a row from integers.
#[derive(Clone, Copy, Default)]
pub struct Dequantised {
    /// A factor for each column.
    pub columns: Option<Table>,
    /// The input with a factor for each row.
    pub row: Option<usize>,
    /// The input with integers that are added before, as many for each group as a row has.
    pub whole_bias: Option<usize>,
    /// Floats that are added afterwards.
    pub bias: Option<Table>,
}

/// The function of a row.
#[derive(Clone, Copy)]
pub struct Gate {
    /// Whether the first part of a row is the gate.
    pub is_left: bool,
    /// Whether the parts alternate.
    pub is_interleaved: bool,
    pub form: Form,
}

/// The function of a gate `g` and of the other part `u`.
#[derive(Clone, Copy)]
pub enum Form {
    /// `g · sigmoid(g) · u`.
    Plain,
    /// Both within a limit: `g · sigmoid(alpha · g) · (u + bias)`.
    Clipped { limit: f32, alpha: f32, bias: f32 },
    /// `g · sigmoid(g)` and `u` within a limit, multiplied.
    ClippedProduct { limit: f32 },
}

/// Exact but for a rounding.
fn exp(x: f32) -> f32 {
    f64::from(x).exp() as f32
}

/// The lower one of two numbers; NaN stays.
fn at_most(x: f32, limit: f32) -> f32 {
    if x.is_nan() || x < limit { x } else { limit }
}

/// A number between a limit and its negative; NaN stays.
fn within(x: f32, limit: f32) -> f32 {
    let x = at_most(x, limit);
    if x.is_nan() || x > -limit { x } else { -limit }
}

impl Gate {
    pub(super) fn apply(&self, row: &[f32], to: &mut Vec<f32>) {
        let half = row.len() / 2;
        let (step, second) = if self.is_interleaved { (2, 1) } else { (1, half) };
        let (gate, other) = if self.is_left { (0, second) } else { (second, 0) };
        let pairs = (0..half).map(|place| (row[gate + place * step], row[other + place * step]));
        self.form.apply(pairs, to);
    }
}

impl Form {
    /// Computes units of pairs of a gate and the other part.
    pub(super) fn apply(self, pairs: impl Iterator<Item = (f32, f32)>, to: &mut Vec<f32>) {
        to.clear();
        match self {
            Form::Plain => to.extend(pairs.map(|(g, u)| g / (1.0 + exp(-g)) * u)),
            Form::Clipped { limit, alpha, bias } => to.extend(pairs.map(|(g, u)| {
                let (g, u) = (at_most(g, limit), within(u, limit));
                (u + bias) * (g / (1.0 + exp(-alpha * g)))
            })),
            Form::ClippedProduct { limit } => {
                to.extend(pairs.map(|(g, u)| at_most(g / (1.0 + exp(-g)), limit) * within(u, limit)))
            }
        }
    }
}

/// The scales and offsets of the results.
pub enum Quantised {
    /// Times factors, with a scale of each row.
    Dynamic(Option<Table>, Scheme),
    /// Divided by steps, with offsets. One step for all elements of a row multiplies by its inverse; where a list tells groups,
    /// 0 counts as 1.
    Divided(Option<[Table; 2]>),
    /// Times factors, plus offsets. The scale of each row is 0.
    Multiplied(Option<Table>, Option<Table>),
}

/// Gated linear units, quantised. The first input is rows of f32, or of i32 that are dequantised; the outputs are codes, and a
/// scale of each row.
pub struct Swiglu {
    pub dequantised: Option<Dequantised>,
    pub gate: Gate,
    pub groups: Option<Groups>,
    /// The entries of the list behind whose last group nothing is written.
    pub ends_at: Option<usize>,
    pub quantised: Quantised,
    pub codes: Codes,
}

impl Swiglu {
    pub fn rows(self) -> Rows {
        let limited = self.groups.zip(self.ends_at);
        let rows = Rows::new("quantise units", move |number, inputs, outputs, room| {
            self.row(number, inputs, outputs, room)
        });
        match limited {
            Some((groups, entries)) => groups.limit(rows, entries),
            None => rows,
        }
    }

    fn row(&self, number: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]], room: &mut Vec<f32>) -> Result {
        let group = match &self.groups {
            Some(groups) => groups.group(bytemuck::cast_slice(inputs[groups.input]), number),
            None => Some(0),
        };
        match &self.dequantised {
            Some(dequantised) => {
                let row = dequantised.row(inputs, group.unwrap_or(0))?;
                self.gate.apply(&row, room);
            }
            None => self.gate.apply(floats(inputs, 0)?, room),
        }
        let of = |table: Option<Table>| match (table, group) {
            (Some(table), Some(group)) => table.of(inputs, group).map(Some),
            _ => Ok(None),
        };
        let [to, scales @ ..] = outputs else { return Ok(()) };
        match &self.quantised {
            Quantised::Dynamic(factors, scheme) => {
                by(room, of(*factors)?, |element, factor| element * factor);
                put(scales.first_mut(), scheme.quantise(room, &self.codes, to));
            }
            Quantised::Divided(tables) => {
                if let Some([steps, offsets]) = *tables {
                    match of(Some(steps))? {
                        Some([0.0]) if self.groups.is_some() => {}
                        Some([step]) => scale(room, 1.0 / *step),
                        steps => by(room, steps, |element, step| element / step),
                    }
                    by(room, of(Some(offsets))?, |element, offset| element + offset);
                }
                self.codes.write(room, to);
            }
            Quantised::Multiplied(factors, offsets) => {
                by(room, of(*factors)?, |element, factor| element * factor);
                by(room, of(*offsets)?, |element, offset| element + offset);
                self.codes.write(room, to);
                put(scales.first_mut(), 0.0);
            }
        }
        Ok(())
    }
}

impl Dequantised {
    fn row(&self, inputs: &[&[u8]], group: usize) -> Result<Vec<f32>> {
        let x: &[i32] = bytemuck::cast_slice(inputs[0]);
        let mut row: Vec<f32> = match self.whole_bias {
            Some(input) => {
                let bias: &[i32] = bytemuck::cast_slice(inputs[input]);
                let bias = bias.get(group.saturating_mul(x.len())..).unwrap_or_default();
                x.iter().zip(bias).map(|(x, bias)| x.wrapping_add(*bias) as f32).collect()
            }
            None => x.iter().map(|x| *x as f32).collect(),
        };
        if let Some(columns) = self.columns {
            multiply(&mut row, columns.of(inputs, group)?);
        }
        if let Some([factor]) = given(inputs, self.row)? {
            scale(&mut row, *factor);
        }
        if let Some(bias) = self.bias {
            by(&mut row, Some(bias.of(inputs, group)?), |element, bias| element + bias);
        }
        Ok(row)
    }
}

/// Combines elements with numbers: one for each, or one for all.
fn by(row: &mut [f32], numbers: Option<&[f32]>, combine: impl Fn(f32, f32) -> f32) {
    match numbers {
        None => {}
        Some([one]) => row.iter_mut().for_each(|element| *element = combine(*element, *one)),
        Some(many) => {
            row.iter_mut().zip(many).for_each(|(element, number)| *element = combine(*element, *number))
        }
    }
}

/// Units that are not quantised: rows in f32, and a list of the counts of rows in groups, of which there are so many, behind
/// whose last nothing is written.
pub fn units(gate: Gate, groups: Option<(Groups, usize)>) -> Rows {
    let rows = Rows::new("clip and gate", move |_, inputs, outputs, room| {
        gate.apply(floats(inputs, 0)?, room);
        if let Some(to) = outputs.first_mut() {
            to.copy_from_slice(bytemuck::cast_slice(room));
        }
        Ok(())
    });
    match groups {
        Some((groups, entries)) => groups.limit(rows, entries),
        None => rows,
    }
}
