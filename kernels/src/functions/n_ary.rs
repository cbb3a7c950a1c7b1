//! Loops over the elements of any number of operands.

use std::cell::Cell;

use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};

/// Combines the elements of `N` blocks; an operand of one element is repeated.
pub(crate) fn each<const N: usize, T: Pod, U: Pod>(
    operands: &[&[u8]],
    out: &mut [u8],
    function: impl Fn([T; N]) -> U,
) {
    let Ok(out) = try_cast_slice_mut::<u8, U>(out) else {
        debug_assert!(false, "blocks are aligned");
        return;
    };
    let mut columns: [&[T]; N] = [&[]; N];
    for (column, bytes) in columns.iter_mut().zip(operands) {
        *column = try_cast_slice(&bytes[..bytes.len().min(out.len() * size_of::<T>())]).unwrap_or_default();
    }
    if !columns.iter().all(|column| [1, out.len()].contains(&column.len())) {
        debug_assert!(false, "blocks are as long as the result");
        return;
    }
    let first = columns.map(|column| column[0]);
    let is_one = columns.map(|column| column.len() == 1);
    if is_one.iter().all(|is_one| !is_one) {
        for (index, out) in out.iter_mut().enumerate() {
            *out = function(columns.map(|column| column[index]));
        }
    } else {
        for (index, out) in out.iter_mut().enumerate() {
            let mut elements = first;
            for (number, element) in elements.iter_mut().enumerate() {
                if !is_one[number] {
                    *element = columns[number][index];
                }
            }
            *out = function(elements);
        }
    }
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
