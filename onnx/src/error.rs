//! Every failure, as data.

use std::io;
use std::path::PathBuf;

/// The result of what may fail with an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure, and the place where it arose.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The answer of the system.
        source: io::Error,
    },
    /// A model is not what the format allows.
    #[error("{model}: {place}: {reason}")]
    Model {
        /// The file, or what stands for it.
        model: String,
        /// The node, the value or the field.
        place: String,
        /// The defect.
        reason: String,
    },
    /// A model uses an operator, a version or a type that this crate does not run.
    #[error("{model}: {node} is not supported: {reason}")]
    NotSupported {
        /// The file, or what stands for it.
        model: String,
        /// The node.
        node: String,
        /// The operator, version or type that is missing.
        reason: String,
    },
    /// An input of a run is not what the model takes.
    #[error("input `{name}`: {reason}")]
    Input {
        /// The name of the input.
        name: String,
        /// The defect, and the value that the model takes.
        reason: String,
    },
    /// There is no output of this name, or it is of another kind.
    #[error("output `{name}`: {reason}")]
    Output {
        /// The name of the output.
        name: String,
        /// The reason, and the outputs that there are.
        reason: String,
    },
    /// A node cannot compute what it is given.
    #[error("{node}: {reason}")]
    Node {
        /// The node.
        node: String,
        /// Why it cannot.
        reason: String,
    },
    /// An operator of the device failed.
    #[error("{node}: {source}")]
    Operator {
        /// The node that launched it.
        node: String,
        /// The failure.
        source: Box<aclnn::Error>,
    },
    /// Elements on the host do not fit their type or their shape.
    #[error("array: {0}")]
    Array(String),
    /// The device failed outside of nodes.
    #[error(transparent)]
    Device(#[from] aclnn::Error),
}

/// Why a node cannot be prepared or run. The session adds which node it is.
#[derive(Debug)]
pub(crate) enum Reason {
    /// The node or its operands are not what the operator takes.
    Text(String),
    /// This crate lacks something.
    Missing(String),
    /// The device failed, or refused.
    Device(Box<aclnn::Error>),
    /// A node of a subgraph failed; the error names it.
    Inner(Box<Error>),
}

/// The result of what a node does.
pub(crate) type NodeResult<T> = std::result::Result<T, Reason>;

impl Reason {
    /// Returns an error with a reason in words.
    pub(crate) fn text<T>(reason: impl Into<String>) -> NodeResult<T> {
        Err(Reason::Text(reason.into()))
    }

    /// Returns an error about what this crate lacks.
    pub(crate) fn missing<T>(reason: impl Into<String>) -> NodeResult<T> {
        Err(Reason::Missing(reason.into()))
    }

    /// Returns the error of a node.
    pub(crate) fn at(self, model: &str, node: impl FnOnce() -> String) -> Error {
        match self {
            Reason::Text(reason) => Error::Node { node: node(), reason },
            Reason::Missing(reason) => Error::NotSupported { model: model.to_owned(), node: node(), reason },
            Reason::Device(source) => Error::Operator { node: node(), source },
            Reason::Inner(error) => *error,
        }
    }
}

impl From<aclnn::Error> for Reason {
    fn from(error: aclnn::Error) -> Self {
        Reason::Device(Box::new(error))
    }
}

impl From<Error> for Reason {
    fn from(error: Error) -> Self {
        match error {
            Error::Array(reason) => Reason::Text(reason),
            Error::Device(error) => error.into(),
            error => Reason::Inner(Box::new(error)),
        }
    }
}

impl From<String> for Reason {
    fn from(reason: String) -> Self {
        Reason::Text(reason)
    }
}
