//! A line of the table of operators.

use aclnn::Tensor;

use crate::error::NodeResult;
use crate::graph::Node;
use crate::host::elements::Pair;
use crate::run::{Maker, Prepared};

/// An operator, from a version of its operator set on.
pub(crate) struct Operator {
    /// Empty for `ai.onnx`.
    pub(crate) domain: &'static str,
    pub(crate) name: &'static str,
    /// The first version of the operator set in which it means this.
    pub(crate) since: u32,
    pub(super) prepare: Prepare,
}

/// The way in which a node of an operator is made ready.
pub(super) enum Prepare {
    /// By a function that reads its attributes.
    Node(fn(&Node) -> NodeResult<Prepared>),
    /// By one that makes programs of its graphs, too.
    Graphs(fn(&Node, &Maker<'_>) -> NodeResult<Prepared>),
    /// A function of each element, without attributes.
    Unary(fn(&Tensor) -> Result<Tensor, aclnn::Error>),
    /// A function of the elements of two tensors that are broadcast, without attributes.
    Binary(fn(&Tensor, &Tensor) -> Result<Tensor, aclnn::Error>, Pair),
}

impl Operator {
    pub(super) const fn node(
        name: &'static str,
        since: u32,
        prepare: fn(&Node) -> NodeResult<Prepared>,
    ) -> Operator {
        Operator { domain: "", name, since, prepare: Prepare::Node(prepare) }
    }

    pub(super) const fn unary(
        name: &'static str,
        since: u32,
        run: fn(&Tensor) -> Result<Tensor, aclnn::Error>,
    ) -> Operator {
        Operator { domain: "", name, since, prepare: Prepare::Unary(run) }
    }

    pub(super) const fn binary(
        name: &'static str,
        since: u32,
        run: fn(&Tensor, &Tensor) -> Result<Tensor, aclnn::Error>,
        pair: Pair,
    ) -> Operator {
        Operator { domain: "", name, since, prepare: Prepare::Binary(run, pair) }
    }

    /// An operator whose attributes hold graphs.
    pub(super) const fn graphs(
        name: &'static str,
        since: u32,
        prepare: fn(&Node, &Maker<'_>) -> NodeResult<Prepared>,
    ) -> Operator {
        Operator { domain: "", name, since, prepare: Prepare::Graphs(prepare) }
    }

    /// The operator in another domain than `ai.onnx`.
    pub(super) const fn of(self, domain: &'static str) -> Operator {
        Operator { domain, name: self.name, since: self.since, prepare: self.prepare }
    }
}
