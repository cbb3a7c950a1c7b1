//! What is noted of a node while it runs, for the plan.

use std::time::Duration;

use aclnn::CallInfo;

/// What a node did in one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    /// The operators that it launched.
    pub(crate) calls: Vec<CallInfo>,
    /// How often the host waited for the device.
    pub(crate) waits: usize,
    /// Whether the host used elements of the inputs.
    pub(crate) looks: bool,
    /// Where it ran.
    pub(crate) place: Place,
    /// How long it took, if that was measured.
    pub(crate) time: Option<Duration>,
}

/// Where a node ran.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) enum Place {
    #[default]
    Device,
    /// The host knew its inputs.
    Steering,
    /// The host, for a reason.
    Host(String),
    /// It ran before the first run.
    Folded,
}
