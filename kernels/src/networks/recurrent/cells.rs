//! Cells of recurrent networks. The gates of a cell lie one after the other: input, forget, cell, output of an LSTM cell;
//! reset, update and new state of a GRU cell.

use crate::functions::special::single::{sigmoid, tanh};
use crate::views::instructions;

/// An element of a lane; 0 where there is none.
#[inline(always)]
fn at(lane: &[f32], index: usize) -> f64 {
    lane.get(index).copied().map_or(0.0, f64::from)
}

#[inline(always)]
fn put(lane: &mut [f32], index: usize, value: f64) {
    if let Some(place) = lane.get_mut(index) {
        *place = value as f32;
    }
}

instructions::for_instructions! {
    /// Writes the next states of a cell and its gates; `parts` are summed up before the gates are functions of them.
    pub fn lstm_cell(parts: &[&[f32]], cell: &[f32], outputs: [&mut [f32]; 3]) {
        let [hidden, next, gates] = outputs;
        let size = cell.len();
        for index in 0..size {
            let sum = |gate: usize| parts.iter().map(|part| at(part, gate * size + index)).sum::<f64>();
            let all = [sigmoid(sum(0)), sigmoid(sum(1)), tanh(sum(2)), sigmoid(sum(3))];
            let [input, forget, new, output] = all;
            let state = forget * at(cell, index) + input * new;
            put(next, index, state);
            put(hidden, index, output * tanh(state));
            all.into_iter().enumerate().for_each(|(gate, value)| put(gates, gate * size + index, value));
        }
    }
}

instructions::for_instructions! {
    /// Writes the next states of a GRU cell and its gates, with a fourth part: what is made of the hidden state for the new one.
    /// `input` and `hidden` are summed up for the gates.
    pub(super) fn gru_cell(input: [&[f32]; 2], hidden: [&[f32]; 2], before: &[f32], outputs: [&mut [f32]; 2]) {
        let [next, gates] = outputs;
        let size = before.len();
        for index in 0..size {
            let sum = |parts: [&[f32]; 2], gate: usize| {
                at(parts[0], gate * size + index) + at(parts[1], gate * size + index)
            };
            let [reset, update] = [0, 1].map(|gate| sigmoid(sum(input, gate) + sum(hidden, gate)));
            let of_hidden = sum(hidden, 2);
            let new = tanh(sum(input, 2) + reset * of_hidden);
            put(next, index, (1.0 - update) * new + update * at(before, index));
            let all = [reset, update, new, of_hidden];
            all.into_iter().enumerate().for_each(|(gate, value)| put(gates, gate * size + index, value));
        }
    }

    /// Writes the gradients of what the gates of a GRU cell are made of, from the input and from the hidden state, and of the
    /// state before, as far as it goes into the next one itself.
    pub(super) fn gru_gradients(grad: &[f32], before: &[f32], gates: &[f32], outputs: [&mut [f32]; 3]) {
        let [to_input, to_hidden, to_before] = outputs;
        let size = before.len();
        for index in 0..size {
            let grad = at(grad, index);
            let [reset, update, new, of_hidden] = [0, 1, 2, 3].map(|gate| at(gates, gate * size + index));
            let slope = |gate: f64| gate * (1.0 - gate);
            let to_new = grad * (1.0 - update) * (1.0 - new * new);
            let to_update = grad * (at(before, index) - new) * slope(update);
            let to_reset = to_new * of_hidden * slope(reset);
            for (gate, [input, hidden]) in
                [[to_reset; 2], [to_update; 2], [to_new, to_new * reset]].into_iter().enumerate()
            {
                put(to_input, gate * size + index, input);
                put(to_hidden, gate * size + index, hidden);
            }
            put(to_before, index, grad * update);
        }
    }
}

/// The operands of the gradients of a row of cells.
pub struct LstmRow<'a> {
    /// The gradients of the next states: hidden ones and those of cells.
    pub grads: [Option<&'a [f32]>; 2],
    pub cell: &'a [f32],
    /// The next states of cells, or their hyperbolic tangents.
    pub next: &'a [f32],
    pub is_bent: bool,
    pub gates: &'a [f32],
}

impl LstmRow<'_> {
    /// Writes the gradients of the sums that the gates are functions of, and of the cell before.
    pub fn gradients(&self, to_gates: &mut [f32], to_cell: &mut [f32]) {
        row_gradients(self, to_gates, to_cell);
    }
}

instructions::for_instructions! {
    fn row_gradients(row: &LstmRow<'_>, to_gates: &mut [f32], to_cell: &mut [f32]) {
        let size = row.cell.len();
        for index in 0..size {
            let [of_hidden, of_next] = row.grads.map(|grad| grad.map_or(0.0, |grad| at(grad, index)));
            let [input, forget, new, output] = [0, 1, 2, 3].map(|gate| at(row.gates, gate * size + index));
            let next = at(row.next, index);
            let bent = if row.is_bent { next } else { tanh(next) };
            let of_state = of_hidden * output * (1.0 - bent * bent) + of_next;
            let slope = |gate: f64| gate * (1.0 - gate);
            let all = [
                of_state * new * slope(input),
                of_state * at(row.cell, index) * slope(forget),
                of_state * input * (1.0 - new * new),
                of_hidden * bent * slope(output),
            ];
            all.into_iter().enumerate().for_each(|(gate, value)| put(to_gates, gate * size + index, value));
            put(to_cell, index, of_state * forget);
        }
    }
}

/// Writes the sums of the columns of rows.
pub fn sum_rows(rows: &[f32], sums: &mut [f32]) {
    let columns = sums.len();
    for (column, sum) in sums.iter_mut().enumerate() {
        *sum = rows.iter().skip(column).step_by(columns.max(1)).copied().map(f64::from).sum::<f64>() as f32;
    }
}
