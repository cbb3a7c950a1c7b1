//! What a run finds out that holds for every run with the same shapes.

use std::sync::{Arc, Mutex, PoisonError};

use aclnn::{DType, Shape};
use smallvec::SmallVec;

use super::notes::Notes;
use crate::value::Value;

/// The types and shapes of inputs; `None` for those that are left out, and for values that are no tensors.
pub(crate) type Shapes = SmallVec<[Option<(DType, Shape)>; 8]>;

/// Returns the types and shapes of values.
pub(crate) fn shapes(values: &[Option<&Value>]) -> Shapes {
    values.iter().map(|value| Some((value.as_ref()?.dtype()?, value.as_ref()?.shape()?.clone()))).collect()
}

/// Returns whether inputs have types and shapes.
pub(crate) fn have(values: &[Option<&Value>], shapes: &Shapes) -> bool {
    shapes.iter().zip(values).all(|(known, value)| match (known, value) {
        (Some((dtype, shape)), Some(value)) => value.dtype() == Some(*dtype) && value.shape() == Some(shape),
        (None, None) => true,
        _ => false,
    })
}

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

/// The most shapes of which a subgraph knows anything.
const MOST_SHAPES: usize = 4;

/// The shapes with which a subgraph ran, and what it has learned of them: in its second run with them, since those of a loop may
/// be others each time.
#[derive(Default)]
pub(super) struct Within(Mutex<Vec<(Shapes, Option<Arc<Learned>>)>>);

impl Within {
    /// Returns what is known of the shapes of some values; `None` where they are new.
    pub(super) fn known(&self, values: &[Option<&Value>]) -> Option<Option<Arc<Learned>>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|(shapes, _)| have(values, shapes)).map(|(_, learned)| learned.clone())
    }

    /// Keeps the shapes of some values, and what was learned of them.
    pub(super) fn keep(&self, values: &[Option<&Value>], learned: Option<Learned>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(shapes, _)| !have(values, shapes));
        if all.len() >= MOST_SHAPES {
            all.remove(0);
        }
        all.push((shapes(values), learned.map(Arc::new)));
    }
}
