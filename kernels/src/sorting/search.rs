//! Search by bisection in sorted rows.

use aclnn_numerics::DType;
use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};

use crate::LaneBody;
use crate::views::failure::{Cause, Failure, Result};

/// Finds the positions of numbers in a sorted row: the number of elements before the first that is not less, or that is
/// greater where `right` says so. The order gives the positions of the row's elements in order, if it is not sorted itself.
/// Returns `None` if the order names an element that is not there.
pub type Find =
    fn(row: &[u8], numbers: &[u8], right: bool, order: Option<&[i64]>, positions: &mut [u8]) -> Option<()>;

/// Returns the search in a type, and the type; integers are searched as i64.
pub fn find(dtype: DType) -> Option<(DType, Find)> {
    match dtype {
        DType::F16 | DType::BF16 | DType::F32 => Some((DType::F32, found::<f32>)),
        DType::F64 => Some((DType::F64, found::<f64>)),
        integer if integer.is_integer() => Some((DType::I64, found::<i64>)),
        _ => None,
    }
}

fn found<T: Pod + PartialOrd>(
    row: &[u8],
    numbers: &[u8],
    right: bool,
    order: Option<&[i64]>,
    positions: &mut [u8],
) -> Option<()> {
    let (row, numbers): (&[T], &[T]) = (try_cast_slice(row).ok()?, try_cast_slice(numbers).ok()?);
    let positions: &mut [i64] = try_cast_slice_mut(positions).ok()?;
    for (number, to) in numbers.iter().zip(positions) {
        let (mut low, mut high) = (0, row.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let position = match order {
                None => middle,
                Some(order) => usize::try_from(*order.get(middle)?).ok()?,
            };
            let element = row.get(position)?;
            // A comparison with NaN is false, so the search for NaN ends at the end.
            let is_left = if right { element > number } else { element >= number };
            if is_left { high = middle } else { low = middle + 1 }
        }
        *to = low as i64;
    }
    Some(())
}

/// The positions of numbers in a sorted lane. The inputs are the lane, the numbers, and the positions that sort the lane if
/// it is not sorted itself.
pub struct Search {
    pub find: Find,
    /// Bytes of a number.
    pub size: usize,
    pub right: bool,
}

impl LaneBody for Search {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([row, numbers, order @ ..], [positions]) = (inputs, outputs) else { return Ok(()) };
        let order: Option<&[i64]> = order.first().and_then(|order| try_cast_slice(order).ok());
        (self.find)(row, numbers, self.right, order, positions).ok_or_else(|| {
            let message = format!(
                "sorter names an element that is not there; the sequence has {} elements",
                row.len() / self.size
            );
            Failure::new(Cause::AiCore, message)
        })
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["search"]
    }
}
