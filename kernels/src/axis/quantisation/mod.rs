//! Quantisation: numbers in whole steps, and rows of them with scales of their own.
//!
//! From the ground up: `codes` writes numbers as integers or short floats, `rows` computes row by row, and the other files are
//! about what is quantised and by which scales.

mod blocks;
mod codes;
mod dynamic;
mod fixed;
mod norms;
mod products;
mod rows;
mod shared;
mod steps;
mod swiglu;

pub use blocks::Blocks;
pub use codes::{Codes, Rounding, packed_offset};
pub use dynamic::{Dynamic, Rotated, Scheme};
pub use fixed::fixed;
pub use norms::{Norm, Shift, Short, Target};
pub use products::{add_products, quantised_units_of_products};
pub use rows::Rows;
pub use shared::{Numbers, Power, shared_powers, shared_powers_of_blocks, shared_powers_of_parts};
pub use steps::{in_steps, quantized};
pub use swiglu::{Dequantised, Form, Gate, Groups, Listed, Quantised, Swiglu, Table, units};
