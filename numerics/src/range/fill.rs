//! Writing elements into slices and bytes, for the ranges of CANN, ONNX and OpenVINO alike.

use bytemuck::Pod;
use half::{bf16, f16};

use super::RangeError;
use crate::convert::cann::Numeric;
use crate::dtype::DType;

/// The elements of a range, by index.
pub(super) trait Elements {
    /// Returns the type of the elements.
    fn element_type(&self) -> DType;

    /// Puts the elements from index `first` on into the slots; `T` is the type of the elements.
    fn write<T: Numeric, S>(&self, first: usize, slots: impl ExactSizeIterator<Item = S>, put: impl Fn(S, T));

    /// Fills a slice of the type of the elements; a slice of another type is an error.
    fn fill_slice<T: Numeric>(&self, first: usize, out: &mut [T]) -> Result<(), RangeError> {
        if T::DTYPE != self.element_type() {
            return Err(RangeError::Element { slice: T::DTYPE, range: self.element_type() });
        }
        self.write(first, out.iter_mut(), |slot, value| *slot = value);
        Ok(())
    }

    /// Fills as many whole elements as the bytes hold, of any alignment.
    fn fill_packed(&self, first: usize, out: &mut [u8]) {
        fn packed<E: Elements + ?Sized, T: Numeric + Pod>(elements: &E, first: usize, out: &mut [u8]) {
            let slots = out.chunks_exact_mut(size_of::<T>());
            elements.write(first, slots, |slot, value: T| slot.copy_from_slice(bytemuck::bytes_of(&value)));
        }
        match self.element_type() {
            DType::F16 => packed::<_, f16>(self, first, out),
            DType::BF16 => packed::<_, bf16>(self, first, out),
            DType::F64 => packed::<_, f64>(self, first, out),
            DType::I8 => packed::<_, i8>(self, first, out),
            DType::U8 => packed::<_, u8>(self, first, out),
            DType::I16 => packed::<_, i16>(self, first, out),
            DType::U16 => packed::<_, u16>(self, first, out),
            DType::I32 => packed::<_, i32>(self, first, out),
            DType::U32 => packed::<_, u32>(self, first, out),
            DType::I64 => packed::<_, i64>(self, first, out),
            DType::U64 => packed::<_, u64>(self, first, out),
            _ => packed::<_, f32>(self, first, out),
        }
    }
}
