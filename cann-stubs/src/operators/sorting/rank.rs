//! Sorting, and selection by rank.

use aclnn_numerics::DType::{self, BF16, F16, F32, I64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product;
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_NULLPTR};
use cann_kernels::sorting::keys::{Keys, Ranks};
use cann_kernels::sorting::sort::{Ranked, Wanted};
use cann_kernels::{View, size_of_dtype};
use smallvec::SmallVec;

use super::super::axes::{axis, reduced, shape_or_single};
use super::super::call::{Call, Operand, Plan, Tasks, workspace};
use super::super::plan_builder::PlanBuilder;
use super::super::{check, signatures};
use super::rules::{along, kept, refuse, resized, size};
use crate::meta::scalar::Scalar;
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::settings;
use crate::status::{Result, Status};

/// Elements that are ordered along some axes.
struct Ordered<'a> {
    own: &'a Operand<'a>,
    dtype: DType,
    /// The type in which they are compared.
    seen: DType,
    along: &'a [usize],
    descending: bool,
    wanted: Wanted,
}

/// An output of a lane of results: the operand, its type, its elements as lanes, and their length.
struct Results<'a> {
    operand: &'a Operand<'a>,
    dtype: DType,
    view: View,
    len: usize,
}

impl<'a> Results<'a> {
    /// Lanes along the axes of the elements.
    fn along(operand: &'a Operand, dtype: DType, along: &[usize], len: usize) -> Result<Self> {
        Ok(Results { operand, dtype, view: operand.lanes(dtype, along)?, len })
    }

    /// The same, of a result of one element whose output may have any axes.
    fn fitting(
        operand: &'a Operand,
        dtype: DType,
        shape: &Shape,
        along: &[usize],
        len: usize,
    ) -> Result<Self> {
        if operand.shape()? == shape {
            return Self::along(operand, dtype, along, len);
        }
        Ok(Results { operand, dtype, view: operand.in_order(dtype)?, len })
    }

    /// One result for each lane.
    fn single(operand: &'a Operand, dtype: DType) -> Result<Self> {
        Ok(Results { operand, dtype, view: operand.in_order(dtype)?, len: 1 })
    }
}

impl Ordered<'_> {
    /// The plan that writes values, where they were, or both.
    fn plan(self, values: Option<Results<'_>>, indices: Option<Results<'_>>) -> Result<Plan> {
        let Self { own, dtype, seen, along, descending, wanted } = self;
        let keys = Keys::of(seen).ok_or_else(|| {
            Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("there is no kernel for {seen}"))
        })?;
        let shape = own.shape()?;
        let len: usize = along.iter().filter_map(|axis| shape.get(*axis)).product();
        let count = shape.numel().unwrap_or(0) / len.max(1);
        let mut builder = PlanBuilder::new();
        let mut temporaries = vec![kept(own, dtype, seen)];
        let body =
            Ranked { keys, descending, wanted, has_values: values.is_some(), has_indices: indices.is_some() };
        let elements = builder.read(own, own.lanes(dtype, along)?, dtype == seen);
        let of_values = values.map(|results| (results, seen));
        let of_indices = indices.map(|results| (results, I64));
        let mut outputs = Vec::new();
        for (Results { operand, dtype, view, len }, made) in of_values.into_iter().chain(of_indices) {
            temporaries.push(kept(operand, dtype, made));
            let lane = written_lanes(len, made, dtype)?;
            outputs.push((builder.write(operand, dtype, view, dtype == made)?, lane));
        }
        builder.lanes([(elements, read_lanes(len, dtype, seen)?)], outputs, count, body);
        let on_cores = settings::get().product == Product::Ascend950 || matches!(seen, F32 | F16 | BF16);
        let tasks = if on_cores { Tasks::Cores } else { Tasks::Processors };
        Ok(builder.plan(workspace(temporaries)).by(tasks))
    }
}

pub(super) fn sort(call: &Call<'_>) -> Result<Plan> {
    let (own, values, indices) =
        (call.tensor("self")?, call.tensor("values_out")?, call.tensor("indices_out")?);
    let dtype = check::dtype(&own, signatures::sort.takes)?;
    let to = check::dtype(&values, signatures::sort.values.unwrap_or(signatures::sort.takes))?;
    check::exactly(&indices, I64)?;
    let axis = axis(&own, call.int("dim")?)?;
    check::output_shape(&values, own.shape()?)?;
    check::output_shape(&indices, own.shape()?)?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let (along, len) = (along(&own, axis), size(&own, axis)?);
    // What fails inside this operator has the code of null.
    let inner = |status: Status| status.with_code(ACLNN_ERR_PARAM_NULLPTR);
    if own.rank() > 0 && len == 1 && to != dtype {
        let message =
            format!("values_out is {to}; along an axis of one element it must be {dtype} like self");
        return Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, message));
    }
    let halves = settings::get().product == Product::Ascend910 && dtype == F32 && len > 1;
    let ordered = Ordered {
        own: &own,
        dtype,
        seen: if halves { F16 } else { dtype },
        along: &along,
        descending: call.flag("descending")?,
        wanted: Wanted::Ranks(Ranks::All),
    };
    let values = Results::along(&values, to, &along, len)?;
    let indices = Results::along(&indices, I64, &along, len)?;
    ordered.plan(Some(values), Some(indices)).map_err(inner)
}

/// The elements of an operand in their order along an axis, without their positions.
pub(in crate::operators) fn sorted_values(
    own: &Operand,
    out: &Operand,
    dim: i64,
    descending: bool,
) -> Result<Plan> {
    let dtype = check::dtype(own, signatures::sort.takes)?;
    check::exactly(out, dtype)?;
    check::output_shape(out, own.shape()?)?;
    let axis = axis(own, dim)?;
    if own.is_empty() {
        return Ok(Plan::empty());
    }
    let (along, len) = (along(own, axis), size(own, axis)?);
    let wanted = Wanted::Ranks(Ranks::All);
    let ordered = Ordered { own, dtype, seen: dtype, along: &along, descending, wanted };
    ordered.plan(Some(Results::along(out, dtype, &along, len)?), None)
}

pub(super) fn argsort(call: &Call<'_>) -> Result<Plan> {
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let axis = axis(&own, call.int("dim")?)?;
    let dtype = check::dtype(&own, signatures::argsort.takes)?;
    check::exactly(&out, I64)?;
    check::rank(&own)?;
    check::output_shape(&out, own.shape()?)?;
    let len = size(&own, axis)?;
    if i32::try_from(len).is_err() {
        return refuse(format!("axis {axis} has {len} elements, more than an i32 counts"));
    }
    if dtype == BF16 && own.rank() > 0 && len == 1 && settings::get().product != Product::Ascend950 {
        return refuse(format!("axis {axis} of self has one element, which is not taken for bf16"));
    }
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let along = along(&own, axis);
    let ordered = Ordered {
        own: &own,
        dtype,
        seen: dtype,
        along: &along,
        descending: call.flag("descending")?,
        wanted: Wanted::Ranks(Ranks::All),
    };
    ordered.plan(None, Some(Results::along(&out, I64, &along, len)?))
}

pub(super) fn topk(call: &Call<'_>) -> Result<Plan> {
    let (own, values, indices) =
        (call.tensor("self")?, call.tensor("values_out")?, call.tensor("indices_out")?);
    let axis = axis(&own, call.int("dim")?)?;
    let (k, len) = (call.int("k")?, size(&own, axis)?);
    let Some(k) = usize::try_from(k).ok().filter(|k| *k <= len) else {
        return refuse(format!("k is {k}, but axis {axis} of self has {len} elements"));
    };
    let dtype = check::dtype(&own, signatures::topk.takes)?;
    check::exactly(&values, dtype)?;
    check::exactly(&indices, I64)?;
    check::rank(&own)?;
    for operand in [&own, &values, &indices] {
        if operand.shape()?.is_empty_tensor() {
            return Ok(Plan::empty());
        }
    }
    let shape = resized(own.shape()?, axis, k);
    shape_or_single(&values, &shape)?;
    shape_or_single(&indices, &shape)?;
    let product = settings::get().product;
    let numel = own.shape()?.numel().unwrap_or(usize::MAX);
    let halves = product == Product::Ascend910 && dtype == F32 && (numel <= 32768 || k >= 8);
    let is_copy = product == Product::Ascend950 && !call.flag("sorted")? && k == len;
    let along = along(&own, axis);
    let ordered = Ordered {
        own: &own,
        dtype,
        seen: if halves { F16 } else { dtype },
        along: &along,
        descending: call.flag("largest")?,
        wanted: if is_copy { Wanted::Unordered } else { Wanted::Ranks(Ranks::First(k)) },
    };
    let values = Results::fitting(&values, dtype, &shape, &along, k)?;
    let indices = Results::fitting(&indices, I64, &shape, &along, k)?;
    ordered.plan(Some(values), Some(indices))
}

pub(super) fn kth_value(call: &Call<'_>) -> Result<Plan> {
    let (own, values, indices) =
        (call.tensor("self")?, call.tensor("values_out")?, call.tensor("indices_out")?);
    let axis = axis(&own, call.int("dim")?)?;
    let (k, len) = (call.int("k")?, size(&own, axis)?);
    let Some(k) = usize::try_from(k).ok().filter(|k| (1..=len).contains(k)) else {
        return refuse(format!("k is {k}, but axis {axis} of self has {len} elements, counted from one"));
    };
    let dtype = check::dtype(&own, signatures::kth_value.takes)?;
    check::exactly(&values, dtype)?;
    check::exactly(&indices, I64)?;
    check::rank(&own)?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let shape = reduced(&own, &[axis], call.flag("keepdim")?)?;
    shape_or_single(&values, &shape)?;
    shape_or_single(&indices, &shape)?;
    selected(&own, dtype, &along(&own, axis), Wanted::Ranks(Ranks::One(k - 1)), &values, Some(&indices))
}

/// One element of each lane.
fn selected(
    own: &Operand,
    dtype: DType,
    along: &[usize],
    wanted: Wanted,
    values: &Operand,
    indices: Option<&Operand>,
) -> Result<Plan> {
    let ordered = Ordered { own, dtype, seen: dtype, along, descending: false, wanted };
    let indices = indices.map(|indices| Results::single(indices, I64)).transpose()?;
    ordered.plan(Some(Results::single(values, dtype)?), indices)
}

pub(super) fn median(call: &Call<'_>) -> Result<Plan> {
    of_all(call, "values_out", Wanted::Middle)
}

pub(super) fn nan_median(call: &Call<'_>) -> Result<Plan> {
    of_all(call, "out", Wanted::MiddleNumber)
}

/// A final copy that fails has the code of null in these operators.
fn copied((output, dtype): (&Operand, DType)) -> Result {
    output.in_order(dtype).map(drop).map_err(|status| status.with_code(ACLNN_ERR_PARAM_NULLPTR))
}

/// The middle one of all elements.
fn of_all(call: &Call<'_>, output: &str, wanted: Wanted) -> Result<Plan> {
    let (own, out) = (call.tensor("self")?, call.tensor(output)?);
    let dtype = check::dtype(&own, signatures::median.takes)?;
    check::exactly(&out, dtype)?;
    let shape = own.shape()?;
    if dtype == BF16 && shape.last() == Some(&1) {
        return refuse("the last axis of self has one element, which is not taken for bf16".to_owned());
    }
    check::rank(&own)?;
    if out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if shape.is_empty_tensor() {
        return of_nothing(&out, dtype, wanted);
    }
    shape_or_single(&out, &Shape::scalar())?;
    copied((&out, dtype))?;
    let along: SmallVec<[usize; 8]> = (0..own.rank()).collect();
    selected(&own, dtype, &along, wanted, &out, None)
}

/// The middle of no elements: NaN; for integers what the library writes instead.
fn of_nothing(out: &Operand, dtype: DType, wanted: Wanted) -> Result<Plan> {
    let smallest = matches!(wanted, Wanted::Middle) && dtype.is_integer();
    let value = match dtype {
        DType::I64 if smallest => Scalar::of_bytes(I64, &i64::MIN.to_ne_bytes()),
        DType::I32 if smallest => Scalar::of_bytes(DType::I32, &i32::MIN.to_ne_bytes()),
        _ if smallest => Scalar::of_bytes(I64, &0_i64.to_ne_bytes()),
        _ => Scalar::of_bytes(F32, &f32::NAN.to_ne_bytes()),
    };
    let element = value
        .converted(dtype)
        .ok_or_else(|| Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("there is no {dtype} for NaN")))?;
    let mut builder = PlanBuilder::new();
    let place = builder.write(out, dtype, out.in_order(dtype)?, true)?;
    builder.fill(place, out.shape()?, &element[..size_of_dtype(dtype)]);
    Ok(builder.plan(0))
}

pub(super) fn median_dim(call: &Call<'_>) -> Result<Plan> {
    // The kernel of the 950 takes the element of the middle rank, with NaN last.
    let is_rank = settings::get().product == Product::Ascend950;
    middles(call, if is_rank { None } else { Some(Wanted::Middle) }, false)
}

pub(super) fn nan_median_dim(call: &Call<'_>) -> Result<Plan> {
    middles(call, Some(Wanted::MiddleNumber), true)
}

/// The middle one of the elements along an axis, by rank where nothing else is wanted.
fn middles(call: &Call<'_>, wanted: Option<Wanted>, refuses_nothing: bool) -> Result<Plan> {
    let (own, values, indices) =
        (call.tensor("self")?, call.tensor("values_out")?, call.tensor("indices_out")?);
    let dtype = check::dtype(&own, signatures::median_dim.takes)?;
    check::exactly(&values, dtype)?;
    check::exactly(&indices, I64)?;
    let axis = axis(&own, call.int("dim")?)?;
    let len = size(&own, axis)?;
    if dtype == BF16 && own.rank() > 0 && len == 1 {
        return refuse(format!("axis {axis} of self has one element, which is not taken for bf16"));
    }
    check::rank(&own)?;
    if refuses_nothing && len == 0 {
        return refuse(format!("axis {axis} of self has no elements"));
    }
    let shape = reduced(&own, &[axis], call.flag("keep_dim")?)?;
    for out in [&values, &indices] {
        if out.rank() != shape.rank() {
            return refuse(format!(
                "{} has {} axes, but the result has {}",
                out.name,
                out.rank(),
                shape.rank()
            ));
        }
    }
    for operand in [&own, &values, &indices] {
        if operand.shape()?.is_empty_tensor() {
            return Ok(Plan::empty());
        }
    }
    shape_or_single(&values, &shape)?;
    shape_or_single(&indices, &shape)?;
    copied((&values, dtype))?;
    copied((&indices, I64))?;
    let wanted = wanted.unwrap_or(Wanted::Ranks(Ranks::One((len - 1) / 2)));
    selected(&own, dtype, &along(&own, axis), wanted, &values, Some(&indices))
}
