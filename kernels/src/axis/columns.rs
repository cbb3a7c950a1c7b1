//! Sums along columns of the gradients of normalised rows.

use std::ops::Range;

use bytemuck::{Zeroable, cast_slice, cast_slice_mut};

use crate::engine::{in_order, share};
use crate::views::bound;
use crate::views::failure::Result;
use crate::views::instructions::for_wide_instructions;
use crate::{Block, Bound, Conversions, Sizes, Whole, allocation};

/// Columns whose sums are made together.
const COLUMNS: usize = 512;

/// Rows whose terms are added while the sums of their columns are in registers.
const GROUP: usize = 4;

/// The gradients of the weights and the biases of normalised rows: of each column the sums of `g (x − mean) rstd` and of `g`.
/// Inputs: `g`, `x`, and of each row the mean and the inverse of the standard deviation.
pub struct ColumnGradients {
    pub len: usize,
    /// To f32.
    pub load: [Conversions; 4],
    /// From f64, for weights and biases where there is an output.
    pub results: [Option<Conversions>; 2],
}

/// Rows of f32 that are made of an operand.
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(64))]
struct Rows([[f32; COLUMNS]; GROUP]);

for_wide_instructions! {
    /// Adds the terms of a group of rows to the sums of their columns.
    fn add(
        gradients: &[&[f32]; GROUP],
        x: &[&[f32]; GROUP],
        mean: &[f32; GROUP],
        rstd: &[f32; GROUP],
        sums: &mut [[f64; COLUMNS]; 2],
    ) {
        let [weights, biases] = sums;
        let count = gradients[0].len().min(COLUMNS);
        let (gradients, x) = (gradients.map(|row| &row[..count]), x.map(|row| &row[..count]));
        let (mean, rstd) = (mean.map(f64::from), rstd.map(f64::from));
        for (index, (weight, bias)) in weights.iter_mut().zip(biases).enumerate().take(count) {
            let (mut own_weight, mut own_bias) = (*weight, *bias);
            for row in 0..GROUP {
                let g = f64::from(gradients[row][index]);
                own_weight += g * ((f64::from(x[row][index]) - mean[row]) * rstd[row]);
                own_bias += g;
            }
            (*weight, *bias) = (own_weight, own_bias);
        }
    }
}

/// An operand whose rows are read in part.
struct Source<'a> {
    bound: &'a Bound<'a>,
    load: &'a Conversions,
    /// All elements, if they are read where they lie.
    all: Option<&'a [f32]>,
}

impl<'a> Source<'a> {
    fn new(bound: &'a Bound<'a>, load: &'a Conversions) -> Self {
        let all = bound.contiguous(0..bound.numel()).filter(|_| load.is_empty());
        Self { bound, load, all: all.map(cast_slice) }
    }

    /// Some elements, where they lie or in a row.
    fn row<'r>(
        &'r self,
        range: Range<usize>,
        row: &'r mut [f32; COLUMNS],
        blocks: &mut [Block; 2],
    ) -> &'r [f32] {
        if let Some(all) = self.all {
            return &all[range];
        }
        let count = range.len();
        let [stored, between] = blocks;
        let from = self.bound.contiguous(range.clone()).unwrap_or_else(|| {
            let stored = &mut stored.bytes_mut()[..count * self.bound.size()];
            self.bound.gather(range, stored);
            stored
        });
        self.load.apply_all(count, from, cast_slice_mut(&mut row[..count]), between);
        &row[..count]
    }
}

impl Whole for ColumnGradients {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let copies = bound::copies(inputs, &|input| outputs.iter().any(|output| output.overlaps(input)))?;
        let inputs = bound::with_copies(inputs, &copies);
        let [g, x, mean, rstd] = &inputs[..] else { return Ok(()) };
        let [load_g, load_x, load_mean, load_rstd] = &self.load;
        let count = mean.numel();
        let (mut means, mut rstds) =
            (allocation::for_elements::<f32>(count)?, allocation::for_elements::<f32>(count)?);
        in_order::each::<f32>(mean, load_mean, |_, some| means.extend_from_slice(some));
        in_order::each::<f32>(rstd, load_rstd, |_, some| rstds.extend_from_slice(some));
        let (g, x) = (Source::new(g, load_g), Source::new(x, load_x));
        let bytes = g.bound.span() + x.bound.span();
        share::each(self.len.div_ceil(COLUMNS), 1, bytes, &|blocks| {
            for first in blocks.map(|block| block * COLUMNS) {
                let columns = first..self.len.min(first + COLUMNS);
                let sums = self.sums([&g, &x], [&means, &rstds], columns.clone());
                let mut to = Block::new();
                let made = self
                    .results
                    .iter()
                    .zip(&sums)
                    .filter_map(|(result, sums)| Some((result.as_ref()?, sums)));
                for (output, (result, sums)) in outputs.iter().zip(made) {
                    let to = &mut to.bytes_mut()[..columns.len() * output.size()];
                    result.apply_all(
                        columns.len(),
                        cast_slice(&sums[..columns.len()]),
                        to,
                        &mut Block::new(),
                    );
                    output.scatter(columns.clone(), to);
                }
            }
        });
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["sum gradients of columns"]
    }
}

impl ColumnGradients {
    /// The sums of some columns.
    fn sums(
        &self,
        [g, x]: [&Source<'_>; 2],
        [means, rstds]: [&[f32]; 2],
        columns: Range<usize>,
    ) -> [[f64; COLUMNS]; 2] {
        let mut sums = [[0.0; COLUMNS]; 2];
        let (mut of_g, mut of_x) = (Rows::zeroed(), Rows::zeroed());
        let mut blocks = [Block::new(), Block::new()];
        // What is added for rows that there are not.
        let none = [0.0; COLUMNS];
        for first in (0..means.len()).step_by(GROUP) {
            let rows = first..means.len().min(first + GROUP);
            let (mut all_g, mut all_x) = ([&none[..columns.len()]; GROUP], [&none[..columns.len()]; GROUP]);
            let (mut mean, mut rstd) = ([0.0; GROUP], [0.0; GROUP]);
            mean[..rows.len()].copy_from_slice(&means[rows.clone()]);
            rstd[..rows.len()].copy_from_slice(&rstds[rows.clone()]);
            let buffers = of_g.0.iter_mut().zip(&mut of_x.0).zip(all_g.iter_mut().zip(&mut all_x));
            for (row, ((of_g, of_x), (own_g, own_x))) in rows.zip(buffers) {
                let range = row * self.len + columns.start..row * self.len + columns.end;
                *own_g = g.row(range.clone(), of_g, &mut blocks);
                *own_x = x.row(range, of_x, &mut blocks);
            }
            add(&all_g, &all_x, &mean, &rstd, &mut sums);
        }
        sums
    }
}
