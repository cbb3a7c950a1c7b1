//! A graph that is ready to run: one step for each node, and what it frees.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use aclnn::{DType, Stream};
use smallvec::SmallVec;

use super::call::Call;
use super::learned::{Given, Learned, Within};
use super::notes::{Notes, Place};
use super::prepared::Prepared;
use super::values::Values;
use crate::error::{Error, NodeResult, Result};
use crate::graph::{Graph, Node, ValueId};
use crate::host::FEW;
use crate::value::{Shared, Value};

/// A graph that is ready to run.
pub(crate) struct Program {
    model: String,
    pub(super) steps: Vec<Step>,
    /// The values that do not change, by number.
    constants: Vec<Option<Value>>,
    inputs: Vec<ValueId>,
    outputs: Vec<ValueId>,
    /// The numbers of what is captured.
    captures: Vec<ValueId>,
    names: Vec<String>,
    /// Places for values that no run uses now.
    frames: Mutex<Vec<Frame>>,
    /// The shapes of earlier runs as a subgraph, and what they have learned.
    within: Within,
}

type Frame = Vec<Option<Value>>;

/// A node that is ready to run.
pub(super) struct Step {
    pub(super) label: String,
    pub(super) operator: String,
    prepared: Prepared,
    inputs: Box<[Option<ValueId>]>,
    captured: Box<[ValueId]>,
    outputs: Box<[Option<ValueId>]>,
    wanted: Box<[bool]>,
    /// The values whose last use this is.
    frees: Box<[ValueId]>,
    /// Before the first run.
    pub(super) folded: bool,
}

/// A maker of programs, with the stream on which they run.
pub(crate) struct Maker<'a> {
    pub(crate) model: &'a str,
    pub(crate) stream: &'a Stream,
    /// The constants of all graphs of the model.
    pub(crate) shared: &'a Shared,
    /// Whether the graphs are those of nodes, which may never run.
    pub(crate) is_inner: bool,
    /// Makes a node ready to run.
    pub(crate) prepare: fn(&Node, &Maker<'_>) -> NodeResult<Prepared>,
}

/// The tasks of a run beside computing.
pub(crate) enum Mode<'a> {
    /// Nothing.
    Plain,
    /// It uses what an earlier run with the same types and shapes has learned.
    Again(&'a Learned),
    /// It learns what holds for every run with the same types and shapes.
    Learn(&'a mut Learned),
    /// It waits after each step, and measures it.
    Measure(&'a mut Learned),
}

impl Maker<'_> {
    /// Makes the program of a graph.
    pub(crate) fn program(&self, graph: &Graph) -> Result<Program> {
        let mut program = Program {
            model: self.model.to_owned(),
            steps: Vec::with_capacity(graph.nodes.len()),
            constants: vec![None; graph.names.len()],
            inputs: graph.inputs.iter().map(|(id, _)| *id).collect(),
            outputs: graph.outputs.iter().map(|(id, _)| *id).collect(),
            captures: graph.captures.iter().map(|(_, inner)| *inner).collect(),
            names: graph.names.clone(),
            frames: Mutex::default(),
            within: Within::default(),
        };
        for (id, array) in &graph.constants {
            if let Some(constant) = program.constants.get_mut(id.index()) {
                *constant = Some(self.shared.value(array));
            }
        }
        let mut used = vec![false; graph.names.len()];
        let uses = graph.nodes.iter().flat_map(|node| node.inputs.iter().flatten().chain(&node.captured));
        for id in uses.chain(&program.outputs) {
            if let Some(used) = used.get_mut(id.index()) {
                *used = true;
            }
        }
        for node in &graph.nodes {
            let prepared = (self.prepare)(node, &Maker { is_inner: true, ..*self });
            let prepared = prepared.map_err(|reason| reason.at(self.model, || node.to_string()))?;
            program.steps.push(Step::new(node, prepared, &used));
        }
        self.fold(&mut program)?;
        program.free_early();
        self.upload(&mut program)?;
        Ok(program)
    }

    /// Forgets the constants that nothing uses any more, and copies large ones to the device. Small ones may only steer.
    fn upload(&self, program: &mut Program) -> Result<()> {
        let mut used = vec![false; program.names.len()];
        let steps = program.steps.iter().filter(|step| !step.folded);
        let ids = steps.flat_map(|step| step.inputs.iter().flatten().chain(&step.captured));
        for id in ids.chain(&program.outputs) {
            if let Some(used) = used.get_mut(id.index()) {
                *used = true;
            }
        }
        for (constant, used) in program.constants.iter_mut().zip(used) {
            match constant {
                Some(_) if !used => *constant = None,
                Some(Value::Known(known))
                    if known.array().numel() > FEW && known.array().dtype() != DType::String =>
                {
                    known.tensor(self.stream)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Runs the steps whose inputs never change.
    fn fold(&self, program: &mut Program) -> Result<()> {
        let mut steps = std::mem::take(&mut program.steps);
        for step in &mut steps {
            let constant = |id: &ValueId| {
                // The default of an input may be replaced.
                !program.inputs.contains(id) && program.constants.get(id.index()).is_some_and(Option::is_some)
            };
            let inputs = step.inputs.iter().flatten().chain(&step.captured);
            if !step.prepared.constant || !inputs.into_iter().all(constant) {
                continue;
            }
            let values = match step.run(&program.model, self.stream, &[], &program.constants, None) {
                // If this branch ever runs, it fails then.
                Err(_) if self.is_inner => continue,
                values => values?,
            };
            for (id, value) in step.outputs.iter().zip(values.0) {
                if let Some(id) = id
                    && let Some(constant) = program.constants.get_mut(id.index())
                {
                    *constant = value.map(in_order);
                }
            }
            step.folded = true;
        }
        program.steps = steps;
        Ok(())
    }
}

impl Program {
    /// Returns the number of values that it captures.
    pub(crate) fn captures(&self) -> usize {
        self.captures.len()
    }

    /// Returns the number of outputs.
    pub(crate) fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// Returns whether the same inputs always give the same outputs.
    pub(crate) fn is_constant(&self) -> bool {
        self.steps.iter().all(|step| step.prepared.constant)
    }

    /// Returns the label, the operator, whether it is settled, and the notes of each step.
    pub(crate) fn nodes<'a>(
        &'a self,
        learned: &'a Learned,
    ) -> impl Iterator<Item = (&'a str, &'a str, bool, &'a Notes)> {
        let learned = learned.settled.iter().zip(&learned.notes);
        self.steps.iter().zip(learned).map(|(step, (settled, notes))| {
            (step.label.as_str(), step.operator.as_str(), settled.is_some(), notes)
        })
    }

    /// Finds the last use of each value.
    fn free_early(&mut self) {
        let mut later = vec![false; self.names.len()];
        for id in &self.outputs {
            if let Some(later) = later.get_mut(id.index()) {
                *later = true;
            }
        }
        for step in self.steps.iter_mut().rev().filter(|step| !step.folded) {
            let mut frees = Vec::new();
            let ids = step.inputs.iter().flatten().chain(&step.captured).chain(step.outputs.iter().flatten());
            for id in ids {
                if let Some(later) = later.get_mut(id.index())
                    && !std::mem::replace(later, true)
                {
                    frees.push(*id);
                }
            }
            step.frees = frees.into();
        }
    }

    /// Runs the program as a subgraph of a node. `first` counts what earlier subgraphs of the node capture.
    pub(crate) fn run_within(
        &self,
        call: &Call<'_>,
        first: usize,
        inputs: &[Option<&Value>],
    ) -> NodeResult<SmallVec<[Value; 4]>> {
        let captured = call.captured.get(first..first + self.captures()).unwrap_or_default();
        let Some(notes) = call.notes else {
            let own = inputs.iter().copied().chain(captured.iter().map(|value| Some(*value)));
            let own: SmallVec<[Option<&Value>; 8]> = own.collect();
            return Ok(match self.within.known(&own) {
                Some(Some(learned)) => self.run(call.stream, inputs, captured, Mode::Again(&learned))?,
                Some(None) => {
                    let mut learned = Learned::default();
                    let outputs = self.run(call.stream, inputs, captured, Mode::Learn(&mut learned))?;
                    self.within.keep(&own, Some(learned));
                    outputs
                }
                None => {
                    self.within.keep(&own, None);
                    self.run(call.stream, inputs, captured, Mode::Plain)?
                }
            });
        };
        let mut learned = Learned::default();
        let outputs = self.run(call.stream, inputs, captured, Mode::Learn(&mut learned))?;
        // Its launches are among those of the node.
        let mut own = notes.borrow_mut();
        own.waits += learned.notes.iter().map(|notes| notes.waits).sum::<usize>();
        if learned.notes.iter().any(|notes| notes.looks.are_any()) {
            own.looks.add(None);
        }
        drop(own);
        Ok(outputs)
    }

    /// Runs the graph. Returns its outputs.
    pub(crate) fn run(
        &self,
        stream: &Stream,
        inputs: &[Option<&Value>],
        captured: &[&Value],
        mode: Mode<'_>,
    ) -> Result<SmallVec<[Value; 4]>> {
        let frame = self.frames.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut frame = frame.unwrap_or_else(|| vec![None; self.names.len()]);
        let given = self.inputs.iter().zip(inputs);
        let given = given.filter_map(|(id, value)| Some((id, (*value)?)));
        for (id, value) in given.chain(self.captures.iter().zip(captured.iter().copied())) {
            place(&mut frame, *id, Some(value.clone()));
        }
        let done = match mode {
            Mode::Plain => self.steps(&mut frame, stream, None),
            Mode::Again(learned) => self.steps(&mut frame, stream, Some(learned)),
            Mode::Learn(learned) => self.learn(&mut frame, stream, learned, false),
            Mode::Measure(learned) => self.learn(&mut frame, stream, learned, true),
        };
        let outputs = done.and_then(|()| self.results(&frame));
        frame.fill(None);
        self.frames.lock().unwrap_or_else(PoisonError::into_inner).push(frame);
        outputs
    }

    /// Runs the steps.
    fn steps(&self, frame: &mut Frame, stream: &Stream, learned: Option<&Learned>) -> Result<()> {
        for (number, step) in self.steps.iter().enumerate() {
            if step.folded {
                continue;
            }
            match learned.and_then(|learned| learned.settled.get(number)?.as_ref()) {
                Some(settled) => step.give(frame, settled.iter().cloned()),
                None => {
                    let values = step.run(&self.model, stream, frame, &self.constants, None)?;
                    step.give(frame, values.0);
                }
            }
            step.free(frame);
        }
        Ok(())
    }

    /// Runs the steps, and learns what they do.
    fn learn(&self, frame: &mut Frame, stream: &Stream, learned: &mut Learned, measured: bool) -> Result<()> {
        let mut settled = vec![false; self.names.len()];
        for (is_settled, constant) in settled.iter_mut().zip(&self.constants) {
            *is_settled = constant.is_some();
        }
        // The values whose shapes depend on shapes alone.
        let mut shaped = settled.clone();
        for id in self.inputs.iter().chain(&self.captures) {
            // An input that is given takes the place of its default.
            mark(&mut settled, *id, false);
            let value = find(frame, &self.constants, *id);
            mark(&mut shaped, *id, value.is_some_and(|value| value.shape().is_some()));
        }
        for step in &self.steps {
            let notes = RefCell::new(Notes::default());
            if step.folded {
                notes.borrow_mut().place = Place::Folded;
                learned.notes.push(notes.into_inner());
                learned.settled.push(None);
                continue;
            }
            let is = |all: &[bool], id: &ValueId| all.get(id.index()).copied().unwrap_or(false);
            let inputs = || step.inputs.iter().flatten().chain(&step.captured);
            let shapes_are_known = inputs().all(|id| is(&shaped, id));
            let settles = step.prepared.constant
                && (step.prepared.of_shapes && shapes_are_known || inputs().all(|id| is(&settled, id)));
            let has_open_inputs = inputs().any(|id| !is(&settled, id));
            let start = Instant::now();
            let run = || step.run(&self.model, stream, frame, &self.constants, Some(&notes));
            let (values, calls) = aclnn::record_calls(run);
            let values = values?;
            let mut notes = notes.into_inner();
            if measured {
                stream.synchronize()?;
                notes.time = Some(start.elapsed());
            }
            notes.calls = calls;
            let is_open =
                |input: usize| step.inputs.get(input).copied().flatten().is_some_and(|id| !is(&settled, &id));
            let looks_at_open = notes.looks.has(is_open, has_open_inputs);
            for id in step.outputs.iter().flatten() {
                mark(&mut settled, *id, settles);
                // Otherwise they may depend on elements that the host used.
                let of_shapes = shapes_are_known && notes.waits == 0 && !looks_at_open;
                mark(&mut shaped, *id, settles || of_shapes);
            }
            learned.notes.push(notes);
            learned.settled.push(settles.then(|| values.0.clone()));
            step.give(frame, values.0);
            step.free(frame);
        }
        self.forget_inner(&mut learned.settled);
        Ok(())
    }

    /// Forgets the settled values that only settled steps use.
    fn forget_inner(&self, settled: &mut [Option<Given>]) {
        let mut used = vec![false; self.names.len()];
        for id in &self.outputs {
            mark(&mut used, *id, true);
        }
        for (step, settled) in self.steps.iter().zip(&*settled) {
            if settled.is_none() && !step.folded {
                step.inputs.iter().flatten().chain(&step.captured).for_each(|id| mark(&mut used, *id, true));
            }
        }
        for (step, settled) in self.steps.iter().zip(settled) {
            for (id, value) in step.outputs.iter().zip(settled.iter_mut().flatten()) {
                if id.is_none_or(|id| !used.get(id.index()).copied().unwrap_or(false)) {
                    *value = None;
                }
            }
        }
    }

    fn results(&self, frame: &Frame) -> Result<SmallVec<[Value; 4]>> {
        let result = |id: &ValueId| {
            find(frame, &self.constants, *id).cloned().ok_or_else(|| Error::Output {
                name: self.names.get(id.index()).cloned().unwrap_or_default(),
                reason: "it was not computed".to_owned(),
            })
        };
        self.outputs.iter().map(result).collect()
    }
}

/// Returns a value with its elements in their order, so that no run has to find them in another one. One that repeats elements
/// stays as it is: a copy may be far larger.
fn in_order(value: Value) -> Value {
    match &value {
        Value::Tensor(tensor) if !tensor.layout().strides().contains(&0) => {
            tensor.contiguous().map_or(value, Value::from)
        }
        _ => value,
    }
}

fn mark(marks: &mut [bool], id: ValueId, is: bool) {
    if let Some(mark) = marks.get_mut(id.index()) {
        *mark = is;
    }
}

/// Puts a value in its place.
fn place(frame: &mut Frame, id: ValueId, value: Option<Value>) {
    if let Some(place) = frame.get_mut(id.index()) {
        *place = value;
    }
}

/// Returns a value of a run, or one that never changes.
fn find<'a>(frame: &'a [Option<Value>], constants: &'a [Option<Value>], id: ValueId) -> Option<&'a Value> {
    let value = frame.get(id.index()).and_then(Option::as_ref);
    value.or_else(|| constants.get(id.index()).and_then(Option::as_ref))
}

impl Step {
    fn new(node: &Node, prepared: Prepared, used: &[bool]) -> Step {
        let is_used = |id: &ValueId| used.get(id.index()).copied().unwrap_or(false);
        Step {
            label: node.to_string(),
            operator: node.operator.clone(),
            prepared,
            inputs: node.inputs.clone().into(),
            captured: node.captured.clone().into(),
            outputs: node.outputs.clone().into(),
            wanted: node.outputs.iter().map(|id| id.as_ref().is_some_and(is_used)).collect(),
            frees: Box::default(),
            folded: false,
        }
    }

    /// Puts the outputs in their places.
    fn give(&self, frame: &mut Frame, values: impl IntoIterator<Item = Option<Value>>) {
        for (id, value) in self.outputs.iter().zip(values) {
            if let Some(id) = id {
                place(frame, *id, value);
            }
        }
    }

    /// Drops the values that no later step uses.
    fn free(&self, frame: &mut Frame) {
        for id in &self.frees {
            place(frame, *id, None);
        }
    }

    fn run(
        &self,
        model: &str,
        stream: &Stream,
        frame: &[Option<Value>],
        constants: &[Option<Value>],
        notes: Option<&RefCell<Notes>>,
    ) -> Result<Values> {
        let mut inputs: SmallVec<[Option<&Value>; 8]> = SmallVec::new();
        for id in &self.inputs {
            inputs.push(id.and_then(|id| find(frame, constants, id)));
        }
        let mut captured: SmallVec<[&Value; 8]> = SmallVec::new();
        for id in &self.captured {
            captured.extend(find(frame, constants, *id));
        }
        let (inputs, captured) = (&inputs[..], &captured[..]);
        let wanted = &self.wanted;
        let call = Call { stream, inputs, are_others: false, captured, constants, wanted, notes };
        self.prepared.run(&call).map_err(|reason| {
            reason.at(model, || {
                let inputs: Vec<String> = inputs
                    .iter()
                    .map(|value| value.map_or_else(|| "nothing".to_owned(), ToString::to_string))
                    .collect();
                format!("{} of {}", self.label, inputs.join(", "))
            })
        })
    }
}
