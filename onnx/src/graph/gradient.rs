//! The operator Gradient: nodes that compute the gradient of a value, from the nodes that compute the value.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Attribute, Attributes, FUSED, Graph, Node, ValueId};
use crate::array::Array;

/// The version of the operators that are added; they have meant the same for long.
const VERSION: u32 = 20;

/// Adds the nodes that compute the gradients of `y` for some values. Returns them in the order of the values, or why there are
/// none.
pub(super) fn gradients(graph: &mut Graph, values: &[ValueId], y: ValueId) -> Result<Vec<ValueId>, String> {
    let nodes = graph.nodes.clone();
    let mut depends: HashSet<ValueId> = values.iter().copied().collect();
    for node in &nodes {
        if node.inputs.iter().flatten().chain(&node.captured).any(|id| depends.contains(id)) {
            depends.extend(node.outputs.iter().flatten());
        }
    }
    let mut made = Made { graph, gradients: HashMap::new() };
    let one = made.one_like(y);
    made.gradients.insert(y, one);
    for node in nodes.iter().rev() {
        let Some(Some(output)) = node.outputs.first().copied() else { continue };
        let Some(&gradient) = made.gradients.get(&output) else { continue };
        // A value that is asked for counts as given, however it is computed.
        if depends.contains(&output) && !values.contains(&output) {
            made.backwards(node, output, gradient)?;
        }
    }
    values
        .iter()
        .map(|value| {
            let found = made.gradients.get(value).copied();
            // What `y` does not depend on has the gradient 0.
            Ok(found.unwrap_or_else(|| made.node("Sub", &[*value, *value])))
        })
        .collect()
}

struct Made<'a> {
    graph: &'a mut Graph,
    /// The gradients that were found so far, by value.
    gradients: HashMap<ValueId, ValueId>,
}

impl Made<'_> {
    /// Adds a node. Returns its output.
    fn node(&mut self, operator: &str, inputs: &[ValueId]) -> ValueId {
        self.node_of("", operator, inputs, Attributes::default())
    }

    fn node_of(
        &mut self,
        domain: &str,
        operator: &str,
        inputs: &[ValueId],
        attributes: Attributes,
    ) -> ValueId {
        let output = ValueId(self.graph.names.len() as u32);
        self.graph.names.push("gradient".to_owned());
        self.graph.nodes.push(Arc::new(Node {
            name: "gradient".to_owned(),
            index: self.graph.nodes.len(),
            domain: domain.to_owned(),
            operator: operator.to_owned(),
            version: if domain == FUSED { 1 } else { VERSION },
            inputs: inputs.iter().copied().map(Some).collect(),
            captured: Vec::new(),
            outputs: vec![Some(output)],
            attributes,
        }));
        output
    }

    /// Returns ones of the type and shape of a value.
    fn one_like(&mut self, value: ValueId) -> ValueId {
        let mut attributes = Attributes::default();
        attributes.push("value".to_owned(), Attribute::Tensor(Array::from_value(1.0f32)));
        let one = self.node_of("", "Constant", &[], attributes);
        let one = self.node("CastLike", &[one, value]);
        let shape = self.node("Shape", &[value]);
        self.node("Expand", &[one, shape])
    }

    /// Adds to the gradient of an operand, which may have been broadcast.
    fn add(&mut self, operand: ValueId, gradient: ValueId) {
        let part = self.node_of(FUSED, "SumTo", &[gradient, operand], Attributes::default());
        let sum = match self.gradients.get(&operand).copied() {
            Some(sum) => self.node("Add", &[sum, part]),
            None => part,
        };
        self.gradients.insert(operand, sum);
    }

    /// Adds to the gradients of the operands of a node.
    fn backwards(&mut self, node: &Node, output: ValueId, gradient: ValueId) -> Result<(), String> {
        let operands: Vec<ValueId> = node.inputs.iter().flatten().copied().collect();
        let operator = node.operator.as_str();
        match (operator, operands.as_slice()) {
            ("Add", &[a, b]) => {
                self.add(a, gradient);
                self.add(b, gradient);
            }
            ("Sub", &[a, b]) => {
                self.add(a, gradient);
                let negative = self.node("Neg", &[gradient]);
                self.add(b, negative);
            }
            ("Mul", &[a, b]) => {
                let (of_a, of_b) = (self.node("Mul", &[gradient, b]), self.node("Mul", &[gradient, a]));
                self.add(a, of_a);
                self.add(b, of_b);
            }
            ("Div", &[a, b]) => {
                let of_a = self.node("Div", &[gradient, b]);
                self.add(a, of_a);
                let quotient = self.node("Mul", &[of_a, output]);
                let of_b = self.node("Neg", &[quotient]);
                self.add(b, of_b);
            }
            ("Identity", &[a]) => self.add(a, gradient),
            ("Neg", &[a]) => {
                let negative = self.node("Neg", &[gradient]);
                self.add(a, negative);
            }
            ("Exp", &[a]) => {
                let of_a = self.node("Mul", &[gradient, output]);
                self.add(a, of_a);
            }
            ("Log", &[a]) => {
                let of_a = self.node("Div", &[gradient, a]);
                self.add(a, of_a);
            }
            _ => return Err(format!("the gradient of {node} is not known")),
        }
        Ok(())
    }
}
