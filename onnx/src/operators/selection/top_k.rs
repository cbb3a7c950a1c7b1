//! TopK: the greatest or smallest elements along an axis.

use aclnn::{DType, Shape, Tensor, ops};

use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::run::{Call, Prepared};

/// With `k` as an attribute.
pub(super) fn by_attribute(node: &Node) -> NodeResult<Prepared> {
    let (k, axis) = (node.required_int("k")?, node.int("axis", -1)?);
    Ok(Prepared::device(move |call| chosen(call, k, axis, true, true)))
}

/// With `k` as an input.
pub(super) fn by_input(node: &Node) -> NodeResult<Prepared> {
    let axis = node.int("axis", -1)?;
    let (largest, sorted) = (node.flag("largest", true)?, node.flag("sorted", true)?);
    Ok(Prepared::device(move |call| chosen(call, call.int(1)?, axis, largest, sorted)))
}

fn chosen(call: &Call<'_>, k: i64, axis: i64, largest: bool, sorted: bool) -> NodeResult<(Tensor, Tensor)> {
    let tensor = call.tensor(0)?;
    let axis = places::axis(axis, tensor.rank())?;
    let size = tensor.dims().get(axis).copied().unwrap_or(0);
    let Some(k) = usize::try_from(k).ok().filter(|&k| k <= size) else {
        return Reason::text(format!("{k} elements are wanted of an axis of size {size}"));
    };
    let shape: Shape =
        tensor.dims().iter().enumerate().map(|(own, &size)| if own == axis { k } else { size }).collect();
    if shape.is_empty_tensor() {
        let empty = |dtype: DType| Tensor::empty(call.stream(), shape.clone(), dtype);
        return Ok((empty(tensor.dtype())?, empty(DType::I64)?));
    }
    call.widened_pair([&tensor], |[x]| {
        let mut topk = ops::topk(x, k, axis);
        if !largest {
            topk = topk.smallest();
        }
        if !sorted {
            topk = topk.unsorted();
        }
        topk.run()
    })
}
