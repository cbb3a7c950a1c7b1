//! Movement on the host: which element of an array comes to which place.

use aclnn::Shape;

use crate::array::Array;
use crate::error::{NodeResult, Reason};

/// Returns an axis counted from the start.
pub(crate) fn axis(axis: i64, rank: usize) -> NodeResult<usize> {
    let signed = rank as i64;
    match axis {
        axis if (0..signed).contains(&axis) => Ok(axis as usize),
        axis if (-signed..0).contains(&axis) => Ok((axis + signed) as usize),
        axis => Reason::text(format!("axis {axis} is not one of {rank} axes")),
    }
}

/// Returns axes counted from the start.
pub(crate) fn axes(axes: &[i64], rank: usize) -> NodeResult<Vec<usize>> {
    axes.iter().map(|&number| axis(number, rank)).collect()
}

/// Returns an index counted from the start.
pub(crate) fn index(index: i64, size: usize) -> NodeResult<usize> {
    let signed = size as i64;
    match index {
        index if (0..signed).contains(&index) => Ok(index as usize),
        index if (-signed..0).contains(&index) => Ok((index + signed) as usize),
        index => Reason::text(format!("index {index} is not in an axis of size {size}")),
    }
}

/// Multiplies sizes. Where other axes are empty, the product of some may be too large to count.
pub(crate) fn product<'a>(sizes: impl IntoIterator<Item = &'a usize>) -> usize {
    sizes.into_iter().fold(1, |product, &size| product.saturating_mul(size))
}

/// Returns the sizes before an axis, at it and after it, multiplied.
pub(crate) fn around(dims: &[usize], axis: usize) -> (usize, usize, usize) {
    let before = product(dims.iter().take(axis));
    let after = product(dims.iter().skip(axis + 1));
    (before, dims.get(axis).copied().unwrap_or(1), after)
}

/// Joins arrays along an axis.
pub(crate) fn concat(arrays: &[Array], along: i64) -> NodeResult<Array> {
    let Some(first) = arrays.first() else { return Reason::text("it has no inputs") };
    let along = axis(along, first.rank())?;
    let mut dims = first.dims().to_vec();
    let mut total = 0;
    for array in arrays {
        let same = |(axis, (a, b)): (usize, (&usize, &usize))| axis == along || a == b;
        if array.dtype() != first.dtype()
            || array.rank() != first.rank()
            || !array.dims().iter().zip(&dims).enumerate().all(same)
        {
            return Reason::text(format!("{first:?} and {array:?} cannot be joined along axis {along}"));
        }
        total += array.dims().get(along).copied().unwrap_or(0);
    }
    if let Some(size) = dims.get_mut(along) {
        *size = total;
    }
    // All elements, one array after the other, and where each comes from.
    let lines: Vec<Array> =
        arrays.iter().map(|array| array.reshape([array.numel()])).collect::<Result<_, _>>()?;
    let all = Array::joined(&lines)?;
    let (before, ..) = around(&dims, along);
    let mut places = Vec::with_capacity(all.numel());
    for outer in 0..before {
        let mut start = 0;
        for array in arrays {
            let block = array.numel() / before.max(1);
            places.extend((0..block).map(|inner| start + outer * block + inner));
            start += array.numel();
        }
    }
    Ok(all.take(places.into_iter(), dims)?)
}

/// Takes slices at indices along an axis; the axis becomes the axes of the indices.
pub(crate) fn gather(array: &Array, indices: &Array, along: i64) -> NodeResult<Array> {
    let along = axis(along, array.rank())?;
    let (before, size, after) = around(array.dims(), along);
    let indices_i64 = indices.to_i64s()?;
    let indices_in: Vec<usize> =
        indices_i64.iter().map(|&number| index(number, size)).collect::<NodeResult<_>>()?;
    let mut places = Vec::with_capacity(before * indices_in.len() * after);
    for outer in 0..before {
        for &index in &indices_in {
            let start = (outer * size + index) * after;
            places.extend(start..start + after);
        }
    }
    let mut dims = array.dims().to_vec();
    dims.splice(along..=along, indices.dims().iter().copied());
    Ok(array.take(places.into_iter(), Shape::from(dims))?)
}

/// Returns an array seen through a layout of its elements.
pub(crate) fn view<E: std::fmt::Display>(
    array: &Array,
    layout: Result<aclnn::Layout, E>,
) -> NodeResult<Array> {
    Ok(array.view(&layout.map_err(|error| error.to_string())?)?)
}

/// Takes some indices of each axis; `None` stands for the one element of `fill`.
pub(crate) fn pick(array: &Array, picks: &[Vec<Option<usize>>], fill: Option<&Array>) -> NodeResult<Array> {
    let dims: Vec<usize> = picks.iter().map(Vec::len).collect();
    if dims.contains(&0) {
        return Ok(array.take([].into_iter(), dims)?);
    }
    let mut places = vec![Some(0)];
    for (axis, indices) in picks.iter().enumerate() {
        let (.., stride) = around(array.dims(), axis);
        let step = |place: &Option<usize>, index: &Option<usize>| Some((*place)? + (*index)? * stride);
        places =
            places.iter().flat_map(|place| indices.iter().map(move |index| step(place, index))).collect();
    }
    let numel = array.numel();
    let places: Vec<usize> = places.into_iter().map(|place| place.unwrap_or(numel)).collect();
    let source = match fill {
        Some(fill) => Array::joined(&[array.reshape([numel])?, fill.reshape([1])?])?,
        None => array.clone(),
    };
    Ok(source.take(places.into_iter(), dims)?)
}

/// Returns the indices of the elements of a shape at a place, which is counted in row-major order.
pub(crate) fn indices_of(mut place: usize, dims: &[usize]) -> Vec<usize> {
    let mut indices = vec![0; dims.len()];
    for (index, &size) in indices.iter_mut().zip(dims).rev() {
        *index = place % size.max(1);
        place /= size.max(1);
    }
    indices
}
