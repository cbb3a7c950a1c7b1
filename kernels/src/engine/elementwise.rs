//! A function of the elements at one position: convert, perhaps scale, combine, convert.

use std::ops::Range;
use std::ptr::fn_addr_eq;

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;
use smallvec::SmallVec;

use crate::engine::planes::Planes;
use crate::engine::staged::Sides;
use crate::functions::arithmetic::Binary;
use crate::functions::function::Function;
use crate::functions::fused::{Fused, Pair};
use crate::functions::halves::{self, Short};
use crate::views::block::Room;
use crate::views::past_caches;
use crate::views::runs::{self, Plane, Side};
use crate::views::transpose::Run;
use crate::{Block, Body, Bound, Conversions, Scratch};

/// Some sources, each converted to its compute type, combined, converted to the output's type.
pub struct Elementwise {
    pub sources: SmallVec<[Source; 2]>,
    /// Multiplies one source before the combination of two.
    pub scale: Option<Scale>,
    /// Absent when there is one source that is only converted.
    pub function: Option<Function>,
    /// Does everything at once, from the elements of the sources to the output's type; only without a scale. It repeats an
    /// operand of one element.
    pub fused: Option<Fused>,
    /// From what the function makes to the output's type.
    pub result: Conversions,
    /// Bytes of an element that the function makes.
    pub compute_size: usize,
}

/// The source of the elements of one operand.
pub enum Source {
    /// Input number `input`, converted to the compute type.
    Tensor { input: usize, conversions: Conversions },
    /// A block of copies of one value in the compute type, which has `size` bytes.
    Constant { block: Box<Block>, size: usize },
}

/// `alpha`: the factor of one source.
pub struct Scale {
    /// The number of the source.
    pub source: usize,
    /// A block of copies of the factor in the compute type.
    pub factor: Box<Block>,
    pub multiply: Binary,
    /// Rounds the product to the promoted type and back; empty when it keeps the precision of the compute type.
    pub rounding: Conversions,
}

impl Elementwise {
    /// The loop that does everything at once, where there is one and it does so many elements soonest.
    fn fused_for(&self, count: usize) -> Option<Fused> {
        /// Fewer elements than a vector holds are converted sooner one by one.
        const VECTOR: usize = 16;
        self.fused.filter(|_| count >= VECTOR)
    }

    /// The type of 16 bits of all tensors, where each is converted to f32 and the result from it at once.
    fn halves(&self) -> Option<DType> {
        let is_one = |conversions: &Conversions, chain: [DType; 2]| {
            let only = Conversions::through(Product::Ascend910B, &chain);
            matches!(
                (conversions.steps(), only.as_ref().map(Conversions::steps)),
                ([own], Some([only])) if fn_addr_eq(own.convert, only.convert)
            )
        };
        [DType::F16, DType::BF16].into_iter().find(|dtype| {
            is_one(&self.result, [DType::F32, *dtype])
                && self.sources.iter().all(|source| match source {
                    Source::Tensor { conversions, .. } => is_one(conversions, [*dtype, DType::F32]),
                    Source::Constant { size, .. } => *size == size_of::<f32>(),
                })
        })
    }

    /// Returns whether the function is applied to elements as they are stored, and that is all.
    fn is_plain(&self) -> bool {
        matches!(self.function, Some(Function::Two(_) | Function::Many(_)))
            && self.fused.is_none()
            && self.scale.is_none()
            && self.result.is_empty()
            && self.sources.iter().all(|source| !source.converts())
    }

    /// Returns whether a source is a block of copies.
    fn has_constant(&self) -> bool {
        self.sources.iter().any(|source| matches!(source, Source::Constant { .. }))
    }

    /// Returns what each source is for a function. Four have places from the first, which is sooner than to add them one by one.
    #[inline(always)]
    fn operands<'a, T: Copy>(&'a self, none: T, mut of: impl FnMut(&'a Source) -> T) -> SmallVec<[T; 4]> {
        let mut operands = [none; 4];
        let count = self.sources.len();
        if count > operands.len() {
            return self.sources.iter().map(of).collect();
        }
        operands.iter_mut().zip(&self.sources).for_each(|(operand, source)| *operand = of(source));
        SmallVec::from_buf_and_len(operands, count)
    }

    /// Input number `input` as it is.
    pub fn input(input: usize) -> Source {
        Source::Tensor { input, conversions: Conversions::default() }
    }
}

impl Source {
    /// The elements `range` as they are stored, or the one that they are all equal to.
    #[inline]
    fn stored<'a>(&'a self, inputs: &'a [Bound<'_>], range: Range<usize>, block: &'a mut Block) -> &'a [u8] {
        let input = match self {
            Source::Constant { block, size } => return &block.bytes()[..*size],
            Source::Tensor { input, .. } => &inputs[*input],
        };
        if let Some(bytes) = input.repeated().or_else(|| input.contiguous(range.clone())) {
            return bytes;
        }
        let bytes = &mut block.bytes_mut()[..range.len() * input.size()];
        input.gather(range, bytes);
        bytes
    }

    /// The number that a constant of f32 repeats.
    fn number(block: &Block) -> Short<'_> {
        Short::Number(block.bytes().first_chunk().map_or(0.0, |bytes| f32::from_ne_bytes(*bytes)))
    }

    /// Where the elements of a plane are as they are stored.
    fn side(&self, inputs: &[Side<*const u8>]) -> Side<*const u8> {
        match self {
            Source::Tensor { input, .. } => inputs[*input],
            Source::Constant { block, size } => {
                Side { plane: Plane { first: block.bytes().as_ptr(), down: 0, across: 0 }, size: *size }
            }
        }
    }

    /// The elements `range` in the compute type, or the one that they are all equal to. Of a constant there are enough.
    #[inline]
    fn load<'a>(&'a self, inputs: &'a [Bound<'_>], range: Range<usize>, room: &'a mut Room) -> &'a [u8] {
        let (input, conversions) = match self {
            Source::Constant { block, .. } => return block.bytes(),
            Source::Tensor { input, conversions } => (&inputs[*input], conversions),
        };
        let from = self.stored(inputs, range, &mut room.from);
        let Some(last) = conversions.steps().last() else { return from };
        let count = from.len() / input.size().max(1);
        let to = &mut room.to.bytes_mut()[..count * last.size];
        conversions.apply(count, from, to, &mut room.between);
        to
    }

    /// Returns whether elements are converted when they are loaded.
    fn converts(&self) -> bool {
        matches!(self, Source::Tensor { conversions, .. } if !conversions.is_empty())
    }

    fn widest(&self) -> usize {
        match self {
            Source::Constant { size, .. } => *size,
            Source::Tensor { conversions, .. } => conversions.widest(),
        }
    }
}

/// Copies rows, which may repeat an element or be in the opposite order, past the caches, at most so many elements at a time.
///
/// # Safety
/// As for [`Body::plane`].
unsafe fn copy_past(
    input: Side<*const u8>,
    output: Side<*mut u8>,
    [rows, columns]: [usize; 2],
    most: usize,
    mut past: Option<&mut Block>,
) {
    let (Plane { first, down, across }, size) = (input.plane, input.size);
    for row in 0..rows {
        // SAFETY: by the contract.
        let out = unsafe { output.row(row, columns) };
        if across == 1 {
            // SAFETY: as above.
            past_caches::copy(unsafe { input.row(row, columns) }, out);
            continue;
        }
        let first = first.wrapping_offset(row as isize * down * size as isize);
        // Processors read ahead what lies upwards: of what is read downwards, longer pieces wait less often.
        let most = if across < 0 { Block::SIZE / size.max(1) } else { most };
        past_caches::pieces(columns, most, out, past.as_deref_mut(), |elements, out| {
            let begin = elements.start as isize * across * size as isize;
            let from = Run { first: first.wrapping_offset(begin), stride: across };
            let to = Run { first: out.as_mut_ptr(), stride: 1 };
            // SAFETY: by the contract; there is room for so many elements.
            unsafe { runs::copy(from, to, elements.len(), size) }
        });
    }
}

/// The elements `range` of a block, or the one that is repeated.
fn part(block: &[u8], size: usize, range: Range<usize>) -> &[u8] {
    if block.len() == size { block } else { &block[range.start * size..range.end * size] }
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
        if let Some(Fused::Halves(combine)) = self.fused_for(count) {
            let Scratch { first, second, others, .. } = scratch;
            let rooms = others.len().max(self.sources.len().saturating_sub(2));
            others.resize_with(rooms, Room::new);
            let mut rooms = [first, second].into_iter().chain(others);
            let operands = self.operands(Short::Number(0.0), |source| match (source, rooms.next()) {
                (Source::Tensor { .. }, Some(room)) => {
                    Short::Halves(source.stored(inputs, range.clone(), &mut room.from))
                }
                (Source::Constant { block, .. }, _) => Source::number(block),
                (Source::Tensor { .. }, None) => Short::Number(0.0),
            });
            return combine(&operands, out);
        }
        if let (Some(fused), [a, b]) = (self.fused_for(count), self.sources.as_slice()) {
            let Scratch { first, second, .. } = scratch;
            let a = a.stored(inputs, range.clone(), &mut first.from);
            let b = b.stored(inputs, range, &mut second.from);
            return fused.block(a, b, out);
        }
        let Some(source) = self.sources.first() else { return };
        let Some(function) = self.function else {
            let Some(input) = inputs.first() else { return };
            if self.result.is_empty() {
                return input.gather(range, out);
            }
            let from = match input.contiguous(range.clone()) {
                Some(bytes) => bytes,
                None => {
                    let bytes = &mut scratch.first.from.bytes_mut()[..count * input.size()];
                    input.gather(range, bytes);
                    bytes
                }
            };
            return self.result.apply(count, from, out, &mut scratch.combined.between);
        };
        let Scratch { first, second, others, scaled, combined, failed, .. } = scratch;
        let is_converted = !self.result.is_empty();
        let made = match is_converted {
            true => &mut combined.from.bytes_mut()[..count * self.compute_size],
            false => &mut *out,
        };
        match function {
            Function::Two(function) => {
                let mut a = source.load(inputs, range.clone(), first);
                let mut b = self.sources.get(1).map_or(&[][..], |source| source.load(inputs, range, second));
                if let Some(scale) = &self.scale {
                    let operand = if scale.source == 0 { &mut a } else { &mut b };
                    *operand = scale.apply(count, self.compute_size, operand, scaled);
                }
                function(a, b, made);
            }
            Function::Many(_) | Function::Partial(_) => {
                let rooms = others.len().max(self.sources.len().saturating_sub(2));
                others.resize_with(rooms, Room::new);
                let mut rooms = [first, second].into_iter().chain(others);
                let operands: SmallVec<[&[u8]; 4]> = self.operands(&[], |source| match rooms.next() {
                    Some(room) => source.load(inputs, range.clone(), room),
                    None => &[],
                });
                match function {
                    Function::Two(_) => {}
                    Function::Many(function) => function(&operands, made),
                    Function::Partial(function) => *failed = function(&operands, made).err().or(*failed),
                }
            }
        }
        if is_converted {
            let made = &combined.from.bytes()[..count * self.compute_size];
            self.result.apply(count, made, out, &mut combined.between);
        }
    }

    fn of_two(&self, count: usize) -> Option<Fused> {
        let [Source::Tensor { input: 0, conversions: of_a }, Source::Tensor { input: 1, conversions: of_b }] =
            self.sources.as_slice()
        else {
            return None;
        };
        if let Some(fused) = self.fused_for(count) {
            return Some(fused);
        }
        let are_plain = [of_a, of_b, &self.result].into_iter().all(Conversions::is_empty);
        match self.function {
            Some(Function::Two(function)) if are_plain && self.scale.is_none() => Some(Fused::Row(function)),
            _ => None,
        }
    }

    fn settle(&mut self) {
        if let (Some(function), None, None) = (self.function, self.fused, &self.scale) {
            self.fused = self.halves().and_then(|dtype| halves::of(function, dtype)).map(Fused::Halves);
        }
    }

    fn steps(&self) -> Vec<&'static str> {
        let mut steps = vec!["convert"; self.sources.iter().filter(|source| source.converts()).count()];
        steps.extend(self.scale.as_ref().map(|_| "scale"));
        steps.extend(self.function.map(|_| "combine"));
        steps.extend((!self.result.is_empty()).then_some("convert"));
        if steps.is_empty() { vec!["copy"] } else { steps }
    }

    fn whole(
        &self,
        inputs: &[Bound<'_>],
        range: Range<usize>,
        out: &mut [u8],
        past: Option<&mut Block>,
    ) -> bool {
        let count = range.len();
        let side = |input: &Bound<'_>| {
            let (bytes, size) = (input.repeated().or_else(|| input.contiguous(range.clone()))?, input.size());
            let across = isize::from(bytes.len() != size);
            Some(Side { plane: Plane { first: bytes.as_ptr(), down: 0, across }, size })
        };
        let sides: Option<Sides> = inputs.iter().map(side).collect();
        let (Some(_), Some(sides)) = (self.planes(), sides) else { return false };
        let size = out.len() / count.max(1);
        let output = Side { plane: Plane { first: out.as_mut_ptr(), down: 0, across: 1 }, size };
        // SAFETY: the slices hold so many elements.
        unsafe { self.plane(&sides, output, [1, count], past) };
        true
    }

    fn is_whole(&self) -> bool {
        self.planes().is_some() && !(self.has_constant() && self.is_plain())
    }

    fn planes(&self) -> Option<Planes> {
        let copied = |shortest, across| Planes { shortest, across, are_soon: true };
        match (self.function, self.fused) {
            (Some(_), Some(Fused::Plane(_))) => Some(Planes { shortest: 16, across: [0, 2], are_soon: true }),
            (Some(_), None) if !self.is_plain() => None,
            (Some(_), _) => Some(Planes { shortest: 128, across: [0, 1], are_soon: false }),
            // What is copied alone may be in the opposite order.
            (None, _) => match self.result.steps().len() {
                0 => Some(copied(32, [-1, 1])),
                1 => Some(copied(128, [0, 1])),
                _ => None,
            },
        }
    }

    unsafe fn plane(
        &self,
        inputs: &[Side<*const u8>],
        output: Side<*mut u8>,
        counts: [usize; 2],
        mut past: Option<&mut Block>,
    ) {
        let [rows, columns] = counts;
        // As many as a block of a constant has, and one to copy past the caches.
        let is_in_blocks = past.is_some() || self.has_constant() && self.is_plain();
        let most = if is_in_blocks { Block::SIZE / self.widest().max(output.size) } else { columns };
        if let Some(Fused::Halves(combine)) = self.fused {
            for row in 0..rows {
                // SAFETY: by the contract.
                let out = unsafe { output.row(row, columns) };
                past_caches::pieces(columns, most, out, past.as_deref_mut(), |elements, out| {
                    let operands = self.operands(Short::Number(0.0), |source| match source {
                        Source::Constant { block, .. } => Source::number(block),
                        Source::Tensor { input, .. } => {
                            // SAFETY: by the contract.
                            let halves = unsafe { inputs[*input].row(row, columns) };
                            Short::Halves(part(halves, output.size, elements.clone()))
                        }
                    });
                    combine(&operands, out);
                });
            }
            return;
        }
        if let (Some(Fused::Plane(planar)), [a, b]) = (self.fused, self.sources.as_slice()) {
            let operands = [a, b].map(|source| source.side(inputs).plane);
            // SAFETY: by the contract, and a constant is one element.
            return unsafe {
                planar.run(&Pair { operands, out: output.plane, counts, streams: past.is_some() });
            };
        }
        if let Some(function) = self.function {
            for row in 0..rows {
                // SAFETY: by the contract.
                let out = unsafe { output.row(row, columns) };
                past_caches::pieces(columns, most, out, past.as_deref_mut(), |elements, out| {
                    let operands: SmallVec<[&[u8]; 4]> = self.operands(&[], |source| match source {
                        Source::Constant { block, .. } => block.bytes(),
                        Source::Tensor { input, .. } => {
                            let side = inputs[*input];
                            // SAFETY: by the contract.
                            part(unsafe { side.row(row, columns) }, side.size, elements.clone())
                        }
                    });
                    match (function, operands.as_slice()) {
                        (Function::Two(function), [a]) => function(a, &[], out),
                        (Function::Two(function), [a, b, ..]) => function(a, b, out),
                        (Function::Many(function), operands) => function(operands, out),
                        _ => debug_assert!(false, "elements without a result have no planes"),
                    }
                });
            }
            return;
        }
        let [input] = inputs else { return debug_assert!(false, "a conversion has one input") };
        let most = if past.is_some() { past_caches::most_elements(output.size).min(most) } else { most };
        let Some(conversion) = self.result.steps().first() else {
            /// Rows of fewer bytes are stored sooner in the caches.
            const FEW: usize = 1024;
            // SAFETY: by the contract.
            return unsafe {
                if past.is_none() || columns * input.size < FEW {
                    runs::copy_plane(input.plane, output.plane, counts, input.size)
                } else {
                    copy_past(*input, output, counts, most, past)
                }
            };
        };
        for row in 0..rows {
            // SAFETY: by the contract.
            let (from, out) = unsafe { (input.row(row, columns), output.row(row, columns)) };
            if input.plane.across == 0 {
                let Some((first, others)) = out.split_at_mut_checked(output.size) else { return };
                (conversion.convert)(from, first);
                others.chunks_exact_mut(output.size).for_each(|element| element.copy_from_slice(first));
                continue;
            }
            past_caches::pieces(columns, most, out, past.as_deref_mut(), |elements, out| {
                (conversion.convert)(part(from, input.size, elements), out);
            });
        }
    }

    fn widest(&self) -> usize {
        let sources = self.sources.iter().map(Source::widest).max().unwrap_or(0);
        let rounding = self.scale.as_ref().map_or(0, |scale| scale.rounding.widest());
        sources.max(self.compute_size).max(self.result.widest()).max(rounding)
    }
}
