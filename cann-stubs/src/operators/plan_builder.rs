//! A plan in the making, of an operator with several outputs or several stages.

use aclnn_numerics::DType;
use cann_kernels::{
    Body, Constant, Conversions, Elementwise, Kernel, Lane, LaneBody, Stage, View, Whole, size_of_dtype,
};
use smallvec::SmallVec;

use super::blocks::{Blocks, bits_of};
use super::call::{Operand, Plan, Tasks};
use super::conversions::through;
use crate::mapped::mapped;
use crate::meta::plan::PlannedTensor;
use crate::status::Result;

/// Operands, views of them, and what is done with these, stage after stage.
#[derive(Default)]
pub(crate) struct PlanBuilder {
    inputs: Vec<(View, PlannedTensor)>,
    outputs: Vec<(View, PlannedTensor)>,
    temporaries: Vec<View>,
    stages: Vec<DraftedStage>,
    sets_sizes: bool,
    in_sequence: bool,
    /// What is copied, if the kernel does nothing but copy and fill.
    moved: Vec<(Place, Place, SmallVec<[usize; 8]>)>,
    /// Whether the product copies a result to its output.
    copies: bool,
}

/// A view of an operand, or a temporary.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    Input(usize),
    Output(usize),
    Temporary(usize),
}

/// A view that a stage uses, and its lanes.
pub(crate) type Used = (Place, Lane);

/// Makes a stage, once the numbers of its views are known.
type DraftedStage = Box<dyn FnOnce(&[&View], &dyn Fn(Place) -> usize) -> Stage>;

impl PlanBuilder {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Reads an operand through a view. A device reads the operand itself where that is contiguous and of the type in which
    /// it is computed, which `direct` says.
    ///
    /// Elements that lie in blocks are put in order first.
    pub(crate) fn read(&mut self, operand: &Operand, view: View, direct: bool) -> Place {
        match operand.blocks() {
            Ok(Some(blocks)) => self.unpacked(operand, &view, blocks).unwrap_or(Place::Input(0)),
            _ => self.read_stored(operand, view, direct),
        }
    }

    /// Reads memory of an operand, in whatever order its elements lie.
    pub(crate) fn read_stored(&mut self, operand: &Operand, view: View, direct: bool) -> Place {
        self.inputs.push((view, planned(operand, direct)));
        Place::Input(self.inputs.len() - 1)
    }

    /// The elements of a view of an operand that lies in blocks, one after the other. There are views of all blocks and of all
    /// elements where there is one of the operand.
    fn unpacked(&mut self, operand: &Operand, view: &View, blocks: Blocks) -> Option<Place> {
        let dtype = bits_of(view.size())?;
        let lane = |len: usize| Lane { len, conversions: Conversions::default(), size: view.size() };
        let all = View::new(dtype, &[blocks.numel], &[1], 0).ok()?;
        let from = self.read_stored(operand, all, true);
        let strides = contiguous(view.shape());
        self.temporaries.push(View::new(dtype, view.shape(), &strides, 0).ok()?);
        let to = Place::Temporary(self.temporaries.len() - 1);
        if view.numel() > 0 {
            self.lanes([(from, lane(blocks.numel))], [(to, lane(view.numel()))], 1, blocks.unpack(view));
        }
        Some(to)
    }

    /// Reads some elements of an operand, which other operands choose: the others may hold no value.
    pub(crate) fn look_up(&mut self, operand: &Operand, view: View) -> Place {
        if operand.lies_in_blocks() {
            return self.read(operand, view, true);
        }
        let planned = PlannedTensor { looked_up: true, ..planned(operand, true) };
        self.inputs.push((view, planned));
        Place::Input(self.inputs.len() - 1)
    }

    /// Writes elements of a type to an operand through a view.
    #[inline(never)]
    pub(crate) fn write(
        &mut self,
        operand: &Operand,
        dtype: DType,
        view: View,
        direct: bool,
    ) -> Result<Place> {
        operand.must_lie_plainly()?;
        self.write_stored(operand, dtype, view, direct)
    }

    /// Writes memory of an operand, in whatever order its elements lie.
    pub(crate) fn write_stored(
        &mut self,
        operand: &Operand,
        dtype: DType,
        view: View,
        direct: bool,
    ) -> Result<Place> {
        operand.must_be_writable(dtype)?;
        operand.must_not_share()?;
        self.copies |= operand.is_copied_to();
        self.outputs.push((view, planned(operand, direct)));
        Ok(Place::Output(self.outputs.len() - 1))
    }

    /// Memory for `numel` elements, which one stage writes and a later one reads.
    #[inline(never)]
    pub(crate) fn temporary(&mut self, dtype: DType, numel: usize) -> Result<Place> {
        self.temporaries.push(View::new(dtype, &[numel], &[1], 0)?);
        Ok(Place::Temporary(self.temporaries.len() - 1))
    }

    /// Computes the elements of an output of `shape` from the same elements of some inputs.
    pub(crate) fn elements(
        &mut self,
        inputs: &[Place],
        output: Place,
        shape: &[usize],
        body: impl Body + 'static,
    ) {
        self.elements_of(inputs, output, shape, Box::new(body));
    }

    fn elements_of(&mut self, inputs: &[Place], output: Place, shape: &[usize], body: Box<dyn Body>) {
        let places: Vec<Place> = inputs.iter().copied().chain([output]).collect();
        let shape: SmallVec<[usize; 8]> = SmallVec::from_slice(shape);
        self.stages.push(Box::new(move |views, number| {
            let operands: SmallVec<[usize; 8]> = mapped(&places, |place| number(*place));
            let views: Vec<&View> = mapped(&operands, |operand| views[*operand]);
            Stage::elements(operands, &views, &shape, body)
        }));
    }

    /// Copies elements of `shape`, converted on the way.
    #[inline(never)]
    pub(crate) fn copy(&mut self, from: Place, to: Place, shape: &[usize], conversions: Conversions) {
        let body = Elementwise {
            sources: SmallVec::from_iter([Elementwise::input(0)]),
            scale: None,
            function: None,
            fused: None,
            result: conversions,
            compute_size: 0,
        };
        self.elements(&[from], to, shape, body);
    }

    /// Copies elements of `shape` as [`PlanBuilder::copy`] does, in a kernel that does nothing but copy and fill: where an input
    /// holds no value, neither does the output.
    pub(crate) fn carry(&mut self, from: Place, to: Place, shape: &[usize], conversions: Conversions) {
        self.moved.push((from, to, SmallVec::from_slice(shape)));
        self.copy(from, to, shape, conversions);
    }

    /// Writes one element, in the type of the output, to all elements of an output of `shape`.
    #[inline(never)]
    pub(crate) fn fill(&mut self, to: Place, shape: &[usize], element: &[u8]) {
        self.elements(&[], to, shape, Constant::new(element));
    }

    /// Computes `count` lanes of each operand. The elements of a view are those of its lanes, one lane after the other.
    #[inline(never)]
    pub(crate) fn lanes(
        &mut self,
        inputs: impl AsRef<[Used]>,
        outputs: impl AsRef<[Used]>,
        count: usize,
        body: impl LaneBody + 'static,
    ) {
        self.lanes_of(inputs.as_ref(), outputs.as_ref(), count, Box::new(body));
    }

    /// Adds a stage of lanes.
    pub(crate) fn lanes_of(
        &mut self,
        inputs: &[Used],
        outputs: &[Used],
        count: usize,
        body: Box<dyn LaneBody>,
    ) {
        let (read, written) = (inputs.len(), outputs.len());
        let (places, lanes): (Vec<Place>, Vec<Lane>) = inputs.iter().chain(outputs).copied().unzip();
        self.stages.push(Box::new(move |views, number| {
            let operands: SmallVec<[usize; 8]> = mapped(&places, |place| number(*place));
            let outputs = &operands[read..];
            let is_apart = outputs.iter().all(|output| views[*output].lies_apart());
            Stage::lanes(operands, written, lanes, (count, is_apart), body)
        }));
    }

    /// Computes whole operands.
    pub(crate) fn whole(&mut self, inputs: &[Place], outputs: &[Place], body: impl Whole + 'static) {
        self.whole_of(inputs, outputs, Box::new(body));
    }

    /// Adds a stage that computes whole operands.
    #[inline(never)]
    fn whole_of(&mut self, inputs: &[Place], outputs: &[Place], body: Box<dyn Whole>) {
        let places: Vec<Place> = inputs.iter().chain(outputs).copied().collect();
        let written = outputs.len();
        self.stages.push(Box::new(move |_, number| {
            Stage::whole(mapped(&places, |place| number(*place)), written, body)
        }));
    }

    /// Some outputs get their sizes when they are computed.
    pub(crate) fn sets_sizes(&mut self) {
        self.sets_sizes = true;
    }

    /// A stage reads what earlier ones wrote, where they share memory. Otherwise every stage reads its inputs as they were
    /// before the first one.
    pub(crate) fn in_sequence(self) -> Self {
        Self { in_sequence: true, ..self }
    }

    /// The plan, which asks for so many bytes of workspace. It is empty if there is nothing to do.
    pub(crate) fn plan(self, workspace: u64) -> Plan {
        if self.stages.is_empty() {
            return Plan::empty();
        }
        let (inputs, outputs) = (self.inputs.len(), self.outputs.len());
        let (views, tensors): (SmallVec<[View; 3]>, SmallVec<[PlannedTensor; 3]>) =
            self.inputs.into_iter().chain(self.outputs).unzip();
        let number = |place| match place {
            Place::Input(number) => number,
            Place::Output(number) => inputs + number,
            Place::Temporary(number) => inputs + outputs + number,
        };
        let all: Vec<&View> = views.iter().chain(&self.temporaries).collect();
        let stages: Vec<Stage> = self.stages.into_iter().map(|stage| stage(&all, &number)).collect();
        let moved = self.moved.iter().map(|(from, to, shape)| (number(*from), number(*to), &shape[..]));
        let mut kernel = Kernel::of_stages(views, outputs, self.temporaries, stages).carrying(moved);
        if self.in_sequence {
            kernel = kernel.in_sequence();
        }
        let plan = Plan::of(Some(kernel), workspace, tensors);
        let plan = if self.sets_sizes { plan.by(Tasks::Sizes) } else { plan };
        if self.copies { plan.by(Tasks::Copy) } else { plan }
    }
}

/// Row-major strides.
fn contiguous(sizes: &[usize]) -> SmallVec<[isize; 8]> {
    let mut strides: SmallVec<[isize; 8]> = SmallVec::from_elem(1, sizes.len());
    for axis in (1..sizes.len()).rev() {
        strides[axis - 1] = strides[axis].saturating_mul(sizes[axis] as isize);
    }
    strides
}

fn planned(operand: &Operand, direct: bool) -> PlannedTensor {
    PlannedTensor {
        name: operand.name,
        slot: operand.slot(),
        direct: direct && operand.is_contiguous(),
        looked_up: false,
    }
}

/// Lanes of `len` elements of type `dtype`, which a body sees as `seen`.
#[inline(never)]
pub(crate) fn read_lanes(len: usize, dtype: DType, seen: DType) -> Result<Lane> {
    lanes(len, &[dtype, seen], seen)
}

/// Lanes of `len` elements, which a body writes as `seen` and which become `dtype`.
#[inline(never)]
pub(crate) fn written_lanes(len: usize, seen: DType, dtype: DType) -> Result<Lane> {
    lanes(len, &[seen, dtype], seen)
}

#[inline(never)]
fn lanes(len: usize, chain: &[DType], seen: DType) -> Result<Lane> {
    Ok(Lane { len, conversions: through(chain)?, size: size_of_dtype(seen) })
}

/// The axes in the order in which lanes along `along` are counted: the others first, as they are, then those.
#[inline(never)]
pub(crate) fn innermost(rank: usize, along: &[usize]) -> SmallVec<[usize; 8]> {
    let outer = (0..rank).filter(|axis| !along.contains(axis));
    outer.chain(along.iter().copied()).collect()
}

impl Operand<'_> {
    /// The elements with the axes in another order.
    pub(crate) fn permuted(&self, dtype: DType, axes: &[usize]) -> Result<View> {
        let (sizes, strides) = (self.shape()?, self.strides());
        let of = |axis: &usize| Some((*sizes.get(*axis)?, *strides.get(*axis)?));
        let (sizes, strides): (SmallVec<[usize; 8]>, SmallVec<[isize; 8]>) =
            axes.iter().filter_map(of).unzip();
        self.view_of(dtype, &sizes, &strides, self.offset())
    }

    /// The elements as lanes along some axes.
    pub(crate) fn lanes(&self, dtype: DType, along: &[usize]) -> Result<View> {
        self.permuted(dtype, &innermost(self.rank(), along))
    }

    /// All elements in row-major order, as the operand itself has them.
    pub(crate) fn in_order(&self, dtype: DType) -> Result<View> {
        self.view(dtype, self.shape()?)
    }
}
