//! Cells of recurrent networks. The gates of a cell lie one after the other: input, forget, cell, output.

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

/// The operands of the gradients of a row of cells.
pub struct LstmRow<'a> {
    /// The gradients of the next states: hidden ones and those of cells.
    pub grads: [Option<&'a [f32]>; 2],
    pub cell: &'a [f32],
    pub next: &'a [f32],
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
            let bent = tanh(at(row.next, index));
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
