//! A stage that computes an output element by element: in blocks, rows or tiles, on one thread or several, in place or past
//! the caches.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::OnceLock;
use std::{ptr, slice};

use crate::engine::order::Order;
use crate::engine::planes::Planes;
use crate::engine::share;
use crate::engine::staged::Buffers;
use crate::functions::fused::Fused;
use crate::views::bound::{self, Place};
use crate::views::buffer_cache::with_kept;
use crate::views::failure::{Cause, Failure, Result};
use crate::views::instructions;
use crate::views::memory::Memory;
use crate::views::past_caches;
use crate::views::runs::Side;
use crate::views::span;
use crate::{Block, Bound, Scratch, View};

/// The computation of one block.
pub trait Body: Send + Sync {
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

    /// Returns whether [`Body::block`] fills any number of aligned elements from aligned inputs, all of which lie one
    /// after the other.
    fn is_whole(&self) -> bool {
        false
    }

    /// Returns the planes that [`Body::plane`] computes, if any.
    fn planes(&self) -> Option<Planes> {
        None
    }

    /// Computes rows and columns of aligned elements, of [`Body::planes`]: those of the output are neighbours in each row.
    /// `past` is as for [`Body::whole`].
    ///
    /// # Safety
    /// The elements of the inputs may be read, those of the output written, and none of these is one of an input.
    unsafe fn plane(
        &self,
        _inputs: &[Side<*const u8>],
        _output: Side<*mut u8>,
        _counts: [usize; 2],
        _past: Option<&mut Block>,
    ) {
        debug_assert!(false, "this body has no planes");
    }

    /// Returns the number of elements that are written of an output of `numel` elements; the others keep their values.
    fn count(&self, numel: usize) -> usize {
        numel
    }

    /// Returns whether a block can only be computed on the thread that has just computed the one before.
    fn is_sequential(&self) -> bool {
        false
    }

    /// The loop that makes `count` elements of the output of those of two inputs, where that is all that happens to them.
    fn of_two(&self, _count: usize) -> Option<Fused> {
        None
    }

    /// Chooses loops, once and before anything else.
    fn settle(&mut self) {}

    /// Returns the names of the steps that an element goes through.
    fn steps(&self) -> Vec<&'static str>;
}

/// A body, and the order in which it computes the elements of an output.
pub(crate) struct Elements {
    body: Box<dyn Body>,
    order: Order,
    /// Bytes of the widest element of a block.
    widest: usize,
    /// Bytes read and written.
    bytes: usize,
    /// Bytes of an element of the output.
    written: usize,
    /// How the output is computed at once, if it is.
    one_piece: Option<Piece>,
    /// Whether that takes about a microsecond at most.
    is_brief: bool,
    /// Makes the elements of a block of those of two inputs, if every view lies in order.
    of_two: Option<Fused>,
    /// Whether no two elements of the output share memory, as far as the strides tell.
    is_apart: bool,
    /// Whether the output is written past the caches, if no input overlaps it.
    may_stream: bool,
}

/// How an output is computed at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// Every view lies in order; so for the next.
    Block,
    /// Of more elements than a block has.
    Large,
    Plane,
}

impl Elements {
    /// The last view is the output, of `shape`.
    pub(crate) fn new(views: &[&View], shape: &[usize], mut body: Box<dyn Body>) -> Self {
        body.settle();
        let order = Order::of(shape, views, body.planes());
        let widest = views.iter().map(|view| view.size()).max().unwrap_or(1).max(body.widest()).max(1);
        let numel = views.last().map_or(0, |output| output.numel());
        let bytes = views.iter().map(|view| view.bytes()).fold(0, usize::saturating_add);
        let written = views.last().map_or(0, |output| output.size());
        let is_complete = numel > 0 && body.count(numel) == numel;
        let is_in_order = matches!(order, Order::Blocks)
            && is_complete
            && views.iter().all(|view| view.is_dense() && view.numel() == numel);
        let is_alone = bytes < share::SHARED;
        let one_piece = match is_in_order {
            true if numel <= Block::SIZE / widest => Some(Piece::Block),
            true if is_alone && body.is_whole() => Some(Piece::Large),
            false if is_alone && is_complete => {
                let planes = body.planes().filter(|planes| order.is_plane(*planes, views.len() - 1));
                planes.map(|_| Piece::Plane)
            }
            _ => None,
        };
        let is_brief = one_piece == Some(Piece::Block) || one_piece.is_some() && bytes <= Self::BRIEF;
        let is_block = matches!(one_piece, Some(Piece::Block | Piece::Large));
        let of_two = if is_block { body.of_two(numel) } else { None };
        let is_apart = views.last().is_none_or(|output| span::lies_apart(shape, output.strides()));
        let may_stream = Self::may_stream(views, bytes, body.planes().is_some_and(|planes| planes.are_soon));
        Self { body, order, widest, bytes, written, one_piece, is_brief, of_two, is_apart, may_stream }
    }

    /// The most bytes that are read and written within about a microsecond.
    const BRIEF: usize = 16 * Block::SIZE;

    /// The fewest bytes of a result that no longer stay in the caches.
    const FEWEST: usize = 12 << 20;

    /// The result is a part of one for which so many bytes are read and written: long rows are written past the caches if these
    /// are many.
    pub(crate) fn set_whole(&mut self, bytes: usize) {
        /// The fewest bytes of such a row, whose ends may be parts of lines.
        const LONG: usize = 1024;
        let row = match &self.order {
            Order::Rows(rows) => rows.written_together(),
            _ => return,
        };
        self.may_stream |= bytes > Self::FEWEST && row * self.written >= LONG;
    }

    /// Returns whether a result that is dense may be written past the caches.
    fn may_stream(views: &[&View], bytes: usize, are_soon: bool) -> bool {
        /// More bytes stay in the caches where nothing is read, or where it takes time to compute.
        const FEWEST_WRITTEN: usize = 24 << 20;
        const FEWEST_COMPUTED: usize = 40 << 20;
        let Some((written, inputs)) = views.split_last() else { return false };
        let fewest = match (inputs.is_empty(), are_soon) {
            (true, _) => FEWEST_WRITTEN,
            (false, true) => Self::FEWEST,
            (false, false) => FEWEST_COMPUTED,
        };
        bytes > fewest && written.is_dense()
    }

    pub(crate) fn is_one_piece(&self) -> bool {
        self.one_piece.is_some()
    }

    pub(crate) fn is_brief(&self) -> bool {
        self.is_brief
    }

    pub(crate) fn body(&self) -> &dyn Body {
        &*self.body
    }

    /// Computes an output of one piece; the last view is the output. Fails if an element has no result.
    ///
    /// # Safety
    /// As for `Kernel::run`.
    #[inline]
    pub(crate) unsafe fn run_one_piece<M: Memory>(
        &self,
        views: &[View],
        addresses: &[usize],
        memory: M,
    ) -> std::result::Result<(), M::Failure> {
        if let (Some(combine), [a, b, output], [first, second, third, ..], Some(distance)) =
            (self.of_two, views, addresses, memory.distance())
            && !self.is_chosen()
            // SAFETY: the contract is the same; all operands are there, at this distance.
            && unsafe { Self::run_of_two(combine, [(a, *first), (b, *second), (output, *third)], distance) }
        {
            return Ok(());
        }
        // SAFETY: the contract is the same.
        unsafe { self.run_bound(views, addresses, memory) }
    }

    /// Returns whether a test chooses of how many elements a block of the output is, or how many threads share it.
    #[inline]
    fn is_chosen(&self) -> bool {
        self.one_piece != Some(Piece::Block)
            && (instructions::chosen().block.is_some() || !self.is_brief && share::is_chosen())
    }

    /// Combines the elements of two dense views into a third one. Returns false, and does nothing, where elements are not
    /// aligned or overlap.
    ///
    /// # Safety
    /// As for `Kernel::run`, with bytes that are `distance` behind their addresses.
    #[inline]
    unsafe fn run_of_two(combine: Fused, [a, b, output]: [(&View, usize); 3], distance: isize) -> bool {
        // Dense views begin with their first element.
        let [a, b, output] = [a, b, output].map(|(view, address)| {
            let low = address.wrapping_add(view.low).wrapping_add_signed(distance);
            (low, view.span, view.size())
        });
        let is_aligned = |(low, _, size): (usize, usize, usize)| low & (size.clamp(1, 8) - 1) == 0;
        let is_apart =
            |(low, span, _): (usize, usize, usize)| low >= output.0 + output.1 || output.0 >= low + span;
        if ![a, b, output].into_iter().all(is_aligned) || ![a, b].into_iter().all(is_apart) {
            return false;
        }
        // SAFETY: the whole spans are there by the contract. No input shares the elements of the output, and no other thread
        // computes this launch.
        unsafe {
            let read = |(low, span, _)| slice::from_raw_parts(ptr::with_exposed_provenance(low), span);
            let out = slice::from_raw_parts_mut(ptr::with_exposed_provenance_mut(output.0), output.1);
            combine.block(read(a), read(b), out);
        }
        true
    }

    /// Computes an output as `run_one_piece` does, whatever is in the way.
    ///
    /// # Safety
    /// As for `Kernel::run`.
    unsafe fn run_bound<M: Memory>(
        &self,
        views: &[View],
        addresses: &[usize],
        mut memory: M,
    ) -> std::result::Result<(), M::Failure> {
        /// More views are bound in a list.
        const MOST: usize = 4;
        let (Some(first), Some(piece)) = (views.first(), self.one_piece) else { return Ok(()) };
        let place = if piece == Piece::Plane { Place::Strided } else { Place::Run(1) };
        // Made here and filled in place: a launch of few elements takes little longer than to copy what describes it.
        let mut few = [Bound::unbound(first, place); MOST];
        let mut many = Vec::new();
        let all = match few.get_mut(..views.len()) {
            Some(few) => few,
            None => {
                many.resize(views.len(), Bound::unbound(first, place));
                &mut many
            }
        };
        for ((bound, view), &address) in all.iter_mut().zip(views).zip(addresses) {
            // SAFETY: the contract is the same.
            unsafe { bound.bind_again(view, address, &mut memory)? };
        }
        drop(memory);
        Ok(self.run_piece(piece, all)?)
    }

    fn run_piece(&self, piece: Piece, all: &[Bound<'_>]) -> Result {
        let Some((output, inputs)) = all.split_last() else { return Ok(()) };
        let range = 0..output.numel();
        // Nothing may be in the way: an input that shares memory with the output, or elements that are not aligned.
        if inputs.iter().any(|input| input.overlaps(output) || !input.is_aligned()) || self.is_chosen() {
            return self.run(inputs, *output);
        }
        if let (Piece::Plane, Order::Rows(rows)) = (piece, &self.order) {
            if !output.is_aligned() {
                return self.run(inputs, *output);
            }
            // SAFETY: the plane is that of the views, no input shares its elements, and no other thread computes this launch.
            let mut plane =
                |inputs: &[_], output, counts, _| unsafe { self.body.plane(inputs, output, counts, None) };
            rows.for_each_plane(range, (inputs, *output), &mut plane);
            return Ok(());
        }
        // SAFETY: no input shares the elements, and no other thread computes this launch.
        let Some(out) = (unsafe { output.contiguous_mut(range.clone()) }) else {
            return self.run(inputs, *output);
        };
        with_kept(&BUFFERS, buffers, |(_, scratch, _)| {
            self.body.block(inputs, range, out, scratch);
            scratch.failed.take().map_or(Ok(()), fails)
        })
    }

    /// Computes the output from the inputs. Fails if an element has no result.
    pub(crate) fn run(&self, operands: &[Bound<'_>], output: Bound<'_>) -> Result {
        // An input that overlaps the output in another layout is read completely before anything is written.
        let copies = bound::copies(operands, &|input| input.conflicts_with(&output))?;
        let inputs = bound::with_copies(operands, &copies);

        // A body must not see one memory as its input and as its block.
        let in_place =
            operands.iter().zip(&copies).any(|(input, copy)| copy.is_none() && input.overlaps(&output));

        let numel = self.body.count(output.numel());
        let chosen = instructions::chosen().block;
        let streams = self.may_stream && !inputs.iter().any(|input| input.overlaps(&output));
        let copies = self.order.copies_operands();
        let is_staged = streams && !copies;
        let most = if is_staged { past_caches::most_elements(output.size()) } else { usize::MAX };
        let step = (Block::SIZE / self.widest).min(chosen.unwrap_or(most)).max(1);
        let direct = !in_place || copies;
        let work =
            Work { body: &*self.body, direct, streams: is_staged, whole: direct && chosen.is_none(), step };
        let planes = work.whole
            && !in_place
            && self.body.planes().is_some_and(|planes| self.order.has(planes, inputs.len()))
            && inputs.iter().chain([&output]).all(Bound::is_aligned);
        // What is shared between threads, and how much of it at least belongs together.
        let (parts, together) = self.order.parts(numel, step);
        let failed = OnceLock::new();
        let part = |part: Range<usize>| {
            with_kept(&BUFFERS, buffers, |(block, scratch, buffers)| {
                if planes {
                    let mut visit = |inputs: &[Side<*const u8>], output, counts, is_final| {
                        let past = (streams && is_final).then_some(&mut *block);
                        // SAFETY: the plane is a part of the views, or of buffers of this thread; nothing is in place, and
                        // every thread writes a part of its own.
                        unsafe { self.body.plane(inputs, output, counts, past) }
                    };
                    return self.order.for_each_plane(part, (&inputs, output), buffers, &mut visit);
                }
                self.order.for_each(
                    part,
                    (&inputs, output),
                    streams,
                    buffers,
                    &mut |inputs, output, range| {
                        work.compute(inputs, output, range, block, scratch);
                    },
                );
                if let Some(why) = scratch.failed.take() {
                    failed.get_or_init(|| why);
                }
            });
            if streams {
                past_caches::fence();
            }
        };
        // Threads must not write the same elements, which a view may hold several times. The checks refuse most such outputs,
        // and may be off.
        if self.body.is_sequential() || !self.is_apart {
            part(0..parts);
        } else {
            share::each(parts, together, self.bytes, &part);
        }
        failed.into_inner().map_or(Ok(()), fails)
    }
}

/// The failure of an operator of which some elements have no result.
fn fails(why: &'static str) -> Result {
    Err(Failure::new(Cause::AiCpu, why))
}

/// One launch of a body.
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
                        Some(place) => past_caches::copy(out, place),
                        None => output.scatter(range, out),
                    }
                }
            }
        }
    }
}

thread_local! {
    /// The buffers of this thread: clearing new ones would cost more than a small kernel.
    static BUFFERS: RefCell<(Block, Box<Scratch>, Buffers)> = RefCell::new(buffers());
}

fn buffers() -> (Block, Box<Scratch>, Buffers) {
    (Block::new(), Box::new(Scratch::new()), Buffers::default())
}
