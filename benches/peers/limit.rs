//! The limit of memory: a pass that reads and writes the bytes of an item and computes nothing with them.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::hint::black_box;
use std::{ptr, slice};

/// A line of the caches.
type Line = [u64; 8];

/// The lines of the output that are written between reads: few enough to stay in the first cache.
const BLOCK: usize = 64;

/// The size of a huge page, with which the limit is higher.
const HUGE: usize = 2 << 20;

/// How the output is written. Which one is faster depends on the size and on the bytes that are read, so the limit is the
/// faster one.
#[derive(Clone, Copy)]
pub(crate) enum Stores {
    Cached,
    /// Past the caches, so that the lines that are written need not be read first.
    Streaming,
}

/// Memory for the inputs and the output of an item.
pub(crate) struct Pass {
    inputs: Vec<Memory>,
    output: Memory,
}

impl Pass {
    pub(crate) fn new(read: &[usize], written: usize) -> Self {
        Self { inputs: read.iter().map(|&bytes| Memory::new(bytes)).collect(), output: Memory::new(written) }
    }

    /// Reads and writes everything once.
    pub(crate) fn run(&mut self, stores: Stores) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.move_with_avx2(stores) };
        }
        self.move_bytes(stores);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn move_with_avx2(&mut self, stores: Stores) {
        self.move_bytes(stores);
    }

    #[inline(always)]
    fn move_bytes(&mut self, stores: Stores) {
        let output = self.output.lines_mut();
        let blocks = output.len().div_ceil(BLOCK);
        let part = |lines: usize, block: usize| lines * block / blocks..lines * (block + 1) / blocks;
        let mut read = Line::default();
        for (block, written) in output.chunks_mut(BLOCK).enumerate() {
            for input in &self.inputs {
                let lines = input.lines();
                for line in &lines[part(lines.len(), block)] {
                    for (sum, word) in read.iter_mut().zip(line) {
                        *sum ^= word;
                    }
                }
            }
            match stores {
                Stores::Cached => written.fill([1; 8]),
                Stores::Streaming => stream(written),
            }
        }
        // Streaming stores are ordered with what follows, as everyone who uses them must do.
        #[cfg(target_arch = "x86_64")]
        // SAFETY: SSE is part of the architecture.
        unsafe {
            std::arch::x86_64::_mm_sfence();
        }
        black_box(read);
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn stream(lines: &mut [Line]) {
    use std::arch::x86_64::{__m128i, _mm_set1_epi64x, _mm_stream_si128};

    // SAFETY: SSE2 is part of the architecture, and a line, which is aligned to 64 bytes, holds four vectors.
    unsafe {
        let value = _mm_set1_epi64x(1);
        for line in lines {
            let place = line.as_mut_ptr().cast::<__m128i>();
            for index in 0..4 {
                _mm_stream_si128(place.add(index), value);
            }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn stream(lines: &mut [Line]) {
    lines.fill([1; 8]);
}

/// Lines in huge pages, where the system has them.
struct Memory {
    start: *mut Line,
    layout: Layout,
}

impl Memory {
    fn new(bytes: usize) -> Self {
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

    fn lines(&self) -> &[Line] {
        // SAFETY: this memory holds so many lines, all of them initialised.
        unsafe { slice::from_raw_parts(self.start, self.layout.size() / size_of::<Line>()) }
    }

    fn lines_mut(&mut self) -> &mut [Line] {
        // SAFETY: as above, and borrowed exclusively.
        unsafe { slice::from_raw_parts_mut(self.start, self.layout.size() / size_of::<Line>()) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.start.cast(), self.layout) };
    }
}
