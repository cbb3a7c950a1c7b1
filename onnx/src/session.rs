//! Sessions: models that are ready to run on a device.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use aclnn::{DType, Device, Shape, Stream, Tensor};
use smallvec::SmallVec;

use crate::array::Array;
use crate::error::{Error, Result};
use crate::format::types::{Dimension, ValueType};
use crate::model::Model;
use crate::operators;
use crate::plan::{Placement, Plan, PlannedNode};
use crate::rewrite::rewritten;
use crate::run::{Learned, Maker, Mode, Notes, Place, Program, Shapes, have, shapes};
use crate::value::{Shared, Value};

/// For how many sets of shapes a session keeps what it has learned.
const MOST_SHAPES: usize = 8;

/// The options of a session.
///
/// ```
/// use aclnn_onnx::{Options, Rewriting};
///
/// // As the model is written.
/// let plain = Rewriting::ALL.iter().fold(Options::default(), |options, each| options.without(each.name()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    without: Vec<String>,
}

impl Options {
    /// Leaves out the [`Rewriting`](crate::Rewriting) of a name. Other names change nothing.
    pub fn without(mut self, rewriting: impl Into<String>) -> Options {
        self.without.push(rewriting.into());
        self
    }
}

/// A model that is ready to run on a device.
///
/// Threads can share it, and run it at the same time.
pub struct Session {
    program: Program,
    stream: Stream,
    inputs: Vec<(String, Option<ValueType>, bool)>,
    outputs: Vec<String>,
    /// Variants of the latest sets of shapes, the latest last.
    learned: Mutex<Vec<Arc<Variant>>>,
}

/// Knowledge of a run of some shapes.
struct Variant {
    shapes: Shapes,
    learned: Learned,
    peak_bytes: usize,
}

impl Model {
    /// Prepares the model for a device: weights are copied to it as they are needed, constants are folded.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for what cannot run here, [`Error::Node`] for a node that is wrong, or what the device
    /// returned.
    pub fn session(&self, device: &Device) -> Result<Session> {
        self.session_with(device, &Options::default())
    }

    /// Prepares the model like [`Model::session`], with options.
    ///
    /// # Errors
    /// Those of [`Model::session`].
    pub fn session_with(&self, device: &Device, options: &Options) -> Result<Session> {
        Session::new(self, device, options)
    }
}

impl Session {
    fn new(model: &Model, device: &Device, options: &Options) -> Result<Session> {
        let stream = device.stream();
        let shared = Shared::default();
        let (model_name, prepare) = (&model.name, operators::prepare);
        let maker = Maker { model: model_name, stream: &stream, shared: &shared, is_inner: false, prepare };
        let program = maker.program(&rewritten(&model.graph, &options.without))?;
        let inputs =
            model.inputs().map(|port| (port.name.to_owned(), port.value_type.cloned(), port.has_default));
        let inputs = inputs.collect();
        let outputs = model.outputs().map(|port| port.name.to_owned()).collect();
        Ok(Session { program, stream, inputs, outputs, learned: Mutex::default() })
    }

    /// Runs the model. Inputs are given by name: tensors on the device, or arrays on the host.
    ///
    /// Work is queued, and the outputs are computed when they are read. The call waits only where a shape depends on
    /// what is computed.
    ///
    /// # Errors
    /// [`Error::Input`] if an input is missing, unknown or not what the model takes; [`Error::Node`] if a node cannot
    /// compute what it gets; [`Error::Operator`] if the device refuses or fails.
    pub fn run<N: AsRef<str>, V: Into<Value>>(
        &self,
        inputs: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Outputs<'_>> {
        let values = self.checked(inputs)?;
        let values: SmallVec<[Option<&Value>; 8]> = values.iter().map(Option::as_ref).collect();
        let values = match self.variant(&values) {
            Some(variant) => self.program.run(&self.stream, &values, &[], Mode::Again(&variant.learned))?,
            None => self.learn(&values)?.0,
        };
        Ok(Outputs { names: &self.outputs, stream: &self.stream, values })
    }

    /// Runs the model like [`Session::run`], waits after each node, and returns the plan with the times.
    ///
    /// # Errors
    /// Those of [`Session::run`].
    pub fn run_measured<N: AsRef<str>, V: Into<Value>>(
        &self,
        inputs: impl IntoIterator<Item = (N, V)>,
    ) -> Result<(Outputs<'_>, Plan)> {
        let values = self.checked(inputs)?;
        let values: SmallVec<[Option<&Value>; 8]> = values.iter().map(Option::as_ref).collect();
        let mut learned = Learned::default();
        let run = || self.program.run(&self.stream, &values, &[], Mode::Measure(&mut learned));
        let (outputs, peak_bytes) = self.stream.device().memory_peak_of(run);
        let outputs = outputs?;
        let variant = Variant { shapes: shapes(&values), learned, peak_bytes };
        let outputs = Outputs { names: &self.outputs, stream: &self.stream, values: outputs };
        Ok((outputs, self.plan_of(&variant)))
    }

    /// Returns the plan of the latest run, or runs a model that has not run yet with zeros for it, if its inputs have fixed
    /// shapes.
    ///
    /// # Errors
    /// [`Error::Input`] if nothing has run and an input has no fixed shape: run the model first, or give shapes to
    /// [`Session::plan_for`].
    pub fn plan(&self) -> Result<Plan> {
        let latest = self.learned.lock().unwrap_or_else(PoisonError::into_inner).last().cloned();
        match latest {
            Some(variant) => Ok(self.plan_of(&variant)),
            None => self.plan_for::<&str>([]),
        }
    }

    /// Returns the plan for inputs of given shapes. The model is run once with zeros for it, unless it ran with these
    /// shapes before. Inputs of fixed shapes can be left out.
    ///
    /// # Errors
    /// Those of [`Session::run`].
    pub fn plan_for<N: AsRef<str>>(&self, inputs: impl IntoIterator<Item = (N, Shape)>) -> Result<Plan> {
        let mut given: Vec<(String, Shape)> =
            inputs.into_iter().map(|(name, shape)| (name.as_ref().to_owned(), shape)).collect();
        let mut zeros: Vec<(String, Value)> = Vec::new();
        for (name, declared, has_default) in &self.inputs {
            let place = given.iter().position(|(own, _)| own == name);
            let shape = place.map(|place| given.swap_remove(place).1);
            let shape = match (declared, shape) {
                (Some(ValueType::Tensor { dtype, shape: declared }), shape) => {
                    let fixed = || fixed(declared.as_deref()?);
                    shape.or_else(fixed).map(|shape| (*dtype, shape))
                }
                _ => None,
            };
            match shape {
                Some((DType::String, _)) | None if *has_default => {}
                Some((dtype, shape)) if dtype != DType::String => {
                    let count = shape.numel().and_then(|count| dtype.storage_bytes(count));
                    let mut bytes: Vec<u8> = Vec::new();
                    let Some(count) = count.filter(|&count| bytes.try_reserve_exact(count).is_ok()) else {
                        let shape = &shape[..];
                        let reason = format!(
                            "memory does not hold a {dtype} of shape {shape:?}; give a smaller shape"
                        );
                        return Err(Error::Input { name: name.clone(), reason });
                    };
                    bytes.resize(count, 0);
                    let tensor = Tensor::from_bytes(&self.stream, dtype, &bytes, shape)?;
                    zeros.push((name.clone(), tensor.into()));
                }
                _ => {
                    let declared = declared.as_ref().map_or("a value".to_owned(), ToString::to_string);
                    let reason =
                        format!("the model takes {declared}, so a plan needs a shape for it, or a run");
                    return Err(Error::Input { name: name.clone(), reason });
                }
            }
        }
        // Names that the model does not have are reported as those of a run.
        zeros.extend(given.into_iter().map(|(name, _)| (name, Value::from(Array::scalar(0)))));
        let values = self.checked(zeros)?;
        let values: SmallVec<[Option<&Value>; 8]> = values.iter().map(Option::as_ref).collect();
        match self.variant(&values) {
            Some(variant) => Ok(self.plan_of(&variant)),
            None => Ok(self.plan_of(&self.learn(&values)?.1)),
        }
    }

    /// Runs the model with shapes that are new, and keeps what it learns.
    fn learn(&self, values: &[Option<&Value>]) -> Result<(SmallVec<[Value; 4]>, Arc<Variant>)> {
        let mut learned = Learned::default();
        let run = || self.program.run(&self.stream, values, &[], Mode::Learn(&mut learned));
        let (outputs, peak_bytes) = self.stream.device().memory_peak_of(run);
        let outputs = outputs?;
        let variant = Arc::new(Variant { shapes: shapes(values), peak_bytes, learned });
        let mut kept = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        // Sequences have no shape that a later run could be told by; the plan is that of this run alone.
        kept.retain(|variant| !have(values, &variant.shapes));
        if kept.len() >= MOST_SHAPES {
            kept.remove(0);
        }
        kept.push(variant.clone());
        Ok((outputs, variant))
    }

    /// Returns what was learned for the shapes of some inputs, and makes it the latest.
    fn variant(&self, values: &[Option<&Value>]) -> Option<Arc<Variant>> {
        let mut kept = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |variant: &Arc<Variant>| have(values, &variant.shapes);
        let place = kept.iter().rposition(is_same)?;
        if let Some(later) = kept.get_mut(place..) {
            later.rotate_left(1);
        }
        kept.last().cloned()
    }

    fn plan_of(&self, variant: &Variant) -> Plan {
        let inputs = self.inputs.iter().zip(&variant.shapes).filter_map(|((name, ..), shape)| {
            let (dtype, shape) = shape.as_ref()?;
            Some(format!("{name} {dtype}{:?}", &shape[..]))
        });
        let inputs: Vec<String> = inputs.collect();
        let nodes = self.program.nodes(&variant.learned).map(|(label, operator, settled, notes)| {
            let Notes { calls, waits, place, time, .. } = notes.clone();
            let placement = match place {
                Place::Folded => Placement::Folded,
                _ if settled => Placement::Settled,
                Place::Device => Placement::Device,
                Place::Steering => Placement::Steering,
                Place::Host(reason) => Placement::Host(reason),
            };
            PlannedNode {
                label: label.to_owned(),
                operator: operator.to_owned(),
                placement,
                calls,
                waits,
                time,
            }
        });
        Plan { nodes: nodes.collect(), peak_bytes: variant.peak_bytes, inputs: inputs.join(", ") }
    }

    /// Checks the inputs of a run, and puts them in the order of the model.
    fn checked<N: AsRef<str>, V: Into<Value>>(
        &self,
        inputs: impl IntoIterator<Item = (N, V)>,
    ) -> Result<SmallVec<[Option<Value>; 8]>> {
        let mut values: SmallVec<[Option<Value>; 8]> = smallvec::smallvec![None; self.inputs.len()];
        for (name, value) in inputs {
            let (name, value) = (name.as_ref(), value.into());
            let place = self.inputs.iter().position(|(own, ..)| own == name);
            let Some((place, slot)) = place.and_then(|place| Some((place, values.get_mut(place)?))) else {
                let names: Vec<&str> = self.inputs.iter().map(|(name, ..)| name.as_str()).collect();
                let reason = format!("the model has no such input; it takes {}", names.join(", "));
                return Err(Error::Input { name: name.to_owned(), reason });
            };
            if let Some((_, Some(declared), _)) = self.inputs.get(place) {
                fits(&value, declared).map_err(|reason| Error::Input { name: name.to_owned(), reason })?;
            }
            if slot.replace(value).is_some() {
                return Err(Error::Input { name: name.to_owned(), reason: "it is given twice".to_owned() });
            }
        }
        for ((name, declared, has_default), value) in self.inputs.iter().zip(&values) {
            if value.is_none() && !has_default {
                let wanted = declared.as_ref().map_or("a value".to_owned(), ToString::to_string);
                let reason = format!("it is missing; the model takes {wanted}");
                return Err(Error::Input { name: name.clone(), reason });
            }
        }
        Ok(values)
    }

    /// Returns the names of the inputs, in the order of the model.
    pub fn input_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.inputs.iter().map(|(name, ..)| name.as_str())
    }

    /// Returns the names of the outputs, in the order of the model.
    pub fn output_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.outputs.iter().map(String::as_str)
    }

    /// Returns the stream on which runs queue their work. Inputs that are made on it need no event.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Returns the device.
    pub fn device(&self) -> &Device {
        self.stream.device()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("inputs", &self.inputs).field("outputs", &self.outputs).finish()
    }
}

/// Returns a declared shape, if all its sizes are numbers.
fn fixed(declared: &[Dimension]) -> Option<Shape> {
    let sizes: Option<Vec<usize>> = declared
        .iter()
        .map(|dimension| match dimension {
            Dimension::Fixed(size) => Some(*size),
            _ => None,
        })
        .collect();
    sizes.map(Shape::from)
}

/// Returns why a value is not of a type.
fn fits(value: &Value, declared: &ValueType) -> Result<(), String> {
    let wrong = || Err(format!("it is {value}, and the model takes {declared}"));
    match (value, declared) {
        (Value::Sequence(values), ValueType::Sequence(inner)) => {
            values.iter().try_for_each(|value| fits(value, inner))
        }
        (Value::Optional(None), ValueType::Optional(_)) => Ok(()),
        (Value::Optional(Some(value)), ValueType::Optional(inner)) => fits(value, inner),
        (_, ValueType::Optional(inner)) => fits(value, inner),
        (Value::Tensor(_) | Value::Known(_), ValueType::Tensor { dtype, shape }) => {
            if value.dtype() != Some(*dtype) {
                return Err(format!("it is {value}, and the model takes {declared}; cast it first"));
            }
            let (Some(declared), Some(given)) = (shape, value.shape()) else { return Ok(()) };
            let same = |(declared, given): (&Dimension, &usize)| match declared {
                Dimension::Fixed(size) => size == given,
                _ => true,
            };
            match declared.len() == given.rank() && declared.iter().zip(&given[..]).all(same) {
                true => Ok(()),
                false => wrong(),
            }
        }
        _ => wrong(),
    }
}

/// The outputs of a run, in the order of the model.
#[derive(Clone, Debug)]
pub struct Outputs<'a> {
    names: &'a [String],
    stream: &'a Stream,
    values: SmallVec<[Value; 4]>,
}

impl Outputs<'_> {
    /// Returns the output of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let place = self.names.iter().position(|own| own == name)?;
        self.values.get(place)
    }

    /// Returns the output at a place.
    pub fn at(&self, place: usize) -> Option<&Value> {
        self.values.get(place)
    }

    /// Returns the outputs with their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.names.iter().map(String::as_str).zip(&self.values)
    }

    fn required(&self, name: &str) -> Result<&Value> {
        self.get(name).ok_or_else(|| Error::Output {
            name: name.to_owned(),
            reason: format!("the model has no such output; it has {}", self.names.join(", ")),
        })
    }

    /// Returns an output on the host. Waits for it.
    ///
    /// # Errors
    /// [`Error::Output`] if there is none of this name, [`Error::Array`] if it is not a tensor, or what the device
    /// returned.
    pub fn array(&self, name: &str) -> Result<Array> {
        self.required(name)?.to_array()
    }

    /// Returns an output on the device. What the host has computed is copied to it.
    ///
    /// # Errors
    /// [`Error::Output`] if there is none of this name, or it is not a tensor of numbers, or what the device returned.
    pub fn tensor(&self, name: &str) -> Result<Tensor> {
        match self.required(name)? {
            Value::Tensor(tensor) => Ok(tensor.clone()),
            Value::Known(known) if known.array().dtype() != DType::String => Ok(known.tensor(self.stream)?),
            other => Err(Error::Output { name: name.to_owned(), reason: format!("it is {other}") }),
        }
    }
}
