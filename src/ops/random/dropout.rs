//! Dropout: masks of bits, and the elements that they keep.

use aclnn_numerics::types_by_product::Types;
use aclnn_numerics::{DType, Shape};

use super::draw::{is_probability, reserve};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::{Error, Result};
use crate::generator::Generator;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// Returns how many bytes hold the mask of so many elements: 16 for each 128 of them, or a part of that.
#[inline]
const fn mask_bytes(elements: usize) -> usize {
    elements.div_ceil(128).saturating_mul(16)
}

impl Tensor {
    /// Sets each element to zero with a probability and divides the others by the probability that they are kept, so that the
    /// expected values stay. Returns the result, of the same type, and the mask for
    /// [`dropout_backward`](Tensor::dropout_backward), as [`Tensor::dropout_mask`] makes it.
    ///
    /// ```
    /// use aclnn::{DType, Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let ones = Tensor::ones(&device, [1000], DType::F32)?;
    /// let (kept, mask) = ones.dropout(0.5, &mut Generator::new(0))?;
    /// assert!(kept.to_vec::<f32>()?.iter().all(|element| [0.0, 2.0].contains(element)));
    /// assert_eq!(ones.dropout_backward(&mask, 0.5)?.to_vec::<f32>()?, kept.to_vec::<f32>()?);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported), [`Argument`](crate::Error::Argument) for a number that is no probability
    /// and [`Rank`](crate::Error::Rank) before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory), or what the
    /// library returned.
    #[doc(alias = "aclnnDropout")]
    #[doc(alias = "aclnnDropoutV3")]
    #[inline]
    pub fn dropout(&self, p: f64, generator: &mut Generator) -> Result<(Tensor, Tensor)> {
        let operation = Operation::new("dropout", self.stream()).tensor("self", self);
        let (form, takes) = ("DropoutDoMask", signatures::dropout_do_mask.takes);
        operation.placed()?;
        operation.takes(form, takes, self.dtype())?;
        is_probability(&operation, "p", p)?;
        let explain = |error| operation.explain(error);
        let mask = Tensor::dropout_mask(self.stream(), self.shape(), p, generator).map_err(explain)?;
        Ok((self.kept_by("dropout", &mask, p, (form, takes))?, mask))
    }

    /// Makes the mask of dropout for a tensor of a shape: bytes whose bits, the lowest one first, belong to the elements in
    /// row-major order, and are 0 with the probability `p`. Bytes count in 16s, as the library asks for.
    ///
    /// ```
    /// use aclnn::{Device, Generator, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mask = Tensor::dropout_mask(&device, [10, 13], 1.0, &mut Generator::new(0))?;
    /// assert_eq!(mask.to_vec::<u8>()?, [0; 32]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) for a number that is no probability, before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnDropoutGenMask")]
    #[doc(alias = "aclnnDropoutGenMaskV2")]
    pub fn dropout_mask(
        on: impl Into<Stream>,
        shape: impl Into<Shape>,
        p: f64,
        generator: &mut Generator,
    ) -> Result<Tensor> {
        let (stream, shape) = (on.into(), shape.into());
        let operation = Operation::new("dropout_mask", &stream);
        is_probability(&operation, "p", p)?;
        let Some(elements) = shape.numel() else {
            return Err(operation.refused(format!("no tensor has as many elements as {shape}")));
        };
        let mask = operation.empty(mask_bytes(elements), DType::U8)?;
        let sizes = shape.iter().map(|size| i64::try_from(*size)).collect::<Result<Vec<_>, _>>();
        let sizes = sizes.map_err(|_| Error::Internal { what: "a size that no element has" })?;
        // The library draws every bit of the mask.
        let (seed, offset) = reserve(generator, mask.numel().saturating_mul(8));
        launch::DropoutGenMaskV2((&stream).into(), &sizes, p, seed, offset, DType::F32, &mask)?;
        Ok(mask)
    }

    /// Sets the elements to zero whose bits are 0 in a mask of [`Tensor::dropout_mask`], and divides the others by `1 − p`,
    /// which is rounded to the type of the tensor first.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], [3])?;
    /// let mut bytes = [0u8; 16];
    /// bytes[0] = 0b101;
    /// let mask = Tensor::from_slice(&device, &bytes, [16])?;
    /// assert_eq!(a.dropout_by(&mask, 0.5)?.to_vec::<f32>()?, [2.0, 0.0, 6.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported), [`Argument`](crate::Error::Argument) for a number that is no probability or
    /// a mask of another size, [`Devices`](crate::Error::Devices) and [`Rank`](crate::Error::Rank) before anything is
    /// launched; [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnDropoutDoMask")]
    #[inline]
    pub fn dropout_by(&self, mask: &Tensor, p: f64) -> Result<Tensor> {
        self.kept_by("dropout_by", mask, p, ("DropoutDoMask", signatures::dropout_do_mask.takes))
    }

    /// Computes the gradient of [`Tensor::dropout`] from that of its result, with the mask and the probability of the call.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grad = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], [3])?;
    /// let mut bytes = [0u8; 16];
    /// bytes[0] = 0b110;
    /// let mask = Tensor::from_slice(&device, &bytes, [16])?;
    /// assert_eq!(grad.dropout_backward(&mask, 0.5)?.to_vec::<f32>()?, [0.0, 4.0, 6.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::dropout_by`].
    #[doc(alias = "aclnnDropoutBackward")]
    #[doc(alias = "aclnnDropoutV3Grad")]
    #[inline]
    pub fn dropout_backward(&self, mask: &Tensor, p: f64) -> Result<Tensor> {
        self.kept_by("dropout_backward", mask, p, ("DropoutBackward", signatures::dropout_backward.takes))
    }

    #[inline]
    fn kept_by(
        &self,
        name: &'static str,
        mask: &Tensor,
        p: f64,
        (form, takes): (&'static str, Types),
    ) -> Result<Tensor> {
        let operation = Operation::new(name, self.stream()).tensor("self", self).tensor("mask", mask);
        operation.placed()?;
        operation.takes(form, takes, self.dtype())?;
        is_probability(&operation, "p", p)?;
        let bytes = mask_bytes(self.numel());
        if mask.dtype() != DType::U8 || mask.numel() != bytes {
            return Err(operation.refused(format!("the mask must have {bytes} elements of u8")));
        }
        let out = operation.empty(self.shape(), self.dtype())?;
        let on = self.stream().into();
        match form {
            "DropoutBackward" => {
                let scale = if p == 1.0 { 0.0 } else { 1.0 / (1.0 - p) };
                launch::DropoutBackward(on, self, mask, scale, &out)?;
            }
            _ => launch::DropoutDoMask(on, self, mask, p, &out)?,
        }
        Ok(out)
    }
}
