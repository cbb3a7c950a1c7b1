//! Plans of rows that are quantised.

use aclnn_numerics::DType::{self, BF16, F8E4M3FN, F8E5M2, F16, F32, HiF8, I4, I8, I32};
use aclnn_numerics::layout::Shape;
use cann_kernels::axis::quantisation::Codes;
use cann_kernels::{Lane, LaneBody, View};

use crate::mapped::mapped;
use crate::operators::axes::{invalid, temporaries};
use crate::operators::call::{Call, Operand, Plan, described};
use crate::operators::check;
use crate::operators::conversions::through;
use crate::operators::plan_builder::{Place, PlanBuilder, read_lanes, written_lanes};
use crate::status::Result;

/// Numbers of four bits in an element of i32.
const HELD: usize = 8;

/// A plan in the making, in which every operand is seen as rows.
pub(super) struct Rows<'a> {
    builder: PlanBuilder,
    inputs: Vec<(Place, Lane)>,
    outputs: Vec<(Place, Lane)>,
    kept: Vec<(&'a Operand<'a>, DType, DType)>,
    count: usize,
}

impl<'a> Rows<'a> {
    /// For so many rows.
    pub(super) fn new(count: usize) -> Self {
        let (inputs, outputs, kept) = (Vec::new(), Vec::new(), Vec::new());
        Self { builder: PlanBuilder::new(), inputs, outputs, kept, count }
    }

    /// Reads rows of `len` elements through a view, which a body sees in another type; returns the number of the input.
    pub(super) fn read(
        &mut self,
        operand: &'a Operand,
        view: View,
        [dtype, seen]: [DType; 2],
        len: usize,
    ) -> Result<usize> {
        self.kept.push((operand, dtype, seen));
        self.inputs.push((self.builder.read(operand, view, dtype == seen), read_lanes(len, dtype, seen)?));
        Ok(self.inputs.len() - 1)
    }

    /// Reads an operand in its order, which has the elements of each row.
    pub(super) fn each(&mut self, operand: &'a Operand, types: [DType; 2]) -> Result<usize> {
        let len = operand.shape()?.numel().unwrap_or(0) / self.count.max(1);
        self.read(operand, operand.in_order(types[0])?, types, len)
    }

    /// Reads an operand whose elements serve every row.
    pub(super) fn all(&mut self, operand: &'a Operand, types: [DType; 2]) -> Result<usize> {
        let view = operand.repeated(types[0], self.count)?;
        self.read(operand, view, types, operand.count())
    }

    /// Reads an optional operand in f32, whose elements serve every row.
    pub(super) fn all_of(&mut self, operand: Option<&'a Operand>, dtypes: &[DType]) -> Result<Option<usize>> {
        let Some(operand) = operand else { return Ok(None) };
        Ok(Some(self.all(operand, [one_of(operand, dtypes)?, F32])?))
    }

    /// Writes rows through a view, which a body makes in f32.
    pub(super) fn write_view(
        &mut self,
        operand: &'a Operand,
        view: View,
        [seen, dtype]: [DType; 2],
    ) -> Result {
        let place = self.builder.write(operand, dtype, view, seen == dtype)?;
        let held = if dtype == I4 { 2 } else { 1 };
        let len = operand.shape()?.numel().unwrap_or(0) / self.count.max(1) / held;
        self.kept.push((operand, dtype, seen));
        self.outputs.push((place, written_lanes(len, seen, dtype)?));
        Ok(())
    }

    /// Writes an operand in its order.
    pub(super) fn write(&mut self, operand: &'a Operand, types: [DType; 2]) -> Result {
        self.write_view(operand, operand.in_order(types[1])?, types)
    }

    /// Writes rows of so many elements of f32 to memory, which a later stage reads.
    pub(super) fn keep(&mut self, len: usize) -> Result<Place> {
        let place = self.builder.temporary(F32, self.count.saturating_mul(len))?;
        self.outputs.push((place, written_lanes(len, F32, F32)?));
        Ok(place)
    }

    /// Reads rows that an earlier stage wrote.
    pub(super) fn read_kept(&mut self, place: Place, len: usize) -> Result {
        self.inputs.push((place, read_lanes(len, F32, F32)?));
        Ok(())
    }

    /// Adds what a body does, and begins a stage of so many rows.
    pub(super) fn then(mut self, body: impl LaneBody + 'static, count: usize) -> Self {
        let (inputs, outputs) = (std::mem::take(&mut self.inputs), std::mem::take(&mut self.outputs));
        self.builder.lanes(inputs, outputs, self.count, body);
        Self { count, ..self }
    }

    pub(super) fn plan(self, body: impl LaneBody + 'static) -> Result<Plan> {
        let Self { builder, kept, .. } = self.then(body, 0);
        Ok(builder.plan(temporaries(&kept)))
    }
}

/// The type of an operand, which must be one of some.
pub(super) fn one_of(operand: &Operand, types: &[DType]) -> Result<DType> {
    match operand.known_dtype().filter(|dtype| types.contains(dtype)) {
        Some(dtype) => Ok(dtype),
        None => {
            let types: Vec<&str> = mapped(types, |dtype| dtype.short_name());
            let own = described(operand.raw_dtype());
            invalid(format_args!("{} is {own}, but must be {}", operand.name, types.join(" or ")))
        }
    }
}

/// The type of an operand that may be missing.
pub(super) fn given_as(operand: Option<&Operand>, types: &[DType]) -> Result<Option<DType>> {
    operand.map(|operand| one_of(operand, types)).transpose()
}

/// Checks that an argument gives the number of the type of an output.
pub(super) fn has_number(call: &Call<'_>, parameter: &str, y: &Operand, to: DType) -> Result {
    let (given, wanted) = (call.int(parameter)?, y.raw_dtype().0);
    match given == i64::from(wanted) {
        true => Ok(()),
        false => {
            invalid(format_args!("{parameter} is {given}, but must be {wanted}, since {} is {to}", y.name))
        }
    }
}

/// The floats of every size that a device quantises.
pub(super) const FLOATS: [DType; 3] = [F32, F16, BF16];

/// The codes of a type of quantised elements. The emulator takes the largest float of a short type for the largest code.
pub(super) fn codes(dtype: DType) -> Result<Codes> {
    let floats = |most| Ok(Codes::Floats(through(&[F32, dtype])?, most));
    match dtype {
        I8 => Ok(Codes::Bytes),
        I4 | I32 => Ok(Codes::Nibbles),
        HiF8 => floats(32768.0),
        F8E5M2 => floats(57344.0),
        F8E4M3FN => floats(448.0),
        other => invalid(format_args!("{other} is no type of quantised elements")),
    }
}

/// The codes of the type of an output. Newer forms tell the largest hif8, where 0 stands for the largest of all.
pub(super) fn codes_up_to(call: &Call<'_>, dtype: DType) -> Result<Codes> {
    let mut codes = codes(dtype)?;
    if let Codes::Floats(_, most) = &mut codes
        && dtype == HiF8
        && call.has("dstTypeMax")
    {
        let given = call.float("dstTypeMax")? as f32;
        if given > 0.0 {
            *most = given;
        }
    }
    Ok(codes)
}

/// The shape of codes for elements of some shape: i32 holds eight integers of four bits.
pub(super) fn shape_of_codes(y: &Operand, dtype: DType, shape: &Shape) -> Result {
    let last = shape.last().copied().unwrap_or(1);
    match dtype {
        I32 if last % HELD != 0 => invalid(format_args!(
            "{} is i32, which holds {HELD} numbers of four bits, but rows have {last} elements",
            y.name
        )),
        I32 => {
            let outer = &shape[..shape.rank().saturating_sub(1)];
            check::output_shape(y, &[outer, &[last / HELD]].concat())
        }
        I4 if last % 2 != 0 => {
            invalid(format_args!("{} is i4, but rows have {last} elements, an odd number", y.name))
        }
        _ => check::output_shape(y, shape),
    }
}
