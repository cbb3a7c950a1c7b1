//! Elements written several times.

use aclnn_numerics::{DType, Shape};

use super::elements::moved;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::{Index, Tensor};

/// Returns a shape with another size of one axis.
#[inline]
fn resized(shape: &Shape, axis: usize, size: usize) -> Shape {
    shape.iter().enumerate().map(|(index, own)| if index == axis { size } else { *own }).collect()
}

impl Tensor {
    /// Makes a tensor with the elements `counts[k]` times along axis `k`, one copy of the tensor after the other. More counts
    /// than axes add axes in front.
    ///
    /// [`Tensor::broadcast_to`] repeats axes of size 1 without a copy.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2, 3], [3])?;
    /// assert_eq!(line.repeat(&[2])?.to_vec::<i32>()?, [1, 2, 3, 1, 2, 3]);
    /// assert_eq!(line.repeat(&[4, 1])?.dims(), [4, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if there are fewer counts than axes, or more than eight,
    /// [`Unsupported`](crate::Error::Unsupported) and [`Rank`](crate::Error::Rank), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnRepeat")]
    #[doc(alias = "repeat_dim")]
    #[inline]
    pub fn repeat(&self, counts: &[usize]) -> Result<Tensor> {
        let operation = Operation::new("repeat", self.stream()).tensor("self", self);
        let Some(missing) = counts.len().checked_sub(self.rank()) else {
            let (given, rank) = (counts.len(), self.rank());
            return Err(
                operation.refused(format!("{given} counts were given for {rank} axes; give one for each"))
            );
        };
        let own = std::iter::repeat_n(&1, missing).chain(self.dims());
        let shape: Shape = own.zip(counts).map(|(size, count)| size.saturating_mul(*count)).collect();
        let counts: Vec<i64> = counts.iter().map(|&count| i64::try_from(count).unwrap_or(i64::MAX)).collect();
        moved(&operation, ("Repeat", signatures::repeat.takes), self, shape, |stream, own, out| {
            launch::Repeat(stream.into(), own, &counts, out)
        })
    }

    /// Makes a tensor that repeats this one along its last axes: as [`Tensor::repeat`] does, but with fewer counts than axes the
    /// first axes are not repeated.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    /// assert_eq!(grid.tile(&[2])?.to_vec::<i32>()?, [1, 2, 1, 2, 3, 4, 3, 4]);
    /// assert_eq!(grid.tile(&[3, 1, 1])?.dims(), [3, 2, 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::repeat`].
    #[doc(alias = "aclnnRepeat")]
    #[inline]
    pub fn tile(&self, counts: &[usize]) -> Result<Tensor> {
        let missing = self.rank().saturating_sub(counts.len());
        let counts: Vec<usize> = std::iter::repeat_n(1, missing).chain(counts.iter().copied()).collect();
        self.repeat(&counts)
    }

    /// Makes a tensor with every index of an axis `count` times in a row.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2, 3], [3])?;
    /// assert_eq!(line.repeat_interleave(2, 0)?.to_vec::<i32>()?, [1, 1, 2, 2, 3, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`View`](crate::Error::View) if the axis does not exist, [`Unsupported`](crate::Error::Unsupported) and
    /// [`Rank`](crate::Error::Rank), all before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory), or what
    /// the library returned.
    #[doc(alias = "aclnnRepeatInterleaveIntWithDim", alias = "aclnnRepeatInterleaveInt")]
    pub fn repeat_interleave(&self, count: usize, axis: impl Index) -> Result<Tensor> {
        let operation = Operation::new("repeat_interleave", self.stream()).tensor("self", self);
        let axis = self.axis(axis).map_err(|cause| self.no_view("repeat_interleave", cause))?;
        let size = self.size(axis).saturating_mul(count);
        let by = ("RepeatInterleaveIntWithDim", signatures::repeat_interleave_with_dim.takes);
        moved(&operation, by, self, resized(self.shape(), axis, size), |stream, own, out| {
            let [count, size] = [count, size].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
            launch::RepeatInterleaveIntWithDim(stream.into(), own, count, axis as i64, size, out)
        })
    }

    /// Makes a tensor with every index of an axis as many times in a row as `counts` says, a tensor of i32 or i64 with a number
    /// for each index, or a single one. The size of the result is their sum, for which this function waits.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2, 3], [3])?;
    /// let counts = Tensor::from_slice(&device, &[2i64, 0, 3], [3])?;
    /// assert_eq!(line.repeat_interleave_each(&counts, 0)?.to_vec::<i32>()?, [1, 1, 3, 3, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if `counts` has another shape or a negative number, and as for
    /// [`Tensor::repeat_interleave`].
    #[doc(
        alias = "aclnnRepeatInterleaveWithDim",
        alias = "aclnnRepeatInterleave",
        alias = "aclnnRepeatInterleaveTensor"
    )]
    pub fn repeat_interleave_each(&self, counts: &Tensor, axis: impl Index) -> Result<Tensor> {
        let operation = Operation::new("repeat_interleave_each", self.stream())
            .tensor("self", self)
            .tensor("counts", counts);
        let axis = self.axis(axis).map_err(|cause| self.no_view("repeat_interleave_each", cause))?;
        operation.placed()?;
        operation.takes("RepeatInterleave", signatures::repeat_interleave_tensor.takes, counts.dtype())?;
        let size = self.size(axis);
        if counts.rank() > 1 || ![1, size].contains(&counts.numel()) {
            let given = counts.shape();
            return Err(
                operation.refused(format!("counts has shape {given}, but must be one number or [{size}]"))
            );
        }
        let numbers = match counts.dtype() {
            DType::I32 => counts.to_vec::<i32>()?.into_iter().map(i64::from).collect(),
            _ => counts.to_vec::<i64>()?,
        };
        let times = if numbers.len() == size { 1 } else { size };
        let total = numbers.iter().try_fold(0usize, |total, &count| {
            total.checked_add(usize::try_from(count).ok()?.checked_mul(times)?)
        });
        let Some(total) = total else {
            return Err(operation
                .refused(format!("counts is {numbers:?}, but no index is repeated less than 0 times")));
        };
        let by = ("RepeatInterleaveWithDim", signatures::repeat_interleave_with_dim.takes);
        moved(&operation, by, self, resized(self.shape(), axis, total), |stream, own, out| {
            let total = i64::try_from(total).unwrap_or(i64::MAX);
            launch::RepeatInterleaveWithDim(stream.into(), own, counts, axis as i64, total, out)
        })
    }
}
