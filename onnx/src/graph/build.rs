//! Makes the graph of a model from its messages, and checks it.

use std::collections::{HashMap, HashSet};
use std::iter;
use std::sync::Arc;

use prost::Message as _;

use super::gradient::gradients;
use super::order::order;
use super::{Attribute, Attributes, Graph, Node, ValueId};
use crate::array::Array;
use crate::error::{Error, Result};
use crate::format::proto::{AttributeProto, FunctionProto, GraphProto, NodeProto, OperatorSetProto};
use crate::format::source::Source;
use crate::format::tensor;
use crate::format::types::ValueType;

/// The most nodes of a model, with functions expanded. A node of a function counts once more for each [`BYTES`].
const MOST_NODES: usize = 1 << 19;

/// The bytes of a node of a function that count as much as a node: each call copies them.
const BYTES: usize = 256;

/// The most functions that call each other.
const MOST_CALLS: usize = 64;

/// The parts of a file that a graph is made from.
pub(crate) struct Origin<'a> {
    pub(crate) source: &'a Source,
    pub(crate) functions: &'a [FunctionProto],
    pub(crate) opsets: &'a [OperatorSetProto],
    pub(crate) ir_version: i64,
}

/// Makes and checks the graph of a model.
pub(crate) fn build(origin: &Origin<'_>, graph: &GraphProto) -> Result<Graph> {
    let mut functions = HashMap::new();
    for function in origin.functions {
        let key = (domain(&function.domain), function.name.as_str(), function.overload.as_str());
        if functions.insert(key, function).is_some() {
            return Err(failure(origin, &format!("function `{}`", function.name), "it is defined twice"));
        }
    }
    let mut builder = Builder { origin, functions, frames: Vec::new(), nodes: 0 };
    builder.graph(graph, origin.opsets)
}

fn failure(origin: &Origin<'_>, place: &str, reason: impl Into<String>) -> Error {
    Error::Model { model: origin.source.name.clone(), place: place.to_owned(), reason: reason.into() }
}

/// Returns a domain as it is compared: empty for `ai.onnx`.
fn domain(name: &str) -> &str {
    match name {
        "ai.onnx" => "",
        name => name,
    }
}

/// Returns a domain as errors name it.
fn shown(domain: &str) -> &str {
    match domain {
        "" => "ai.onnx",
        name => name,
    }
}

struct Builder<'a> {
    origin: &'a Origin<'a>,
    functions: HashMap<(&'a str, &'a str, &'a str), &'a FunctionProto>,
    /// The graphs and functions around the node, outermost first.
    frames: Vec<Frame<'a>>,
    /// The number of nodes that were made.
    nodes: usize,
}

/// The names of a graph, or of a function that is expanded into one.
struct Frame<'a> {
    /// Without a value: an input that the call of a function leaves out.
    names: HashMap<String, Option<ValueId>>,
    /// `None` for a function, which adds to the graph that calls it.
    graph: Option<Graph>,
    /// The attributes of the call of a function.
    arguments: Option<HashMap<&'a str, AttributeProto>>,
    opsets: &'a [OperatorSetProto],
}

impl<'a> Builder<'a> {
    fn failure(&self, place: &str, reason: impl Into<String>) -> Error {
        failure(self.origin, place, reason)
    }

    fn top(&mut self) -> Result<&mut Frame<'a>> {
        let name = &self.origin.source.name;
        self.frames.last_mut().ok_or_else(|| Error::Model {
            model: name.clone(),
            place: "graph".to_owned(),
            reason: "it is empty".to_owned(),
        })
    }

    /// Makes a value of the graph at or below a frame.
    fn new_value(&mut self, frame: usize, name: &str) -> ValueId {
        let graphs = self.frames.iter_mut().take(frame + 1).rev().filter_map(|frame| frame.graph.as_mut());
        let mut id = ValueId(u32::MAX);
        if let Some(graph) = graphs.into_iter().next() {
            id = ValueId(graph.names.len() as u32);
            graph.names.push(name.to_owned());
        }
        id
    }

    /// Defines a name in the innermost frame.
    fn define(&mut self, name: &str) -> Result<ValueId> {
        let last = self.frames.len() - 1;
        let id = self.new_value(last, name);
        match self.top()?.names.insert(name.to_owned(), Some(id)) {
            None => Ok(id),
            Some(_) => Err(self.failure(&format!("value `{name}`"), "two nodes or inputs have this name")),
        }
    }

    /// Finds a name in a frame or around it. What a subgraph takes from around it becomes a value of its own.
    fn find(&mut self, frame: usize, name: &str) -> Option<Option<ValueId>> {
        let here = self.frames.get(frame)?;
        if let Some(&id) = here.names.get(name) {
            return Some(id);
        }
        // A function sees nothing of its caller.
        if here.arguments.is_some() {
            return None;
        }
        let Some(outer) = self.find(frame.checked_sub(1)?, name)? else { return Some(None) };
        let inner = self.new_value(frame, name);
        let here = self.frames.get_mut(frame)?;
        here.names.insert(name.to_owned(), Some(inner));
        here.graph.as_mut()?.captures.push((outer, inner));
        Some(Some(inner))
    }

    fn graph(&mut self, proto: &'a GraphProto, opsets: &'a [OperatorSetProto]) -> Result<Graph> {
        let frame = Frame { names: HashMap::new(), graph: Some(Graph::default()), arguments: None, opsets };
        self.frames.push(frame);
        let made = self.fill(proto);
        let frame = self.frames.pop();
        made?;
        Ok(frame.and_then(|frame| frame.graph).unwrap_or_default())
    }

    fn graph_mut(&mut self) -> Result<&mut Graph> {
        let name = self.origin.source.name.clone();
        let graphs = self.frames.iter_mut().rev().filter_map(|frame| frame.graph.as_mut());
        graphs.into_iter().next().ok_or(Error::Model {
            model: name,
            place: "graph".to_owned(),
            reason: "it is empty".to_owned(),
        })
    }

    fn fill(&mut self, proto: &'a GraphProto) -> Result<()> {
        let mut constants: HashMap<&str, Array> = HashMap::new();
        for proto in &proto.initializer {
            let place = || format!("initializer `{}`", proto.name);
            let array =
                tensor::read(proto, self.origin.source).map_err(|reason| self.failure(&place(), reason))?;
            if constants.insert(&proto.name, array).is_some() {
                return Err(self.failure(&place(), "two initializers have this name"));
            }
        }
        for proto in &proto.sparse_initializer {
            let name = proto.values.as_ref().map_or("", |values| values.name.as_str());
            let array = tensor::read_sparse(proto, self.origin.source)
                .map_err(|reason| self.failure(&format!("initializer `{name}`"), reason))?;
            constants.insert(name, array);
        }
        let outermost = self.frames.len() == 1;
        let mut names = HashSet::new();
        for input in &proto.input {
            let place = || format!("input `{}`", input.name);
            if !names.insert(input.name.as_str()) {
                return Err(self.failure(&place(), "two inputs have this name"));
            }
            let declared = match &input.kind {
                Some(kind) => ValueType::read(kind).map_err(|reason| self.failure(&place(), reason))?,
                None => None,
            };
            // Before version 4 of the format every initializer was an input as well.
            let constant = constants.contains_key(input.name.as_str());
            if constant && (self.origin.ir_version < 4 || !outermost) {
                continue;
            }
            let id = self.define(&input.name)?;
            let default = constants.remove(input.name.as_str());
            let graph = self.graph_mut()?;
            graph.inputs.push((id, declared));
            graph.constants.extend(default.map(|array| (id, array)));
        }
        // In the order of the file.
        let sparse = proto.sparse_initializer.iter().filter_map(|proto| proto.values.as_ref());
        for tensor in proto.initializer.iter().chain(sparse) {
            if let Some(array) = constants.remove(tensor.name.as_str()) {
                let id = self.define(&tensor.name)?;
                self.graph_mut()?.constants.push((id, array));
            }
        }
        self.nodes(&proto.node)?;
        let last = self.frames.len() - 1;
        for output in &proto.output {
            let place = || format!("output `{}`", output.name);
            let declared = match &output.kind {
                Some(kind) => ValueType::read(kind).map_err(|reason| self.failure(&place(), reason))?,
                None => None,
            };
            let Some(Some(id)) = self.find(last, &output.name) else {
                return Err(self.failure(&place(), "no node has this output"));
            };
            let graph = self.graph_mut()?;
            graph.outputs.push((id, declared));
            graph.output_names.push(output.name.clone());
        }
        Ok(())
    }

    fn nodes(&mut self, protos: &'a [NodeProto]) -> Result<()> {
        let order = order(protos).map_err(|place| {
            let label = protos.get(place).map(|node| label(node, place)).unwrap_or_default();
            self.failure(&label, "it is part of a cycle: it uses what is computed from its own outputs")
        })?;
        for place in order {
            if let Some(node) = protos.get(place) {
                self.node(node, place)?;
            }
        }
        Ok(())
    }

    fn node(&mut self, proto: &'a NodeProto, place: usize) -> Result<()> {
        let name = || label(proto, place);
        let last = self.frames.len() - 1;
        let is_copied = self.frames.iter().any(|frame| frame.arguments.is_some());
        self.nodes += if is_copied { 1 + proto.encoded_len() / BYTES } else { 1 };
        if self.nodes > MOST_NODES {
            let reason =
                format!("the model is too large: its functions expand to more than {MOST_NODES} nodes");
            return Err(self.failure(&name(), reason));
        }
        let mut inputs = Vec::with_capacity(proto.input.len());
        for (number, input) in proto.input.iter().enumerate() {
            inputs.push(match input.is_empty() {
                true => None,
                false => self.find(last, input).ok_or_else(|| {
                    self.failure(&name(), format!("its input {number}, `{input}`, is computed nowhere"))
                })?,
            });
        }
        let domain = domain(&proto.domain);
        let key = (domain, proto.op_type.as_str(), proto.overload.as_str());
        if let Some(&function) = self.functions.get(&key) {
            return self.call(proto, function, inputs, name);
        }
        if (domain, proto.op_type.as_str()) == ("ai.onnx.preview.training", "Gradient") {
            return self.gradient(proto, &inputs, name);
        }
        let opsets = self.top()?.opsets;
        let version = opsets.iter().find(|set| self::domain(&set.domain) == domain).map(|set| set.version);
        let Some(version) = version else {
            return Err(
                self.failure(&name(), format!("the model imports no operators of `{}`", shown(domain)))
            );
        };
        let Some(version) = u32::try_from(version).ok().filter(|&version| version > 0) else {
            return Err(
                self.failure(&name(), format!("the model imports version {version} of `{}`", shown(domain)))
            );
        };
        let (attributes, captured) = self.attributes(proto, &name)?;
        let mut outputs = Vec::with_capacity(proto.output.len());
        for output in &proto.output {
            outputs.push(match output.is_empty() {
                true => None,
                false => Some(self.define(output)?),
            });
        }
        self.graph_mut()?.nodes.push(Arc::new(Node {
            name: proto.name.clone(),
            index: place,
            domain: domain.to_owned(),
            operator: proto.op_type.clone(),
            version,
            inputs,
            captured,
            outputs,
            attributes,
        }));
        Ok(())
    }

    /// Adds the nodes that compute what a node of Gradient is to compute.
    fn gradient(
        &mut self,
        proto: &'a NodeProto,
        inputs: &[Option<ValueId>],
        name: impl Fn() -> String,
    ) -> Result<()> {
        let last = self.frames.len() - 1;
        let texts = |attribute: &str| -> Vec<String> {
            let found = proto.attribute.iter().filter(|own| own.name == attribute);
            let texts = found.flat_map(|own| own.strings.iter().chain(&own.s));
            texts.map(|text| String::from_utf8_lossy(text).into_owned()).collect()
        };
        let (values, fixed, y) = (texts("xs"), texts("zs"), texts("y"));
        let named: Vec<Option<ValueId>> =
            values.iter().chain(&fixed).map(|value| self.find(last, value).flatten()).collect();
        let y = y.first().and_then(|y| self.find(last, y).flatten());
        let Some(y) = y.filter(|_| !values.is_empty() && named.iter().all(Option::is_some)) else {
            return Err(self.failure(&name(), "its attributes `xs`, `zs` and `y` do not name values"));
        };
        if named != inputs {
            return Err(self
                .failure(&name(), "it takes other inputs than its attributes name, which is not supported"));
        }
        let wanted: Vec<ValueId> = named.into_iter().flatten().take(values.len()).collect();
        let found =
            gradients(self.graph_mut()?, &wanted, y).map_err(|reason| self.failure(&name(), reason))?;
        for (output, gradient) in proto.output.iter().zip(found).filter(|(output, _)| !output.is_empty()) {
            if self.top()?.names.insert(output.clone(), Some(gradient)).is_some() {
                return Err(self.failure(&format!("value `{output}`"), "two nodes or inputs have this name"));
            }
        }
        Ok(())
    }

    /// Expands the call of a function.
    fn call(
        &mut self,
        proto: &'a NodeProto,
        function: &'a FunctionProto,
        inputs: Vec<Option<ValueId>>,
        name: impl Fn() -> String,
    ) -> Result<()> {
        let depth = self.frames.iter().filter(|frame| frame.arguments.is_some()).count();
        if depth >= MOST_CALLS {
            let reason = format!("more than {MOST_CALLS} functions call each other");
            return Err(self.failure(&name(), reason));
        }
        if inputs.len() > function.input.len() || proto.output.len() > function.output.len() {
            return Err(self.failure(&name(), "it has more inputs or outputs than its function"));
        }
        let mut arguments = HashMap::new();
        for attribute in &function.attribute_proto {
            arguments.insert(attribute.name.as_str(), attribute.clone());
        }
        for attribute in &proto.attribute {
            let mut given = self.resolved(attribute).cloned();
            if let Some(given) = &mut given {
                given.name.clone_from(&attribute.name);
                arguments.insert(attribute.name.as_str(), given.clone());
            }
        }
        let inputs = inputs.into_iter().chain(iter::repeat(None));
        let names = function.input.iter().cloned().zip(inputs).collect();
        let opsets = &function.opset_import;
        self.frames.push(Frame { names, graph: None, arguments: Some(arguments), opsets });
        let made = self.body(proto, function, &name);
        self.frames.pop();
        for (output, id) in made? {
            if self.top()?.names.insert(output.clone(), Some(id)).is_some() {
                let place = format!("value `{output}`");
                return Err(self.failure(&place, "two nodes or inputs have this name"));
            }
        }
        Ok(())
    }

    /// Adds the nodes of a function. Returns the outputs of the call.
    fn body(
        &mut self,
        proto: &'a NodeProto,
        function: &'a FunctionProto,
        name: &impl Fn() -> String,
    ) -> Result<Vec<(&'a String, ValueId)>> {
        self.nodes(&function.node)?;
        let mut outputs = Vec::new();
        for (output, formal) in proto.output.iter().zip(&function.output) {
            if output.is_empty() {
                continue;
            }
            let last = self.frames.len() - 1;
            let Some(Some(id)) = self.find(last, formal) else {
                return Err(self.failure(&name(), format!("its function has no output `{formal}`")));
            };
            outputs.push((output, id));
        }
        Ok(outputs)
    }

    /// Returns an attribute, or the one of the call of the function that it refers to.
    fn resolved<'b>(&'b self, proto: &'b AttributeProto) -> Option<&'b AttributeProto> {
        if proto.ref_attr_name.is_empty() {
            return Some(proto);
        }
        let arguments = self.frames.iter().rev().find_map(|frame| frame.arguments.as_ref())?;
        arguments.get(proto.ref_attr_name.as_str())
    }

    /// Reads the attributes of a node, and what their graphs capture.
    fn attributes(
        &mut self,
        proto: &'a NodeProto,
        name: &impl Fn() -> String,
    ) -> Result<(Attributes, Vec<ValueId>)> {
        let (mut attributes, mut captured) = (Attributes::default(), Vec::new());
        for attribute in &proto.attribute {
            let own = &attribute.name;
            if attributes.has(own) {
                return Err(self.failure(&name(), format!("it has attribute `{own}` twice")));
            }
            // A reference to an attribute that the call left out leaves it out, too.
            let Some(value) = self.resolved(attribute) else { continue };
            let value = match (&value.g, &attribute.g) {
                // Only what stands in the file can be a graph here: graphs as arguments of functions are not possible.
                (Some(_), Some(graph)) => {
                    let opsets = self.top()?.opsets;
                    let graph = self.graph(graph, opsets)?;
                    captured.extend(graph.captures.iter().map(|(outer, _)| *outer));
                    Attribute::Graph(Box::new(graph))
                }
                _ => read(value, self.origin.source)
                    .map_err(|reason| self.failure(&name(), format!("attribute `{own}`: {reason}")))?,
            };
            attributes.push(own.clone(), value);
        }
        Ok((attributes, captured))
    }
}

/// Returns how errors name a node.
fn label(proto: &NodeProto, place: usize) -> String {
    match proto.name.is_empty() {
        true => format!("{} (node {place})", proto.op_type),
        false => format!("{} `{}`", proto.op_type, proto.name),
    }
}

/// Reads an attribute that is not a graph.
fn read(proto: &AttributeProto, source: &Source) -> Result<Attribute, String> {
    let kind = match proto.kind {
        // The first versions of the format had no kinds.
        0 if proto.f.is_some() => 1,
        0 if proto.i.is_some() => 2,
        0 if proto.s.is_some() => 3,
        0 if proto.t.is_some() => 4,
        0 if !proto.floats.is_empty() => 6,
        0 if !proto.ints.is_empty() => 7,
        0 if !proto.strings.is_empty() => 8,
        kind => kind,
    };
    Ok(match kind {
        1 => Attribute::Float(proto.f.unwrap_or(0.0)),
        2 => Attribute::Int(proto.i.unwrap_or(0)),
        3 => Attribute::Text(proto.s.clone().unwrap_or_default()),
        4 => Attribute::Tensor(tensor::read(proto.t.as_ref().ok_or("it has no tensor")?, source)?),
        6 => Attribute::Floats(proto.floats.clone()),
        7 => Attribute::Ints(proto.ints.clone()),
        8 => Attribute::Texts(proto.strings.clone()),
        9 => Attribute::Tensors,
        11 => {
            let sparse = proto.sparse_tensor.as_ref().ok_or("it has no sparse tensor")?;
            Attribute::Tensor(tensor::read_sparse(sparse, source)?)
        }
        13 => {
            let declared = ValueType::read(proto.tp.as_ref().ok_or("it has no type")?)?;
            declared.map(|_| Attribute::Type).ok_or("its type is empty")?
        }
        5 => return Err("it has no graph".to_owned()),
        10 | 12 | 14 => return Err("lists of graphs, sparse tensors and types are not supported".to_owned()),
        kind => return Err(format!("its kind is {kind}, which is not known")),
    })
}
