//! Sequences from scalars: the end excluded, the end included, or a number of steps.

use aclnn_numerics::DType;
use aclnn_numerics::convert::cann::ScalarValue;
use aclnn_numerics::range::{self as sequence, Number, Progression, arange_count, range_count};
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::ACLNN_ERR_PARAM_INVALID;
use cann_kernels::Accumulation;

use super::call::{Call, Operand, Plan, Tasks};
use super::phases::entry_points;
use super::{check, signatures};
use crate::status::{Result, Status};

aclnn_sys::range_operators!(entry_points);

fn arange(call: &Call<'_>) -> Result<Plan> {
    let [start, end, step] = numbers(call, ["start", "end", "step"])?;
    let out = call.output()?;
    let [start, end, step] = [start.listed()?, end.listed()?, step.listed()?];
    let dtype = check::dtype(&out, signatures::arange.takes)?;
    let count = arange_count(start, end, step, dtype).map_err(invalid)?;
    progression(&out, dtype, start, step, count)
}

fn range(call: &Call<'_>) -> Result<Plan> {
    let [start, end, step] = numbers(call, ["start", "end", "step"]).map_err(check::null_is_internal)?;
    let out = call.output().map_err(check::null_is_internal)?;
    let [start, end, step] = [start.listed()?, end.listed()?, step.listed()?];
    let dtype = check::dtype(&out, signatures::range.takes)?;
    if out.rank() == 0 {
        return Err(invalid("out has no axis; it takes one element for each number"));
    }
    let count = range_count(start, end, step, dtype).map_err(invalid)?;
    progression(&out, dtype, start, step, count)
}

fn linspace(call: &Call<'_>) -> Result<Plan> {
    spaced(call, signatures::linspace.takes, None)
}

fn logspace(call: &Call<'_>) -> Result<Plan> {
    spaced(call, signatures::logspace.takes, Some(call.float("base")?))
}

/// Evenly spaced numbers, or the powers of a base with them as exponents.
fn spaced(call: &Call<'_>, takes: Types, base: Option<f64>) -> Result<Plan> {
    let [start, end] = numbers(call, ["start", "end"]).map_err(check::null_is_internal)?;
    let out = call.output().map_err(check::null_is_internal)?;
    let [start, end] = [start.real()?, end.real()?];
    let dtype = check::dtype(&out, takes)?;
    let shape = out.shape()?;
    let steps = call.int("steps")?;
    let count =
        usize::try_from(steps).ok().filter(|steps| shape.numel() == Some(*steps)).ok_or_else(|| {
            invalid(format_args!(
                "steps is {steps}, but out has shape {shape}; it takes one element for each step"
            ))
        })?;
    if count == 0 {
        return Ok(Plan::empty());
    }
    if let Some(base) = base {
        let exponents = sequence::Linspace::new(start, end, count, DType::F64).map_err(invalid)?;
        let powers = cann_kernels::logspace(base, exponents, dtype)
            .ok_or_else(|| invalid(format_args!("no power is {dtype}")))?;
        return Plan::new(&[], (&out, dtype), shape, 0, powers);
    }
    let numbers = sequence::Linspace::new(start, end, count, dtype).map_err(invalid)?;
    Plan::new(&[], (&out, dtype), shape, 0, cann_kernels::linspace(numbers))
}

fn progression(out: &Operand, dtype: DType, start: Number, step: Number, count: usize) -> Result<Plan> {
    check::rank(out)?;
    let shape = out.shape()?;
    if shape.is_empty_tensor() || count == 0 {
        return Ok(Plan::empty());
    }
    let numbers = Progression::new(start, step, dtype).map_err(invalid)?;
    if numbers.is_sequential() {
        let body = Accumulation { start: start.to_f64(), step: step.to_f64(), count };
        return Ok(Plan::new(&[], (out, dtype), shape, 0, body)?.by(Tasks::Processors));
    }
    Plan::new(&[], (out, dtype), shape, 0, cann_kernels::progression(numbers, count))
}

/// A scalar argument: its type, and its value when it is a real number.
struct Scalar {
    name: &'static str,
    dtype: DType,
    number: Option<Number>,
}

fn numbers<const N: usize>(call: &Call<'_>, names: [&'static str; N]) -> Result<[Scalar; N]> {
    let mut scalars = names.map(|name| Scalar { name, dtype: DType::F32, number: None });
    for scalar in &mut scalars {
        let value = call.scalar(scalar.name)?;
        scalar.dtype = value.dtype;
        scalar.number = ScalarValue::new(value.dtype, value.bytes()).and_then(Number::from_scalar);
    }
    Ok(scalars)
}

impl Scalar {
    fn real(&self) -> Result<Number> {
        self.number.ok_or_else(|| invalid(format_args!("{} is {}, not a real number", self.name, self.dtype)))
    }

    fn listed(&self) -> Result<Number> {
        let list = check::types(signatures::range.scalars);
        if !list.contains(self.dtype) {
            return Err(invalid(format_args!("{} is {}, but must be one of {list}", self.name, self.dtype)));
        }
        self.real()
    }
}

fn invalid(message: impl std::fmt::Display) -> Status {
    Status::new(ACLNN_ERR_PARAM_INVALID, message)
}
