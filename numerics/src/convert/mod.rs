//! Conversion from any element type to any other.
//!
//! [`round`] holds the roundings themselves, bit for bit; [`small`] and [`hif8`] the floating-point formats of up to eight bits, and
//! [`pack`] elements narrower than a byte. [`cann`] is the policy of CANN: which roundings a Cast of one type to another
//! takes, and what becomes of values the target cannot hold. [`onnx`] is that of ONNX.

pub mod cann;
pub mod hif8;
pub mod onnx;
pub mod pack;
pub mod round;
pub mod small;

use bytemuck::Pod;

/// Converts as many whole elements as both slices hold, of any alignment; what is left of the target keeps its bytes.
pub type Converter = fn(&[u8], &mut [u8]);

/// The loop of every [`Converter`]: monomorphic and free of branches between elements, so that it vectorises.
#[inline(always)]
fn convert_bytes<A: Pod, B: Pod>(source: &[u8], target: &mut [u8], convert: impl Fn(A) -> B) {
    let elements = source.chunks_exact(size_of::<A>());
    for (to, from) in target.chunks_exact_mut(size_of::<B>()).zip(elements) {
        to.copy_from_slice(bytemuck::bytes_of(&convert(bytemuck::pod_read_unaligned(from))));
    }
}

/// The plain copy of elements of type `A`.
fn copy_bytes<A: Pod>(source: &[u8], target: &mut [u8]) {
    let len = source.len().min(target.len()) / size_of::<A>() * size_of::<A>();
    if let (Some(from), Some(to)) = (source.get(..len), target.get_mut(..len)) {
        to.copy_from_slice(from);
    }
}
