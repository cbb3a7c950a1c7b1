//! Averages (`average`) and greatest elements (`greatest`) of windows, plane by plane, and their gradients; `numbers` finds
//! elements by numbers that were written before, and `cut` makes neighbours of elements under neighbouring windows.

mod average;
mod cut;
mod greatest;
mod numbers;
#[cfg(test)]
mod tests;
mod windows;

pub use numbers::Numbered;
pub use windows::{Axis, Kind, Windows};
