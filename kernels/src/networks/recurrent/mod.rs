//! Recurrent networks: `cells` has one step of one batch, `sequence` all steps of one direction, and `layers` the layers and
//! directions of a network.

mod cells;
mod layers;
mod sequence;

pub use cells::{LstmRow, lstm_cell, sum_rows};
pub use layers::{Layers, NetworkGrads, NetworkResults, Traces};
pub use sequence::{Cell, Counted, Gradients, Grads, Mask, Sequence, Sizes, Trace, Traced, Weights};
