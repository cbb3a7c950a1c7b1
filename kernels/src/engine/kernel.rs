//! [`Kernel`]: the computation of one launch, in stages.

use aclnn_numerics::layout::Walk;
use smallvec::SmallVec;

use crate::engine::elements::{Body, Elements};
use crate::engine::lanes::{Lane, LaneBody, Lanes};
use crate::views::allocation;
use crate::views::block::Line;
use crate::views::bound::{self, Bound, Operands};
use crate::views::failure::Result;
use crate::views::memory::Memory;
use crate::views::view::View;

/// The computation of one launch.
pub struct Kernel {
    views: SmallVec<[View; 3]>,
    /// The number of views that are written: the last ones.
    outputs: usize,
    stages: SmallVec<[Stage; 1]>,
    /// Memory for what a later stage reads.
    temporaries: Vec<View>,
    /// Whether a stage reads what earlier ones wrote, where they share memory.
    in_sequence: bool,
    /// The elements that a copy moves; empty for kernels that compute.
    copied: Vec<Copied>,
}

/// A part that is copied from an input to an output, and how the copy walks over both.
pub struct Copied {
    pub walk: Walk<2>,
    /// The numbers of the views.
    pub from: usize,
    pub to: usize,
}

/// One step of a kernel.
pub struct Stage {
    /// The numbers of its views, inputs first, among those of the kernel and the temporaries behind them; all views of the
    /// kernel if there are none.
    operands: SmallVec<[usize; 8]>,
    /// The number of its operands that are written: the last ones.
    outputs: usize,
    work: Work,
}

enum Work {
    Elements(Box<Elements>),
    Lanes(Box<Lanes>),
    Whole(Box<dyn Whole>),
}

/// Work on whole operands.
pub trait Whole: Send + Sync {
    /// Computes the outputs from the inputs. `sizes` gets the sizes of an output, by its number, that are known only now.
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], sizes: &mut Sizes) -> Result;

    /// Returns the names of the steps.
    fn steps(&self) -> Vec<&'static str>;
}

impl Stage {
    /// Computes an output of `shape`, the last of the views, element by element. `operands` are the numbers of the views.
    pub fn elements(
        operands: SmallVec<[usize; 8]>,
        views: &[&View],
        shape: &[usize],
        body: Box<dyn Body>,
    ) -> Self {
        let work = Work::Elements(Box::new(Elements::new(views, shape, body)));
        Self { operands, outputs: 1, work }
    }

    /// Computes `count` lanes of each operand. `is_apart` says whether no two elements of an output share memory.
    pub fn lanes(
        operands: SmallVec<[usize; 8]>,
        outputs: usize,
        lanes: Vec<Lane>,
        (count, is_apart): (usize, bool),
        body: Box<dyn LaneBody>,
    ) -> Self {
        Self { operands, outputs, work: Work::Lanes(Box::new(Lanes::new(lanes, count, is_apart, body))) }
    }

    pub fn whole(operands: SmallVec<[usize; 8]>, outputs: usize, body: Box<dyn Whole>) -> Self {
        Self { operands, outputs, work: Work::Whole(body) }
    }
}

/// The sizes of some views of a kernel, by their numbers.
pub type Sizes = Vec<(usize, SmallVec<[i64; 8]>)>;

impl Kernel {
    /// Creates a kernel whose last view is the output, of `shape`.
    pub fn new(views: SmallVec<[View; 3]>, shape: &[usize], body: Box<dyn Body>) -> Self {
        let elements = {
            let all: SmallVec<[&View; 4]> = views.iter().collect();
            Elements::new(&all, shape, body)
        };
        let work = Work::Elements(Box::new(elements));
        let stages = SmallVec::from_iter([Stage { operands: SmallVec::new(), outputs: 1, work }]);
        Self { views, outputs: 1, stages, temporaries: Vec::new(), in_sequence: false, copied: Vec::new() }
    }

    /// Creates a kernel with stages: the last `outputs` views are written, and `temporaries` hold what a later stage
    /// reads.
    pub fn of_stages(
        views: SmallVec<[View; 3]>,
        outputs: usize,
        temporaries: Vec<View>,
        stages: impl IntoIterator<Item = Stage>,
    ) -> Self {
        let stages = stages.into_iter().collect();
        Self { views, outputs, stages, temporaries, in_sequence: false, copied: Vec::new() }
    }

    /// Returns the kernel with stages that read what earlier ones wrote, where they share memory.
    pub fn in_sequence(self) -> Self {
        Self { in_sequence: true, ..self }
    }

    /// Returns the same kernel, which computes nothing: it copies elements, in a shape, from inputs to outputs, each an
    /// input and an output of its own. An output that no copy names is filled.
    pub fn carrying<'s>(mut self, copies: impl IntoIterator<Item = (usize, usize, &'s [usize])>) -> Self {
        let copied = copies.into_iter().filter_map(|(from, to, shape)| {
            let (input, output) = (self.views.get(from)?, self.views.get(to)?);
            Some(Copied { walk: Walk::new(shape, [input.strides(), output.strides()]), from, to })
        });
        self.copied = copied.collect();
        let bytes = self.bytes();
        for stage in self.stages.iter_mut().filter(|_| !self.copied.is_empty()) {
            if let Work::Elements(elements) = &mut stage.work {
                elements.set_whole(bytes);
            }
        }
        self
    }

    /// Returns the same kernel, which does `work` on all of its operands at the end.
    pub fn followed_by(mut self, work: impl Whole + 'static) -> Self {
        let all = self.name_operands();
        self.stages.push(Stage::whole(all, self.outputs, Box::new(work)));
        self
    }

    /// Returns the same kernel, which does `work` on all of its operands at the start.
    pub fn preceded_by(mut self, work: impl Whole + 'static) -> Self {
        let all = self.name_operands();
        self.stages.insert(0, Stage::whole(all, self.outputs, Box::new(work)));
        self
    }

    /// Names the operands of stages that have all, and returns them.
    fn name_operands(&mut self) -> SmallVec<[usize; 8]> {
        let all: SmallVec<[usize; 8]> = (0..self.views.len()).collect();
        for stage in self.stages.iter_mut().filter(|stage| stage.operands.is_empty()) {
            stage.operands = all.clone();
        }
        all
    }

    /// Returns the views of the operands, those of the outputs last.
    pub fn views(&self) -> &[View] {
        &self.views
    }

    /// Returns the number of views that are written: the last ones.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Returns the elements that a kernel copies; empty for kernels that compute.
    pub fn copied(&self) -> &[Copied] {
        &self.copied
    }

    /// Returns the number of elements of an output that are written.
    pub fn written(&self, view: &View) -> usize {
        match self.stages.as_slice() {
            [Stage { work: Work::Elements(elements), .. }] => elements.body().count(view.numel()),
            _ => view.numel(),
        }
    }

    /// Returns the names of the steps that an element goes through.
    pub fn steps(&self) -> Vec<&'static str> {
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
    ///
    /// # Safety
    /// As for [`Kernel::run`].
    #[inline]
    pub unsafe fn run_one_piece<M: Memory>(
        &self,
        addresses: &[usize],
        memory: impl FnOnce() -> M,
    ) -> Option<std::result::Result<(), M::Failure>> {
        let elements = self.in_one_piece()?;
        // SAFETY: the contract is the same.
        Some(unsafe { elements.run_one_piece(&self.views, addresses, memory()) })
    }

    /// Computes the output if it is one piece and takes about a microsecond at most. Returns `None` otherwise.
    ///
    /// # Safety
    /// As for [`Kernel::run`].
    #[inline]
    pub unsafe fn run_brief<M: Memory>(
        &self,
        addresses: &[usize],
        memory: impl FnOnce() -> M,
    ) -> Option<std::result::Result<(), M::Failure>> {
        let elements = self.in_one_piece().filter(|elements| elements.is_brief())?;
        // SAFETY: the contract is the same.
        Some(unsafe { elements.run_one_piece(&self.views, addresses, memory()) })
    }

    /// Returns the bytes read and written.
    pub fn bytes(&self) -> usize {
        self.views.iter().map(View::bytes).sum()
    }

    /// Computes the outputs of views whose storages begin at `addresses`. Returns the sizes of views that are known only now.
    ///
    /// # Safety
    /// What `memory` finds for the views of the kernel, with their storages at `addresses`, can be read, that of the outputs
    /// written, and nothing else uses it meanwhile.
    pub unsafe fn run<M: Memory>(
        &self,
        addresses: &[usize],
        mut memory: M,
    ) -> std::result::Result<Sizes, M::Failure> {
        let mut bound = Operands::new();
        for (view, &address) in self.views.iter().zip(addresses) {
            // SAFETY: the contract is the same.
            bound.push(unsafe { Bound::bind(view, address, &mut memory)? });
        }
        drop(memory);
        Ok(self.run_bound(&bound)?)
    }

    fn run_bound(&self, bound: &[Bound<'_>]) -> Result<Sizes> {
        if let [Stage { operands, work: Work::Elements(elements), .. }] = self.stages.as_slice()
            && operands.is_empty()
        {
            let Some((output, inputs)) = bound.split_last() else { return Ok(Sizes::new()) };
            elements.run(inputs, *output)?;
            return Ok(Sizes::new());
        }
        let temporaries =
            self.temporaries.iter().map(|view| allocation::zeros(view.bytes().div_ceil(Line::SIZE)));
        let mut memory: Vec<Vec<Line>> = temporaries.collect::<Result<_>>()?;
        // What an earlier stage writes, a later one must not read as its input, unless it is told to.
        let is_kept = self.stages.len() > 1 && !self.in_sequence;
        let (inputs, outputs) = bound.split_at(bound.len().saturating_sub(self.outputs));
        let copies =
            bound::copies(inputs, &|input| is_kept && outputs.iter().any(|output| input.overlaps(output)))?;
        let mut bound = bound::with_copies(inputs, &copies);
        bound.extend_from_slice(outputs);
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
        let operands: Operands<'_> =
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
