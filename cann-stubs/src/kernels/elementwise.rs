//! A function of the elements at one position: convert, perhaps scale, combine, convert.

use std::ops::Range;

use smallvec::SmallVec;

use super::arithmetic::Binary;
use super::block::Room;
use super::{Block, Body, Bound, Conversions, Scratch};

/// One or two sources, combined in the compute type, converted to the output's type.
pub(crate) struct Elementwise {
    pub(crate) sources: SmallVec<[Source; 2]>,
    /// Multiplies one source before the combination.
    pub(crate) scale: Option<Scale>,
    /// Absent when there is one source that is only converted.
    pub(crate) function: Option<Binary>,
    /// Does everything at once, from the elements of the sources to the output's type; only without a scale.
    pub(crate) fused: Option<Binary>,
    /// From the compute type to the output's type.
    pub(crate) result: Conversions,
    /// Bytes of an element of the compute type.
    pub(crate) compute_size: usize,
}

/// Where the elements of one operand come from.
pub(crate) enum Source {
    /// Input number `input`, converted to the compute type.
    Tensor { input: usize, conversions: Conversions },
    /// A block of copies of one value in the compute type.
    Constant(Box<Block>),
}

/// `alpha`: the factor of one source.
pub(crate) struct Scale {
    /// The number of the source.
    pub(crate) source: usize,
    /// A block of copies of the factor in the compute type.
    pub(crate) factor: Box<Block>,
    pub(crate) multiply: Binary,
    /// Rounds the product to the promoted type and back; empty when it keeps the precision of the compute type.
    pub(crate) rounding: Conversions,
}

impl Source {
    /// The elements `range` as they are stored; a constant in the compute type.
    fn stored<'a>(&'a self, inputs: &'a [Bound<'_>], range: Range<usize>, block: &'a mut Block) -> &'a [u8] {
        let input = match self {
            Source::Constant(block) => return block.bytes(),
            Source::Tensor { input, .. } => &inputs[*input],
        };
        if let Some(bytes) = input.contiguous(range.clone()) {
            return bytes;
        }
        let bytes = &mut block.bytes_mut()[..range.len() * input.size()];
        input.gather(range, bytes);
        bytes
    }

    /// The elements `range` in the compute type.
    fn load<'a>(&'a self, inputs: &'a [Bound<'_>], range: Range<usize>, room: &'a mut Room) -> &'a [u8] {
        let count = range.len();
        let from = self.stored(inputs, range, &mut room.from);
        let Source::Tensor { conversions, .. } = self else { return from };
        let Some(last) = conversions.steps().last() else { return from };
        let to = &mut room.to.bytes_mut()[..count * last.size];
        conversions.apply(count, from, to, &mut room.between);
        to
    }

    fn widest(&self) -> usize {
        match self {
            Source::Constant(_) => 0,
            Source::Tensor { conversions, .. } => conversions.widest(),
        }
    }
}

impl Scale {
    fn apply<'a>(&self, count: usize, size: usize, from: &[u8], room: &'a mut Room) -> &'a [u8] {
        let product = &mut room.from.bytes_mut()[..count * size];
        (self.multiply)(from, self.factor.bytes(), product);
        if self.rounding.is_empty() {
            return product;
        }
        let rounded = &mut room.to.bytes_mut()[..count * size];
        self.rounding.apply(count, product, rounded, &mut room.between);
        rounded
    }
}

impl Body for Elementwise {
    fn block(&self, inputs: &[Bound<'_>], range: Range<usize>, out: &mut [u8], scratch: &mut Scratch) {
        let count = range.len();
        if let (Some(fused), [a, b]) = (self.fused, self.sources.as_slice()) {
            let Scratch { first, second, .. } = scratch;
            let a = a.stored(inputs, range.clone(), &mut first.from);
            return fused(a, b.stored(inputs, range, &mut second.from), out);
        }
        let Some(source) = self.sources.first() else { return };
        let mut a = source.load(inputs, range.clone(), &mut scratch.first);
        let Some(function) = self.function else {
            return self.result.apply(count, a, out, &mut scratch.combined.between);
        };
        let mut b =
            self.sources.get(1).map_or(&[][..], |source| source.load(inputs, range, &mut scratch.second));
        if let Some(scale) = &self.scale {
            let operand = if scale.source == 0 { &mut a } else { &mut b };
            *operand = scale.apply(count, self.compute_size, operand, &mut scratch.scaled);
        }
        if self.result.is_empty() {
            return function(a, b, out);
        }
        let combined = &mut scratch.combined.from.bytes_mut()[..count * self.compute_size];
        function(a, b, combined);
        self.result.apply(count, combined, out, &mut scratch.combined.between);
    }

    fn steps(&self) -> Vec<&'static str> {
        let converts = |source: &&Source| matches!(source, Source::Tensor { conversions, .. } if !conversions.is_empty());
        let mut steps = vec!["convert"; self.sources.iter().filter(converts).count()];
        steps.extend(self.scale.as_ref().map(|_| "scale"));
        steps.extend(self.function.map(|_| "combine"));
        steps.extend((!self.result.is_empty()).then_some("convert"));
        if steps.is_empty() { vec!["copy"] } else { steps }
    }

    fn is_direct(&self) -> bool {
        let (mut are_tensors, mut are_converted) = (true, false);
        for source in &self.sources {
            match source {
                Source::Constant(_) => are_tensors = false,
                Source::Tensor { conversions, .. } => are_converted |= !conversions.is_empty(),
            }
        }
        let by_function = self.function.is_some() && self.scale.is_none() && self.result.is_empty();
        let by_conversion = self.function.is_none() && self.result.steps().len() <= 1;
        are_tensors && (self.fused.is_some() || !are_converted && (by_function || by_conversion))
    }

    fn widest(&self) -> usize {
        let sources = self.sources.iter().map(Source::widest).max().unwrap_or(0);
        let rounding = self.scale.as_ref().map_or(0, |scale| scale.rounding.widest());
        sources.max(self.compute_size).max(self.result.widest()).max(rounding)
    }
}
