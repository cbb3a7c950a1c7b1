//! Functions of f16 and of bf16 that take not much longer than their conversions: widened, computed and narrowed by pieces that stay
//! in the nearest cache, so that memory is all that they wait for. They give the bits of the path by whole blocks, which computes
//! all other functions, but for which of several NaNs is kept.

#[cfg(target_arch = "x86_64")]
use std::ptr::fn_addr_eq;

use aclnn_numerics::DType;

use crate::functions::function::Function;
#[cfg(target_arch = "x86_64")]
use crate::functions::parametric::{between, bounded};
#[cfg(target_arch = "x86_64")]
use crate::functions::special::native;
#[cfg(target_arch = "x86_64")]
use crate::functions::{n_ary, pairwise, parametric, power, ternary, unary};

/// The elements of an operand, or the one that is repeated.
#[derive(Clone, Copy)]
pub enum Short<'a> {
    /// As they are stored.
    Halves(&'a [u8]),
    Number(f32),
}

/// Combines the elements of operands into the last block.
pub type Halves = fn(&[Short<'_>], &mut [u8]);

/// Returns whether functions are the same. Of equal ones the compiler may make one or several.
#[cfg(target_arch = "x86_64")]
fn are_same(a: Function, b: Option<Function>) -> bool {
    match (a, b) {
        (Function::Two(a), Some(Function::Two(b))) => fn_addr_eq(a, b),
        (Function::Many(a), Some(Function::Many(b))) => fn_addr_eq(a, b),
        _ => false,
    }
}

/// Each line has an expression, computed in f32, or in f64 and rounded once, and the loop of f32 that computes the same; and the one
/// type that it serves, where that is not both.
#[cfg(target_arch = "x86_64")]
macro_rules! functions {
    ($($wide:ident [$($x:ident),+] $result:expr, of $function:expr $(, in $only:ident)?;)*) => {
        /// Returns the loop of a function of f32 for operands and results of a type of 16 bits.
        pub(crate) fn of(function: Function, dtype: DType) -> Option<Halves> {
            $(if $(dtype == DType::$only &&)? are_same(function, $function) {
                struct This;
                impl crate::views::instructions::Function<{ [$(stringify!($x)),+].len() }> for This {
                    #[inline(always)]
                    fn at([$($x),+]: [f32; [$(stringify!($x)),+].len()]) -> f32 {
                        $(let $x = $wide::from($x);)+
                        ($result) as f32
                    }

                    #[inline(always)]
                    fn row([$($x),+]: [&[f32]; [$(stringify!($x)),+].len()], out: &mut [f32]) {
                        n_ary::in_rows!([$($x),+] out[index] => out[index] = Self::at([$($x),+]));
                    }
                }
                return vectors::compiled::<vectors::Each<{ [$(stringify!($x)),+].len() }, This>>(dtype);
            })*
            None
        }

        #[cfg(test)]
        const ALL: &[(usize, fn() -> Option<Function>)] = &[$(([$(stringify!($x)),+].len(), || $function)),*];
    };
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn of(_: Function, _: DType) -> Option<Halves> {
    None
}

#[cfg(target_arch = "x86_64")]
functions! {
    f32 [x] x.abs(), of unary::abs(DType::F32).map(Function::Two);
    f32 [x] if x.is_nan() || x > 0.0 { x } else { 0.0 }, of unary::relu(DType::F32).map(Function::Two);
    f32 [x] x * (x * x), of power::special(3.0).map(Function::Two);
    f32 [x] native::exp(x), of unary::exp(DType::F32).map(Function::Two);
    // The numbers for which these are too far are 0 in f16.
    f32 [x] native::near::sigmoid(x), of unary::sigmoid(DType::F32).map(Function::Two), in F16;
    f32 [x] if x == f32::NEG_INFINITY {
        f32::NAN
    } else {
        native::near::silu(x)
    }, of unary::silu(DType::F32).map(Function::Two), in F16;
    f32 [x] x * ((x + 3.0).clamp(0.0, 6.0) / 6.0), of unary::hard_swish(DType::F32).map(Function::Two);
    f32 [a, b] bounded!(a > b), of pairwise::maximum(DType::F32).map(Function::Two);
    f32 [a, b] bounded!(a < b), of pairwise::minimum(DType::F32).map(Function::Two);
    f32 [x, low, high] between!(low, x, high), of parametric::clamp(DType::F32).map(Function::Many);
    f32 [x, slope] if x > 0.0 { x } else { slope * x }, of parametric::leaky_relu(DType::F32).map(Function::Many);
    f32 [g, y] g * y * (1.0 - y), of parametric::sigmoid_backward(DType::F32).map(Function::Many);
    f32 [g, x, threshold] if x <= threshold { 0.0 } else { g }, of parametric::threshold_backward(DType::F32).map(Function::Many);
    f32 [a, b, c, value] a + b * c * value, of ternary::addcmul(DType::F32);
    f32 [start, end, weight] if weight < 0.5 {
        start + weight * (end - start)
    } else {
        end + (weight - 1.0) * (end - start)
    }, of ternary::lerp(DType::F32);
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod vectors {
    use std::arch::x86_64::*;
    use std::marker::PhantomData;

    use aclnn_numerics::DType;
    use bytemuck::{cast, try_cast_slice, try_cast_slice_mut};

    use super::{Halves, Short};
    use crate::views::instructions::{Function, Instructions};

    /// Elements of a piece: few enough that a processor reads the next one meanwhile.
    pub(crate) const TOGETHER: usize = 64;

    /// Numbers of a piece. None of their vectors lies in two lines of the caches.
    #[derive(Clone, Copy)]
    #[repr(align(64))]
    pub(crate) struct Singles(pub(crate) [f32; TOGETHER]);

    /// A type of 16 bits, and instructions that widen and narrow it.
    pub(crate) trait Half {
        /// # Safety
        /// This processor has the instructions.
        unsafe fn widen(from: &[u16; TOGETHER], to: &mut Singles);

        /// Makes a NaN quiet.
        ///
        /// # Safety
        /// This processor has the instructions.
        unsafe fn narrow(from: &Singles, to: &mut [u16; TOGETHER]);
    }

    macro_rules! halves {
        ($($name:ident with $features:literal:
            $halves:ident: $short:ty => $widened:expr, $singles:ident: $wide:ty => $narrowed:expr;)*) => {$(
            struct $name;

            impl $name {
                const LANES: usize = size_of::<$short>() / size_of::<u16>();
            }

            impl Half for $name {
                #[inline]
                #[target_feature(enable = $features)]
                unsafe fn widen(from: &[u16; TOGETHER], to: &mut Singles) {
                    let (from, to) = (from.as_chunks::<{ Self::LANES }>().0, to.0.as_chunks_mut::<{ Self::LANES }>().0);
                    for place in 0..TOGETHER / Self::LANES {
                        let $halves: $short = cast(from[place]);
                        to[place] = cast($widened);
                    }
                }

                #[inline]
                #[target_feature(enable = $features)]
                unsafe fn narrow(from: &Singles, to: &mut [u16; TOGETHER]) {
                    let (from, to) = (from.0.as_chunks::<{ Self::LANES }>().0, to.as_chunks_mut::<{ Self::LANES }>().0);
                    for place in 0..TOGETHER / Self::LANES {
                        let $singles: $wide = cast(from[place]);
                        to[place] = cast($narrowed);
                    }
                }
            }
        )*};
    }

    halves! {
        F16By8 with "avx2,f16c":
            halves: __m128i => _mm256_cvtph_ps(halves),
            singles: __m256 => _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(singles);
        BF16By8 with "avx2,f16c":
            halves: __m128i => _mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(halves)),
            singles: __m256 => {
                let bits = _mm256_castps_si256(singles);
                let upper = _mm256_srli_epi32::<16>(bits);
                let half = _mm256_and_si256(upper, _mm256_set1_epi32(1));
                let half = _mm256_add_epi32(half, _mm256_set1_epi32(0x7FFF));
                let near = _mm256_srli_epi32::<16>(_mm256_add_epi32(bits, half));
                let quiet = _mm256_or_si256(upper, _mm256_set1_epi32(0x0040));
                let is_nan = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(singles, singles));
                let result = _mm256_blendv_epi8(near, quiet, is_nan);
                _mm_packus_epi32(_mm256_castsi256_si128(result), _mm256_extracti128_si256::<1>(result))
            };
        F16By16 with "avx512f":
            halves: __m256i => _mm512_cvtph_ps(halves),
            singles: __m512 => _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(singles);
        BF16By32 with "avx512f,avx512bw":
            halves: [__m256i; 2] => {
                let [low, high] = halves;
                let (low, high) = (_mm512_cvtepu16_epi32(low), _mm512_cvtepu16_epi32(high));
                [_mm512_slli_epi32::<16>(low), _mm512_slli_epi32::<16>(high)]
            },
            singles: [__m512; 2] => {
                let [low, high] = singles;
                let odd: [u16; 32] = std::array::from_fn(|lane| 2 * lane as u16 + 1);
                _mm512_permutex2var_epi16(rounded_to_bf16(low), cast(odd), rounded_to_bf16(high))
            };
    }

    /// The upper halves are the results.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn rounded_to_bf16(singles: __m512) -> __m512i {
        let bits = _mm512_castps_si512(singles);
        let half = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
        let half = _mm512_add_epi32(half, _mm512_set1_epi32(0x7FFF));
        let quiet = _mm512_or_si512(bits, _mm512_set1_epi32(0x0040_0000));
        let is_number = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(singles, singles);
        _mm512_mask_add_epi32(quiet, is_number, bits, half)
    }

    /// A loop over operands of a type of 16 bits.
    pub(crate) trait Loop {
        /// The loop is compiled for AVX2 too. What few programs compute is converted by passes of its own there.
        const HAS_AVX2: bool;

        /// Always inlined, where this processor has the instructions of the type.
        fn run<H: Half>(operands: &[Short<'_>], out: &mut [u8]);
    }

    /// Computes a function of each element.
    pub(super) struct Each<const N: usize, F>(PhantomData<F>);

    impl<const N: usize, F: Function<N>> Loop for Each<N, F> {
        const HAS_AVX2: bool = true;

        #[inline(always)]
        fn run<H: Half>(operands: &[Short<'_>], out: &mut [u8]) {
            each::<N, F, H>(operands, out);
        }
    }

    #[inline(always)]
    fn each<const N: usize, F: Function<N>, H: Half>(operands: &[Short<'_>], out: &mut [u8]) {
        let Ok(out) = try_cast_slice_mut::<u8, u16>(out) else {
            return debug_assert!(false, "blocks are aligned");
        };
        debug_assert!(operands.len() >= N, "there are enough operands");
        let (mut rows, mut made) = ([Singles([0.0; TOGETHER]); N], Singles([0.0; TOGETHER]));
        // Those that are repeated have none.
        let mut columns: [&[u16]; N] = [&[]; N];
        for ((row, column), operand) in rows.iter_mut().zip(&mut columns).zip(operands) {
            *column = repeated_or_many::<H>(*operand, row);
        }
        let mut last = [0; TOGETHER];
        for (number, out) in out.chunks_mut(TOGETHER).enumerate() {
            for (row, column) in rows.iter_mut().zip(columns) {
                let from = column.get(number * TOGETHER..).unwrap_or_default();
                if !from.is_empty() {
                    widen::<H>(from, row, &mut last);
                }
            }
            let mut pieces: [&[f32]; N] = [&[]; N];
            for (piece, row) in pieces.iter_mut().zip(&rows) {
                *piece = &row.0;
            }
            F::row(pieces, &mut made.0);
            narrow::<H>(&made, out, &mut last);
        }
    }

    /// Widens a piece, or the last elements, by way of a buffer.
    #[inline(always)]
    pub(crate) fn widen<H: Half>(from: &[u16], to: &mut Singles, last: &mut [u16; TOGETHER]) {
        let from = match from.first_chunk() {
            Some(whole) => whole,
            None => {
                last[..from.len()].copy_from_slice(from);
                &*last
            }
        };
        // SAFETY: this is inlined where the processor has the instructions.
        unsafe { H::widen(from, to) };
    }

    /// Narrows a piece, or the last elements, by way of a buffer.
    #[inline(always)]
    pub(crate) fn narrow<H: Half>(from: &Singles, to: &mut [u16], last: &mut [u16; TOGETHER]) {
        let count = to.len();
        // SAFETY: as for `widen`.
        unsafe { H::narrow(from, to.first_chunk_mut().unwrap_or(&mut *last)) };
        if count < TOGETHER {
            to.copy_from_slice(&last[..count]);
        }
    }

    /// Fills a row with the number that an operand repeats, or returns the elements of which it has many.
    #[inline(never)]
    fn repeated_or_many<'a, H: Half>(operand: Short<'a>, row: &mut Singles) -> &'a [u16] {
        match operand {
            Short::Number(number) => row.0.fill(number),
            Short::Halves(bytes) => match try_cast_slice(bytes).unwrap_or_default() {
                // SAFETY: this is called where the processor has the instructions.
                [one] => unsafe { H::widen(&[*one; TOGETHER], row) },
                many => return many,
            },
        }
        &[]
    }

    #[target_feature(enable = "avx2,fma,f16c")]
    fn by_8<L: Loop, H: Half>(operands: &[Short<'_>], out: &mut [u8]) {
        L::run::<H>(operands, out);
    }

    #[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl")]
    fn by_16<L: Loop, H: Half>(operands: &[Short<'_>], out: &mut [u8]) {
        L::run::<H>(operands, out);
    }

    /// Returns a loop for a type, if the processor has the instructions.
    pub(crate) fn compiled<L: Loop>(dtype: DType) -> Option<Halves> {
        macro_rules! either {
            ($by:ident: $f16:ty, $bf16:ty) => {
                match dtype {
                    // SAFETY: only `Instructions::of_this_processor` makes these values, where the processor has them.
                    DType::F16 => Some(|operands, out| unsafe { $by::<L, $f16>(operands, out) }),
                    // SAFETY: as above.
                    DType::BF16 => Some(|operands, out| unsafe { $by::<L, $bf16>(operands, out) }),
                    _ => None,
                }
            };
        }
        match Instructions::chosen() {
            Instructions::Baseline => None,
            Instructions::Avx2 => {
                if const { L::HAS_AVX2 } {
                    either!(by_8: F16By8, BF16By8)
                } else {
                    None
                }
            }
            Instructions::Avx512 | Instructions::Bf16 => either!(by_16: F16By16, BF16By32),
        }
    }
}

#[cfg(test)]
#[cfg(target_arch = "x86_64")]
mod tests {
    use aclnn_numerics::DType::*;
    use aclnn_numerics::product::Product;
    use bytemuck::{cast_slice, cast_slice_mut};

    use super::*;
    use crate::views::instructions::{Choice, choose};
    use crate::{Block, Conversions};

    /// The results by blocks of f32 with the baseline's instructions.
    fn by_blocks(function: Function, dtype: DType, operands: &[Vec<f32>], count: usize) -> Vec<u16> {
        let before = choose(Choice { instructions: Some(0), block: None });
        let mut made = vec![0_f32; count];
        let bytes: Vec<&[u8]> = operands.iter().map(|operand| cast_slice(operand)).collect();
        match function {
            Function::Two(function) => {
                function(bytes[0], bytes.get(1).copied().unwrap_or_default(), cast_slice_mut(&mut made));
            }
            Function::Many(function) => function(&bytes, cast_slice_mut(&mut made)),
            Function::Partial(_) => unreachable!("every element has a result"),
        }
        choose(before);
        let mut halves = vec![0_u16; count];
        let narrow = Conversions::through(Product::Ascend910B, &[F32, dtype]).expect("a conversion");
        narrow.apply_all(count, cast_slice(&made), cast_slice_mut(&mut halves), &mut Block::new());
        halves
    }

    fn widened(dtype: DType, halves: &[u16]) -> Vec<f32> {
        let mut singles = vec![0_f32; halves.len()];
        let widen = Conversions::through(Product::Ascend910B, &[dtype, F32]).expect("a conversion");
        widen.apply_all(halves.len(), cast_slice(halves), cast_slice_mut(&mut singles), &mut Block::new());
        singles
    }

    /// The loops of a function with each set of instructions that this processor has.
    fn loops(function: Function, dtype: DType) -> impl Iterator<Item = Halves> {
        let chosen = move |instructions| {
            let before = choose(Choice { instructions: Some(instructions), block: None });
            let halves = of(function, dtype);
            choose(before);
            halves
        };
        [1, 2].into_iter().filter_map(chosen)
    }

    /// Each operand has every value; all have special ones at the same place too. At most one is a NaN, since which one of
    /// several a sum keeps is left to the compiler.
    #[test]
    fn bits_are_those_of_blocks() {
        let mut random = fastrand::Rng::with_seed(17);
        for dtype in [F16, BF16] {
            let infinity = if dtype == F16 { 0x7C00 } else { 0x7F80 };
            let is_nan = |half: u16| half & 0x7FFF > infinity;
            let special = [0, 1, 0x3F80, 0x3C00, infinity - 1, infinity, 0x8000, infinity | 0x8000];
            for operands in 1..=ALL.iter().map(|(operands, _)| *operands).max().unwrap_or(0) {
                let mut all: Vec<Vec<u16>> = vec![Vec::new(); operands];
                for every in 0..2 * operands * 65_536 {
                    let (own, value) = (every / 65_536 % operands, every as u16);
                    for (operand, column) in all.iter_mut().enumerate() {
                        let other =
                            || if every % 2 == 0 { random.u16(..) } else { special[random.usize(..8)] };
                        let mut other = std::iter::repeat_with(other).filter(|half| !is_nan(*half));
                        column.push(if operand == own { value } else { other.next().unwrap_or_default() });
                    }
                }
                let functions = ALL.iter().enumerate().filter(|(_, (of, _))| *of == operands);
                let functions: Vec<_> = functions
                    .map(|(number, (_, function))| (number, function().expect("for f32")))
                    .map(|(number, function)| (number, function, loops(function, dtype).collect::<Vec<_>>()))
                    .collect();
                // Lengths around those of pieces, then long ones.
                let (mut at, mut len, count) = (0, 1, all[0].len());
                while at < count {
                    let end = (at + len).min(count);
                    let parts: Vec<&[u16]> = all.iter().map(|column| &column[at..end]).collect();
                    let singles: Vec<Vec<f32>> = parts.iter().map(|part| widened(dtype, part)).collect();
                    let shorts: Vec<Short<'_>> =
                        parts.iter().map(|part| Short::Halves(cast_slice(part))).collect();
                    for (number, function, loops) in &functions {
                        let expected = by_blocks(*function, dtype, &singles, end - at);
                        for halves in loops {
                            let mut got = vec![0xA5A5_u16; end - at + 1];
                            halves(&shorts, cast_slice_mut(&mut got[..end - at]));
                            assert_eq!(got.pop(), Some(0xA5A5), "an element behind the result");
                            let differ =
                                got.iter().zip(&expected).position(|(got, expected)| got != expected);
                            let differ = differ.map(|place| {
                                let operands: Vec<u16> = parts.iter().map(|part| part[place]).collect();
                                (operands, got[place], expected[place])
                            });
                            assert_eq!(differ, None, "function {number} of {dtype}");
                        }
                    }
                    (at, len) = (end, if len < 140 { len + 1 } else { 10_000 });
                }
            }
        }
    }

    /// As a half, and as a number of f32.
    #[test]
    fn an_operand_of_one_element_is_repeated() {
        let mut random = fastrand::Rng::with_seed(23);
        for dtype in [F16, BF16] {
            for (number, (operands, function)) in ALL.iter().enumerate() {
                let function = function().expect("for f32");
                for count in [1, 2, 63, 64, 65, 200] {
                    // Finite ones.
                    let columns: Vec<Vec<u16>> = (0..*operands)
                        .map(|_| (0..count).map(|_| random.u16(..) & 0xBBFF).collect())
                        .collect();
                    for long in 0..1 << operands {
                        let is_long = |operand: usize| long >> operand & 1 == 1;
                        let mut singles: Vec<Vec<f32>> =
                            columns.iter().map(|column| widened(dtype, column)).collect();
                        for (operand, column) in singles.iter_mut().enumerate() {
                            if !is_long(operand) {
                                let one = column[0];
                                column.fill(one);
                            }
                        }
                        let expected = by_blocks(function, dtype, &singles, count);
                        for are_numbers in [false, true] {
                            let shorts: Vec<Short<'_>> = (0..*operands)
                                .map(|operand| match (is_long(operand), are_numbers) {
                                    (true, _) => Short::Halves(cast_slice(&columns[operand])),
                                    (false, false) => Short::Halves(cast_slice(&columns[operand][..1])),
                                    (false, true) => Short::Number(singles[operand][0]),
                                })
                                .collect();
                            for halves in loops(function, dtype) {
                                let mut got = vec![0_u16; count];
                                halves(&shorts, cast_slice_mut(&mut got));
                                assert_eq!(got, expected, "function {number} of {dtype}, {count}, {long:b}");
                            }
                        }
                    }
                }
            }
        }
    }
}
