//! Windows of images as columns of a matrix.

use super::super::prepared::prepared;
use super::elements::moved;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The columns of the windows of an image, with options. Pairs are for height and width.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Im2col<'a> {
    own: &'a Tensor,
    kernel: [usize; 2],
    dilation: [usize; 2],
    padding: [usize; 2],
    stride: [usize; 2],
    stream: Option<&'a Stream>,
}

/// Prepares a matrix with a column for each position of a window of `kernel` rows and columns: its elements, channel by
/// channel and row by row.
///
/// The tensor has axes for channels, height and width, and may have one for batches before them, which the result then has
/// too. Nothing is launched before [`Im2col::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let image = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [1, 2, 3])?;
/// let columns = ops::im2col(&image, [2, 2]).run()?;
/// assert_eq!(columns.dims(), [4, 2]);
/// assert_eq!(columns.to_vec::<f32>()?, [1.0, 2.0, 2.0, 3.0, 4.0, 5.0, 5.0, 6.0]);
/// assert_eq!(ops::im2col(&image, [2, 2]).padding([1, 0]).stride([2, 1]).run()?.dims(), [4, 4]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnIm2col", alias = "unfold")]
#[inline]
pub fn im2col(own: &Tensor, kernel: [usize; 2]) -> Im2col<'_> {
    Im2col { own, kernel, dilation: [1, 1], padding: [0, 0], stride: [1, 1], stream: None }
}

prepared! {
    ['a] Im2col<'a>:
    on("the tensor"),
    windows
}

impl<'a> Im2col<'a> {
    /// Queues the operation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if the tensor has other axes or an empty one, or the window does not fit,
    /// [`Unsupported`](crate::Error::Unsupported), before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let operation =
            Operation::new("im2col", self.stream.unwrap_or(self.own.stream())).tensor("self", self.own);
        let (batches, [channels, height, width]) = match *self.own.dims() {
            [channels, height, width] => (None, [channels, height, width]),
            [batches, channels, height, width] => (Some(batches), [channels, height, width]),
            _ => {
                return Err(operation.refused(
                    "the axes must be channels, height and width, perhaps after one for batches".to_owned(),
                ));
            }
        };
        if [channels, height, width].contains(&0) {
            return Err(operation.refused("channels, height and width must not be empty".to_owned()));
        }
        let positions = |axis: usize, size: usize| {
            let of = |pair: [usize; 2]| pair.get(axis).copied().filter(|number| *number <= i32::MAX as usize);
            let (kernel, dilation) = (of(self.kernel)?, of(self.dilation)?);
            let (padding, stride) = (of(self.padding)?, of(self.stride)?);
            let reach = dilation.checked_mul(kernel.checked_sub(1)?)?.checked_add(1)?;
            let left = size.checked_add(2 * padding)?.checked_sub(reach)?;
            (dilation > 0).then(|| left.checked_div(stride)).flatten().map(|steps| steps + 1)
        };
        let (Some(rows), Some(columns)) = (positions(0, height), positions(1, width)) else {
            return Err(operation.refused(format!(
                "a window of {:?} with dilation {:?} and stride {:?} has no place in {height} rows and {width} columns with padding {:?}; \
                 all but the padding must be positive",
                self.kernel, self.dilation, self.stride, self.padding
            )));
        };
        let [tall, wide] = self.kernel;
        let sizes = [channels.saturating_mul(tall).saturating_mul(wide), rows.saturating_mul(columns)];
        let shape: Vec<usize> = batches.into_iter().chain(sizes).collect();
        operation.takes("Im2col", signatures::im2col.takes, self.own.dtype())?;
        let pair = |pair: [usize; 2]| pair.map(|number| number as i64);
        let ([kernel, dilation], [padding, stride]) =
            ([pair(self.kernel), pair(self.dilation)], [pair(self.padding), pair(self.stride)]);
        moved(&operation, ("Im2col", signatures::im2col.takes), self.own, shape, |stream, own, out| {
            launch::Im2col(stream.into(), own, &kernel, &dilation, &padding, &stride, out)
        })
    }
}
