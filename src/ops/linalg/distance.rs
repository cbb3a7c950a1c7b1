//! Distances between rows of matrices.

use aclnn_numerics::Shape;

use super::shapes::{alike, matrices, shape};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::Tensor;

/// Distances of p = 2 are computed from differences, and not by a product of matrices.
const FROM_DIFFERENCES: i64 = 2;

/// Refuses exponents by which no distance is measured.
#[inline]
fn must_be_exponent(operation: &Operation<'_>, p: f64) -> Result<()> {
    match p >= 0.0 {
        true => Ok(()),
        false => Err(operation.refused(format!("p is {p}, but must not be negative or NaN"))),
    }
}

/// The batch that the matrices of two tensors broadcast to, and rows and columns of both.
#[inline]
fn both(
    operation: &Operation<'_>,
    taken: (&'static str, aclnn_numerics::types_by_product::Types),
    first: &Tensor,
    second: &Tensor,
) -> Result<(Shape, [usize; 2], usize)> {
    let (of_first, [rows, width]) = matrices(operation, taken, ("self", first))?;
    let (of_second, [others, other]) = matrices(operation, taken, ("other", second))?;
    if width != other {
        let reason =
            format!("rows of self have {width} elements and those of other {other}; both must be the same");
        return Err(operation.refused(reason));
    }
    let batch = operation.broadcast(&Shape::from(of_first), &Shape::from(of_second))?;
    Ok((batch, [rows, others], width))
}

/// Returns the derivatives of a loss by the rows of `own`, for its derivatives `gradient` by the distances that
/// [`Tensor::cdist`] gave.
///
/// Types are f32, f16 and bf16, on the 910B and the 950, one for all; the emulator computes in f64 and rounds once. Between equal
/// rows, and where the distance has no derivative, the result is 0, as PyTorch has it; CANN does not describe it.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let a = Tensor::from_slice(&device, &[3.0f32, 4.0], [1, 2])?;
/// let b = Tensor::zeros(&device, [1, 2], a.dtype())?;
/// let distances = a.cdist(&b, 2.0)?;
/// let derivatives = ops::cdist_backward(&distances.ones_like()?, &a, &b, &distances, 2.0)?;
/// assert_eq!(derivatives.to_vec::<f32>()?, [0.6, 0.8]);
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// # Errors
/// Those of [`Tensor::cdist`]; [`Argument`](crate::Error::Argument) also if the gradient or the distances have another shape.
#[doc(alias = "aclnnCdistBackward")]
#[inline]
pub fn cdist_backward(
    gradient: &Tensor,
    own: &Tensor,
    other: &Tensor,
    distances: &Tensor,
    p: f64,
) -> Result<Tensor> {
    let operation = Operation::new("cdist_backward", own.stream())
        .tensor("grad", gradient)
        .tensor("self", own)
        .tensor("other", other)
        .tensor("distances", distances);
    let taken = ("CdistBackward", signatures::cdist_backward.takes);
    let (batch, [rows, others], width) = both(&operation, taken, own, other)?;
    alike(&operation, own, &[gradient, other, distances])?;
    must_be_exponent(&operation, p)?;
    let expected = shape(&batch, &[rows, others]);
    if [gradient, distances].iter().any(|tensor| *tensor.shape() != expected) {
        return Err(operation.refused(format!("gradient and distances must have shape {expected}")));
    }
    let shape = shape(&batch, &[rows, width]);
    if expected.is_empty_tensor() {
        return Tensor::zeros(own.stream(), shape, own.dtype());
    }
    let out = operation.empty(shape, own.dtype())?;
    launch::CdistBackward(own.stream().into(), gradient, own, other, distances, p as f32, &out)?;
    Ok(out)
}

impl Tensor {
    /// Returns the distances between each row of the matrices of the last two axes, `[m, k]`, and each row of those of another
    /// tensor, `[n, k]`: matrices `[m, n]`. The axes before them broadcast.
    ///
    /// A distance is the p-th root of the sum of p-th powers of the differences; for p = 0 it is the number of differences, for
    /// infinity the largest one. Types are f32, f16 and bf16, on the 910B and the 950, one for both; the emulator computes in f64
    /// and rounds once.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[0.0f32, 0.0, 3.0, 0.0], [2, 2])?;
    /// let b = Tensor::from_slice(&device, &[3.0f32, 4.0], [1, 2])?;
    /// assert_eq!(a.cdist(&b, 2.0)?.to_vec::<f32>()?, [5.0, 4.0]);
    /// assert_eq!(a.cdist(&b, 1.0)?.to_vec::<f32>()?, [7.0, 4.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if the shapes, the types or `p` do not fit,
    /// [`Broadcast`](crate::Error::Broadcast), [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnCdist")]
    #[inline]
    pub fn cdist(&self, other: &Tensor, p: f64) -> Result<Tensor> {
        let operation = Operation::new("cdist", self.stream()).tensor("self", self).tensor("other", other);
        let taken = ("Cdist", signatures::cdist.takes);
        let (batch, sizes, _) = both(&operation, taken, self, other)?;
        alike(&operation, self, &[other])?;
        must_be_exponent(&operation, p)?;
        let out = operation.empty(shape(&batch, &sizes), self.dtype())?;
        launch::Cdist(self.stream().into(), self, other, p as f32, FROM_DIFFERENCES, &out)?;
        Ok(out)
    }

    /// Returns the distances between each row of a matrix and each row after it, `n (n − 1) / 2` of `n` rows: the first row and
    /// all others, the second row and those after it, and so on.
    ///
    /// Distances are those of [`Tensor::cdist`]. Types are f32 and f16.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let rows = Tensor::from_slice(&device, &[0.0f32, 0.0, 3.0, 0.0, 3.0, 4.0], [3, 2])?;
    /// assert_eq!(rows.pdist(2.0)?.to_vec::<f32>()?, [3.0, 5.0, 4.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if the tensor is no matrix or `p` is negative or NaN,
    /// [`Unsupported`](crate::Error::Unsupported), before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnPdist", alias = "aclnnPdistForward")]
    #[inline]
    pub fn pdist(&self, p: f64) -> Result<Tensor> {
        let operation = Operation::new("pdist", self.stream()).tensor("self", self);
        let (batch, [rows, _]) = matrices(&operation, ("Pdist", signatures::pdist.takes), ("self", self))?;
        if !batch.is_empty() {
            return Err(operation.refused(format!("self has {} axes, but must have two", self.rank())));
        }
        must_be_exponent(&operation, p)?;
        // Of two numbers in a row, one is even.
        let pairs =
            if rows.is_multiple_of(2) { (rows / 2, rows.saturating_sub(1)) } else { (rows, rows / 2) };
        let out = operation.empty([pairs.0.saturating_mul(pairs.1)], self.dtype())?;
        launch::Pdist(self.stream().into(), self, p as f32, &out)?;
        Ok(out)
    }
}
