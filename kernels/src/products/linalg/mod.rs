//! Factors of matrices and what is computed with them, distances between rows.
//!
//! Everything is computed in f64, complex numbers in pairs of f64, whatever the operands are; matrices lie by rows. Each
//! matrix of a batch is a lane, so that threads share batches and no sum depends on their number.
//!
//! Matrices are factored some columns at a time, and what these change in the others is a product of matrices.

mod bidiagonal;
mod blocks;
mod cholesky;
mod distance;
mod field;
mod lu;
mod qr;
mod reflections;
mod svd;
#[cfg(test)]
mod tests;
mod triangular;
mod vectors;

use aclnn_numerics::DType::{self, C128};
use num_complex::Complex;

pub use distance::{Norm, distances, distances_backward, distances_within};
pub use qr::Parts;
pub use triangular::Triangle;
pub use vectors::{cross, products, sum};

use crate::LaneFunction;
use crate::views::failure::Result;

/// A function of a lane of each operand.
type Function = Box<dyn Fn(usize, &[&[u8]], &mut [&mut [u8]]) -> Result + Send + Sync>;

/// A function of matrices, as a body.
pub type Body = LaneFunction;

/// Returns the type in which operands of a type are computed.
pub fn compute_type(dtype: DType) -> DType {
    match dtype.is_complex() {
        true => C128,
        false => DType::F64,
    }
}

fn body(step: &'static str, function: Function) -> Body {
    LaneFunction::new(step, function)
}

/// Expands to a body for each compute type, whose function sees it as `$T`.
macro_rules! in_field {
    ($step:literal, $is_complex:expr, $T:ident, $function:expr) => {
        if $is_complex {
            type $T = Complex<f64>;
            body($step, Box::new($function))
        } else {
            type $T = f64;
            body($step, Box::new($function))
        }
    };
}

/// Computes the matrix that takes each `n` × `n` matrix to the identity.
pub fn inverse(is_complex: bool, n: usize) -> Body {
    in_field!("invert", is_complex, T, move |number, inputs, outputs| {
        lu::inverse::<T>(number, bytemuck::cast_slice(inputs[0]), bytemuck::cast_slice_mut(outputs[0]), n)
    })
}

/// Computes the sign of the determinant and the logarithm of its absolute value.
pub fn sign_and_logarithm(is_complex: bool, n: usize) -> Body {
    in_field!("determinant", is_complex, T, move |_, inputs, outputs| {
        let (sign, logarithm) = lu::determinant::<T>(bytemuck::cast_slice(inputs[0]), n)?;
        for (to, value) in outputs.iter_mut().zip([sign, logarithm]) {
            bytemuck::cast_slice_mut(to)[0] = value;
        }
        Ok(())
    })
}

/// Computes the logarithm of the determinant: NaN for a negative one.
pub fn logarithm(is_complex: bool, n: usize) -> Body {
    in_field!("determinant", is_complex, T, move |_, inputs, outputs| {
        let (sign, logarithm) = lu::determinant::<T>(bytemuck::cast_slice(inputs[0]), n)?;
        bytemuck::cast_slice_mut::<_, T>(outputs[0])[0] = field::Field::ln(sign) + logarithm;
        Ok(())
    })
}

/// Computes an orthogonal matrix and a triangular one, whose product the matrix is.
pub fn qr(is_complex: bool, sizes: [usize; 2], parts: Parts) -> Body {
    in_field!("factor", is_complex, T, move |_, inputs, outputs| {
        qr::qr::<T>(bytemuck::cast_slice(inputs[0]), sizes, parts, outputs)
    })
}

/// Computes the lower triangle whose product with its transpose each `n` × `n` matrix is, or that transpose.
pub fn cholesky(n: usize, is_upper: bool) -> Body {
    let function = move |number, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let to = bytemuck::cast_slice_mut(outputs[0]);
        cholesky::cholesky(number, bytemuck::cast_slice(inputs[0]), to, n, is_upper)
    };
    body("factor", Box::new(function))
}

/// Computes the singular values of each matrix, and their vectors if there are places for them: square matrices of
/// them, or as many as there are values.
pub fn svd(is_complex: bool, sizes: [usize; 2], is_full: bool) -> Body {
    in_field!("factor", is_complex, T, move |number, inputs, outputs| {
        svd::svd::<T>(number, bytemuck::cast_slice(inputs[0]), sizes, is_full, outputs)
    })
}

/// Computes the solutions of equations with a triangle, `columns` of them side by side. The inputs are the right-hand
/// sides and the triangles.
pub fn solve_triangle(is_complex: bool, triangle: Triangle, columns: usize) -> Body {
    in_field!("solve", is_complex, T, move |_, inputs, outputs| {
        let to: &mut [T] = bytemuck::cast_slice_mut(outputs[0]);
        to.copy_from_slice(bytemuck::cast_slice(inputs[0]));
        triangular::solve(triangle, bytemuck::cast_slice(inputs[1]), to, columns);
        Ok(())
    })
}
