//! The steps from a source type to a target type, without dispatch between elements.
//!
//! | step | for |
//! |---|---|
//! | unpack | sources narrower than a byte |
//! | floats of a byte → f32 | such sources |
//! | numbers → f32, rounded to odd | targets shorter than f32, to which each value is rounded once |
//! | numbers → numbers, as CANN's Cast does it | everything else |
//! | f32 → floats of a byte | such targets |
//! | pack | targets narrower than a byte |

use bytemuck::cast_slice_mut;

use crate::convert::float8::{Decode, Encode, EncodePower};
use crate::convert::level::Level;
use crate::convert::odd::to_f32_odd;
use crate::convert::pack::Width;
use crate::convert::small::{FloatEncoder, PowerEncoder};
use crate::convert::values::Values;
use crate::convert::{Converter, cann};
use crate::dtype::{Class, DType};

/// The number of elements that go through all steps at a time. Packed, they take whole bytes at every width.
const BLOCK: usize = 512;

/// The way in which numbers become elements of the target.
#[derive(Clone, Copy, Debug)]
pub(super) enum Write {
    /// As numbers; as their low bits in a target narrower than a byte.
    Number,
    /// As codes of a float.
    Float(FloatEncoder),
    /// As powers of two.
    Power(PowerEncoder),
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// One code per byte, extended by its sign or by zeros.
    Unpack(Width, Class),
    Decode(&'static Values),
    /// The conversion, and the bytes of its results.
    Convert(Converter, usize),
    Encode(FloatEncoder),
    EncodePower(PowerEncoder),
    Pack(Width),
}

/// One conversion, ready to run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernel {
    level: Level,
    steps: [Option<Step>; 4],
    from_bits: usize,
    to_bits: usize,
}

impl Kernel {
    /// Returns `None` if a type is not numeric.
    #[inline]
    pub(super) fn new(from: DType, to: DType, write: Write) -> Option<Kernel> {
        Kernel::at(Level::best(), from, to, write)
    }

    #[inline]
    fn at(level: Level, from: DType, to: DType, write: Write) -> Option<Kernel> {
        let convert = |from: DType, to: DType| {
            // A bool may hold any byte.
            if from == to && from != DType::Bool {
                return Some(None);
            }
            Some(Some(Step::Convert(cann::converter_at(level, from, to)?, to.bits() / 8)))
        };
        let packed = |dtype| Width::of(dtype).filter(|width| *width != Width::Bits8);
        let unpack = packed(from).map(|width| Step::Unpack(width, from.class()));
        let decode = Values::of(from).map(Step::Decode);
        let seen = match from.class() {
            _ if decode.is_some() => DType::F32,
            Class::Signed if unpack.is_some() => DType::I8,
            Class::Unsigned if unpack.is_some() => DType::U8,
            _ => from,
        };
        let pack = packed(to).map(Step::Pack);
        let single = match to_f32_odd(level, seen) {
            Some(odd) => Some(Step::Convert(odd, size_of::<f32>())),
            None => convert(seen, DType::F32)?,
        };
        let [first, second] = match (write, to) {
            (Write::Float(encoder), _) => [single, Some(Step::Encode(encoder))],
            (Write::Power(encoder), _) => [single, Some(Step::EncodePower(encoder))],
            // What f32 rounds of an integer is infinite as f16.
            (Write::Number, DType::F16) if seen != DType::F64 => [convert(seen, to)?, None],
            (Write::Number, DType::F16 | DType::BF16) if seen != to => [single, convert(DType::F32, to)?],
            (Write::Number, _) if pack.is_some() => [convert(seen, DType::I8)?, None],
            (Write::Number, _) => [convert(seen, to)?, None],
        };
        let mut all = [unpack, decode, first, second, pack].into_iter().flatten();
        let steps = std::array::from_fn(|_| all.next());
        Some(Kernel { level, steps, from_bits: from.bits(), to_bits: to.bits() })
    }

    /// Converts `count` elements. Both slices have exactly the length that these elements take.
    #[inline]
    pub(super) fn run(&self, source: &[u8], count: usize, target: &mut [u8]) {
        if let [Some(step), None, ..] = &self.steps {
            return self.step(step, source, target);
        }
        // Nothing between two steps is wider than f32.
        let mut buffers = [[0f32; BLOCK]; 2];
        let [from, to] = &mut buffers;
        let (mut from, mut to): (&mut [u8], &mut [u8]) = (cast_slice_mut(from), cast_slice_mut(to));
        let sources = source.chunks(BLOCK * self.from_bits / 8);
        let targets = target.chunks_mut(BLOCK * self.to_bits / 8);
        let mut left = count;
        for (source, target) in sources.zip(targets) {
            let count = left.min(BLOCK);
            left -= count;
            let mut steps = self.steps.iter().flatten().peekable();
            let mut have = None;
            while let Some(step) = steps.next() {
                let source = match have {
                    None => source,
                    Some(bytes) => from.get(..bytes).unwrap_or_default(),
                };
                if steps.peek().is_none() {
                    self.step(step, source, target);
                } else {
                    let bytes = count * step.size();
                    self.step(step, source, to.get_mut(..bytes).unwrap_or_default());
                    have = Some(bytes);
                    std::mem::swap(&mut from, &mut to);
                }
            }
        }
    }

    #[inline]
    fn step(&self, step: &Step, source: &[u8], target: &mut [u8]) {
        match step {
            Step::Unpack(width, class) => {
                width.unpack(source, target);
                if *class == Class::Signed {
                    target.iter_mut().for_each(|code| *code = width.sign_extend(*code) as u8);
                }
            }
            Step::Decode(values) => self.level.compiled::<Decode>()(values, source, target),
            Step::Convert(convert, _) => convert(source, target),
            Step::Encode(encoder) => self.level.compiled::<Encode>()(encoder, source, target),
            Step::EncodePower(encoder) => self.level.compiled::<EncodePower>()(encoder, source, target),
            Step::Pack(width) => width.pack(source, target),
        }
    }
}

impl Step {
    /// Returns the bytes of a result, unless it is packed.
    #[inline]
    fn size(&self) -> usize {
        match self {
            Step::Decode(_) => size_of::<f32>(),
            Step::Convert(_, size) => *size,
            Step::Unpack(..) | Step::Encode(_) | Step::EncodePower(_) | Step::Pack(_) => 1,
        }
    }
}

/// Copies packed elements; bits after the last element become zero.
#[inline]
pub(super) fn copy(bits: usize, source: &[u8], count: usize, target: &mut [u8]) {
    for (to, from) in target.iter_mut().zip(source) {
        *to = *from;
    }
    let taken = count % 8 * bits % 8;
    if let (true, Some(last)) = (taken > 0, target.last_mut()) {
        *last &= 0xFF >> (8 - taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::levels::compare;
    use crate::convert::onnx::types;
    use crate::convert::small::{Beyond, FloatFormat, RoundMode};

    /// Of types that take whole bytes: packing is the same at every level.
    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        let whole = |dtype: DType| types(25).any(|one| one == dtype) && dtype.bits() >= 8;
        compare(|level, from, to| {
            let write = match FloatFormat::of(to) {
                Some(format) => match format.encoder(Beyond::Largest, Beyond::Special) {
                    Some(encoder) => Write::Float(encoder),
                    None => Write::Power(PowerEncoder::new(RoundMode::Nearest, true)),
                },
                None => Write::Number,
            };
            let kernel = (whole(from) && whole(to)).then(|| Kernel::at(level, from, to, write))??;
            let (n, m) = (from.bits() / 8, to.bits() / 8);
            (from != to).then_some(move |source: &[u8], target: &mut [u8]| {
                let count = (source.len() / n).min(target.len() / m);
                kernel.run(&source[..count * n], count, &mut target[..count * m]);
            })
        });
    }
}
