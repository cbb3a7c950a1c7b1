//! Rows of tokens that are copied to the places of their experts, with or without quantisation, and those that are combined
//! again.

use aclnn_numerics::{DType, f16};

use crate::Result;
use crate::functions::rows::half;
use crate::networks::experts::rows::Tables;

/// An integer of a list.
pub fn int(list: &[u8], place: usize) -> i64 {
    bytemuck::cast_slice::<u8, i32>(list).get(place).copied().map_or(-1, i64::from)
}

/// A number of a list.
pub fn float(list: &[u8], place: usize) -> f32 {
    bytemuck::cast_slice::<u8, f32>(list).get(place).copied().unwrap_or(0.0)
}

/// Adds a row, times a factor, to a sum.
pub fn add(tables: &Tables<'_>, table: usize, row: i64, factor: f32, sum: &mut [f32]) -> Result {
    tables.visit::<f32>(table, row, &mut |row| {
        sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += factor * x);
    })?;
    Ok(())
}

/// The sum of the products of two rows.
pub fn dot(tables: &Tables<'_>, [a, b]: [(usize, i64); 2]) -> Result<f32> {
    let mut sum = 0.0;
    let mut left = Vec::new();
    tables.visit::<f32>(a.0, a.1, &mut |row| left.extend_from_slice(row))?;
    tables.visit::<f32>(b.0, b.1, &mut |row| sum = left.iter().zip(row).map(|(a, b)| a * b).sum())?;
    Ok(sum)
}

/// Copies a row; where there is none, it is all zeros.
pub fn copy(tables: &Tables<'_>, row: i64, out: &mut [u8]) -> Result {
    if !tables.visit::<u8>(0, row, &mut |row| out.copy_from_slice(row))? {
        out.fill(0);
    }
    Ok(())
}

/// The steps of a quantised row.
#[derive(Clone, Copy, PartialEq)]
pub enum Steps {
    /// Given ones: the product and the sum in f32, or each rounded to f16.
    Given { in_halves: bool },
    /// Steps of the greatest element, rounded to the nearest, ties to even, or through f16 and with ties away from zero.
    Own { away: bool },
}

/// A number cut to f16, towards zero.
fn cut_to_half(x: f32) -> f32 {
    let near = half(x);
    if near.abs() > x.abs() {
        let bits = f16::from_f32(x).to_bits();
        return f16::from_bits(bits - 1).to_f32();
    }
    near
}

/// Quantises a row, which is multiplied by numbers of its own first; returns its step.
pub fn quantize(steps: Steps, row: &[f32], factors: Option<&[f32]>, given: [f32; 2], out: &mut [i8]) -> f32 {
    let to_i8 = |x: f32| half(x).clamp(-128.0, 127.0) as i8;
    match steps {
        Steps::Given { in_halves } => {
            let [scale, offset] = given;
            for (to, x) in out.iter_mut().zip(row) {
                let count = match in_halves {
                    true => half(half(half(*x) * half(scale)) + half(offset)),
                    false => x * scale + offset,
                };
                *to = to_i8(count.round_ties_even());
            }
            0.0
        }
        Steps::Own { away } => {
            let scaled = |(place, x): (usize, &f32)| {
                x * factors.and_then(|factors| factors.get(place)).copied().unwrap_or(1.0)
            };
            let row: Vec<f32> = row.iter().enumerate().map(scaled).collect();
            let step = row.iter().fold(0.0_f32, |most, x| most.max(x.abs())) / 127.0;
            for (to, x) in out.iter_mut().zip(&row) {
                let count = x / step;
                *to = match away {
                    true => to_i8(cut_to_half(count).round()),
                    false => to_i8(count.round_ties_even()),
                };
            }
            step
        }
    }
}

/// Rounds to a type whose sums are rounded at each step; f32 stays.
fn rounded(x: f32, dtype: DType) -> f32 {
    if dtype == DType::F16 { half(x) } else { x }
}

/// The operands of a sum over the experts of a token: the places among the experts' rows, the factors and the experts.
pub struct Terms<'a> {
    pub places: &'a [u8],
    pub factors: Option<&'a [u8]>,
    pub experts: Option<&'a [u8]>,
    pub by_column: bool,
    pub rows: usize,
    pub k: usize,
}

/// Experts whose rows are something else: nothing, the token itself, or the token and a row, each times a number.
#[derive(Clone, Default)]
pub struct Special {
    pub zero: std::ops::Range<i64>,
    pub copy: std::ops::Range<i64>,
    pub constant: std::ops::Range<i64>,
}

/// The tables of a combination, in their order: the rows of experts, rows that are added to the sum, numbers of each expert,
/// tokens and the row of constant experts. Each may be missing but for the first.
#[derive(Clone, Copy, Default)]
pub struct Found {
    pub added: [Option<usize>; 2],
    pub bias: Option<usize>,
    pub tokens: Option<usize>,
    pub constant: Option<usize>,
}

impl Terms<'_> {
    /// Sums up the rows of the experts of token `row`; sums are rounded to `dtype` at each step.
    pub fn sum(
        &self,
        row: usize,
        tables: &Tables<'_>,
        (found, special, factors): (Found, &Special, [Option<&[u8]>; 2]),
        dtype: DType,
        out: &mut [f32],
    ) -> Result {
        out.fill(0.0);
        for (number, table) in found.added.into_iter().flatten().enumerate() {
            tables.visit::<f32>(table, row as i64, &mut |x| {
                for (sum, x) in out.iter_mut().zip(x) {
                    *sum = if number == 0 { *x } else { rounded(*sum + x, dtype) };
                }
            })?;
        }
        let mut term = vec![0.0_f32; out.len()];
        let mut is_first = found.added.iter().all(Option::is_none);
        for choice in 0..self.k {
            let flat = row * self.k + choice;
            let at = if self.by_column { choice * self.rows + row } else { flat };
            let expert = self.experts.map_or(-1, |experts| int(experts, flat));
            if special.zero.contains(&expert) {
                continue;
            }
            let factor = self.factors.map_or(1.0, |factors| float(factors, flat));
            let mut take = |x: &[f32]| term.copy_from_slice(x);
            if special.copy.contains(&expert) {
                tables.visit(found.tokens.unwrap_or(usize::MAX), row as i64, &mut take)?;
            } else if special.constant.contains(&expert) {
                tables.visit(found.tokens.unwrap_or(usize::MAX), row as i64, &mut take)?;
                let place = (expert - special.constant.start).max(0) as usize;
                let [own, other] = factors.map(|list| list.map_or(0.0, |list| float(list, place)));
                tables.visit::<f32>(found.constant.unwrap_or(usize::MAX), place as i64, &mut |row| {
                    for (x, v) in term.iter_mut().zip(row) {
                        *x = rounded(rounded(own * *x, dtype) + rounded(other * v, dtype), dtype);
                    }
                })?;
            } else if !tables.visit(0, int(self.places, at), &mut take)? {
                term.fill(0.0);
            }
            if let Some(bias) = found.bias {
                tables.visit::<f32>(bias, expert, &mut |bias| {
                    term.iter_mut().zip(bias).for_each(|(x, bias)| *x = rounded(*x + bias, dtype));
                })?;
            }
            for (sum, x) in out.iter_mut().zip(&term) {
                let scaled = if self.factors.is_some() { rounded(factor * x, dtype) } else { *x };
                *sum = if is_first { scaled } else { rounded(*sum + scaled, dtype) };
            }
            is_first = false;
        }
        Ok(())
    }
}
