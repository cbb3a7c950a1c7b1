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

use combine::*;
use gating::*;
use maps::*;
use permute::*;
use routing::*;

aclnn_sys::experts_operators!(entry_points);
