//! Elements at indices: gathered, scattered, marked.

mod coordinates;
mod gather;
mod one_hot;
mod scatter;
mod scatter_nd;
mod update;

use super::operator::Operator;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("GatherElements", 11, gather::elements),
    Operator::node("GatherND", 11, gather::slices),
    Operator::node("Scatter", 9, scatter::elements),
    Operator::node("ScatterElements", 11, scatter::elements),
    Operator::node("ScatterND", 11, scatter_nd::slices),
    Operator::node("TensorScatter", 24, update::tensor_scatter),
    Operator::node("OneHot", 9, |node| one_hot::one_hot(node, false)),
    Operator::node("OneHot", 11, |node| one_hot::one_hot(node, true)),
];
