//! The rule of random numbers.

use super::Output;
use crate::types_by_product::Types;

/// Random numbers, drawn by a seed and an offset, or a tensor of which they choose elements.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    /// The types of the tensor that numbers are drawn for, which is the output where nothing else is read.
    pub takes: Types,
    /// The types of tensors and scalars that say how numbers are drawn: probabilities, means, deviations.
    pub parameters: Types,
    /// The types of an output beside the tensor.
    pub output: Output,
}
