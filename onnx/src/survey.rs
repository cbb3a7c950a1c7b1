//! What a model consists of: its operators and its weights, without a device.

use std::collections::BTreeMap;

use crate::graph::Graph;
use crate::model::{LATEST_OPSET, Model};
use crate::operators;

/// The parts of a model, counted.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Survey {
    /// The number of nodes, with those of subgraphs; calls of functions are expanded.
    pub nodes: usize,
    /// The number of tensors in the model, without those among the attributes of nodes.
    pub weights: usize,
    /// The number of bytes that these take.
    pub weight_bytes: usize,
    /// The operators, ordered by domain and name.
    pub operators: Vec<UsedOperator>,
}

/// An operator that a model uses.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct UsedOperator {
    /// The domain; empty for `ai.onnx`.
    pub domain: String,
    /// The name.
    pub name: String,
    /// The version of the operator set that the model imports.
    pub version: u32,
    /// The number of nodes that use it.
    pub nodes: usize,
    /// The version of the operator set in which it got the form that runs here; `None` if it does not run.
    pub since: Option<u32>,
    /// Why it does not run here; `None` if it does.
    pub missing: Option<String>,
}

impl Model {
    /// Returns which operators the model uses, and how many weights it has.
    ///
    /// A node of an operator that is known may still have an attribute or a type that is not supported:
    /// [`Model::session`] finds the attributes, a run the types.
    pub fn survey(&self) -> Survey {
        let mut survey = Survey { nodes: 0, weights: 0, weight_bytes: 0, operators: Vec::new() };
        let mut counts = BTreeMap::new();
        count(&self.graph, &mut survey, &mut counts);
        let used = counts.into_iter().map(|((domain, name, version), nodes)| {
            let since = operators::find(domain, name, version).map(|operator| operator.since);
            let missing = since.is_none().then(|| missing(domain, name, version));
            let (domain, name) = (domain.to_owned(), name.to_owned());
            UsedOperator { domain, name, version, nodes, since, missing }
        });
        survey.operators = used.collect();
        survey
    }
}

/// Adds what a graph and its subgraphs hold.
fn count<'a>(graph: &'a Graph, survey: &mut Survey, counts: &mut BTreeMap<(&'a str, &'a str, u32), usize>) {
    survey.nodes += graph.nodes.len();
    survey.weights += graph.constants.len();
    for (_, array) in &graph.constants {
        survey.weight_bytes += match array.strings() {
            Some(strings) => strings.iter().map(String::len).sum(),
            None => array.bytes().len(),
        };
    }
    for node in &graph.nodes {
        *counts.entry((node.domain.as_str(), node.operator.as_str(), node.version)).or_insert(0) += 1;
        for (_, graph) in node.attributes.graphs() {
            count(graph, survey, counts);
        }
    }
}

/// Says why an operator does not run here.
fn missing(domain: &str, name: &str, version: u32) -> String {
    let oldest = (version..=LATEST_OPSET).find_map(|version| operators::find(domain, name, version));
    match oldest {
        Some(oldest) => format!(
            "version {version} of the operator set has it in an older form than version {}, the oldest one known",
            oldest.since
        ),
        None => "no operator of this name is known".to_owned(),
    }
}
