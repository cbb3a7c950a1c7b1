//! Search in sorted sequences.

use aclnn_numerics::DType::{self, F32, I32, I64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product;
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::{ACLNN_ERR_INNER, ACLNN_ERR_INNER_NULLPTR};
use cann_kernels::sorting::search::{Search, find};
use cann_kernels::{Lane, View, size_of_dtype};
use smallvec::SmallVec;

use super::super::call::{Call, Operand, Plan, Tasks, tensor_in, workspace};
use super::super::plan_builder::{Place, PlanBuilder};
use super::super::{check, signatures};
use super::rules::{kept, refuse};
use crate::meta::scalar::Scalar;
use crate::meta::tensor;
use crate::operators::conversions;
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::settings;
use crate::status::{Result, Status};

pub(super) fn search_sorted(call: &Call<'_>) -> Result<Plan> {
    if call.is_scalar("self") { of_scalar(call) } else { of_tensor(call) }
}

/// The type of the positions.
fn position_type(call: &Call<'_>) -> Result<DType> {
    Ok(if call.flag("out_int32")? { I32 } else { I64 })
}

/// The type of the sequence and of what is searched, which must be one that the operator takes.
fn promoted(list: Types, a: DType, b: DType) -> Result<DType> {
    let promoted = check::promote(a, b)?;
    match check::types(list) {
        types if types.contains(promoted) => Ok(promoted),
        types => refuse(format!("the operands promote to {promoted}, but the operator searches {types}")),
    }
}

/// The sorter, which has the type of positions and the shape of the sequence.
fn sorter<'c>(call: &'c Call<'_>, sequence: &Operand) -> Result<Option<Operand<'c>>> {
    let Some(sorter) = call.optional_tensor("sorter")? else { return Ok(None) };
    check::exactly(&sorter, I64)?;
    check::rank(&sorter)?;
    check::output_shape(&sorter, sequence.shape()?)?;
    Ok(Some(sorter))
}

fn of_tensor(call: &Call<'_>) -> Result<Plan> {
    let (sequence, own) = (call.tensor("sorted_sequence")?, call.tensor("self")?);
    let (by, out) = (call.optional_tensor("sorter")?, call.tensor("out")?);
    let list = signatures::search_sorted.takes;
    let (stored, dtype) = (check::dtype(&sequence, list)?, check::dtype(&own, list)?);
    let computed = promoted(list, stored, dtype)?;
    let position = position_type(call)?;
    check::exactly(&out, position)?;
    check::rank(&sequence)?;
    check::rank(&own)?;
    let by = by.map(|_| sorter(call, &sequence)).transpose()?.flatten();
    let (rows, sizes) = (sequence.shape()?, own.shape()?);
    let is_row = rows.rank() == 1;
    if !is_row && sizes[..] == [1] {
        return refuse("self has shape [1], which needs a sequence of one axis".to_owned());
    }
    let leading = |shape: &Shape| shape.split_last().map(|(_, leading)| leading.to_vec());
    if !is_row && (rows.rank() != sizes.rank() || leading(rows) != leading(sizes)) {
        return refuse(format!(
            "sorted_sequence has shape {rows} and self {sizes}; a sequence has one axis, or all axes but the last like self"
        ));
    }
    check::output_shape(&out, sizes)?;
    if rows.is_empty_tensor() || sizes.is_empty_tensor() {
        return zeros(&out, position);
    }
    let mut builder = PlanBuilder::new();
    let searched = builder.read(&own, own.in_order(dtype)?, dtype == computed);
    let count = if is_row { 1 } else { rows.numel().unwrap_or(0) / rows.last().copied().unwrap_or(1).max(1) };
    let kept = kept(&own, dtype, computed);
    let len = sizes.numel().unwrap_or(0) / count.max(1);
    let found = Results { out: &out, view: out.in_order(position)?, position, len, count };
    let sequence = Sequence { operand: &sequence, dtype: stored, sorter: by.as_ref() };
    plan(call, builder, sequence, (searched, dtype, computed), found, kept)
}

/// The number is converted through f32 to the type of the sequence, and the output has one element.
fn of_scalar(call: &Call<'_>) -> Result<Plan> {
    let (sequence, number) = (call.tensor("sorted_sequence")?, call.scalar("self")?);
    let (by, out) = (call.optional_tensor("sorter")?, call.tensor("out")?);
    let list = signatures::search_sorted.takes;
    let dtype = check::dtype(&sequence, list)?;
    let position = position_type(call)?;
    check::exactly(&out, position)?;
    if out.shape()?.is_empty_tensor() {
        return refuse("out has no element for the position".to_owned());
    }
    check::rank(&sequence)?;
    let by = by.map(|_| sorter(call, &sequence)).transpose()?.flatten();
    let shape = sequence.shape()?;
    if shape.rank() != 1 {
        return refuse(format!("sorted_sequence has shape {shape}, but a number is searched in one axis"));
    }
    let no_number = || {
        let message = format!("a number of {} does not become {dtype}", number.dtype);
        Status::new(ACLNN_ERR_INNER_NULLPTR, message)
    };
    let narrow = number.converted(F32).ok_or_else(no_number)?;
    let element = Scalar::of_bytes(F32, &narrow).converted(dtype).ok_or_else(no_number)?;
    let view = out.view_of(position, &[1], &[1], out.offset())?;
    tensor::resize(tensor_in(call.arguments, out.slot()), SmallVec::from_slice(&[1]));
    let mut builder = PlanBuilder::new();
    if shape.is_empty_tensor() {
        let place = builder.write(&out, position, view, true)?;
        builder.fill(place, &[1], &[0; 8][..size_of_dtype(position)]);
        return Ok(builder.plan(0).by(Tasks::Processors));
    }
    let searched = builder.temporary(dtype, 1)?;
    builder.fill(searched, &[1], &element[..size_of_dtype(dtype)]);
    let found = Results { out: &out, view, position, len: 1, count: 1 };
    let sequence = Sequence { operand: &sequence, dtype, sorter: by.as_ref() };
    plan(call, builder, sequence, (searched, dtype, dtype), found, None)
}

pub(super) fn bucketize(call: &Call<'_>) -> Result<Plan> {
    let product = settings::get().product;
    if product != Product::Ascend950 {
        let message = format!("{product:?} has no Bucketize; SearchSorted does the same there");
        return Err(Status::new(ACLNN_ERR_INNER, message));
    }
    let (own, boundaries, out) = (call.tensor("self")?, call.tensor("boundaries")?, call.tensor("out")?);
    let list = signatures::bucketize.takes;
    let (dtype, stored) = (check::dtype(&own, list)?, check::dtype(&boundaries, list)?);
    let position = position_type(call)?;
    check::exactly(&out, position)?;
    let computed = match own.rank() {
        0 if stored.is_float() || !dtype.is_float() => stored,
        _ => promoted(list, dtype, stored)?,
    };
    check::rank(&own)?;
    if boundaries.rank() != 1 {
        return refuse(format!("boundaries has {} axes, but must have one", boundaries.rank()));
    }
    check::output_shape(&out, own.shape()?)?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if boundaries.shape()?.is_empty_tensor() {
        return zeros(&out, position);
    }
    let mut builder = PlanBuilder::new();
    let searched = builder.read(&own, own.in_order(dtype)?, dtype == computed);
    let len = own.shape()?.numel().unwrap_or(0);
    let found = Results { out: &out, view: out.in_order(position)?, position, len, count: 1 };
    let sequence = Sequence { operand: &boundaries, dtype: stored, sorter: None };
    let kept = kept(&own, dtype, computed);
    plan(call, builder, sequence, (searched, dtype, computed), found, kept)
}

/// Positions in no sequence.
fn zeros(out: &Operand, position: DType) -> Result<Plan> {
    if out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    let place = builder.write(out, position, out.in_order(position)?, true)?;
    builder.fill(place, out.shape()?, &[0; 8][..size_of_dtype(position)]);
    Ok(builder.plan(0))
}

/// Sorted lanes, or lanes and what sorts them.
struct Sequence<'a> {
    operand: &'a Operand<'a>,
    dtype: DType,
    sorter: Option<&'a Operand<'a>>,
}

/// Where the positions go.
struct Results<'a> {
    out: &'a Operand<'a>,
    view: View,
    position: DType,
    /// Elements that are searched in each lane.
    len: usize,
    count: usize,
}

fn plan(
    call: &Call<'_>,
    mut builder: PlanBuilder,
    sequence: Sequence<'_>,
    (searched, dtype, computed): (Place, DType, DType),
    found: Results<'_>,
    converted: Option<usize>,
) -> Result<Plan> {
    let no_kernel =
        || Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("there is no kernel for {computed}"));
    let (compare, find) = find(computed).ok_or_else(no_kernel)?;
    let lane = |len: usize, dtype: DType| -> Result<Lane> {
        let conversions = conversions::through(&[dtype, computed, compare])?;
        Ok(Lane { len, conversions, size: size_of_dtype(compare) })
    };
    let Sequence { operand, dtype: stored, sorter } = sequence;
    let steps = operand.shape()?.last().copied().unwrap_or(1);
    let mut temporaries = vec![converted, kept(operand, stored, computed)];
    let view = operand.in_order(stored)?;
    let row = builder.read(operand, view, stored == computed);
    let mut inputs = vec![(row, lane(steps, stored)?), (searched, lane(found.len, dtype)?)];
    if let Some(sorter) = sorter {
        temporaries.push(kept(sorter, I64, I64));
        let order = builder.read(sorter, sorter.in_order(I64)?, true);
        inputs.push((order, read_lanes(steps, I64, I64)?));
    }
    let Results { out, view, position, len, count } = found;
    temporaries.push(kept(out, position, position));
    let place = builder.write(out, position, view, true)?;
    let body = Search { find, size: size_of_dtype(compare), right: call.flag("right")? };
    builder.lanes(inputs, [(place, written_lanes(len, I64, position)?)], count, body);
    Ok(builder.plan(workspace(temporaries)).by(Tasks::Processors))
}
