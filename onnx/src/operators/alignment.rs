//! The broadcasting of operator sets before 7: the second operand is aligned at an axis of the first one.

use aclnn::Shape;

use super::shapes::in_shape;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::Prepared;
use crate::value::Value;

/// The operators of `ai.onnx` that broadcast by attributes before version 7.
const OPERATORS: [&str; 12] =
    ["Add", "And", "Div", "Equal", "Greater", "Less", "Mul", "Or", "PRelu", "Pow", "Sub", "Xor"];

/// Returns a node whose second operand is aligned as its attributes say, or the node as it is.
pub(super) fn aligned(node: &Node, prepared: Prepared) -> NodeResult<Prepared> {
    if node.version >= 7 || !node.domain.is_empty() || !OPERATORS.contains(&node.operator.as_str()) {
        return Ok(prepared);
    }
    node.ignore(&["broadcast", "consumed_inputs"]);
    let axis = match node.attributes.int("axis")? {
        // A slope for each channel.
        None if node.operator == "PRelu" => 1,
        None => return Ok(prepared),
        Some(axis) => axis,
    };
    Ok(Prepared::device(move |call| {
        let (first, second) = (call.shape(0)?, call.value(1)?);
        let dims = call.shape(1)?;
        let axis = usize::try_from(if axis < 0 { axis + first.rank() as i64 } else { axis }).ok();
        let behind = axis.and_then(|axis| first.rank().checked_sub(axis + dims.rank()));
        let behind = match behind {
            Some(behind) => behind,
            // One element fits everywhere.
            None if dims.numel() == Some(1) => 0,
            None => {
                return Reason::text(format!(
                    "{:?} does not stand at its axis in {:?}",
                    &dims[..],
                    &first[..]
                ));
            }
        };
        let shape: Shape =
            dims.iter().copied().chain(std::iter::repeat_n(1, behind)).collect::<Vec<_>>().into();
        let second = match second.known() {
            Some(array) => Value::from(array.reshape(shape)?),
            None => Value::from(in_shape(&call.tensor(1)?, shape)?),
        };
        prepared.run_with(call, &[Some(call.value(0)?), Some(&second)])
    }))
}
