//! Plans: which node runs where, what it launches, where the host waits.

use std::fmt;
use std::time::Duration;

use aclnn::CallInfo;

/// The work of a session for inputs of given types and shapes, node by node.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub(crate) nodes: Vec<PlannedNode>,
    pub(crate) peak_bytes: usize,
    pub(crate) inputs: String,
}

/// The work of a node.
#[derive(Clone, Debug)]
pub struct PlannedNode {
    pub(crate) label: String,
    pub(crate) operator: String,
    pub(crate) placement: Placement,
    pub(crate) calls: Vec<CallInfo>,
    pub(crate) waits: usize,
    pub(crate) time: Option<Duration>,
}

/// The place where a node runs.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Placement {
    /// On the device.
    Device,
    /// On the host, which knows all inputs: they steer other nodes.
    Steering,
    /// On the host, for a reason.
    Host(String),
    /// It ran when the session was made, because its inputs never change.
    Folded,
    /// It ran once for these shapes, because it depends on nothing else.
    Settled,
}

impl Plan {
    /// Returns the nodes, in the order in which they run.
    pub fn nodes(&self) -> &[PlannedNode] {
        &self.nodes
    }

    /// Returns the most bytes of device memory that a run has in use at once, without its inputs and the weights.
    pub fn peak_bytes(&self) -> usize {
        self.peak_bytes
    }

    /// Returns how often a run waits for the device before its end.
    pub fn waits(&self) -> usize {
        self.nodes.iter().map(|node| node.waits).sum()
    }

    /// Returns how many operators a run launches.
    pub fn launches(&self) -> usize {
        self.running().map(|node| node.calls.len()).sum()
    }

    fn running(&self) -> impl Iterator<Item = &PlannedNode> {
        self.nodes.iter().filter(|node| !matches!(node.placement, Placement::Folded | Placement::Settled))
    }
}

impl PlannedNode {
    /// Returns the operator and the name of the node.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the operator of the model.
    pub fn operator(&self) -> &str {
        &self.operator
    }

    /// Returns where the node runs.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Returns the operators of the device that the node launches, with their operands.
    pub fn calls(&self) -> &[CallInfo] {
        &self.calls
    }

    /// Returns how often the node waits for the device, since a shape or a decision depends on what was computed.
    pub fn waits(&self) -> usize {
        self.waits
    }

    /// Returns how long the node took, if that was measured.
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// Returns the Casts that the model does not ask for.
    pub fn inserted_casts(&self) -> impl Iterator<Item = &CallInfo> {
        let asked = matches!(self.operator.as_str(), "Cast" | "CastLike");
        self.calls.iter().filter(move |call| !asked && call.operator == "aclnnCast")
    }
}

impl fmt::Display for PlannedNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.label)?;
        match &self.placement {
            Placement::Device => {}
            Placement::Steering => f.write_str("on the host, which knows its inputs")?,
            Placement::Host(reason) => write!(f, "on the host: {reason}")?,
            Placement::Folded => f.write_str("computed with the session")?,
            Placement::Settled => f.write_str("computed once for these shapes")?,
        }
        let mut first = self.placement == Placement::Device;
        if first && self.calls.is_empty() {
            f.write_str("a view")?;
            first = false;
        }
        let mut calls = self.calls.iter().map(|call| call.operator).peekable();
        while let Some(operator) = calls.next() {
            let mut times = 1;
            while calls.next_if_eq(&operator).is_some() {
                times += 1;
            }
            f.write_str(if std::mem::take(&mut first) { "" } else { ", " })?;
            f.write_str(operator)?;
            if times > 1 {
                write!(f, " × {times}")?;
            }
        }
        match self.waits {
            0 => Ok(()),
            1 => f.write_str("; waits for the device"),
            waits => write!(f, "; waits for the device {waits} times"),
        }
    }
}

/// One line for each node, and one with the sums.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "For {}:", self.inputs)?;
        let width = self.nodes.len().saturating_sub(1).to_string().len();
        for (number, node) in self.nodes.iter().enumerate() {
            writeln!(f, "{number:width$}  {node}")?;
        }
        let count =
            |wanted: fn(&Placement) -> bool| self.nodes.iter().filter(|node| wanted(&node.placement)).count();
        let casts: usize = self.running().map(|node| node.inserted_casts().count()).sum();
        write!(
            f,
            "{} nodes: {} on the device, {} on the host, {} computed before; {} launches, {casts} of them inserted \
             Casts; waits {} times; at most {} bytes in use beside inputs and weights",
            self.nodes.len(),
            count(|placement| *placement == Placement::Device),
            count(|placement| matches!(placement, Placement::Host(_) | Placement::Steering)),
            count(|placement| matches!(placement, Placement::Folded | Placement::Settled)),
            self.launches(),
            self.waits(),
            self.peak_bytes,
        )
    }
}
