//! Memory for the limit and for loops written by hand.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::{ptr, slice};

use bytemuck::Pod;

/// A line of the caches.
pub(crate) type Line = [u64; 8];

/// The size of a huge page, with which the limit is higher.
const HUGE: usize = 2 << 20;

/// Whole lines in huge pages, where the system has them. What is not filled is ones.
pub(crate) struct Memory {
    start: *mut Line,
    layout: Layout,
}

// SAFETY: the memory belongs to the value alone.
unsafe impl Send for Memory {}

impl Memory {
    pub(crate) fn new(bytes: usize) -> Self {
        let bytes = bytes.next_multiple_of(size_of::<Line>()).max(size_of::<Line>());
        let align = if bytes < HUGE { 64 } else { HUGE };
        let Ok(layout) = Layout::from_size_align(bytes, align) else {
            handle_alloc_error(Layout::new::<Line>())
        };
        // SAFETY: the layout is not empty.
        let start: *mut Line = unsafe { alloc_zeroed(layout) }.cast();
        if start.is_null() {
            handle_alloc_error(layout);
        }
        #[cfg(target_os = "linux")]
        if bytes >= HUGE {
            // SAFETY: this memory; the advice changes nothing that a program sees.
            unsafe { libc::madvise(start.cast(), bytes, libc::MADV_HUGEPAGE) };
        }
        // SAFETY: as above. Everything is written once, so that no pass meets a page for the first time.
        unsafe { ptr::write_bytes(start.cast::<u8>(), 1, bytes) };
        Self { start, layout }
    }

    pub(crate) fn lines(&self) -> &[Line] {
        // SAFETY: this memory holds so many lines, all of them initialised.
        unsafe { slice::from_raw_parts(self.start, self.layout.size() / size_of::<Line>()) }
    }

    pub(crate) fn lines_mut(&mut self) -> &mut [Line] {
        // SAFETY: as above, and borrowed exclusively.
        unsafe { slice::from_raw_parts_mut(self.start, self.layout.size() / size_of::<Line>()) }
    }

    /// Returns what these bytes are, and what follows them up to the end of the last line.
    pub(crate) fn filled(bytes: &[u8]) -> Self {
        let mut memory = Self::new(bytes.len());
        let lines: &mut [u8] = memory.elements_mut();
        lines[..bytes.len()].copy_from_slice(bytes);
        memory
    }

    pub(crate) fn elements<T: Pod>(&self) -> &[T] {
        bytemuck::cast_slice(self.lines())
    }

    pub(crate) fn elements_mut<T: Pod>(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(self.lines_mut())
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.start.cast(), self.layout) };
    }
}
