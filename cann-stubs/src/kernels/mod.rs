//! The kernels, phase two of the operators: what an operator does to the bytes of its tensors.
//!
//! A [`Kernel`] has views of device memory, the last of which are written, and does its work in stages, one after the other.
//! A stage uses some of the views (`operators/draft.rs` puts them together) and is one of three:
//!
//! - a [`Body`] fills a piece of one output from the same elements of the inputs, and knows nothing of layouts, threads and
//!   caches (`elements.rs`); with views of other strides and sizes, copies are movements as well;
//! - a [`LaneBody`] gets whole lanes, which are the elements along an axis or some, one after the other and in the types that
//!   it computes in, from each input and for each output (`lanes.rs`);
//! - a [`Whole`] gets all operands and does what it likes.
//!
//! # How a kernel is added
//!
//! | what is new | where |
//! |---|---|
//! | a function of two elements of one type | a line of `operations!` in `arithmetic.rs`; `Rules` in `operators/arithmetic.rs` names it |
//! | a function of one element | a line of `functions!` in `unary.rs` |
//! | a function with attributes, or of up to three tensors | a line of `functions!` in `parametric.rs`: an attribute is an operand of one element |
//! | an exponential, a logarithm, an angle, or what is made of them | a function without branches in `special/single.rs` for results in f32, and one in `special/double.rs`; or one for both in `given_functions!` of `special.rs` |
//! | a compute type | a line of `in_type` in `arithmetic.rs`, which needs a `Number` |
//! | a pair of types that is converted in registers | a line of `pairs!` in `fused/loops.rs`, a `Load` or `Store` in `fused/avx2.rs` and `fused/avx512.rs` if a type is new, and a line of `PAIRS` in the tests of `fused/mod.rs` |
//! | a function of two or more elements | a function that gives a loop, a [`Function`], for a compute type |
//! | numbers that no input has | a [`Body`] as in `generate.rs` |
//! | work along an axis: a scan, a sort, a search | a [`LaneBody`]: [`LaneBody::lane`] alone, then [`LaneBody::panel`] for many short lanes |
//! | few lines for each lane, or for whole operands as one lane | a closure in a [`LaneFunction`] |
//! | a reduction | a `Reducer` in `reduce/reducers.rs`, and a line of `reduce/function.rs` |
//! | what depends on the order of elements | the unsigned keys of `keys.rs`, so that one kernel serves every type |
//! | elements found by indices | a `Grid` of `operators/index/grid.rs` over the tensor that they number, for [`index::Gather`] or [`index::Scatter`] |
//! | a reduction of elements that are found by indices | a method of `Number` in `index/loops.rs`, and a variant of `Reduction` |
//! | a movement | stages of copies between parts of the operands: `Draft::copy` |
//! | anything else, element by element | a [`Body`] in a file of its own: [`Body::block`] alone, then [`Body::whole`] if it can do without buffers, and [`Body::plane`] if it can do so with rows |
//! | anything else | a [`Whole`] |
//!
//! The rule of the operator, in `operators/`, makes the body and returns `Plan::new`, which makes the kernel; a kernel of
//! several outputs or stages is put together by a `Draft` there.
//!
//! # What it gets for free
//!
//! - *Layouts* (`order.rs`): blocks one after the other where every operand is contiguous; rows (`rows.rs`) where some are
//!   broadcast or strided, many at once for bodies that compute planes; tiles (`tiles.rs`), turned in registers
//!   (`transpose.rs`), where some are transposed. It is chosen once for a kernel. An input of which a row repeats one element is passed as that element: loops of two operands repeat it.
//! - *Conversions* (`elementwise.rs`): an [`Elementwise`] converts its inputs and its result block by block, in buffers that
//!   stay in the first-level cache. No converted copy of a tensor ever exists.
//! - *Instructions* (`instructions.rs`): `arithmetic.rs` and `fused`, which are compiled for several sets, choose once for a
//!   plan, and functions in f32 for each block. Bits never depend on the choice; a test forces each with `control::loops`.
//! - *Threads* (`share.rs`): large results are computed in parts, unless [`Body::is_sequential`].
//! - *Places*: a result is computed where it lies if it is contiguous and no input shares its memory. Where a kernel moves
//!   more than the caches hold, the result is written past the caches (`stream.rs`).
//! - *Lanes*: neighbouring lanes are gathered together, so that lanes across memory are turned in registers; a lane that lies
//!   in memory as it is computed is not copied.
//! - *Overlap and tracking*: an input that overlaps the output in another layout is read before anything is written, and the
//!   checks know what a launch reads and writes.

pub(crate) mod arithmetic;
pub(crate) mod attention;
mod block;
mod bound;
pub(crate) mod convolution;
pub(crate) mod distinct;
pub(crate) mod division;
mod elements;
mod elementwise;
pub(crate) mod foreach;
pub(crate) mod fused;
mod generate;
pub(crate) mod histogram;
pub(crate) mod index;
mod instructions;
mod integer;
mod kept;
pub(crate) mod keys;
mod lanes;
pub(crate) mod limit;
pub(crate) mod linalg;
pub(crate) mod loss;
mod many;
pub(crate) mod matrix;
pub(crate) mod movement;
pub(crate) mod normalization;
pub(crate) mod optimizer;
mod order;
mod packed;
pub(crate) mod pairwise;
pub(crate) mod parametric;
mod planes;
pub(crate) mod pooling;
pub(crate) mod power;
pub(crate) mod quantisation;
pub(crate) mod random;
pub(crate) mod ranked;
pub(crate) mod recurrent;
pub(crate) mod reduce;
pub(crate) mod resample;
pub(crate) mod room;
mod rows;
mod runs;
pub(crate) mod sampling;
pub(crate) mod scan;
pub(crate) mod search;
pub(crate) mod several;
mod share;
mod special;
mod staged;
mod stream;
mod tiles;
mod transpose;
pub(crate) mod unary;
mod view;

use aclnn_numerics::layout::Walk;
use smallvec::SmallVec;

pub(crate) use block::{Block, Conversions, Scratch, size_of_dtype};
pub(crate) use bound::Bound;
pub(crate) use elements::Body;
pub(crate) use elementwise::{Elementwise, Function, Many, Scale, Source};
pub(crate) use generate::{Accumulation, Constant, Sequence};
pub(crate) use instructions::{Choice, choose};
pub(crate) use lanes::{Lane, LaneBody, LaneFunction, Panel};
pub(crate) use packed::Packed;
pub(crate) use share::choose_threads;
pub(crate) use view::View;

use block::Line;
use elements::Elements;
use lanes::Lanes;

use crate::check;
use crate::check::tracker::{Access, Carried, Purpose};
use crate::runtime::memory::Lookup;
use crate::runtime::stream::work::Places;
use crate::status::Result;

/// What one launch computes.
pub(crate) struct Kernel {
    views: SmallVec<[View; 3]>,
    /// How many of the views are written: the last ones.
    outputs: usize,
    stages: SmallVec<[Stage; 1]>,
    /// Memory for what a later stage reads.
    temporaries: Vec<View>,
    /// Whether a stage reads what earlier ones wrote, where they share memory.
    in_sequence: bool,
    /// What a copy moves; nothing for kernels that compute.
    copied: SmallVec<[Copied; 1]>,
}

/// A part that is copied from an input to an output, and how the copy walks over both.
struct Copied {
    walk: Walk<2>,
    /// The numbers of the views.
    from: usize,
    to: usize,
}

/// One step of a kernel.
pub(crate) struct Stage {
    /// The numbers of its views, inputs first, among those of the kernel and the temporaries behind them; all views of the
    /// kernel if there are none.
    operands: SmallVec<[usize; 4]>,
    /// How many of its operands are written: the last ones.
    outputs: usize,
    work: Work,
}

enum Work {
    Elements(Box<Elements>),
    Lanes(Box<Lanes>),
    Whole(Box<dyn Whole>),
}

/// Work on whole operands.
pub(crate) trait Whole: Send + Sync {
    /// Computes the outputs from the inputs. `sizes` gets the sizes of an output, by its number, that are known only now.
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], sizes: &mut Sizes) -> Result;

    /// What happens, step by step.
    fn steps(&self) -> Vec<&'static str>;
}

impl Stage {
    /// Computes an output of `shape`, the last of the views, element by element. `operands` are the numbers of the views.
    pub(crate) fn elements(
        operands: SmallVec<[usize; 4]>,
        views: &[&View],
        shape: &[usize],
        body: impl Body + 'static,
    ) -> Self {
        let work = Work::Elements(Box::new(Elements::new(views, shape, Box::new(body))));
        Self { operands, outputs: 1, work }
    }

    /// Computes `count` lanes of each operand. `is_apart` says whether no two elements of an output share memory.
    pub(crate) fn lanes(
        operands: SmallVec<[usize; 4]>,
        outputs: usize,
        lanes: SmallVec<[Lane; 4]>,
        (count, is_apart): (usize, bool),
        body: impl LaneBody + 'static,
    ) -> Self {
        Self {
            operands,
            outputs,
            work: Work::Lanes(Box::new(Lanes::new(lanes, count, is_apart, Box::new(body)))),
        }
    }

    pub(crate) fn whole(operands: SmallVec<[usize; 4]>, outputs: usize, body: impl Whole + 'static) -> Self {
        Self { operands, outputs, work: Work::Whole(Box::new(body)) }
    }
}

/// The sizes of some views of a kernel, by their numbers.
pub(crate) type Sizes = SmallVec<[(usize, SmallVec<[i64; 8]>); 1]>;

impl Kernel {
    /// The last view is the output, of `shape`.
    pub(crate) fn new(views: SmallVec<[View; 3]>, shape: &[usize], body: impl Body + 'static) -> Self {
        let elements = {
            let all: SmallVec<[&View; 4]> = views.iter().collect();
            Elements::new(&all, shape, Box::new(body))
        };
        let work = Work::Elements(Box::new(elements));
        let stages = SmallVec::from_iter([Stage { operands: SmallVec::new(), outputs: 1, work }]);
        Self {
            views,
            outputs: 1,
            stages,
            temporaries: Vec::new(),
            in_sequence: false,
            copied: SmallVec::new(),
        }
    }

    /// The last `outputs` views are written, and `temporaries` hold what a later stage reads.
    pub(crate) fn of_stages(
        views: SmallVec<[View; 3]>,
        outputs: usize,
        temporaries: Vec<View>,
        stages: impl IntoIterator<Item = Stage>,
    ) -> Self {
        let stages = stages.into_iter().collect();
        Self { views, outputs, stages, temporaries, in_sequence: false, copied: SmallVec::new() }
    }

    /// The kernel with stages that read what earlier ones wrote, where they share memory.
    pub(crate) fn in_sequence(self) -> Self {
        Self { in_sequence: true, ..self }
    }

    /// The same kernel, which computes nothing: it copies elements, in a shape, from inputs to outputs, each an input and an
    /// output of its own. An output that no copy names is filled.
    pub(crate) fn carrying<'s>(self, copies: impl IntoIterator<Item = (usize, usize, &'s [usize])>) -> Self {
        let copied = copies.into_iter().filter_map(|(from, to, shape)| {
            let (input, output) = (self.views.get(from)?, self.views.get(to)?);
            Some(Copied { walk: Walk::new(shape, [input.strides(), output.strides()]), from, to })
        });
        Self { copied: copied.collect(), ..self }
    }

    /// The same kernel, which does `work` on all of its operands at the end.
    pub(crate) fn followed_by(mut self, work: impl Whole + 'static) -> Self {
        let all = self.name_operands();
        self.stages.push(Stage::whole(all, self.outputs, work));
        self
    }

    /// The same kernel, which does `work` on all of its operands at the start.
    pub(crate) fn preceded_by(mut self, work: impl Whole + 'static) -> Self {
        let all = self.name_operands();
        self.stages.insert(0, Stage::whole(all, self.outputs, work));
        self
    }

    /// Names the operands of stages that have all, and returns them.
    fn name_operands(&mut self) -> SmallVec<[usize; 4]> {
        let all: SmallVec<[usize; 4]> = (0..self.views.len()).collect();
        for stage in self.stages.iter_mut().filter(|stage| stage.operands.is_empty()) {
            stage.operands = all.clone();
        }
        all
    }

    /// The elements that copies move when the storages of their tensors begin at `addresses`.
    pub(crate) fn carried(&self, addresses: &[usize]) -> SmallVec<[Carried<'_>; 1]> {
        let carried = self.copied.iter().filter_map(|copied| {
            let (input, output) = (self.views.get(copied.from)?, self.views.get(copied.to)?);
            Some(Carried {
                walk: &copied.walk,
                from: input.first_at(*addresses.get(copied.from)?),
                to: output.first_at(*addresses.get(copied.to)?),
                sizes: (input.size(), output.size()),
                accesses: (copied.from, copied.to),
            })
        });
        carried.collect()
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
            // SAFETY: the elements are not used.
            unsafe { Bound::bind(view, address, &mut lookup) }.map_err(|status| {
                let message = format!("{name}: {}", status.message);
                status.told_as(message)
            })?;
            view.must_be_aligned(name, address)?;
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
        let inputs = self.views.len().saturating_sub(self.outputs);
        let mut copied: SmallVec<[bool; 4]> = SmallVec::from_elem(false, self.views.len());
        for view in self.copied.iter().flat_map(|copied| [copied.from, copied.to]) {
            copied[view] = true;
        }
        for (index, ((view, &address), name)) in self.views.iter().zip(addresses).zip(names).enumerate() {
            let span = view.span_at(address);
            if span.is_empty() {
                continue;
            }
            let (writing, reading) = match copied.get(index) {
                Some(true) => (Purpose::Receive, Purpose::Carry),
                _ => (Purpose::Write, Purpose::Read),
            };
            let (span, purpose) = if index >= inputs {
                (span.shortened(self.written(view).saturating_mul(view.size())), writing)
            } else {
                (span, reading)
            };
            accesses.push(Access { name, span, purpose });
        }
        accesses
    }

    /// How many elements of an output are written.
    fn written(&self, view: &View) -> usize {
        match self.stages.as_slice() {
            [Stage { work: Work::Elements(elements), .. }] => elements.body().count(view.numel()),
            _ => view.numel(),
        }
    }

    /// What happens to an element, step by step.
    pub(crate) fn steps(&self) -> Vec<&'static str> {
        let steps = self.stages.iter().map(|stage| match &stage.work {
            Work::Elements(elements) => elements.body().steps(),
            Work::Lanes(lanes) => lanes.steps(),
            Work::Whole(whole) => whole.steps(),
        });
        let mut steps: Vec<_> = steps.collect();
        steps.dedup();
        steps.concat()
    }

    /// The only stage, if it computes one piece.
    #[inline]
    fn in_one_piece(&self) -> Option<&Elements> {
        match self.stages.as_slice() {
            [Stage { operands, work: Work::Elements(elements), .. }]
                if operands.is_empty() && elements.is_one_piece() =>
            {
                Some(elements)
            }
            _ => None,
        }
    }

    /// Computes the output if it is one piece. Returns `None` otherwise.
    #[inline]
    pub(crate) fn run_one_piece(&self, places: &Places) -> Option<Result> {
        self.in_one_piece().map(|elements| elements.run_one_piece(&self.views, places))
    }

    /// Computes the output if it is one piece and takes about a microsecond at most. Returns `None` otherwise.
    #[inline]
    pub(crate) fn run_brief(&self, places: &Places) -> Option<Result> {
        let brief = self.in_one_piece().filter(|elements| elements.is_brief());
        brief.map(|elements| elements.run_one_piece(&self.views, places))
    }

    /// Bytes read and written.
    pub(crate) fn bytes(&self) -> usize {
        self.views.iter().map(View::bytes).sum()
    }

    /// Computes the outputs. Returns the sizes of views that are known only now.
    pub(crate) fn run(&self, places: &Places) -> Result<Sizes> {
        let temporaries = self.temporaries.iter().map(|view| room::zeros(view.bytes().div_ceil(Line::SIZE)));
        let mut memory: Vec<Vec<Line>> = temporaries.collect::<Result<_>>()?;
        let mut copies: SmallVec<[Option<Vec<u8>>; 4]> = SmallVec::new();
        let mut bound: SmallVec<[Bound<'_>; 3]> = SmallVec::new();
        let mut lookup = Lookup::again(places.losses, places.distance);
        for (view, &address) in self.views.iter().zip(&places.addresses) {
            // SAFETY: the C program that queued the work promised to order it with all other work on this memory.
            bound.push(unsafe { Bound::bind(view, address, &mut lookup)? });
        }
        drop(lookup);
        if let [Stage { operands, work: Work::Elements(elements), .. }] = self.stages.as_slice()
            && operands.is_empty()
        {
            let Some((output, inputs)) = bound.split_last() else { return Ok(Sizes::new()) };
            elements.run(inputs, *output)?;
            return Ok(Sizes::new());
        }
        // What an earlier stage writes, a later one must not read as its input, unless it is told to.
        let (inputs, outputs) = bound.split_at(bound.len().saturating_sub(self.outputs));
        let is_overwritten = |input: &Bound<'_>| outputs.iter().any(|output| input.overlaps(output));
        if self.stages.len() > 1 && !self.in_sequence {
            for input in inputs {
                copies.push(is_overwritten(input).then(|| input.copy()).transpose()?);
            }
        }
        for (input, copy) in bound.iter_mut().zip(&copies) {
            if let Some(copy) = copy {
                *input = input.copied(0, copy);
            }
        }
        for (view, lines) in self.temporaries.iter().zip(&mut memory) {
            bound.push(Bound::on_host(view, bytemuck::cast_slice_mut(lines)));
        }
        let mut sizes = Sizes::new();
        for stage in &self.stages {
            stage.run(&bound, &mut sizes)?;
        }
        Ok(sizes)
    }
}

impl Stage {
    fn run(&self, bound: &[Bound<'_>], sizes: &mut Sizes) -> Result {
        let operands: SmallVec<[Bound<'_>; 4]> =
            self.operands.iter().filter_map(|operand| bound.get(*operand).copied()).collect();
        let (inputs, outputs) = operands.split_at(operands.len().saturating_sub(self.outputs));
        match &self.work {
            Work::Elements(elements) => outputs.iter().try_for_each(|output| elements.run(inputs, *output)),
            Work::Lanes(lanes) => lanes.run(inputs, outputs),
            Work::Whole(whole) => {
                let mut known = Sizes::new();
                whole.run(inputs, outputs, &mut known)?;
                let first = self.operands.len() - outputs.len();
                sizes.extend(
                    known
                        .into_iter()
                        .filter_map(|(output, axes)| Some((*self.operands.get(first + output)?, axes))),
                );
                Ok(())
            }
        }
    }
}
