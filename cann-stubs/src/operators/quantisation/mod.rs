//! Quantisation: numbers in steps, and rows of numbers with scales.
//!
//! `rows` puts the plans of rows together, `sources` says what groups of neighbours are quantised from; the other files hold
//! operators.

mod blocks;
mod computed;
mod dynamic;
mod fixed;
mod multiplied;
mod norms;
mod products;
mod rows;
mod shared;
mod sources;
mod steps;
mod sums;
mod swiglu;
mod vectors;

pub(super) use dynamic::rows_by_own_scales;

use blocks::dynamic_block_quant;
use computed::{gelu_quant, grouped_dynamic_block_quant, quant_max, rms_norm_grad_quant, rms_norm_quant_v3};
use dynamic::dynamic_quant;
use fixed::ascend_quant;
use multiplied::{grouped_matmul_finalize_routing, quant_grouped_matmul_dequant, quant_matmul_reduce_sum};
use norms::{add_rms_norm_dynamic_quant, rms_norm_dynamic_quant, rms_norm_quant};
use products::grouped_matmul_swiglu_quant;
use steps::{fake_quantize_per_channel, fake_quantize_per_tensor, quantize};
use sums::add_rms_norm_quant;
use swiglu::{clipped_swiglu, dequant_swiglu_quant, swi_glu_quant};

use shared::{
    anti_mx_quant, dynamic_block_mx_quant, dynamic_mx_quant, dynamic_mx_quant_of_both,
    grouped_dynamic_mx_quant, grouped_dynamic_mx_quant_of_both, rms_norm_dynamic_mx_quant, swiglu_mx_quant,
    swiglu_mx_quant_of_both,
};
use vectors::{ascend_anti_quant, dequant_bias, flat_quant, group_quant, rotate_quant};

use super::phases::entry_points;

aclnn_sys::quantisation_operators!(entry_points);
