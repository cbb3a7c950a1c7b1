//! What a run finds out that holds for every run with the same shapes.

use smallvec::SmallVec;

use super::notes::Notes;
use crate::value::Value;

/// The outputs of a node.
pub(super) type Given = SmallVec<[Option<Value>; 2]>;

/// Knowledge that holds for every run of a program with the same types and shapes of inputs.
#[derive(Default)]
pub(crate) struct Learned {
    /// By step: the outputs of those that use nothing but constants and shapes.
    pub(super) settled: Vec<Option<Given>>,
    /// By step: what it did.
    pub(crate) notes: Vec<Notes>,
}
