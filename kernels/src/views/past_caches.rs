//! Stores past the caches: what is written need not be read before, and drives nothing else out of the caches.
//!
//! They win where a kernel reads and writes more than the caches hold. They are not ordered with other stores, so [`fence`] comes before anyone else is told of the result.

use std::ops::Range;

use crate::Block;

/// Bytes of a result that no longer stay in the caches beside the operands.
pub(crate) const MANY: usize = 6 << 20;

/// Fills `out`, which has `count` elements, by pieces of at most `most`; past the caches by way of a block, which holds so many.
pub(crate) fn pieces(
    count: usize,
    most: usize,
    out: &mut [u8],
    mut past: Option<&mut Block>,
    fill: impl Fn(Range<usize>, &mut [u8]),
) {
    let (size, most) = (out.len() / count.max(1), most.clamp(1, count.max(1)));
    for (number, place) in out.chunks_mut((most * size).max(1)).enumerate() {
        let begin = number * most;
        let range = begin..(begin + most).min(count);
        match &mut past {
            None => fill(range, place),
            Some(block) => {
                let piece = &mut block.bytes_mut()[..place.len()];
                fill(range, piece);
                copy(piece, place);
            }
        }
    }
}

/// The most elements of `size` bytes of a block that is copied past the caches: so few that a processor reads the next
/// block meanwhile. Sums of 10⁷ floats take up to twice the time by blocks of 4096 bytes. Small elements, of which a block
/// takes longer to compute than to write, gain nothing.
pub(crate) fn most_elements(size: usize) -> usize {
    const BLOCK: usize = 1024;
    if size < size_of::<f32>() { usize::MAX } else { BLOCK / size }
}

/// Copies as many bytes as `to` holds past the caches.
#[cfg(target_arch = "x86_64")]
pub(crate) fn copy(from: &[u8], to: &mut [u8]) {
    use std::arch::x86_64::*;

    /// Only whole lines of the caches are stored so, since parts of one would be written one by one.
    const LINE: usize = 64;

    macro_rules! lines {
        ($name:ident, $feature:literal, $vector:ty, $load:ident, $stream:ident) => {
            /// # Safety
            /// The processor has the instructions.
            #[target_feature(enable = $feature)]
            unsafe fn $name(sources: &[[u8; LINE]], lines: &mut [[u8; LINE]]) {
                const IN_LINE: usize = LINE / size_of::<$vector>();
                for (line, source) in lines.iter_mut().zip(sources) {
                    let (line, source) =
                        (line.as_mut_ptr().cast::<$vector>(), source.as_ptr().cast::<$vector>());
                    // SAFETY: a line holds so many vectors and begins at a multiple of its size.
                    unsafe {
                        let vectors: [$vector; IN_LINE] =
                            std::array::from_fn(|index| $load(source.add(index)));
                        for (index, vector) in vectors.into_iter().enumerate() {
                            $stream(line.add(index), vector);
                        }
                    }
                }
            }
        };
    }
    lines!(by_16, "sse2", __m128i, _mm_loadu_si128, _mm_stream_si128);
    lines!(by_32, "avx", __m256i, _mm256_loadu_si256, _mm256_stream_si256);
    lines!(by_64, "avx512f", __m512i, _mm512_loadu_si512, _mm512_stream_si512);

    let head = to.as_ptr().align_offset(LINE).min(to.len());
    let (to_head, to) = to.split_at_mut(head);
    let (from_head, from) = from[..head + to.len()].split_at(head);
    to_head.copy_from_slice(from_head);
    let (lines, rest) = to.as_chunks_mut::<LINE>();
    let (sources, last) = from.as_chunks::<LINE>();
    // SAFETY: the processor was asked; SSE2 is part of the architecture.
    unsafe {
        if is_x86_feature_detected!("avx512f") {
            by_64(sources, lines);
        } else if is_x86_feature_detected!("avx") {
            by_32(sources, lines);
        } else {
            by_16(sources, lines);
        }
    }
    rest.copy_from_slice(last);
}

/// Copies bytes past the caches where there is an instruction for it; here there is none.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn copy(from: &[u8], to: &mut [u8]) {
    to.copy_from_slice(&from[..to.len()]);
}

/// Orders all copies of this thread before what it stores next.
pub(crate) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of the architecture.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}
