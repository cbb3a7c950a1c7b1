//! Rewritings of a graph before it runs: nodes that do nothing are left out, weights are folded, and the shapes in which
//! exporters write GELU, norms, attention and rotary embedding become one node each.
//!
//! A rewriting finds the last node of a pattern and puts another in its place; nodes whose outputs nobody uses any more are
//! left out at the end. Nodes of the domain [`FUSED`](crate::graph::FUSED) are made here alone.

mod attention;
mod captured;
mod convolution;
mod gelu;
mod linear;
mod norms;
mod pattern;
mod redundant;
mod rotary;

use crate::graph::Graph;
use pattern::Pattern;

/// A rewriting of models, which can be left out by its name.
#[derive(Clone, Copy, Debug)]
pub struct Rewriting {
    name: &'static str,
    about: &'static str,
    /// Rewrites the node at a place, if it ends a pattern. Returns whether it did.
    rewrite: fn(&mut Pattern, usize) -> Option<()>,
}

impl Rewriting {
    /// Every rewriting, in the order in which they are tried.
    pub const ALL: &'static [Rewriting] = &[
        Rewriting {
            name: "redundant",
            about: "leaves out Identity, Dropout at inference, and transposes that undo each other",
            rewrite: redundant::rewrite,
        },
        Rewriting {
            name: "batch-norm",
            about: "folds a BatchNormalization after a Conv into its weights",
            rewrite: convolution::norm,
        },
        Rewriting {
            name: "scale",
            about: "folds factors and summands of channels into the Conv or the BatchNormalization before them",
            rewrite: convolution::scale,
        },
        Rewriting {
            name: "gelu",
            about: "makes one operator of GELU, exact or with tanh, and of SiLU",
            rewrite: gelu::rewrite,
        },
        Rewriting {
            name: "layer-norm",
            about: "makes one operator of a norm by mean and variance",
            rewrite: norms::layer,
        },
        Rewriting {
            name: "rms-norm",
            about: "makes one operator of a norm by the root of the mean square",
            rewrite: norms::root_mean_square,
        },
        Rewriting {
            name: "rotary",
            about: "makes one operator of rotary embedding",
            rewrite: rotary::rewrite,
        },
        Rewriting {
            name: "attention",
            about: "makes one operator of a softmax between two products",
            rewrite: attention::rewrite,
        },
        Rewriting {
            name: "linear",
            about: "makes one operator of a product with a matrix of weights and the sum with a bias",
            rewrite: linear::rewrite,
        },
    ];

    /// Returns the name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns what the rewriting does, in a few words.
    pub fn about(&self) -> &'static str {
        self.about
    }
}

/// Returns a graph after the rewritings that are not left out.
pub(crate) fn rewritten(graph: &Graph, without: &[String]) -> Graph {
    let mut pattern = Pattern::new(captured::with_own_constants(graph));
    for rewriting in
        Rewriting::ALL.iter().filter(|rewriting| without.iter().all(|name| name != rewriting.name))
    {
        for place in 0..pattern.len() {
            // A rewriting may be possible again where it was done.
            while (rewriting.rewrite)(&mut pattern, place).is_some() {}
        }
    }
    pattern.finish()
}
