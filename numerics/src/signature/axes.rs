//! Operators that compute elements along axes together.

use super::{Output, Refused};
use crate::dtype::DType;
use crate::product::Product;
use crate::types_by_product::Types;

/// A function of the elements along axes: a reduction, a scan or a histogram.
#[derive(Clone, Copy, Debug)]
pub struct AlongAxes {
    /// The types of the operand.
    pub takes: Types,
    /// The types of the output; that of the values if there are positions too.
    pub output: Output,
    /// The types that the AI cores compute. The processors of the device compute the others.
    pub cores: Types,
}

impl AlongAxes {
    /// Returns why the library refuses an output of type `out` for an operand of type `own`, as the types that it would
    /// accept; `None` if it accepts it.
    pub fn refuses_output(&self, product: Product, own: DType, out: DType) -> Option<Refused> {
        self.output.refuses(product, own, own, out)
    }
}
