//! Random numbers, all drawn from a [`Generator`](crate::Generator): `numbers` of a distribution, `dropout` of elements,
//! `choice` of positions. `draw` is what their calls have in common.

// Floors, from the ground up.
//
// 1. `draw`: the generator of a call, and its checks
// 2. `choice`, `dropout`, `numbers`: the functions

mod choice;
mod draw;
mod dropout;
mod numbers;

pub use numbers::normal;
