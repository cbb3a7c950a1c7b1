//! Mixtures of experts: `gating` chooses experts, `routing` brings tokens into the order of their experts, `permute` and `maps` do
//! so in the forms that training uses, and `combine` sums up what the experts give. What they share is in `stage_planner` above,
//! and what the newer routings share in `expanded`.

mod combine;
mod expanded;
mod gating;
mod maps;
mod permute;
mod routing;

use super::phases::entry_points;

use combine::{finalize_routing, finalize_routing_v2, finalize_routing_v3};
use gating::{gating_top_k, gating_top_k_softmax, gating_top_k_softmax_v2};
use maps::{
    token_permute_with_routing_map, token_permute_with_routing_map_grad, token_unpermute_with_routing_map,
    token_unpermute_with_routing_map_grad,
};
use permute::{token_permute, token_permute_grad, token_unpermute, token_unpermute_grad};
use routing::{
    compute_expert_tokens, init_routing, init_routing_quant, init_routing_v2, init_routing_v3, re_routing,
};

aclnn_sys::experts_operators!(entry_points);
