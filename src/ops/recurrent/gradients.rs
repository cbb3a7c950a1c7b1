//! The gradients of recurrent networks.

use super::network::{Kind, Recurrent, RecurrentSteps, RecurrentWeights};
use crate::call::launch;
use crate::error::{Error, Result};
use crate::signatures;
use crate::tensor::Tensor;

/// The gradients of a recurrent network, each of the shape and the type of its operand.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RecurrentGradients {
    /// That of the input.
    pub input: Tensor,
    /// That of the hidden states before the first step, also where none were given.
    pub hidden: Tensor,
    /// That of the states of cells before the first step; `None` for a GRU network.
    pub cell: Option<Tensor>,
    /// Those of the weights and biases, in the order in which they were given.
    pub weights: Vec<RecurrentWeights>,
}

impl Recurrent<'_> {
    /// Queues the computation of the gradients, for those of the output, of the last hidden states and of the last states of
    /// cells, of which at least one must be given. `forward` is what [`run_for_gradients`](Recurrent::run_for_gradients) returned
    /// for the same operands and options.
    ///
    /// # Errors
    /// As [`run`](Recurrent::run); [`Argument`](crate::Error::Argument) also without any gradient.
    #[doc(alias = "aclnnLstmBackward")]
    #[doc(alias = "aclnnGRUBackward")]
    #[inline]
    pub fn backward(
        &self,
        forward: &RecurrentSteps,
        grad_output: Option<&Tensor>,
        grad_hidden: Option<&Tensor>,
        grad_cell: Option<&Tensor>,
    ) -> Result<RecurrentGradients> {
        let names = ["grad_output", "grad_hidden", "grad_cell"];
        let grads = names.into_iter().zip([grad_output, grad_hidden, grad_cell]);
        let grads = grads.filter_map(|(name, grad)| Some((name, grad?)));
        let of_steps = forward.kept.iter().flatten().map(|tensor| ("a tensor of all steps", tensor));
        let all = grads.clone().chain(of_steps);
        let operation = self.operation(["lstm_backward", "gru_backward"]);
        let operation = all.fold(operation, |operation, (name, tensor)| operation.tensor(name, tensor));
        let (dtype, is_lstm) = (self.input.dtype(), self.kind == Kind::Lstm);
        let by = match is_lstm {
            true => ("LstmBackward", signatures::lstm_backward.takes),
            false => ("GRUBackward", signatures::gru_backward.takes),
        };
        let sizes = self.checked(&operation, by)?;
        if !is_lstm && grad_cell.is_some() {
            let reason = "grad_cell is given, but a GRU network has no states of cells";
            return Err(operation.refused(reason.to_owned()));
        }
        if grads.clone().next().is_none() {
            return Err(operation.refused("there must be a gradient of a result".to_owned()));
        }
        let kept = &forward.kept;
        if kept.len() != self.kind.lists() || kept.iter().any(|list| list.len() != sizes.count) {
            return Err(
                operation.refused("forward must be of this network, and kept for gradients".to_owned())
            );
        }
        for (name, grad) in grads {
            let wanted = if name == "grad_output" { self.shown(&sizes) } else { sizes.states() };
            operation.must_be(name, grad, (dtype, &wanted))?;
        }
        for tensor in kept.iter().flatten() {
            operation.must_be("a tensor of all steps", tensor, (dtype, &sizes.kept()))?;
        }
        let new = |like: &Tensor| match sizes.batches {
            // Sums of nothing.
            0 => Tensor::zeros(operation.stream, like.shape().clone(), dtype),
            _ => operation.empty(like.shape().clone(), dtype),
        };
        let (rows, params) = (self.rows(&sizes)?, self.params());
        let initial = self.initial(&operation, &sizes, true)?;
        let states = initial.iter().map(new).collect::<Result<Vec<_>>>()?;
        let (input, mut made) =
            (new(&rows)?, params.iter().map(|param| new(param)).collect::<Result<Vec<_>>>()?);
        if sizes.batches > 0 {
            let lists: Vec<Vec<&Tensor>> = kept.iter().map(|list| list.iter().collect()).collect();
            let lists: Vec<&[&Tensor]> = lists.iter().map(Vec::as_slice).collect();
            let to_params: Vec<&mut Tensor> = made.iter_mut().collect();
            let initial: Vec<&Tensor> = initial.iter().collect();
            let (on, has_biases, layers) = (operation.stream.into(), self.has_biases(), self.layers(&sizes));
            let (double, batch_first) = (self.is_bidirectional, self.is_batch_first);
            match (&lists[..], &initial[..], &states[..]) {
                (&[i, g, f, o, h, c, bent], initial, [hidden, cell]) => launch::LstmBackward(
                    on,
                    &rows,
                    initial,
                    &params,
                    grad_output,
                    grad_hidden,
                    grad_cell,
                    i,
                    g,
                    f,
                    o,
                    h,
                    c,
                    bent,
                    self.batch_sizes,
                    has_biases,
                    layers,
                    0.0,
                    true,
                    double,
                    batch_first,
                    None,
                    &input,
                    hidden,
                    cell,
                    &to_params,
                )?,
                (&[r, z, n, hidden_new, h], &[initial], [hidden]) => launch::GRUBackward(
                    on,
                    &rows,
                    &params,
                    Some(initial),
                    grad_output,
                    grad_hidden,
                    r,
                    z,
                    n,
                    hidden_new,
                    h,
                    None,
                    has_biases,
                    layers,
                    double,
                    batch_first,
                    &input,
                    hidden,
                    &to_params,
                )?,
                _ => return Err(Error::Internal { what: "other lists than a network keeps" }),
            }
        }
        let mut states = states.into_iter();
        let lacks = || Error::Internal { what: "gradients of a network without states" };
        Ok(RecurrentGradients {
            input: input.reshape(self.input.shape().clone())?,
            hidden: states.next().ok_or_else(lacks)?,
            cell: states.next(),
            weights: of_weights(made, self.has_biases()),
        })
    }
}

/// Gives back weights and biases that were a list.
#[inline]
fn of_weights(list: Vec<Tensor>, has_biases: bool) -> Vec<RecurrentWeights> {
    let mut list = list.into_iter();
    let next = || {
        let (input, hidden) = (list.next()?, list.next()?);
        let biases = if has_biases { Some([list.next()?, list.next()?]) } else { None };
        Some(RecurrentWeights { input, hidden, biases })
    };
    std::iter::from_fn(next).collect()
}
