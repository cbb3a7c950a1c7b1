//! Elements turned by their positions: `x · cos + r(x) · sin`, where `r` exchanges elements and their signs.

use crate::kernels::room;
use crate::kernels::{LaneBody, Panel};
use crate::status::Result;

/// Which elements are turned together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rotation {
    /// Those of the first half with those of the second.
    Half,
    /// Each with its neighbour.
    Interleaved,
    /// Those of the first quarter with those of the second, and of the third with those of the fourth.
    Quarter,
    /// Each with its neighbour; the result has the first of all pairs, and then the second of all.
    InterleavedHalf,
}

impl Rotation {
    /// Of each element of a result, the number of the element that is multiplied by the cosine, of the one that is multiplied
    /// by the sine, and the sign of that.
    fn terms(self, size: usize) -> Vec<Term> {
        let pair = |from: usize, with: usize, is_first: bool| Term {
            from,
            with,
            sign: if is_first { -1.0 } else { 1.0 },
        };
        let parts = |part: usize| {
            move |at: usize| match at / part % 2 {
                0 => pair(at, at + part, true),
                _ => pair(at, at - part, false),
            }
        };
        match self {
            Rotation::Half => (0..size).map(parts((size / 2).max(1))).collect(),
            Rotation::Interleaved => (0..size).map(parts(1)).collect(),
            Rotation::Quarter => (0..size).map(parts((size / 4).max(1))).collect(),
            Rotation::InterleavedHalf => {
                let of = |at: usize| match at < size / 2 {
                    true => pair(2 * at, 2 * at + 1, true),
                    false => pair(2 * at - size + 1, 2 * at - size, false),
                };
                (0..size).map(of).collect()
            }
        }
    }
}

struct Term {
    from: usize,
    with: usize,
    sign: f32,
}

/// Turns lanes of elements; the inputs are these, their cosines and their sines.
pub(crate) struct Turn(Vec<Term>);

impl Turn {
    pub(crate) fn new(rotation: Rotation, size: usize) -> Self {
        Self(rotation.terms(size))
    }
}

impl LaneBody for Turn {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([x, cos, sin], [out]) = (inputs, outputs) else { return Ok(()) };
        let [x, cos, sin]: [&[f32]; 3] = [x, cos, sin].map(|bytes| bytemuck::cast_slice(bytes));
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        for ((out, term), (cos, sin)) in out.iter_mut().zip(&self.0).zip(cos.iter().zip(sin)) {
            *out = x[term.from] * cos + term.sign * x[term.with] * sin;
        }
        Ok(())
    }

    fn panel(&self, Panel { count, inputs, outputs, .. }: Panel<'_, '_>) -> Result {
        let len = self.0.len() * size_of::<f32>();
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

/// The gradients of [`Turn`], for lanes that share their cosines and sines.
///
/// Inputs are the gradient of the result, cosines and sines, and then the elements that were turned, if the gradients of
/// cosines and sines are outputs behind that of the elements.
pub(crate) struct TurnBack(Vec<Term>);

impl TurnBack {
    pub(crate) fn new(rotation: Rotation, size: usize) -> Self {
        Self(rotation.terms(size))
    }
}

impl LaneBody for TurnBack {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([dy, cos, sin, x @ ..], [dx, others @ ..]) = (inputs, outputs) else { return Ok(()) };
        let [dy, cos, sin]: [&[f32]; 3] = [dy, cos, sin].map(|bytes| bytemuck::cast_slice(bytes));
        let dx: &mut [f32] = bytemuck::cast_slice_mut(dx);
        let size = self.0.len();
        dx.fill(0.0);
        for (dy, dx) in dy.chunks_exact(size).zip(dx.chunks_exact_mut(size)) {
            for ((dy, term), (cos, sin)) in dy.iter().zip(&self.0).zip(cos.iter().zip(sin)) {
                dx[term.from] += dy * cos;
                dx[term.with] += term.sign * dy * sin;
            }
        }
        let ([x], [dcos, dsin]) = (x, others) else { return Ok(()) };
        let x: &[f32] = bytemuck::cast_slice(x);
        let [dcos, dsin]: [&mut [f32]; 2] = [dcos, dsin].map(|bytes| bytemuck::cast_slice_mut(bytes));
        let mut sums = room::zeros::<[f64; 2]>(size)?;
        for (dy, x) in dy.chunks_exact(size).zip(x.chunks_exact(size)) {
            for ((sums, dy), term) in sums.iter_mut().zip(dy).zip(&self.0) {
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
