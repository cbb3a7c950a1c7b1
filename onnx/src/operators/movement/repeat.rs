//! Elements that are repeated: Expand and Tile.

use aclnn::{Shape, Tensor};
use aclnn_numerics::layout::broadcast;

use crate::error::{NodeResult, Reason};
use crate::format::tensor;
use crate::graph::Node;
use crate::host::{FEW, places};
use crate::run::{Call, Prepared};

pub(super) fn expand(_: &Node) -> NodeResult<Prepared> {
    let shape = |call: &Call<'_>| -> NodeResult<Shape> {
        let (own, wanted) = (call.shape(0)?, tensor::shape(&call.ints(1)?)?);
        match broadcast(own, &wanted) {
            Ok(shape) => Ok(tensor::shape(&shape.iter().map(|&size| size as i64).collect::<Vec<_>>())?),
            Err(_) => Reason::text(format!("{:?} and {:?} do not broadcast", &own[..], &wanted[..])),
        }
    };
    Ok(Prepared::device(move |call| Ok(call.tensor(0)?.broadcast_to(shape(call)?)?)).or_host(move |call| {
        let (array, shape) = (call.array(0)?, shape(call)?);
        if array.strings().is_none() && shape.numel().is_none_or(|count| count > FEW) {
            return Reason::missing("the result is large");
        }
        places::view(&array, array.layout().broadcast_to(shape))
    }))
}

/// Returns how often each axis is repeated.
fn counts(call: &Call<'_>) -> NodeResult<Vec<usize>> {
    let (own, repeats) = (call.shape(0)?, call.ints(1)?);
    let counts: Option<Vec<usize>> = repeats.iter().map(|&count| usize::try_from(count).ok()).collect();
    match counts {
        Some(counts) if counts.len() == own.rank() => {
            let sizes = own.iter().zip(&repeats).map(|(&size, count)| count.checked_mul(size as i64));
            let sizes: Option<Vec<i64>> = sizes.collect();
            tensor::shape(&sizes.ok_or_else(|| format!("its counts are {repeats:?}"))?)?;
            Ok(counts)
        }
        _ => Reason::text(format!("{repeats:?} are not counts for the axes of {:?}", &own[..])),
    }
}

pub(super) fn tile(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let counts = counts(call)?;
        if call.shape(0)?.is_empty_tensor() || counts.contains(&0) {
            let sizes: Shape = call.shape(0)?.iter().zip(&counts).map(|(size, count)| size * count).collect();
            return Ok(Tensor::empty(call.stream(), sizes, call.dtype(0)?)?);
        }
        call.widened([&call.tensor(0)?], |[x]| x.repeat(&counts))
    })
    .or_host(|call| {
        let (array, counts) = (call.array(0)?, counts(call)?);
        if array.numel() == 0 || counts.contains(&0) {
            let sizes: Shape = array.dims().iter().zip(&counts).map(|(size, count)| size * count).collect();
            return Ok(array.take([].into_iter(), sizes)?);
        }
        let numel: usize = array.dims().iter().zip(&counts).map(|(size, count)| size * count).product();
        if call.value(0)?.known().is_some() && array.strings().is_none() && numel > FEW {
            return Reason::missing("the result is large");
        }
        let picks: Vec<Vec<Option<usize>>> = array
            .dims()
            .iter()
            .zip(&counts)
            .map(|(&size, &count)| (0..size * count).map(|index| Some(index % size)).collect())
            .collect();
        places::pick(&array, &picks, None)
    }))
}
