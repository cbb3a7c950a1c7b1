//! Elements rotated by their positions: `x · cos + r(x) · sin`, where `r` exchanges elements and their signs.

use crate::views::allocation;
use crate::views::failure::Result;
use crate::{LaneBody, LaneFunction, Panel};

/// The pairs of elements that are rotated together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rotation {
    /// Elements of the first half with those of the second.
    Half,
    /// Each with its neighbour.
    Interleaved,
    /// Elements of the first quarter with those of the second, and of the third with those of the fourth.
    Quarter,
    /// Each with its neighbour; the result has the first of all pairs, and then the second of all.
    InterleavedHalf,
}

impl Rotation {
    /// Of an element of a result of so many, the number of the element that is multiplied by the cosine, of the one that is
    /// multiplied by the sine, and the sign of that.
    #[inline(always)]
    fn term(self, size: usize, at: usize) -> Term {
        let pair = |is_first: bool, from: usize, apart: usize| match is_first {
            true => Term { from, with: from + apart, sign: -1.0 },
            false => Term { from, with: from - apart, sign: 1.0 },
        };
        let (half, quarter) = (size / 2, size / 4);
        match self {
            Rotation::Half => pair(at < half, at, half),
            Rotation::Interleaved => pair(at.is_multiple_of(2), at, 1),
            Rotation::Quarter => pair(at < quarter || (half..half + quarter).contains(&at), at, quarter),
            Rotation::InterleavedHalf if at < half => pair(true, 2 * at, 1),
            Rotation::InterleavedHalf => pair(false, 2 * (at - half) + 1, 1),
        }
    }
}

impl Rotation {
    /// Rotates the elements of a row by their cosines and sines.
    pub(crate) fn rotate(self, x: &[f32], [cos, sin]: [&[f32]; 2], out: &mut [f32]) {
        let size = out.len();
        for ((at, out), (cos, sin)) in out.iter_mut().enumerate().zip(cos.iter().zip(sin)) {
            let term = self.term(size, at);
            *out = x[term.from] * cos + term.sign * x[term.with] * sin;
        }
    }
}

struct Term {
    from: usize,
    with: usize,
    sign: f32,
}

/// Rotates lanes of elements; the inputs are these, their cosines and their sines.
pub struct Rotate {
    rotation: Rotation,
    /// Elements of a lane.
    size: usize,
}

impl Rotate {
    pub fn new(rotation: Rotation, size: usize) -> Self {
        Self { rotation, size }
    }
}

impl LaneBody for Rotate {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([x, cos, sin], [out]) = (inputs, outputs) else { return Ok(()) };
        let [x, cos, sin]: [&[f32]; 3] = [x, cos, sin].map(|bytes| bytemuck::cast_slice(bytes));
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        self.rotation.rotate(x, [cos, sin], out);
        Ok(())
    }

    fn panel(&self, Panel { count, inputs, outputs, .. }: Panel<'_, '_>) -> Result {
        let len = self.size * size_of::<f32>();
        for lane in 0..count {
            let part = lane * len..(lane + 1) * len;
            let ([x, cos, sin], [out]) = (inputs, &mut *outputs) else { return Ok(()) };
            let inputs = [x, cos, sin].map(|input| &input[part.clone()]);
            self.lane(lane, &inputs, &mut [&mut out[part]])?;
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["rotate"]
    }
}

/// Rotates lanes by a matrix: `x · cos + (x · rotation) · sin`. The inputs are elements, cosines, sines and the matrix.
pub fn rotate_by_matrix(size: usize) -> LaneFunction {
    LaneFunction::new("rotate", move |_, inputs, outputs| {
        let ([x, cos, sin, matrix], [out]) = (inputs, outputs) else { return Ok(()) };
        let [x, cos, sin, matrix]: [&[f32]; 4] =
            [x, cos, sin, matrix].map(|bytes| bytemuck::cast_slice(bytes));
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        for (at, (out, (cos, sin))) in out.iter_mut().zip(cos.iter().zip(sin)).enumerate() {
            let column = matrix.iter().skip(at).step_by(size);
            let rotated: f64 = x.iter().zip(column).map(|(x, of)| f64::from(*x) * f64::from(*of)).sum();
            *out = x[at] * cos + rotated as f32 * sin;
        }
        Ok(())
    })
}

/// Rotates the heads of tokens by angles that lie in one lane: for each row of positions the cosines, and then the sines. The
/// inputs are queries, keys and angles, the outputs are queries and keys.
pub struct RotateTokens {
    /// Elements of a head.
    pub head: usize,
    /// Pairs of elements of a head that are rotated.
    pub pairs: usize,
    /// For each pair, the row of angles that it is rotated by; the first one where there is none.
    pub rows: Vec<usize>,
    /// Whether the pairs are elements of both halves, and not neighbours.
    pub halves: bool,
}

impl LaneBody for RotateTokens {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let [query, key, angles] = inputs else { return Ok(()) };
        let angles: &[f32] = bytemuck::cast_slice(angles);
        let pairs = self.pairs;
        for (x, out) in [query, key].into_iter().zip(outputs) {
            let (x, out): (&[f32], &mut [f32]) = (bytemuck::cast_slice(x), bytemuck::cast_slice_mut(out));
            out.copy_from_slice(x);
            for (x, out) in x.chunks_exact(self.head).zip(out.chunks_exact_mut(self.head)) {
                for pair in 0..pairs {
                    let row = self.rows.get(pair).copied().unwrap_or(0);
                    let (first, second) =
                        if self.halves { (pair, pair + pairs) } else { (2 * pair, 2 * pair + 1) };
                    let (cos, sin) = (angles[2 * row * pairs + pair], angles[(2 * row + 1) * pairs + pair]);
                    out[first] = x[first] * cos - x[second] * sin;
                    out[second] = x[second] * cos + x[first] * sin;
                }
            }
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["rotate"]
    }
}

/// The gradients of [`Rotate`], for lanes that share their cosines and sines.
///
/// Inputs are the gradient of the result, cosines and sines, and then the elements that were rotated, if the gradients of
/// cosines and sines are outputs behind that of the elements.
pub struct RotateBack {
    rotation: Rotation,
    /// Elements of a lane.
    size: usize,
}

impl RotateBack {
    pub fn new(rotation: Rotation, size: usize) -> Self {
        Self { rotation, size }
    }
}

impl LaneBody for RotateBack {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([dy, cos, sin, x @ ..], [dx, others @ ..]) = (inputs, outputs) else { return Ok(()) };
        let [dy, cos, sin]: [&[f32]; 3] = [dy, cos, sin].map(|bytes| bytemuck::cast_slice(bytes));
        let dx: &mut [f32] = bytemuck::cast_slice_mut(dx);
        let size = self.size;
        dx.fill(0.0);
        for (dy, dx) in dy.chunks_exact(size).zip(dx.chunks_exact_mut(size)) {
            for ((at, dy), (cos, sin)) in dy.iter().enumerate().zip(cos.iter().zip(sin)) {
                let term = self.rotation.term(size, at);
                dx[term.from] += dy * cos;
                dx[term.with] += term.sign * dy * sin;
            }
        }
        let ([x], [dcos, dsin]) = (x, others) else { return Ok(()) };
        let x: &[f32] = bytemuck::cast_slice(x);
        let [dcos, dsin]: [&mut [f32]; 2] = [dcos, dsin].map(|bytes| bytemuck::cast_slice_mut(bytes));
        let mut sums = allocation::zeros::<[f64; 2]>(size)?;
        for (dy, x) in dy.chunks_exact(size).zip(x.chunks_exact(size)) {
            for (at, (sums, dy)) in sums.iter_mut().zip(dy).enumerate() {
                let term = self.rotation.term(size, at);
                let (dy, sign) = (f64::from(*dy), f64::from(term.sign));
                sums[0] += dy * f64::from(x[term.from]);
                sums[1] += dy * sign * f64::from(x[term.with]);
            }
        }
        for ((dcos, dsin), [of_cos, of_sin]) in dcos.iter_mut().zip(dsin).zip(sums) {
            (*dcos, *dsin) = (of_cos as f32, of_sin as f32);
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["rotate back"]
    }
}
