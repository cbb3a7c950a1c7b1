//! Cat and Stack: tensors one after the other, along an axis of theirs or a new one.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_numerics::signature::Movement;
use cann_kernels::size_of_dtype;

use super::pieces::{self, Pieces};
use super::rules::{layout, output_dtype, output_like, refuse, resized, written_like};
use crate::operators::axes::axis_in;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn cat(call: &Call<'_>) -> Result<Plan> {
    // A tensor without elements on one axis counts as none, as in programs from before tensors had shapes.
    let is_nothing = |tensor: &Operand| matches!(tensor.shape().map(|shape| &shape[..]), Ok([0]));
    let mut tensors = call.tensors("tensors")?;
    tensors.retain(|tensor| !is_nothing(tensor));
    let (Some(first), output) = (tensors.first(), call.tensor("out")) else {
        return Ok(Plan::empty().untold());
    };
    let output = output?;
    let joined = joined_dtype(&tensors, &output, &signatures::cat)?;
    if first.rank() == 0 {
        return refuse("tensors without axes cannot be joined; stack them");
    }
    check::rank(first)?;
    let dim = axis_in("dim", call.int("dim")?, first.rank())?;
    let mut size = 0;
    for (index, tensor) in tensors.iter().enumerate() {
        let (own, of_first) = (tensor.shape()?, first.shape()?);
        if own.rank() != of_first.rank() || resized(own, dim, 0) != resized(of_first, dim, 0) {
            return refuse(format_args!(
                "tensor {index} has shape {own}, which differs from {of_first} of the first beside axis {dim}"
            ));
        }
        size = own[dim].saturating_add(size);
    }
    let shape = resized(first.shape()?, dim, size);
    tensors.retain(|tensor| tensor.shape().is_ok_and(|shape| !shape.is_empty_tensor()));
    let out = match tensors.as_slice() {
        [] => return Ok(Plan::empty().untold()),
        // The only one is written by a Cast, which does not know what it is for.
        [_] => written_like(&output, output.known_dtype().unwrap_or(joined), &shape)?,
        _ => output_like(&output, &shape)?,
    };
    let mut pieces = Pieces::new();
    let (mut begin, is_one) = (0, tensors.len() == 1);
    for tensor in &tensors {
        let end = begin + tensor.shape()?[dim];
        let part = layout(out.slice(dim, begin..end, 1))?;
        let between = if is_one { None } else { Some(joined) };
        pieces.copy((tensor, tensor.layout()?), between, (&output, part))?;
        begin = end;
    }
    pieces.plan()
}

pub(super) fn stack(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.optional_tensors("tensors").map_err(check::null_is_internal)?;
    let output = call.tensor("out").map_err(check::null_is_internal)?;
    drop(tensors);
    let tensors = call.tensors("tensors")?;
    let Some(first) = tensors.first() else { return refuse("there are no tensors to stack") };
    let joined = joined_dtype(&tensors, &output, &signatures::stack)?;
    check::rank(first)?;
    let of_first = first.shape()?;
    let dim = axis_in("dim", call.int("dim")?, of_first.rank() + 1)?;
    for (index, tensor) in tensors.iter().enumerate() {
        let own = tensor.shape()?;
        if own != of_first {
            return refuse(format_args!("tensor {index} has shape {own}, but the first has {of_first}"));
        }
    }
    if of_first.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let (before, after) = of_first.split_at(dim);
    let shape = Shape::from([before, &[tensors.len()], after].concat());
    let out = output_like(&output, &shape)?;
    let mut pieces = Pieces::new();
    for (index, tensor) in tensors.iter().enumerate() {
        let part = layout(out.select(dim, index))?;
        pieces.copy((tensor, tensor.layout()?), Some(joined), (&output, part))?;
    }
    pieces.plan()
}

/// Tensors in chunks. CANN does not describe it: it computes and refuses what PyTorch computes and refuses.
pub(super) fn chunk_cat(call: &Call<'_>) -> Result<Plan> {
    let (tensors, output) = (call.tensors("tensors")?, call.tensor("out")?);
    let Some(first) = tensors.first() else { return refuse("there are no tensors") };
    let dtype = check::alike(&tensors.iter().collect::<Vec<_>>(), signatures::chunk_cat.takes)?;
    output_dtype(&output, dtype, &signatures::chunk_cat)?;
    check::rank(first)?;
    let dim = axis_in("dim", call.int("dim")?, first.rank())?;
    let chunks = match usize::try_from(call.int("numChunks")?) {
        Ok(chunks) if chunks > 0 => chunks,
        _ => return refuse("numChunks must be positive"),
    };
    let leading = first.shape()?.get(..dim).unwrap_or_default();
    // Of each tensor the indices of a chunk, and the elements of one.
    let mut parts = Vec::with_capacity(tensors.len());
    let mut columns = 0_usize;
    for (index, tensor) in tensors.iter().enumerate() {
        check::rank(tensor)?;
        let own = tensor.shape()?;
        let fits = own.get(..dim) == Some(leading) && own.rank() > dim && !own.is_empty_tensor();
        let (rows, row) =
            (own.get(dim).map_or(0, |size| size.div_ceil(chunks)), own.get(dim + 1..).unwrap_or_default());
        let count = row.iter().try_fold(rows, |count, size| count.checked_mul(*size));
        let (true, Some(count)) = (fits, count) else {
            return refuse(format_args!(
                "tensor {index} has shape {own}, but must have elements, and the axes before {dim} of the first, of shape {}",
                first.shape()?
            ));
        };
        parts.push((rows, count));
        columns = columns.saturating_add(count);
    }
    let shape = Shape::from([leading, &[chunks, columns]].concat());
    let out = output_like(&output, &shape)?;
    let mut pieces = Pieces::new();
    let mut begin = 0;
    for (tensor, (rows, count)) in tensors.iter().zip(parts) {
        let (own, size) = (tensor.layout()?, tensor.shape()?[dim]);
        let column = layout(out.slice(dim + 1, begin..begin + count, 1))?;
        begin += count;
        let split = |chunks: usize, rows: usize| {
            let row = tensor.shape()?.get(dim + 1..).unwrap_or_default();
            Result::Ok(Shape::from([leading, &[chunks, rows], row].concat()))
        };
        let (full, rest) = (size / rows, size % rows);
        let from = layout(own.slice(dim, 0..full * rows, 1))?;
        let to = layout(layout(column.slice(dim, 0..full, 1))?.reshape(split(full, rows)?))?;
        pieces.copy((tensor, layout(from.reshape(split(full, rows)?))?), None, (&output, to))?;
        let mut filled = full;
        if rest > 0 {
            let chunk = layout(layout(column.slice(dim, full..full + 1, 1))?.reshape(split(1, rows)?))?;
            let from = layout(layout(own.slice(dim, full * rows..size, 1))?.reshape(split(1, rest)?))?;
            pieces.copy((tensor, from), None, (&output, layout(chunk.slice(dim + 1, 0..rest, 1))?))?;
            pieces.fill(&zero(&output)?, (&output, layout(chunk.slice(dim + 1, rest..rows, 1))?))?;
            filled += 1;
        }
        pieces.fill(&zero(&output)?, (&output, layout(column.slice(dim, filled..chunks, 1))?))?;
    }
    pieces.plan()
}

/// A zero of the type of an operand.
fn zero(operand: &Operand) -> Result<Vec<u8>> {
    Ok(vec![0; size_of_dtype(pieces::dtype(operand)?)])
}

/// The type that the tensors are promoted to, one after the other.
fn joined_dtype(tensors: &[Operand], output: &Operand, signature: &Movement) -> Result<DType> {
    let mut joined = None;
    for tensor in tensors {
        let dtype = check::dtype(tensor, signature.takes)?;
        joined = Some(match joined {
            Some(joined) if joined != dtype => check::promote(dtype, joined)?,
            _ => dtype,
        });
    }
    let list = check::types(signature.takes);
    let Some(joined) = joined.filter(|dtype| list.contains(*dtype)) else {
        return refuse(format_args!("the tensors are promoted to a type that is none of {list}"));
    };
    output_dtype(output, joined, signature)?;
    Ok(joined)
}
