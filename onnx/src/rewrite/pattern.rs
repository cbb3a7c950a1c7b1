//! Finds patterns of nodes, from their last node backwards, and puts other nodes in their place.

use std::collections::HashMap;
use std::sync::Arc;

use aclnn::{DType, Shape};

use crate::array::Array;
use crate::graph::{Attribute, Attributes, FUSED, Graph, Node, ValueId};
use crate::host::places;

/// How deep a chain of nodes that compute with shapes is followed.
const DEPTH: usize = 16;

/// The most factors into which a product is taken apart. Each product of a value with itself doubles them.
const FACTORS: usize = 16;

/// The most elements of a constant that a node makes and that is looked at.
const MADE: usize = 1 << 23;

/// A graph in which patterns are searched.
pub(super) struct Pattern {
    graph: Graph,
    /// The place of the node that makes a value.
    makers: HashMap<ValueId, usize>,
    constants: HashMap<ValueId, Array>,
    /// Those that nodes make, as far as they were asked for.
    made: HashMap<ValueId, Array>,
    /// The values that stand for others.
    same: HashMap<ValueId, ValueId>,
}

impl Pattern {
    pub(super) fn new(graph: Graph) -> Pattern {
        let mut makers = HashMap::new();
        for (place, node) in graph.nodes.iter().enumerate() {
            makers.extend(node.outputs.iter().flatten().map(|id| (*id, place)));
        }
        let constants = constants_of(&graph);
        Pattern { graph, makers, constants, made: HashMap::new(), same: HashMap::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.graph.nodes.len()
    }

    pub(super) fn node(&self, place: usize) -> Option<Arc<Node>> {
        self.graph.nodes.get(place).cloned()
    }

    /// Returns the value that stands for a value.
    pub(super) fn resolved(&self, id: ValueId) -> ValueId {
        let mut id = id;
        while let Some(&other) = self.same.get(&id) {
            id = other;
        }
        id
    }

    /// Returns an input of a node.
    pub(super) fn input(&self, node: &Node, number: usize) -> Option<ValueId> {
        Some(self.resolved((*node.inputs.get(number)?)?))
    }

    /// Returns the two inputs of a node with exactly two.
    pub(super) fn two(&self, node: &Node) -> Option<[ValueId; 2]> {
        (node.inputs.len() == 2).then_some(())?;
        Some([self.input(node, 0)?, self.input(node, 1)?])
    }

    /// Returns the node that makes a value, if it is of an operator of `ai.onnx`.
    pub(super) fn made_by(&self, id: ValueId, operator: &str) -> Option<Arc<Node>> {
        let node = self.maker(id)?;
        (node.domain.is_empty() && node.operator == operator).then_some(node)
    }

    /// Returns the node that makes a value.
    pub(super) fn maker(&self, id: ValueId) -> Option<Arc<Node>> {
        self.node(*self.makers.get(&self.resolved(id))?)
    }

    /// Returns the place of the output of its node that a value is.
    pub(super) fn output(&self, id: ValueId) -> Option<usize> {
        let id = self.resolved(id);
        self.maker(id)?.outputs.iter().position(|output| *output == Some(id))
    }

    /// Returns the elements of a value that never changes.
    pub(super) fn constant(&self, id: ValueId) -> Option<&Array> {
        self.constants.get(&self.resolved(id))
    }

    /// Returns the elements of a value that never changes, also of one that nodes fill or give other axes.
    pub(super) fn made_constant(&mut self, id: ValueId) -> Option<&Array> {
        self.made_within(DEPTH, id)
    }

    /// Does so along so many nodes at most.
    fn made_within(&mut self, depth: usize, id: ValueId) -> Option<&Array> {
        let id = self.resolved(id);
        if !self.constants.contains_key(&id) && !self.made.contains_key(&id) {
            let made = self.make(depth.checked_sub(1)?, id)?;
            self.made.insert(id, made);
        }
        self.constants.get(&id).or_else(|| self.made.get(&id))
    }

    /// Computes what a node makes of constants.
    fn make(&mut self, depth: usize, id: ValueId) -> Option<Array> {
        let node = self.maker(id).filter(|node| node.domain.is_empty())?;
        let source = self.input(&node, 0)?;
        match node.operator.as_str() {
            "ConstantOfShape" => {
                let shape = self.integers(source)?.into_iter().map(usize::try_from);
                let shape = Shape::from(shape.collect::<Result<Vec<usize>, _>>().ok()?);
                let count = shape.numel().filter(|count| *count <= MADE)?;
                let element = match node.attributes.get("value") {
                    Some(Attribute::Tensor(value)) if value.numel() == 1 => value.reshape([1]).ok()?,
                    Some(_) => return None,
                    None => Array::from_slice(&[0.0f32], [1]).ok()?,
                };
                let is_plain = element.dtype() == DType::F32;
                is_plain.then(|| Array::new(DType::F32, shape, element.bytes().repeat(count)).ok()).flatten()
            }
            "Unsqueeze" => {
                let axes = match node.attributes.get("axes") {
                    Some(Attribute::Ints(axes)) => axes.clone(),
                    Some(_) => return None,
                    None => self.integers(self.input(&node, 1)?)?,
                };
                let array = self.made_within(depth, source)?;
                let rank = array.rank() + axes.len();
                let axes: Option<Vec<usize>> =
                    axes.iter().map(|&axis| places::axis(axis, rank).ok()).collect();
                let (axes, mut sizes) = (axes?, array.dims().iter().copied());
                let shape: Vec<usize> = (0..rank)
                    .map(|axis| if axes.contains(&axis) { 1 } else { sizes.next().unwrap_or(1) })
                    .collect();
                array.reshape(shape).ok()
            }
            _ => None,
        }
    }

    /// Returns the rank of a value, as far as convolutions tell it.
    pub(super) fn rank(&mut self, id: ValueId) -> Option<usize> {
        let mut id = id;
        for _ in 0..DEPTH {
            let node = self.maker(id).filter(|node| node.domain.is_empty())?;
            id = match node.operator.as_str() {
                "Conv" => return Some(self.made_constant(self.input(&node, 1)?)?.rank()),
                "BatchNormalization" | "Relu" | "MaxPool" | "AveragePool" => self.input(&node, 0)?,
                // All have one rank; the last one is often the nearest to a convolution.
                "Concat" => self.input(&node, node.inputs.len().checked_sub(1)?)?,
                _ => return None,
            };
        }
        None
    }

    /// Returns how often nodes use a value, or the graph returns it.
    pub(super) fn uses(&self, id: ValueId) -> usize {
        let id = self.resolved(id);
        let nodes = self.graph.nodes.iter();
        let inputs = nodes.flat_map(|node| node.inputs.iter().flatten().chain(&node.captured));
        let all = inputs.chain(self.graph.outputs.iter().map(|(output, _)| output));
        all.filter(|other| self.resolved(**other) == id).count()
    }

    /// Returns the one number of a value that never changes, and that gives no axes to what is computed with it.
    pub(super) fn number(&self, id: ValueId) -> Option<f64> {
        let is_one = |array: &&Array| array.numel() == 1 && array.rank() <= 1;
        let array = self.constant(id).filter(is_one).filter(|array| array.dtype() != DType::String)?;
        array.to_f64s().ok()?.first().copied()
    }

    /// Returns the integers of a value that never changes.
    pub(super) fn integers(&self, id: ValueId) -> Option<Vec<i64>> {
        self.constant(id).filter(|array| array.dtype() == DType::I64)?.to_i64s().ok()
    }

    /// Returns whether a value is a constant, or is computed from constants and shapes alone.
    pub(super) fn steers(&self, id: ValueId) -> bool {
        self.steers_within(id, DEPTH)
    }

    fn steers_within(&self, id: ValueId, depth: usize) -> bool {
        if self.constant(id).is_some() {
            return true;
        }
        let Some(node) = self.maker(id).filter(|node| node.domain.is_empty() && depth > 0) else {
            return false;
        };
        match node.operator.as_str() {
            "Shape" | "Size" => true,
            "Gather" | "Slice" | "Cast" | "Sqrt" | "Div" | "Mul" | "Add" | "Sub" | "Unsqueeze"
            | "Squeeze" | "Reciprocal" | "Concat" | "Reshape" | "Identity" | "Pow" => {
                node.inputs.iter().flatten().all(|input| self.steers_within(*input, depth - 1))
            }
            _ => false,
        }
    }

    /// Returns the two inputs of a node of an operator whose inputs can be exchanged, in the order in which `is_first` holds
    /// for the first one.
    pub(super) fn either(&self, node: &Node, is_first: impl Fn(ValueId) -> bool) -> Option<[ValueId; 2]> {
        let [a, b] = self.two(node)?;
        match (is_first(a), is_first(b)) {
            (true, _) => Some([a, b]),
            (_, true) => Some([b, a]),
            _ => None,
        }
    }

    /// Takes a product apart: the values that are multiplied, and the number that the constants among them make.
    pub(super) fn factors(&self, id: ValueId) -> (Vec<ValueId>, f64) {
        let (mut values, mut number, mut open) = (Vec::new(), 1.0, vec![(id, 0)]);
        while let Some((id, depth)) = open.pop() {
            if let Some(factor) = self.number(id) {
                number *= factor;
                continue;
            }
            let node = self.maker(id).filter(|node| node.domain.is_empty() && depth < DEPTH);
            let two = node.as_ref().and_then(|node| Some((node.operator.as_str(), self.two(node)?)));
            match two {
                Some(("Mul", [a, b])) if values.len() + open.len() < FACTORS => {
                    open.extend([(b, depth + 1), (a, depth + 1)])
                }
                Some(("Div", [a, b])) if self.number(b).is_some() => {
                    number /= self.number(b).unwrap_or(1.0);
                    open.push((a, depth + 1));
                }
                _ => values.push(self.resolved(id)),
            }
        }
        (values, number)
    }

    /// Adds a value that never changes.
    pub(super) fn add_constant(&mut self, array: Array) -> ValueId {
        let id = self.add_value("weights");
        self.constants.insert(id, array.clone());
        self.graph.constants.push((id, array));
        id
    }

    fn add_value(&mut self, name: &str) -> ValueId {
        let id = ValueId(self.graph.names.len() as u32);
        self.graph.names.push(name.to_owned());
        id
    }

    /// Puts a node of another operator in the place of a node, with the same outputs.
    pub(super) fn replace(
        &mut self,
        place: usize,
        domain: &str,
        operator: &str,
        inputs: Vec<Option<ValueId>>,
        attributes: Vec<(&str, Attribute)>,
    ) -> Option<()> {
        let node = self.node(place)?;
        let mut given = Attributes::default();
        for (name, value) in attributes {
            given.push(name.to_owned(), value);
        }
        let replaced = Node {
            name: node.name.clone(),
            index: node.index,
            domain: domain.to_owned(),
            operator: operator.to_owned(),
            version: if domain == FUSED { 1 } else { node.version },
            inputs,
            captured: Vec::new(),
            outputs: node.outputs.clone(),
            attributes: given,
        };
        *self.graph.nodes.get_mut(place)? = Arc::new(replaced);
        Some(())
    }

    /// Lets a value stand for the output of a node, which is left out.
    pub(super) fn forward(&mut self, place: usize, to: ValueId) -> Option<()> {
        let node = self.node(place)?;
        let output = (*node.outputs.first()?)?;
        let to = self.resolved(to);
        (output != to).then_some(())?;
        self.same.insert(output, to);
        let nothing = Node { outputs: Vec::new(), inputs: Vec::new(), ..(*node).clone() };
        *self.graph.nodes.get_mut(place)? = Arc::new(nothing);
        Some(())
    }

    /// Returns the graph, without the nodes whose outputs nobody uses.
    pub(super) fn finish(mut self) -> Graph {
        let same = std::mem::take(&mut self.same);
        let resolved = |mut id: ValueId| {
            while let Some(&other) = same.get(&id) {
                id = other;
            }
            id
        };
        let mut graph = self.graph;
        let mut used = vec![false; graph.names.len()];
        for (output, _) in &mut graph.outputs {
            *output = resolved(*output);
            mark(&mut used, *output);
        }
        let mut kept = Vec::with_capacity(graph.nodes.len());
        for node in graph.nodes.iter().rev() {
            let is_used = |id: &ValueId| used.get(id.index()).copied().unwrap_or(false);
            if !node.outputs.iter().flatten().any(is_used) {
                continue;
            }
            let mut node = node.clone();
            if node.inputs.iter().flatten().chain(&node.captured).any(|id| same.contains_key(id)) {
                let node = Arc::make_mut(&mut node);
                node.inputs.iter_mut().flatten().chain(&mut node.captured).for_each(|id| *id = resolved(*id));
            }
            for id in node.inputs.iter().flatten().chain(&node.captured) {
                mark(&mut used, *id);
            }
            kept.push(node);
        }
        kept.reverse();
        graph.nodes = kept;
        graph
    }
}

/// Returns the values of a graph that never change, but for what other nodes than Constant make.
pub(super) fn constants_of(graph: &Graph) -> HashMap<ValueId, Array> {
    let mut constants: HashMap<ValueId, Array> = graph.constants.iter().cloned().collect();
    for node in graph.nodes.iter().filter(|node| node.operator == "Constant" && node.domain.is_empty()) {
        let value = match node.attributes.get("value") {
            Some(Attribute::Tensor(array)) => Some(array.clone()),
            _ => match (node.attributes.get("value_float"), node.attributes.get("value_int")) {
                (Some(Attribute::Float(value)), _) => Array::from_slice(&[*value], []).ok(),
                (_, Some(Attribute::Int(value))) => Some(Array::scalar(*value)),
                _ => match node.attributes.get("value_ints") {
                    Some(Attribute::Ints(values)) => Some(Array::line(values.iter().copied())),
                    _ => None,
                },
            },
        };
        constants.extend(node.outputs.first().copied().flatten().zip(value));
    }
    // The default of an input may be replaced.
    for (input, _) in &graph.inputs {
        constants.remove(input);
    }
    constants
}

fn mark(used: &mut [bool], id: ValueId) {
    if let Some(used) = used.get_mut(id.index()) {
        *used = true;
    }
}
