//! The graph of a model: values by number, nodes in an order in which they can run, attributes by name.
//!
//! `attributes` reads attributes; `build` makes the graph from the messages of a file and checks it; functions of the model are expanded there.

mod attributes;
mod build;
mod gradient;
mod order;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bytes::Bytes;

pub(crate) use build::{Origin, build};

use crate::array::Array;
use crate::format::types::ValueType;

/// The domain of the nodes that are made here, by rewritings and for gradients.
pub(crate) const FUSED: &str = "aclnn.fused";

/// The number of a value in its graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ValueId(pub(crate) u32);

impl ValueId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A graph whose names are resolved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// The names of all values.
    pub(crate) names: Vec<String>,
    /// The inputs, in their order, with their declared types. Initializers are not among them, unless they only give
    /// a default.
    pub(crate) inputs: Vec<(ValueId, Option<ValueType>)>,
    pub(crate) outputs: Vec<(ValueId, Option<ValueType>)>,
    /// The names of the outputs: what a function computes has another name within it.
    pub(crate) output_names: Vec<String>,
    pub(crate) constants: Vec<(ValueId, Array)>,
    pub(crate) nodes: Vec<Arc<Node>>,
    /// The values that a subgraph takes from around it: the value there, and its number here.
    pub(crate) captures: Vec<(ValueId, ValueId)>,
}

/// An application of an operator.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The name in the file; often empty.
    pub(crate) name: String,
    /// The place in the file, counted from 0.
    pub(crate) index: usize,
    /// Empty for `ai.onnx`.
    pub(crate) domain: String,
    pub(crate) operator: String,
    /// The version of the operator set of the domain.
    pub(crate) version: u32,
    pub(crate) inputs: Vec<Option<ValueId>>,
    /// The values that the subgraphs among the attributes capture, in their order.
    pub(crate) captured: Vec<ValueId>,
    pub(crate) outputs: Vec<Option<ValueId>>,
    pub(crate) attributes: Attributes,
}

/// The value of an attribute.
#[derive(Clone, Debug)]
pub(crate) enum Attribute {
    Float(f32),
    Int(i64),
    Text(Bytes),
    Tensor(Array),
    Graph(Box<Graph>),
    /// A type; no operator asks which one.
    Type,
    Floats(Vec<f32>),
    Ints(Vec<i64>),
    Texts(Vec<Bytes>),
    /// No operator takes a list of tensors.
    Tensors,
}

/// The attributes of a node, by name. It notes which were read: an attribute that nobody reads is an error.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes(Arc<Vec<(String, Attribute, AtomicBool)>>);

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.domain.is_empty() {
            write!(f, "{}.", self.domain)?;
        }
        match self.name.is_empty() {
            true => write!(f, "{} (node {})", self.operator, self.index),
            false => write!(f, "{} `{}`", self.operator, self.name),
        }
    }
}
