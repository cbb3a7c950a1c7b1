//! Quantisation: numbers in steps, and rows of numbers with scales.
//!
//! `rows` puts the plans of rows together; the other files hold operators.

mod blocks;
mod dynamic;
mod fixed;
mod norms;
mod products;
mod rows;
mod shared;
mod steps;
mod sums;
mod swiglu;
mod vectors;

use blocks::dynamic_block_quant;
use dynamic::dynamic_quant;
use fixed::ascend_quant;
use norms::{add_rms_norm_dynamic_quant, rms_norm_dynamic_quant, rms_norm_quant};
use products::grouped_matmul_swiglu_quant;
use steps::{fake_quantize_per_channel, fake_quantize_per_tensor, quantize};
use sums::add_rms_norm_quant;
use swiglu::{clipped_swiglu, dequant_swiglu_quant, swi_glu_quant};

use shared::dynamic_mx_quant;
use vectors::{ascend_anti_quant, dequant_bias, flat_quant, group_quant};

use super::phases::entry_points;

aclnn_sys::quantisation_operators!(entry_points);
