//! Recurrent networks along sequences.

use aclnn::Tensor;
use aclnn::ops::{self, RecurrentWeights};

use super::cells::{Cell, States, Weights};
use super::kind::Kind;
use super::options::{Direction, Options};
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, NodeCache, Prepared, Values};

/// The numbers of inputs that GRU, LSTM and RNN have at the same places.
const LENGTHS: usize = 4;
const HIDDEN: usize = 5;
const CELL: usize = 6;
const PEEPHOLES: usize = 7;

pub(super) fn prepared(node: &Node, kind: Kind) -> NodeResult<Prepared> {
    let options = Options::of(node, kind)?;
    let kept = NodeCache::default();
    let inputs: &[usize] = if kind == Kind::Lstm { &[1, 2, 3, PEEPHOLES] } else { &[1, 2, 3] };
    Ok(Prepared::device(move |call| {
        let all = kept.of(call, inputs, || {
            let directions = options.directions.iter().enumerate();
            let weights = directions.map(|(number, direction)| weights(call, &options, number, direction));
            weights.collect::<NodeResult<Vec<Weights>>>()
        })?;
        run(call, &options, all)
    }))
}

/// The lengths of sequences that are not all as long as the longest could be.
struct Lengths {
    lengths: Vec<usize>,
    steps: usize,
    /// Whether a step is within a sequence, `[steps, batches, 1]`.
    within: Tensor,
}

/// The results of a direction: all hidden states, and the last states.
struct Outputs {
    all: Tensor,
    last: States,
}

fn run(call: &Call<'_>, options: &Options, weights: Vec<Weights>) -> NodeResult<Values> {
    let x = call.tensor(0)?;
    let x = if options.batches_first { x.swapaxes(0, 1)?.contiguous()? } else { x };
    let &[steps, batches, _] = x.dims() else {
        return Reason::text(format!("its input has the shape {:?}, and not three axes", x.dims()));
    };
    let lengths = Lengths::of(call, steps, batches)?;
    if lengths.is_none()
        && let Some(values) = at_once(call, options, &weights, &x)?
    {
        return Ok(values);
    }
    let mut outputs = Vec::with_capacity(options.directions.len());
    for (number, (direction, weights)) in options.directions.iter().zip(weights).enumerate() {
        let cell = Cell::new(options, direction, weights);
        outputs.push(along(call, options, (number, direction), &cell, &x, lengths.as_ref())?);
    }
    let joined = |of: &dyn Fn(&Outputs) -> Option<Tensor>, axis: i64| -> NodeResult<Tensor> {
        let parts: Vec<Tensor> = outputs.iter().filter_map(of).collect();
        Ok(ops::stack(&parts.iter().collect::<Vec<_>>(), axis).run()?)
    };
    let (of_all, of_last) = if options.batches_first { (2, 1) } else { (1, 0) };
    let all = |output: &Outputs| match options.batches_first {
        true => output.all.swapaxes(0, 1).ok(),
        false => Some(output.all.clone()),
    };
    let mut values =
        vec![joined(&all, of_all)?, joined(&|output| Some(output.last.hidden.clone()), of_last)?];
    if options.kind == Kind::Lstm {
        values.push(joined(&|output| output.last.cell.clone(), of_last)?);
    }
    Ok(values.into())
}

/// Returns the results of the device's operator for whole sequences, if it takes the operands.
fn at_once(
    call: &Call<'_>,
    options: &Options,
    weights: &[Weights],
    x: &Tensor,
) -> NodeResult<Option<Values>> {
    let starts_forward = options.directions.first().is_some_and(|direction| !direction.is_reverse);
    let all: Option<Vec<RecurrentWeights>> = weights.iter().map(Weights::of_device).collect();
    let (Some(all), &[steps, batches, _], true) = (all, x.dims(), starts_forward) else { return Ok(None) };
    let state = |input: usize| -> NodeResult<Option<Tensor>> {
        let Some(states) = call.optional_tensor(input)? else { return Ok(None) };
        Ok(Some(if options.batches_first { states.swapaxes(0, 1)? } else { states }))
    };
    let (hidden, cell) = (state(HIDDEN)?, state(CELL)?);
    let mut network = ops::lstm(x, &all);
    if all.len() > 1 {
        network = network.bidirectional();
    }
    if let Some(hidden) = &hidden {
        network = network.initial_hidden(hidden);
    }
    if let Some(cell) = &cell {
        network = network.initial_cell(cell);
    }
    let made = match network.run() {
        Err(error) if is_refused(&error) => return Ok(None),
        made => made?,
    };
    let Some(cell) = made.cell else { return Ok(None) };
    let size = made.hidden.dims().last().copied().unwrap_or(0);
    let output = made.output.reshape([steps, batches, all.len(), size])?;
    Ok(Some(match options.batches_first {
        true => (output.swapaxes(0, 1)?, made.hidden.swapaxes(0, 1)?, cell.swapaxes(0, 1)?).into(),
        false => (output.swapaxes(1, 2)?, made.hidden, cell).into(),
    }))
}

/// Returns whether the operator does not take its operands. They are computed step by step then, or refused there in the words
/// of the node.
fn is_refused(error: &aclnn::Error) -> bool {
    use aclnn::Error::{Argument, Launch, MissingSymbol, NoCast, NotPromotable, Unsupported};
    match error {
        Argument { .. } | MissingSymbol(_) | NoCast { .. } | NotPromotable { .. } | Unsupported { .. } => {
            true
        }
        Launch { cause, .. } => cause.name().is_some_and(|name| name.starts_with("ACLNN_ERR_")),
        _ => false,
    }
}

/// Runs one direction.
fn along(
    call: &Call<'_>,
    options: &Options,
    (number, direction): (usize, &Direction),
    cell: &Cell<'_>,
    x: &Tensor,
    lengths: Option<&Lengths>,
) -> NodeResult<Outputs> {
    let weights = cell.weights();
    let &[steps, batches, inputs] = x.dims() else { return Reason::text("its input has not three axes") };
    let (Some(&rows), Some(&size)) = (weights.state.dims().first(), weights.state.dims().get(1)) else {
        return Reason::text("its weights have not three axes");
    };
    let gates = options.kind.gates();
    if weights.input.dims() != [rows, inputs] || rows != size.saturating_mul(gates) {
        return Reason::text(format!(
            "weights of {:?} and {:?} are not those of {gates} gates for {inputs} inputs",
            weights.input.dims(),
            weights.state.dims()
        ));
    }
    let state = |input: usize| -> NodeResult<Tensor> {
        match call.optional_tensor(input)? {
            Some(states) => Ok(states.select(i64::from(options.batches_first), number)?.contiguous()?),
            None => Ok(Tensor::zeros(call.stream(), [batches, size], x.dtype())?),
        }
    };
    let of_cell = if options.kind == Kind::Lstm { Some(state(CELL)?) } else { None };
    let mut last = States { hidden: state(HIDDEN)?, cell: of_cell };
    if steps == 0 {
        return Ok(Outputs { all: Tensor::zeros(call.stream(), [0, batches, size], x.dtype())?, last });
    }
    let turned = |tensor: &Tensor| match direction.is_reverse {
        true => reversed(call, tensor, lengths),
        false => Ok(tensor.clone()),
    };
    let inputs = cell.inputs(&turned(x)?)?;
    let mut all = Vec::with_capacity(steps);
    for step in 0..steps {
        let next = cell.step(&inputs.select(0, step)?, &last)?;
        last = match lengths {
            Some(lengths) => lengths.kept(step, next, &last)?,
            None => next,
        };
        all.push(last.hidden.clone());
    }
    let all = ops::stack(&all.iter().collect::<Vec<_>>(), 0).run()?;
    let all = match lengths {
        Some(lengths) => all.masked_fill(&lengths.within.logical_not()?, 0)?,
        None => all,
    };
    Ok(Outputs { all: turned(&all)?, last })
}

/// Returns the weights of a direction.
fn weights(call: &Call<'_>, options: &Options, number: usize, direction: &Direction) -> NodeResult<Weights> {
    let of = |input: usize| -> NodeResult<Option<Tensor>> {
        let Some(tensor) = call.optional_tensor(input)? else { return Ok(None) };
        Ok(Some(tensor.select(0, number)?))
    };
    let (Some(input), Some(state)) = (of(1)?, of(2)?) else { return Reason::text("its weights are missing") };
    let biases = match of(3)? {
        Some(biases) => {
            let (of_input, of_state) = biases.split_at(0, biases.numel() / 2)?;
            Some([of_input, of_state])
        }
        None => None,
    };
    let peepholes = match if options.kind == Kind::Lstm { of(PEEPHOLES)? } else { None } {
        Some(all) => {
            let size = all.numel() / 3;
            Some([all.narrow(0, 0, size)?, all.narrow(0, size, size)?, all.narrow(0, 2 * size, size)?])
        }
        None => None,
    };
    Ok(Weights::new(options, direction, [input, state], biases, peepholes)?)
}

impl Lengths {
    /// Reads the lengths; `None` if all sequences are as long as there are steps.
    fn of(call: &Call<'_>, steps: usize, batches: usize) -> NodeResult<Option<Lengths>> {
        let Some(given) = call.optional_ints(LENGTHS)? else { return Ok(None) };
        let lengths: Vec<usize> = given.iter().filter_map(|&length| usize::try_from(length).ok()).collect();
        if lengths.len() != batches || given.len() != batches || lengths.iter().any(|length| *length > steps)
        {
            return Reason::text(format!(
                "the lengths {given:?} are not those of {batches} sequences of {steps} steps"
            ));
        }
        if lengths.iter().all(|length| *length == steps) {
            return Ok(None);
        }
        let within: Vec<bool> =
            (0..steps).flat_map(|step| lengths.iter().map(move |length| step < *length)).collect();
        let within = Tensor::from_slice(call.stream(), &within, [steps, batches, 1])?;
        Ok(Some(Lengths { lengths, steps, within }))
    }

    /// Returns the next states of the sequences that have this step, and the last ones of the others.
    fn kept(&self, step: usize, next: States, last: &States) -> NodeResult<States> {
        let within = self.within.select(0, step)?;
        let hidden = ops::where_(&within, &next.hidden, &last.hidden).run()?;
        let cell = match (next.cell, &last.cell) {
            (Some(next), Some(last)) => Some(ops::where_(&within, &next, last).run()?),
            _ => None,
        };
        Ok(States { hidden, cell })
    }
}

/// Turns each sequence around, within its length.
fn reversed(call: &Call<'_>, x: &Tensor, lengths: Option<&Lengths>) -> NodeResult<Tensor> {
    let Some(Lengths { lengths, steps, .. }) = lengths else { return Ok(x.flip(0)?) };
    let batches = lengths.len();
    let places: Vec<i64> = (0..*steps)
        .flat_map(|step| {
            lengths.iter().enumerate().map(move |(batch, &length)| {
                let from = if step < length { length - 1 - step } else { step };
                (from * batches + batch) as i64
            })
        })
        .collect();
    let places = Tensor::from_slice(call.stream(), &places, [places.len()])?;
    let rows = x.contiguous()?.flatten(0, 1)?.index_select(0, &places)?;
    Ok(rows.reshape(x.shape().clone())?)
}
