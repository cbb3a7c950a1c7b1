//! Recurrent networks: RNN, GRU and LSTM.
//!
//! `options` reads attributes, `activations` has the functions of gates, `cells` the steps, and `sequences` runs them along sequences.

mod activations;
mod cells;
mod kind;
mod options;
mod sequences;

use super::operator::Operator;
use kind::Kind;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("RNN", 7, |node| sequences::prepared(node, Kind::Rnn)),
    Operator::node("GRU", 7, |node| sequences::prepared(node, Kind::Gru)),
    Operator::node("LSTM", 7, |node| sequences::prepared(node, Kind::Lstm)),
];
