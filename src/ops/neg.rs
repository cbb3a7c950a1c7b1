//! Negation.

use aclnn_numerics::{Complex, DType};

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::signatures;
use crate::tensor::Tensor;

impl Tensor {
    /// Computes the negative of every element, in the same type, as a new contiguous tensor. [`Tensor::negative_in_place`]
    /// replaces the elements.
    ///
    /// For types that Neg does not take the operator is Rsubs, as −0 − x. That is exact: 0 becomes −0, and vice versa.
    /// Integers wrap, so the smallest i8 stays −128, and 1 becomes 255 in u8. Bool has no negative, as in NumPy and
    /// PyTorch. The sign of NaN is not defined. On Ascend 950 the library also multiplies complex numbers by an alpha
    /// of 1, so complex zeros may lose their signs there, and the other part of a number with an infinite part becomes
    /// NaN.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.5f32, 0.0, -2.0], [3])?;
    /// assert_eq!((-&a)?.to_string(), "[-1.5, -0. ,  2. ] f32[3] on device 0");
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported) for bool and other types that the product does not subtract,
    /// [`Rank`](crate::Error::Rank), [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnRsubs")]
    #[doc(alias = "aclnnNeg")]
    #[inline]
    pub fn neg(&self) -> Result<Tensor> {
        let (stream, dtype) = (self.stream(), self.dtype());
        let operation = Operation::new("neg", stream).tensor("self", self);
        operation.placed()?;
        if operation.takes("Neg", signatures::negative.takes, dtype).is_ok() {
            let out = operation.empty(self.shape(), dtype)?;
            launch::Neg(stream.into(), self, &out)?;
            return Ok(out);
        }
        operation.takes("Rsubs", signatures::rsub.takes, dtype)?;
        // The zero has the tensor's own type, so that nothing is promoted; some products take halves as f32 only.
        let zero = match dtype {
            DType::F16 | DType::BF16 => Some(Scalar::from(-0.0f32)),
            _ if dtype.is_complex() => Scalar::from(Complex::new(-0.0, -0.0)).to(dtype),
            _ => Scalar::from(-0.0).to(dtype),
        };
        let zero = zero.ok_or_else(|| operation.bad_scalar(format!("there are no scalars of {dtype}")))?;
        let out = operation.empty(self.shape(), dtype)?;
        launch::Rsubs(stream.into(), self, &zero, &Scalar::from(1), &out)?;
        Ok(out)
    }
}
