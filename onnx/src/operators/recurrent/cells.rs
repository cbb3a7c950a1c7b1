//! One step of a recurrent network.

use aclnn::ops::{self, RecurrentWeights};
use aclnn::{DType, Tensor};

use super::super::precision::precision;
use super::activations::Activation;
use super::kind::Kind;
use super::options::{Direction, Options};
use crate::error::{NodeResult, Reason};

/// The weights of one direction.
#[derive(Clone)]
pub(super) struct Weights {
    /// For the input, `[gates · size, inputs]`.
    pub(super) input: Tensor,
    /// For the state, `[gates · size, size]`.
    pub(super) state: Tensor,
    /// Those of the input and those of the state, `[gates · size]` each.
    pub(super) biases: Option<[Tensor; 2]>,
    /// Peepholes: for the gates of the input, of the output and of forgetting, `[size]` each.
    pub(super) peepholes: Option<[Tensor; 3]>,
    /// The operator of the device makes the step; the gates have its order.
    is_fused: bool,
}

/// The states between two steps.
#[derive(Clone)]
pub(super) struct States {
    pub(super) hidden: Tensor,
    /// Of LSTM alone.
    pub(super) cell: Option<Tensor>,
}

/// The cell of one direction.
pub(super) struct Cell<'a> {
    options: &'a Options,
    direction: &'a Direction,
    weights: Weights,
}

/// Returns `a · bᵀ`, of a type that the device does not multiply by sums of products.
fn product(a: &Tensor, b: &Tensor) -> Result<Tensor, aclnn::Error> {
    match a.dtype() {
        DType::F64 => a.unsqueeze(-2)?.mul(b)?.sum(-1),
        _ => ops::matmul(a, &b.t()?).precision(precision(a)).run(),
    }
}

impl<'a> Cell<'a> {
    pub(super) fn new(options: &'a Options, direction: &'a Direction, weights: Weights) -> Cell<'a> {
        Cell { options, direction, weights }
    }

    /// Returns the weights.
    pub(super) fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Returns what all steps take from the input, with the biases that can be added to it.
    pub(super) fn inputs(&self, x: &Tensor) -> NodeResult<Tensor> {
        let inputs = product(x, &self.weights.input)?;
        let Some([of_input, of_state]) = &self.weights.biases else { return Ok(inputs) };
        let bias = match self.options.linear_before_reset {
            false => of_input.add(of_state)?,
            true => {
                // The bias of the state of the last gate is reset with it.
                let size = self.size();
                let gates = of_state.narrow(0, 0, 2 * size)?.pad(&[(0, size)], ops::PadMode::constant(0))?;
                of_input.add(&gates)?
            }
        };
        Ok(inputs.add(&bias)?)
    }

    /// Returns the size of the states.
    fn size(&self) -> usize {
        self.weights.state.dims().last().copied().unwrap_or(0)
    }

    fn activation(&self, number: usize, x: &Tensor) -> NodeResult<Tensor> {
        let Some(activation) = self.direction.activations.get(number) else {
            return Reason::text(format!("it has no activation {number}"));
        };
        Ok(match self.options.clip {
            Some(clip) => activation.run(&ops::clamp(x, -clip, clip).run()?)?,
            None => activation.run(x)?,
        })
    }

    /// Returns a gate of what they are functions of.
    fn gate(&self, gates: &Tensor, number: usize) -> Result<Tensor, aclnn::Error> {
        gates.narrow(-1, number * self.size(), self.size())
    }

    /// Makes a step.
    pub(super) fn step(&self, input: &Tensor, states: &States) -> NodeResult<States> {
        match self.options.kind {
            Kind::Rnn => {
                let gate = input.add(&product(&states.hidden, &self.weights.state)?)?;
                Ok(States { hidden: self.activation(0, &gate)?, cell: None })
            }
            Kind::Gru => self.gru(input, &states.hidden),
            Kind::Lstm => {
                let Some(cell) = &states.cell else { return Reason::text("it has no state of its cell") };
                self.lstm(input, &states.hidden, cell)
            }
        }
    }

    fn gru(&self, input: &Tensor, hidden: &Tensor) -> NodeResult<States> {
        let (size, weight) = (self.size(), &self.weights.state);
        let first = product(hidden, &weight.narrow(0, 0, 2 * size)?)?;
        let first = self.activation(0, &input.narrow(-1, 0, 2 * size)?.add(&first)?)?;
        let (update, reset) = (self.gate(&first, 0)?, self.gate(&first, 1)?);
        let last = weight.narrow(0, 2 * size, size)?;
        let carried = match (self.options.linear_before_reset, &self.weights.biases) {
            (false, _) => product(&reset.mul(hidden)?, &last)?,
            (true, Some([_, bias])) => {
                product(hidden, &last)?.add(&bias.narrow(0, 2 * size, size)?)?.mul(&reset)?
            }
            (true, None) => product(hidden, &last)?.mul(&reset)?,
        };
        let next = self.activation(1, &self.gate(input, 2)?.add(&carried)?)?;
        let hidden = next.add(&update.mul(&hidden.sub(&next)?)?)?;
        Ok(States { hidden, cell: None })
    }

    fn lstm(&self, input: &Tensor, hidden: &Tensor, cell: &Tensor) -> NodeResult<States> {
        let carried = product(hidden, &self.weights.state)?;
        if self.weights.is_fused {
            let next = ops::lstm_cell(&input.contiguous()?, &carried, cell).run()?;
            return Ok(States { hidden: next.hidden, cell: Some(next.cell) });
        }
        let gates = input.add(&carried)?;
        let peeped = |number: usize, peephole: usize, cell: &Tensor| -> NodeResult<Tensor> {
            let gate = self.gate(&gates, number)?;
            match self.weights.peepholes.as_ref().and_then(|peepholes| peepholes.get(peephole)) {
                Some(weight) => Ok(gate.add(&weight.mul(cell)?)?),
                None => Ok(gate),
            }
        };
        let of_input = self.activation(0, &peeped(0, 0, cell)?)?;
        let forget = match self.options.input_forget {
            true => of_input.neg()?.add(1)?,
            false => self.activation(0, &peeped(2, 2, cell)?)?,
        };
        let candidate = self.activation(1, &self.gate(&gates, 3)?)?;
        let next = forget.mul(cell)?.add(&of_input.mul(&candidate)?)?;
        let output = self.activation(0, &peeped(1, 1, &next)?)?;
        let Some(last) = self.direction.activations.get(2) else {
            return Reason::text("it has no activation of its output");
        };
        Ok(States { hidden: output.mul(&last.run(&next)?)?, cell: Some(next) })
    }
}

impl Weights {
    /// Returns the weights for the operator that runs whole sequences, if they are in its order.
    pub(super) fn of_device(&self) -> Option<RecurrentWeights> {
        let Weights { input, state, biases, is_fused, .. } = self.clone();
        is_fused.then_some(RecurrentWeights { input, hidden: state, biases })
    }

    /// Makes the weights of a direction ready.
    pub(super) fn new(
        options: &Options,
        direction: &Direction,
        [input, state]: [Tensor; 2],
        biases: Option<[Tensor; 2]>,
        peepholes: Option<[Tensor; 3]>,
    ) -> Result<Weights, aclnn::Error> {
        let is_usual = direction.activations == [Activation::Sigmoid, Activation::Tanh, Activation::Tanh];
        let is_fused = options.kind == Kind::Lstm
            && is_usual
            && options.clip.is_none()
            && !options.input_forget
            && peepholes.is_none()
            && input.dtype() != DType::F64;
        if !is_fused {
            return Ok(Weights { input, state, biases, peepholes, is_fused });
        }
        let biases = match &biases {
            Some([of_input, of_state]) => Some([reordered(of_input)?, reordered(of_state)?]),
            None => None,
        };
        Ok(Weights { input: reordered(&input)?, state: reordered(&state)?, biases, peepholes, is_fused })
    }
}

/// Puts gates from the order input, output, forget, cell into input, forget, cell, output.
fn reordered(tensor: &Tensor) -> Result<Tensor, aclnn::Error> {
    let size = tensor.dims().first().copied().unwrap_or(0) / 4;
    let [input, output, forget, cell] = [0, 1, 2, 3].map(|gate| tensor.narrow(0, gate * size, size));
    ops::cat(&[&input?, &forget?, &cell?, &output?], 0).run()
}
