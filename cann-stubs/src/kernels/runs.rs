//! Copies of runs: elements at one distance from each other, by a loop for their width and for the distance.

/// The first element of a run, and the elements from one to the next.
#[derive(Clone, Copy)]
pub(super) struct Run<P> {
    pub(super) first: P,
    pub(super) stride: isize,
}

/// Copies `count` elements of `size` bytes, of any alignment.
///
/// # Safety
/// The elements of each run lie in one allocation; those of `from` may be read, those of `to` written, and none of one is
/// in the other.
pub(super) unsafe fn copy(from: Run<*const u8>, to: Run<*mut u8>, count: usize, size: usize) {
    // SAFETY: by the contract.
    unsafe {
        match size {
            1 => copy_typed::<u8>(from, to, count),
            2 => copy_typed::<u16>(from, to, count),
            4 => copy_typed::<u32>(from, to, count),
            8 => copy_typed::<u64>(from, to, count),
            16 => copy_typed::<u128>(from, to, count),
            other => {
                for index in 0..count as isize {
                    let place = to.first.offset(index * to.stride * other as isize);
                    let element = from.first.offset(index * from.stride * other as isize);
                    place.copy_from_nonoverlapping(element, other);
                }
            }
        }
    }
}

/// # Safety
/// As for [`copy`].
unsafe fn copy_typed<T: Copy>(from: Run<*const u8>, to: Run<*mut u8>, count: usize) {
    let (source, target) = (from.first.cast::<T>(), to.first.cast::<T>());
    // SAFETY: by the contract. A distance that the compiler knows makes a loop of vectors.
    unsafe {
        match (from.stride, to.stride) {
            (1, 1) => to.first.copy_from_nonoverlapping(from.first, count * size_of::<T>()),
            (0, 1) if count > 0 => {
                let element = source.read_unaligned();
                (0..count).for_each(|index| target.add(index).write_unaligned(element));
            }
            (-1, 1) => copy_strided(source, -1, target, 1, count),
            (2, 1) => copy_strided(source, 2, target, 1, count),
            (stride, 1) => copy_strided(source, stride, target, 1, count),
            (1, stride) => copy_strided(source, 1, target, stride, count),
            (source_stride, stride) => copy_strided(source, source_stride, target, stride, count),
        }
    }
}

/// # Safety
/// As for [`copy`].
#[inline(always)]
unsafe fn copy_strided<T: Copy>(
    from: *const T,
    from_stride: isize,
    to: *mut T,
    to_stride: isize,
    count: usize,
) {
    for index in 0..count as isize {
        // SAFETY: by the contract.
        unsafe {
            to.offset(index * to_stride).write_unaligned(from.offset(index * from_stride).read_unaligned());
        }
    }
}

/// Copies `columns` runs of `rows` neighbouring elements each, `stride` elements from one run to the next, and turns
/// them: `to` gets the first elements of all runs, then the second ones, and so on.
///
/// # Safety
/// The runs lie in one allocation and may be read; `to` holds `rows * columns` elements and is apart from them.
pub(super) unsafe fn transpose(
    from: *const u8,
    stride: isize,
    to: *mut u8,
    (rows, columns): (usize, usize),
    size: usize,
) {
    // SAFETY: by the contract.
    unsafe {
        match size {
            1 => transpose_typed::<u8>(from.cast(), stride, to.cast(), rows, columns),
            2 => transpose_typed::<u16>(from.cast(), stride, to.cast(), rows, columns),
            4 => transpose_typed::<u32>(from.cast(), stride, to.cast(), rows, columns),
            8 => transpose_typed::<u64>(from.cast(), stride, to.cast(), rows, columns),
            16 => transpose_typed::<u128>(from.cast(), stride, to.cast(), rows, columns),
            other => {
                for row in 0..rows {
                    let from = Run { first: from.add(row * other), stride };
                    let to = Run { first: to.add(row * columns * other), stride: 1 };
                    copy(from, to, columns, other);
                }
            }
        }
    }
}

/// # Safety
/// As for [`transpose`].
unsafe fn transpose_typed<T: Copy>(from: *const T, stride: isize, to: *mut T, rows: usize, columns: usize) {
    /// Runs that are read side by side, so that what is written is one piece.
    const TOGETHER: usize = 8;
    /// Runs from the one that is read to the one that is fetched into the cache.
    const AHEAD: usize = 32;
    let whole = columns - columns % TOGETHER;
    // SAFETY: by the contract; `row` and `column` stay below the numbers of rows and columns.
    unsafe {
        for column in (0..whole).step_by(TOGETHER) {
            for ahead in (column + AHEAD..columns).take(TOGETHER) {
                prefetch(from.offset(ahead as isize * stride));
            }
            let runs: [*const T; TOGETHER] =
                std::array::from_fn(|index| from.offset((column + index) as isize * stride));
            for row in 0..rows {
                let elements = runs.map(|run| run.add(row).read_unaligned());
                to.add(row * columns + column).cast::<[T; TOGETHER]>().write_unaligned(elements);
            }
        }
        for column in whole..columns {
            let run = from.offset(column as isize * stride);
            for row in 0..rows {
                to.add(row * columns + column).write_unaligned(run.add(row).read_unaligned());
            }
        }
    }
}

/// Asks for the cache line of an element, which no processor foresees where runs are far from each other.
fn prefetch<T>(element: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(element.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = element;
}
