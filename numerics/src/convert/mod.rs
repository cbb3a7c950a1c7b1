//! Conversion from any element type to any other.
//!
//! [`round`] holds the roundings themselves, bit for bit; [`small`] and [`hif8`] hold the floating-point formats of up
//! to eight bits; [`pack`] handles elements narrower than a byte; `level` compiles a loop for several instruction sets
//! and chooses one at run time; `step` puts conversions together, for the pairs without a loop. [`cann`] holds the
//! rules of CANN: the roundings that Cast makes from one type to another, and the results for values that the target
//! cannot hold. [`onnx`] holds the rules of ONNX.

pub mod cann;
mod float8;
pub mod hif8;
pub(crate) mod level;
#[cfg(test)]
mod levels;
mod odd;
pub mod onnx;
pub mod pack;
pub mod round;
pub mod small;
mod step;
mod values;

use bytemuck::Pod;

/// A function that converts as many whole elements as both slices hold, of any alignment; the rest of the target keeps
/// its bytes. That of [`cann::scalar_converter`] converts one.
pub type Converter = fn(&[u8], &mut [u8]);

/// Runs the loop of every [`Converter`]: monomorphic and free of branches between elements, so that it vectorises.
#[inline(always)]
pub(crate) fn convert_bytes<A: Pod, B: Pod>(source: &[u8], target: &mut [u8], convert: impl Fn(A) -> B) {
    let elements = source.chunks_exact(size_of::<A>());
    for (to, from) in target.chunks_exact_mut(size_of::<B>()).zip(elements) {
        to.copy_from_slice(bytemuck::bytes_of(&convert(bytemuck::pod_read_unaligned(from))));
    }
}

/// Copies elements of type `A`.
pub(crate) fn copy_bytes<A: Pod>(source: &[u8], target: &mut [u8]) {
    let len = source.len().min(target.len()) / size_of::<A>() * size_of::<A>();
    if let (Some(from), Some(to)) = (source.get(..len), target.get_mut(..len)) {
        to.copy_from_slice(from);
    }
}
