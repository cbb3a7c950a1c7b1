//! Bodies without inputs: constants and sequences.

use std::ops::Range;

use aclnn_numerics::DType;
use aclnn_numerics::convert::Converter;
use aclnn_numerics::range::{Linspace, Progression};

use crate::views::past_caches;
use crate::{Block, Body, Bound, Scratch, converter, size_of_dtype};

/// One value everywhere, in the type of the output.
pub struct Constant {
    block: Box<Block>,
    size: usize,
}

impl Constant {
    pub fn new(element: &[u8]) -> Self {
        Self { block: Box::new(Block::filled_with(element)), size: element.len() }
    }
}

impl Body for Constant {
    fn block(&self, _: &[Bound<'_>], _: Range<usize>, out: &mut [u8], _: &mut Scratch) {
        for place in out.chunks_mut(Block::SIZE) {
            place.copy_from_slice(&self.block.bytes()[..place.len()]);
        }
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn whole(&self, _: &[Bound<'_>], _: Range<usize>, out: &mut [u8], past: Option<&mut Block>) -> bool {
        for place in out.chunks_mut(Block::SIZE) {
            let copies = &self.block.bytes()[..place.len()];
            if past.is_some() { past_caches::copy(copies, place) } else { place.copy_from_slice(copies) }
        }
        true
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["fill"]
    }

    fn widest(&self) -> usize {
        self.size
    }
}

/// Numbers that a function of their index writes, in the type of the output.
pub struct Sequence<F> {
    /// Writes the elements from an index on.
    fill: F,
    size: usize,
    count: usize,
}

impl<F: Fn(usize, &mut [u8])> Sequence<F> {
    /// `count` elements of `size` bytes.
    pub fn new(fill: F, size: usize, count: usize) -> Self {
        Self { fill, size, count }
    }
}

/// Returns a body that writes the first `count` numbers of a progression.
pub fn progression(numbers: Progression, count: usize) -> impl Body {
    // A function, so that it is compiled here; the closure calls it.
    fn fill(numbers: &Progression, first: usize, out: &mut [u8]) {
        numbers.fill_bytes(first, out);
    }
    let size = size_of_dtype(numbers.dtype());
    Sequence::new(move |first, out: &mut [u8]| fill(&numbers, first, out), size, count)
}

/// Returns a body that writes evenly spaced numbers.
pub fn linspace(numbers: Linspace) -> impl Body {
    fn fill(numbers: &Linspace, first: usize, out: &mut [u8]) {
        numbers.fill_bytes(first, out);
    }
    let (size, count) = (size_of_dtype(numbers.dtype()), numbers.count());
    Sequence::new(move |first, out: &mut [u8]| fill(&numbers, first, out), size, count)
}

/// Returns a body that writes the powers of a base with exponents of f64, converted to `dtype`; `None` if nothing is
/// converted to it.
pub fn logspace(base: f64, exponents: Linspace, dtype: DType) -> Option<impl Body> {
    type Powers = (f64, Linspace, Converter, usize);
    fn fill((base, exponents, narrow, size): &Powers, first: usize, out: &mut [u8]) {
        for (index, out) in out.chunks_exact_mut(*size).enumerate() {
            let mut exponent = [0; 8];
            exponents.fill_bytes(first + index, &mut exponent);
            narrow(&base.powf(f64::from_ne_bytes(exponent)).to_ne_bytes(), out);
        }
    }
    let (size, count) = (size_of_dtype(dtype), exponents.count());
    let powers = (base, exponents, converter(DType::F64, dtype)?, size);
    Some(Sequence::new(move |first, out: &mut [u8]| fill(&powers, first, out), size, count))
}

impl<F: Fn(usize, &mut [u8]) + Send + Sync> Body for Sequence<F> {
    fn block(&self, _: &[Bound<'_>], range: Range<usize>, out: &mut [u8], _: &mut Scratch) {
        (self.fill)(range.start, out);
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn whole(&self, _: &[Bound<'_>], range: Range<usize>, out: &mut [u8], past: Option<&mut Block>) -> bool {
        // Shorter numbers take longer to make than to write.
        let Some(block) = past.filter(|_| self.size >= size_of::<f32>()) else {
            (self.fill)(range.start, out);
            return true;
        };
        let together = Block::SIZE / self.size;
        for (number, place) in out.chunks_mut(together * self.size).enumerate() {
            let elements = &mut block.bytes_mut()[..place.len()];
            (self.fill)(range.start + number * together, elements);
            past_caches::copy(elements, place);
        }
        true
    }

    fn widest(&self) -> usize {
        self.size
    }

    fn count(&self, numel: usize) -> usize {
        numel.min(self.count)
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["sequence"]
    }
}

/// Numbers of f64, each the one before plus a step, so that blocks are computed one after the other.
pub struct Accumulation {
    pub start: f64,
    pub step: f64,
    pub count: usize,
}

impl Body for Accumulation {
    fn block(&self, _: &[Bound<'_>], range: Range<usize>, out: &mut [u8], scratch: &mut Scratch) {
        let mut value = if range.start == 0 { self.start } else { scratch.accumulated };
        for element in out.chunks_exact_mut(size_of::<f64>()) {
            element.copy_from_slice(&value.to_ne_bytes());
            value += self.step;
        }
        scratch.accumulated = value;
    }

    fn is_sequential(&self) -> bool {
        true
    }

    fn widest(&self) -> usize {
        size_of::<f64>()
    }

    fn count(&self, numel: usize) -> usize {
        numel.min(self.count)
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["sequence"]
    }
}
