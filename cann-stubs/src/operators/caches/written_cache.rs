//! The caches that rows are written to, and the steps of those that are quantised.

use aclnn_numerics::DType::{self, F32, I8, I64};
use cann_kernels::networks::attention::{Scale, Slots, Steps, WriteSlots};
use cann_kernels::size_of_dtype;
use smallvec::SmallVec;

use crate::operators::axes::invalid;
use crate::operators::call::Operand;
use crate::operators::check;
use crate::operators::plan_builder::{Place, read_lanes, written_lanes};
use crate::operators::stage_planner::{StagePlanner, Used, sizes, typed};
use crate::status::Result;

/// Bytes of the elements that lie side by side in a cache of the format NZ.
pub(super) const NZ_BYTES: usize = 32;

/// A cache, and the scales and offsets of its elements, which it has if they are quantised.
#[derive(Clone, Copy)]
pub(super) struct WrittenCache<'a> {
    pub(super) cache: &'a Operand<'a>,
    pub(super) scale: Option<&'a Operand<'a>>,
    pub(super) offset: Option<&'a Operand<'a>>,
    pub(super) kind: Scale,
    /// Elements of a row.
    pub(super) len: usize,
}

impl WrittenCache<'_> {
    /// Checks the types by themselves: a cache has that of the rows, or i8.
    pub(super) fn typed(&self, dtype: DType) -> Result {
        typed(self.cache, &[dtype, I8])?;
        check::all_exactly(&[self.scale, self.offset], F32)
    }

    /// Checks whether a cache of i8 has scales, and only such a one.
    pub(super) fn scaled(&self) -> Result {
        match (self.cache.known_dtype() == Some(I8)) == self.scale.is_some() {
            true => Ok(()),
            false => invalid(format_args!("{} is i8 exactly if it has scales", self.cache.name)),
        }
    }

    pub(super) fn steps(&self) -> Option<Steps> {
        self.scale.map(|_| Steps { scale: self.kind, shifts: self.offset.is_some() })
    }

    /// Adds the scales and offsets to the inputs of lanes.
    pub(super) fn read_steps(
        &self,
        planner: &mut StagePlanner,
        count: usize,
        inputs: &mut Vec<Used>,
    ) -> Result {
        for list in [self.scale, self.scale.and(self.offset)].into_iter().flatten() {
            inputs.push(every_lane(planner, list, count)?);
        }
        Ok(())
    }

    /// Memory for so many rows in the type of the cache.
    pub(super) fn memory(&self, planner: &mut StagePlanner, count: usize) -> Result<Used> {
        let dtype = check::any_dtype(self.cache)?;
        let place = planner.builder.temporary(dtype, count.saturating_mul(self.len))?;
        let seen = if self.scale.is_some() { I8 } else { F32 };
        Ok((place, written_lanes(self.len, seen, dtype)?))
    }

    /// Adds the stage that writes so many rows to slots.
    pub(super) fn write(
        &self,
        planner: &mut StagePlanner,
        rows: Place,
        numbers: &Operand,
        (slots, count): (Slots, usize),
        slot_of: impl Fn(usize, &[i64]) -> i64 + Send + Sync + 'static,
    ) -> Result {
        let (dtype, of_numbers) = (check::any_dtype(self.cache)?, check::any_dtype(numbers)?);
        planner.count(self.cache, dtype);
        let list = planner.builder.read(numbers, numbers.in_order(of_numbers)?, true);
        let to = planner.builder.write(self.cache, dtype, self.cache.in_order(dtype)?, true)?;
        let body = WriteSlots::new(slots, count, of_numbers == I64, slot_of);
        planner.builder.whole(&[rows, list], &[to], body);
        Ok(())
    }

    /// The elements that lie side by side in the format NZ, of which a row is a multiple.
    pub(super) fn group(&self) -> Result<usize> {
        let group = NZ_BYTES / size_of_dtype(check::any_dtype(self.cache)?).max(1);
        match group > 0 && self.len.is_multiple_of(group) {
            true => Ok(group),
            false => invalid(format_args!(
                "{} has rows of {} elements, no multiple of {group}",
                self.cache.name, self.len
            )),
        }
    }
}

/// All elements of an operand as the same lane again and again.
pub(super) fn every_lane(planner: &mut StagePlanner, operand: &Operand, count: usize) -> Result<Used> {
    let own = check::any_dtype(operand)?;
    planner.count(operand, own);
    let view = operand.repeated(own, count)?;
    Ok((planner.builder.read(operand, view, true), read_lanes(operand.count(), own, F32)?))
}

/// Rows as lanes, each of them for several lanes one after the other; there are `count` lanes.
pub(super) fn rows_for_lanes(planner: &mut StagePlanner, operand: &Operand, count: usize) -> Result<Used> {
    let (own, [rows, len]) = (check::any_dtype(operand)?, sizes::<2>(operand)?);
    planner.count(operand, own);
    let [row, element] = operand.strides()[..] else { return invalid("rows have two axes") };
    let sizes = [rows, count / rows.max(1), len];
    let view = operand.view_of(own, &sizes, &[row, 0, element], operand.offset())?;
    Ok((planner.builder.read(operand, view, true), read_lanes(len, own, F32)?))
}

/// An operand that broadcasts to a shape, as lanes along its last axis, the other axes in an order.
pub(super) fn spread(
    planner: &mut StagePlanner,
    operand: &Operand,
    shape: &[usize],
    order: &[usize],
) -> Result<Used> {
    let own = check::any_dtype(operand)?;
    planner.count(operand, own);
    let strides = operand.strides_as(shape)?;
    let pick = |axis: &usize| Some((*shape.get(*axis)?, *strides.get(*axis)?));
    let (sizes, strides): (SmallVec<[usize; 8]>, SmallVec<[isize; 8]>) =
        order.iter().filter_map(pick).unzip();
    let view = operand.view_of(own, &sizes, &strides, operand.offset())?;
    let len = shape.last().copied().unwrap_or(1);
    Ok((planner.builder.read(operand, view, true), read_lanes(len, own, F32)?))
}

/// An output as lanes along its last axis, the other axes in an order.
pub(super) fn written(planner: &mut StagePlanner, operand: &Operand, order: &[usize]) -> Result<Used> {
    let own = check::any_dtype(operand)?;
    planner.count(operand, own);
    let len = operand.shape()?.last().copied().unwrap_or(1);
    let place = planner.builder.write(operand, own, operand.permuted(own, order)?, true)?;
    Ok((place, written_lanes(len, F32, own)?))
}

/// Checks a list with an element for each of a row, with or without an axis of one element before.
pub(super) fn one_for_each(list: Option<&Operand>, len: usize) -> Result {
    list.map_or(Ok(()), |list| {
        check::output_shape(list, &[len]).or_else(|_| check::output_shape(list, &[1, len]))
    })
}
