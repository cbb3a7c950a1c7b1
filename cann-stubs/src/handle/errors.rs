//! Why a handle names no live object, and what a caller is told about it.

use super::kind::Kind;
use crate::misuse::Check;
use crate::status::Status;

/// Why a handle names no live object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dangling {
    Null,
    /// The emulator never made the handle for an object of this kind; it may be one of another kind.
    Foreign(Option<Kind>),
    /// The object of the handle was destroyed.
    Destroyed,
}

impl Dangling {
    /// `what` completes the sentence, as in "tensor".
    pub(crate) fn explain(self, what: &str) -> String {
        match self {
            Dangling::Null => format!("{what} is null"),
            Dangling::Foreign(Some(kind)) => {
                format!("{what} is not a handle of that kind: it is that of {}", kind.called())
            }
            Dangling::Foreign(None) => {
                format!("{what} is not a handle of that kind, nor of another: was the variable ever set?")
            }
            Dangling::Destroyed => format!("{what} was destroyed before"),
        }
    }

    /// The failure of a call with `code`; null is a plain wrong argument, the others are misuse.
    #[inline(never)]
    pub(crate) fn status(self, code: i32, what: &str) -> Status {
        let status = Status::new(code, self.explain(what));
        match self {
            Dangling::Null => status,
            Dangling::Foreign(_) => status.of(Check::ForeignHandle),
            Dangling::Destroyed => status.of(Check::DestroyedHandle),
        }
    }
}
