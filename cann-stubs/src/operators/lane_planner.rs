//! Plans of stages over lanes in f32, of operands that may be missing.

use aclnn_numerics::DType::{self, BF16, F16, F32, F64, I32, I64};
use cann_kernels::{Conversions, Lane, LaneFunction, View, Whole, size_of_dtype};

use crate::operators::axes::temporaries;
use crate::operators::call::{Operand, Plan};
use crate::operators::check;
use crate::operators::conversions::through;
use crate::operators::plan_builder::{Place, PlanBuilder};
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::status::Result;

/// A plan in the making.
#[derive(Default)]
pub(super) struct Planner<'a> {
    builder: PlanBuilder,
    seen: Vec<(&'a Operand<'a>, DType, DType)>,
}

/// An operand as lanes of so many elements.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    place: Place,
    dtype: DType,
    /// The type in which a function sees the elements.
    seen: DType,
    len: usize,
}

impl Lanes {
    /// The elements as lanes of another length.
    pub(super) fn of_len(self, len: usize) -> Self {
        Self { len, ..self }
    }

    /// The elements as integers, which [`ints`] and [`ints_mut`] give to a function. Numbers that i32 does not have are read as
    /// its nearest one, so that a place that does not exist is not taken for another.
    pub(super) fn whole(self) -> Self {
        Self { seen: I32, ..self }
    }

    /// The elements as integers of 64 bits, which [`longs`] and [`longs_mut`] give to a function.
    pub(super) fn long(self) -> Self {
        Self { seen: I64, ..self }
    }

    /// Returns whether the elements have 16 bits, to which results are rounded.
    pub(super) fn is_short(self) -> bool {
        matches!(self.dtype, F16 | BF16)
    }

    /// Returns the lanes as a function reads them.
    #[inline(never)]
    fn read(&self) -> Result<Lane> {
        match (self.dtype, self.seen) {
            // A cast would keep the low bits; one of a float goes to the nearest number.
            (I64, I32) => {
                let conversions = through(&[I64, F64, I32])?;
                Ok(Lane { len: self.len, conversions, size: size_of_dtype(I32) })
            }
            (dtype, seen) => read_lanes(self.len, dtype, seen),
        }
    }
}

impl<'a> Planner<'a> {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Reads an operand, through a view of it, as lanes of `len` elements.
    #[inline(never)]
    pub(super) fn read(
        &mut self,
        operand: &'a Operand,
        len: usize,
        view: &dyn Fn(&Operand<'a>, DType) -> Result<View>,
    ) -> Result<Option<Lanes>> {
        let dtype = check::any_dtype(operand)?;
        let view = view(operand, dtype)?;
        Ok(Some(self.read_view(operand, dtype, view, len)))
    }

    fn read_view(&mut self, operand: &'a Operand, dtype: DType, view: View, len: usize) -> Lanes {
        let place = self.builder.read(operand, view, true);
        self.seen.push((operand, dtype, dtype));
        Lanes { place, dtype, seen: F32, len }
    }

    /// Reads an operand that may be missing, as [`read`](Self::read) does.
    pub(super) fn read_if(
        &mut self,
        operand: Option<&'a Operand>,
        len: usize,
        view: &dyn Fn(&Operand<'a>, DType) -> Result<View>,
    ) -> Result<Option<Lanes>> {
        operand.map_or(Ok(None), |operand| self.read(operand, len, view))
    }

    /// Reads the elements of an operand in their order, as lanes of `len` elements.
    pub(super) fn rows(&mut self, operand: &'a Operand, len: usize) -> Result<Option<Lanes>> {
        self.read(operand, len, &Operand::in_order)
    }

    /// Reads all elements of an operand for each of `count` lanes.
    #[inline(never)]
    pub(super) fn all(&mut self, operand: Option<&'a Operand>, count: usize) -> Result<Option<Lanes>> {
        let Some(operand) = operand else { return Ok(None) };
        let len = operand.shape()?.numel().unwrap_or(0);
        self.read(operand, len, &|operand, dtype| operand.repeated(dtype, count))
    }

    /// Reads integers in their order, as lanes of `len` elements.
    #[inline(never)]
    pub(super) fn numbers(&mut self, operand: &'a Operand, len: usize) -> Result<Option<Lanes>> {
        Ok(self.rows(operand, len)?.map(Lanes::whole))
    }

    /// Writes the elements of an operand in their order, as lanes of `len` elements.
    pub(super) fn out(&mut self, operand: &'a Operand, len: usize) -> Result<Option<Lanes>> {
        self.write(operand, len, &Operand::in_order)
    }

    /// Writes an operand, through a view of it, as lanes of `len` elements.
    #[inline(never)]
    pub(super) fn write(
        &mut self,
        operand: &'a Operand,
        len: usize,
        view: &dyn Fn(&Operand<'a>, DType) -> Result<View>,
    ) -> Result<Option<Lanes>> {
        let dtype = check::any_dtype(operand)?;
        let view = view(operand, dtype)?;
        self.write_view(operand, dtype, view, len).map(Some)
    }

    fn write_view(&mut self, operand: &'a Operand, dtype: DType, view: View, len: usize) -> Result<Lanes> {
        let place = self.builder.write(operand, dtype, view, true)?;
        self.seen.push((operand, dtype, dtype));
        Ok(Lanes { place, dtype, seen: F32, len })
    }

    /// Writes an operand that may be missing, as [`write`](Self::write) does.
    pub(super) fn write_if(
        &mut self,
        operand: Option<&'a Operand>,
        len: usize,
        view: &dyn Fn(&Operand<'a>, DType) -> Result<View>,
    ) -> Result<Option<Lanes>> {
        operand.map_or(Ok(None), |operand| self.write(operand, len, view))
    }

    /// Memory for `count` lanes of `len` elements of f32.
    pub(super) fn temporary(&mut self, count: usize, len: usize) -> Result<Lanes> {
        let place = self.builder.temporary(F32, count.saturating_mul(len))?;
        Ok(Lanes { place, dtype: F32, seen: F32, len })
    }

    /// Computes `count` lanes of each operand by a function in f32, which gets an empty slice for what is missing; `step`
    /// says what it does.
    #[inline(never)]
    pub(super) fn lanes<const I: usize, const O: usize>(
        &mut self,
        count: usize,
        inputs: [Option<Lanes>; I],
        outputs: [Option<Lanes>; O],
        step: &'static str,
        function: impl Fn([&[f32]; I], [&mut [f32]; O]) + Send + Sync + 'static,
    ) -> Result {
        self.try_lanes(count, inputs, outputs, step, move |inputs, outputs| {
            function(inputs, outputs);
            Ok(())
        })
    }

    /// Computes lanes as [`lanes`](Self::lanes) does, by a function that may fail.
    #[inline(never)]
    pub(super) fn try_lanes<const I: usize, const O: usize>(
        &mut self,
        count: usize,
        inputs: [Option<Lanes>; I],
        outputs: [Option<Lanes>; O],
        step: &'static str,
        function: impl Fn([&[f32]; I], [&mut [f32]; O]) -> cann_kernels::Result + Send + Sync + 'static,
    ) -> Result {
        let (reads, writes) = (present(&inputs), present(&outputs));
        let body = LaneFunction::new(step, move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
            function(read(&reads, inputs), written(&writes, outputs))
        });
        self.lanes_of(count, &inputs, &outputs, body)
    }

    /// Adds a stage that computes `count` lanes of each operand that is given.
    fn lanes_of(
        &mut self,
        count: usize,
        inputs: &[Option<Lanes>],
        outputs: &[Option<Lanes>],
        body: LaneFunction,
    ) -> Result {
        let (mut read, mut written) = (Vec::new(), Vec::new());
        for lanes in inputs.iter().flatten() {
            read.push((lanes.place, lanes.read()?));
        }
        for lanes in outputs.iter().flatten() {
            written.push((lanes.place, written_lanes(lanes.len, lanes.seen, lanes.dtype)?));
        }
        self.builder.lanes(read, written, count, body);
        Ok(())
    }

    /// Adds a stage that gets operands as a whole. Its body is made of the conversions of inputs to f32 and of f64 to outputs.
    pub(super) fn whole<const I: usize, const O: usize, W: Whole + 'static>(
        &mut self,
        inputs: [Lanes; I],
        outputs: [Option<Lanes>; O],
        body: impl FnOnce([Conversions; I], [Option<Conversions>; O]) -> W,
    ) -> Result {
        let (mut load, mut results) = (std::array::from_fn(|_| Conversions::default()), [const { None }; O]);
        for (load, input) in load.iter_mut().zip(&inputs) {
            *load = input.read()?.conversions;
        }
        for (result, output) in results.iter_mut().zip(&outputs) {
            *result = output.map(|output| through(&[F64, F32, output.dtype])).transpose()?;
        }
        let outputs: Vec<Place> = outputs.iter().flatten().map(|output| output.place).collect();
        self.builder.whole(&inputs.map(|input| input.place), &outputs, body(load, results));
        Ok(())
    }

    #[inline(never)]
    pub(super) fn plan(self) -> Plan {
        self.builder.plan(temporaries(&self.seen))
    }
}

/// The integers of a lane that is read [whole](Lanes::whole).
pub(super) fn ints(lane: &[f32]) -> &[i32] {
    bytemuck::cast_slice(lane)
}

/// The integers of a lane that is written whole.
pub(super) fn ints_mut(lane: &mut [f32]) -> &mut [i32] {
    bytemuck::cast_slice_mut(lane)
}

/// The integers of a lane that is read [long](Lanes::long).
pub(super) fn longs(lane: &[f32]) -> &[i64] {
    // The lane of a missing operand is empty, and lies anywhere.
    bytemuck::try_cast_slice(lane).unwrap_or_default()
}

/// The integers of a lane that is written long.
pub(super) fn longs_mut(lane: &mut [f32]) -> &mut [i64] {
    bytemuck::try_cast_slice_mut(lane).unwrap_or_default()
}

/// Returns which operands are given.
fn present<const N: usize>(operands: &[Option<Lanes>; N]) -> [bool; N] {
    let mut present = [false; N];
    for (present, lanes) in present.iter_mut().zip(operands) {
        *present = lanes.is_some();
    }
    present
}

/// Returns the lanes of inputs; that of a missing one is empty.
#[inline]
fn read<'a, const N: usize>(present: &[bool; N], lanes: &[&'a [u8]]) -> [&'a [f32]; N] {
    let mut read = [[].as_slice(); N];
    read_present(present, lanes, &mut read);
    read
}

/// One function for all, since it is called once for each lane.
#[inline(never)]
fn read_present<'a>(present: &[bool], lanes: &[&'a [u8]], read: &mut [&'a [f32]]) {
    let read = read.iter_mut().zip(present).filter(|(_, is_present)| **is_present);
    for ((read, _), lane) in read.zip(lanes) {
        *read = bytemuck::cast_slice(lane);
    }
}

/// Returns the lanes of outputs; that of a missing one is empty.
#[inline]
fn written<'a, const N: usize>(present: &[bool; N], lanes: &'a mut [&mut [u8]]) -> [&'a mut [f32]; N] {
    let mut written = std::array::from_fn(|_| [].as_mut_slice());
    write_present(present, lanes, &mut written);
    written
}

#[inline(never)]
fn write_present<'a>(present: &[bool], lanes: &'a mut [&mut [u8]], written: &mut [&'a mut [f32]]) {
    let written = written.iter_mut().zip(present).filter(|(_, is_present)| **is_present);
    for ((written, _), lane) in written.zip(lanes) {
        *written = bytemuck::cast_slice_mut(lane);
    }
}

impl Operand<'_> {
    /// All elements in row-major order, `count` times.
    pub(in crate::operators) fn repeated(&self, dtype: DType, count: usize) -> Result<View> {
        let sizes = [&[count], &self.shape()?[..]].concat();
        let strides = [&[0], &self.strides()[..]].concat();
        self.view_of(dtype, &sizes, &strides, self.offset())
    }
}
