//! The labels of classes: integers, which are on the device, or strings, which are on the host.

use aclnn::Tensor;

use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::Call;
use crate::value::Value;

/// The labels of the classes of a model.
pub(super) struct Labels(Value);

impl Labels {
    /// Reads the attributes `classlabels_strings` and the one for integers.
    pub(super) fn of(node: &Node, integers: &str) -> NodeResult<Labels> {
        let texts = node.attributes.texts("classlabels_strings")?.unwrap_or_default();
        let numbers = node.ints(integers)?.unwrap_or_default();
        let array = match (texts.is_empty(), numbers.is_empty()) {
            (false, true) => Array::from_strings(texts.clone(), [texts.len()])?,
            (true, false) => Array::line(numbers),
            _ => return Reason::text("it needs labels that are strings, or labels that are integers"),
        };
        Ok(Labels(array.into()))
    }

    /// Returns the number of classes.
    pub(super) fn count(&self) -> usize {
        self.0.shape().and_then(|shape| shape.numel()).unwrap_or(0)
    }

    /// Returns the labels of the classes of some numbers, as a line.
    pub(super) fn take(&self, call: &Call<'_>, classes: &Tensor) -> NodeResult<Value> {
        let Some(strings) = self.0.known().filter(|array| array.strings().is_some()) else {
            return Ok(call.on_device(&self.0)?.take_axis(0, classes)?.into());
        };
        let classes = call.on_host(&classes.into())?;
        Ok(crate::host::places::gather(strings, &classes, 0)?.into())
    }

    /// Returns the labels where a condition is the second class, as a line.
    pub(super) fn choose(&self, call: &Call<'_>, second: &Tensor) -> NodeResult<Value> {
        let numbers = second.cast(aclnn::DType::I64)?;
        match (self.count(), self.0.known().is_some_and(|array| array.strings().is_some())) {
            (2, _) => self.take(call, &numbers),
            // Of a single label, the other one is nothing.
            (_, true) => {
                let chosen = call.on_host(&numbers.into())?.to_i64s()?;
                let label =
                    self.0.known().and_then(|array| array.strings()?.first().cloned()).unwrap_or_default();
                let texts =
                    chosen.iter().map(|&second| if second != 0 { label.clone() } else { String::new() });
                Ok(Array::from_strings(texts.collect::<Vec<_>>(), [chosen.len()])?.into())
            }
            _ => Ok(numbers.mul(&call.on_device(&self.0)?)?.into()),
        }
    }
}
