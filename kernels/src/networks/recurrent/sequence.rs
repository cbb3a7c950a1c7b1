//! All steps of one direction of one layer, and their gradients: products with the weights in f32, a cell for each row.

use super::cells::{LstmRow, gru_cell, gru_gradients, lstm_cell, sum_rows};
use crate::functions::special::single::tanh;
use crate::products::matrix::{Matrix, multiply};
use crate::views::allocation::{collect, zeros};
use crate::views::failure::Result;

/// The parts of the gates that are kept for gradients.
const KEPT: usize = 4;

/// A cell, which computes a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// With input gate, forget gate, new state and output gate.
    Lstm,
    /// With reset gate, update gate and new state.
    Gru,
}

impl Cell {
    /// Returns the number of gates, which is that of blocks of rows of a weight.
    pub const fn gates(self) -> usize {
        match self {
            Cell::Lstm => 4,
            Cell::Gru => 3,
        }
    }
}

/// The sizes of a sequence.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub steps: usize,
    pub batches: usize,
    pub input: usize,
    pub hidden: usize,
}

/// The weights of one direction of a layer: `[gates · hidden, input]`, `[gates · hidden, hidden]`, and a bias for each.
#[derive(Clone, Copy)]
pub struct Weights<'a> {
    pub input: &'a [f32],
    pub hidden: &'a [f32],
    pub biases: [Option<&'a [f32]>; 2],
}

/// The steps of each sequence of a batch that are there. Where one is not, states stay, and nothing is shown.
#[derive(Clone, Copy)]
pub enum Mask<'a> {
    None,
    /// The number of sequences, the first ones of the batch, that have each step.
    Counts(&'a [i64]),
    /// 1 or 0 for each element of each state, `[steps, batches, hidden]`.
    Elements(&'a [f32]),
}

/// The rows of a mask.
pub struct Counted<'a> {
    mask: Mask<'a>,
    row: Vec<f32>,
}

impl<'a> Counted<'a> {
    fn new(mask: Mask<'a>, hidden: usize) -> Result<Self> {
        Ok(Self { mask, row: zeros(hidden)? })
    }

    /// The row of a step of a sequence; `None` if everything is there.
    fn at(&mut self, step: usize, batch: usize, batches: usize) -> Option<&[f32]> {
        let size = self.row.len();
        match self.mask {
            Mask::None => return None,
            Mask::Counts(counts) => {
                let is_there = counts.get(step).is_some_and(|count| (batch as i64) < *count);
                self.row.fill(f32::from(u8::from(is_there)));
            }
            Mask::Elements(all) => {
                let first = (step * batches + batch) * size;
                self.row.copy_from_slice(all.get(first..first + size)?);
            }
        }
        Some(&self.row)
    }
}

/// One direction of one layer.
pub struct Sequence<'a> {
    pub cell: Cell,
    pub sizes: Sizes,
    /// Whether the last step comes first.
    pub is_reversed: bool,
    /// `[steps, batches, input]`.
    pub x: &'a [f32],
    pub weights: Weights<'a>,
    /// The hidden state and the state of cells before the first step, `[batches, hidden]`; zero without.
    pub initial: [Option<&'a [f32]>; 2],
    pub mask: Mask<'a>,
}

/// The states and gates of a run, each `[steps, batches, hidden]`.
pub struct Trace {
    /// The hidden states.
    pub hidden: Vec<f32>,
    /// The states of cells, of an LSTM.
    pub cell: Vec<f32>,
    /// The gates, `[steps, batches, 4, hidden]`. The fourth part of a GRU is what the hidden state adds to the new one.
    gates: Vec<f32>,
    /// The shown states, where a mask makes them differ from the hidden ones.
    shown: Option<Vec<f32>>,
}

impl Trace {
    /// Returns what the layer shows.
    pub fn shown(&self) -> &[f32] {
        self.shown.as_deref().unwrap_or(&self.hidden)
    }

    /// Writes one of the parts of the gates, `[steps, batches, hidden]`.
    pub fn gate(&self, part: usize, size: usize, to: &mut [f32]) {
        let rows = self.gates.chunks_exact((KEPT * size).max(1));
        for (row, to) in rows.zip(to.chunks_exact_mut(size.max(1))) {
            to.copy_from_slice(&row[part * size..][..size]);
        }
    }

    /// Writes the hyperbolic tangents of the states of cells.
    pub fn bent(&self, to: &mut [f32]) {
        for (to, state) in to.iter_mut().zip(&self.cell) {
            *to = tanh(f64::from(*state)) as f32;
        }
    }
}

/// The states and gates of a run that gradients need, each `[steps, batches, hidden]`.
#[derive(Clone, Copy)]
pub struct Traced<'a> {
    pub hidden: &'a [f32],
    pub gates: [&'a [f32]; KEPT],
    /// The states of cells and their hyperbolic tangents, of an LSTM.
    pub cells: [&'a [f32]; 2],
}

/// The gradients of what a run leaves.
#[derive(Clone, Copy)]
pub struct Grads<'a> {
    /// Gradients of the shown states, `[steps, batches, hidden]`.
    pub shown: Option<&'a [f32]>,
    /// Gradients of the last states, `[batches, hidden]`.
    pub states: [Option<&'a [f32]>; 2],
}

/// The gradients of the operands of a run, in their shapes.
pub struct Gradients {
    pub x: Vec<f32>,
    pub weights: [Vec<f32>; 2],
    pub biases: [Vec<f32>; 2],
    pub initial: [Vec<f32>; 2],
}

/// A copy, or zeros.
fn copied(elements: Option<&[f32]>, count: usize) -> Result<Vec<f32>> {
    elements.map_or_else(|| zeros(count), |elements| collect(elements.iter().copied()))
}

/// Row `number` of rows of so many elements.
fn row(of: &[f32], number: usize, size: usize) -> &[f32] {
    &of[number * size..][..size]
}

fn row_mut(of: &mut [f32], number: usize, size: usize) -> &mut [f32] {
    &mut of[number * size..][..size]
}

/// `value` where the mask is 1, `other` where it is 0.
fn blend(values: &mut [f32], others: &[f32], mask: &[f32]) {
    for ((value, other), mask) in values.iter_mut().zip(others).zip(mask) {
        *value = *mask * *value + (1.0 - *mask) * *other;
    }
}

impl<'a> Sequence<'a> {
    /// The columns of what the gates are functions of.
    fn wide(&self) -> usize {
        self.cell.gates() * self.sizes.hidden
    }

    /// The numbers of the steps in their order.
    fn order(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        let (steps, is_reversed) = (self.sizes.steps, self.is_reversed);
        (0..steps).map(move |step| if is_reversed { steps - 1 - step } else { step })
    }

    /// Returns the number of the last step.
    pub fn last(&self) -> usize {
        if self.is_reversed { 0 } else { self.sizes.steps.saturating_sub(1) }
    }

    /// Computes all steps.
    pub fn run(&self) -> Result<Trace> {
        let Sizes { steps, batches, input, hidden } = self.sizes;
        let (wide, rows, states) = (self.wide(), steps * batches, batches * hidden);
        let [of_input, of_hidden] = [self.weights.input, self.weights.hidden];
        let mut inputs = zeros::<f32>(rows * wide)?;
        let product = Matrix::rows(of_input, input).transposed();
        multiply([rows, input, wide], Matrix::rows(self.x, input), product, &mut inputs, false);
        let of_cells = if self.cell == Cell::Lstm { rows * hidden } else { 0 };
        let shown = if matches!(self.mask, Mask::None) { None } else { Some(zeros(rows * hidden)?) };
        let (all, gates) = (zeros(rows * hidden)?, zeros(rows * KEPT * hidden)?);
        let mut trace = Trace { hidden: all, cell: zeros(of_cells)?, gates, shown };
        let mut before = [copied(self.initial[0], states)?, copied(self.initial[1], states)?];
        let mut hiddens = zeros::<f32>(batches * wide)?;
        let mut mask = Counted::new(self.mask, hidden)?;
        let none: &[f32] = &[];
        let [first, second] = self.weights.biases.map(|bias| bias.unwrap_or(none));
        for step in self.order() {
            let product = Matrix::rows(of_hidden, hidden).transposed();
            multiply([batches, hidden, wide], Matrix::rows(&before[0], hidden), product, &mut hiddens, false);
            for batch in 0..batches {
                let number = step * batches + batch;
                let [of_hidden, of_cell] = [row(&before[0], batch, hidden), row(&before[1], batch, hidden)];
                let [input, state] = [row(&inputs, number, wide), row(&hiddens, batch, wide)];
                let next = row_mut(&mut trace.hidden, number, hidden);
                let gates = row_mut(&mut trace.gates, number, KEPT * hidden);
                let mask = mask.at(step, batch, batches);
                match self.cell {
                    Cell::Lstm => {
                        let cell = row_mut(&mut trace.cell, number, hidden);
                        lstm_cell(&[input, state, first, second], of_cell, [&mut *next, &mut *cell, gates]);
                        if let Some(mask) = mask {
                            blend(cell, of_cell, mask);
                        }
                    }
                    Cell::Gru => gru_cell([input, first], [state, second], of_hidden, [&mut *next, gates]),
                }
                if let (Some(mask), Some(shown)) = (mask, &mut trace.shown) {
                    let shown = row_mut(shown, number, hidden);
                    shown
                        .iter_mut()
                        .zip(&*next)
                        .zip(mask)
                        .for_each(|((shown, next), mask)| *shown = next * mask);
                    blend(next, of_hidden, mask);
                }
            }
            before[0].copy_from_slice(row(&trace.hidden, step, states));
            if self.cell == Cell::Lstm {
                before[1].copy_from_slice(row(&trace.cell, step, states));
            }
        }
        Ok(trace)
    }

    /// The states that the steps begin with, of those that they end with.
    fn before(&self, states: &[f32], initial: Option<&[f32]>) -> Result<Vec<f32>> {
        let count = self.sizes.batches * self.sizes.hidden;
        let mut all = zeros(self.sizes.steps * count)?;
        let mut last = None;
        for step in self.order() {
            let from = last.map_or(initial, |last| Some(row(states, last, count)));
            if let Some(from) = from {
                row_mut(&mut all, step, count).copy_from_slice(from);
            }
            last = Some(step);
        }
        Ok(all)
    }

    /// Computes the gradients of a run, of which `traced` was kept.
    pub fn gradients(&self, traced: &Traced<'_>, grads: &Grads<'_>) -> Result<Gradients> {
        let Sizes { steps, batches, input, hidden } = self.sizes;
        let (wide, rows, states) = (self.wide(), steps * batches, batches * hidden);
        let is_lstm = self.cell == Cell::Lstm;
        let before = self.before(traced.hidden, self.initial[0])?;
        let cells_before = if is_lstm { self.before(traced.cells[0], self.initial[1])? } else { Vec::new() };
        let mut of_input = zeros::<f32>(rows * wide)?;
        let mut of_hidden = zeros::<f32>(if is_lstm { 0 } else { rows * wide })?;
        let mut carried = [copied(grads.states[0], states)?, copied(grads.states[1], states)?];
        let mut mask = Counted::new(self.mask, hidden)?;
        let mut gates = zeros::<f32>(KEPT * hidden)?;
        let (mut grad, mut to_before) = (zeros::<f32>(hidden)?, zeros::<f32>(hidden)?);
        for step in self.order().rev() {
            for batch in 0..batches {
                let number = step * batches + batch;
                for (part, to) in traced.gates.iter().zip(gates.chunks_exact_mut(hidden.max(1))) {
                    to.copy_from_slice(row(part, number, hidden));
                }
                let mask = mask.at(step, batch, batches);
                let there = |index: usize| mask.map_or(1.0, |mask| mask[index]);
                let own = row_mut(&mut carried[0], batch, hidden);
                for (index, (grad, own)) in grad.iter_mut().zip(own.iter_mut()).enumerate() {
                    let shown = grads.shown.map_or(0.0, |shown| row(shown, number, hidden)[index]);
                    *grad = there(index) * (shown + *own);
                    *own *= 1.0 - there(index);
                }
                let to_input = row_mut(&mut of_input, number, wide);
                if is_lstm {
                    let kept = row_mut(&mut carried[1], batch, hidden);
                    let into: Vec<f32> =
                        collect(kept.iter().enumerate().map(|(index, kept)| there(index) * kept))?;
                    let one = LstmRow {
                        grads: [Some(&grad[..]), Some(&into[..])],
                        cell: row(&cells_before, number, hidden),
                        next: row(traced.cells[1], number, hidden),
                        is_bent: true,
                        gates: &gates,
                    };
                    one.gradients(to_input, &mut to_before);
                    for (index, (kept, to)) in kept.iter_mut().zip(&to_before).enumerate() {
                        *kept = (1.0 - there(index)) * *kept + to;
                    }
                } else {
                    let to_hidden = row_mut(&mut of_hidden, number, wide);
                    let state = row(&before, number, hidden);
                    gru_gradients(&grad, state, &gates, [to_input, to_hidden, &mut to_before]);
                    own.iter_mut().zip(&to_before).for_each(|(own, to)| *own += to);
                }
            }
            let side = if is_lstm { &of_input } else { &of_hidden };
            let left = Matrix::rows(row(side, step, batches * wide), wide);
            let right = Matrix::rows(self.weights.hidden, hidden);
            multiply([batches, wide, hidden], left, right, &mut carried[0], true);
        }
        let side = if is_lstm { &of_input } else { &of_hidden };
        let [gates_in, gates_of] = [Matrix::rows(&of_input, wide), Matrix::rows(side, wide)];
        let mut to_x = zeros(rows * input)?;
        multiply([rows, wide, input], gates_in, Matrix::rows(self.weights.input, input), &mut to_x, false);
        let mut weights = [zeros(wide * input)?, zeros(wide * hidden)?];
        let [to_input, to_hidden] = &mut weights;
        multiply([wide, rows, input], gates_in.transposed(), Matrix::rows(self.x, input), to_input, false);
        multiply(
            [wide, rows, hidden],
            gates_of.transposed(),
            Matrix::rows(&before, hidden),
            to_hidden,
            false,
        );
        let mut biases = [zeros(wide)?, zeros(wide)?];
        sum_rows(&of_input, &mut biases[0]);
        sum_rows(side, &mut biases[1]);
        Ok(Gradients { x: to_x, weights, biases, initial: carried })
    }
}
