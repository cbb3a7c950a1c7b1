//! Products of two tensors.

use std::fmt;

use aclnn_numerics::promote::Edition;
use aclnn_numerics::{DType, Shape};

use super::precision::Precision;
use super::shapes::{has_rank, lies_apart, planned, product};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::ops::prepared::{Prepared, Target, prepared};
use crate::plan::Plan;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// A product of matrices, with options.
///
/// Factors are f32, f16 or bf16 (not on the 910 and the 310P), in any mix. Sums are f32, and are rounded once: to the type of
/// the result, after a rounding to f16 or bf16 where both factors have that type and the result has another than f32. The
/// emulator adds up each element of the result in one order, whatever the number of threads is.
#[must_use = "nothing is launched before `run`"]
#[derive(Clone)]
pub struct Matmul<'a> {
    own: &'a Tensor,
    other: &'a Tensor,
    dtype: Option<DType>,
    precision: Precision,
    stream: Option<&'a Stream>,
}

impl fmt::Debug for Matmul<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matmul")
            .field("own", self.own)
            .field("other", self.other)
            .field("dtype", &self.dtype)
            .field("precision", &self.precision)
            .field("stream", self.stream())
            .finish()
    }
}

/// Starts a product of matrices, for options; see [`Tensor::matmul`].
///
/// ```
/// use aclnn::{DType, Device, Tensor, f16, ops};
///
/// let device = Device::open(0)?;
/// let a = Tensor::full(&device, [2, 300], 0.5, DType::F16)?;
/// let b = Tensor::full(&device, [300, 2], 0.5, DType::F16)?;
/// // Sums are f32: those of the result are not rounded to f16 before.
/// let product = ops::matmul(&a, &b).dtype(DType::F32);
/// assert_eq!(product.plan()?.to_string(), "matmul: Matmul f16 → f32 [2, 2]");
/// assert_eq!(product.run()?.to_vec::<f32>()?, [75.0; 4]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnMatmul")]
#[inline]
pub fn matmul<'a>(own: &'a Tensor, other: &'a Tensor) -> Matmul<'a> {
    Matmul { own, other, dtype: None, precision: Precision::default(), stream: None }
}

impl<'a> Matmul<'a> {
    /// Sets how precisely f32 is multiplied.
    #[inline]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    #[inline]
    fn stream(&self) -> &'a Stream {
        self.stream.unwrap_or(self.own.stream())
    }

    /// Queues the product and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Broadcast`](crate::Error::Broadcast), [`Unsupported`](crate::Error::Unsupported) and
    /// [`Devices`](crate::Error::Devices), all before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory);
    /// [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        self.run_anew()
    }

    #[inline]
    fn named<'o>(&self) -> Operation<'o>
    where
        'a: 'o,
    {
        Operation::new("matmul", self.stream()).tensor("self", self.own).tensor("other", self.other)
    }

    /// The shape and the type of the result, for an output of a type if there is one.
    #[inline]
    fn checked(&self, operation: &Operation<'_>, out: Option<DType>) -> Result<(Shape, DType)> {
        operation.placed()?;
        let (own, other) = (self.own.dtype(), self.other.dtype());
        for dtype in [own, other] {
            operation.takes("Matmul", signatures::matmul.takes, dtype)?;
        }
        let promoted = Edition::default().promote(own, other).unwrap_or(DType::F32);
        let out = out.or(self.dtype).unwrap_or(promoted);
        operation.takes("Matmul", signatures::matmul.takes, out)?;
        self.precision.suits(operation, [own, other])?;
        Ok((product(operation, self.own, self.other)?, out))
    }
}

prepared! {
    ['a] Matmul<'a>:
    dtype("Sets the type of the result: f32, f16 or bf16. The default is the one to which the factors promote."),
    on("the first factor"),
    plan,
    run_into("The tensor must not share memory with a factor.")
}

impl Prepared for Matmul<'_> {
    type Extra = ();

    #[inline]
    fn operation(&self) -> Result<Operation<'_>> {
        Ok(self.named())
    }

    #[inline]
    fn planned(&self, target: Target<'_>) -> Result<(Plan, ())> {
        let operation = target.named(self.named());
        let (shape, out) = self.checked(&operation, target.dtype())?;
        target.check(&operation, &shape)?;
        lies_apart(&operation, target, [self.own, self.other])?;
        Ok((planned("matmul", "Matmul", &[self.own.dtype(), self.other.dtype()], shape, out), ()))
    }

    #[inline]
    fn launch(&self, _: &Plan, (): &(), out: &Tensor) -> Result<()> {
        match out.numel() {
            0 => Ok(()),
            _ => launch::Matmul(self.stream().into(), self.own, self.other, out, self.precision.code()),
        }
    }
}

impl Tensor {
    /// Returns the product of two matrices, of two batches of them, or of vectors.
    ///
    /// The last two axes are those of the matrices, `[m, k]` and `[k, n]`; the axes before them broadcast. A vector is a row on
    /// the left and a column on the right, and its axis is not in the result: the product of two vectors has no axes.
    /// Transposed views are multiplied as they are. [`ops::matmul`](crate::ops::matmul) has options and tells about types.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
    /// let x = Tensor::from_slice(&device, &[10.0f32, 1.0], [2])?;
    /// assert_eq!(a.matmul(&x)?.to_vec::<f32>()?, [12.0, 34.0]);
    /// assert_eq!(a.matmul(&a.transpose(0, 1)?)?.to_vec::<f32>()?, [5.0, 11.0, 11.0, 25.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Matmul::run`](crate::ops::Matmul::run).
    #[doc(alias = "aclnnMatmul")]
    #[doc(alias = "aclnnMm")]
    #[doc(alias = "aclnnBatchMatMul")]
    #[doc(alias = "aclnnMv")]
    #[doc(alias = "mv")]
    #[inline]
    pub fn matmul(&self, other: &Tensor) -> Result<Tensor> {
        matmul(self, other).run()
    }

    /// Returns the product of two matrices, as [`Tensor::matmul`] does, which takes vectors and batches too.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
    /// assert_eq!(a.mm(&a)?.to_vec::<f32>()?, [7.0, 10.0, 15.0, 22.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if one of them has more axes than two, or fewer, and those of [`Tensor::matmul`].
    #[doc(alias = "aclnnMm")]
    #[inline]
    pub fn mm(&self, other: &Tensor) -> Result<Tensor> {
        self.product_of("mm", 2, other)
    }

    /// Returns the products of as many matrices as the first axis of both tensors counts, as [`Tensor::matmul`] does.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let (a, b) = (Tensor::ones(&device, [8, 2, 3], DType::F32)?, Tensor::ones(&device, [8, 3, 4], DType::F32)?);
    /// assert_eq!(a.bmm(&b)?.dims(), [8, 2, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if one of them has more axes than three, or fewer, or the first axes differ, and those of
    /// [`Tensor::matmul`].
    #[doc(alias = "aclnnBatchMatMul")]
    #[inline]
    pub fn bmm(&self, other: &Tensor) -> Result<Tensor> {
        self.product_of("bmm", 3, other)
    }

    /// Multiplies tensors of so many axes, with the same ones before the matrices.
    #[inline]
    fn product_of(&self, name: &'static str, rank: usize, other: &Tensor) -> Result<Tensor> {
        let operation = Operation::new(name, self.stream()).tensor("self", self).tensor("mat2", other);
        if [self, other].iter().any(|factor| factor.rank() != rank) {
            let reason = format!(
                "both tensors must have {rank} axes; matmul takes vectors, and batches that broadcast"
            );
            return Err(operation.refused(reason));
        }
        if rank == 3 && self.dims().first() != other.dims().first() {
            let reason =
                "the first axes must have the same size; matmul takes batches that broadcast".to_owned();
            return Err(operation.refused(reason));
        }
        matmul(self, other).run()
    }

    /// Returns the sum of the products of the elements of two vectors of one type, a tensor without axes.
    ///
    /// Types are f32, f16, bf16 (not on the 910 and the 310P), i8, i32 and u8; sums of integers wrap in the emulator.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1, 2, 3], [3])?;
    /// assert_eq!(a.dot(&a)?.to_vec::<i32>()?, [14]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if both are not vectors of one length and type;
    /// [`Unsupported`](crate::Error::Unsupported); [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch).
    #[doc(alias = "aclnnDot")]
    #[doc(alias = "vdot")]
    #[inline]
    pub fn dot(&self, other: &Tensor) -> Result<Tensor> {
        let operation = Operation::new("dot", self.stream()).tensor("self", self).tensor("other", other);
        operation.placed()?;
        operation.takes("Dot", signatures::dot.takes, self.dtype())?;
        has_rank(&operation, "self", self, 1)?;
        has_rank(&operation, "other", other, 1)?;
        if self.numel() != other.numel() || self.dtype() != other.dtype() {
            return Err(operation.refused("both must have one type and one number of elements".to_owned()));
        }
        let out = operation.empty(Shape::scalar(), self.dtype())?;
        launch::Dot(self.stream().into(), self, other, &out)?;
        Ok(out)
    }

    /// Returns the products of each element of this vector and each of another, `[n, m]` for vectors of `n` and `m` elements.
    ///
    /// Operands of different types are promoted by the published table.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?;
    /// let b = Tensor::from_slice(&device, &[3.0f32, 4.0, 5.0], [3])?;
    /// assert_eq!(a.outer(&b)?.to_vec::<f32>()?, [3.0, 4.0, 5.0, 6.0, 8.0, 10.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if one is not a vector; as the product of tensors, [`Tensor::mul`].
    #[doc(alias = "aclnnGer")]
    #[doc(alias = "ger")]
    #[inline]
    pub fn outer(&self, other: &Tensor) -> Result<Tensor> {
        let operation = Operation::new("outer", self.stream()).tensor("self", self).tensor("other", other);
        operation.placed()?;
        has_rank(&operation, "self", self, 1)?;
        has_rank(&operation, "other", other, 1)?;
        // The library's operator for it takes fewer types, and promotes them by its own table.
        self.reshape([self.numel(), 1])?.mul(other)
    }
}
