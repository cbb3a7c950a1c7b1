//! The kernels, phase two of the operators: what an operator does to the bytes of its tensors.
//!
//! A [`Kernel`] is a body over views of device memory. It runs block by block: a body fills a block of the result from
//! the same elements of the inputs. The block is the memory of the output where its elements lie one after the other and
//! no input shares them; otherwise it is a buffer that is written through the view of the output. Conversions happen inside
//! the block, so no converted copy of a tensor ever exists.
//!
//! How the views lie decides the order of the blocks, once for a kernel: one after the other, row by row where rows are
//! runs of every view, or tile by tile where an input is transposed. A body gets ranges of elements and knows none of it.

pub(crate) mod arithmetic;
mod block;
mod elementwise;
mod generate;
mod packed;
mod runs;
mod special;
mod tiles;
pub(crate) mod unary;
mod view;

use std::cell::RefCell;
use std::num::NonZero;
use std::ops::Range;
use std::sync::LazyLock;
use std::thread;

use aclnn_numerics::layout::Walk;
use smallvec::SmallVec;

pub(crate) use block::{Block, Conversions, Scratch, size_of_dtype};
pub(crate) use elementwise::{Elementwise, Scale, Source};
pub(crate) use generate::{Accumulation, Constant, Sequence};
pub(crate) use packed::Packed;
pub(crate) use view::{Bound, View};

use tiles::Tiles;

use crate::check;
use crate::check::tracker::{Access, Carried, Purpose};
use crate::runtime::memory::Lookup;
use crate::runtime::stream::work::Places;
use crate::status::Result;

/// Results of at least this many bytes are computed by several threads.
const SHARED_BYTES: usize = 1 << 20;

/// What one launch computes: all but the last view are inputs, the last is the output.
pub(crate) struct Kernel {
    views: SmallVec<[View; 3]>,
    body: Box<dyn Body>,
    /// How a copy walks over its input and its output; `None` for kernels that compute.
    copied: Option<Walk<2>>,
    order: Order,
}

/// The order in which the blocks of a result are computed.
#[derive(Clone, Copy)]
enum Order {
    /// One after the other.
    Blocks,
    /// One after the other, none across the end of a row of so many elements: within it every view is one run, which is
    /// often read or written where it lies.
    Rows(usize),
    Tiles(Tiles),
}

impl Order {
    fn of(views: &[View]) -> Self {
        /// Shorter rows cost less in blocks of several.
        const SHORTEST: usize = 128;
        let Some((output, inputs)) = views.split_last() else { return Self::Blocks };
        // A view of another size counts in units of its own.
        if inputs.iter().any(|input| input.numel() != output.numel()) {
            return Self::Blocks;
        }
        if let Some(tiles) = Tiles::of(inputs) {
            return Self::Tiles(tiles);
        }
        match views.iter().map(View::run_len).min() {
            Some(row) if row >= SHORTEST && row < output.numel() => Self::Rows(row),
            _ => Self::Blocks,
        }
    }
}

/// The computation of one block.
pub(crate) trait Body: Send + Sync {
    /// Fills `out` with the elements `range` of the result, in the type of the output.
    fn block(&self, inputs: &[Bound<'_>], range: Range<usize>, out: &mut [u8], scratch: &mut Scratch);

    /// The size in bytes of the widest element that a block of this body holds.
    fn widest(&self) -> usize;

    /// How many elements of an output of `numel` elements are written; the others keep what they hold.
    fn count(&self, numel: usize) -> usize {
        numel
    }

    /// Whether a block can only be computed on the thread that has just computed the one before.
    fn is_sequential(&self) -> bool {
        false
    }

    /// Whether every element gets the same value, in whatever order they are written.
    fn is_uniform(&self) -> bool {
        false
    }

    /// What happens to an element, step by step.
    fn steps(&self) -> Vec<&'static str>;
}

impl Kernel {
    /// The last view is the output.
    pub(crate) fn new(views: SmallVec<[View; 3]>, body: impl Body + 'static) -> Self {
        let order = Order::of(&views);
        Self { views, body: Box::new(body), copied: None, order }
    }

    /// The same kernel, which copies the elements of its input, in `shape`, to its output and computes nothing with them.
    pub(crate) fn carrying(self, shape: &[usize]) -> Self {
        let copied = match self.views.as_slice() {
            [input, output] => Some(Walk::new(shape, [input.strides(), output.strides()])),
            _ => None,
        };
        Self { copied, ..self }
    }

    /// The elements that a copy moves when the storages of its tensors begin at `addresses`.
    pub(crate) fn carried(&self, addresses: &[usize]) -> Option<Carried<'_>> {
        let (walk, [input, output], [from, to]) = (self.copied.as_ref()?, self.views.as_slice(), addresses)
        else {
            return None;
        };
        Some(Carried {
            walk,
            from: input.first_at(*from),
            to: output.first_at(*to),
            sizes: (input.size(), output.size()),
        })
    }

    /// Checks that every view lies in device memory that `device` reaches when its storage begins at the address given for
    /// it.
    pub(crate) fn check<'a>(
        &self,
        device: i32,
        addresses: &[usize],
        names: impl Iterator<Item = &'a str>,
    ) -> Result {
        let mut lookup = Lookup::of(device);
        for ((view, &address), name) in self.views.iter().zip(addresses).zip(names) {
            view.bind(address, &mut lookup).map_err(|status| {
                let message = format!("{name}: {}", status.message);
                status.told_as(message)
            })?;
        }
        Ok(())
    }

    /// The bytes that a launch touches; nothing while nothing is tracked.
    pub(crate) fn accesses(
        &self,
        addresses: &[usize],
        names: impl Iterator<Item = &'static str>,
    ) -> SmallVec<[Access; 4]> {
        let mut accesses = SmallVec::new();
        if !check::is_tracking() {
            return accesses;
        }
        let last = self.views.len().saturating_sub(1);
        for (index, ((view, &address), name)) in self.views.iter().zip(addresses).zip(names).enumerate() {
            let span = view.span_at(address);
            if span.is_empty() {
                continue;
            }
            let (writing, reading) = match self.copied {
                Some(_) => (Purpose::Receive, Purpose::Carry),
                None => (Purpose::Write, Purpose::Read),
            };
            let (span, purpose) = if index == last {
                (span.shortened(self.body.count(view.numel()).saturating_mul(view.size())), writing)
            } else {
                (span, reading)
            };
            accesses.push(Access { name, span, purpose });
        }
        accesses
    }

    /// What happens to an element, step by step.
    pub(crate) fn steps(&self) -> Vec<&'static str> {
        self.body.steps()
    }

    /// Bytes read and written.
    pub(crate) fn bytes(&self) -> usize {
        self.views.iter().map(View::bytes).sum()
    }

    /// Computes the output.
    pub(crate) fn run(&self, places: &Places) -> Result {
        let mut bound: SmallVec<[Bound<'_>; 3]> = SmallVec::new();
        let mut lookup = Lookup::again(places.losses);
        for (view, &address) in self.views.iter().zip(&places.addresses) {
            bound.push(view.bind(address, &mut lookup)?);
        }
        drop(lookup);
        let Some(output) = bound.pop() else { return Ok(()) };
        // An input that overlaps the output in another layout is read completely before anything is written.
        let copies: SmallVec<[Option<Vec<u8>>; 2]> =
            bound.iter().map(|input| input.conflicts_with(&output).then(|| input.copy())).collect();
        let inputs: SmallVec<[Bound<'_>; 2]> = bound
            .iter()
            .zip(&copies)
            .map(|(input, copy)| copy.as_deref().map_or(*input, |copy| input.over(0, copy)))
            .collect();

        // A body must not see one memory as its input and as its block.
        let in_place =
            bound.iter().zip(&copies).any(|(input, copy)| copy.is_none() && input.overlaps(&output));

        let numel = self.body.count(output.numel());
        let widest = self.views.iter().map(View::size).max().unwrap_or(1).max(self.body.widest()).max(1);
        let step = Block::SIZE / widest;
        let work = Work { body: &*self.body, output, in_place, step };
        // What is shared between threads, and how much of it at least belongs together.
        let (parts, together) = match self.order {
            Order::Blocks => (numel, step),
            Order::Rows(row) => (numel, row),
            Order::Tiles(tiles) => (tiles.count(numel), 1),
        };
        let part = |part: Range<usize>| {
            SCRATCH.with_borrow_mut(|(block, scratch)| match self.order {
                Order::Blocks => work.compute(&inputs, part, usize::MAX, block, scratch),
                Order::Rows(row) => work.compute(&inputs, part, row, block, scratch),
                Order::Tiles(tiles) => tiles.for_each(part, &inputs, |inputs, range| {
                    work.compute(inputs, range, usize::MAX, block, scratch);
                }),
            });
        };
        let bytes = numel.saturating_mul(output.size());
        // An output of one value everywhere may hold elements several times, which threads must not share.
        let is_shareable = !self.body.is_sequential() && (!self.body.is_uniform() || output.is_one_run());
        let threads = if bytes >= SHARED_BYTES && is_shareable { *THREADS } else { 1 };
        if threads == 1 {
            part(0..parts);
            return Ok(());
        }
        let share = parts.div_ceil(threads).next_multiple_of(together);
        thread::scope(|scope| {
            for begin in (share..parts).step_by(share) {
                let part = &part;
                scope.spawn(move || part(begin..parts.min(begin + share)));
            }
            part(0..share.min(parts));
        });
        Ok(())
    }
}

/// One launch.
struct Work<'a> {
    body: &'a dyn Body,
    output: Bound<'a>,
    /// Some input shares memory with the output.
    in_place: bool,
    /// The most elements of a block.
    step: usize,
}

impl Work<'_> {
    /// Computes the elements `range`, no block across the end of a row.
    fn compute(
        &self,
        inputs: &[Bound<'_>],
        range: Range<usize>,
        row: usize,
        block: &mut Block,
        scratch: &mut Scratch,
    ) {
        // The blocks of a row are of about one size.
        let step = if row == usize::MAX { self.step } else { row.div_ceil(row.div_ceil(self.step)) };
        let (mut begin, mut row_end) = (range.start, range.start.saturating_add(row));
        while begin < range.end {
            let end = range.end.min(begin + step).min(row_end);
            if end == row_end {
                row_end += row;
            }
            // SAFETY: no input shares the elements, and every thread writes a part of its own.
            let direct = (!self.in_place).then(|| unsafe { self.output.contiguous_mut(begin..end) });
            if let Some(out) = direct.flatten() {
                self.body.block(inputs, begin..end, out, scratch);
            } else {
                let out = &mut block.bytes_mut()[..(end - begin) * self.output.size()];
                self.body.block(inputs, begin..end, out, scratch);
                self.output.scatter(begin..end, out);
            }
            begin = end;
        }
    }
}

thread_local! {
    /// The buffers of this thread: clearing new ones would cost more than a small kernel.
    static SCRATCH: RefCell<(Block, Box<Scratch>)> = RefCell::new((Block::new(), Box::new(Scratch::new())));
}

/// The processors that this process may use.
static THREADS: LazyLock<usize> = LazyLock::new(|| thread::available_parallelism().map_or(1, NonZero::get));
