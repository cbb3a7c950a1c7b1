//! Recurrent networks over whole sequences, and single cells.
//!
//! `network` has the layers of LSTM and GRU networks and what they compute, `gradients` their gradients; `cell` is a step of an
//! LSTM cell, after the products with its weights.

mod cell;
mod gradients;
mod network;

pub use cell::{LstmCell, LstmGradients, LstmStates, lstm_cell, lstm_cell_backward};
pub use gradients::RecurrentGradients;
pub use network::{Recurrent, RecurrentOutputs, RecurrentSteps, RecurrentWeights, gru, lstm};
