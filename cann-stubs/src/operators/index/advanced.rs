//! Positions that a tensor of indices, or a mask, gives for each axis, as NumPy and PyTorch index with arrays.

use std::ops::Range;

use aclnn_numerics::DType;
use aclnn_numerics::layout::{Shape, broadcast};
use aclnn_numerics::types_by_product::Types;
use cann_kernels::functions::arithmetic::compute_type;
use cann_kernels::indexing::index::{Reduce, Reduction, Skips};

use super::checks::{invalid, is_empty, no_kernel, ranks, same_type};
use super::grid::{Grid, Indices, Origin, axis_of};
use super::plans::{self, Written};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// The most axes that operators take.
const MAX_RANK: usize = 8;

pub(super) fn index(call: &Call<'_>) -> Result<Plan> {
    let (own, indices, out) = (call.tensor("self")?, call.tensors("indices")?, call.tensor("out")?);
    let dtype = check::dtype(&own, signatures::index.takes)?;
    same_type(&out, &own)?;
    types(&indices, signatures::index.indices)?;
    ranks(&[&indices[..], &[own]].concat())?;
    let mut given = 0;
    let mut first = None;
    for entry in &indices {
        if !is_empty(entry)? {
            given += 1;
            first.get_or_insert(entry);
        }
    }
    if first.is_some_and(|first| first.rank() + own.rank() > MAX_RANK + given) {
        return invalid(format!("the result would have more than {MAX_RANK} axes"));
    }
    if is_empty(&own)? || is_empty(&out)? {
        return Ok(Plan::empty());
    }
    let Some(_) = first.filter(|_| own.rank() > 0) else {
        if own.shape()? != out.shape()? {
            return no_kernel(format!("out has shape {}, but self has {}", out.shape()?, own.shape()?));
        }
        return plans::copy(&own, &out, dtype);
    };
    let axes = Axes::of(&own, &indices)?;
    let made = axes.made()?;
    // How many elements of a mask are true, only its values tell: the output has room for as many.
    let length = out.shape()?.get(axes.position() + made.len().saturating_sub(1)).copied();
    let made = axes.with_masks(made, length.unwrap_or(1));
    let wanted = axes.result(&own, &made)?;
    if out.shape()?[..] != wanted[..] {
        return no_kernel(format!("out has shape {}, but the result has {wanted:?}", out.shape()?));
    }
    let grid = axes.grid(&own, &made, made.last().copied())?;
    plans::gather(grid, &own, dtype, &out)
}

pub(super) fn index_put(call: &Call<'_>) -> Result<Plan> {
    let (own, indices, values) = (call.tensor("self")?, call.tensors("indices")?, call.tensor("values")?);
    let dtype = check::dtype(&own, signatures::index_put.takes)?;
    same_type(&values, &own)?;
    types(&indices, signatures::index_put.indices)?;
    check::rank(&own)?;
    if indices.len() > own.rank() {
        return invalid(format!("indices has {} tensors, but self has {} axes", indices.len(), own.rank()));
    }
    let mut given = Vec::new();
    for entry in &indices {
        if !is_empty(entry)? {
            given.push(entry);
        }
    }
    if given.is_empty() {
        return Ok(Plan::empty());
    }
    let is_mask = |entry: &Operand| entry.known_dtype() == Some(DType::Bool);
    let has_masks = given.iter().any(|entry| is_mask(entry));
    if has_masks {
        masks(&own, &indices)?;
    }
    if is_empty(&own)? || is_empty(&values)? {
        return Ok(Plan::empty());
    }
    if has_masks && !given.iter().all(|entry| is_mask(entry)) {
        return no_kernel("indices has masks and indices; give masks as indices, or indices as masks");
    }
    let axes = Axes::of(&own, &indices)?;
    let made = axes.made()?;
    // How many elements of a mask are true, only its values tell: either there is a value for each, or as many are written as
    // the mask says.
    let mut count = None;
    let made = if has_masks {
        let behind = axes.result(&own, &made)?.len() - axes.position() - made.len();
        let sizes = values.shape()?;
        let own_size = sizes.len().checked_sub(behind + 1).and_then(|axis| sizes.get(axis).copied());
        count = own_size.filter(|size| *size != 1);
        let most = given.iter().filter_map(|mask| mask.shape().ok()?.numel()).min().unwrap_or(1);
        axes.with_masks(made, count.unwrap_or(most))
    } else {
        made
    };
    let wanted = Shape::from(&axes.result(&own, &made)?[..]);
    if broadcast(values.shape()?, &wanted).ok() != Some(wanted.clone()) {
        return no_kernel(format!(
            "values has shape {}, which is not broadcast to {wanted}",
            values.shape()?
        ));
    }
    let grid = axes.grid(&own, &made, count)?;
    let written = Written::Tensor(&values, Box::new(values.view(dtype, &wanted)?));
    let reduce = match call.flag("accumulate")? {
        true => Some(Reduce::new(settings::get().product, Reduction::Add, dtype, compute_type(dtype), true)?),
        false => None,
    };
    plans::scatter(grid, (None, &own), dtype, written, reduce)
}

/// The types of indices; those without elements may have any.
fn types(indices: &[Operand], list: Types) -> Result {
    for entry in indices {
        if !is_empty(entry)? {
            check::dtype(entry, list)?;
        }
    }
    Ok(())
}

/// Where there is a mask, every tensor that has elements must have the shape of axes from the next one on.
fn masks(own: &Operand, indices: &[Operand]) -> Result {
    let (sizes, mut next) = (own.shape()?, 0);
    for (number, entry) in indices.iter().enumerate() {
        let count = if is_empty(entry)? { 1 } else { entry.rank() };
        let there = sizes.get(next..next + count);
        if there.is_none() || !is_empty(entry)? && there != Some(&entry.shape()?[..]) {
            return invalid(format!(
                "tensor {number} of indices has shape {}, but self has {sizes} and is indexed from axis {next} on",
                entry.shape()?
            ));
        }
        next += count;
    }
    Ok(())
}

/// What is said for the axes of a tensor.
struct Axes<'a> {
    /// Indices or a mask, and the axes that they are for.
    indexed: Vec<(&'a Operand<'a>, Range<usize>)>,
    /// Whether the indexed axes follow each other, so that what is found takes their place; otherwise it comes first.
    adjacent: bool,
}

impl<'a> Axes<'a> {
    fn of(own: &Operand, indices: &'a [Operand]) -> Result<Self> {
        let (mut indexed, mut next) = (Vec::<(&Operand, Range<usize>)>::new(), 0);
        for (number, entry) in indices.iter().enumerate() {
            let is_given = entry.shape().is_ok_and(|shape| !shape.is_empty_tensor());
            let is_mask = is_given && entry.known_dtype() == Some(DType::Bool);
            let axes = next..next + if is_mask { entry.rank() } else { 1 };
            next = axes.end;
            let sizes = own.shape()?;
            let Some(there) = sizes.get(axes.clone()) else {
                return no_kernel(format!(
                    "indices has tensors for {next} axes or more, but self has {}",
                    own.rank()
                ));
            };
            if is_mask && (axes.is_empty() || entry.shape().is_ok_and(|mask| mask[..] != *there)) {
                return no_kernel(format!(
                    "tensor {number} of indices is a mask of another shape than the axes of self"
                ));
            }
            if is_given {
                indexed.push((entry, axes));
            }
        }
        let adjacent = indexed.windows(2).all(|pair| pair[0].1.end == pair[1].1.start);
        Ok(Axes { indexed, adjacent })
    }

    /// The axis of the result at which what is found begins.
    fn position(&self) -> usize {
        match self.indexed.first() {
            Some((_, axes)) if self.adjacent => axes.start,
            _ => 0,
        }
    }

    fn has_masks(&self) -> bool {
        self.indexed.iter().any(|(entry, _)| entry.known_dtype() == Some(DType::Bool))
    }

    /// The shape to which the indices broadcast; masks count as one axis of size 1.
    fn made(&self) -> Result<Vec<usize>> {
        let mut made = Shape::from(if self.has_masks() { &[1][..] } else { &[] });
        for (entry, _) in &self.indexed {
            if entry.known_dtype() == Some(DType::Bool) {
                continue;
            }
            made = match broadcast(&made, entry.shape()?) {
                Ok(made) => made,
                Err(why) => return no_kernel(format!("the tensors of indices do not broadcast: {why}")),
            };
        }
        Ok(made.to_vec())
    }

    /// The shape of what is found, with so many true elements of masks.
    fn with_masks(&self, mut made: Vec<usize>, count: usize) -> Vec<usize> {
        if self.has_masks()
            && let Some(last @ 1) = made.last_mut()
        {
            *last = count;
        }
        made
    }

    /// The shape of the result.
    fn result(&self, own: &Operand, made: &[usize]) -> Result<Vec<usize>> {
        let is_free = |axis: &usize| !self.indexed.iter().any(|(_, axes)| axes.contains(axis));
        let sizes = own.shape()?;
        let mut result: Vec<usize> =
            (0..own.rank()).filter(is_free).filter_map(|axis| sizes.get(axis).copied()).collect();
        let position = self.position();
        result.splice(position..position, made.iter().copied());
        Ok(result)
    }

    /// The positions, in the order of the result. `count` is the number of true elements that masks must have.
    fn grid(&self, own: &'a Operand, made: &[usize], count: Option<usize>) -> Result<Grid<'a>> {
        let mut grid = Grid::new(own);
        let mut steps: Vec<Vec<(usize, isize)>> = vec![Vec::new(); made.len()];
        for (entry, axes) in &self.indexed {
            if entry.known_dtype() == Some(DType::Bool) {
                let sizes = &own.shape()?[axes.clone()];
                for (place, (axis, size)) in axes.clone().zip(sizes).enumerate() {
                    let inner = sizes[place + 1..].iter().product();
                    let from = Origin::Mask { operand: entry, size: *size, inner, count };
                    let axis = axis_of(own, axis)?;
                    let number = grid.add(Indices {
                        from,
                        name: entry.name,
                        axis,
                        wraps: false,
                        skips: Skips::Nothing,
                    });
                    if let Some(last) = steps.last_mut() {
                        last.push((number, 1));
                    }
                }
                continue;
            }
            let wide = entry.known_dtype() == Some(DType::I64);
            let number = grid.add(Indices::of(entry, wide, axis_of(own, axes.start)?).wrapping(true));
            let missing = made.len() - entry.rank();
            for (axis, (size, stride)) in entry.shape()?.iter().zip(entry.strides()).enumerate() {
                steps[missing + axis].push((number, if *size == 1 { 0 } else { stride }));
            }
        }
        let is_free = |axis: usize| !self.indexed.iter().any(|(_, axes)| axes.contains(&axis));
        let free: Vec<usize> = (0..own.rank()).filter(|axis| is_free(*axis)).collect();
        let (before, behind) = free.split_at(self.position().min(free.len()));
        for axis in before {
            grid.own(*axis..axis + 1)?;
        }
        for (size, steps) in made.iter().zip(steps) {
            grid.along(*size, steps);
        }
        for axis in behind {
            grid.own(*axis..axis + 1)?;
        }
        Ok(grid)
    }
}
