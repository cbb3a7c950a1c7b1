//! Rows that are computed in f32, one after the other in the same room.

use crate::views::failure::{Cause, Failure, Result};
use crate::{Bound, LaneBody, Panel};

/// A function of the number of a row, the row of each input and that of each output, with room for numbers.
pub struct Rows {
    step: &'static str,
    function: Box<Function>,
    computed: Option<Box<Count>>,
}

/// Tells from the inputs how many rows are computed.
type Count = dyn Fn(&[Bound<'_>]) -> usize + Send + Sync;

type Function = dyn Fn(usize, &[&[u8]], &mut [&mut [u8]], &mut Vec<f32>) -> Result + Send + Sync;

impl Rows {
    /// Makes a body of a function; `step` says in a word or two what it does.
    pub(super) fn new(
        step: &'static str,
        function: impl Fn(usize, &[&[u8]], &mut [&mut [u8]], &mut Vec<f32>) -> Result + Send + Sync + 'static,
    ) -> Self {
        Self { step, function: Box::new(function), computed: None }
    }

    /// The rows of which only the first ones are computed; the inputs tell how many.
    pub(super) fn up_to(self, computed: impl Fn(&[Bound<'_>]) -> usize + Send + Sync + 'static) -> Self {
        Self { computed: Some(Box::new(computed)), ..self }
    }
}

impl LaneBody for Rows {
    fn lane(&self, number: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        (self.function)(number, inputs, outputs, &mut Vec::new())
    }

    fn panel(&self, panel: Panel<'_, '_>) -> Result {
        let mut room = Vec::new();
        panel.each(&mut |number, inputs, outputs| (self.function)(number, inputs, outputs, &mut room))
    }

    fn computed(&self, inputs: &[Bound<'_>], count: usize) -> usize {
        self.computed.as_ref().map_or(count, |computed| computed(inputs).min(count))
    }

    fn steps(&self) -> Vec<&'static str> {
        vec![self.step]
    }
}

/// The row of an input, in f32.
pub(super) fn floats<'a>(inputs: &[&'a [u8]], number: usize) -> Result<&'a [f32]> {
    let missing = || Failure::new(Cause::NoKernel, format_args!("there is no operand {number}"));
    inputs.get(number).map(|row| bytemuck::cast_slice(row)).ok_or_else(missing)
}

/// That of an input which may be missing.
pub(super) fn given<'a>(inputs: &[&'a [u8]], number: Option<usize>) -> Result<Option<&'a [f32]>> {
    number.map(|number| floats(inputs, number)).transpose()
}

/// Writes a number to the row of an output which has one element, if it is asked for.
pub(super) fn put(output: Option<&mut &mut [u8]>, number: f32) {
    if let Some(output) = output {
        output.copy_from_slice(&number.to_ne_bytes());
    }
}
