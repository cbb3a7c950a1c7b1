//! Loops over the elements of any number of operands.

use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};

/// Combines the elements of `N` blocks; an operand of one element is repeated. Returns whether every element has a result;
/// one that has none is left as it is.
#[must_use]
pub(super) fn each<const N: usize, T: Pod, U: Pod>(
    operands: &[&[u8]],
    out: &mut [u8],
    function: impl Fn([T; N]) -> Option<U>,
) -> bool {
    let Ok(out) = try_cast_slice_mut::<u8, U>(out) else {
        debug_assert!(false, "blocks are aligned");
        return true;
    };
    let mut columns: [&[T]; N] = [&[]; N];
    for (column, bytes) in columns.iter_mut().zip(operands) {
        *column = try_cast_slice(&bytes[..bytes.len().min(out.len() * size_of::<T>())]).unwrap_or_default();
    }
    let mut complete = true;
    let mut put = |out: &mut U, made: Option<U>| match made {
        Some(made) => *out = made,
        None => complete = false,
    };
    if columns.iter().all(|column| column.len() == out.len()) {
        for (index, out) in out.iter_mut().enumerate() {
            put(out, function(columns.map(|column| column[index])));
        }
    } else {
        debug_assert!(
            columns.iter().all(|column| [1, out.len()].contains(&column.len())),
            "blocks of one length"
        );
        for (index, out) in out.iter_mut().enumerate() {
            put(out, function(columns.map(|column| if let [one] = column { *one } else { column[index] })));
        }
    }
    complete
}
