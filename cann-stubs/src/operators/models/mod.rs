//! Parts of models between products, norms and attention.
//!
//! `softmax`, `choices` and `segments` work on rows, `packing` on bits and numbers of places, `adapters` on heads and rows with
//! weights of their own, and `gradients` sums what was repeated, `parts` what experts and devices made of parts; `channels` scales
//! and gathers statistics, and `streams` mixes residual streams. `tokens` prepares the next pass, `silent` looks for faults of the
//! last one, `codes` stores floats, `elements` and `gates` work on elements, and `vocabulary` on words.

mod adapters;
mod channels;
mod choices;
mod codes;
mod elements;
mod gates;
mod gradients;
mod packing;
mod parts;
mod segments;
mod silent;
mod softmax;
mod streams;
mod tokens;
mod vocabulary;

use adapters::{add_lora, transform_bias_rescale_qkv};
use channels::{scale, sync_batch_norm_gather_stats};
use choices::{apply_top_k_top_p, top_k_top_p_sample};
use codes::{hans_decode, hans_encode};
use elements::{background_replace, blend_images, confusion_transpose, fused_mul_add_n, masked_scale};
use gates::{swiglu_group, swiglu_group_grad};
use gradients::{grouped_bias_add_grad, repeat_interleave_grad, three_interpolate_backward};
use packing::{data_format_dim_map, expand_into_jagged_permute, sign_bits_pack, sign_bits_unpack};
use parts::{moe_finalize_routing_v2_grad, moe_gating_top_k_backward, moe_init_routing_v2_grad};
use segments::{exp_segsum, exp_segsum_backward, sinkhorn};
use silent::{silent_check, silent_check_v2};
pub(super) use softmax::Scores;
use softmax::{masked_softmax_with_rel_pos_bias, scaled_masked_softmax, scaled_masked_softmax_backward};
use streams::{mhc_post, mhc_post_backward};
use tokens::advance_step;
use vocabulary::{index_logit, sort_with_index};

use super::phases::entry_points;

aclnn_sys::models_operators!(entry_points);
