//! Operands that are read and written in order, some elements at a time.

use bytemuck::{Pod, cast_slice};

use crate::views::allocation;
use crate::views::block::{Block, Conversions};
use crate::views::bound::Bound;
use crate::views::failure::Result;

/// Visits all elements in order, converted, some at a time.
pub(crate) fn each<T: Pod>(input: &Bound<'_>, load: &Conversions, mut visit: impl FnMut(usize, &[T])) {
    each_bytes(input, load, size_of::<T>(), &mut |first, some| visit(first, cast_slice(some)));
}

/// Visits elements of so many bytes, piece by piece, as [`each`] does.
fn each_bytes(input: &Bound<'_>, load: &Conversions, size: usize, visit: &mut dyn FnMut(usize, &[u8])) {
    const STEP: usize = Block::SIZE / size_of::<u64>();
    let (mut stored, mut seen, mut between) = (Block::new(), Block::new(), Block::new());
    for first in (0..input.numel()).step_by(STEP) {
        let count = STEP.min(input.numel() - first);
        let from = input.contiguous(first..first + count).unwrap_or_else(|| {
            let from = &mut stored.bytes_mut()[..count * input.size()];
            input.gather(first..first + count, from);
            from
        });
        if load.is_empty() {
            visit(first, from);
            continue;
        }
        let to = &mut seen.bytes_mut()[..count * size];
        load.apply_all(count, from, to, &mut between);
        visit(first, to);
    }
}

/// Writes numbers to an output.
pub(crate) fn write<T: Pod>(numbers: &[T], output: &Bound<'_>, result: &Conversions) -> Result {
    let mut lines = Vec::new();
    let to = allocation::bytes_of(&mut lines, numbers.len() * output.size())?;
    result.apply_all(numbers.len(), cast_slice(numbers), to, &mut Block::new());
    output.scatter(0..numbers.len(), to);
    Ok(())
}
