//! Plans of functions of elements: each of them written, or added up.

use aclnn_numerics::DType::{self, F32, F64, I64};
use aclnn_numerics::layout::Shape;
use cann_kernels::networks::loss::elements::{Elements, Term, integer_distances, integer_total, total};
use cann_kernels::{Conversions, Lane, LaneBody, LaneFunction, View, size_of_dtype};
use smallvec::SmallVec;

use super::reduction::{Reduction, must_have_one_element};
use crate::mapped::mapped;
use crate::operators::axes::{no_kernel, tasks, temporaries};
use crate::operators::call::{Operand, Plan};
use crate::operators::conversions::through;
use crate::operators::plan_builder::{Place, PlanBuilder, innermost};
use crate::status::Result;

/// The longest piece of elements that are added up before others.
const PIECE: usize = 4096;

/// Operands whose elements are computed together.
pub(super) struct Terms<'a> {
    /// Those that are there; each of the others is 1.
    pub(super) operands: Vec<Option<(&'a Operand<'a>, DType)>>,
    /// The shape to which they broadcast.
    pub(super) shape: &'a Shape,
    /// The type to which operands are converted, and results rounded.
    pub(super) through: DType,
    pub(super) out: (&'a Operand<'a>, DType),
}

/// How many elements a lane has, which a body sees as `seen`, and the types that they are converted through.
pub(super) fn lane(len: usize, dtypes: &[DType], seen: DType) -> Result<Lane> {
    Ok(Lane { len, conversions: through(dtypes)?, size: size_of_dtype(seen) })
}

impl Terms<'_> {
    /// A result for each element, over a divisor.
    pub(super) fn each(&self, divisor: f64, term: impl Term + 'static) -> Result<Plan> {
        self.each_of(divisor, Box::new(term))
    }

    fn each_of(&self, divisor: f64, term: Box<dyn Term>) -> Result<Plan> {
        let body = Elements::each(self.present(), divisor, term);
        let (mut builder, inputs) = self.read(1, &[], F32)?;
        let written = self.written(&mut builder, F32)?;
        builder.lanes(inputs, [written], self.numel(), body);
        Ok(self.plan(builder))
    }

    /// The sums along some axes of the results over a divisor.
    pub(super) fn along(&self, axes: &[usize], divisor: f64, term: impl Term + 'static) -> Result<Plan> {
        self.along_of(axes, divisor, Box::new(term))
    }

    fn along_of(&self, axes: &[usize], divisor: f64, term: Box<dyn Term>) -> Result<Plan> {
        let len: usize = axes.iter().map(|axis| self.shape[*axis]).product();
        let body = Elements::sum(self.present(), divisor, Conversions::default(), term);
        let (mut builder, inputs) = self.read(len, axes, F32)?;
        let written = self.written(&mut builder, F64)?;
        builder.lanes(inputs, [written], self.numel() / len.max(1), body);
        Ok(self.plan(builder))
    }

    /// The sum of all over a divisor, or each, as a reduction says.
    pub(super) fn reduced(
        &self,
        reduction: Reduction,
        divisor: f64,
        term: impl Term + 'static,
    ) -> Result<Plan> {
        self.combined(reduction, divisor, Conversions::default(), Box::new(term))
    }

    /// The sum of all over a divisor, each rounded before, or each, as a reduction says.
    pub(super) fn reduced_after_rounding(
        &self,
        reduction: Reduction,
        divisor: f64,
        term: impl Term + 'static,
    ) -> Result<Plan> {
        self.combined(reduction, divisor, through(&[F64, self.through, F64])?, Box::new(term))
    }

    fn combined(
        &self,
        reduction: Reduction,
        divisor: f64,
        rounding: Conversions,
        term: Box<dyn Term>,
    ) -> Result<Plan> {
        if reduction == Reduction::None {
            return self.each_of(1.0, term);
        }
        let body = Elements::sum(self.present(), 1.0, rounding, term);
        self.add_up(F32, F64, Box::new(body), total(divisor))
    }

    /// The distances of integers, or their sum.
    pub(super) fn integer_distances(&self, reduction: Reduction) -> Result<Plan> {
        if reduction != Reduction::None {
            return self.add_up(I64, I64, Box::new(integer_distances(true)), integer_total());
        }
        let (mut builder, inputs) = self.read(1, &[], I64)?;
        let written = self.written(&mut builder, I64)?;
        builder.lanes(inputs, [written], self.numel(), integer_distances(false));
        Ok(self.plan(builder))
    }

    /// Writes what `last` makes of the sums of pieces, which are of type `sum`; a body reads operands as `seen`.
    fn add_up(&self, seen: DType, sum: DType, body: Box<dyn LaneBody>, last: LaneFunction) -> Result<Plan> {
        let (len, count) = self.pieces();
        let (mut builder, inputs) = self.read(len, &[], seen)?;
        let sums = builder.temporary(sum, count)?;
        builder.lanes_of(&inputs, &[(sums, lane(1, &[sum], sum)?)], count, body);
        must_have_one_element(self.out.0)?;
        let written = self.written(&mut builder, sum)?;
        builder.lanes([(sums, lane(count, &[sum], sum)?)], [written], 1, last);
        Ok(self.plan(builder))
    }

    /// The output as lanes of one element, from the type that a body writes.
    fn written(&self, builder: &mut PlanBuilder, made: DType) -> Result<(Place, Lane)> {
        let (out, to) = self.out;
        let place = builder.write(out, to, out.in_order(to)?, self.through == to)?;
        Ok((place, lane(1, &[made, self.through, to], made)?))
    }

    /// The elements of a piece, and how many pieces there are; both depend on nothing but the number of elements.
    fn pieces(&self) -> (usize, usize) {
        let numel = self.numel();
        let len = (1..=PIECE.min(numel)).rev().find(|len| numel.is_multiple_of(*len)).unwrap_or(1);
        (len, numel / len)
    }

    fn numel(&self) -> usize {
        self.shape.numel().unwrap_or(0)
    }

    fn present(&self) -> Vec<bool> {
        mapped(&self.operands, Option::is_some)
    }

    /// The operands as lanes of `len` elements, of which the axes `last` are the last ones, as a body sees them.
    fn read(&self, len: usize, last: &[usize], seen: DType) -> Result<(PlanBuilder, Vec<(Place, Lane)>)> {
        let order = innermost(self.shape.rank(), last);
        let (mut builder, mut inputs) = (PlanBuilder::new(), Vec::new());
        for (operand, dtype) in self.operands.iter().copied().flatten() {
            let view = permuted(operand, dtype, self.shape, &order)?;
            let place = builder.read(operand, view, dtype == self.through);
            inputs.push((place, lane(len, &[dtype, self.through, seen], seen)?));
        }
        Ok((builder, inputs))
    }

    fn plan(&self, builder: PlanBuilder) -> Plan {
        let (out, to) = self.out;
        let mut kept = vec![(out, to, self.through)];
        for (operand, dtype) in self.operands.iter().copied().flatten() {
            kept.push((operand, dtype, self.through));
        }
        planned(builder, &kept)
    }
}

/// The plan of a builder whose operands are converted between two types each.
pub(super) fn planned(builder: PlanBuilder, kept: &[(&Operand, DType, DType)]) -> Plan {
    let casts: Vec<(DType, DType)> = mapped(kept, |(_, own, seen)| (*own, *seen));
    builder.plan(temporaries(kept)).by(tasks(true, &casts))
}

/// The elements of an operand as elements of `shape`, with the axes in another order.
fn permuted(operand: &Operand, dtype: DType, shape: &Shape, order: &[usize]) -> Result<View> {
    if order.is_sorted() {
        return operand.view(dtype, shape);
    }
    let strides = operand.strides_as(shape)?;
    let of = |axis: &usize| Some((*shape.get(*axis)?, *strides.get(*axis)?));
    let (sizes, strides): (SmallVec<[usize; 8]>, SmallVec<[isize; 8]>) = order.iter().filter_map(of).unzip();
    operand.view_of(dtype, &sizes, &strides, operand.offset())
}

/// Refuses operands that do not broadcast to a shape in the kernel.
pub(super) fn must_spread(operand: &Operand, shape: &Shape) -> Result {
    let sizes = operand.shape()?;
    let fits = sizes.rank() <= shape.rank()
        && sizes.iter().rev().zip(shape.iter().rev()).all(|(size, target)| *size == 1 || size == target);
    match fits {
        true => Ok(()),
        false => Err(no_kernel(format_args!(
            "{} has shape {sizes}, which does not broadcast to {shape}",
            operand.name
        ))),
    }
}
