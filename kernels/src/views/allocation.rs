//! Memory of the host whose size a caller decides. What the host cannot give is a failure of the call; `vec!` and `collect`
//! would end the process.

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_vec;

use crate::views::block::Line;
use crate::views::failure::{Cause, Failure, Result};

#[cold]
fn refused<T>(count: usize) -> Failure {
    let bytes = count.saturating_mul(size_of::<T>());
    Failure::new(Cause::HostMemory, format_args!("the host cannot give the emulator {bytes} bytes"))
}

/// So many zeros.
pub fn zeros<T: Zeroable>(count: usize) -> Result<Vec<T>> {
    try_zeroed_vec(count).map_err(|()| refused::<T>(count))
}

/// Returns an empty vector with room for so many elements.
pub fn for_elements<T>(count: usize) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    reserve(&mut elements, count)?;
    Ok(elements)
}

/// Returns the items, of which there are as many as the iterator says.
pub fn collect<T>(items: impl Iterator<Item = T>) -> Result<Vec<T>> {
    let (least, most) = items.size_hint();
    let mut elements = for_elements(most.unwrap_or(least))?;
    elements.extend(items);
    Ok(elements)
}

/// Gives a buffer so many elements; new ones have this value.
pub(crate) fn resize<T: Copy>(buffer: &mut Vec<T>, count: usize, value: T) -> Result {
    reserve(buffer, count)?;
    buffer.resize(count, value);
    Ok(())
}

/// Gives a buffer room for so many elements in all.
pub(crate) fn reserve<T>(buffer: &mut Vec<T>, count: usize) -> Result {
    buffer.try_reserve_exact(count.saturating_sub(buffer.len())).map_err(|_| refused::<T>(count))
}

/// Gives a buffer room for so many elements behind those that it has. It grows by more than it has to, so that many calls cost no more
/// than one.
pub(crate) fn reserve_more<T>(buffer: &mut Vec<T>, count: usize) -> Result {
    buffer.try_reserve(count).map_err(|_| refused::<T>(buffer.len().saturating_add(count)))
}

/// The first bytes of a buffer, which grows as it has to.
pub(crate) fn bytes_of(lines: &mut Vec<Line>, bytes: usize) -> Result<&mut [u8]> {
    let count = bytes.div_ceil(Line::SIZE);
    if lines.len() < count {
        resize(lines, count, Line::ZERO)?;
    }
    Ok(&mut bytemuck::cast_slice_mut(lines)[..bytes])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_host_cannot_give_is_an_error() {
        const BEYOND: usize = isize::MAX as usize - Line::SIZE;
        let refused = [
            zeros::<f64>(usize::MAX).err(),
            zeros::<u8>(BEYOND).err(),
            for_elements::<f64>(usize::MAX).err(),
            collect((0..BEYOND).map(|_| 0_u8)).err(),
            resize(&mut vec![0_u8], BEYOND, 0).err(),
            reserve_more(&mut vec![0_u8], BEYOND).err(),
            bytes_of(&mut Vec::new(), BEYOND).err(),
        ];
        for status in refused {
            let status = status.expect("no host has that");
            assert_eq!(status.cause(), Cause::HostMemory);
            assert!(status.message().contains("bytes"), "{}", status.message());
        }
    }
}
