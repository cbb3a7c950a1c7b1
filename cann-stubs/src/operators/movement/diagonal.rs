//! Eye, Diag, DiagFlat and InplaceFillDiagonal: elements on a diagonal.

use aclnn_numerics::DType;
use aclnn_numerics::convert::cann::scalar_converter;
use aclnn_numerics::layout::{Layout, Shape};
use aclnn_sys::ACLNN_ERR_INNER_NULLPTR;

use super::pieces::{Pieces, element};
use super::rules::{dtype, layout, output_dtype, output_like, refuse, written_like};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::status::{Result, Status};

pub(super) fn eye(call: &Call<'_>) -> Result<Plan> {
    let output = call.tensor("out")?;
    let dtype = check::dtype(&output, signatures::eye.takes)?;
    let size = |name: &'static str| match usize::try_from(call.int(name)?) {
        Ok(size) => Ok(size),
        Err(_) => refuse(format_args!("{name} is {}", call.int(name)?)),
    };
    check::output_shape(&output, &[size("n")?, size("m")?])?;
    let matrix = output.layout()?;
    let mut pieces = Pieces::new();
    pieces.fill(&element(DType::U8, &[0], dtype)?, (&output, matrix.clone()))?;
    pieces.fill(&element(DType::U8, &[1], dtype)?, (&output, layout(matrix.diagonal(0, 0, 1))?))?;
    pieces.plan()
}

pub(super) fn diag(call: &Call<'_>) -> Result<Plan> {
    let (own, output) = (call.tensor("self")?, call.tensor("out")?);
    let diagonal = call.int("diagonal")?;
    let dtype = dtype(&own, &output, &signatures::diag)?;
    if own.rank() > 2 {
        return refuse(format_args!("self has {} axes, but must be a vector or a matrix", own.rank()));
    }
    check::rank(&output)?;
    let shape = own.shape()?;
    let is_edge = match shape[..] {
        [_, columns] if diagonal >= 0 => diagonal as usize == columns,
        [rows, _] => diagonal.unsigned_abs() as usize == rows,
        _ => false,
    };
    if shape.is_empty_tensor() && diagonal == 0 || is_edge && diagonal != 0 {
        return Ok(Plan::empty());
    }
    if shape.is_empty_tensor() {
        if dtype == DType::C64 {
            return refuse("self is empty, and there is no kernel that fills c64");
        }
        let mut pieces = Pieces::new();
        pieces.fill(&element(DType::U8, &[0], dtype)?, (&output, output.layout()?))?;
        return pieces.plan();
    }
    let Some(offset) = isize::try_from(diagonal).ok().filter(|offset| offset.unsigned_abs() < 1 << 40) else {
        return refuse(format_args!("diagonal is {diagonal}, and no tensor is so large"));
    };
    if own.rank() == 2 {
        let view = layout(own.layout()?.diagonal(offset, 0, 1))?;
        let out = output_like(&output, view.shape())?;
        return Pieces::one((&own, view), (&output, out));
    }
    let size = shape.numel().unwrap_or(0) + offset.unsigned_abs();
    let matrix = output_like(&output, &Shape::from([size, size]))?;
    on_diagonal(&own, &output, &matrix, offset, dtype)
}

pub(super) fn diag_flat(call: &Call<'_>) -> Result<Plan> {
    let (own, output) =
        (|| Ok((call.tensor("self")?, call.tensor("out")?)))().map_err(check::null_is_internal)?;
    let diagonal = call.int("diagonal")?;
    let moved = check::dtype(&own, signatures::diag_flat.takes)?;
    let dtype = output_dtype(&output, moved, &signatures::diag_flat)?;
    check::rank(&own)?;
    let shape = own.shape()?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let Some(offset) = isize::try_from(diagonal).ok().filter(|offset| offset.unsigned_abs() < 1 << 40) else {
        return refuse(format_args!("diagonal is {diagonal}, and no tensor is so large"));
    };
    let size = shape.numel().unwrap_or(0) + offset.unsigned_abs();
    let matrix = written_like(&output, dtype, &Shape::from([size, size]))?;
    on_diagonal(&own, &output, &matrix, offset, dtype)
}

/// Zeros, and the elements of `own` on a diagonal.
fn on_diagonal(
    own: &Operand,
    output: &Operand,
    matrix: &Layout,
    offset: isize,
    dtype: DType,
) -> Result<Plan> {
    let diagonal = layout(matrix.diagonal(offset, 0, 1))?;
    let mut pieces = Pieces::new();
    pieces.fill(&element(DType::U8, &[0], dtype)?, (output, matrix.clone()))?;
    pieces.copy((own, own.layout()?), None, (output, layout(diagonal.reshape(own.shape()?))?))?;
    pieces.plan()
}

pub(super) fn fill_diagonal(call: &Call<'_>) -> Result<Plan> {
    let (own, value, wrap) = (call.tensor("self")?, call.scalar("fill_value")?, call.flag("wrap")?);
    let dtype = check::dtype(&own, signatures::fill_diagonal.takes)?;
    let shape = own.shape()?;
    if shape.rank() < 2 || shape.rank() > 2 && shape.iter().any(|size| *size != shape[0]) {
        return refuse(format_args!(
            "self has shape {shape}, but must be a matrix or have equal sizes on all axes"
        ));
    }
    check::rank(&own)?;
    if !check::convertible(value.dtype, DType::F32) {
        return refuse(format_args!("fillValue is {}, which is not converted to f32", value.dtype));
    }
    let through = scalar_converter(value.dtype, DType::F32).ok_or_else(|| {
        Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("no {} becomes f32", value.dtype))
    })?;
    let mut number = [0; 4];
    through(value.bytes(), &mut number);
    if !holds(dtype, f32::from_ne_bytes(number)) {
        return refuse(format_args!(
            "fillValue is {}, which {dtype} does not hold",
            f32::from_ne_bytes(number)
        ));
    }
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let element = element(DType::F32, &number, dtype)?;
    let view = own.layout()?;
    let mut pieces = Pieces::new();
    let (rows, columns) = (shape[0], shape[1]);
    if shape.rank() > 2 {
        let stride = view.strides().iter().sum();
        pieces.fill(&element, (&own, layout(Layout::new([rows], &[stride], view.offset()))?))?;
        return pieces.plan();
    }
    // A tall matrix has more diagonals, each beginning a row after the end of the last one: as many whole ones, and a rest.
    let whole = if wrap { rows / (columns + 1) } else { 0 };
    let [down, across] = [view.strides()[0], view.strides()[1]];
    let strides = [down.saturating_mul(columns as isize + 1), down.saturating_add(across)];
    let diagonals = Layout::new([whole, columns], &strides, view.offset());
    pieces.fill(&element, (&own, layout(diagonals)?))?;
    let rest = layout(view.slice(0, whole * (columns + 1)..rows, 1))?;
    pieces.fill(&element, (&own, layout(rest.diagonal(0, 0, 1))?))?;
    pieces.plan()
}

/// Returns whether a number is one of a type, as far as the library looks. It does not for bf16 and bool, and NaN and
/// infinities pass in floats.
fn holds(dtype: DType, number: f32) -> bool {
    let number = f64::from(number);
    let range = match dtype {
        DType::I8 => -128.0..=127.0,
        DType::U8 => 0.0..=255.0,
        DType::I16 => -32768.0..=32767.0,
        DType::I32 => f64::from(i32::MIN)..=f64::from(i32::MAX),
        DType::I64 => -(2f64.powi(63))..=2f64.powi(63).next_down(),
        DType::F16 => -65504.0..=65504.0,
        _ => return true,
    };
    range.contains(&number) || dtype == DType::F16 && !number.is_finite()
}
