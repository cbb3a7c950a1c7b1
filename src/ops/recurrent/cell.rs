//! Cells of recurrent networks, after the products with their weights.

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::ops::prepared::prepared;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The next states of a cell, and its gates.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct LstmStates {
    /// The next hidden state, `[batches, size]`.
    pub hidden: Tensor,
    /// The next state of the cell, `[batches, size]`.
    pub cell: Tensor,
    /// The gates, `[batches, 4 · size]`, which [`lstm_cell_backward`] takes.
    pub gates: Tensor,
}

/// The gradients of a cell.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct LstmGradients {
    /// That for what the gates are functions of, `[batches, 4 · size]`: the same for what is made of the input, and of the hidden
    /// state.
    pub gates: Tensor,
    /// That for the state of the cell before, `[batches, size]`.
    pub cell: Tensor,
    /// That for each of the biases, `[4 · size]`.
    pub bias: Tensor,
}

/// An LSTM cell, with options.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct LstmCell<'a> {
    input: &'a Tensor,
    hidden: &'a Tensor,
    cell: &'a Tensor,
    biases: Option<[&'a Tensor; 2]>,
    stream: Option<&'a Stream>,
}

/// Prepares the next states of an LSTM cell.
///
/// `input` and `hidden` are the products of the input and of the hidden state with the weights, `[batches, 4 · size]`: for the
/// gates of the input, of forgetting, of the cell and of the output, in this order, as PyTorch has them. `cell` is the state of
/// the cell, `[batches, size]`. Types are f32, f16 and, not on the 910 and the 310P, bf16, the same for all tensors; as CANN does
/// not list them, those of the emulator.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let cell = Tensor::from_slice(&device, &[2.0f32], [1, 1])?;
/// // Nothing goes in, half of the old state is forgotten, and half of the new one is shown.
/// let zeros = Tensor::zeros(&device, [1, 4], aclnn::DType::F32)?;
/// let next = ops::lstm_cell(&zeros, &zeros, &cell).run()?;
/// assert_eq!(next.cell.to_vec::<f32>()?, [1.0]);
/// assert_eq!(next.hidden.to_vec::<f32>()?, [0.5 * 1.0f32.tanh()]);
/// assert_eq!(next.gates.to_vec::<f32>()?, [0.5, 0.5, 0.0, 0.5]);
/// let grads = ops::lstm_cell_backward(None, Some(&cell), &cell, &next.cell, &next.gates)?;
/// assert_eq!(grads.cell.to_vec::<f32>()?, [1.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[inline]
pub fn lstm_cell<'a>(input: &'a Tensor, hidden: &'a Tensor, cell: &'a Tensor) -> LstmCell<'a> {
    LstmCell { input, hidden, cell, biases: None, stream: None }
}

prepared! {
    ['a] LstmCell<'a>:
    on("the input")
}

impl<'a> LstmCell<'a> {
    /// Adds two biases, `[4 · size]` each, to what the gates are functions of; the default is none.
    #[inline]
    pub fn biases(mut self, input: &'a Tensor, hidden: &'a Tensor) -> Self {
        self.biases = Some([input, hidden]);
        self
    }

    /// Queues the operation and returns the next states and the gates, new contiguous tensors.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) for shapes or types that do not go together,
    /// [`Unsupported`](crate::Error::Unsupported), before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory);
    /// [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnThnnFusedLstmCell")]
    #[inline]
    pub fn run(&self) -> Result<LstmStates> {
        let (input, hidden, cell) = (self.input, self.hidden, self.cell);
        let mut operation = Operation::new("lstm_cell", self.stream.unwrap_or(input.stream()))
            .tensor("input", input)
            .tensor("hidden", hidden)
            .tensor("cell", cell);
        if let Some([input, hidden]) = self.biases {
            operation = operation.tensor("input bias", input).tensor("hidden bias", hidden);
        }
        operation.placed()?;
        let dtype = input.dtype();
        operation.takes("ThnnFusedLstmCell", signatures::lstm_cell.takes, dtype)?;
        fit(&operation, input, cell)?;
        let biases = self.biases.into_iter().flatten();
        let is_alike = hidden.dims() == input.dims()
            && [hidden, cell].into_iter().chain(biases.clone()).all(|tensor| tensor.dtype() == dtype)
            && biases.clone().all(|bias| Some(bias.dims()) == input.dims().get(1..));
        if !is_alike {
            return Err(operation.refused(
                "hidden must have the shape of input, biases its last axis, and all tensors one type"
                    .to_owned(),
            ));
        }
        let [state, next] = [operation.empty(cell.dims(), dtype)?, operation.empty(cell.dims(), dtype)?];
        let gates = operation.empty(input.dims(), dtype)?;
        if state.numel() > 0 {
            let [first, second] = [self.biases.map(|biases| biases[0]), self.biases.map(|biases| biases[1])];
            let on = operation.stream.into();
            launch::ThnnFusedLstmCell(on, input, hidden, cell, first, second, &state, &next, &gates)?;
        }
        Ok(LstmStates { hidden: state, cell: next, gates })
    }
}

/// Checks that there are four gates for each state of a cell.
#[inline]
fn fit(operation: &Operation<'_>, gates: &Tensor, cell: &Tensor) -> Result<()> {
    match (gates.dims(), cell.dims()) {
        ([rows, columns], [batches, size]) if rows == batches && Some(*columns) == size.checked_mul(4) => {
            Ok(())
        }
        _ => Err(operation.refused(
            "there must be a row for each batch, with four gates for each state of a cell".to_owned(),
        )),
    }
}

/// Returns the gradients of [`lstm_cell`], where `grad_hidden` and `grad_cell` are those for its next states, of which one may be
/// missing; `before` and `after` are the states of the cell, and `gates` those that it returned.
///
/// # Errors
/// Those of [`LstmCell::run`]; `Argument` also without any gradient.
#[doc(alias = "aclnnThnnFusedLstmCellBackward")]
#[inline]
pub fn lstm_cell_backward(
    grad_hidden: Option<&Tensor>,
    grad_cell: Option<&Tensor>,
    before: &Tensor,
    after: &Tensor,
    gates: &Tensor,
) -> Result<LstmGradients> {
    let mut operation = Operation::new("lstm_cell_backward", gates.stream())
        .tensor("before", before)
        .tensor("after", after)
        .tensor("gates", gates);
    for (name, grad) in [("grad_hidden", grad_hidden), ("grad_cell", grad_cell)] {
        if let Some(grad) = grad {
            operation = operation.tensor(name, grad);
        }
    }
    operation.placed()?;
    let dtype = gates.dtype();
    operation.takes("ThnnFusedLstmCellBackward", signatures::lstm_cell_backward.takes, dtype)?;
    fit(&operation, gates, before)?;
    let mut states = [before, after].into_iter().chain(grad_hidden).chain(grad_cell);
    if grad_hidden.is_none() && grad_cell.is_none() {
        return Err(operation.refused("there must be a gradient of a state".to_owned()));
    }
    if !states.all(|state| state.dims() == before.dims() && state.dtype() == dtype) {
        return Err(operation.refused(
            "all states and their gradients must have one shape, and one type with the gates".to_owned(),
        ));
    }
    let columns = gates.dims().get(1).copied().unwrap_or(0);
    if gates.numel() == 0 {
        let bias = Tensor::zeros(operation.stream, [columns], dtype)?;
        let [of_gates, of_cell] = [gates, before].map(|like| operation.empty(like.dims(), dtype));
        return Ok(LstmGradients { gates: of_gates?, cell: of_cell?, bias });
    }
    let [of_gates, of_cell] = [operation.empty(gates.dims(), dtype)?, operation.empty(before.dims(), dtype)?];
    let bias = operation.empty([columns], dtype)?;
    let on = operation.stream.into();
    let outputs = (&of_gates, &of_cell, Some(&bias));
    launch::ThnnFusedLstmCellBackward(
        on,
        grad_hidden,
        grad_cell,
        before,
        after,
        gates,
        true,
        outputs.0,
        outputs.1,
        outputs.2,
    )?;
    Ok(LstmGradients { gates: of_gates, cell: of_cell, bias })
}
