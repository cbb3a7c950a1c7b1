//! Equations with a triangle.

use aclnn_numerics::{DType, Shape};

use super::shapes::{alike, matrices, shape, squares};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::ops::prepared::prepared;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// Equations with a triangle, with options.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct TriangularSolve<'a> {
    own: &'a Tensor,
    triangle: &'a Tensor,
    upper: bool,
    transpose: bool,
    unitriangular: bool,
    stream: Option<&'a Stream>,
}

/// Starts solving `A X = B` for `X`, where `own` is `B`, and `A` a lower triangle.
///
/// The last two axes are those of the matrices, `[n, k]` and `[n, n]`; the axes before them broadcast. The other half of `A`
/// is not read. Types are f32, f64 and complex numbers, one for both. The emulator computes in f64 and rounds once; a zero on the
/// diagonal makes infinities and NaN.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let triangle = Tensor::from_slice(&device, &[2.0f32, 4.0, 0.0, 5.0], [2, 2])?;
/// let sides = Tensor::from_slice(&device, &[8.0f32, 10.0], [2, 1])?;
/// assert_eq!(ops::triangular_solve(&sides, &triangle).upper().run()?.to_vec::<f32>()?, [0.0, 2.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnTriangularSolve", alias = "solve_triangular")]
#[inline]
pub fn triangular_solve<'a>(own: &'a Tensor, triangle: &'a Tensor) -> TriangularSolve<'a> {
    TriangularSolve { own, triangle, upper: false, transpose: false, unitriangular: false, stream: None }
}

prepared! {
    ['a] TriangularSolve<'a>:
    on("the right-hand side")
}

impl TriangularSolve<'_> {
    /// Takes the upper triangle.
    #[inline]
    pub fn upper(mut self) -> Self {
        self.upper = true;
        self
    }

    /// Solves `Aᵀ X = B`; complex numbers are not conjugated.
    #[inline]
    pub fn transpose(mut self) -> Self {
        self.transpose = true;
        self
    }

    /// Takes 1 for each element on the diagonal, whatever it holds; only with f32.
    #[inline]
    pub fn unitriangular(mut self) -> Self {
        self.unitriangular = true;
        self
    }

    /// Queues the operation and returns the solutions, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Broadcast`](crate::Error::Broadcast), [`Devices`](crate::Error::Devices),
    /// [`Rank`](crate::Error::Rank) and [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let Self { own, triangle, upper, transpose, unitriangular, .. } = *self;
        let stream = self.stream.unwrap_or(own.stream());
        let operation = Operation::new("triangular_solve", stream).tensor("self", own).tensor("A", triangle);
        let taken = ("TriangularSolve", signatures::triangular_solve.takes);
        let (of_triangle, n) = squares(&operation, taken, ("A", triangle))?;
        let (of_own, [rows, columns]) = matrices(&operation, taken, ("self", own))?;
        alike(&operation, own, &[triangle])?;
        if rows != n {
            return Err(
                operation.refused(format!("self has {rows} rows and A has {n}; both must be the same"))
            );
        }
        if unitriangular && own.dtype() != DType::F32 {
            return Err(operation
                .refused(format!("a diagonal of ones needs f32, and the operands are {}", own.dtype())));
        }
        let batch = operation.broadcast(&Shape::from(of_own), &Shape::from(of_triangle))?;
        // The library broadcasts the triangle only where it returns a copy of it.
        let triangle = triangle.broadcast_to(shape(&batch, &[n, n]))?;
        let out = operation.empty(shape(&batch, &[n, columns]), own.dtype())?;
        launch::TriangularSolve(stream.into(), own, &triangle, upper, transpose, unitriangular, &out, None)?;
        Ok(out)
    }
}
