//! The Rust types that hold one element.

use half::{bf16, f16};
use num_complex::Complex;

use crate::dtype::DType;

mod sealed {
    pub trait Sealed {}
}

/// A Rust type that is one element of a tensor.
///
/// The trait is sealed: the emulator and the device interpret the bytes, so the set of types is fixed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the element of a tensor",
    label = "not an element of a tensor",
    note = "elements are `f32`, `f64`, `f16`, `bf16`, `i8` to `i64`, `u8` to `u64`, `bool`, `Complex` of `f16`, `f32` or `f64`, and the 8-bit floats of `element`",
    note = "`usize` and `isize` have no width of their own: convert them to `u64` and `i64`"
)]
pub trait Element: sealed::Sealed + Copy + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// The element type.
    const DTYPE: DType;

    /// Returns the bytes of a slice, as they lie in device memory.
    fn as_bytes(elements: &[Self]) -> &[u8];

    /// Returns the bytes of a slice to write to; `None` for bool, which does not take every byte.
    fn as_bytes_mut(elements: &mut [Self]) -> Option<&mut [u8]>;

    /// Reads elements from bytes of any alignment; an incomplete element at the end is ignored.
    ///
    /// For bool any byte but zero is true.
    fn from_bytes(bytes: &[u8]) -> Vec<Self>;

    /// Reads the first element of bytes of any alignment, if there is one.
    fn read_first(bytes: &[u8]) -> Option<Self>;
}

impl DType {
    /// Returns the type of the elements that a Rust type holds.
    ///
    /// ```
    /// use aclnn_numerics::{Complex, DType};
    ///
    /// assert_eq!(DType::of::<f32>(), DType::F32);
    /// assert_eq!(DType::of::<Complex<f32>>(), DType::C64);
    /// ```
    pub const fn of<T: Element>() -> DType {
        T::DTYPE
    }
}

macro_rules! float_codes {
    ($($name:ident $doc:literal)*) => {$(
        #[doc = $doc]
        ///
        /// Holds the code of the element; equality compares codes.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(transparent)]
        pub struct $name(pub u8);
    )*};
}

float_codes! {
    HiF8       "HiFloat8."
    F8E5M2     "8-bit float with 5 exponent bits and infinities."
    F8E4M3FN   "8-bit float with 4 exponent bits and no infinities."
    F8E8M0     "Power of two."
    F8E4M3FNUZ "8-bit float with 4 exponent bits, no infinities and no negative zero."
    F8E5M2FNUZ "8-bit float with 5 exponent bits, no infinities and no negative zero."
}

macro_rules! plain_elements {
    ($($type:ty => $dtype:ident)*) => {$(
        impl sealed::Sealed for $type {}

        impl Element for $type {
            const DTYPE: DType = DType::$dtype;

            fn as_bytes(elements: &[Self]) -> &[u8] {
                bytemuck::cast_slice(elements)
            }

            fn as_bytes_mut(elements: &mut [Self]) -> Option<&mut [u8]> {
                Some(bytemuck::cast_slice_mut(elements))
            }

            fn from_bytes(bytes: &[u8]) -> Vec<Self> {
                let whole = bytes.len() - bytes.len() % size_of::<Self>();
                bytemuck::pod_collect_to_vec(&bytes[..whole])
            }

            fn read_first(bytes: &[u8]) -> Option<Self> {
                bytes.get(..size_of::<Self>()).map(bytemuck::pod_read_unaligned)
            }
        }

        const _: () = assert!(size_of::<$type>() * 8 == DType::$dtype.bits());
    )*};
}

plain_elements! {
    f32 => F32
    f16 => F16
    f64 => F64
    bf16 => BF16
    i8 => I8
    u8 => U8
    i16 => I16
    u16 => U16
    i32 => I32
    u32 => U32
    i64 => I64
    u64 => U64
    Complex<f16> => C32
    Complex<f32> => C64
    Complex<f64> => C128
    HiF8 => HiF8
    F8E5M2 => F8E5M2
    F8E4M3FN => F8E4M3FN
    F8E8M0 => F8E8M0
    F8E4M3FNUZ => F8E4M3FNUZ
    F8E5M2FNUZ => F8E5M2FNUZ
}

impl sealed::Sealed for bool {}

impl Element for bool {
    const DTYPE: DType = DType::Bool;

    fn as_bytes(elements: &[Self]) -> &[u8] {
        bytemuck::cast_slice(elements)
    }

    fn as_bytes_mut(_: &mut [Self]) -> Option<&mut [u8]> {
        None
    }

    fn from_bytes(bytes: &[u8]) -> Vec<Self> {
        bytes.iter().map(|&byte| byte != 0).collect()
    }

    fn read_first(bytes: &[u8]) -> Option<Self> {
        bytes.first().map(|&byte| byte != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_round_trip_at_any_alignment() {
        let values = [1.5f64, -0.0, f64::INFINITY];
        let mut bytes = vec![0xAA];
        bytes.extend_from_slice(f64::as_bytes(&values));
        bytes.extend_from_slice(&[1, 2, 3]);
        assert_eq!(f64::read_first(&bytes[1..]), Some(values[0]));
        assert_eq!(f64::read_first(&bytes[..7]), None);
        let back = f64::from_bytes(&bytes[1..]);
        assert_eq!(back.iter().map(|v| v.to_bits()).collect::<Vec<_>>(), values.map(f64::to_bits));

        let pair = [Complex::new(f16::ONE, f16::NEG_ONE)];
        assert_eq!(Complex::<f16>::as_bytes(&pair), [0x00, 0x3C, 0x00, 0xBC]);
    }

    #[test]
    fn any_byte_but_zero_is_true() {
        assert_eq!(bool::from_bytes(&[0, 1, 2, 255]), [false, true, true, true]);
        assert_eq!(bool::as_bytes(&[true, false]), [1, 0]);
    }
}
