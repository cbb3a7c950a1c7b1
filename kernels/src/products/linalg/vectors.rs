//! Products of vectors, and sums of a diagonal.

use std::ops::{Mul, Sub};

use aclnn_numerics::DType::{self, C128, I64};
use bytemuck::Pod;
use num_complex::Complex;

use super::{Body, Function, body};

/// Computes the vector that is orthogonal to two vectors, of three elements each. Integers wrap.
pub fn cross(compute: DType) -> Body {
    fn function<T: Pod>(multiply: fn(T, T) -> T, subtract: fn(T, T) -> T) -> Function {
        Box::new(move |_, inputs, outputs| {
            let (a, b): (&[T], &[T]) = (bytemuck::cast_slice(inputs[0]), bytemuck::cast_slice(inputs[1]));
            let to: &mut [T] = bytemuck::cast_slice_mut(outputs[0]);
            for (axis, to) in to.iter_mut().enumerate() {
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                *to = subtract(multiply(a[next], b[last]), multiply(a[last], b[next]));
            }
            Ok(())
        })
    }
    let function = match compute {
        I64 => function(i64::wrapping_mul, i64::wrapping_sub),
        C128 => function::<Complex<f64>>(Mul::mul, Sub::sub),
        _ => function::<f64>(Mul::mul, Sub::sub),
    };
    body("cross", function)
}

/// Computes the sum of all elements. Integers wrap.
pub fn sum(compute: DType) -> Body {
    fn function<T: Pod>(add: fn(T, T) -> T) -> Function {
        Box::new(move |_, inputs, outputs| {
            let elements: &[T] = bytemuck::cast_slice(inputs[0]);
            bytemuck::cast_slice_mut(outputs[0])[0] = elements.iter().copied().fold(T::zeroed(), add);
            Ok(())
        })
    }
    let function = match compute {
        I64 => function(i64::wrapping_add),
        C128 => function::<Complex<f64>>(|a, b| a + b),
        _ => function::<f64>(|a, b| a + b),
    };
    body("sum", function)
}

/// Computes the products of a vector and each row of a matrix, of `width` elements.
pub fn products(width: usize) -> Body {
    let function = move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let [vector, matrix]: [&[f64]; 2] =
            [bytemuck::cast_slice(inputs[0]), bytemuck::cast_slice(inputs[1])];
        for (to, row) in bytemuck::cast_slice_mut(outputs[0]).iter_mut().zip(matrix.chunks_exact(width)) {
            *to = vector.iter().zip(row).map(|(a, b)| a * b).sum::<f64>();
        }
        Ok(())
    };
    body("multiply", Box::new(function))
}
