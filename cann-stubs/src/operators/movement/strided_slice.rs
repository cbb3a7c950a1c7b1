//! StridedSlice: indices of each axis, with masks whose meaning is TensorFlow's.

use aclnn_numerics::layout::Layout;

use super::pieces::Pieces;
use super::rules::{dtype, layout, output_like, refuse, written_like};
use crate::operators::axes::axis_in;
use crate::operators::call::{Call, Plan};
use crate::operators::{check, signatures};
use crate::status::Result;

/// Bit `i` of each tells about entry `i` of the arrays.
struct Masks {
    begin: i64,
    end: i64,
    ellipsis: i64,
    new_axis: i64,
    shrink_axis: i64,
}

pub(super) fn strided_slice(call: &Call<'_>) -> Result<Plan> {
    let (own, output) = (call.tensor("self")?, call.tensor("out")?);
    let (begin, end, strides) = (call.ints("begin")?, call.ints("end")?, call.ints("strides")?);
    let dtype = dtype(&own, &output, &signatures::strided_slice)?;
    let masks = Masks {
        begin: call.int("begin_mask")?,
        end: call.int("end_mask")?,
        ellipsis: call.int("ellipsis_mask")?,
        new_axis: call.int("new_axis_mask")?,
        shrink_axis: call.int("shrink_axis_mask")?,
    };
    if begin.len() != strides.len() || end.len() != strides.len() {
        return refuse(format_args!(
            "begin has {} entries, end {} and strides {}; each needs as many",
            begin.len(),
            end.len(),
            strides.len()
        ));
    }
    if strides.contains(&0) {
        return refuse("a stride is 0");
    }
    if masks.ellipsis.count_ones() > 1 {
        return refuse(format_args!(
            "ellipsisMask is {:#b}; only one entry can be an ellipsis",
            masks.ellipsis
        ));
    }
    check::rank(&own)?;
    check::rank(&output)?;
    let shape = own.shape()?;
    let cut = masks.cut(&own.layout()?, begin, end, strides)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let out = match strides.is_empty() {
        true => written_like(&output, dtype, shape)?,
        false => output_like(&output, cut.shape())?,
    };
    Pieces::one((&own, cut), (&output, out))
}

pub(super) fn strided_slice_assign(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["varRef", "inputValue"])?;
    let [var, input] = &tensors;
    let (begin, end, strides) = (call.ints("begin")?, call.ints("end")?, call.ints("strides")?);
    let axes = call.optional("axesOptional", Call::ints)?;
    check::alike(&[var, input], signatures::strided_slice_assign.takes)?;
    let checked = || -> Result<Layout> {
        check::rank(var)?;
        let entries = axes.as_ref().map_or(var.rank(), |axes| axes.len());
        for (name, list) in [("begin", &begin), ("end", &end), ("strides", &strides)] {
            if list.len() != entries {
                return refuse(format_args!(
                    "{name} has {} entries, but there are {entries} axes",
                    list.len()
                ));
            }
        }
        let (mut part, mut last) = (var.layout()?, 1);
        let mut named: smallvec::SmallVec<[usize; 8]> = smallvec::SmallVec::new();
        for entry in 0..entries {
            let number = axes.as_ref().and_then(|axes| axes.get(entry).copied()).unwrap_or(entry as i64);
            let axis = axis_in("axes", number, var.rank())?;
            if named.contains(&axis) {
                return refuse(format_args!("axis {axis} is named twice"));
            }
            named.push(axis);
            if strides[entry] < 1 {
                return refuse(format_args!("a stride is {}, but must be positive", strides[entry]));
            }
            if axis + 1 == var.rank() {
                last = strides[entry];
            }
            let size = part.shape()[axis] as i64;
            let clamped = |index: i64| {
                (if index < 0 { index.saturating_add(size) } else { index }).clamp(0, size) as usize
            };
            let (from, to) = (clamped(begin[entry]), clamped(end[entry]));
            part = layout(part.slice(axis, from.min(to)..to, strides[entry] as isize))?;
        }
        if last != 1 {
            return refuse("the stride of the last axis must be 1");
        }
        check::has_shape(input, part.shape())?;
        Ok(part)
    };
    let part = checked().map_err(check::when_divided)?;
    Pieces::one((input, input.layout()?), (var, part))
}

impl Masks {
    fn cut(&self, own: &Layout, begin: &[i64], end: &[i64], strides: &[i64]) -> Result<Layout> {
        let bit = |mask: i64, entry: usize| entry < 63 && mask >> entry & 1 == 1;
        let is_new = |entry: usize| bit(self.new_axis, entry) && !bit(self.ellipsis, entry);
        let ellipsis = (0..strides.len()).find(|entry| bit(self.ellipsis, *entry));
        // Entries that name an axis of the tensor.
        let named = |entries: std::ops::Range<usize>| {
            entries.filter(|entry| !is_new(*entry) && Some(*entry) != ellipsis).count()
        };
        if named(0..strides.len()) > own.rank() {
            return refuse(format_args!("{} entries name axes, but self has {}", strides.len(), own.rank()));
        }
        let (mut view, mut axis) = (own.clone(), 0);
        for entry in 0..strides.len() {
            if Some(entry) == ellipsis {
                axis = view.rank() - named(entry + 1..strides.len());
                continue;
            }
            if is_new(entry) {
                view = layout(view.unsqueeze(axis))?;
                axis += 1;
                continue;
            }
            let (size, stride) = (view.shape()[axis] as i64, strides[entry]);
            let counted = |index: i64| if index < 0 { index.saturating_add(size) } else { index };
            if bit(self.shrink_axis, entry) {
                let index = counted(begin[entry]);
                if stride < 0 || !(0..size).contains(&index) {
                    return refuse(format_args!(
                        "entry {entry} takes index {} of {size} with stride {stride}; the index must exist and the stride be positive",
                        begin[entry]
                    ));
                }
                view = layout(view.select(axis, index as usize))?;
                continue;
            }
            let (lowest, highest) = if stride > 0 { (0, size) } else { (-1, size - 1) };
            let (first, last) = if stride > 0 { (lowest, highest) } else { (highest, lowest) };
            let clamped = |index: i64| counted(index).clamp(lowest, highest.max(lowest));
            let from = if bit(self.begin, entry) { first } else { clamped(begin[entry]) };
            let to = if bit(self.end, entry) { last } else { clamped(end[entry]) };
            let range = match stride > 0 {
                true => from.min(to)..to,
                // Indices from `from` down to the one after `to`.
                false => (to + 1).min(from + 1)..from + 1,
            };
            let range = range.start.max(0) as usize..range.end.max(0) as usize;
            let range = range.start.min(range.end)..range.end;
            view = layout(view.slice(axis, range, stride as isize))?;
            axis += 1;
        }
        Ok(view)
    }
}
