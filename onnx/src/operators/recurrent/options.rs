//! The attributes of recurrent networks.

use super::activations::Activation;
use super::kind::Kind;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;

/// The attributes of a node.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) kind: Kind,
    pub(super) directions: Vec<Direction>,
    /// The most that a gate is a function of, and its negative the least.
    pub(super) clip: Option<f32>,
    /// Batches come before time.
    pub(super) batches_first: bool,
    pub(super) linear_before_reset: bool,
    /// The gates of the input are those of forgetting, subtracted from 1.
    pub(super) input_forget: bool,
}

/// A way along the sequence.
#[derive(Debug, Clone)]
pub(super) struct Direction {
    pub(super) is_reverse: bool,
    pub(super) activations: Vec<Activation>,
}

impl Options {
    pub(super) fn of(node: &Node, kind: Kind) -> NodeResult<Options> {
        let ways: &[bool] = match node.text("direction", "forward")?.as_str() {
            "forward" => &[false],
            "reverse" => &[true],
            "bidirectional" => &[false, true],
            other => return Reason::text(format!("its `direction` is `{other}`")),
        };
        // The weights have the size of the states, too.
        node.ignore(&["hidden_size"]);
        let clip = node.attributes.float("clip")?.filter(|clip| *clip > 0.0);
        let activations = activations(node, kind, ways.len())?;
        let each = kind.activations().len();
        let directions = ways.iter().zip(activations.chunks(each));
        Ok(Options {
            kind,
            directions: directions
                .map(|(&is_reverse, activations)| Direction { is_reverse, activations: activations.to_vec() })
                .collect(),
            clip,
            batches_first: node.flag("layout", false)?,
            linear_before_reset: kind == Kind::Gru && node.flag("linear_before_reset", false)?,
            input_forget: kind == Kind::Lstm && node.flag("input_forget", false)?,
        })
    }
}

/// Reads the functions of the gates of all directions.
fn activations(node: &Node, kind: Kind, ways: usize) -> NodeResult<Vec<Activation>> {
    let names: Vec<String> = match node.attributes.texts("activations")? {
        Some(names) if !names.is_empty() => names,
        _ => std::iter::repeat_n(kind.activations(), ways).flatten().map(|name| (*name).to_owned()).collect(),
    };
    // RNN has two names by default, also for one direction.
    let wanted = kind.activations().len() * ways;
    let Some(names) = names.get(..wanted) else {
        return Reason::text(format!("it has {} activations, and not {wanted}", names.len()));
    };
    let numbers = |name: &str| -> NodeResult<Vec<f32>> {
        Ok(node.attributes.floats(name)?.unwrap_or_default().to_vec())
    };
    let mut alphas = numbers("activation_alpha")?.into_iter();
    let mut betas = numbers("activation_beta")?.into_iter();
    names.iter().map(|name| Activation::of(name, &mut alphas, &mut betas)).collect()
}
