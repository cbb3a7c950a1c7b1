//! Models: read and checked, with nothing on a device yet.

use std::path::Path;

use bytes::Bytes;
use prost::Message;

use crate::error::{Error, Result};
use crate::format;
use crate::format::proto::ModelProto;
use crate::format::source::Source;
use crate::format::types::ValueType;
use crate::graph::{Graph, Origin, build};

/// The newest operator set of `ai.onnx` that is known.
pub const LATEST_OPSET: u32 = 28;

/// A model of a file or of memory, read and checked.
#[derive(Debug)]
pub struct Model {
    pub(crate) name: String,
    pub(crate) graph: Graph,
    opsets: Vec<(String, i64)>,
    metadata: Vec<(String, String)>,
    producer: [String; 2],
    domain: String,
    description: String,
    graph_name: String,
    graph_description: String,
    version: i64,
    ir_version: i64,
}

/// An input or output of a model.
#[derive(Clone, Copy, Debug)]
pub struct Port<'a> {
    /// The name.
    pub name: &'a str,
    /// The declared type; `None` if the model says none.
    pub value_type: Option<&'a ValueType>,
    /// Whether the model has a value for an input that is not given.
    pub has_default: bool,
}

impl Model {
    /// Reads and checks the model of a file.
    ///
    /// The file and those beside it with weights are mapped, not copied. They must not be written while the model is in
    /// use.
    ///
    /// # Errors
    /// [`Error::File`] if a file cannot be read, [`Error::Model`] if the model is not what the format allows.
    pub fn open(path: impl AsRef<Path>) -> Result<Model> {
        Model::read(Source::open(path.as_ref())?)
    }

    /// Reads and checks a model in memory.
    ///
    /// # Errors
    /// [`Error::Model`] if the model is not what the format allows, or has elements in other files.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Model> {
        Model::read(Source::memory("model in memory", bytes.into(), None))
    }

    /// Reads and checks a model in memory whose weights may lie in files in a folder.
    ///
    /// # Errors
    /// Those of [`Model::open`].
    pub fn from_bytes_in(bytes: impl Into<Bytes>, folder: impl AsRef<Path>) -> Result<Model> {
        Model::read(Source::memory("model in memory", bytes.into(), Some(folder.as_ref().to_owned())))
    }

    fn read(source: Source) -> Result<Model> {
        let failure = |place: &str, reason: String| Error::Model {
            model: source.name.clone(),
            place: place.to_owned(),
            reason,
        };
        let proto = ModelProto::decode(source.bytes.clone())
            .map_err(|error| failure("file", format!("it is not an ONNX model: {}", format::why(&error))))?;
        let Some(graph) = &proto.graph else {
            return Err(failure("graph", "the model has none; is this an ONNX file?".to_owned()));
        };
        if proto.ir_version < 1 {
            return Err(failure("ir_version", format!("it is {}", proto.ir_version)));
        }
        let latest = |domain: &str| match domain {
            "" | "ai.onnx" => Some(i64::from(LATEST_OPSET)),
            _ => None,
        };
        let functions = proto.functions.iter().flat_map(|function| &function.opset_import);
        for set in proto.opset_import.iter().chain(functions) {
            if latest(&set.domain).is_some_and(|latest| set.version > latest) {
                let reason = format!(
                    "the model asks for version {} of the operators, and {LATEST_OPSET} is the newest one known; \
                     export it for {LATEST_OPSET} or less",
                    set.version
                );
                return Err(failure("opset_import", reason));
            }
        }
        let origin = Origin {
            source: &source,
            functions: &proto.functions,
            opsets: &proto.opset_import,
            ir_version: proto.ir_version,
        };
        let (graph_name, graph_description) = (graph.name.clone(), graph.doc_string.clone());
        let graph = build(&origin, graph)?;
        Ok(Model {
            graph,
            graph_name,
            graph_description,
            opsets: proto.opset_import.iter().map(|set| (set.domain.clone(), set.version)).collect(),
            metadata: proto.metadata_props.into_iter().map(|entry| (entry.key, entry.value)).collect(),
            producer: [proto.producer_name, proto.producer_version],
            domain: proto.domain,
            description: proto.doc_string,
            version: proto.model_version,
            ir_version: proto.ir_version,
            name: source.name,
        })
    }

    /// Returns the inputs, in their order.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = Port<'_>> {
        let defaults = &self.graph.constants;
        self.graph.inputs.iter().map(move |(id, value_type)| Port {
            name: self.graph.names.get(id.index()).map_or("", String::as_str),
            value_type: value_type.as_ref(),
            has_default: defaults.iter().any(|(default, _)| default == id),
        })
    }

    /// Returns the outputs, in their order.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = Port<'_>> {
        let names = self.graph.output_names.iter().map(String::as_str);
        let types = self.graph.outputs.iter().map(|(_, value_type)| value_type.as_ref());
        names.zip(types).map(|(name, value_type)| Port { name, value_type, has_default: false })
    }

    /// Returns the operator sets that the model imports: domain and version.
    pub fn opsets(&self) -> impl Iterator<Item = (&str, i64)> {
        self.opsets.iter().map(|(domain, version)| (domain.as_str(), *version))
    }

    /// Returns the entries that whoever made the model added.
    pub fn metadata(&self) -> impl Iterator<Item = (&str, &str)> {
        self.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Returns the program that made the model, and its version.
    pub fn producer(&self) -> [&str; 2] {
        self.producer.each_ref().map(String::as_str)
    }

    /// Returns the description in the file.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the name of the graph.
    pub fn graph_name(&self) -> &str {
        &self.graph_name
    }

    /// Returns the description of the graph in the file.
    pub fn graph_description(&self) -> &str {
        &self.graph_description
    }

    /// Returns the domain that the model belongs to.
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// Returns the version of the model itself.
    pub fn version(&self) -> i64 {
        self.version
    }

    /// Returns the version of the format.
    pub fn ir_version(&self) -> i64 {
        self.ir_version
    }
}
