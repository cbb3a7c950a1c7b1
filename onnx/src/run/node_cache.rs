//! What nodes keep from run to run.

use std::sync::{Mutex, PoisonError};

use smallvec::SmallVec;

use super::call::Call;
use crate::error::NodeResult;
use crate::value::{Known, Value};

/// A value that a node makes of inputs that never change or that the host knows, such as weights in another order. It is kept for
/// as long as the inputs are the same ones; of inputs that the device computes in a run it is made each time.
pub(crate) struct NodeCache<T>(Mutex<Option<(Inputs, T)>>);

type Inputs = SmallVec<[Input; 4]>;

/// An input of which something is kept.
enum Input {
    LeftOut,
    Known(Known),
    /// An input that never changes.
    Fixed,
}

impl<T> Default for NodeCache<T> {
    fn default() -> Self {
        NodeCache(Mutex::new(None))
    }
}

impl<T: Clone> NodeCache<T> {
    /// Returns what is made of some inputs of a call.
    pub(crate) fn of(
        &self,
        call: &Call<'_>,
        inputs: &[usize],
        make: impl FnOnce() -> NodeResult<T>,
    ) -> NodeResult<T> {
        let known = |&input: &usize| match call.optional(input) {
            None => Some(Input::LeftOut),
            Some(value) if call.is_fixed(value) => Some(Input::Fixed),
            Some(Value::Known(known)) => Some(Input::Known(known.clone())),
            Some(_) => None,
        };
        let Some(inputs) = inputs.iter().map(known).collect::<Option<Inputs>>() else { return make() };
        if let Some((own, made)) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            let is_same = |(own, other): (&Input, &Input)| match (own, other) {
                (Input::Known(own), Input::Known(other)) => own.is(other),
                (own, other) => {
                    matches!((own, other), (Input::LeftOut, Input::LeftOut) | (Input::Fixed, Input::Fixed))
                }
            };
            if own.len() == inputs.len() && own.iter().zip(&inputs).all(is_same) {
                return Ok(made.clone());
            }
        }
        let made = make()?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((inputs, made.clone()));
        Ok(made)
    }
}
