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
    /// The inputs of which the host used elements.
    pub(crate) looks: Looks,
    /// The place where it ran.
    pub(crate) place: Place,
    /// The time that it took, if that was measured.
    pub(crate) time: Option<Duration>,
}

/// Inputs of which the host used elements, a bit for each; the last bit is that of values of which the place is not known, and of
/// all further inputs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Looks(u64);

impl Looks {
    const REST: u32 = u64::BITS - 1;

    /// Adds an input by its number, or a value whose number is not known.
    pub(crate) fn add(&mut self, input: Option<usize>) {
        let bit = input.and_then(|input| u32::try_from(input).ok()).unwrap_or(Self::REST);
        self.0 |= 1 << bit.min(Self::REST);
    }

    /// Returns whether there are any.
    pub(crate) fn are_any(self) -> bool {
        self.0 != 0
    }

    /// Returns whether an input is among them for which something holds, of which it is told the numbers.
    pub(crate) fn has(self, mut holds: impl FnMut(usize) -> bool, rest: bool) -> bool {
        let numbers = 0..Self::REST as usize;
        (self.0 >> Self::REST != 0 && rest)
            || numbers.into_iter().any(|input| self.0 >> input & 1 != 0 && holds(input))
    }
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
