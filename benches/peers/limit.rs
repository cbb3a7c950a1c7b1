//! The limit of memory: a pass that reads and writes the bytes of an item and computes nothing with them.

use std::hint::black_box;

use super::memory::{Line, Memory};

/// The lines of the output that are written between reads: few enough to stay in the first cache.
const BLOCK: usize = 64;

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

    pub(crate) fn bytes(&self) -> usize {
        self.inputs.iter().chain([&self.output]).map(|memory| size_of_val(memory.lines())).sum()
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
