//! Quantisation: numbers in whole steps, and rows of them with scales of their own.
//!
//! From the ground up: `codes` writes numbers as integers or short floats, `rows` computes row by row, and the other files are
//! about what is quantised and by which scales.

mod blocks;
mod codes;
mod dequantise;
mod dynamic;
mod fixed;
mod kronecker;
mod norms;
mod parts;
mod products;
mod rows;
mod saturated;
mod shared;
mod steps;
mod swiglu;

pub use blocks::Blocks;
pub use codes::{Codes, Rounding, packed_offset};
pub use dequantise::{add_sums, dequantise, dequantise_sums, scale_by_powers, scale_sums, scale_totals};
pub use dynamic::{Dynamic, Rotated, Scheme};
pub use fixed::{fixed, quantise_by_scale};
pub use kronecker::quantise_between;
pub use norms::{Norm, Shift, Short, Target};
pub use parts::{PartsInBlocks, quantise_by_parts, quantise_by_rows};
pub use products::{add_products, quantised_units_of_products};
pub use rows::Rows;
pub use saturated::{Held, Scaling, quantise_gelu, quantise_rms_norm, quantise_rms_norm_gradients};
pub use shared::{Numbers, Power, shared_powers, shared_powers_of_blocks, shared_powers_of_parts};
pub use steps::{in_steps, quantized};
pub use swiglu::{Dequantised, Form, Gate, Groups, Listed, Quantised, Swiglu, Table, units};
