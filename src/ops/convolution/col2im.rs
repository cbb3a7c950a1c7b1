//! Columns summed where they lie on the image that they were made of.

use super::super::prepared::prepared;
use super::sizes::Window;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The image that columns are summed to, with options. Pairs are for height and width.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Col2im<'a> {
    own: &'a Tensor,
    size: [usize; 2],
    kernel: [usize; 2],
    dilation: [usize; 2],
    padding: [usize; 2],
    stride: [usize; 2],
    stream: Option<&'a Stream>,
}

/// Prepares the image of `size` rows and columns of which each element is the sum of all elements of the columns that
/// [`im2col`](crate::ops::im2col) made of it: the gradient of that function. Types are f32, f16 and, not on the 910 and the
/// 310P, bf16.
///
/// ```
/// use aclnn::{DType, Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let columns = Tensor::ones(&device, [2, 3], DType::F32)?;
/// let image = ops::col2im(&columns, [1, 4], [1, 2]).run()?;
/// assert_eq!((image.dims(), image.to_vec::<f32>()?), (&[1, 1, 4][..], vec![1.0, 2.0, 2.0, 1.0]));
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnIm2colBackward", alias = "fold")]
#[inline]
pub fn col2im(own: &Tensor, size: [usize; 2], kernel: [usize; 2]) -> Col2im<'_> {
    Col2im { own, size, kernel, dilation: [1, 1], padding: [0, 0], stride: [1, 1], stream: None }
}

prepared! {
    ['a] Col2im<'a>:
    on("the columns"),
    windows
}

impl<'a> Col2im<'a> {
    /// Queues the operation and returns the image, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if the columns are not those of such an image,
    /// [`Unsupported`](crate::Error::Unsupported), before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let operation =
            Operation::new("col2im", self.stream.unwrap_or(self.own.stream())).tensor("self", self.own);
        operation.placed()?;
        operation.takes("Im2colBackward", signatures::im2col_backward.takes, self.own.dtype())?;
        let (batches, [rows, columns]) = match *self.own.dims() {
            [rows, columns] => (None, [rows, columns]),
            [batches, rows, columns] => (Some(batches), [rows, columns]),
            _ => return Err(operation.refused("columns have two axes, or three with batches".to_owned())),
        };
        let [tall, wide] = self.kernel;
        let positions = |axis: usize| {
            let of = |pair: [usize; 2]| pair.get(axis).copied();
            let window = Window {
                kernel: of(self.kernel)?,
                stride: of(self.stride)?,
                padding: of(self.padding)?,
                dilation: of(self.dilation)?,
            };
            window.positions(of(self.size).filter(|size| *size > 0)?)
        };
        let taps = tall.saturating_mul(wide);
        let count = positions(0).and_then(|down| down.checked_mul(positions(1)?));
        if count != Some(columns) || rows == 0 || rows % taps != 0 {
            return Err(operation.refused(format!(
                "windows of {:?} with dilation {:?}, padding {:?} and stride {:?} over {:?} elements have {} positions and \
                 {taps} elements for each channel",
                self.kernel, self.dilation, self.padding, self.stride, self.size, count.unwrap_or(0)
            )));
        }
        let [height, width] = self.size;
        let shape: Vec<usize> = batches.into_iter().chain([rows / taps, height, width]).collect();
        let out = operation.empty(&shape[..], self.own.dtype())?;
        if out.numel() == 0 {
            return Ok(out);
        }
        let [size, kernel, dilation, padding, stride] =
            [self.size, self.kernel, self.dilation, self.padding, self.stride]
                .map(|pair| pair.map(|number| number as i64));
        launch::Im2colBackward(
            operation.stream.into(),
            self.own,
            &size,
            &kernel,
            &dilation,
            &padding,
            &stride,
            &out,
        )?;
        Ok(out)
    }
}
