//! The layers of recurrent networks: their weights, the checks before a launch, and what they compute.

use aclnn_numerics::DType;
use aclnn_numerics::types_by_product::Types;

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::{Error, Result};
use crate::ops::prepared::prepared;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The weights and biases of one direction of one layer of a recurrent network, in PyTorch's layout.
///
/// The rows of all of them come in blocks of `size` rows, one block for each gate: input, forget, cell and output gate of an LSTM
/// network; reset gate, update gate and new state of a GRU network.
#[derive(Debug, Clone)]
pub struct RecurrentWeights {
    /// The weights of what comes in, `[gates · size, elements]`. In the first layer `elements` are those of the input, in the
    /// others `directions · size`.
    pub input: Tensor,
    /// The weights of the hidden state, `[gates · size, size]`.
    pub hidden: Tensor,
    /// The bias that is added to the products of `input`, and that of the products of `hidden`, `[gates · size]` each. All layers
    /// have biases, or none has.
    pub biases: Option<[Tensor; 2]>,
}

impl RecurrentWeights {
    /// Returns the tensors in the order in which the library takes them, with their names.
    #[inline]
    pub(super) fn tensors(&self) -> impl Iterator<Item = (&'static str, &Tensor)> {
        let biases = self.biases.iter().flat_map(|[input, hidden]| {
            [("the bias of an input", input), ("the bias of a hidden state", hidden)]
        });
        [("a weight of an input", &self.input), ("a weight of a hidden state", &self.hidden)]
            .into_iter()
            .chain(biases)
    }
}

/// The results of a recurrent network.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RecurrentOutputs {
    /// The hidden states of the last layer at each step, `[steps, batches, directions · size]`: those of the forward direction
    /// first. With [`batch_first`](Recurrent::batch_first) the first two axes are exchanged.
    pub output: Tensor,
    /// The last hidden states, `[layers · directions, batches, size]`. The reverse direction ends with the first step.
    pub hidden: Tensor,
    /// The last states of the cells of an LSTM network, of the same shape; `None` for a GRU network.
    pub cell: Option<Tensor>,
}

/// The results of a recurrent network, and what [`Recurrent::backward`] needs of each step.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RecurrentSteps {
    /// The results.
    pub outputs: RecurrentOutputs,
    /// Gates and states of all steps, in the order of the operator's lists, each for all directions of all layers.
    pub(super) kept: Vec<Vec<Tensor>>,
}

/// The kind of the cells of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Lstm,
    Gru,
}

impl Kind {
    #[inline]
    fn gates(self) -> usize {
        if self == Self::Lstm { 4 } else { 3 }
    }

    /// The number of lists of gates and states that are kept of all steps.
    #[inline]
    pub(super) fn lists(self) -> usize {
        if self == Self::Lstm { 7 } else { 5 }
    }
}

/// The sizes of a network whose operands fit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    steps: usize,
    pub(super) batches: usize,
    elements: usize,
    size: usize,
    directions: usize,
    /// Directions of all layers.
    pub(super) count: usize,
}

impl Sizes {
    /// The shape of states of all directions of all layers.
    #[inline]
    pub(super) fn states(&self) -> [usize; 3] {
        [self.count, self.batches, self.size]
    }

    /// The shape of what is kept of all steps of one direction of one layer.
    #[inline]
    pub(super) fn kept(&self) -> [usize; 3] {
        [self.steps, self.batches, self.size]
    }

    /// The shape of the input as the library takes sequences of several lengths.
    #[inline]
    pub(super) fn rows(&self) -> [usize; 2] {
        [self.steps * self.batches, self.elements]
    }
}

/// A recurrent network over whole sequences, with options.
///
/// All tensors but the [batch sizes](Recurrent::batch_sizes) have one type, f32 or f16. An LSTM network runs on the 910B and on the
/// 950, a GRU network on the 910B. The library knows no dropout between layers.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Recurrent<'a> {
    pub(super) kind: Kind,
    pub(super) input: &'a Tensor,
    pub(super) weights: &'a [RecurrentWeights],
    hidden: Option<&'a Tensor>,
    cell: Option<&'a Tensor>,
    pub(super) batch_sizes: Option<&'a Tensor>,
    pub(super) is_bidirectional: bool,
    pub(super) is_batch_first: bool,
    stream: Option<&'a Stream>,
}

impl<'a> Recurrent<'a> {
    #[inline]
    fn new(kind: Kind, input: &'a Tensor, weights: &'a [RecurrentWeights]) -> Self {
        Self {
            kind,
            input,
            weights,
            hidden: None,
            cell: None,
            batch_sizes: None,
            is_bidirectional: false,
            is_batch_first: false,
            stream: None,
        }
    }
}

/// Prepares an LSTM network over whole sequences.
///
/// `input` is `[steps, batches, elements]`, and `weights` has those of each layer; see [`RecurrentWeights`]. For each step of each
/// layer, with `i`, `f`, `g` and `o` the gates of input, forgetting, cell and output: `cell = f · cell + i · g`, `hidden = o ·
/// tanh(cell)`.
///
/// ```
/// use aclnn::ops::{self, RecurrentWeights};
/// use aclnn::{DType, Device, Tensor};
///
/// let device = Device::open(0)?;
/// let zeros = |dims: &[usize]| Tensor::zeros(&device, dims, DType::F32);
/// // Two steps of one sequence of three elements. With weights of zero each gate is half open, and nothing new comes in.
/// let (input, weights) = (zeros(&[2, 1, 3])?, RecurrentWeights { input: zeros(&[4, 3])?, hidden: zeros(&[4, 1])?, biases: None });
/// let cell = Tensor::from_slice(&device, &[2.0f32], [1, 1, 1])?;
/// let made = ops::lstm(&input, &[weights]).initial_cell(&cell).run()?;
/// assert_eq!(made.cell.expect("that of an LSTM network").to_vec::<f32>()?, [0.5]);
/// assert_eq!(made.output.dims(), [2, 1, 1]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnLSTM")]
#[inline]
pub fn lstm<'a>(input: &'a Tensor, weights: &'a [RecurrentWeights]) -> Recurrent<'a> {
    Recurrent::new(Kind::Lstm, input, weights)
}

/// Prepares a GRU network over whole sequences.
///
/// `input` is `[steps, batches, elements]`, and `weights` has those of each layer; see [`RecurrentWeights`]. For each step of each
/// layer, with `r` and `z` the gates of reset and update: `new = tanh(input product + r · hidden product)` and
/// `hidden = (1 − z) · new + z · hidden`.
///
/// ```
/// use aclnn::ops::{self, RecurrentWeights};
/// use aclnn::{DType, Device, Tensor};
///
/// let device = Device::open(0)?;
/// let zeros = |dims: &[usize]| Tensor::zeros(&device, dims, DType::F32);
/// // Two steps of one sequence of three elements. With weights of zero each step halves the state.
/// let (input, weights) = (zeros(&[2, 1, 3])?, [RecurrentWeights { input: zeros(&[3, 3])?, hidden: zeros(&[3, 1])?, biases: None }]);
/// let hidden = Tensor::from_slice(&device, &[1.0f32], [1, 1, 1])?;
/// let network = ops::gru(&input, &weights).initial_hidden(&hidden);
/// assert_eq!(network.run()?.output.to_vec::<f32>()?, [0.5, 0.25]);
/// let steps = network.run_for_gradients()?;
/// let grads = network.backward(&steps, None, Some(&hidden), None)?;
/// assert_eq!(grads.hidden.to_vec::<f32>()?, [0.25]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnGRU")]
#[inline]
pub fn gru<'a>(input: &'a Tensor, weights: &'a [RecurrentWeights]) -> Recurrent<'a> {
    Recurrent::new(Kind::Gru, input, weights)
}

prepared! {
    ['a] Recurrent<'a>:
    on("the input")
}

impl<'a> Recurrent<'a> {
    /// Lets each layer run over the sequences in both directions. The weights are then those of the first layer forward and
    /// backward, of the second layer forward and backward, and so on.
    #[inline]
    pub fn bidirectional(mut self) -> Self {
        self.is_bidirectional = true;
        self
    }

    /// Takes the input as `[batches, steps, elements]`, and returns the output likewise. States stay as they are.
    #[inline]
    pub fn batch_first(mut self) -> Self {
        self.is_batch_first = true;
        self
    }

    /// Sets the hidden states before the first step, `[layers · directions, batches, size]`; the default is zero.
    #[inline]
    pub fn initial_hidden(mut self, hidden: &'a Tensor) -> Self {
        self.hidden = Some(hidden);
        self
    }

    /// Sets the states of the cells before the first step, of the shape of the hidden ones; the default is zero. Only LSTM
    /// networks have them.
    #[inline]
    pub fn initial_cell(mut self, cell: &'a Tensor) -> Self {
        self.cell = Some(cell);
        self
    }

    /// Sets for each step the number of sequences that have it, `[steps]` of i64, as PyTorch's packed sequences do: the longest
    /// sequence is the first of the batch. LSTM networks alone take sequences of several lengths, and those with steps before
    /// batches.
    ///
    /// The states of a sequence stay as they are behind its last step, and the output is 0 there. The numbers should not rise. They
    /// are not checked, and what a device does with others is not known: on the emulator, a number beyond the batch counts as the
    /// whole batch, one below zero as none, and a sequence that is there again goes on with its states.
    #[doc(alias = "running")]
    #[inline]
    pub fn batch_sizes(mut self, counts: &'a Tensor) -> Self {
        self.batch_sizes = Some(counts);
        self
    }

    /// Returns the operands under their names, for checks and messages.
    #[inline]
    pub(super) fn operation<'o>(&self, [lstm, gru]: [&'static str; 2]) -> Operation<'o>
    where
        'a: 'o,
    {
        let name = if self.kind == Kind::Lstm { lstm } else { gru };
        let stream = self.stream.unwrap_or(self.input.stream());
        let operation = Operation::new(name, stream).tensor("input", self.input);
        let others =
            [("initial_hidden", self.hidden), ("initial_cell", self.cell), ("batch_sizes", self.batch_sizes)];
        let others = others.into_iter().filter_map(|(name, tensor)| Some((name, tensor?)));
        let all = others.chain(self.weights.iter().flat_map(RecurrentWeights::tensors));
        all.fold(operation, |operation, (name, tensor)| operation.tensor(name, tensor))
    }

    /// Checks the operands of the operator `by`, and returns the sizes of the network.
    #[inline]
    pub(super) fn checked(
        &self,
        operation: &Operation<'_>,
        (by, takes): (&'static str, Types),
    ) -> Result<Sizes> {
        operation.placed()?;
        let (dtype, gates) = (self.input.dtype(), self.kind.gates());
        operation.takes(by, takes, dtype)?;
        let [first, second, elements] = *self.input.dims() else {
            let reason = "input must have three axes, of steps, of batches and of elements";
            return Err(operation.refused(reason.to_owned()));
        };
        let [steps, batches] = if self.is_batch_first { [second, first] } else { [first, second] };
        let directions = if self.is_bidirectional { 2 } else { 1 };
        let count = self.weights.len();
        if count == 0 || !count.is_multiple_of(directions) {
            return Err(operation.refused(format!(
                "weights has {count} entries, but must have one for each direction of each layer: a multiple of {directions}"
            )));
        }
        let size = match self.weights.first().map(|first| first.hidden.dims()) {
            Some(&[rows, size]) if size.checked_mul(gates) == Some(rows) => size,
            Some(dims) => {
                let reason = format!(
                    "a weight of a hidden state of layer 0 is {dtype} {dims:?}, but must be [{gates} · size, size]"
                );
                return Err(operation.refused(reason));
            }
            None => 0,
        };
        for (what, number) in [("steps", steps), ("elements", elements)] {
            if number == 0 {
                return Err(operation.refused(format!("input has no {what}, but must have some")));
            }
        }
        if size == 0 {
            let reason = "a weight of a hidden state of layer 0 has no elements, but must have some";
            return Err(operation.refused(reason.to_owned()));
        }
        let has_biases = self.weights.iter().any(|weights| weights.biases.is_some());
        for (number, weights) in self.weights.iter().enumerate() {
            let own = if number < directions { elements } else { directions * size };
            let rows = gates * size;
            let wanted: [&[usize]; 4] = [&[rows, own], &[rows, size], &[rows], &[rows]];
            for ((name, tensor), wanted) in weights.tensors().zip(wanted) {
                let name = format_args!("{name} of layer {}", number / directions);
                operation.must_be(name, tensor, (dtype, wanted))?;
            }
            if weights.biases.is_some() != has_biases {
                return Err(operation.refused("all layers must have biases, or none".to_owned()));
            }
        }
        let sizes = Sizes { steps, batches, elements, size, directions, count };
        for (name, state) in [("initial_hidden", self.hidden), ("initial_cell", self.cell)] {
            if let Some(state) = state {
                operation.must_be(name, state, (dtype, &sizes.states()))?;
            }
        }
        if self.kind == Kind::Gru {
            let excess = self.cell.map(|_| "initial_cell is given, but a GRU network has no states of cells");
            let lengths = "batch_sizes is given, but a GRU network takes sequences of one length alone";
            if let Some(reason) = excess.or(self.batch_sizes.map(|_| lengths)) {
                return Err(operation.refused(reason.to_owned()));
            }
        }
        if let Some(counts) = self.batch_sizes {
            operation.must_be("batch_sizes", counts, (DType::I64, &[steps]))?;
            if self.is_batch_first {
                let reason = "input has batches first, but sequences of several lengths must have steps before batches";
                return Err(operation.refused(reason.to_owned()));
            }
        }
        Ok(sizes)
    }

    /// The shape of the output.
    #[inline]
    pub(super) fn shown(&self, sizes: &Sizes) -> [usize; 3] {
        let [steps, batches, size] = sizes.kept();
        let (first, second) = if self.is_batch_first { (batches, steps) } else { (steps, batches) };
        [first, second, sizes.directions * size]
    }

    /// The number of layers.
    #[inline]
    pub(super) fn layers(&self, sizes: &Sizes) -> i64 {
        (sizes.count / sizes.directions) as i64
    }

    #[inline]
    pub(super) fn has_biases(&self) -> bool {
        self.weights.iter().any(|weights| weights.biases.is_some())
    }

    /// The weights and biases in the order in which the library takes them.
    #[inline]
    pub(super) fn params(&self) -> Vec<&'a Tensor> {
        self.weights.iter().flat_map(|weights| weights.tensors().map(|(_, tensor)| tensor)).collect()
    }

    /// The input as the library takes it.
    #[inline]
    pub(super) fn rows(&self, sizes: &Sizes) -> Result<Tensor> {
        match self.batch_sizes {
            Some(_) => self.input.contiguous()?.reshape(sizes.rows()),
            None => Ok(self.input.clone()),
        }
    }

    /// The states before the first step, as many as the cells have. With `are_needed` zeros stand for those that are not given;
    /// without, there are none where none is given.
    #[inline]
    pub(super) fn initial(
        &self,
        operation: &Operation<'_>,
        sizes: &Sizes,
        are_needed: bool,
    ) -> Result<Vec<Tensor>> {
        if !are_needed && self.hidden.is_none() && self.cell.is_none() {
            return Ok(Vec::new());
        }
        let states = [Some(self.hidden), (self.kind == Kind::Lstm).then_some(self.cell)];
        let state = |given: Option<&Tensor>| match given {
            Some(state) => Ok(state.clone()),
            None => Tensor::zeros(operation.stream, sizes.states(), self.input.dtype()),
        };
        states.into_iter().flatten().map(state).collect()
    }

    /// Queues the network and returns its results, new contiguous tensors.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) for shapes or types that do not go together, [`Devices`](crate::Error::Devices) and
    /// [`Unsupported`](crate::Error::Unsupported), before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory);
    /// [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<RecurrentOutputs> {
        Ok(self.forward(false)?.outputs)
    }

    /// Queues the network and returns its results, and what [`backward`](Recurrent::backward) needs beside them: of each layer
    /// and direction 7 tensors of `[steps, batches, size]` of an LSTM network, and 5 of a GRU network.
    ///
    /// # Errors
    /// As [`run`](Recurrent::run).
    #[inline]
    pub fn run_for_gradients(&self) -> Result<RecurrentSteps> {
        self.forward(true)
    }

    #[inline]
    fn forward(&self, keeps: bool) -> Result<RecurrentSteps> {
        let operation = self.operation(["lstm", "gru"]);
        let (dtype, is_lstm) = (self.input.dtype(), self.kind == Kind::Lstm);
        let by = match is_lstm {
            true => ("LSTM", signatures::lstm.takes),
            false => ("GRU", signatures::gru.takes),
        };
        let sizes = self.checked(&operation, by)?;
        let output = operation.empty(self.shown(&sizes), dtype)?;
        let hidden = operation.empty(sizes.states(), dtype)?;
        let cell = if is_lstm { Some(operation.empty(sizes.states(), dtype)?) } else { None };
        let list = || (0..sizes.count).map(|_| operation.empty(sizes.kept(), dtype)).collect();
        let lists = (0..self.kind.lists()).map(|_| if keeps { list() } else { Ok(Vec::new()) });
        let mut kept = lists.collect::<Result<Vec<Vec<Tensor>>>>()?;
        if sizes.batches > 0 {
            let (input, params) = (self.rows(&sizes)?, self.params());
            let initial = self.initial(&operation, &sizes, self.batch_sizes.is_some())?;
            let initial: Vec<&Tensor> = initial.iter().collect();
            let mut lists: Vec<Vec<&mut Tensor>> =
                kept.iter_mut().map(|list| list.iter_mut().collect()).collect();
            let lists: Vec<&[&mut Tensor]> = lists.iter_mut().map(|list| &list[..]).collect();
            let (on, has_biases, layers) = (operation.stream.into(), self.has_biases(), self.layers(&sizes));
            let (double, batch_first) = (self.is_bidirectional, self.is_batch_first);
            match (&lists[..], &cell) {
                (&[i, j, f, o, h, c, bent], Some(cell)) => {
                    let initial = Some(&initial[..]).filter(|initial| !initial.is_empty());
                    launch::LSTM(
                        on,
                        &input,
                        &params,
                        initial,
                        self.batch_sizes,
                        has_biases,
                        layers,
                        0.0,
                        keeps,
                        double,
                        batch_first,
                        &output,
                        &hidden,
                        cell,
                        i,
                        j,
                        f,
                        o,
                        h,
                        c,
                        bent,
                    )?;
                }
                (&[r, z, n, hidden_new, h], None) => launch::GRU(
                    on,
                    &input,
                    &params,
                    initial.first().copied(),
                    None,
                    has_biases,
                    layers,
                    0.0,
                    keeps,
                    double,
                    batch_first,
                    &output,
                    &hidden,
                    r,
                    z,
                    n,
                    hidden_new,
                    h,
                )?,
                _ => return Err(Error::Internal { what: "other lists than a network keeps" }),
            }
        }
        Ok(RecurrentSteps { outputs: RecurrentOutputs { output, hidden, cell }, kept })
    }
}
