//! Selections by the truth of each element: of a mask, or of the tensor itself.

use smallvec::SmallVec;

use super::blocks::{TOGETHER, compact, each_block, fill, set_ones};
use crate::views::allocation;
use crate::views::bound;
use crate::views::failure::{Cause, Failure, Result};
use crate::{Block, Bound, Conversions, Sizes, Whole};

/// Reads elements and the truth of each, lets them be changed, and writes them back, unless none is true.
fn change(out: &Bound<'_>, mask: &Bound<'_>, mut change: impl FnMut(&mut [u8], &[u8]) -> Result) -> Result {
    let (mut buffer, size) = (Vec::new(), out.size());
    each_block(mask, |first, truths| {
        if truths.iter().all(|truth| *truth == 0) {
            return Ok(());
        }
        let range = first..first + truths.len();
        let elements = allocation::bytes_of(&mut buffer, range.len() * size)?;
        out.gather(range.clone(), elements);
        change(elements, truths)?;
        out.scatter(range, elements);
        Ok(())
    })
}

/// Writes one element where the first input, a mask of the shape of the output, is true: the second input, or if there is
/// none, the element here.
pub struct MaskedFill {
    pub element: SmallVec<[u8; 16]>,
    /// From the type of the second input to that of the output.
    pub conversions: Conversions,
}

impl Whole for MaskedFill {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let [out] = outputs else { return Ok(()) };
        let copies = bound::copies(inputs, &|input| input.overlaps(out))?;
        let inputs = bound::with_copies(inputs, &copies);
        let (Some(mask), value) = (inputs.first(), inputs.get(1)) else { return Ok(()) };
        let mut element = self.element.clone();
        if let Some(value) = value {
            let (mut stored, mut seen) = (Vec::new(), Vec::new());
            let stored = allocation::bytes_of(&mut stored, value.size())?;
            value.gather(0..1, stored);
            let seen = allocation::bytes_of(&mut seen, out.size())?;
            self.conversions.apply_all(1, stored, seen, &mut Block::new());
            element = SmallVec::from_slice(seen);
        }
        change(out, mask, |elements, truths| {
            fill(elements, &element, truths);
            Ok(())
        })
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["fill"]
    }
}

/// Writes the elements of the second input, one after the other, where the first one, a mask of the shape of the output, is
/// true.
pub struct MaskedScatter;

impl Whole for MaskedScatter {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let [out] = outputs else { return Ok(()) };
        let copies = bound::copies(inputs, &|input| input.overlaps(out))?;
        let inputs = bound::with_copies(inputs, &copies);
        let [mask, source] = inputs.as_slice() else { return Ok(()) };
        let (size, mut next, mut buffer) = (source.size(), 0, Vec::new());
        let mut known = 0..0;
        change(out, mask, |elements, truths| {
            let places = elements.chunks_exact_mut(size.max(1)).zip(truths);
            for (place, _) in places.filter(|(_, truth)| **truth != 0) {
                if next == source.numel() {
                    let message = format!("source has {next} elements, but mask has more true ones");
                    return Err(Failure::new(Cause::AiCore, message));
                }
                if !known.contains(&next) {
                    known = next..source.numel().min(next + TOGETHER);
                    source.gather(known.clone(), allocation::bytes_of(&mut buffer, known.len() * size)?);
                }
                let bytes: &[u8] = bytemuck::cast_slice(&buffer);
                place.copy_from_slice(&bytes[(next - known.start) * size..][..size]);
                next += 1;
            }
            Ok(())
        })
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["scatter"]
    }
}

/// Writes the elements of the second input for which the first one, a mask of its shape, is true, one after the other to the
/// output, which gets their number as its size.
pub struct MaskedSelect {
    pub conversions: Conversions,
}

impl Whole for MaskedSelect {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], sizes: &mut Sizes) -> Result {
        let [out] = outputs else { return Ok(()) };
        let copies = bound::copies(inputs, &|input| input.overlaps(out))?;
        let inputs = bound::with_copies(inputs, &copies);
        let [mask, own] = inputs.as_slice() else { return Ok(()) };
        let (mut read, mut converted, mut between) = (Vec::new(), Vec::new(), Block::new());
        let mut next = 0;
        each_block(mask, |first, truths| {
            let range = first..first + truths.len();
            let elements = allocation::bytes_of(&mut read, range.len() * own.size())?;
            own.gather(range, elements);
            let count = compact(elements, own.size(), truths);
            let selected = &elements[..count * own.size()];
            let to = allocation::bytes_of(&mut converted, count * out.size())?;
            self.conversions.apply_all(count, selected, to, &mut between);
            out.scatter(next..next + count, to);
            next += count;
            Ok(())
        })?;
        sizes.push((0, SmallVec::from_iter([next as i64])));
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["select"]
    }
}

/// Writes the coordinates of the elements that are not zero to the output, a tensor of i64 that is contiguous: one in each row,
/// or in each column. The output gets their number as a size.
pub struct Nonzero {
    /// The sizes of the axes.
    pub shape: SmallVec<[usize; 8]>,
    /// The bits of an element that are set in a number other than zero: not the sign of a float.
    pub bits: SmallVec<[u8; 16]>,
    pub in_columns: bool,
}

impl Nonzero {
    /// What the coordinate of an element on each axis follows from: by how much its number is divided, and if the axis is not
    /// the first one, of what the rest is taken.
    fn divisors(&self) -> Vec<(usize, Option<usize>)> {
        let inner = |axis: usize| self.shape.iter().skip(axis + 1).product::<usize>().max(1);
        let axes = self.shape.iter().enumerate();
        axes.map(|(axis, size)| (inner(axis), (axis > 0).then_some((*size).max(1)))).collect()
    }
}

/// The coordinate of an element on an axis.
fn coordinate(number: usize, (inner, size): (usize, Option<usize>)) -> i64 {
    let along = if inner == 1 { number } else { number / inner };
    size.map_or(along, |size| along % size) as i64
}

impl Whole for Nonzero {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], sizes: &mut Sizes) -> Result {
        let ([own], [out]) = (inputs, outputs) else { return Ok(()) };
        let found = set_ones(own, &self.bits);
        let rank = self.shape.len();
        if found.len().saturating_mul(rank) > out.numel() {
            let message = format!(
                "out has room for {} numbers, but the coordinates of {} elements are {} numbers",
                out.numel(),
                found.len(),
                found.len().saturating_mul(rank)
            );
            return Err(Failure::new(Cause::AiCore, message));
        }
        let mut next = 0;
        let mut write = |coordinates: &[i64]| {
            out.scatter(next..next + coordinates.len(), bytemuck::cast_slice(coordinates));
            next += coordinates.len();
        };
        let mut buffer = Vec::new();
        let divisors = self.divisors();
        if self.in_columns {
            for divisor in &divisors {
                for block in found.chunks(TOGETHER) {
                    buffer.clear();
                    buffer.extend(block.iter().map(|number| coordinate(*number, *divisor)));
                    write(&buffer);
                }
            }
        } else {
            for block in found.chunks(TOGETHER) {
                buffer.clear();
                for number in block {
                    buffer.extend(divisors.iter().map(|divisor| coordinate(*number, *divisor)));
                }
                write(&buffer);
            }
        }
        let (count, rank) = (found.len() as i64, rank as i64);
        let made = if self.in_columns { [rank, count] } else { [count, rank] };
        sizes.push((0, SmallVec::from_iter(made)));
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["nonzero"]
    }
}
