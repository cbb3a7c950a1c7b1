//! Operands rotated by their positions.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::{Ascend910B, Ascend950};
use aclnn_sys::ACLNN_ERR_INNER_NULLPTR;
use cann_kernels::indexing::index::Gather;
use cann_kernels::networks::attention::{Rotate, RotateBack, RotateTokens, Rotation, rotate_by_matrix};
use smallvec::SmallVec;

use crate::operators::axes::{filled, invalid, tasks, temporaries_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::index::grid::{Grid, Indices, axis_of};
use crate::operators::plan_builder::{PlanBuilder, innermost};
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::{Result, Status};

/// Elements that a product before the 950 rotates in halves, and those that the 950 rotates.
const LARGEST: usize = 896;
const LARGEST_950: usize = 1024;

/// Elements of a token whose pairs are de-interleaved, before the 950.
const DEINTERLEAVED: usize = 64;

/// So many batches or heads are too many before the 950.
const MOST: usize = 1000;

/// The rotation that a number names, for tokens of so many elements.
fn rotation(mode: i64, size: usize) -> Result<Rotation> {
    let is_950 = settings::get().product == Ascend950;
    let rotation = match mode {
        0 => Rotation::Half,
        1 => Rotation::Interleaved,
        2 if is_950 => Rotation::Quarter,
        3 if is_950 => Rotation::InterleavedHalf,
        2 | 3 => {
            return check::untiled(format_args!(
                "mode is {mode}, but this product has 0, halves, and 1, interleaved"
            ));
        }
        _ => return check::untiled(format_args!("mode is {mode}, but must be from 0 to 3")),
    };
    let multiple = if rotation == Rotation::Quarter { 4 } else { 2 };
    let largest = match rotation {
        _ if is_950 => LARGEST_950,
        Rotation::Half => LARGEST,
        _ => usize::MAX,
    };
    match size > 0 && size.is_multiple_of(multiple) && size <= largest {
        true => Ok(rotation),
        false => check::untiled(format_args!(
            "{size} elements cannot be rotated; their number is a multiple of {multiple}, and at most {largest}"
        )),
    }
}

/// Checks cosines and sines: four axes, each of the operand's size or of one element.
fn angles(x: &Operand, cos: &Operand, sin: &Operand) -> Result {
    angles_of(x.name, x.shape()?, cos, sin)
}

/// Checks cosines and sines as those of so many elements.
fn angles_of(name: &str, own: &Shape, cos: &Operand, sin: &Operand) -> Result {
    let given = cos.shape()?;
    let fits = own.rank() == 4
        && given.rank() == 4
        && given[3] == own[3]
        && own.iter().zip(given.iter()).all(|(own, given)| own == given || *given == 1);
    match fits && given == sin.shape()? {
        true => Ok(()),
        false => check::untiled(format_args!(
            "{} has shape {own}, cos {given} and sin {}, but each has four axes, of which those of cos and sin may have one \
             element",
            name,
            sin.shape()?
        )),
    }
}

/// The axes of batches, heads and tokens in the layouts BNSD, BSND and SBND.
const ORDERS: [[usize; 3]; 3] = [[0, 1, 2], [0, 2, 1], [1, 2, 0]];

/// Before the 950 one of the layouts must give the axes a meaning: angles are those of tokens, for halves also of batches or
/// of everything, and there are less than a thousand batches and heads.
fn by_tokens(rotation: Rotation, x: &Operand, cos: &Operand) -> Result {
    if settings::get().product == Ascend950 {
        return Ok(());
    }
    let (own, given) = (x.shape()?, cos.shape()?);
    let fits = |[batch, head, token]: &[usize; 3]| {
        let are_of_tokens = given[*head] == 1 && given[*token] == own[*token];
        match rotation {
            Rotation::Half => own[*batch] < MOST && own[*head] < MOST && (are_of_tokens || given == own),
            _ => own[*batch].saturating_mul(own[*head]) < MOST && are_of_tokens && given[*batch] == 1,
        }
    };
    match ORDERS.iter().any(fits) {
        true => Ok(()),
        false => check::untiled(format_args!(
            "cos has shape {given} for {} of {own}; its angles are those of tokens, the same for all heads, in halves also \
             those of batches or of all elements, and there are less than {MOST} batches and heads (of both together for \
             interleaved pairs)",
            x.name
        )),
    }
}

/// Rotates an operand into an output, which may be the operand.
fn rotate_by_angles(
    builder: &mut PlanBuilder,
    x: &Operand,
    [cos, sin]: [&Operand; 2],
    out: &Operand,
    dtype: DType,
    rotation: Rotation,
) -> Result {
    let shape = x.shape()?;
    let size = shape[3];
    let mut inputs = Vec::new();
    for operand in [x, cos, sin] {
        let view = operand.view(dtype, shape)?;
        inputs.push((builder.read(operand, view, true), read_lanes(size, dtype, F32)?));
    }
    let place = builder.write(out, dtype, out.in_order(dtype)?, true)?;
    let lanes = shape.iter().take(3).product();
    builder.lanes(inputs, [(place, written_lanes(size, F32, dtype)?)], lanes, Rotate::new(rotation, size));
    Ok(())
}

pub(super) fn rotary_embedding(call: &Call<'_>) -> Result<Plan> {
    let rotate = if call.has("rotate") { call.optional_tensor("rotate")? } else { None };
    let [x, cos, sin, out] = call.tensors_of(["x", "cos", "sin", "out"])?;
    if let Some(rotate) = rotate {
        return rotated_by_matrix([x, cos, sin, rotate], out);
    }
    let dtype = check::alike(&[&x, &cos, &sin, &out], signatures::rotary_embedding.takes)?;
    angles(&x, &cos, &sin)?;
    let rotation = rotation(call.int("mode")?, x.shape()?[3])?;
    by_tokens(rotation, &x, &cos)?;
    same_shape(&out, &x)?;
    if x.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    rotate_by_angles(&mut builder, &x, [&cos, &sin], &out, dtype, rotation)?;
    Ok(builder.plan(temporaries_of(&[&x, &cos, &sin, &out], dtype, dtype)).by(tasks(true, &[])))
}

/// Elements of a slice of the last axis.
pub(super) fn partial_rotary(call: &Call<'_>) -> Result<Plan> {
    let [x, cos, sin] = call.tensors_of(["xRef", "cos", "sin"])?;
    let slice = call.ints("partialSlice")?;
    let dtype = check::alike(&[&x, &cos, &sin], signatures::partial_rotary.takes)?;
    let [.., last] = x.shape()?[..] else { return check::untiled("xRef has no axes, but must have four") };
    let range = match slice[..] {
        [start, end] if (0..end).contains(&start) && end <= last as i64 => start as usize..end as usize,
        _ => {
            return check::untiled(format_args!(
                "partialSlice is {slice:?}, but must be a start and an end among {last} elements"
            ));
        }
    };
    let size = range.len();
    let mut sizes: SmallVec<[usize; 8]> = SmallVec::from_slice(x.shape()?);
    sizes[x.rank() - 1] = size;
    let (part, strides) = (Shape::from(&sizes[..]), x.strides());
    angles_of(x.name, &part, &cos, &sin)?;
    let rotation = rotation(call.int("rotary_mode")?, size)?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let offset = x.offset().saturating_add((range.start as i64).saturating_mul(strides[3] as i64));
    let own = || x.view_of(dtype, &part, &strides, offset);
    let mut builder = PlanBuilder::new();
    let mut inputs = vec![(builder.read(&x, own()?, true), read_lanes(size, dtype, F32)?)];
    for operand in [&cos, &sin] {
        let view = operand.view(dtype, &part)?;
        inputs.push((builder.read(operand, view, true), read_lanes(size, dtype, F32)?));
    }
    let output = (builder.write(&x, dtype, own()?, true)?, written_lanes(size, F32, dtype)?);
    builder.lanes(inputs, [output], part.iter().take(3).product(), Rotate::new(rotation, size));
    Ok(builder.plan(temporaries_of(&[&x, &cos, &sin], dtype, dtype)).by(tasks(true, &[])))
}

/// The 950 hands the call to the rotary embedding.
pub(super) fn deinterleaved_rotary_embedding(call: &Call<'_>) -> Result<Plan> {
    let [x, cos, sin, out] = call.tensors_of(["x", "cos", "sin", "out"])?;
    let dtype = check::alike(&[&x, &cos, &sin, &out], signatures::deinterleaved_rotary_embedding.takes)?;
    angles(&x, &cos, &sin)?;
    same_shape(&out, &x)?;
    let (shape, given) = (x.shape()?, cos.shape()?);
    let is_950 = settings::get().product == Ascend950;
    let fits = !shape.is_empty_tensor()
        && shape[3] == DEINTERLEAVED
        && given[1] == 1
        && given[0] == shape[0]
        && (given[2] == shape[2] || given[2] == 1);
    if is_950 {
        rotation(3, shape[3])?;
    } else if !fits {
        return check::untiled(format_args!(
            "x has shape {shape} and cos {given}, but each must be [batches, heads, tokens, {DEINTERLEAVED}], and the angles those \
             of one head, of each token or of one"
        ));
    }
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    rotate_by_angles(&mut builder, &x, [&cos, &sin], &out, dtype, Rotation::InterleavedHalf)?;
    Ok(builder.plan(temporaries_of(&[&x, &cos, &sin, &out], dtype, dtype)).by(tasks(true, &[])))
}

/// The sections that a device knows, of angles for positions in several dimensions.
const SECTIONS: [&[i64]; 5] = [&[16, 24, 24], &[8, 12, 12], &[24, 20, 20], &[11, 11, 10], &[16, 16, 16, 16]];

/// For each of so many pairs, the row of positions that it is rotated by; none where that is the first one for all.
fn rows_of_pairs(sections: &[i64], pairs: usize, interleaves: bool) -> Result<Vec<usize>> {
    let is_plain = sections.first() == Some(&0) && [3, 4].contains(&sections.len());
    if sections.is_empty() || is_plain && sections.iter().all(|size| *size >= 0) {
        return Ok(Vec::new());
    }
    let is_known = SECTIONS.contains(&sections) && sections.iter().sum::<i64>() == pairs as i64;
    if !is_known {
        return invalid(format_args!(
            "mropeSection is {sections:?}, but must be one of {SECTIONS:?} with a sum of {pairs}"
        ));
    }
    if interleaves {
        let row = |pair: usize| match pair % 3 {
            row @ (1 | 2) if ((pair / 3) as i64) < sections[row] => row,
            _ => 0,
        };
        return Ok((0..pairs).map(row).collect());
    }
    let of_section = |(row, size): (usize, &i64)| std::iter::repeat_n(row, *size as usize);
    Ok(sections.iter().enumerate().flat_map(of_section).collect())
}

pub(super) fn rotary_embedding_by_positions(call: &Call<'_>) -> Result<Plan> {
    let mode = if call.has("cacheMode") { call.int("cacheMode")? } else { 0 };
    if ![0, 1].contains(&mode) {
        return invalid(format_args!("cacheMode is {mode}, but must be 0 or 1"));
    }
    let names = ["positions", "queryIn", "keyIn", "cosSinCache", "queryOut", "keyOut"];
    let [positions, query, key, cache, query_out, key_out] = call.tensors_of(names)?;
    check::exactly(&positions, DType::I64)?;
    let takes = signatures::rotary_embedding_by_positions.takes;
    let dtype = check::alike(&[&query, &key, &cache, &query_out, &key_out], takes)?;
    for operand in [&query, &key, &cache] {
        if operand.rank() != 2 {
            return invalid(format_args!("{} has {} axes, but must have two", operand.name, operand.rank()));
        }
    }
    for operand in [&query, &key, &cache, &positions] {
        if operand.shape()?.is_empty_tensor() {
            return invalid(format_args!("{} has no elements", operand.name));
        }
    }
    let (of_query, of_key, of_cache) = (query.shape()?, key.shape()?, cache.shape()?);
    if of_key[0] != of_query[0] {
        return invalid(format_args!("keyIn has {} rows, but queryIn {}", of_key[0], of_query[0]));
    }
    check::output_shape(&query_out, of_query)?;
    check::output_shape(&key_out, of_key)?;
    let (tokens, size) = (of_query[0], of_cache[1]);
    let sections =
        call.optional("mropeSection", Call::ints)?.map_or(Vec::new(), |sections| sections.to_vec());
    let rows = rows_of_pairs(&sections, size / 2, mode == 1)?;
    let head = usize::try_from(call.int("headSize")?).unwrap_or(0);
    if head == 0 {
        return invalid("headSize must be positive");
    }
    let several = rows.iter().max().map_or(1, |row| row + 1);
    let grid_rows = if several > 1 { sections.len() } else { 1 };
    let unit = 64 / cann_kernels::size_of_dtype(dtype);
    let strides = positions.strides();
    let (of_positions, is_by_row) = (positions.shape()?, positions.rank() == 2);
    let fits = match &of_positions[..] {
        [count] => *count == tokens && several == 1,
        [count, columns] => *count >= grid_rows && *columns == tokens,
        _ => false,
    };
    if !fits || !head.is_multiple_of(unit) || !size.is_multiple_of(unit) || size > head {
        return Err(Status::new(
            ACLNN_ERR_INNER_NULLPTR,
            format_args!(
                "positions has shape {of_positions} for {tokens} tokens, heads have {head} elements, of which {size} are \
                 rotated; both are multiples of {unit}"
            ),
        ));
    }
    let mut builder = PlanBuilder::new();
    let mut grid = Grid::new(&cache);
    let number = grid.add(Indices::of(&positions, true, axis_of(&cache, 0)?));
    grid.along(tokens, [(number, strides.last().copied().unwrap_or(0))]);
    grid.along(several, [(number, if is_by_row { strides[0] } else { 0 })]);
    grid.own(1..2)?;
    let mut inputs = vec![builder.look_up(&cache, cache.in_order(dtype)?)];
    let (found, tables) = grid.positions(&mut builder)?;
    inputs.extend(tables);
    let angles = builder.temporary(dtype, tokens.saturating_mul(several * size))?;
    builder.whole(&inputs, &[angles], Gather { positions: found });
    let mut lanes = Vec::new();
    for (operand, shape) in [(&query, of_query), (&key, of_key)] {
        let place = builder.read(operand, operand.in_order(dtype)?, true);
        lanes.push((place, read_lanes(shape[1], dtype, F32)?));
    }
    lanes.push((angles, read_lanes(several * size, dtype, F32)?));
    let mut outputs = Vec::new();
    for (operand, shape) in [(&query_out, of_query), (&key_out, of_key)] {
        let place = builder.write(operand, dtype, operand.in_order(dtype)?, true)?;
        outputs.push((place, written_lanes(shape[1], F32, dtype)?));
    }
    builder.lanes(
        lanes,
        outputs,
        tokens,
        RotateTokens { head, pairs: size / 2, rows, halves: call.flag("isNeoxStyle")? },
    );
    Ok(builder.plan(temporaries_of(&[&query, &key, &query_out, &key_out], dtype, dtype)).by(tasks(true, &[])))
}

/// `x · cos + (x · rotate) · sin`. What a device finds out when it divides the work fails with another code than elsewhere.
fn rotated_by_matrix([x, cos, sin, rotate]: [Operand; 4], out: Operand) -> Result<Plan> {
    if settings::get().product != Ascend910B {
        return invalid("this product does not take rotate, which must be null");
    }
    if out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let untiled = |status: Status| status.with_code(ACLNN_ERR_INNER_NULLPTR);
    let check = || -> Result<(DType, usize)> {
        let dtype = check::alike(&[&x, &cos, &sin, &rotate, &out], signatures::rotary_embedding.takes)?;
        angles(&x, &cos, &sin)?;
        same_shape(&out, &x)?;
        let size = x.shape()?[3];
        match size.is_multiple_of(2) && size <= LARGEST && rotate.shape()?[..] == [size; 2] {
            true => Ok((dtype, size)),
            false => check::untiled(format_args!(
                "rotate has shape {} for {size} elements, whose number is even and at most {LARGEST}",
                rotate.shape()?
            )),
        }
    };
    let (dtype, size) = check().map_err(untiled)?;
    let shape = x.shape()?;
    let lanes: usize = shape.iter().take(3).product();
    let mut builder = PlanBuilder::new();
    let mut inputs = Vec::new();
    for operand in [&x, &cos, &sin] {
        let view = operand.view(dtype, shape)?;
        inputs.push((builder.read(operand, view, true), read_lanes(size, dtype, F32)?));
    }
    let [down, across] = rotate.strides()[..] else { return invalid("rotate must have 2 axes") };
    let every = rotate.view_of(dtype, &[lanes, size, size], &[0, down, across], rotate.offset())?;
    inputs.push((builder.read(&rotate, every, true), read_lanes(size * size, dtype, F32)?));
    let place = builder.write(&out, dtype, out.in_order(dtype)?, true)?;
    builder.lanes(inputs, [(place, written_lanes(size, F32, dtype)?)], lanes, rotate_by_matrix(size));
    Ok(builder.plan(temporaries_of(&[&x, &cos, &sin, &rotate, &out], dtype, dtype)).by(tasks(true, &[])))
}

fn same_shape(operand: &Operand, other: &Operand) -> Result {
    match operand.shape()? == other.shape()? {
        true => Ok(()),
        false => check::untiled(format_args!(
            "{} has shape {}, but {} has {}",
            operand.name,
            operand.shape()?,
            other.name,
            other.shape()?
        )),
    }
}

pub(super) fn rotary_embedding_backward(call: &Call<'_>) -> Result<Plan> {
    let [dy, cos, sin, dx] = call.tensors_of(["dy", "cos", "sin", "dxOut"])?;
    let x = call.optional_tensor("xOptional")?;
    let gradients = match x {
        // Without the elements the gradients of cosines and sines are left as they are.
        None => None,
        Some(x) => Some((x, call.tensor("dcosOut")?, call.tensor("dsinOut")?)),
    };
    let takes = signatures::rotary_embedding_backward.takes;
    let dtype = check::alike(&[&dy, &cos, &sin, &dx], takes)?;
    angles(&dy, &cos, &sin)?;
    let size = dy.shape()?[3];
    let rotation = rotation(call.int("mode")?, size)?;
    by_tokens(rotation, &dy, &cos)?;
    same_shape(&dx, &dy)?;
    if let Some((x, dcos, dsin)) = &gradients {
        check::alike(&[&dy, x, dcos, dsin], takes)?;
        same_shape(x, &dy)?;
        same_shape(dcos, &cos)?;
        same_shape(dsin, &cos)?;
    }
    if dy.shape()?.is_empty_tensor() {
        let angles = gradients.iter().flat_map(|(_, dcos, dsin)| [(dcos, dtype), (dsin, dtype)]);
        return filled(&angles.collect::<Vec<_>>(), 0.0);
    }
    // A lane has all elements that share their angles.
    let angles = cos.shape()?;
    let shared: Vec<usize> = (0..4).filter(|axis| *axis == 3 || angles[*axis] == 1).collect();
    let order = innermost(4, &shared);
    let len: usize = shared.iter().map(|axis| dy.shape().map_or(1, |shape| shape[*axis])).product();
    let lanes = dy.shape()?.iter().product::<usize>() / len.max(1);
    let mut builder = PlanBuilder::new();
    let mut inputs = Vec::new();
    let mut read = vec![(&dy, len), (&cos, size), (&sin, size)];
    let mut written = vec![(&dx, len)];
    if let Some((x, dcos, dsin)) = &gradients {
        read.push((x, len));
        written.extend([(dcos, size), (dsin, size)]);
    }
    for (operand, len) in read {
        let view = operand.permuted(dtype, &order)?;
        inputs.push((builder.read(operand, view, true), read_lanes(len, dtype, F32)?));
    }
    let mut outputs = Vec::new();
    for (operand, len) in written {
        let view = operand.permuted(dtype, &order)?;
        outputs.push((builder.write(operand, dtype, view, true)?, written_lanes(len, F32, dtype)?));
    }
    builder.lanes(inputs, outputs, lanes, RotateBack::new(rotation, size));
    Ok(builder.plan(temporaries_of(&[&dy, &cos, &sin, &dx], dtype, dtype)).by(tasks(true, &[])))
}

pub(super) fn apply_rotary_embedding(call: &Call<'_>) -> Result<Plan> {
    let [query, key, cos, sin] = call.tensors_of(["queryRef", "keyRef", "cos", "sin"])?;
    let mode = if call.has("rotaryMode") { call.text("rotaryMode")? } else { "half".to_owned() };
    let dtype = check::alike(&[&query, &key, &cos, &sin], signatures::apply_rotary_embedding.takes)?;
    let rotation = match mode.as_str() {
        "half" => Rotation::Half,
        "interleave" => Rotation::Interleaved,
        "quarter" => Rotation::Quarter,
        _ => {
            return check::untiled(format_args!(
                "rotaryMode is {mode:?}, but must be \"half\", \"interleave\" or \"quarter\""
            ));
        }
    };
    let heads = match call.int("layout")? {
        1 | 2 => 2,
        3 => 1,
        other => {
            return check::untiled(format_args!(
                "layout is {other}, but must be 1 (BSND), 2 (SBND) or 3 (BNSD)"
            ));
        }
    };
    for operand in [&query, &key] {
        angles(operand, &cos, &sin)?;
        let (shape, given) = (operand.shape()?, cos.shape()?);
        let is_by_token = (0..3).all(|axis| given[axis] == if axis == heads { 1 } else { shape[axis] });
        let size = shape[3];
        let is_size =
            if settings::get().product == Ascend950 { size % 4 == 0 && size > 0 } else { size == 128 };
        if !is_by_token || !is_size || shape.is_empty_tensor() {
            return check::untiled(format_args!(
                "{} has shape {shape} and cos {given}, but there are angles for each token, the same for all heads, and 128 \
                 elements",
                operand.name
            ));
        }
    }
    let mut builder = PlanBuilder::new();
    for operand in [&query, &key] {
        rotate_by_angles(&mut builder, operand, [&cos, &sin], operand, dtype, rotation)?;
    }
    Ok(builder.plan(temporaries_of(&[&query, &key, &cos, &sin], dtype, dtype)).by(tasks(true, &[])))
}
