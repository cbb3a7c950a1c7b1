//! Loops over the elements of any number of operands.

use std::cell::Cell;

use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};

/// Combines the elements of `N` blocks; an operand of one element is repeated.
///
/// Arrays are filled by loops: `map` and `from_fn` would be compiled for each function again.
pub(crate) fn each<const N: usize, T: Pod, U: Pod>(
    operands: &[&[u8]],
    out: &mut [u8],
    function: impl Fn([T; N]) -> U,
) {
    let Some((columns, out)) = columns::<N, T, U>(operands, out) else { return };
    let mut elements = [T::zeroed(); N];
    for (element, column) in elements.iter_mut().zip(columns) {
        *element = column[0];
    }
    if columns.iter().all(|column| column.len() > 1) {
        for (index, out) in out.iter_mut().enumerate() {
            for (element, column) in elements.iter_mut().zip(columns) {
                *element = column[index];
            }
            *out = function(elements);
        }
    } else {
        for (index, out) in out.iter_mut().enumerate() {
            for (element, column) in elements.iter_mut().zip(columns) {
                if column.len() > 1 {
                    *element = column[index];
                }
            }
            *out = function(elements);
        }
    }
}

/// Returns the elements of operands and result; nothing where blocks are not aligned, or not as long as the result.
fn columns<'a, const N: usize, T: Pod, U: Pod>(
    operands: &[&'a [u8]],
    out: &'a mut [u8],
) -> Option<([&'a [T]; N], &'a mut [U])> {
    let Ok(out) = try_cast_slice_mut::<u8, U>(out) else {
        debug_assert!(false, "blocks are aligned");
        return None;
    };
    let mut columns: [&[T]; N] = [&[]; N];
    for (column, bytes) in columns.iter_mut().zip(operands) {
        *column = try_cast_slice(&bytes[..bytes.len().min(out.len() * size_of::<T>())]).unwrap_or_default();
    }
    if !columns.iter().all(|column| [1, out.len()].contains(&column.len())) {
        debug_assert!(false, "blocks are as long as the result");
        return None;
    }
    Some((columns, out))
}

/// The same with a function that not all elements have a result of, which `why` tells; those have arbitrary ones.
pub(crate) fn try_each<const N: usize, T: Pod>(
    operands: &[&[u8]],
    out: &mut [u8],
    function: impl Fn([T; N]) -> Option<T>,
    why: &'static str,
) -> Result<(), &'static str> {
    let complete = Cell::new(true);
    each(operands, out, |elements: [T; N]| {
        function(elements).unwrap_or_else(|| {
            complete.set(false);
            elements[0]
        })
    });
    if complete.get() { Ok(()) } else { Err(why) }
}

/// Combines the elements of all blocks, two at a time; an operand of one element is repeated.
pub(crate) fn fold<T: Pod, F: Fn(T, T) -> T>(operands: &[&[u8]], out: &mut [u8], function: F) {
    let Ok(out) = try_cast_slice_mut::<u8, T>(out) else {
        debug_assert!(false, "blocks are aligned");
        return;
    };
    for (number, operand) in operands.iter().enumerate() {
        let Ok(operand) = try_cast_slice::<u8, T>(operand) else { return };
        let step = usize::from(operand.len() > 1);
        for (index, out) in out.iter_mut().enumerate() {
            *out = if number == 0 { operand[index * step] } else { function(*out, operand[index * step]) };
        }
    }
}
