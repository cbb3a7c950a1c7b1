//! LSTM and GRU networks of one layer in one direction, forward and backward.
//!
//! What PyTorch's plugin passes is computed: no peephole, no projection, no clipped states, biases and masks as they come. The
//! rest is refused.

use std::ops::Range;

use aclnn_numerics::DType::{self, BF16, F16, F32, I32, I64};
use cann_kernels::View;
use cann_kernels::networks::recurrent::{Cell, Sizes};

use super::named::{Named, Work};
use crate::mapped::try_mapped;
use crate::operators::axes::invalid;
use crate::operators::call::Operand;
use crate::operators::check;
use crate::operators::recurrent::network::{Gradient, IN_ORDER, Kept, Made, MaskKind, Network};
use crate::operators::whole_stage::WholeStage;
use crate::status::Result;

/// The blocks of the gates of an LSTM in weights: of the input gate, the forget gate, the new state and the output gate.
fn lstm_order(named: &Named, default: &str) -> Result<[usize; 4]> {
    match named.text("gate_order", default) {
        "ifjo" | "ifco" => Ok(IN_ORDER),
        "ijfo" | "icfo" => Ok([0, 2, 1, 3]),
        other => invalid(format_args!("gate_order is {other}, but must be ijfo, ifjo or ifco")),
    }
}

/// The blocks of a GRU: of the reset gate, the update gate and the new state.
fn gru_order(named: &Named) -> Result<[usize; 4]> {
    match named.text("gate_order", "zrh") {
        "rzh" => Ok(IN_ORDER),
        "zrh" => Ok([1, 0, 2, 3]),
        other => invalid(format_args!("gate_order is {other}, but must be zrh or rzh")),
    }
}

/// Refuses attributes that change what is computed, and operands that are not taken.
fn is_plain(named: &Named, absent: &[usize]) -> Result {
    named.must_be_plain()?;
    let is_plain = !named.flag("use_peephole", false)
        && named.float("cell_clip", -1.0) <= 0.0
        && named.int("num_proj", 0) == 0
        && named.flag("time_major", true)
        && named.float("forget_bias", 0.0) == 0.0
        && named.flag("reset_after", true)
        && named.text("activation", "tanh") == "tanh";
    let has_more = absent.iter().any(|number| matches!(present(named, "", *number), Ok(Some(_))));
    if !is_plain || has_more {
        return check::not_emulated(
            "recurrent networks with peepholes, projections, clipped states, other activations or batches before steps",
        );
    }
    Ok(())
}

fn is_reversed(named: &Named) -> Result<bool> {
    match named.text("direction", "UNIDIRECTIONAL") {
        "UNIDIRECTIONAL" => Ok(false),
        "REDIRECTIONAL" => Ok(true),
        other => invalid(format_args!("direction is {other}, but must be UNIDIRECTIONAL or REDIRECTIONAL")),
    }
}

/// An input that is there; one without axes stands for none.
fn present<'c>(named: &'c Named, name: &'static str, number: usize) -> Result<Option<Operand<'c>>> {
    Ok(named.optional(name, number)?.filter(|operand| operand.rank() > 0))
}

fn float(operand: &Operand) -> Result<DType> {
    match operand.known_dtype() {
        Some(dtype @ (F32 | F16 | BF16)) => Ok(dtype),
        _ => invalid(format_args!("{} must be f32, f16 or bf16", operand.name)),
    }
}

fn has_numel(operand: &Operand, shape: &[usize]) -> Result {
    let wanted = shape.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
    match operand.shape()?.numel() == wanted {
        true => Ok(()),
        false => invalid(format_args!(
            "{} has shape {}, but must have the elements of {shape:?}",
            operand.name,
            operand.shape()?
        )),
    }
}

/// The operands of a network.
#[derive(Default)]
struct Reading(WholeStage);

impl Reading {
    /// Reads the elements of an operand, of which there are those of a shape.
    fn read(&mut self, operand: &Operand, shape: &[usize]) -> Result {
        has_numel(operand, shape)?;
        float(operand)?;
        self.0.read(operand, F32).map(drop)
    }

    fn write(&mut self, operand: &Operand, shape: &[usize]) -> Result {
        has_numel(operand, shape)?;
        float(operand)?;
        self.0.write(operand, F32).map(drop)
    }

    /// A matrix with a column for each row of a weight, from a row of it on.
    fn block(operand: &Operand, rows: usize, first: usize, wide: usize) -> Result<View> {
        let offset = operand.offset() + (first * wide) as i64;
        operand.view_of(float(operand)?, &[wide, rows], &[1, wide as isize], offset)
    }

    fn read_block(&mut self, operand: &Operand, rows: usize, first: usize, wide: usize) -> Result {
        self.0.read_view(operand, Self::block(operand, rows, first, wide)?, F32).map(drop)
    }

    fn write_block(&mut self, operand: &Operand, rows: usize, first: usize, wide: usize) -> Result {
        self.0.write_view(operand, Self::block(operand, rows, first, wide)?, F32).map(drop)
    }

    /// Reads a mask, in any type that holds 0 and 1.
    fn read_mask(&mut self, operand: &Operand, sizes: &Sizes) -> Result {
        if operand.shape()?[..] != [sizes.steps, sizes.batches, sizes.hidden] {
            return check::not_emulated("lengths of sequences that are no mask of all states");
        }
        match operand.known_dtype() {
            Some(F32 | F16 | BF16 | I32 | I64) => self.0.read(operand, F32).map(drop),
            _ => invalid(format_args!("{} must be a float, i32 or i64", operand.name)),
        }
    }
}

/// The sizes of a network, of its input and an output `[steps, batches, hidden]`.
fn sizes(x: &Operand, hidden: usize) -> Result<Sizes> {
    match &x.shape()?[..] {
        [steps, batches, input] => Ok(Sizes { steps: *steps, batches: *batches, input: *input, hidden }),
        [batches, input] => Ok(Sizes { steps: 1, batches: *batches, input: *input, hidden }),
        _ => invalid(format_args!("x has shape {}, but must have 3 axes", x.shape()?)),
    }
}

/// The elements of a state, by the columns of a weight.
fn hidden(weight: &Operand, cell: Cell) -> Result<usize> {
    match &weight.shape()?[..] {
        [_, columns] if columns.is_multiple_of(cell.gates()) && weight.shape()?.numel().is_some() => {
            Ok(columns / cell.gates())
        }
        _ => invalid(format_args!(
            "{} has shape {}, but must have {} columns for each state",
            weight.name,
            weight.shape()?,
            cell.gates()
        )),
    }
}

/// Checks that weights have a row for each element of the input, and of the state.
fn has_rows(weights: &[&Operand], sizes: &Sizes, wide: usize) -> Result {
    let rows: Vec<usize> = match weights {
        [_] => vec![sizes.input.saturating_add(sizes.hidden)],
        _ => vec![sizes.input, sizes.hidden],
    };
    for (weight, rows) in weights.iter().zip(rows) {
        check::output_shape(weight, &[rows, wide])?;
    }
    Ok(())
}

/// Reads both weights, of which one operand may hold the rows of both.
fn read_weights(reading: &mut Reading, weights: &[&Operand], sizes: &Sizes, wide: usize) -> Result {
    let (last, first) = (weights[weights.len() - 1], if weights.len() == 1 { sizes.input } else { 0 });
    reading.read_block(weights[0], sizes.input, 0, wide)?;
    reading.read_block(last, sizes.hidden, first, wide)
}

fn write_weights(reading: &mut Reading, weights: &[&Operand], sizes: &Sizes, wide: usize) -> Result {
    let (last, first) = (weights[weights.len() - 1], if weights.len() == 1 { sizes.input } else { 0 });
    reading.write_block(weights[0], sizes.input, 0, wide)?;
    reading.write_block(last, sizes.hidden, first, wide)
}

/// A network in one direction.
fn network(cell: Cell, sizes: Sizes, is_reversed: bool, order: [usize; 4]) -> Network {
    Network {
        cell,
        sizes,
        layers: 1,
        directions: 1,
        is_reversed,
        biases: 0,
        initial: [false; 2],
        mask: MaskKind::None,
        order,
    }
}

const LSTM_OUTPUTS: [(&str, Kept); 7] = [
    ("output_h", Kept::Hidden),
    ("output_c", Kept::Cell),
    ("i", Kept::Gate(0)),
    ("j", Kept::Gate(2)),
    ("f", Kept::Gate(1)),
    ("o", Kept::Gate(3)),
    ("tanhc", Kept::Bent),
];
const GRU_OUTPUTS: [(&str, Kept); 5] = [
    ("output_h", Kept::Hidden),
    ("update", Kept::Gate(1)),
    ("reset", Kept::Gate(0)),
    ("new", Kept::Gate(2)),
    ("hidden_new", Kept::Gate(3)),
];

/// A run of a network whose weights, biases, mask and first states are the inputs of these numbers. Of the outputs, what is
/// shown comes first.
fn forward(
    named: &Named,
    (cell, order): (Cell, [usize; 4]),
    weights: &[usize],
    biases: &[usize],
    mask: usize,
    initial: &[usize],
    outputs: &[(&'static str, Kept)],
) -> Result<Work> {
    let x = named.required("x", 0)?;
    let weights: Vec<Operand> = try_mapped(weights, |number| named.required("weight", *number))?;
    let weights: Vec<&Operand> = weights.iter().collect();
    let biases: Vec<Option<Operand>> = try_mapped(biases, |number| present(named, "bias", *number))?;
    let mask = present(named, "seq_length", mask)?;
    let initial: Vec<Option<Operand>> = try_mapped(initial, |number| present(named, "init_state", *number))?;
    let sizes = sizes(&x, hidden(weights[0], cell)?)?;
    let Sizes { steps, batches, input, hidden } = sizes;
    let wide = cell.gates() * hidden;
    has_rows(&weights, &sizes, wide)?;
    let mut network = network(cell, sizes, is_reversed(named)?, order);
    let shown = named.written("y", 0)?;
    let mut kept = Vec::new();
    for (number, (name, _)) in (1..named.outputs.len()).zip(outputs) {
        kept.push(named.written(name, number)?);
    }
    let mut reading = Reading::default();
    reading.read(&x, &[steps, batches, input])?;
    read_weights(&mut reading, &weights, &sizes, wide)?;
    for bias in biases.iter().flatten() {
        reading.read(bias, &[wide])?;
        network.biases += 1;
    }
    for (state, is_there) in initial.iter().zip(&mut network.initial) {
        if let Some(state) = state {
            reading.read(state, &[batches, hidden])?;
            *is_there = true;
        }
    }
    if let Some(mask) = &mask {
        reading.read_mask(mask, &sizes)?;
        network.mask = MaskKind::Elements;
    }
    if biases.first().is_some_and(Option::is_none) && network.biases > 0 {
        return check::not_emulated("a bias for the hidden state without one for the input");
    }
    let kept_shape = [steps, batches, hidden];
    reading.write(&shown, &kept_shape)?;
    let mut made = vec![Made::Shown];
    // Gates are written in training alone.
    let is_training = named.flag("is_training", true) || cell == Cell::Gru;
    for (operand, (_, part)) in kept.iter().zip(outputs) {
        if is_training || matches!(part, Kept::Hidden | Kept::Cell) {
            reading.write(operand, &kept_shape)?;
            made.push(Made::Kept(0, *part));
        }
    }
    if [steps, batches, input, hidden].contains(&0) {
        return Ok(named.work(crate::operators::call::Plan::empty()));
    }
    Ok(named.work(network.forward(reading.0, made)))
}

pub(super) fn dynamic_rnn(named: &Named) -> Result<Work> {
    is_plain(named, &[6, 7, 8, 9])?;
    let order = lstm_order(named, "ijfo")?;
    forward(named, (Cell::Lstm, order), &[1], &[2], 3, &[4, 5], &LSTM_OUTPUTS)
}

pub(super) fn dynamic_rnn_v2(named: &Named) -> Result<Work> {
    is_plain(named, &[7, 8, 9, 10])?;
    let order = lstm_order(named, "ijfo")?;
    forward(named, (Cell::Lstm, order), &[1, 2], &[3], 4, &[5, 6], &LSTM_OUTPUTS)
}

pub(super) fn dynamic_gru_v2(named: &Named) -> Result<Work> {
    is_plain(named, &[])?;
    let order = gru_order(named)?;
    forward(named, (Cell::Gru, order), &[1, 2], &[3, 4], 5, &[6], &GRU_OUTPUTS)
}

/// The numbers of the inputs of a gradient.
struct Inputs<'a> {
    weights: &'a [usize],
    initial: &'a [usize],
    /// The gradients for what is shown and for the last states.
    grads: &'a [usize],
    /// Tensors of all steps, in the order of `kept`.
    traced: &'a [usize],
    kept: &'static [Kept],
    mask: usize,
}

/// The gradients of a network: outputs are those for the weights, for the biases, for the input and for the first states.
fn backward(
    named: &Named,
    (cell, order): (Cell, [usize; 4]),
    inputs: &Inputs<'_>,
    biases: usize,
) -> Result<Work> {
    let all = |name: &'static str, numbers: &[usize]| -> Result<Vec<Operand>> {
        try_mapped(numbers, |number| named.required(name, *number))
    };
    let x = named.required("x", 0)?;
    let (weights, initial) = (all("weight", inputs.weights)?, all("init_state", inputs.initial)?);
    let weights: Vec<&Operand> = weights.iter().collect();
    let (grads, traced) = (all("gradient", inputs.grads)?, all("kept", inputs.traced)?);
    let mask = present(named, "seq_length", inputs.mask)?;
    let sizes = sizes(&x, hidden(weights[0], cell)?)?;
    let Sizes { steps, batches, input, hidden } = sizes;
    let wide = cell.gates() * hidden;
    has_rows(&weights, &sizes, wide)?;
    let mut network = network(cell, sizes, is_reversed(named)?, order);
    network.initial = [true, initial.len() > 1];
    let count = weights.len();
    let written = |name: &'static str, numbers: Range<usize>| -> Result<Vec<Operand>> {
        let mut written = Vec::new();
        for number in numbers {
            written.push(named.written(name, number)?);
        }
        Ok(written)
    };
    let to_weights = written("dw", 0..count)?;
    let to_weights: Vec<&Operand> = to_weights.iter().collect();
    let to_biases = written("db", count..count + biases)?;
    let (to_x, first) = (named.written("dx", count + biases)?, count + biases + 1);
    let to_initial = written("d_prev", first..first + initial.len())?;
    has_rows(&to_weights, &sizes, wide)?;
    let mut reading = Reading::default();
    reading.read(&x, &[steps, batches, input])?;
    read_weights(&mut reading, &weights, &sizes, wide)?;
    let state = [batches, hidden];
    for operand in &initial {
        reading.read(operand, &state)?;
    }
    if let Some(mask) = &mask {
        reading.read_mask(mask, &sizes)?;
        network.mask = MaskKind::Elements;
    }
    let kept = [steps, batches, hidden];
    reading.read(&grads[0], &kept)?;
    for operand in &grads[1..] {
        reading.read(operand, &state)?;
    }
    for operand in &traced {
        reading.read(operand, &kept)?;
    }
    write_weights(&mut reading, &to_weights, &sizes, wide)?;
    let mut wanted = vec![Gradient::Weight(0, 0), Gradient::Weight(0, 1)];
    for (number, operand) in to_biases.iter().enumerate() {
        reading.write(operand, &[wide])?;
        wanted.push(Gradient::Bias(0, number));
    }
    reading.write(&to_x, &[steps, batches, input])?;
    wanted.push(Gradient::Input);
    for (number, operand) in to_initial.iter().enumerate() {
        reading.write(operand, &state)?;
        wanted.push(Gradient::Initial(number));
    }
    if [steps, batches, input, hidden].contains(&0) {
        return Ok(named.work(crate::operators::call::Plan::empty()));
    }
    let given = [true, true, grads.len() > 2];
    Ok(named.work(network.backward(reading.0, given, inputs.kept, wanted)))
}

const LSTM_TRACED: &[Kept] =
    &[Kept::Hidden, Kept::Cell, Kept::Gate(0), Kept::Gate(2), Kept::Gate(1), Kept::Gate(3), Kept::Bent];
const GRU_TRACED: &[Kept] = &[Kept::Hidden, Kept::Gate(1), Kept::Gate(0), Kept::Gate(2), Kept::Gate(3)];

pub(super) fn dynamic_rnn_grad(named: &Named) -> Result<Work> {
    is_plain(named, &[17, 18, 19, 20])?;
    let inputs = Inputs {
        weights: &[1],
        initial: &[4, 5],
        grads: &[8, 9, 10],
        traced: &[6, 7, 11, 12, 13, 14, 15],
        kept: LSTM_TRACED,
        mask: 16,
    };
    backward(named, (Cell::Lstm, lstm_order(named, "ijfo")?), &inputs, 1)
}

pub(super) fn dynamic_rnn_v2_grad(named: &Named) -> Result<Work> {
    is_plain(named, &[17, 18, 19, 20])?;
    let inputs = Inputs {
        weights: &[1, 2],
        initial: &[4, 5],
        grads: &[8, 9, 10],
        traced: &[6, 7, 11, 12, 13, 14, 15],
        kept: LSTM_TRACED,
        mask: 16,
    };
    backward(named, (Cell::Lstm, lstm_order(named, "ijfo")?), &inputs, 1)
}

pub(super) fn dynamic_gru_v2_grad(named: &Named) -> Result<Work> {
    is_plain(named, &[13])?;
    let inputs = Inputs {
        weights: &[1, 2],
        initial: &[4],
        grads: &[6, 7],
        traced: &[5, 8, 9, 10, 11],
        kept: GRU_TRACED,
        mask: 12,
    };
    backward(named, (Cell::Gru, gru_order(named)?), &inputs, 2)
}
