//! Plans of functions of elements: each of them written, or added up.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use cann_kernels::networks::loss::elements::{Elements, Number, total};
use cann_kernels::{Lane, View, size_of_dtype};
use smallvec::SmallVec;

use super::reduction::{Reduction, must_have_one_element};
use crate::operators::axes::{no_kernel, tasks, temporaries};
use crate::operators::call::{Operand, Plan};
use crate::operators::conversions::through;
use crate::operators::plan_builder::{Place, PlanBuilder, innermost};
use crate::status::Result;

/// The longest piece of elements that are added up before others.
const PIECE: usize = 4096;

/// Operands whose elements are computed together.
pub(super) struct Terms<'a, const N: usize> {
    /// Those that are there; each of the others is 1.
    pub(super) operands: [Option<(&'a Operand, DType)>; N],
    /// The shape to which they broadcast.
    pub(super) shape: &'a Shape,
    /// The type to which operands are converted, and results rounded.
    pub(super) through: DType,
    pub(super) out: (&'a Operand, DType),
}

/// How many elements a lane has, which a body sees as `seen`, and the types that they are converted through.
pub(super) fn lane(len: usize, dtypes: &[DType], seen: DType) -> Result<Lane> {
    Ok(Lane { len, conversions: through(dtypes)?, size: size_of_dtype(seen) })
}

impl<const N: usize> Terms<'_, N> {
    /// A result for each element.
    pub(super) fn each<T: Number>(
        &self,
        function: impl Fn([T; N]) -> T + Send + Sync + 'static,
    ) -> Result<Plan> {
        let mut builder = PlanBuilder::new();
        let inputs = self.read::<T>(&mut builder, 1, &[])?;
        let (out, to) = self.out;
        let result = builder.write(out, to, out.in_order(to)?, self.through == to)?;
        let body = Elements::new(self.present(), false, function);
        let written = [(result, lane(1, &[T::DTYPE, self.through, to], T::DTYPE)?)];
        builder.lanes(inputs, written, self.numel(), body);
        Ok(self.plan(builder))
    }

    /// The sums along some axes.
    pub(super) fn along<T: Number>(
        &self,
        axes: &[usize],
        function: impl Fn([T; N]) -> T + Send + Sync + 'static,
    ) -> Result<Plan> {
        let len: usize = axes.iter().map(|axis| self.shape[*axis]).product();
        let mut builder = PlanBuilder::new();
        let inputs = self.read::<T>(&mut builder, len, axes)?;
        let (out, to) = self.out;
        let result = builder.write(out, to, out.in_order(to)?, self.through == to)?;
        let body = Elements::new(self.present(), true, function);
        let written = [(result, lane(1, &[T::DTYPE, self.through, to], T::DTYPE)?)];
        builder.lanes(inputs, written, self.numel() / len.max(1), body);
        Ok(self.plan(builder))
    }

    /// The sum of all over a divisor, or each, as a reduction says.
    pub(super) fn reduced<T: Number>(
        &self,
        reduction: Reduction,
        divisor: f64,
        function: impl Fn([T; N]) -> T + Send + Sync + 'static,
    ) -> Result<Plan> {
        if reduction == Reduction::None {
            return self.each(function);
        }
        let mut builder = PlanBuilder::new();
        let (len, count) = self.pieces();
        let inputs = self.read::<T>(&mut builder, len, &[])?;
        let sums = builder.temporary(T::DTYPE, count)?;
        let body = Elements::new(self.present(), true, function);
        builder.lanes(inputs, [(sums, lane(1, &[T::DTYPE], T::DTYPE)?)], count, body);
        self.add_up::<T>(builder, sums, count, divisor)
    }

    /// Reduces elements that are rounded before they are added up.
    pub(super) fn reduced_after_rounding(
        &self,
        reduction: Reduction,
        divisor: f64,
        function: impl Fn([f64; N]) -> f64 + Send + Sync + 'static,
    ) -> Result<Plan> {
        if reduction == Reduction::None {
            return self.each(function);
        }
        let mut builder = PlanBuilder::new();
        let inputs = self.read::<f64>(&mut builder, 1, &[])?;
        let rounded = builder.temporary(self.through, self.numel())?;
        let body = Elements::new(self.present(), false, function);
        let written = [(rounded, lane(1, &[f64::DTYPE, self.through], f64::DTYPE)?)];
        builder.lanes(inputs, written, self.numel(), body);
        let (len, count) = self.pieces();
        let sums = builder.temporary(f64::DTYPE, count)?;
        let read = [(rounded, lane(len, &[self.through, f64::DTYPE], f64::DTYPE)?)];
        let written = [(sums, lane(1, &[f64::DTYPE], f64::DTYPE)?)];
        builder.lanes(read, written, count, Elements::new([true], true, |[x]: [f64; 1]| x));
        self.add_up::<f64>(builder, sums, count, divisor)
    }

    /// Writes the sum of some numbers over a divisor.
    fn add_up<T: Number>(
        &self,
        mut builder: PlanBuilder,
        sums: Place,
        count: usize,
        divisor: f64,
    ) -> Result<Plan> {
        let (out, to) = self.out;
        must_have_one_element(out)?;
        let result = builder.write(out, to, out.in_order(to)?, self.through == to)?;
        let written = [(result, lane(1, &[T::DTYPE, self.through, to], T::DTYPE)?)];
        builder.lanes([(sums, lane(count, &[T::DTYPE], T::DTYPE)?)], written, 1, total::<T>(divisor));
        Ok(self.plan(builder))
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

    fn present(&self) -> [bool; N] {
        self.operands.map(|operand| operand.is_some())
    }

    /// The operands as lanes of `len` elements, of which the axes `last` are the last ones.
    fn read<T: Number>(
        &self,
        builder: &mut PlanBuilder,
        len: usize,
        last: &[usize],
    ) -> Result<Vec<(Place, Lane)>> {
        let order = innermost(self.shape.rank(), last);
        let mut inputs = Vec::new();
        for (operand, dtype) in self.operands.into_iter().flatten() {
            let view = permuted(operand, dtype, self.shape, &order)?;
            let place = builder.read(operand, view, dtype == self.through);
            inputs.push((place, lane(len, &[dtype, self.through, T::DTYPE], T::DTYPE)?));
        }
        Ok(inputs)
    }

    fn plan(&self, builder: PlanBuilder) -> Plan {
        let (out, to) = self.out;
        let mut kept: Vec<(&Operand, DType, DType)> = self
            .operands
            .into_iter()
            .flatten()
            .map(|(operand, dtype)| (operand, dtype, self.through))
            .collect();
        kept.push((out, to, self.through));
        planned(builder, &kept)
    }
}

/// The plan of a builder whose operands are converted between two types each.
pub(super) fn planned(builder: PlanBuilder, kept: &[(&Operand, DType, DType)]) -> Plan {
    let casts: Vec<(DType, DType)> = kept.iter().map(|(_, own, seen)| (*own, *seen)).collect();
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
