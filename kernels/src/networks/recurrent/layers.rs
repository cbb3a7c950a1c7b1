//! The layers and directions of a network. A layer above the first one reads what all directions of the layer below it show.

use super::sequence::{Cell, Gradients, Grads, Mask, Sequence, Sizes, Trace, Traced, Weights};
use crate::views::allocation::{for_elements, zeros};
use crate::views::failure::Result;

/// A network.
pub struct Layers<'a> {
    pub cell: Cell,
    /// Sizes of the first layer.
    pub sizes: Sizes,
    /// Two if a layer also runs from its last step to its first one.
    pub directions: usize,
    /// Whether the first direction begins with the last step.
    pub is_reversed: bool,
    /// `[steps, batches, input]`.
    pub x: &'a [f32],
    /// Weights of each direction of each layer.
    pub weights: Vec<Weights<'a>>,
    /// Hidden states and those of cells, `[layers · directions, batches, hidden]`.
    pub initial: [Option<&'a [f32]>; 2],
    pub mask: Mask<'a>,
}

/// The traces of a network, one for each direction of each layer, in the order of the weights.
pub type Traces = Vec<Trace>;

/// The traces and the result of a network.
pub struct NetworkResults {
    pub traces: Traces,
    /// The states that the last layer shows, `[steps, batches, directions · hidden]`.
    pub shown: Vec<f32>,
}

/// The gradients of the input, and those of each direction of each layer.
pub struct NetworkGrads {
    pub x: Vec<f32>,
    pub of: Vec<Gradients>,
}

/// Rows of parts, one beside the other.
fn joined<'p>(parts: impl ExactSizeIterator<Item = &'p [f32]>, rows: usize, size: usize) -> Result<Vec<f32>> {
    let count = parts.len();
    let mut all = zeros(rows * count * size)?;
    for (number, part) in parts.enumerate() {
        let to = all.chunks_exact_mut((count * size).max(1));
        for (to, from) in to.zip(part.chunks_exact(size.max(1))) {
            to[number * size..][..size].copy_from_slice(from);
        }
    }
    Ok(all)
}

/// One of `count` parts of rows.
fn part(all: &[f32], count: usize, number: usize, size: usize) -> Result<Vec<f32>> {
    let mut one = for_elements(all.len() / count.max(1))?;
    all.chunks_exact((count * size).max(1)).for_each(|row| one.extend(&row[number * size..][..size]));
    Ok(one)
}

/// The states of one direction of one layer.
fn state(states: Option<&[f32]>, number: usize, size: usize) -> Option<&[f32]> {
    states.map(|states| &states[number * size..][..size])
}

impl<'a> Layers<'a> {
    fn rows(&self) -> usize {
        self.sizes.steps * self.sizes.batches
    }

    /// One direction of one layer, by its number among all, which reads `x`.
    fn sequence<'b>(&'b self, number: usize, x: &'b [f32]) -> Sequence<'b> {
        let Sizes { batches, hidden, .. } = self.sizes;
        let input = if number < self.directions { self.sizes.input } else { self.directions * hidden };
        Sequence {
            cell: self.cell,
            sizes: Sizes { input, ..self.sizes },
            is_reversed: (number % self.directions == 1) != self.is_reversed,
            x,
            weights: self.weights[number],
            initial: self.initial.map(|initial| state(initial, number, batches * hidden)),
            mask: self.mask,
        }
    }

    /// Computes all layers.
    pub fn run(&self) -> Result<NetworkResults> {
        let mut traces: Traces = Vec::new();
        let mut shown = Vec::new();
        for number in 0..self.weights.len() {
            let x = if number < self.directions { self.x } else { &shown };
            traces.push(self.sequence(number, x).run()?);
            if (number + 1).is_multiple_of(self.directions) {
                let of_layer = traces[number + 1 - self.directions..].iter().map(Trace::shown);
                shown = joined(of_layer, self.rows(), self.sizes.hidden)?;
            }
        }
        Ok(NetworkResults { traces, shown })
    }

    /// Returns the last hidden state, or that of cells, of one direction of one layer.
    pub fn last<'t>(&self, number: usize, states: &'t [f32]) -> &'t [f32] {
        let count = self.sizes.batches * self.sizes.hidden;
        &states[self.sequence(number, &[]).last() * count..][..count]
    }

    /// Hidden states that a layer showed.
    fn shown(&self, traced: &[Traced<'_>]) -> Result<Vec<f32>> {
        let Sizes { batches, hidden, .. } = self.sizes;
        let mut shown = joined(traced.iter().map(|traced| traced.hidden), self.rows(), hidden)?;
        if let Mask::Counts(counts) = self.mask {
            let rows = shown.chunks_exact_mut((self.directions * hidden).max(1));
            for (number, row) in rows.enumerate() {
                if (number % batches) as i64 >= counts[number / batches] {
                    row.fill(0.0);
                }
            }
        }
        Ok(shown)
    }

    /// Computes the gradients of a run, of which `traced` was kept; `grads` has those of all that the network left.
    pub fn gradients(&self, traced: &[Traced<'_>], grads: &Grads<'_>) -> Result<NetworkGrads> {
        let Sizes { batches, hidden, .. } = self.sizes;
        let (directions, layers) = (self.directions, self.weights.len() / self.directions);
        let mut of: Vec<Gradients> = Vec::new();
        let mut above: Option<Vec<f32>> = None;
        for layer in (0..layers).rev() {
            let below;
            let x = if layer == 0 {
                self.x
            } else {
                below = self.shown(&traced[(layer - 1) * directions..layer * directions])?;
                &below
            };
            let to_shown = above.take();
            let to_shown = to_shown.as_deref().or(if layer + 1 == layers { grads.shown } else { None });
            let mut to_x: Vec<f32> = Vec::new();
            for direction in (0..directions).rev() {
                let number = layer * directions + direction;
                let own = to_shown.map(|all| part(all, directions, direction, hidden)).transpose()?;
                let states = grads.states.map(|states| state(states, number, batches * hidden));
                let grads = Grads { shown: own.as_deref(), states };
                let mut made = self.sequence(number, x).gradients(&traced[number], &grads)?;
                if to_x.is_empty() {
                    to_x = std::mem::take(&mut made.x);
                } else {
                    to_x.iter_mut().zip(&made.x).for_each(|(sum, one)| *sum += one);
                }
                of.push(made);
            }
            above = Some(to_x);
        }
        of.reverse();
        Ok(NetworkGrads { x: above.unwrap_or_default(), of })
    }
}
