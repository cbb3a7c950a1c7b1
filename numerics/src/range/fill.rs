//! Slices of elements as the bytes that a range fills.

use super::RangeError;
use crate::convert::cann::Numeric;
use crate::dtype::DType;

/// Returns the bytes of a slice for a range of elements of type `range`; a slice of another type is an error.
pub(super) fn bytes_for<T: Numeric>(range: DType, out: &mut [T]) -> Result<&mut [u8], RangeError> {
    let bytes = if T::DTYPE == range { T::as_bytes_mut(out) } else { None };
    bytes.ok_or(RangeError::Element { slice: T::DTYPE, range })
}
