//! Failures of kernels: what failed, and a message.

use std::fmt;

/// A kernel that could not be made or run. It is as large as a pointer, so that a result which tells of success fits a
/// register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(Box<(Cause, String)>);

/// The cause of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Work of the AI cores, on values that they cannot take.
    AiCore,
    /// Work of the device's general processors.
    AiCpu,
    /// There is no kernel for these types or views.
    NoKernel,
    /// The host has no more memory.
    HostMemory,
}

/// The result of what can fail.
pub type Result<T = ()> = std::result::Result<T, Failure>;

impl Failure {
    /// Returns a failure; `message` says what to do.
    #[cold]
    pub fn new(cause: Cause, message: impl fmt::Display) -> Self {
        Self(Box::new((cause, message.to_string())))
    }

    /// Returns the cause of the failure.
    pub fn cause(&self) -> Cause {
        self.0.0
    }

    /// Returns the description of the error and the advice on it.
    pub fn message(&self) -> &str {
        &self.0.1
    }
}
