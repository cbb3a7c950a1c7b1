//! What is noted of a node while it runs, for the plan.

use std::time::Duration;

use aclnn::CallInfo;

/// Notes of a node in one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    /// The operators that it launched.
    pub(crate) calls: Vec<CallInfo>,
    /// The number of times that the host waited for the device.
    pub(crate) waits: usize,
    /// Whether the host used elements of the inputs.
    pub(crate) looks: bool,
    /// The place where it ran.
    pub(crate) place: Place,
    /// The time that it took, if that was measured.
    pub(crate) time: Option<Duration>,
}

/// The place where a node ran.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) enum Place {
    #[default]
    Device,
    /// The host knew its inputs.
    Steering,
    /// The host, for a reason.
    Host(String),
    /// Before the first run.
    Folded,
}
