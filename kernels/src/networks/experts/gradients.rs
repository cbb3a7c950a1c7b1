//! Gradients of the rows that experts get and give, and of their scores.

use crate::functions::rows::{add_scaled, dot};

/// Writes the sum of the rows at some places, which are the gradients of a token. A negative place, or one from `limit` on,
/// counts nothing; one without a row is an error.
pub fn sum_of_places(rows: &[f32], places: &[i32], limit: usize, out: &mut [f32]) -> Result<(), usize> {
    let len = out.len();
    out.fill(0.0);
    for place in places {
        let Some(place) = usize::try_from(*place).ok().filter(|place| *place < limit) else { continue };
        let Some(row) = row(rows, place, len) else { return Err(place) };
        out.iter_mut().zip(row).for_each(|(out, x)| *out += x);
    }
    Ok(())
}

/// A row of a matrix, if there is one.
fn row(rows: &[f32], place: usize, len: usize) -> Option<&[f32]> {
    rows.get(place.checked_mul(len)?..)?.get(..len)
}

/// The way in which scores became the weights of experts.
#[derive(Clone, Copy)]
pub struct Gating {
    /// Whether scores are sigmoids; otherwise they are a softmax.
    pub is_sigmoid: bool,
    /// Whether weights were divided by their sum, to which `eps` was added.
    pub divides: bool,
    pub eps: f64,
    /// The factor of the weights.
    pub factor: f64,
}

impl Gating {
    /// Writes the gradients of what the scores of a row were made of, by those of the weights of its experts, `g`. An expert
    /// that does not exist is an error.
    pub fn gradients(&self, scores: &[f32], g: &[f32], places: &[i32], out: &mut [f32]) -> Result<(), i32> {
        let score = |place: &i32| usize::try_from(*place).ok().and_then(|place| scores.get(place));
        if let Some(place) = places.iter().find(|place| score(place).is_none()) {
            return Err(*place);
        }
        let at = |place: &i32| score(place).map_or(0.0, |score| f64::from(*score));
        let sum = places.iter().map(at).sum::<f64>() + self.eps;
        let product: f64 = places.iter().zip(g).map(|(place, g)| at(place) * f64::from(*g)).sum();
        out.fill(0.0);
        for (place, g) in places.iter().zip(g) {
            let g = f64::from(*g);
            let own = if self.divides { g / sum - product / (sum * sum) } else { g };
            if let Some(out) = usize::try_from(*place).ok().and_then(|place| out.get_mut(place)) {
                *out += (self.factor * own) as f32;
            }
        }
        let inner = dot(out, scores);
        for (d, n) in out.iter_mut().zip(scores) {
            let (own, n) = (f64::from(*d), f64::from(*n));
            *d = (if self.is_sigmoid { own * n * (1.0 - n) } else { n * (own - inner) }) as f32;
        }
        Ok(())
    }
}

/// Sums of the rows of the experts of tokens.
pub struct Sums<'a> {
    /// Elements of a row, and experts of a token.
    pub len: usize,
    pub k: usize,
    /// The place of the row of each expert of each token; those of the first experts come first, if they lie by columns. An
    /// expert that did not take a token has a place that does not exist.
    pub places: &'a [i32],
    pub by_column: bool,
    /// The rows that were summed up, their factors, the experts and their biases; each may be empty. Factors are 1 then.
    pub rows: &'a [f32],
    pub factors: &'a [f32],
    pub experts: &'a [i32],
    pub bias: &'a [f32],
}

impl Sums<'_> {
    /// Writes the gradients of the rows of experts by those of the sums, `g`, and the gradients of their factors, unless
    /// `of_factors` is empty.
    pub fn gradients(&self, g: &[f32], of_rows: &mut [f32], of_factors: &mut [f32]) {
        let (len, tokens) = (self.len.max(1), g.len() / self.len.max(1));
        let product = |g: &[f32], row: Option<&[f32]>| dot(g, row.unwrap_or_default());
        of_rows.fill(0.0);
        for (token, g) in g.chunks(len).enumerate() {
            for choice in 0..self.k {
                let own = token * self.k + choice;
                let at = if self.by_column { choice * tokens + token } else { own };
                let place = self.places.get(at).and_then(|place| usize::try_from(*place).ok());
                let place = place.unwrap_or(usize::MAX);
                if let Some(to) = place.checked_mul(len).and_then(|first| of_rows.get_mut(first..)) {
                    let factor = self.factors.get(own).copied().unwrap_or(1.0);
                    add_scaled(g, factor, to);
                }
                if let Some(to) = of_factors.get_mut(own) {
                    let expert = self.experts.get(own).and_then(|expert| usize::try_from(*expert).ok());
                    let bias = expert.and_then(|expert| row(self.bias, expert, len));
                    *to = (product(g, row(self.rows, place, len)) + product(g, bias)) as f32;
                }
            }
        }
    }
}
