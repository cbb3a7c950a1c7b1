//! Networks of some layers, forward and backward.
//!
//! Parameters are those of PyTorch: for each layer, and in it for each direction, a weight for the input, one for the hidden
//! state and, with `hasBias`, a bias for each. CANN ignores the dropout between layers, and so does this.

use aclnn_numerics::DType::{F32, I64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::{ACL_FORMAT_NCL, ACL_FORMAT_ND, ACLNN_ERR_PARAM_NULLPTR};
use cann_kernels::View;
use cann_kernels::networks::recurrent::{Cell, Sizes};

use super::network::{Gradient, IN_ORDER, Kept, Made, MaskKind, Network};
use crate::mapped::try_mapped;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::images::has_format;
use crate::operators::whole_stage::WholeStage;
use crate::operators::{check, signatures};
use crate::status::{Result, Status};

const LSTM_LISTS: [&str; 7] = ["iOut", "jOut", "fOut", "oOut", "hOut", "cOut", "tanhCOut"];
const LSTM_KEPT: &[Kept] =
    &[Kept::Gate(0), Kept::Gate(2), Kept::Gate(1), Kept::Gate(3), Kept::Hidden, Kept::Cell, Kept::Bent];
const GRU_LISTS: [&str; 5] = ["rOut", "zOut", "nOut", "hnOut", "hOut"];
const GRU_KEPT: &[Kept] = &[Kept::Gate(0), Kept::Gate(1), Kept::Gate(2), Kept::Gate(3), Kept::Hidden];

pub(super) fn lstm(call: &Call<'_>) -> Result<Plan> {
    let kept: Vec<(&str, Kept)> = LSTM_LISTS.into_iter().zip(LSTM_KEPT.iter().copied()).collect();
    forward(call, Cell::Lstm, signatures::lstm.takes, &kept)
}

pub(super) fn gru(call: &Call<'_>) -> Result<Plan> {
    no_counts(call)?;
    let kept: Vec<(&str, Kept)> = GRU_LISTS.into_iter().zip(GRU_KEPT.iter().copied()).collect();
    forward(call, Cell::Gru, signatures::gru.takes, &kept)
}

pub(super) fn lstm_backward(call: &Call<'_>) -> Result<Plan> {
    backward(call, Cell::Lstm, &["i", "g", "f", "o", "h", "c", "tanhc"], LSTM_KEPT)
}

pub(super) fn gru_backward(call: &Call<'_>) -> Result<Plan> {
    no_counts(call)?;
    backward(call, Cell::Gru, &["r", "z", "n", "hn", "h"], GRU_KEPT)
}

/// The library refuses sequences of several lengths for a GRU, before it looks at anything else.
fn no_counts(call: &Call<'_>) -> Result {
    match call.optional_tensor("batchSizes")? {
        Some(_) => invalid("batchSizes must be null: this operator takes sequences of one length"),
        None => Ok(()),
    }
}

/// The operands that both directions of time have.
struct Common<'c> {
    cell: Cell,
    input: Operand<'c>,
    params: Vec<Operand<'c>>,
    /// The states before the first step; none, or all that the cell has.
    initial: Vec<Operand<'c>>,
    counts: Option<Operand<'c>>,
}

impl<'c> Common<'c> {
    fn of(call: &'c Call<'_>, cell: Cell) -> Result<Self> {
        let input = call.tensor("input")?;
        let params = call.tensors("params")?;
        let initial = match cell {
            Cell::Lstm => call.optional("hx", Call::tensors)?.unwrap_or_default(),
            Cell::Gru => call.optional_tensor("hx")?.into_iter().collect(),
        };
        let name = if call.has("batchSizes") { "batchSizes" } else { "batchSizesOptional" };
        Ok(Self { cell, input, params, initial, counts: call.optional_tensor(name)? })
    }

    fn states(&self) -> usize {
        if self.cell == Cell::Lstm { 2 } else { 1 }
    }

    /// The network, when the numbers of tensors and the shapes of those that it reads are right. `wrong` says how a wrong number
    /// is refused.
    fn network(&self, call: &Call<'_>, wrong: fn(String) -> Status) -> Result<Network> {
        let directional = if call.has("bidirectional") { "bidirectional" } else { "bidirection" };
        let directions = if call.flag(directional)? { 2 } else { 1 };
        let biases = if call.flag("hasBias")? { 2 } else { 0 };
        let layers = call.int("numLayers")?;
        if layers < 1 {
            return invalid(format_args!("numLayers is {layers}, but must be positive"));
        }
        let wanted = layers.checked_mul((2 + biases) * directions);
        if wanted != Some(self.params.len() as i64) {
            return Err(wrong(format!(
                "params has {} tensors, but {layers} layers of {directions} directions have {} each",
                self.params.len(),
                (2 + biases) * directions
            )));
        }
        if ![0, self.states()].contains(&self.initial.len()) {
            return Err(wrong(format!(
                "hx has {} tensors, but must have {}",
                self.initial.len(),
                self.states()
            )));
        }
        let gates = self.cell.gates();
        let hidden = match &self.params[0].shape()?[..] {
            [rows, _] if rows.is_multiple_of(gates) => rows / gates,
            _ => {
                let shape = self.params[0].shape()?;
                return invalid(format_args!(
                    "a weight has shape {shape}, but must have {gates} rows for each state"
                ));
            }
        };
        let counted = match &self.counts {
            Some(counts) => {
                check::exactly(counts, I64)?;
                Some(counts.shape()?.numel().unwrap_or(0))
            }
            None => None,
        };
        let shape = self.input.shape()?;
        let [steps, batches, input] = match (&shape[..], counted) {
            ([rows, input], Some(steps)) if steps > 0 && rows.is_multiple_of(steps) => {
                [steps, rows / steps, *input]
            }
            ([batches, steps, input], None) if call.flag("batchFirst")? => [*steps, *batches, *input],
            ([steps, batches, input], None) => [*steps, *batches, *input],
            _ => {
                return invalid(format_args!(
                    "input has shape {shape}, but must have 3 axes, or with batchSizes as many rows for each of them"
                ));
            }
        };
        let network = Network {
            cell: self.cell,
            sizes: Sizes { steps, batches, input, hidden },
            layers: layers as usize,
            directions: directions as usize,
            is_reversed: false,
            biases: biases as usize,
            initial: [!self.initial.is_empty(), self.initial.len() > 1],
            mask: if self.counts.is_some() { MaskKind::Counts } else { MaskKind::None },
            order: IN_ORDER,
        };
        for (number, param) in self.params.iter().enumerate() {
            check::output_shape(param, &self.param_shape(&network, number))?;
        }
        for state in &self.initial {
            check::output_shape(state, &state_shape(&network))?;
        }
        Ok(network)
    }

    fn param_shape(&self, network: &Network, number: usize) -> Shape {
        let rows = self.cell.gates() * network.sizes.hidden;
        let (direction, which) = (number / (2 + network.biases), number % (2 + network.biases));
        match which {
            0 if direction < network.directions => Shape::from([rows, network.sizes.input]),
            0 => Shape::from([rows, network.directions * network.sizes.hidden]),
            1 => Shape::from([rows, network.sizes.hidden]),
            _ => Shape::from([rows]),
        }
    }

    /// Reads what a network reads.
    fn read(&self, stage: &mut WholeStage, batch_first: bool) -> Result {
        read_steps(stage, &self.input, batch_first)?;
        for operand in &[&self.params[..], &self.initial[..]].concat() {
            stage.read(operand, F32)?;
        }
        stage.read_if(self.counts.as_ref(), Some(I64)).map(drop)
    }

    /// Whether the batches come before the steps.
    fn batch_first(&self, call: &Call<'_>) -> Result<bool> {
        Ok(self.counts.is_none() && call.flag("batchFirst")?)
    }
}

/// The shape of states of all directions of all layers.
fn state_shape(network: &Network) -> Shape {
    Shape::from([network.layers * network.directions, network.sizes.batches, network.sizes.hidden])
}

/// The shape of what the last layer shows.
fn shown_shape(network: &Network, batch_first: bool) -> Shape {
    let Sizes { steps, batches, hidden, .. } = network.sizes;
    let width = network.directions * hidden;
    if batch_first { Shape::from([batches, steps, width]) } else { Shape::from([steps, batches, width]) }
}

/// The shape of a tensor of one direction of one layer.
fn kept_shape(network: &Network) -> Shape {
    let Sizes { steps, batches, hidden, .. } = network.sizes;
    Shape::from([steps, batches, hidden])
}

/// A view of steps in which they come before batches.
fn by_step(operand: &Operand, batch_first: bool) -> Result<View> {
    let dtype = check::any_dtype(operand)?;
    if batch_first { operand.permuted(dtype, &[1, 0, 2]) } else { operand.in_order(dtype) }
}

fn read_steps(stage: &mut WholeStage, operand: &Operand, batch_first: bool) -> Result {
    stage.read_view(operand, by_step(operand, batch_first)?, F32).map(drop)
}

fn write_steps(stage: &mut WholeStage, operand: &Operand, batch_first: bool) -> Result {
    stage.write_view(operand, by_step(operand, batch_first)?, F32).map(drop)
}

fn has_length(name: &str, list: &[Operand], network: &Network, wrong: fn(String) -> Status) -> Result {
    let count = network.layers * network.directions;
    match list.len() == count {
        true => Ok(()),
        false => Err(wrong(format!(
            "{name} has {} tensors, but there are {count} directions of layers",
            list.len()
        ))),
    }
}

fn forward(call: &Call<'_>, cell: Cell, takes: Types, kept: &[(&'static str, Kept)]) -> Result<Plan> {
    let operands = Common::of(call, cell)?;
    let output = call.tensor("output")?;
    let names: &[&str] = if cell == Cell::Lstm { &["hy", "cy"] } else { &["hy"] };
    let lasts: Vec<Operand> = try_mapped(names, |name| call.tensor(name))?;
    let lists: Vec<Vec<Operand>> = match call.flag("train")? {
        true => try_mapped(kept, |(name, _)| call.tensors(name))?,
        false => Vec::new(),
    };
    let Common { input, params, initial, .. } = &operands;
    check::alike(&[&[*input, output], &params[..], initial, &lasts, &lists.concat()].concat(), takes)?;
    let wrong = |message: String| Status::new(aclnn_sys::ACLNN_ERR_PARAM_INVALID, message);
    let network = operands.network(call, wrong)?;
    for ((name, _), list) in kept.iter().zip(&lists) {
        has_length(name, list, &network, wrong)?;
        check::each(list, |tensor| check::output_shape(tensor, &kept_shape(&network)))?;
    }
    let batch_first = operands.batch_first(call)?;
    check::output_shape(&output, &shown_shape(&network, batch_first))?;
    check::each(&lasts, |last| check::output_shape(last, &state_shape(&network)))?;
    if input.is_empty() || network.sizes.hidden == 0 {
        return Ok(Plan::empty());
    }
    let mut stage = WholeStage::default();
    operands.read(&mut stage, batch_first)?;
    let mut made = vec![Made::Shown];
    write_steps(&mut stage, &output, batch_first)?;
    for (state, last) in lasts.iter().enumerate() {
        stage.write(last, F32)?;
        made.push(Made::Last(state));
    }
    for ((_, part), list) in kept.iter().zip(&lists) {
        for (number, tensor) in list.iter().enumerate() {
            stage.write(tensor, F32)?;
            made.push(Made::Kept(number, *part));
        }
    }
    Ok(network.forward(stage, made))
}

fn backward(call: &Call<'_>, cell: Cell, names: &[&'static str], kept: &'static [Kept]) -> Result<Plan> {
    let operands = Common::of(call, cell)?;
    let lists: Vec<Vec<Operand>> = try_mapped(names, |name| call.tensors(name))?;
    let to_input = call.tensor("dxOut")?;
    let is_lstm = cell == Cell::Lstm;
    let mut to_initial = vec![call.tensor("dhPrevOut")?];
    if is_lstm {
        to_initial.push(call.tensor("dcPrevOut")?);
    }
    let to_params = call.tensors("dparamsOut")?;
    let shown = call.optional_tensor("dy")?;
    let lasts = [call.optional_tensor("dh")?, if is_lstm { call.optional_tensor("dc")? } else { None }];
    // The library counts tensors where it looks for null ones.
    let wrong = |message: String| Status::new(ACLNN_ERR_PARAM_NULLPTR, message);
    if is_lstm && operands.initial.len() != operands.states() {
        return Err(wrong("hx must have two tensors".to_owned()));
    }
    let Common { input, params, initial, .. } = &operands;
    let all_lists = lists.concat();
    let inputs = [&[*input, to_input], &params[..], initial, &all_lists].concat();
    let outputs =
        [&to_initial, &to_params, shown.as_slice(), lasts[0].as_slice(), lasts[1].as_slice()].concat();
    let all = [inputs, outputs].concat();
    let takes = if is_lstm { signatures::lstm_backward.takes } else { signatures::gru_backward.takes };
    check::alike(&all, takes)?;
    let network = operands.network(call, wrong)?;
    for (name, list) in names.iter().zip(&lists) {
        has_length(name, list, &network, wrong)?;
        check::each(list, |tensor| check::output_shape(tensor, &kept_shape(&network)))?;
    }
    if to_params.len() != params.len() {
        return Err(wrong(format!(
            "dparamsOut has {} tensors, but params has {}",
            to_params.len(),
            params.len()
        )));
    }
    let batch_first = operands.batch_first(call)?;
    if let Some(shown) = &shown {
        check::output_shape(shown, &shown_shape(&network, batch_first))?;
    }
    let to_states = [lasts[0].as_slice(), lasts[1].as_slice(), &to_initial].concat();
    check::each(&to_states, |state| check::output_shape(state, &state_shape(&network)))?;
    check::output_shape(&to_input, input.shape()?)?;
    for (to, param) in to_params.iter().zip(params) {
        check::output_shape(to, param.shape()?)?;
    }
    if is_lstm {
        let states = [&initial[..], &all_lists, &to_states].concat();
        let steps = [Some(*input), Some(to_input), shown];
        check::each(&states, |state| has_format(state, &[ACL_FORMAT_NCL]))?;
        check::each(&steps, |steps| has_format(steps, &[ACL_FORMAT_ND, ACL_FORMAT_NCL]))?;
        check::each(&[&params[..], &to_params].concat(), |param| has_format(param, &[ACL_FORMAT_ND]))?;
    }
    if input.is_empty() || network.sizes.hidden == 0 {
        return Ok(Plan::empty());
    }
    let mut stage = WholeStage::default();
    operands.read(&mut stage, batch_first)?;
    if let Some(shown) = &shown {
        read_steps(&mut stage, shown, batch_first)?;
    }
    for operand in &[lasts[0].as_slice(), lasts[1].as_slice(), &all_lists].concat() {
        stage.read(operand, F32)?;
    }
    write_steps(&mut stage, &to_input, batch_first)?;
    let mut wanted = vec![Gradient::Input];
    for (state, to) in to_initial.iter().enumerate() {
        stage.write(to, F32)?;
        wanted.push(Gradient::Initial(state));
    }
    for (number, to) in to_params.iter().enumerate() {
        stage.write(to, F32)?;
        let (direction, which) = (number / (2 + network.biases), number % (2 + network.biases));
        wanted.push(match which {
            0 | 1 => Gradient::Weight(direction, which),
            _ => Gradient::Bias(direction, which - 2),
        });
    }
    let given = [shown.is_some(), lasts[0].is_some(), lasts[1].is_some()];
    Ok(network.backward(stage, given, kept, wanted))
}

/// The library has this operator on the 310P alone.
pub(super) fn bidirection_lstm(call: &Call<'_>) -> Result<Plan> {
    let [x, hidden, cell] = [call.tensor("x")?, call.tensor("initH")?, call.tensor("initC")?];
    let [shown, to_hidden, to_cell] =
        [call.tensor("yOut")?, call.tensor("outputHOut")?, call.tensor("outputCOut")?];
    let (is_double, has_bias) = (call.flag("bidirection")?, call.flag("isbias")?);
    let mut params = vec![call.tensor("wIh")?, call.tensor("wHh")?];
    if has_bias {
        params.extend([call.tensor("bIhOptional")?, call.tensor("bHhOptional")?]);
    }
    if is_double {
        params.extend([call.tensor("wIhReverseOptional")?, call.tensor("wHhReverseOptional")?]);
    }
    if is_double && has_bias {
        params.extend([call.tensor("bIhReverseOptional")?, call.tensor("bHhReverseOptional")?]);
    }
    let mut all = vec![&x, &hidden, &cell, &shown, &to_hidden, &to_cell];
    all.extend(&params);
    check::alike(&all, signatures::bidirection_lstm.takes)?;
    if call.int("numLayers")? != 1 || call.flag("batchFirst")? {
        return check::untiled("numLayers must be 1, and batchFirst false");
    }
    if call.has("packed") && (call.flag("packed")? || call.optional_tensor("batchSizeOptional")?.is_some()) {
        return check::not_emulated("sequences of several lengths in this operator");
    }
    let (steps, batches, input) = match &x.shape()?[..] {
        [steps, batches, input] => (*steps, *batches, *input),
        _ => return check::untiled(format_args!("x has shape {}, but must have 3 axes", x.shape()?)),
    };
    let size = match &hidden.shape()?[..] {
        [_, _, size] if size.checked_mul(4).is_some() => *size,
        _ => {
            return check::untiled(format_args!("initH has shape {}, but must have 3 axes", hidden.shape()?));
        }
    };
    let network = Network {
        cell: Cell::Lstm,
        sizes: Sizes { steps, batches, input, hidden: size },
        layers: 1,
        directions: if is_double { 2 } else { 1 },
        is_reversed: false,
        biases: if has_bias { 2 } else { 0 },
        initial: [true; 2],
        mask: MaskKind::None,
        order: IN_ORDER,
    };
    let mut wanted = vec![Shape::from([4 * size, input]), Shape::from([4 * size, size])];
    wanted.extend((0..network.biases).map(|_| Shape::from([4 * size])));
    let shapes = params.iter().zip(wanted.iter().cycle());
    let checked = || -> Result {
        for (operand, shape) in shapes {
            check::output_shape(operand, shape)?;
        }
        let states = [&hidden, &cell, &to_hidden, &to_cell];
        check::each(&states, |state| check::output_shape(state, &state_shape(&network)))?;
        check::output_shape(&shown, &shown_shape(&network, false))
    };
    checked().map_err(check::when_divided)?;
    if x.is_empty() || size == 0 {
        return Ok(Plan::empty());
    }
    let mut stage = WholeStage::default();
    for operand in &[&[x], &params[..], &[hidden, cell]].concat() {
        stage.read(operand, F32)?;
    }
    for operand in [&shown, &to_hidden, &to_cell] {
        stage.write(operand, F32)?;
    }
    Ok(network.forward(stage, vec![Made::Shown, Made::Last(0), Made::Last(1)]))
}
