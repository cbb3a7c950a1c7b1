//! Operators of several ranks, in parts: what a rank does alone and what the ranks of a group do together.
//!
//! `parts` finds the group by its name and puts the parts together. What goes from one part to the next lies in the workspace,
//! if it is no output. `factors` has the products and `routed` what operators of experts have in common; the other
//! files hold the operators.

mod all_reduce;
mod barrier;
mod combine;
mod dispatch;
mod exchanged;
mod factors;
mod grouped;
mod parts;
mod routed;

use super::phases::entry_points;

use all_reduce::{
    matmul_all_reduce, matmul_all_reduce_add_rms_norm, quant_matmul_all_reduce,
    quant_matmul_all_reduce_add_rms_norm, weight_quant_matmul_all_reduce,
    weight_quant_matmul_all_reduce_add_rms_norm,
};
use barrier::distribute_barrier;
use combine::{distribute_combine, distribute_combine_add_rms_norm};
use dispatch::distribute_dispatch;
use exchanged::{
    all_gather_matmul, all_to_all_matmul, all_to_all_quant_matmul, matmul_all_to_all, matmul_reduce_scatter,
    quant_matmul_all_to_all,
};
use grouped::{all_to_allv_grouped_mat_mul, grouped_mat_mul_all_to_allv};

aclnn_sys::joint_operators!(entry_points);
