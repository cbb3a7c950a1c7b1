//! The same elements in another order: flip, roll, channel shuffle.

use aclnn_numerics::Shape;

use super::super::axes::IntoAxes;
use super::elements::moved;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::{Index, Tensor};

impl Tensor {
    /// Makes a tensor with the order of the indices reversed on some axes: `-1`, `[0, 1]`, or `..` for all of them.
    ///
    /// Strides of tensors are not negative, so that this is no view.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(grid.flip(1)?.to_vec::<i32>()?, [3, 2, 1, 6, 5, 4]);
    /// assert_eq!(grid.flip([0, -1])?.to_vec::<i32>()?, [6, 5, 4, 3, 2, 1]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`View`](crate::Error::View) if an axis does not exist, [`Argument`](crate::Error::Argument) if one is named twice,
    /// [`Unsupported`](crate::Error::Unsupported) and [`Rank`](crate::Error::Rank), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnFlip")]
    #[doc(alias = "fliplr")]
    #[doc(alias = "flipud")]
    pub fn flip(&self, axes: impl IntoAxes) -> Result<Tensor> {
        let operation = Operation::new("flip", self.stream()).tensor("self", self);
        let axes = axes.into_axes().listed(self, &operation)?;
        moved(&operation, ("Flip", signatures::flip.takes), self, self.shape(), |stream, own, out| {
            launch::Flip(stream.into(), own, &axes, out)
        })
    }

    /// Makes a tensor with every index of an axis moved by `shift` towards the end; those that leave the axis come back at
    /// its start. A negative shift moves towards the start.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2, 3, 4, 5], [5])?;
    /// assert_eq!(line.roll(2, 0)?.to_vec::<i32>()?, [4, 5, 1, 2, 3]);
    /// assert_eq!(line.roll(-1, 0)?.to_vec::<i32>()?, [2, 3, 4, 5, 1]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`View`](crate::Error::View) if the axis does not exist, and as for [`Tensor::flip`].
    #[doc(alias = "aclnnRoll")]
    #[doc(alias = "roll_dim")]
    pub fn roll(&self, shift: i64, axis: impl Index) -> Result<Tensor> {
        self.roll_axes(&[(axis, shift)])
    }

    /// Makes a tensor with the indices of several axes moved as [`Tensor::roll`] does; each pair is an axis and its shift.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(grid.roll_axes(&[(0, 1), (1, -1)])?.to_vec::<i32>()?, [5, 6, 4, 2, 3, 1]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::roll`].
    #[doc(alias = "aclnnRoll")]
    pub fn roll_axes<I: Index>(&self, shifts: &[(I, i64)]) -> Result<Tensor> {
        let operation = Operation::new("roll", self.stream()).tensor("self", self);
        let axes = shifts.iter().map(|(axis, _)| Ok(operation.axis(self, *axis)? as i64));
        let axes: Vec<i64> = axes.collect::<Result<_>>()?;
        let shifts: Vec<i64> = shifts.iter().map(|(_, shift)| *shift).collect();
        // The library rolls no single element, and no axes at all.
        if axes.is_empty() || self.rank() == 0 {
            return self.copy();
        }
        moved(&operation, ("Roll", signatures::roll.takes), self, self.shape(), |stream, own, out| {
            launch::Roll(stream.into(), own, &shifts, &axes, out)
        })
    }

    /// Makes a tensor with the channels of `groups` groups in turn: the first one of each group, then the second ones. Axis 1
    /// holds the channels, and there are three to seven axes, as in a batch of images.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let channels = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [1, 6, 1])?;
    /// assert_eq!(channels.channel_shuffle(2)?.to_vec::<i32>()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if there are fewer or more axes, or the channels are not divided evenly, and as
    /// for [`Tensor::flip`].
    #[doc(alias = "aclnnChannelShuffle")]
    #[inline]
    pub fn channel_shuffle(&self, groups: usize) -> Result<Tensor> {
        let operation = Operation::new("channel_shuffle", self.stream()).tensor("self", self);
        let channels = match (self.rank(), self.dims()) {
            (3..=7, [_, channels, ..]) => *channels,
            (rank, _) => {
                return Err(operation.refused(format!(
                    "there are {rank} axes; 3 to 7 are possible, the second for channels"
                )));
            }
        };
        if groups == 0 || channels % groups != 0 {
            return Err(
                operation.refused(format!("{channels} channels are not divided into {groups} equal groups"))
            );
        }
        let by = ("ChannelShuffle", signatures::channel_shuffle.takes);
        moved(&operation, by, self, self.shape(), |stream, own, out| {
            launch::ChannelShuffle(stream.into(), own, groups as i64, out)
        })
    }

    /// Makes images of `factor` times the height and width from channels: `[…, c · factor², h, w]` becomes
    /// `[…, c, h · factor, w · factor]`.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let channels = Tensor::from_slice(&device, &[1, 2, 3, 4], [4, 1, 1])?;
    /// let image = channels.pixel_shuffle(2)?;
    /// assert_eq!((image.dims(), image.to_vec::<i32>()?), (&[1, 2, 2][..], vec![1, 2, 3, 4]));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if there are fewer axes than three, or the channels are no multiple of `factor²`, and
    /// those of [`Tensor::contiguous`].
    #[doc(alias = "depth_to_space")]
    #[inline]
    pub fn pixel_shuffle(&self, factor: usize) -> Result<Tensor> {
        let operation = Operation::new("pixel_shuffle", self.stream()).tensor("self", self);
        let (batch, [channels, height, width]) = images(&operation, self)?;
        let square = factor.saturating_mul(factor);
        if square == 0 || channels % square != 0 {
            return Err(operation.refused(format!("{channels} channels are no multiple of {factor}²")));
        }
        let parts = self.contiguous()?.reshape([batch, channels / square, factor, factor, height, width])?;
        let moved = parts.permute(&[0, 1, 4, 2, 5, 3])?.contiguous()?;
        moved.reshape(images_like(self, [channels / square, height * factor, width * factor]))
    }

    /// Makes channels from images, as [`Tensor::pixel_shuffle`] reverses it: `[…, c, h · factor, w · factor]` becomes
    /// `[…, c · factor², h, w]`.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let image = Tensor::from_slice(&device, &[1, 2, 3, 4], [1, 2, 2])?;
    /// assert_eq!(image.pixel_unshuffle(2)?.dims(), [4, 1, 1]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if there are fewer axes than three, or height or width is no multiple of `factor`, and
    /// those of [`Tensor::contiguous`].
    #[doc(alias = "space_to_depth")]
    #[inline]
    pub fn pixel_unshuffle(&self, factor: usize) -> Result<Tensor> {
        let operation = Operation::new("pixel_unshuffle", self.stream()).tensor("self", self);
        let (batch, [channels, height, width]) = images(&operation, self)?;
        if factor == 0 || height % factor != 0 || width % factor != 0 {
            let reason = format!("{height} rows of {width} elements are no multiples of {factor}");
            return Err(operation.refused(reason));
        }
        let (height, width) = (height / factor, width / factor);
        let parts = self.contiguous()?.reshape([batch, channels, height, factor, width, factor])?;
        let moved = parts.permute(&[0, 1, 3, 5, 2, 4])?.contiguous()?;
        moved.reshape(images_like(self, [channels * factor * factor, height, width]))
    }
}

/// Returns how many images there are, and the sizes of their last three axes.
#[inline]
fn images(operation: &Operation<'_>, own: &Tensor) -> Result<(usize, [usize; 3])> {
    match own.dims() {
        [batch @ .., channels, height, width] => Ok((batch.iter().product(), [*channels, *height, *width])),
        dims => {
            let count = dims.len();
            Err(operation.refused(format!("there are {count} axes; channels, height and width need three")))
        }
    }
}

/// Returns the shape of a tensor with its last three axes replaced.
#[inline]
fn images_like(own: &Tensor, last: [usize; 3]) -> Shape {
    let batch = own.rank().saturating_sub(last.len());
    own.dims().iter().copied().take(batch).chain(last).collect()
}
