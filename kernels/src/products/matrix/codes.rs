//! Quantised factors: codes as they are stored, which become floats where they are multiplied.

use std::borrow::Cow;
use std::ops::Range;

use super::vectors::{Make, prefetch};
use crate::views::failure::Result;
use crate::views::instructions::for_wide_instructions;
use crate::{Block, Bound, Conversions};

/// The elements of an input as they are stored, one after the other.
pub(super) struct Codes<'a> {
    bytes: Cow<'a, [u8]>,
    /// Bytes of an element.
    size: usize,
    code: Code<'a>,
}

/// The way in which numbers are stored.
#[derive(Clone, Copy)]
pub(super) enum Code<'a> {
    /// As elements that are converted to f32.
    Converted(&'a Conversions),
    /// An integer in a byte.
    Bytes,
    /// Two integers in a byte, the lower four bits first.
    Nibbles,
}

impl<'a> Codes<'a> {
    pub(super) fn new(code: Code<'a>, input: &Bound<'a>) -> Result<Self> {
        let bytes = match input.contiguous(0..input.numel()) {
            Some(bytes) => Cow::Borrowed(bytes),
            None => Cow::Owned(input.copy()?),
        };
        Ok(Self { bytes, size: input.size(), code })
    }

    /// The number of codes.
    pub(super) fn len(&self) -> usize {
        match self.code {
            Code::Converted(_) => self.bytes.len() / self.size.max(1),
            Code::Bytes => self.bytes.len(),
            Code::Nibbles => 2 * self.bytes.len(),
        }
    }

    /// Reads the codes of a range as numbers. What is not there stays as it is.
    pub(super) fn read(&self, range: Range<usize>, to: &mut [f32], between: &mut Block) {
        if let Code::Converted(conversions) = self.code {
            let bytes = self.bytes.get(range.start * self.size..range.end * self.size).unwrap_or_default();
            return conversions.apply_all(range.len(), bytes, bytemuck::cast_slice_mut(to), between);
        }
        if let Code::Bytes = self.code {
            return read_bytes(self.bytes.get(range).unwrap_or_default(), to);
        }
        let bytes = self.bytes.get(range.start / 2..range.end.div_ceil(2)).unwrap_or_default();
        // A range may begin or end within a byte.
        let (bytes, to) = match (range.start % 2, bytes, to) {
            (1, [byte, bytes @ ..], [first, rest @ ..]) => {
                *first = nibbles(*byte)[1];
                (bytes, rest)
            }
            (_, bytes, to) => (bytes, to),
        };
        let (pairs, last) = to.as_chunks_mut();
        read_nibbles(bytes, pairs);
        if let ([last], Some(byte)) = (last, bytes.get(pairs.len())) {
            *last = nibbles(*byte)[0];
        }
    }
}

/// The elements of a factor from one on, as floats.
pub(super) struct Floats<'a> {
    pub(super) codes: &'a Codes<'a>,
    pub(super) first: usize,
    pub(super) scaling: Scaling<'a>,
}

impl Make<f32> for Floats<'_> {
    fn fill(&self, range: Range<usize>, to: &mut [f32], between: &mut Block) {
        self.codes.read(self.first + range.start..self.first + range.end, to, between);
        self.scaling.apply(range.start, to);
    }

    fn prefetch(&self, range: Range<usize>) {
        let Codes { bytes, size, code } = self.codes;
        let place = |element: usize| match code {
            Code::Nibbles => (self.first + element) / 2,
            Code::Bytes | Code::Converted(_) => (self.first + element) * size,
        };
        prefetch(bytes.get(place(range.start)..place(range.end)).unwrap_or_default());
    }
}

/// The two numbers of a byte, which are from −8 to 7.
#[inline(always)]
fn nibbles(byte: u8) -> [f32; 2] {
    let both = byte.cast_signed();
    [f32::from(both << 4 >> 4), f32::from(both >> 4)]
}

/// The shifts and scales of a factor, of which its columns have one for so many rows. They have no more digits than f32, and codes
/// have few, so that their product is exact in f64 and rounded as it is in f32.
pub(super) struct Scaling<'a> {
    /// Elements that lie one after the other: a row, or a column if it lies by columns.
    pub(super) line: usize,
    pub(super) by_columns: bool,
    pub(super) rows: usize,
    pub(super) scales: Grid<'a>,
    pub(super) shifts: Option<Grid<'a>>,
}

/// Numbers, and the distances from one to the next, downwards and to the right.
#[derive(Clone, Copy)]
pub(super) struct Grid<'a> {
    pub(super) numbers: &'a [f64],
    pub(super) strides: [usize; 2],
}

impl<'a> Grid<'a> {
    /// The numbers of neighbouring columns, or the one of all.
    fn of_row(self, row: usize, column: usize, columns: usize) -> &'a [f64] {
        let [down, across] = self.strides;
        let first = row * down + column * across;
        self.numbers.get(first..first + if across == 0 { 1 } else { columns }).unwrap_or_default()
    }

    /// The number for a row and a column.
    fn at(self, row: usize, column: usize) -> f64 {
        let [down, across] = self.strides;
        self.numbers.get(row * down + column * across).copied().unwrap_or(f64::NAN)
    }
}

impl Scaling<'_> {
    /// Shifts and scales the elements from one on. Those whose numbers are not there become NaN.
    pub(super) fn apply(&self, first: usize, elements: &mut [f32]) {
        let (mut line, mut within) = (first / self.line.max(1), first % self.line.max(1));
        let mut rest = elements;
        while !rest.is_empty() {
            let (run, behind) = rest.split_at_mut((self.line - within).clamp(1, rest.len()));
            match self.by_columns {
                true => scale_column(run, within, line, self),
                false => self.apply_to_row(run, line / self.rows, within),
            }
            (line, within, rest) = (line + 1, 0, behind);
        }
    }

    /// Shifts and scales neighbours in a row of a group, from a column on.
    fn apply_to_row(&self, run: &mut [f32], group: usize, column: usize) {
        let scales = self.scales.of_row(group, column, run.len());
        let shifts = self.shifts.map(|shifts| shifts.of_row(group, column, run.len()));
        match (scales, shifts) {
            ([scale], None) => scale_alike(run, 0.0, *scale),
            ([scale], Some([shift])) => scale_alike(run, *shift, *scale),
            (scales, None) if scales.len() == run.len() => scale_each(run, scales),
            (scales, Some(shifts)) if scales.len() == run.len() && shifts.len() == run.len() => {
                shift_and_scale_each(run, shifts, scales);
            }
            _ => run.fill(f32::NAN),
        }
    }
}

for_wide_instructions! {
    fn read_bytes(bytes: &[u8], to: &mut [f32]) {
        to.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte.cast_signed().into());
    }

    fn read_nibbles(bytes: &[u8], to: &mut [[f32; 2]]) {
        to.iter_mut().zip(bytes).for_each(|(to, byte)| *to = nibbles(*byte));
    }

    fn scale_alike(run: &mut [f32], shift: f64, scale: f64) {
        run.iter_mut().for_each(|weight| *weight = ((f64::from(*weight) + shift) * scale) as f32);
    }

    fn scale_each(run: &mut [f32], scales: &[f64]) {
        run.iter_mut().zip(scales).for_each(|(weight, scale)| *weight *= *scale as f32);
    }

    fn shift_and_scale_each(run: &mut [f32], shifts: &[f64], scales: &[f64]) {
        for (weight, (shift, scale)) in run.iter_mut().zip(shifts.iter().zip(scales)) {
            *weight = ((f64::from(*weight) + shift) * scale) as f32;
        }
    }

    /// Shifts and scales neighbours in a column, from a row on, group after group.
    fn scale_column(run: &mut [f32], row: usize, column: usize, by: &Scaling<'_>) {
        let (mut group, mut left, mut rest) = (row / by.rows, by.rows - row % by.rows, run);
        while !rest.is_empty() {
            let (part, behind) = rest.split_at_mut(left.min(rest.len()));
            let shift = by.shifts.map_or(0.0, |shifts| shifts.at(group, column));
            let scale = by.scales.at(group, column);
            if by.shifts.is_none() {
                // Groups are so many rows, or several times as many.
                let (blocks, others) = part.as_chunks_mut::<32>();
                for block in blocks {
                    block.iter_mut().for_each(|weight| *weight *= scale as f32);
                }
                others.iter_mut().for_each(|weight| *weight *= scale as f32);
                (group, left, rest) = (group + 1, by.rows, behind);
                continue;
            }
            part.iter_mut().for_each(|weight| *weight = ((f64::from(*weight) + shift) * scale) as f32);
            (group, left, rest) = (group + 1, by.rows, behind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_the_whole_is() {
        let bytes: Vec<u8> = (0..=255).collect();
        // By the definition of two's complement.
        let number = |code: u8| f32::from(code) - if code < 8 { 0.0 } else { 16.0 };
        let all: Vec<f32> = bytes.iter().flat_map(|byte| [number(byte % 16), number(byte / 16)]).collect();
        let codes = Codes { bytes: Cow::Borrowed(&bytes), size: 1, code: Code::Nibbles };
        for (first, end) in [(0, 512), (0, 1), (1, 2), (1, 512), (3, 100), (100, 511), (7, 7)] {
            let mut read = vec![0.0; end - first];
            codes.read(first..end, &mut read, &mut Block::new());
            assert_eq!(read, all[first..end], "{first}..{end}");
        }
    }

    #[test]
    fn bytes_are_integers_of_eight_bits() {
        let bytes: Vec<u8> = (0..=255).collect();
        let codes = Codes { bytes: Cow::Borrowed(&bytes), size: 1, code: Code::Bytes };
        let mut read = [0.0; 100];
        codes.read(100..200, &mut read, &mut Block::new());
        // By the definition of two's complement.
        let expected = (100..200).map(|code: i16| f32::from(if code < 128 { code } else { code - 256 }));
        assert!(read.into_iter().eq(expected));
    }

    #[test]
    fn every_element_has_the_numbers_of_its_column_and_group() {
        let (rows, columns, together) = (10, 7, 4);
        let numbers: Vec<f64> = (0..21).map(|number| f64::from(0.3_f32 + number as f32)).collect();
        let shifted: Vec<f64> = numbers.iter().map(|number| 1.0 / number).collect();
        for strides in [[columns, 1], [0, 1], [0, 0]] {
            for by_columns in [false, true] {
                for has_shifts in [false, true] {
                    let grid = |numbers| Grid { numbers, strides };
                    let line = if by_columns { rows } else { columns };
                    let (scales, shifts) = (grid(&numbers), has_shifts.then(|| grid(&shifted)));
                    let scaling = Scaling { line, by_columns, rows: together, scales, shifts };
                    let expected = |element: usize| {
                        let (number, within) = (element / line, element % line);
                        let (row, column) = if by_columns { (within, number) } else { (number, within) };
                        let at = row / together * strides[0] + column * strides[1];
                        let shift = if has_shifts { shifted[at] } else { 0.0 };
                        ((element as f64 + shift) * numbers[at]) as f32
                    };
                    for first in [0, 1, 6, 33] {
                        let mut elements: Vec<f32> =
                            (first..rows * columns).map(|element| element as f32).collect();
                        scaling.apply(first, &mut elements);
                        let expected: Vec<f32> = (first..rows * columns).map(expected).collect();
                        assert_eq!(elements, expected, "{strides:?} {by_columns} {has_shifts} from {first}");
                    }
                }
            }
        }
    }
}
