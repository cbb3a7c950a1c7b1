//! Memory for the limit and for loops written by hand.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{ptr, slice};

use bytemuck::Pod;

/// A line of the caches.
pub(crate) type Line = [u64; 8];

/// The size of a huge page, with which the limit is higher.
const HUGE: usize = 2 << 20;

/// Whole lines in huge pages, where the system has them. What is not filled is ones.
pub(crate) struct Memory {
    start: *mut Line,
    lines: usize,
    pages: *mut u8,
    layout: Layout,
}

// SAFETY: the memory belongs to the value alone.
unsafe impl Send for Memory {}

impl Memory {
    pub(crate) fn new(bytes: usize) -> Self {
        /// Where the next memory begins within a huge page. Tensors lie one behind the other on the device; if all began
        /// with a page, the same lines of all of them would share a part of the caches.
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let bytes = bytes.next_multiple_of(size_of::<Line>()).max(size_of::<Line>());
        let offset = NEXT.fetch_add(bytes.next_multiple_of(512), Ordering::Relaxed) % HUGE;
        let Ok(layout) = Layout::from_size_align((offset + bytes).next_multiple_of(HUGE), HUGE) else {
            handle_alloc_error(Layout::new::<Line>())
        };
        // SAFETY: the layout is not empty.
        let pages = unsafe { alloc(layout) };
        if pages.is_null() {
            handle_alloc_error(layout);
        }
        // SAFETY: this memory, which is large enough. The advice changes nothing that a program sees, and comes before the
        // memory is touched. Everything is written once, so that no pass meets a page for the first time.
        let start = unsafe {
            #[cfg(target_os = "linux")]
            libc::madvise(pages.cast(), layout.size(), libc::MADV_HUGEPAGE);
            let start = pages.add(offset);
            ptr::write_bytes(start, 1, bytes);
            start.cast()
        };
        Self { start, lines: bytes / size_of::<Line>(), pages, layout }
    }

    pub(crate) fn lines(&self) -> &[Line] {
        // SAFETY: this memory holds so many lines, all of them initialised.
        unsafe { slice::from_raw_parts(self.start, self.lines) }
    }

    pub(crate) fn lines_mut(&mut self) -> &mut [Line] {
        // SAFETY: as above, and borrowed exclusively.
        unsafe { slice::from_raw_parts_mut(self.start, self.lines) }
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
        unsafe { dealloc(self.pages, self.layout) };
    }
}
