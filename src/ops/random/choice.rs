//! Positions: drawn by weights, and in random order.

use aclnn_numerics::{DType, Shape};

use super::draw::reserve;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::generator::Generator;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

impl Tensor {
    /// Makes the numbers from 0 up to `n`, which is not among them, in random order.
    ///
    /// Each of the orders is as likely as another. A type that does not hold every number gets them converted as by
    /// [`cast`](Tensor::cast).
    ///
    /// ```
    /// use aclnn::{DType, Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut order = Tensor::randperm(&device, 5, DType::I64, &mut Generator::new(0))?.to_vec::<i64>()?;
    /// order.sort();
    /// assert_eq!(order, [0, 1, 2, 3, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported) before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory), or
    /// what the library returned.
    #[doc(alias = "aclnnRandperm")]
    pub fn randperm(
        on: impl Into<Stream>,
        n: usize,
        dtype: DType,
        generator: &mut Generator,
    ) -> Result<Tensor> {
        let stream = on.into();
        let operation = Operation::new("randperm", &stream);
        operation.takes("Randperm", signatures::randperm.takes, dtype)?;
        let out = operation.empty(n, dtype)?;
        let (seed, offset) = reserve(generator, n);
        launch::Randperm((&stream).into(), n as i64, seed, offset, &out)?;
        Ok(out)
    }

    /// Draws positions in each row of a tensor of one or two axes, with probabilities that are proportional to the elements,
    /// which need not sum to 1. With replacement a position may be drawn again; without, the next ones are drawn by the
    /// weights that are left, and positions of weight zero come last. Returns i64.
    ///
    /// ```
    /// use aclnn::{Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let weights = Tensor::from_slice(&device, &[0.0f32, 3.0, 0.0], [3])?;
    /// let mut generator = Generator::new(0);
    /// assert_eq!(weights.multinomial(4, true, &mut generator)?.to_vec::<i64>()?, [1; 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// The emulator lets the work fail, so that the stream reports it, where a weight is negative, infinite or NaN, or a row
    /// has none above zero; what CANN's operator draws then, CANN does not say. On an NPU rows of a tensor of more than 5000
    /// elements are drawn from with the same fractions; those of the emulator have their own.
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported), and [`Argument`](crate::Error::Argument) for another number of axes, more
    /// than 2²⁴ elements in a row, no samples, or more than elements without replacement, before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnMultinomial")]
    #[inline]
    pub fn multinomial(
        &self,
        samples: usize,
        replacement: bool,
        generator: &mut Generator,
    ) -> Result<Tensor> {
        let operation = Operation::new("multinomial", self.stream()).tensor("self", self);
        operation.placed()?;
        operation.takes("Multinomial", signatures::multinomial.takes, self.dtype())?;
        let (weights, shape) = match **self.shape() {
            [weights] => (weights, Shape::from(samples)),
            [rows, weights] => (weights, Shape::from([rows, samples])),
            _ => {
                return Err(operation.refused(format!("self has {} axes, but must have 1 or 2", self.rank())));
            }
        };
        if weights > 1 << 24 {
            return Err(operation.refused(format!("a row has {weights} elements, but may have 2^24 at most")));
        }
        if samples == 0 || !replacement && samples > weights {
            let reason =
                format!("{samples} samples are not drawn from {weights} elements without replacement");
            return Err(operation.refused(if samples == 0 { "samples is 0".to_owned() } else { reason }));
        }
        let out = operation.empty(shape, DType::I64)?;
        let (seed, offset) = reserve(generator, self.numel().max(out.numel()));
        launch::Multinomial(self.stream().into(), self, samples as i64, replacement, seed, offset, &out)?;
        Ok(out)
    }
}
