//! Factors of matrices, inverses and determinants.

use aclnn_numerics::{DType, Shape};

use super::shapes::{matrices, shape, squares};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::Tensor;

/// The factors that [`Tensor::qr`] returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum QrMode {
    /// For an `m` × `n` matrix and the smaller `k` of both, `m` × `k` and `k` × `n`.
    #[default]
    Reduced,
    /// A square orthogonal matrix: `m` × `m` and `m` × `n`.
    Complete,
}

/// The real parts of complex numbers, where the library makes complex numbers of real ones.
#[inline]
fn real(tensor: Tensor) -> Result<Tensor> {
    match tensor.dtype().is_complex() {
        true => tensor.view_as_real()?.select(-1, 0)?.contiguous(),
        false => Ok(tensor),
    }
}

/// Identities, for matrices without elements, which the library leaves alone.
#[inline]
fn identities(operation: &Operation<'_>, batch: &[usize], size: usize, dtype: DType) -> Result<Tensor> {
    let one = Tensor::eye(operation.stream, size, size, dtype)?;
    one.broadcast_to(shape(batch, &[size, size]))?.contiguous()
}

impl Tensor {
    /// Returns the inverses of square matrices, those of the last two axes.
    ///
    /// Types are f32, f16, f64 and complex numbers. The emulator computes in f64 and rounds once. A matrix without an inverse
    /// fails the work on the emulator, so that the stream reports it; what a device does then, CANN does not say.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let matrix = Tensor::from_slice(&device, &[0.0f32, 2.0, -4.0, 0.0], [2, 2])?;
    /// assert_eq!(matrix.inverse()?.to_vec::<f32>()?, [0.0, -0.25, 0.5, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if the matrices are not square, [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory);
    /// [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnInverse", alias = "inv")]
    #[inline]
    pub fn inverse(&self) -> Result<Tensor> {
        let operation = Operation::new("inverse", self.stream()).tensor("self", self);
        squares(&operation, ("Inverse", signatures::inverse.takes), ("self", self))?;
        let out = operation.empty(self.shape(), self.dtype())?;
        launch::Inverse(self.stream().into(), self, &out)?;
        Ok(out)
    }

    /// Returns matrices `Q` with orthonormal columns and upper triangles `R`, whose products are the matrices of the last two
    /// axes.
    ///
    /// Types are f32, f16, f64 and complex numbers; the emulator computes in f64 and rounds once. Signs are those of LAPACK,
    /// and so of NumPy and PyTorch on a CPU; those of a device are not described.
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops::QrMode};
    ///
    /// let device = Device::open(0)?;
    /// let matrix = Tensor::from_slice(&device, &[3.0f32, 1.0, 4.0, 2.0], [2, 2])?;
    /// let (q, r) = matrix.qr(QrMode::Reduced)?;
    /// assert_eq!(r.at((0, 0))?.to_vec::<f32>()?, [-5.0]);
    /// assert!(q.matmul(&r)?.is_close(&matrix)?.all(..)?.to_vec::<bool>()?[0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::inverse`], but for the shape.
    #[doc(alias = "aclnnLinalgQr", alias = "aclnnQr")]
    #[inline]
    pub fn qr(&self, mode: QrMode) -> Result<(Tensor, Tensor)> {
        let operation = Operation::new("qr", self.stream()).tensor("self", self);
        let (batch, [m, n]) = matrices(&operation, ("LinalgQr", signatures::qr.takes), ("self", self))?;
        let k = if mode == QrMode::Complete { m } else { m.min(n) };
        let r = operation.empty(shape(batch, &[k, n]), self.dtype())?;
        if self.numel() == 0 && mode == QrMode::Complete {
            return Ok((identities(&operation, batch, m, self.dtype())?, r));
        }
        let q = operation.empty(shape(batch, &[m, k]), self.dtype())?;
        let number = if mode == QrMode::Complete { 1 } else { 0 };
        launch::LinalgQr(self.stream().into(), self, number, &q, &r)?;
        Ok((q, r))
    }

    /// Returns the signs of the determinants of square matrices, those of the last two axes, and the logarithms of their
    /// absolute values.
    ///
    /// Types are f32, f64 and complex numbers; the emulator computes in f64 and rounds once. The sign of a singular matrix is
    /// 0 and its logarithm −∞; the sign of a complex determinant has modulus 1, and its logarithm is real.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let matrix = Tensor::from_slice(&device, &[0.0f32, 1.0, 1.0, 0.0], [2, 2])?;
    /// let (sign, logarithm) = matrix.slogdet()?;
    /// assert_eq!((sign.to_vec::<f32>()?, logarithm.to_vec::<f32>()?), (vec![-1.0], vec![0.0]));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::inverse`].
    #[doc(alias = "aclnnSlogdet")]
    #[inline]
    pub fn slogdet(&self) -> Result<(Tensor, Tensor)> {
        self.sign_and_logarithm("slogdet")
    }

    #[inline]
    fn sign_and_logarithm(&self, operator: &'static str) -> Result<(Tensor, Tensor)> {
        let operation = Operation::new(operator, self.stream()).tensor("self", self);
        let (batch, _) = squares(&operation, ("Slogdet", signatures::slogdet.takes), ("self", self))?;
        let shape = Shape::from(batch);
        if self.numel() == 0 {
            let (on, dtype) = (self.stream(), self.dtype());
            return Ok((Tensor::ones(on, &shape, dtype)?, real(Tensor::zeros(on, shape, dtype)?)?));
        }
        let sign = operation.empty(&shape, self.dtype())?;
        let logarithm = operation.empty(shape, self.dtype())?;
        launch::Slogdet(self.stream().into(), self, &sign, &logarithm)?;
        Ok((sign, real(logarithm)?))
    }

    /// Returns the logarithms of the determinants of square matrices, those of the last two axes: NaN for negative ones, −∞ for
    /// singular matrices.
    ///
    /// Types are those of [`Tensor::slogdet`].
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let matrix = Tensor::from_slice(&device, &[2.0f32, 7.0, 0.0, 0.5], [2, 2])?;
    /// assert_eq!(matrix.logdet()?.to_vec::<f32>()?, [0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::inverse`].
    #[doc(alias = "aclnnLogdet")]
    #[inline]
    pub fn logdet(&self) -> Result<Tensor> {
        let operation = Operation::new("logdet", self.stream()).tensor("self", self);
        let (batch, _) = squares(&operation, ("Logdet", signatures::logdet.takes), ("self", self))?;
        if self.numel() == 0 {
            return Tensor::zeros(self.stream(), Shape::from(batch), self.dtype());
        }
        let out = operation.empty(Shape::from(batch), self.dtype())?;
        launch::Logdet(self.stream().into(), self, &out)?;
        Ok(out)
    }

    /// Returns the determinants of square matrices, those of the last two axes.
    ///
    /// CANN has no operator for it: it is the sign that [`Tensor::slogdet`] gives times the exponential of the logarithm, which
    /// is less precise than a product of the pivots for large determinants.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let matrix = Tensor::from_slice(&device, &[1.0f32, 2.0, 2.0, 4.0, 0.0, 1.0, 1.0, 0.0], [2, 2, 2])?;
    /// assert_eq!(matrix.det()?.to_vec::<f32>()?, [0.0, -1.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::inverse`].
    #[doc(alias = "determinant")]
    #[inline]
    pub fn det(&self) -> Result<Tensor> {
        let (sign, logarithm) = self.sign_and_logarithm("det")?;
        sign.mul(&logarithm.exp()?)
    }

    /// Returns the lower triangles whose products with their transposes are the symmetric positive-definite matrices of the last
    /// two axes, or with `upper` those transposes.
    ///
    /// Types are f32, f16 and bf16, on the 910B and the 950; matrices have at most 8192 rows. The emulator computes in f64,
    /// rounds once, and reads only the lower halves. A matrix that is not positive-definite fails the work on the emulator, so
    /// that the stream reports it; what a device does then, CANN does not say.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let matrix = Tensor::from_slice(&device, &[4.0f32, 2.0, 2.0, 5.0], [2, 2])?;
    /// assert_eq!(matrix.cholesky(false)?.to_vec::<f32>()?, [2.0, 0.0, 1.0, 2.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::inverse`].
    #[doc(alias = "aclnnLinalgCholesky")]
    #[inline]
    pub fn cholesky(&self, upper: bool) -> Result<Tensor> {
        let operation = Operation::new("cholesky", self.stream()).tensor("self", self);
        squares(&operation, ("LinalgCholesky", signatures::cholesky.takes), ("self", self))?;
        let out = operation.empty(self.shape(), self.dtype())?;
        launch::LinalgCholesky(self.stream().into(), self, upper, &out)?;
        Ok(out)
    }

    /// Returns `U`, the singular values `S` in descending order, and `V` of the matrices of the last two axes: each is the
    /// product of `U`, the diagonal of `S` and the conjugate transpose of `V`.
    ///
    /// For an `m` × `n` matrix and the smaller `k` of both, `U` is `m` × `k` and `V` is `n` × `k`; if `full_matrices`, both are
    /// square. Types are f32, f64 and complex numbers; `S` is real. The emulator computes in f64 and rounds once. Signs of
    /// vectors are free, and a matrix with elements that are not finite fails the work on the emulator.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let matrix = Tensor::from_slice(&device, &[0.0f32, -3.0, 0.5, 0.0, 0.0, 0.0], [3, 2])?;
    /// let (u, s, v) = matrix.svd(false)?;
    /// assert_eq!(s.to_vec::<f32>()?, [3.0, 0.5]);
    /// let product = u.mul(&s)?.matmul(&v.transpose(0, 1)?)?;
    /// assert!(product.is_close(&matrix)?.all(..)?.to_vec::<bool>()?[0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::inverse`], but for the shape.
    #[doc(alias = "aclnnSvd")]
    #[inline]
    pub fn svd(&self, full_matrices: bool) -> Result<(Tensor, Tensor, Tensor)> {
        let operation = Operation::new("svd", self.stream()).tensor("self", self);
        let (batch, [m, n]) = matrices(&operation, ("Svd", signatures::svd.takes), ("self", self))?;
        let (k, dtype) = (m.min(n), self.dtype());
        let s = operation.empty(shape(batch, &[k]), dtype)?;
        if self.numel() == 0 && full_matrices {
            let [u, v] = [identities(&operation, batch, m, dtype)?, identities(&operation, batch, n, dtype)?];
            return Ok((u, real(s)?, v));
        }
        let [p, q] = if full_matrices { [m, n] } else { [k, k] };
        let u = operation.empty(shape(batch, &[m, p]), dtype)?;
        let v = operation.empty(shape(batch, &[n, q]), dtype)?;
        launch::Svd(self.stream().into(), self, full_matrices, true, &s, &u, &v)?;
        Ok((u, real(s)?, v))
    }

    /// Returns the singular values of the matrices of the last two axes, real and in descending order, without their vectors.
    ///
    /// Types are those of [`Tensor::svd`].
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let matrix = Tensor::from_slice(&device, &[0.0f32, -3.0, 0.5, 0.0], [2, 2])?;
    /// assert_eq!(matrix.svdvals()?.to_vec::<f32>()?, [3.0, 0.5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::svd`].
    #[doc(alias = "aclnnSvd")]
    #[inline]
    pub fn svdvals(&self) -> Result<Tensor> {
        let operation = Operation::new("svdvals", self.stream()).tensor("self", self);
        let (batch, [m, n]) = matrices(&operation, ("Svd", signatures::svd.takes), ("self", self))?;
        let s = operation.empty(shape(batch, &[m.min(n)]), self.dtype())?;
        // Nothing is written to places for vectors that are not asked for, but there must be some.
        let [u, v] = [operation.empty([0], self.dtype())?, operation.empty([0], self.dtype())?];
        launch::Svd(self.stream().into(), self, false, false, &s, &u, &v)?;
        real(s)
    }
}
