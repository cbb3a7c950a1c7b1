//! Calls of operators by their names.

use super::argument::Argument;
use super::functions::Caller;
use super::pair::Pair;
use crate::families::OperatorInfo;
use crate::{Launch, aclOpExecutor, aclnnStatus};

/// The two functions of an operator that was found by its name.
#[derive(Debug, Clone, Copy)]
pub struct ByName {
    info: &'static OperatorInfo,
    pair: Pair,
    caller: Caller,
}

impl ByName {
    #[inline]
    pub(super) fn new(info: &'static OperatorInfo, pair: Pair, caller: Caller) -> Self {
        Self { info, pair, caller }
    }

    /// Returns the metadata of the operator.
    pub fn info(&self) -> &'static OperatorInfo {
        self.info
    }

    /// Runs phase one; `None` if the arguments are not as many as the parameters, or not of their kinds.
    ///
    /// # Safety
    /// As for `get_workspace_size` of the operator.
    pub unsafe fn get_workspace_size(
        &self,
        arguments: &[Argument],
        workspace_size: *mut u64,
        executor: *mut *mut aclOpExecutor,
    ) -> Option<aclnnStatus> {
        // SAFETY: `caller` is that of the declaration by which the pair was found; the caller vouches for the arguments.
        unsafe { (self.caller)(self.pair.get_workspace_size, arguments, workspace_size, executor) }
    }

    /// Returns the two functions of the operator.
    pub fn pair(&self) -> Pair {
        self.pair
    }

    /// Returns the function that calls phase one with arguments of any kind.
    pub fn caller(&self) -> Caller {
        self.caller
    }

    /// Returns the function of phase two.
    pub fn launcher(&self) -> Launch {
        self.pair.launch
    }
}
