//! Products with one vector or a few, which are as fast as memory gives their matrices: nothing is packed, and elements of
//! other types are converted in buffers that stay in the first-level cache.

#[cfg(target_arch = "x86_64")]
use std::any::TypeId;
use std::cell::RefCell;
use std::ops::Range;

use smallvec::SmallVec;

use super::element::Element;
use crate::views::block::Line;
#[cfg(target_arch = "x86_64")]
use crate::views::instructions::Instructions;
use crate::views::instructions::for_wide_instructions;
use crate::views::runs;
use crate::{Block, Conversions};

/// Sums that run side by side, so that the next one need not wait for the one before it.
const SIDE_BY_SIDE: usize = 32;

/// Rows that are added to a result together, so that it is read and written less often.
const ROWS: usize = 4;

/// The most elements of rows whose sums take longer than their products.
#[cfg(target_arch = "x86_64")]
const SHORT: usize = 256;

/// Elements from one that is converted to one that memory is asked for meanwhile.
const AHEAD: usize = 8192;

/// Vectors that are multiplied by one matrix together, at most.
pub const FEW: usize = 8;

/// Rows of bf16 that are multiplied by one vector after the other.
const SHORT_ROWS: usize = 8;

/// Elements of another type than the one that is multiplied.
pub struct Stored {
    /// Bytes of an element.
    pub size: usize,
    pub conversions: Conversions,
    /// Whether elements are bf16 that become f32, which takes no buffer.
    pub is_bf16: bool,
}

/// A matrix in memory.
#[derive(Clone, Copy)]
pub(super) enum Matrix<'a, T> {
    Elements(&'a [T]),
    Stored(&'a [u8], &'a Stored),
    /// The elements from one on, as a function makes them.
    Made(usize, &'a dyn Make<T>),
}

/// Makes the elements of a matrix.
pub(super) trait Make<T>: Sync {
    /// Fills a buffer with the elements of a range. There is another buffer for values in between.
    fn fill(&self, range: Range<usize>, to: &mut [T], between: &mut Block);

    /// Asks memory for what those of a range are made of.
    fn prefetch(&self, range: Range<usize>);
}

thread_local! {
    static BUFFERS: RefCell<([Block; ROWS], Block)> =
        RefCell::new((std::array::from_fn(|_| Block::new()), Block::new()));
}

/// Asks for bytes that are needed later.
pub(super) fn prefetch(bytes: &[u8]) {
    bytes.iter().step_by(Line::SIZE).for_each(|byte| runs::prefetch(byte, true));
}

impl<'a, T: Element> Matrix<'a, T> {
    /// The elements from `first` on.
    pub(super) fn from(self, first: usize) -> Self {
        match self {
            Self::Elements(elements) => Self::Elements(elements.get(first..).unwrap_or_default()),
            Self::Stored(bytes, stored) => {
                Self::Stored(bytes.get(first * stored.size..).unwrap_or_default(), stored)
            }
            Self::Made(begin, make) => Self::Made(begin + first, make),
        }
    }

    /// How many elements are visited together: no more than a buffer has room for.
    fn together(&self) -> usize {
        match self {
            Self::Elements(_) | Self::Made(..) => Block::SIZE / size_of::<T>(),
            Self::Stored(_, stored) => Block::SIZE / stored.conversions.widest().max(size_of::<T>()),
        }
    }

    /// Asks for elements that are converted later.
    fn prefetch(&self, first: usize, count: usize) {
        match *self {
            Self::Elements(_) => {}
            Self::Stored(bytes, stored) => {
                let bytes = bytes.get(first * stored.size..(first + count) * stored.size);
                prefetch(bytes.unwrap_or_default());
            }
            Self::Made(begin, make) => make.prefetch(begin + first..begin + first + count),
        }
    }

    /// Elements, converted in a buffer if they have to be.
    fn part<'b>(&self, first: usize, count: usize, buffer: &'b mut Block, between: &mut Block) -> &'b [T]
    where
        'a: 'b,
    {
        match *self {
            Self::Elements(elements) => elements.get(first..first + count).unwrap_or_default(),
            Self::Stored(bytes, &Stored { size, ref conversions, .. }) => {
                let bytes = bytes.get(first * size..(first + count) * size).unwrap_or_default();
                let to = &mut buffer.bytes_mut()[..bytes.len() / size * size_of::<T>()];
                conversions.apply(bytes.len() / size, bytes, to, between);
                bytemuck::cast_slice(to)
            }
            Self::Made(begin, make) => {
                let to = bytemuck::cast_slice_mut(&mut buffer.bytes_mut()[..count * size_of::<T>()]);
                make.fill(begin + first..begin + first + count, to, between);
                to
            }
        }
    }
}

/// Writes the products of each row of a matrix and each of some vectors, to a result of each vector.
pub(super) fn rows<T: Element>(matrix: Matrix<'_, T>, vectors: &[&[T]], results: &mut [&mut [T]]) {
    let len = vectors.first().map_or(0, |vector| vector.len());
    let count = results.first().map_or(0, |out| out.len());
    if len == 0 {
        return results.iter_mut().for_each(|out| out.fill(T::zeroed()));
    }
    if let Matrix::Stored(bytes, Stored { is_bf16: true, .. }) = matrix {
        let rows = bytemuck::cast_slice(bytes).chunks(SHORT_ROWS * len).take(count.div_ceil(SHORT_ROWS));
        for (number, rows) in rows.enumerate() {
            let some = number * SHORT_ROWS..count.min((number + 1) * SHORT_ROWS);
            for (vector, out) in vectors.iter().zip(&mut *results) {
                multiply_bf16(
                    rows,
                    bytemuck::cast_slice(vector),
                    bytemuck::cast_slice_mut(&mut out[some.clone()]),
                );
            }
        }
        return;
    }
    let most = matrix.together();
    BUFFERS.with_borrow_mut(|([buffer, ..], between)| {
        if len <= most {
            let rows_together = most / len;
            for first in (0..count).step_by(rows_together) {
                let rows = first..count.min(first + rows_together);
                matrix.prefetch(first * len + AHEAD, rows.len() * len);
                let elements = matrix.part(first * len, rows.len() * len, buffer, between);
                let mut some: SmallVec<[&mut [T]; FEW]> =
                    results.iter_mut().map(|out| &mut out[rows.clone()]).collect();
                multiply_each(elements, vectors, &mut some);
            }
            return;
        }
        for row in 0..count {
            let mut sums = [[T::zeroed(); SIDE_BY_SIDE]; FEW];
            for first in (0..len).step_by(most) {
                let part = first..len.min(first + most);
                matrix.prefetch(row * len + first + AHEAD, part.len());
                let elements = matrix.part(row * len + first, part.len(), buffer, between);
                for (vector, sums) in vectors.iter().zip(&mut sums) {
                    add_products(sums, elements, &vector[part.clone()]);
                }
            }
            results.iter_mut().zip(sums).for_each(|(out, sums)| out[row] = total(sums));
        }
    });
}

/// Writes the sums of the rows of a matrix that begin `step` elements apart, each times an element of a vector, to a result of
/// each vector.
pub(super) fn columns<T: Element>(
    matrix: Matrix<'_, T>,
    step: usize,
    vectors: &[&[T]],
    results: &mut [&mut [T]],
) {
    let count = vectors.first().map_or(0, |vector| vector.len());
    let len = results.first().map_or(0, |out| out.len());
    results.iter_mut().for_each(|out| out.fill(T::zeroed()));
    if let (Matrix::Stored(bytes, Stored { is_bf16: true, .. }), [vector], [out]) =
        (matrix, vectors, &mut *results)
    {
        let (vector, out) = (bytemuck::cast_slice(vector), bytemuck::cast_slice_mut(out));
        return columns_of_bf16(bytemuck::cast_slice(bytes), step, vector, out);
    }
    let most = matrix.together();
    BUFFERS.with_borrow_mut(|(buffers, between)| {
        if len == step && (1..=most / ROWS).contains(&len) {
            let rows_together = most / len / ROWS * ROWS;
            for first in (0..count).step_by(rows_together) {
                let part = first..count.min(first + rows_together);
                let elements = matrix.part(first * len, part.len() * len, &mut buffers[0], between);
                for (vector, out) in vectors.iter().zip(&mut *results) {
                    let factors = vector[part.clone()].chunks(ROWS);
                    for (rows, factors) in elements.chunks(ROWS * len).zip(factors) {
                        let mut rows = rows.chunks(len);
                        let rows = std::array::from_fn(|_| rows.next().unwrap_or_default());
                        add_rows(out, rows, factors);
                    }
                }
            }
            return;
        }
        for start in (0..len).step_by(most) {
            let part = start..len.min(start + most);
            for group in (0..count).step_by(ROWS) {
                let some = group..count.min(group + ROWS);
                let mut rows = [&[][..]; ROWS];
                for ((row, place), buffer) in some.clone().zip(&mut rows).zip(&mut *buffers) {
                    // The rows are too far apart for the processor to see that they follow each other.
                    matrix.prefetch((row + ROWS) * step + start, part.len());
                    *place = matrix.part(row * step + start, part.len(), buffer, between);
                }
                for (vector, out) in vectors.iter().zip(&mut *results) {
                    add_rows(&mut out[part.clone()], rows, &vector[some.clone()]);
                }
            }
        }
    });
}

/// Adds rows of bf16 to a result of zeros, each times an element of a vector, as [`columns`] does, without a buffer.
fn columns_of_bf16(elements: &[u16], step: usize, vector: &[f32], out: &mut [f32]) {
    const TOGETHER: usize = Block::SIZE / size_of::<f32>();
    for (number, out) in out.chunks_mut(TOGETHER).enumerate() {
        let len = out.len();
        let row = |row: usize| elements.get(row * step + number * TOGETHER..)?.get(..len);
        for (group, factors) in vector.chunks(ROWS).enumerate() {
            let first = group * ROWS;
            let rows = std::array::from_fn(|place| row(first + place).unwrap_or_default());
            // As for other rows.
            (first + ROWS..first + 2 * ROWS)
                .filter_map(row)
                .for_each(|row| prefetch(bytemuck::cast_slice(row)));
            add_rows_of_bf16(out, rows, factors);
        }
    }
}

/// Writes the products of each row and each of some vectors, as [`rows`] does.
fn multiply_each<T: Element>(elements: &[T], vectors: &[&[T]], results: &mut [&mut [T]]) {
    #[cfg(target_arch = "x86_64")]
    if TypeId::of::<T>() == TypeId::of::<f32>()
        && Instructions::chosen() >= Instructions::Avx512
        // One vector and long rows wait for memory, which serves the plain loop better.
        && vectors.first().is_some_and(|vector| vectors.len() > 1 || vector.len() <= SHORT)
    {
        let vectors: SmallVec<[&[f32]; FEW]> =
            vectors.iter().map(|vector| bytemuck::cast_slice(vector)).collect();
        let mut results: SmallVec<[&mut [f32]; FEW]> =
            results.iter_mut().map(|out| bytemuck::cast_slice_mut(out)).collect();
        // SAFETY: the processor has the instructions.
        return unsafe { x86::multiply_floats(bytemuck::cast_slice(elements), &vectors, &mut results) };
    }
    for (vector, out) in vectors.iter().zip(results) {
        multiply_rows(elements, vector, out);
    }
}

/// The loops whose vectors the compiler does not find.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::SIDE_BY_SIDE;

    /// Vectors that are multiplied by a row together.
    const TOGETHER: usize = 4;

    /// Elements of half of the sums.
    const HALF: usize = SIDE_BY_SIDE / 2;

    /// Computes what [`super::multiply_each`] does, a row and some vectors at a time, and adds up in the same order.
    #[target_feature(enable = "avx512f")]
    pub(super) fn multiply_floats(elements: &[f32], vectors: &[&[f32]], results: &mut [&mut [f32]]) {
        for (vectors, results) in vectors.chunks(TOGETHER).zip(results.chunks_mut(TOGETHER)) {
            match vectors.len() {
                1 => multiply_some::<1>(elements, vectors, results),
                _ => multiply_some::<TOGETHER>(elements, vectors, results),
            }
        }
    }

    /// Loads both halves of the elements that run side by side.
    ///
    /// # Safety
    /// The elements are there.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn both(from: *const f32) -> [__m512; 2] {
        // SAFETY: by the contract.
        unsafe { [_mm512_loadu_ps(from), _mm512_loadu_ps(from.add(HALF))] }
    }

    /// Loads the first `count` of the elements that run side by side, and zeros, which add zeros.
    ///
    /// # Safety
    /// So many are there.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn some_of_both(from: *const f32, count: usize) -> [__m512; 2] {
        let mask = |count: usize| ((1_u32 << count) - 1) as u16;
        let (low, high) = (mask(count.min(HALF)), mask(count.saturating_sub(HALF)));
        // SAFETY: the masks leave out what is not there.
        unsafe { [_mm512_maskz_loadu_ps(low, from), _mm512_maskz_loadu_ps(high, from.wrapping_add(HALF))] }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn add_products(sums: &mut [__m512; 2], own: [__m512; 2], other: [__m512; 2]) {
        let [low, high] = sums;
        *low = _mm512_add_ps(*low, _mm512_mul_ps(other[0], own[0]));
        *high = _mm512_add_ps(*high, _mm512_mul_ps(other[1], own[1]));
    }

    /// Computes the products of up to `COUNT` vectors.
    #[target_feature(enable = "avx512f")]
    fn multiply_some<const COUNT: usize>(elements: &[f32], vectors: &[&[f32]], results: &mut [&mut [f32]]) {
        let Some(last) = vectors.len().checked_sub(1) else { return };
        let len = vectors[last].len();
        assert!(len > 0 && vectors.iter().all(|vector| vector.len() == len), "vectors of other lengths");
        let whole = len - len % SIDE_BY_SIDE;
        // Those that are not there are computed as the last one is.
        let some: [&[f32]; COUNT] = std::array::from_fn(|number| vectors[number.min(last)]);
        for (number, row) in elements.chunks_exact(len).enumerate() {
            let mut sums = [[_mm512_setzero_ps(); 2]; COUNT];
            for place in (0..whole).step_by(SIDE_BY_SIDE) {
                // SAFETY: so many elements are there; all vectors have one length.
                unsafe {
                    let own = both(row.as_ptr().add(place));
                    for (sums, vector) in sums.iter_mut().zip(some) {
                        add_products(sums, own, both(vector.as_ptr().add(place)));
                    }
                }
            }
            if whole < len {
                // SAFETY: the masks leave out what is not there; all vectors have one length.
                unsafe {
                    let own = some_of_both(row.as_ptr().add(whole), len - whole);
                    for (sums, vector) in sums.iter_mut().zip(some) {
                        add_products(sums, own, some_of_both(vector.as_ptr().add(whole), len - whole));
                    }
                }
            }
            for (out, [low, high]) in results.iter_mut().zip(sums) {
                out[number] = _mm512_reduce_add_ps(_mm512_add_ps(low, high));
            }
        }
    }
}

for_wide_instructions! {
    /// Writes the product of each row, which has as many elements as the vector.
    fn multiply_rows[T: Element](elements: &[T], vector: &[T], out: &mut [T]) {
        for (out, row) in out.iter_mut().zip(elements.chunks(vector.len())) {
            let mut sums = [T::zeroed(); SIDE_BY_SIDE];
            add_run(&mut sums, row, vector);
            *out = total(sums);
        }
    }

    /// Writes the product of each row of bf16 as [`multiply_rows`] does.
    fn multiply_bf16(elements: &[u16], vector: &[f32], out: &mut [f32]) {
        for (out, row) in out.iter_mut().zip(elements.chunks(vector.len())) {
            let mut sums = [0.0; SIDE_BY_SIDE];
            let ((row, rest), (blocks, others)) = (row.as_chunks(), vector.as_chunks());
            for (row, block) in row.iter().zip(blocks) {
                add_bf16(&mut sums, row, block);
            }
            let (mut last, mut block) = ([0; SIDE_BY_SIDE], [0.0; SIDE_BY_SIDE]);
            last[..rest.len()].copy_from_slice(rest);
            block[..others.len()].copy_from_slice(others);
            let mut ended = sums;
            add_bf16(&mut ended, &last, &block);
            sums[..rest.len()].copy_from_slice(&ended[..rest.len()]);
            *out = total(sums);
        }
    }

    /// Adds the products of two runs to sums in turn.
    fn add_products[T: Element](sums: &mut [T; SIDE_BY_SIDE], a: &[T], b: &[T]) {
        add_run(sums, a, b);
    }

    /// Adds rows, each times a factor, one after the other.
    fn add_rows[T: Element](out: &mut [T], rows: [&[T]; ROWS], factors: &[T]) {
        if let ([a, b, c, d], [by_a, by_b, by_c, by_d]) = (rows, factors) {
            for (out, (((a, b), c), d)) in out.iter_mut().zip(a.iter().zip(b).zip(c).zip(d)) {
                let sum = out.plus_product(*by_a, *a).plus_product(*by_b, *b);
                *out = sum.plus_product(*by_c, *c).plus_product(*by_d, *d);
            }
            return;
        }
        for (row, factor) in rows.into_iter().zip(factors) {
            out.iter_mut().zip(row).for_each(|(out, element)| *out = out.plus_product(*factor, *element));
        }
    }

    /// Adds rows of bf16 as [`add_rows`] does.
    fn add_rows_of_bf16(out: &mut [f32], rows: [&[u16]; ROWS], factors: &[f32]) {
        if let ([a, b, c, d], [by_a, by_b, by_c, by_d]) = (rows, factors) {
            for (out, (((a, b), c), d)) in out.iter_mut().zip(a.iter().zip(b).zip(c).zip(d)) {
                let sum = out.plus_product(*by_a, wide(*a)).plus_product(*by_b, wide(*b));
                *out = sum.plus_product(*by_c, wide(*c)).plus_product(*by_d, wide(*d));
            }
            return;
        }
        for (row, factor) in rows.into_iter().zip(factors) {
            out.iter_mut().zip(row).for_each(|(out, element)| *out = out.plus_product(*factor, wide(*element)));
        }
    }
}

#[inline(always)]
fn wide(half: u16) -> f32 {
    f32::from_bits(u32::from(half) << 16)
}

/// Adds the product of each number of bf16, which is the upper half of one of f32, and another number.
#[inline(always)]
fn add_bf16(sums: &mut [f32; SIDE_BY_SIDE], row: &[u16; SIDE_BY_SIDE], vector: &[f32; SIDE_BY_SIDE]) {
    for index in 0..SIDE_BY_SIDE {
        sums[index] += wide(row[index]) * vector[index];
    }
}

#[inline(always)]
fn add_run<T: Element>(sums: &mut [T; SIDE_BY_SIDE], a: &[T], b: &[T]) {
    let ((a, rest_of_a), (b, rest_of_b)) = (a.as_chunks::<SIDE_BY_SIDE>(), b.as_chunks::<SIDE_BY_SIDE>());
    let mut own = *sums;
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in own.iter_mut().zip(a.iter().zip(b)) {
            *sum = sum.plus_product(*a, *b);
        }
    }
    for (sum, (a, b)) in own.iter_mut().zip(rest_of_a.iter().zip(rest_of_b)) {
        *sum = sum.plus_product(*a, *b);
    }
    *sums = own;
}

/// The sum of sums, in halves.
#[inline(always)]
fn total<T: Element>(sums: [T; SIDE_BY_SIDE]) -> T {
    let eight: [T; 8] = half(half::<_, SIDE_BY_SIDE, 16>(sums));
    let two: [T; 2] = half(half::<_, 8, 4>(eight));
    let [sum] = half(two);
    sum
}

#[inline(always)]
fn half<T: Element, const N: usize, const HALF: usize>(sums: [T; N]) -> [T; HALF] {
    std::array::from_fn(|lane| sums[lane].plus(sums[lane + HALF]))
}

#[cfg(test)]
mod tests {
    use aclnn_numerics::DType;
    use aclnn_numerics::product::Product;

    use super::*;
    use crate::{Choice, choose};

    /// Expected are those of the elements in f32.
    #[test]
    fn products_of_bf16_are_those_of_the_same_numbers_of_f32() {
        let conversions = Conversions::through(Product::Ascend910B, &[DType::BF16, DType::F32]).unwrap();
        let stored = Stored { size: 2, conversions, is_bf16: true };
        for (len, count) in [(1, 9), (31, 17), (32, 1), (1000, 8), (1100, 3)] {
            let halves: Vec<u16> =
                (0..len * count).map(|index| (index * 977 % 20_011 + 0x2000) as u16).collect();
            let wide: Vec<f32> = halves.iter().map(|half| f32::from_bits(u32::from(*half) << 16)).collect();
            let vectors: [Vec<f32>; 2] =
                [37, 53].map(|seed| (0..len).map(|index| (index * seed % 101) as f32 - 50.0).collect());
            let vectors = vectors.each_ref().map(|vector| &vector[..]);
            for instructions in 0..4 {
                let before = choose(Choice { instructions: Some(instructions), block: None });
                let [mut expected, mut got] =
                    [[vec![0.0; count], vec![0.0; count]], [vec![1.0; count], vec![1.0; count]]];
                rows(Matrix::Elements(&wide), &vectors, &mut expected.each_mut().map(|out| &mut out[..]));
                let matrix = Matrix::Stored(bytemuck::cast_slice(&halves), &stored);
                rows(matrix, &vectors, &mut got.each_mut().map(|out| &mut out[..]));
                assert_eq!(got, expected, "{len} {count} {instructions}");
                let factors: Vec<f32> = (0..count).map(|index| 0.3 * index as f32 - 1.0).collect();
                let [mut expected, mut got] = [vec![0.0; len], vec![1.0; len]];
                columns(Matrix::Elements(&wide), len, &[&factors], &mut [&mut expected]);
                columns(matrix, len, &[&factors], &mut [&mut got]);
                choose(before);
                assert_eq!(got, expected, "columns: {len} {count} {instructions}");
            }
        }
    }
}
