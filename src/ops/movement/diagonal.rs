//! Triangles and diagonals of matrices.

use aclnn_numerics::signature::Movement;
use aclnn_numerics::{DType, Shape};

use super::super::fill::converted;
use super::elements::{moved, moved_as};
use crate::argument_checks::{Operation, written_as};
use crate::call::{On, launch};
use crate::error::Result;
use crate::scalar::Scalar;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// Checks that a tensor has matrices.
#[inline]
fn has_matrices(operation: &Operation<'_>, tensor: &Tensor) -> Result<()> {
    match tensor.rank() {
        0 | 1 => Err(operation.refused(format!("there are {} axes, but a matrix has two", tensor.rank()))),
        _ => Ok(()),
    }
}

/// Checks that a diagonal is a number that a matrix can have.
#[inline]
fn offset(operation: &Operation<'_>, diagonal: i64) -> Result<isize> {
    let offset = isize::try_from(diagonal).ok().filter(|offset| offset.unsigned_abs() < 1 << 40);
    offset.ok_or_else(|| operation.refused(format!("diagonal is {diagonal}, and no matrix is so large")))
}

impl Tensor {
    /// Makes a tensor with the elements up to a diagonal of each matrix, and zeros above it. The last two axes are those of the
    /// matrices; diagonal 0 is the main one, a positive one lies above it.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(grid.tril(0)?.to_vec::<i32>()?, [1, 0, 0, 4, 5, 0]);
    /// assert_eq!(grid.tril(1)?.to_vec::<i32>()?, [1, 2, 0, 4, 5, 6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if there are fewer than two axes, [`Unsupported`](crate::Error::Unsupported) and
    /// [`Rank`](crate::Error::Rank), all before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory), or what
    /// the library returned.
    #[doc(alias = "aclnnTril")]
    #[inline]
    pub fn tril(&self, diagonal: i64) -> Result<Tensor> {
        self.triangle(("tril", "Tril", &signatures::tril), |stream, own, out| {
            launch::Tril(stream.into(), own, diagonal, out)
        })
    }

    /// Makes a tensor with the elements from a diagonal of each matrix on, and zeros below it, as [`Tensor::tril`].
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(grid.triu(0)?.to_vec::<i32>()?, [1, 2, 3, 0, 5, 6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::tril`].
    #[doc(alias = "aclnnTriu")]
    #[inline]
    pub fn triu(&self, diagonal: i64) -> Result<Tensor> {
        self.triangle(("triu", "Triu", &signatures::triu), |stream, own, out| {
            launch::Triu(stream.into(), own, diagonal, out)
        })
    }

    /// Replaces the elements above a diagonal of each matrix by zeros; see [`Tensor::tril`].
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// grid.tril_in_place(0)?;
    /// assert_eq!(grid.to_vec::<i32>()?, [1, 0, 0, 4, 5, 0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::tril`], and [`SharedElements`](crate::Error::SharedElements) before anything is launched.
    #[doc(alias = "aclnnInplaceTril")]
    #[inline]
    pub fn tril_in_place(&mut self, diagonal: i64) -> Result<()> {
        self.triangle_in_place(("tril_in_place", "InplaceTril", &signatures::tril), |stream, own| {
            launch::InplaceTril(stream.into(), own, diagonal)
        })
    }

    /// Replaces the elements below a diagonal of each matrix by zeros; see [`Tensor::tril`].
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// grid.triu_in_place(0)?;
    /// assert_eq!(grid.to_vec::<i32>()?, [1, 2, 3, 0, 5, 6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::tril`], and [`SharedElements`](crate::Error::SharedElements) before anything is launched.
    #[doc(alias = "aclnnInplaceTriu")]
    #[inline]
    pub fn triu_in_place(&mut self, diagonal: i64) -> Result<()> {
        self.triangle_in_place(("triu_in_place", "InplaceTriu", &signatures::triu), |stream, own| {
            launch::InplaceTriu(stream.into(), own, diagonal)
        })
    }

    fn triangle(
        &self,
        (name, by, signature): (&'static str, &'static str, &Movement),
        launch: impl FnOnce(&Stream, &Tensor, &Tensor) -> Result<()>,
    ) -> Result<Tensor> {
        let operation = Operation::new(name, self.stream()).tensor("self", self);
        has_matrices(&operation, self)?;
        moved(&operation, (by, signature.takes), self, self.shape(), launch)
    }

    fn triangle_in_place(
        &self,
        (name, by, signature): (&'static str, &'static str, &Movement),
        launch: impl FnOnce(&Stream, &Tensor) -> Result<()>,
    ) -> Result<()> {
        let operation = Operation::new(name, self.stream()).tensor("self", self);
        has_matrices(&operation, self)?;
        operation.placed()?;
        operation.writable("self", self, self.shape())?;
        let own = written_as(self).unwrap_or(self.dtype());
        launch(self.stream(), &self.with_bits_of(moved_as(&operation, by, signature.takes, own)?))
    }

    /// Makes a matrix of ones on the main diagonal and zeros elsewhere.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::eye(&device, 2, 3, DType::F32)?.to_vec::<f32>()?, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported) and [`NoCast`](crate::Error::NoCast), before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnEye", alias = "identity")]
    pub fn eye(on: impl Into<Stream>, rows: usize, columns: usize, dtype: DType) -> Result<Tensor> {
        let stream = on.into();
        let operation = Operation::new("eye", &stream);
        let list = signatures::eye.takes;
        if let Err(refused) = operation.takes("Eye", list, dtype) {
            // Zero and one are the same in every type of numbers.
            operation.castable(DType::I8, dtype).map_err(|_| refused)?;
            return Tensor::eye(&stream, rows, columns, DType::I8)?.cast(dtype);
        }
        let out = operation.empty([rows, columns], dtype)?;
        let [n, m] = [rows, columns].map(|size| i64::try_from(size).unwrap_or(i64::MAX));
        launch::Eye(On::from(&stream), n, m, &out)?;
        Ok(out)
    }

    /// Makes a square matrix with the elements of a vector on a diagonal and zeros elsewhere; of a matrix, makes a vector of
    /// the elements on a diagonal. A positive diagonal lies above the main one, a negative one below it.
    ///
    /// [`Tensor::diagonal`] is a view of a diagonal, without a copy and of any number of matrices.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2], [2])?;
    /// assert_eq!(line.diag(1)?.to_vec::<i32>()?, [0, 1, 0, 0, 0, 2, 0, 0, 0]);
    /// assert_eq!(line.diag(1)?.diag(1)?.to_vec::<i32>()?, [1, 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if there are more than two axes or no matrix is so large,
    /// [`Unsupported`](crate::Error::Unsupported), before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnDiag")]
    #[inline]
    pub fn diag(&self, diagonal: i64) -> Result<Tensor> {
        let operation = Operation::new("diag", self.stream()).tensor("self", self);
        let offset = offset(&operation, diagonal)?;
        let shape = match self.rank() {
            0 | 1 => return self.on_diagonal(&operation, offset, false),
            2 => self.diagonal(offset as i64, 0, 1)?.shape().clone(),
            rank => {
                return Err(
                    operation.refused(format!("there are {rank} axes, but at most a matrix has a diagonal"))
                );
            }
        };
        let is_empty = shape.is_empty_tensor();
        moved(&operation, ("Diag", signatures::diag.takes), self, shape, |stream, own, out| match is_empty {
            true => Ok(()),
            false => launch::Diag(stream.into(), own, diagonal, out),
        })
    }

    /// Makes a square matrix with all elements, in row-major order, on a diagonal and zeros elsewhere; see [`Tensor::diag`].
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    /// assert_eq!(grid.diag_flat(0)?.diag(0)?.to_vec::<i32>()?, [1, 2, 3, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::diag`].
    #[doc(alias = "aclnnDiagFlat")]
    #[doc(alias = "diagflat")]
    #[doc(alias = "diag_embed")]
    #[inline]
    pub fn diag_flat(&self, diagonal: i64) -> Result<Tensor> {
        let operation = Operation::new("diag_flat", self.stream()).tensor("self", self);
        let offset = offset(&operation, diagonal)?;
        self.on_diagonal(&operation, offset, true)
    }

    #[inline]
    fn on_diagonal(&self, operation: &Operation<'_>, offset: isize, is_flat: bool) -> Result<Tensor> {
        let size = self.numel().saturating_add(offset.unsigned_abs());
        let shape = Shape::from([size, size]);
        // The library leaves some results of no elements as they were.
        if self.shape().is_empty_tensor() {
            return Tensor::zeros(self.stream(), shape, self.dtype());
        }
        let by = if is_flat {
            ("DiagFlat", signatures::diag_flat.takes)
        } else {
            ("Diag", signatures::diag.takes)
        };
        moved(operation, by, self, shape, |stream, own, out| match is_flat {
            true => launch::DiagFlat(stream.into(), own, offset as i64, out),
            false => launch::Diag(stream.into(), own, offset as i64, out),
        })
    }

    /// Writes `value`, converted as by [`Tensor::full`], to the main diagonal of a matrix, or of a tensor with equal sizes on all axes. With `wrap`, a matrix with
    /// more rows than columns has another diagonal after each row that one ends above.
    ///
    /// The library takes the value as f32, so it must be one that f32 holds; write others to [`Tensor::diagonal`].
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut grid = Tensor::zeros(&device, [2, 3], DType::I32)?;
    /// grid.fill_diagonal_in_place(7, false)?;
    /// assert_eq!(grid.to_vec::<i32>()?, [7, 0, 0, 0, 7, 0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) for another shape, [`Scalar`](crate::Error::Scalar) for a complex value and for one
    /// that f32 does not hold, [`Unsupported`](crate::Error::Unsupported) and
    /// [`SharedElements`](crate::Error::SharedElements), all before anything is launched; [`Launch`](crate::Error::Launch) if
    /// the library refuses.
    #[doc(alias = "aclnnInplaceFillDiagonal")]
    pub fn fill_diagonal_in_place(&mut self, value: impl Into<Scalar>, wrap: bool) -> Result<()> {
        let value = value.into();
        let operation = Operation::new("fill_diagonal_in_place", self.stream())
            .tensor("self", self)
            .scalar("value", value);
        has_matrices(&operation, self)?;
        if self.rank() > 2 && self.dims().iter().any(|size| Some(size) != self.dims().first()) {
            return Err(operation.refused("with more than two axes all sizes must be equal".to_owned()));
        }
        operation.placed()?;
        operation.writable("self", self, self.shape())?;
        operation.takes("InplaceFillDiagonal", signatures::fill_diagonal.takes, self.dtype())?;
        if value.dtype().is_complex() {
            return Err(operation.bad_scalar("a complex number is no value of a real type".to_owned()));
        }
        let value = converted(&operation, value, self.dtype())?;
        let narrow = value.to(DType::F32).filter(|narrow| narrow.to(self.dtype()) == Some(value));
        match narrow {
            Some(narrow) => launch::InplaceFillDiagonal(self.stream().into(), self, &narrow, wrap),
            None => Err(operation.bad_scalar(format!(
                "the library takes the value as f32, which does not hold {value}; fill `diagonal` with it"
            ))),
        }
    }
}
