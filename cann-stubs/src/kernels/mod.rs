//! The kernels, phase two of the operators: what an operator does to the bytes of its tensors.
//!
//! A [`Kernel`] is a [`Body`] over views of device memory. The body fills a piece of the result from the same elements of
//! the inputs, and knows nothing of layouts, threads and caches.
//!
//! # How a kernel is added
//!
//! | what is new | where |
//! |---|---|
//! | a function of two elements of one type | a line of `operations!` in `arithmetic.rs`; `Rules` in `operators/arithmetic.rs` names it |
//! | a compute type | a line of `in_type` in `arithmetic.rs`, which needs a `Number` |
//! | a pair of types that is converted in registers | a line of `pairs!` in `fused/loops.rs`, a `Load` or `Store` in `fused/avx2.rs` and `fused/avx512.rs` if a type is new, and a line of `PAIRS` in the tests of `fused/mod.rs` |
//! | numbers that no input has | a [`Body`] as in `generate.rs` |
//! | anything else | a [`Body`] in a file of its own: [`Body::block`] alone, then [`Body::whole`] if it can do without buffers |
//!
//! The rule of the operator, in `operators/`, makes the body and returns `Plan::new`, which makes the kernel.
//!
//! # What it gets for free
//!
//! - *Layouts* (`order.rs`): blocks one after the other where every operand is contiguous; rows (`rows.rs`) where some are
//!   broadcast or strided; tiles (`tiles.rs`), turned in registers (`transpose.rs`), where some are transposed. It is chosen
//!   once for a kernel. An input of which a row repeats one element is passed as that element: loops of two operands repeat it.
//! - *Conversions* (`elementwise.rs`): an [`Elementwise`] converts its inputs and its result block by block, in buffers that
//!   stay in the first-level cache. No converted copy of a tensor ever exists.
//! - *Instructions* (`instructions.rs`): what is compiled for several sets, `arithmetic.rs` and `fused`, chooses once for a
//!   plan. Bits never depend on the choice; a test forces each with `control::loops`.
//! - *Threads* (`share.rs`): large results are computed in parts, unless [`Body::is_sequential`].
//! - *Places*: a result is computed where it lies if it is contiguous and no input shares its memory. Where a kernel reads at
//!   least what it writes, and more than the caches hold, the result is written past the caches (`stream.rs`).
//! - *Overlap and tracking*: an input that overlaps the output in another layout is read before anything is written, and the
//!   checks know what a launch reads and writes.

pub(crate) mod arithmetic;
mod block;
mod bound;
mod elementwise;
pub(crate) mod fused;
mod generate;
mod instructions;
mod order;
mod packed;
pub(crate) mod pairwise;
mod rows;
mod runs;
mod share;
mod special;
mod staged;
mod stream;
mod tiles;
mod transpose;
pub(crate) mod unary;
mod view;

use std::cell::RefCell;
use std::ops::Range;

use aclnn_numerics::layout::Walk;
use smallvec::SmallVec;

pub(crate) use block::{Block, Conversions, Scratch, size_of_dtype};
pub(crate) use bound::Bound;
pub(crate) use elementwise::{Elementwise, Scale, Source};
pub(crate) use generate::{Accumulation, Constant, Sequence};
pub(crate) use instructions::{Choice, choose};
pub(crate) use packed::Packed;
pub(crate) use share::choose_threads;
pub(crate) use view::View;

use order::Order;
use staged::Buffers;

use crate::check;
use crate::check::span;
use crate::check::tracker::{Access, Carried, Purpose};
use crate::runtime::memory::Lookup;
use crate::runtime::stream::work::Places;
use crate::status::Result;

/// What one launch computes: all but the last view are inputs, the last is the output.
pub(crate) struct Kernel {
    views: SmallVec<[View; 3]>,
    body: Box<dyn Body>,
    /// How a copy walks over its input and its output; `None` for kernels that compute.
    copied: Option<Walk<2>>,
    order: Order,
    /// Bytes of the widest element of a block.
    widest: usize,
    /// Whether the output is one block, and every view lies in order.
    is_one_block: bool,
    /// Whether no two elements of the output share memory, as far as the strides tell.
    is_apart: bool,
}

/// The computation of one block.
pub(crate) trait Body: Send + Sync {
    /// Fills `out` with the elements `range` of the result, in the type of the output.
    fn block(&self, inputs: &[Bound<'_>], range: Range<usize>, out: &mut [u8], scratch: &mut Scratch);

    /// The size in bytes of the widest element that a block of this body holds.
    fn widest(&self) -> usize;

    /// Fills `out` as [`Body::block`] does, with any number of elements, unless that needs buffers. Returns whether it did.
    /// `past` is a block by way of which elements are written past the caches, where they are.
    fn whole(
        &self,
        _inputs: &[Bound<'_>],
        _range: Range<usize>,
        _out: &mut [u8],
        _past: Option<&mut Block>,
    ) -> bool {
        false
    }

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
    /// The last view is the output, of `shape`.
    pub(crate) fn new(views: SmallVec<[View; 3]>, shape: &[usize], body: impl Body + 'static) -> Self {
        let order = Order::of(shape, &views);
        let widest = views.iter().map(View::size).max().unwrap_or(1).max(body.widest()).max(1);
        let numel = views.last().map_or(0, View::numel);
        let is_one_block = matches!(order, Order::Blocks)
            && (1..=Block::SIZE / widest).contains(&numel)
            && body.count(numel) == numel
            && views.iter().all(|view| view.is_dense() && view.numel() == numel);
        let is_apart = views.last().is_none_or(|output| span::lies_apart(shape, output.strides()));
        Self { views, body: Box::new(body), copied: None, order, widest, is_one_block, is_apart }
    }

    /// Computes an output of one block, if nothing is in the way: no input shares memory with it, and all are aligned.
    fn run_one_block(&self, inputs: &[Bound<'_>], output: &Bound<'_>) -> bool {
        let all = 0..output.numel();
        if inputs.iter().any(|input| input.overlaps(output) || input.contiguous(all.clone()).is_none()) {
            return false;
        }
        // SAFETY: no input shares the elements, and no other thread computes this launch.
        let Some(out) = (unsafe { output.contiguous_mut(all.clone()) }) else { return false };
        BUFFERS.with_borrow_mut(|(_, scratch, _)| self.body.block(inputs, all, out, scratch));
        true
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
            Bound::bind(view, address, &mut lookup).map_err(|status| {
                let message = format!("{name}: {}", status.message);
                status.told_as(message)
            })?;
        }
        Ok(())
    }

    /// The addresses of the first elements of the views when their storages begin at `addresses`.
    pub(crate) fn first_at(&self, addresses: &[usize]) -> impl Iterator<Item = usize> {
        self.views.iter().zip(addresses).map(|(view, &address)| view.first_at(address))
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

    /// Whether the output is written past the caches.
    fn is_streamed(&self, inputs: &[Bound<'_>], output: &Bound<'_>) -> bool {
        /// What is moved no longer stays in the caches.
        const FEWEST: usize = 12 << 20;
        let Some((written, read)) = self.views.split_last() else { return false };
        let read: usize = read.iter().map(View::bytes).fold(0, usize::saturating_add);
        let is_large = read.saturating_add(written.bytes()) > FEWEST;
        // What is only written is made in registers, so a block on the way would cost more than it saves.
        is_large
            && !inputs.is_empty()
            && written.is_dense()
            && !inputs.iter().any(|input| input.overlaps(output))
    }

    /// Computes the output.
    pub(crate) fn run(&self, places: &Places) -> Result {
        let mut bound: SmallVec<[Bound<'_>; 3]> = SmallVec::new();
        let mut lookup = Lookup::again(places.losses);
        for (view, &address) in self.views.iter().zip(&places.addresses) {
            bound.push(Bound::bind(view, address, &mut lookup)?);
        }
        drop(lookup);
        let Some(output) = bound.pop() else { return Ok(()) };
        if self.is_one_block && self.run_one_block(&bound, &output) {
            return Ok(());
        }
        // An input that overlaps the output in another layout is read completely before anything is written.
        let copies: SmallVec<[Option<Vec<u8>>; 2]> =
            bound.iter().map(|input| input.conflicts_with(&output).then(|| input.copy())).collect();
        let inputs: SmallVec<[Bound<'_>; 2]> = bound
            .iter()
            .zip(&copies)
            .map(|(input, copy)| copy.as_deref().map_or(*input, |copy| input.copied(0, copy)))
            .collect();

        // A body must not see one memory as its input and as its block.
        let in_place =
            bound.iter().zip(&copies).any(|(input, copy)| copy.is_none() && input.overlaps(&output));

        let numel = self.body.count(output.numel());
        let chosen = instructions::chosen().block;
        let streams = self.is_streamed(&inputs, &output);
        let copies = self.order.copies_operands();
        let is_staged = streams && !copies;
        let most = if is_staged { stream::most_elements(output.size()) } else { usize::MAX };
        let step = (Block::SIZE / self.widest).min(chosen.unwrap_or(most)).max(1);
        let direct = !in_place || copies;
        let work =
            Work { body: &*self.body, direct, streams: is_staged, whole: direct && chosen.is_none(), step };
        // What is shared between threads, and how much of it at least belongs together.
        let (parts, together) = self.order.parts(numel, step);
        let part = |part: Range<usize>| {
            BUFFERS.with_borrow_mut(|(block, scratch, buffers)| {
                self.order.for_each(
                    part,
                    (&inputs, output),
                    streams,
                    buffers,
                    &mut |inputs, output, range| {
                        work.compute(inputs, output, range, block, scratch);
                    },
                );
            });
            if streams {
                stream::fence();
            }
        };
        // Threads must not write the same elements, which a view may hold several times. The checks refuse most such outputs,
        // and may be off.
        if self.body.is_sequential() || !self.is_apart {
            part(0..parts);
        } else {
            share::each(parts, together, self.bytes(), &part);
        }
        Ok(())
    }
}

/// One launch.
struct Work<'a> {
    body: &'a dyn Body,
    /// No input shares memory with the output, which may therefore be a block.
    direct: bool,
    /// The output is written past the caches.
    streams: bool,
    /// Several blocks may be one where the body can do that.
    whole: bool,
    /// The most elements of a block.
    step: usize,
}

impl Work<'_> {
    /// Computes the elements `range`, block by block.
    fn compute(
        &self,
        inputs: &[Bound<'_>],
        output: Bound<'_>,
        range: Range<usize>,
        block: &mut Block,
        scratch: &mut Scratch,
    ) {
        if range.is_empty() {
            return;
        }
        // SAFETY: every thread writes a part of its own, and no input shares it, since this is called for `direct` alone.
        let part = |range: Range<usize>| unsafe { output.contiguous_mut(range) };
        if self.whole
            && let Some(out) = part(range.clone())
            && self.body.whole(inputs, range.clone(), out, self.streams.then_some(&mut *block))
        {
            return;
        }
        // Blocks of about one size, of whole lines.
        let step = range.len().div_ceil(range.len().div_ceil(self.step)).next_multiple_of(16).min(self.step);
        for begin in range.clone().step_by(step) {
            let range = begin..range.end.min(begin + step);
            match self.direct.then(|| part(range.clone())).flatten() {
                Some(out) if !self.streams => self.body.block(inputs, range, out, scratch),
                past_the_caches => {
                    let out = &mut block.bytes_mut()[..range.len() * output.size()];
                    self.body.block(inputs, range.clone(), out, scratch);
                    match past_the_caches {
                        Some(place) => stream::copy(out, place),
                        None => output.scatter(range, out),
                    }
                }
            }
        }
    }
}

thread_local! {
    /// The buffers of this thread: clearing new ones would cost more than a small kernel.
    static BUFFERS: RefCell<(Block, Box<Scratch>, Buffers)> =
        RefCell::new((Block::new(), Box::new(Scratch::new()), Buffers::default()));
}
