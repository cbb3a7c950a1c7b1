//! Elements of a tensor combined with what is written to them.

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;
use bytemuck::cast_slice_mut;

use super::loops::{Divide, Loop, divide, in_type};
use super::memory::Memory;
use super::pieces::Pieces;
use super::positions::outside;
use super::reduction::Reduction;
use super::runs::{SKIPPED, Source};
use crate::functions::arithmetic::{Binary, Operation};
use crate::views::allocation;
use crate::views::block::Line;
use crate::views::failure::{Cause, Failure, Result};
use crate::{Block, Bound, Conversions, size_of_dtype};

/// The combination of elements, in their own type or in another one, from which they are rounded once.
pub struct Reduce {
    combine: Loop,
    /// Divides sums by the numbers of their terms.
    divide: Option<Divide>,
    /// A factor for what is written, in the compute type.
    factor: Option<(Binary, Box<Block>)>,
    /// Whether what the tensor holds counts.
    includes_own: bool,
    widen: Conversions,
    narrow: Conversions,
    /// Bytes of an element of the compute type.
    size: usize,
}

impl Reduce {
    /// Combines elements of `dtype` in the type `compute`, as they are converted on a product.
    pub fn new(
        product: Product,
        reduction: Reduction,
        dtype: DType,
        compute: DType,
        includes_own: bool,
    ) -> Result<Self> {
        let no_kernel = || {
            let name = format!("{reduction:?}").to_lowercase();
            Failure::new(Cause::NoKernel, format_args!("there is no kernel for the {name} of {dtype}"))
        };
        let divide = match reduction {
            Reduction::Mean => Some(divide(compute).ok_or_else(no_kernel)?),
            _ => None,
        };
        Ok(Self {
            combine: in_type(reduction, compute).ok_or_else(no_kernel)?,
            divide,
            factor: None,
            includes_own,
            widen: Conversions::through(product, &[dtype, compute]).ok_or_else(no_kernel)?,
            narrow: Conversions::through(product, &[compute, dtype]).ok_or_else(no_kernel)?,
            size: size_of_dtype(compute),
        })
    }

    /// Returns the same, where what is written is multiplied by `factor`, an element of the type `compute`.
    pub fn times(self, factor: &[u8], compute: DType) -> Self {
        let product = Operation::Mul.in_type(compute);
        let factor = product.map(|product| (product, Box::new(Block::filled_with(factor))));
        Self { factor, ..self }
    }

    /// Combines the runs of a table with what is written to them.
    pub(super) fn run(&self, pieces: &Pieces<'_>, out: &Bound<'_>) -> Result {
        let own = Memory::of(out);
        let counts = !self.includes_own || self.divide.is_some();
        if self.widen.is_empty() && !counts {
            return self.combine(pieces, &own);
        }
        // The elements that are found, in the compute type. There is memory for what lies between them too.
        let mut wide = allocation::zeros::<Line>((own.places() * self.size).div_ceil(Line::SIZE))?;
        let wide = own.beside(cast_slice_mut(&mut wide), self.size);
        let mut buffers = Buffers { read: Vec::new(), converted: Vec::new(), between: Block::new() };
        // Where many elements are found, all are converted in the order of the memory, if that changes none of them.
        let is_dense = own.places() == out.numel() && out.lies_apart() && own.places() / 4 < pieces.numel();
        let is_whole = is_dense && self.widen_all(&own, &wide, &mut buffers)?;
        if !is_whole {
            pieces.each_place(&mut |offsets, len| buffers.convert(&self.widen, &own, &wide, offsets, len))?;
        }
        if counts {
            self.combine_counted(pieces, &wide)?;
        } else {
            self.combine(pieces, &wide)?;
        }
        let mut back = |offsets: &[isize], len| buffers.convert(&self.narrow, &wide, &own, offsets, len);
        if is_whole { own.each_piece(&mut back) } else { pieces.each_place(&mut back) }
    }

    /// Converts all elements. Returns whether each is the same when it is converted back: a NaN may be another one.
    fn widen_all(&self, own: &Memory<'_>, wide: &Memory<'_>, buffers: &mut Buffers) -> Result<bool> {
        let (mut is_same, mut back) = (true, Vec::new());
        own.each_piece(&mut |offsets, len| {
            if is_same {
                buffers.convert(&self.widen, own, wide, offsets, len)?;
                let Buffers { read, converted, between } = buffers;
                let read = &*allocation::bytes_of(read, len * own.size())?;
                let back = allocation::bytes_of(&mut back, read.len())?;
                self.narrow.apply_all(len, allocation::bytes_of(converted, len * self.size)?, back, between);
                is_same = read == back;
            }
            Ok(())
        })?;
        Ok(is_same)
    }

    /// Combines runs in memory that holds the compute type.
    fn combine(&self, pieces: &Pieces<'_>, memory: &Memory<'_>) -> Result {
        let mut scaled = Vec::new();
        pieces.each(&self.widen, self.size, &mut |offsets, len, from| {
            memory.combine(self.combine, offsets, len, self.scaled(from, &mut scaled)?)
        })
    }

    /// Combines element by element, and counts what each is combined with.
    fn combine_counted(&self, pieces: &Pieces<'_>, memory: &Memory<'_>) -> Result {
        let mut terms = allocation::zeros::<u32>(memory.places())?;
        let mut scaled = Vec::new();
        pieces.each(&self.widen, self.size, &mut |offsets, len, from| {
            let from = self.scaled(from, &mut scaled)?;
            for (number, first) in offsets.iter().enumerate().filter(|(_, first)| **first != SKIPPED) {
                for step in 0..len {
                    let offset = first + step as isize;
                    let element = from.element(number, step, len, self.size);
                    let terms =
                        memory.place(offset).and_then(|place| terms.get_mut(place)).ok_or_else(outside)?;
                    if *terms == 0 && !self.includes_own {
                        memory.write(offset, element)?;
                    } else {
                        memory.combine(self.combine, &[offset], 1, Source::Same(element))?;
                    }
                    *terms = (*terms).max(self.includes_own.into()).saturating_add(1);
                }
            }
            Ok(())
        })?;
        let Some(divide) = self.divide else { return Ok(()) };
        let mut sum = Block::new();
        let sum = &mut sum.bytes_mut()[..self.size];
        for (place, count) in terms.iter().enumerate().filter(|(_, count)| **count > 0) {
            let offset = memory.offset(place);
            memory.read(offset, sum)?;
            divide(sum, *count);
            memory.write(offset, sum)?;
        }
        Ok(())
    }

    /// Returns the elements that are written, times the factor.
    fn scaled<'a>(&self, from: Source<'a>, buffer: &'a mut Vec<Line>) -> Result<Source<'a>> {
        let Some((product, factor)) = &self.factor else { return Ok(from) };
        let (Source::Runs(bytes) | Source::Same(bytes)) = from;
        let to = allocation::bytes_of(buffer, bytes.len())?;
        product(bytes, &factor.bytes()[..self.size], to);
        match from {
            Source::Runs(_) => Ok(Source::Runs(to)),
            Source::Same(_) => Ok(Source::Same(to)),
        }
    }
}

/// The buffers in which elements are converted.
struct Buffers {
    read: Vec<Line>,
    converted: Vec<Line>,
    between: Block,
}

impl Buffers {
    /// Converts runs of one memory to the same runs of another one, which this launch alone uses.
    fn convert(
        &mut self,
        by: &Conversions,
        from: &Memory<'_>,
        to: &Memory<'_>,
        offsets: &[isize],
        len: usize,
    ) -> Result {
        let numel = offsets.len() * len;
        let read = allocation::bytes_of(&mut self.read, numel * from.size())?;
        let converted = allocation::bytes_of(&mut self.converted, numel * to.size())?;
        let found = from.runs(len).gather(offsets, read);
        by.apply_all(numel, read, converted, &mut self.between);
        // SAFETY: no other operand shares the elements, and no other thread works on this launch.
        let written = unsafe { to.runs(len).scatter(offsets, Source::Runs(converted)) };
        if found && written { Ok(()) } else { Err(outside()) }
    }
}
