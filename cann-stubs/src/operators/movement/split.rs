//! SplitTensor and SplitWithSize: parts of an axis, each to a tensor of its own.

use std::ops::Range;

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;
use aclnn_numerics::signature::Movement;

use super::pieces::Pieces;
use super::rules::{layout, output_dtype, output_like, refuse, resized, written_like};
use crate::mapped::try_mapped;
use crate::operators::axes::axis_in;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

pub(super) fn split_tensor(call: &Call<'_>) -> Result<Plan> {
    let (own, outputs) = (call.tensor("self")?, call.tensors("out")?);
    let sections = call.int("split_sections")?;
    let dtypes = dtypes(&own, &outputs, &signatures::split_tensor)?;
    if let Some(other) = dtypes.iter().find(|dtype| Some(*dtype) != dtypes.first()) {
        return refuse(format_args!("the tensors of out must have one type, but one is {other}"));
    }
    let dim = axis_in("dim", call.int("dim")?, own.rank())?;
    let (size, sections) = (own.shape()?[dim], sections as usize);
    if (sections == 0) != (size == 0) {
        return refuse(format_args!("splitSections is {sections}, but axis {dim} has size {size}"));
    }
    let count = if sections == 0 { 0 } else { size.div_ceil(sections) };
    if outputs.len() < count {
        return refuse(format_args!("there are {count} parts, but out has {} tensors", outputs.len()));
    }
    let parts = (0..count).map(|part| part * sections..size.min((part * sections).saturating_add(sections)));
    split(&own, &outputs, dim, &parts.collect::<Vec<_>>(), sections == size)
}

pub(super) fn split_with_size(call: &Call<'_>) -> Result<Plan> {
    let (own, sizes, outputs) = (call.tensor("self")?, call.ints("split_size")?, call.tensors("out")?);
    dtypes(&own, &outputs, &signatures::split_with_size)?;
    let dim = axis_in("dim", call.int("dim")?, own.rank())?;
    let size = own.shape()?[dim];
    let sum = sizes.iter().try_fold(0, |sum: i64, size| sum.checked_add(*size).filter(|_| *size >= 0));
    if sum != Some(size as i64) {
        return refuse(format_args!("splitSize is {sizes:?}, which is not {size} of axis {dim} in parts"));
    }
    if outputs.len() != sizes.len() {
        return refuse(format_args!(
            "splitSize has {} sizes, but out {} tensors",
            sizes.len(),
            outputs.len()
        ));
    }
    let mut begin = 0;
    let parts = sizes.iter().map(|size| {
        let part = begin..begin + *size as usize;
        begin = part.end;
        part
    });
    split(&own, &outputs, dim, &parts.collect::<Vec<_>>(), sizes.len() == 1)
}

/// The types of the outputs.
fn dtypes(own: &Operand, outputs: &[Operand], signature: &Movement) -> Result<Vec<DType>> {
    let moved = check::dtype(own, signature.takes)?;
    if own.rank() == 0 {
        return refuse("self has no axis that could be split");
    }
    check::rank(own)?;
    try_mapped(outputs, |output| {
        check::rank(output)?;
        output_dtype(output, moved, signature)
    })
}

fn split(
    own: &Operand,
    outputs: &[Operand],
    dim: usize,
    parts: &[Range<usize>],
    is_whole: bool,
) -> Result<Plan> {
    // More parts are cut by kernels of their own, which do not look at shapes before.
    let most = if settings::get().product == Product::Ascend950 { 512 } else { 32 };
    let shape = own.shape()?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let view = own.layout()?;
    let mut pieces = Pieces::new();
    for (output, part) in outputs.iter().zip(parts) {
        let shape = resized(shape, dim, part.len());
        let out = match output.known_dtype() {
            Some(dtype) if is_whole || parts.len() > most => written_like(output, dtype, &shape)?,
            _ => output_like(output, &shape)?,
        };
        pieces.copy((own, layout(view.slice(dim, part.clone(), 1))?), None, (output, out))?;
    }
    pieces.plan()
}
