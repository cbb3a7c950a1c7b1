//! Products of groups of rows of integers, whose gated linear units are quantised.

use super::codes::Codes;
use super::dynamic::Scheme;
use super::rows::{Rows, floats, put};
use super::swiglu::{Form, Gate, Groups};
use crate::views::instructions::for_instructions;

/// Rows of i8 times the matrix of their group, dequantised, gated and quantised with a scale for each row. The inputs are the rows,
/// the matrices, the factors of their columns in f32, the factor of each row, and the list of groups, with so many entries; rows
/// behind the last group are not written.
pub fn quantised_units_of_products(columns: usize, groups: Groups, entries: usize) -> Rows {
    let gate = Gate { is_left: true, is_interleaved: false, form: Form::Plain };
    let rows = Rows::new("multiply, gate and quantise", move |number, inputs, outputs, room| {
        let ([x, weights, ..], [to, scales @ ..]) = (inputs, outputs) else { return Ok(()) };
        let list: &[i64] = bytemuck::cast_slice(inputs[groups.input]);
        let Some(group) = groups.group(list, number) else { return Ok(()) };
        let [x, weights]: [&[i8]; 2] = [x, weights].map(|bytes| bytemuck::cast_slice(bytes));
        let mut sums = vec![0_i32; columns];
        add_products(x, weights.get(group * x.len() * columns..).unwrap_or_default(), &mut sums);
        let factors = floats(inputs, 2)?.get(group * columns..).unwrap_or_default();
        let of_row = floats(inputs, 3)?.first().copied().unwrap_or(0.0);
        let row: Vec<f32> =
            sums.iter().zip(factors).map(|(sum, factor)| *sum as f32 * of_row * factor).collect();
        gate.apply(&row, room);
        put(scales.first_mut(), Scheme::QuotientDivides.quantise(room, &Codes::Bytes, to));
        Ok(())
    });
    groups.limit(rows, entries)
}

for_instructions! {
    /// Adds the products of a row and of each column of a matrix, which lies by rows, to the sums of the columns.
    pub fn add_products(x: &[i8], weights: &[i8], sums: &mut [i32]) {
        for (x, weights) in x.iter().zip(weights.chunks_exact(sums.len().max(1))) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = sum.wrapping_add(i32::from(*x) * i32::from(*weight));
            }
        }
    }
}
