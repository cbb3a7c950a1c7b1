//! Indices and coordinates, counted from the start.

use aclnn::product::Product;
use aclnn::{DType, Shape, Tensor};

use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::host::places;
use crate::operators::shapes::in_shape;
use crate::run::Call;

/// Returns indices of an axis for the operators that take and write single elements.
pub(super) fn for_elements(call: &Call<'_>, input: usize, size: usize) -> NodeResult<Tensor> {
    // Only there, negative indices do not count from the end.
    match call.value(input)?.known().is_some() || call.device().product() == Some(Product::Ascend950) {
        true => from_start(call, input, &[size]),
        false => call.tensor(input),
    }
}

/// Returns indices counted from the start. The last axis goes round the sizes.
fn from_start(call: &Call<'_>, input: usize, sizes: &[usize]) -> NodeResult<Tensor> {
    let dtype = call.dtype(input)?;
    if let Some(array) = call.value(input)?.known() {
        let numbers = array.to_i64s()?;
        let counted: Vec<i64> = numbers
            .iter()
            .zip(sizes.iter().cycle())
            .map(|(&number, &size)| Ok(places::index(number, size)? as i64))
            .collect::<NodeResult<_>>()?;
        return match counted == numbers {
            true => call.tensor(input),
            false => call.upload(&Array::from_i64s(dtype, &counted, array.shape().clone())?),
        };
    }
    let indices = call.tensor(input)?;
    if indices.numel() == 0 {
        return Ok(indices);
    }
    let sizes: Vec<i64> = sizes.iter().map(|&size| size.max(1) as i64).collect();
    let sizes = call.upload(&Array::from_i64s(dtype, &sizes, [sizes.len()])?)?;
    Ok(indices.remainder(&sizes)?)
}

/// The places to which the coordinates in the last axis of indices lead.
pub(super) struct Coordinates {
    /// The number of axes that are batches.
    pub(super) batches: usize,
    /// The sizes of the axes for which there are coordinates.
    sizes: Vec<usize>,
    /// The axes of the indices but the last.
    pub(super) leading: Vec<usize>,
    /// The axes of the data that are taken whole.
    pub(super) rest: Vec<usize>,
}

impl Coordinates {
    pub(super) fn new(data: &[usize], indices: &[usize], batches: usize) -> NodeResult<Coordinates> {
        let wrong = || format!("indices of shape {indices:?} do not fit {data:?} with {batches} batch axes");
        let (&count, leading) = indices.split_last().ok_or_else(wrong)?;
        let (before, behind) = data.split_at_checked(batches).ok_or_else(wrong)?;
        let (sizes, rest) = behind.split_at_checked(count).ok_or_else(wrong)?;
        if leading.get(..batches) != Some(before) || count == 0 {
            return Reason::text(wrong());
        }
        Ok(Coordinates { batches, sizes: sizes.to_vec(), leading: leading.to_vec(), rest: rest.to_vec() })
    }

    /// Returns the shape of what lies at the coordinates.
    pub(super) fn result(&self) -> Shape {
        self.leading.iter().chain(&self.rest).copied().collect()
    }

    /// Returns the number of elements at each coordinate.
    pub(super) fn inner(&self) -> usize {
        places::product(&self.rest)
    }

    /// Returns the number of coordinates that exist.
    pub(super) fn rows(&self) -> usize {
        let batches = places::product(self.leading.iter().take(self.batches));
        batches.saturating_mul(places::product(&self.sizes))
    }

    fn strides(&self) -> Vec<usize> {
        (1..=self.sizes.len()).map(|axis| places::product(self.sizes.iter().skip(axis))).collect()
    }

    /// Returns the coordinates of an input, counted from the start.
    pub(super) fn counted(&self, call: &Call<'_>, input: usize) -> NodeResult<Tensor> {
        from_start(call, input, &self.sizes)
    }

    /// Returns the number of the row of each coordinate, as indices of the data with `rows` rows.
    pub(super) fn numbers(&self, call: &Call<'_>, input: usize) -> NodeResult<Tensor> {
        if call.value(input)?.known().is_some() {
            let rows = self.rows_of(&call.array(input)?)?;
            let rows: Vec<i64> = rows.into_iter().map(|row| row as i64).collect();
            return call.upload(&Array::from_slice(&rows, self.leading.clone())?);
        }
        let counted = self.counted(call, input)?;
        let numbers = match self.sizes.len() {
            1 => in_shape(&counted, self.leading.clone().into())?,
            count => {
                let strides: Vec<i64> = self.strides().into_iter().map(|stride| stride as i64).collect();
                let strides = call.upload(&Array::from_i64s(counted.dtype(), &strides, [count])?)?;
                counted.mul(&strides)?.sum(-1)?
            }
        };
        if self.batches == 0 {
            return Ok(numbers);
        }
        let each = places::product(&self.sizes);
        let batches: Vec<usize> = self.leading.iter().take(self.batches).copied().collect();
        let starts = (0..places::product(&batches)).map(|batch| (batch * each) as i64);
        let kept = self.leading.len() - self.batches;
        let shape: Shape = batches.iter().copied().chain(std::iter::repeat_n(1, kept)).collect();
        let starts = call.upload(&Array::line(starts).reshape(shape)?)?;
        Ok(numbers.cast(DType::I64)?.add(&starts)?)
    }

    /// Returns the number of the row of each coordinate, on the host.
    pub(super) fn rows_of(&self, indices: &Array) -> NodeResult<Vec<usize>> {
        let numbers = indices.to_i64s()?;
        let (count, each) = (self.sizes.len(), places::product(&self.sizes));
        let inner = places::product(self.leading.iter().skip(self.batches));
        let strides = self.strides();
        let rows = numbers.chunks(count.max(1)).enumerate().map(|(place, coordinate)| {
            let mut row = place / inner.max(1) * each;
            if self.batches == 0 {
                row = 0;
            }
            for ((&number, &size), &stride) in coordinate.iter().zip(&self.sizes).zip(&strides) {
                row += places::index(number, size)? * stride;
            }
            Ok(row)
        });
        rows.collect()
    }

    /// Returns the places of the elements at the coordinates, on the host.
    pub(super) fn places(&self, indices: &Array) -> NodeResult<Vec<usize>> {
        let inner = self.inner();
        Ok(self.rows_of(indices)?.into_iter().flat_map(|row| row * inner..(row + 1) * inner).collect())
    }
}

/// Returns, for each index of an axis, the place of the element that it leads to, on the host.
pub(super) fn element_places(data: &[usize], indices: &Array, axis: usize) -> NodeResult<Vec<usize>> {
    let fits = |(own, (&size, &count)): (usize, (&usize, &usize))| own == axis || count <= size;
    if data.len() != indices.rank() || !data.iter().zip(indices.dims()).enumerate().all(fits) {
        return Reason::text(format!("indices of shape {:?} do not fit {data:?}", indices.dims()));
    }
    let numbers = indices.to_i64s()?;
    let found = numbers.iter().enumerate().map(|(place, &number)| {
        let mut position = places::indices_of(place, indices.dims());
        if let (Some(own), Some(&size)) = (position.get_mut(axis), data.get(axis)) {
            *own = places::index(number, size)?;
        }
        Ok(position.iter().zip(data).fold(0, |place, (index, size)| place * size + index))
    });
    found.collect()
}
