//! Mixtures of experts: the choice of experts for each token, the order of tokens by their experts, and the rows of tokens that
//! are copied there and combined again; their gated units and gradients.

pub mod combine;
pub mod exchange;
pub mod gating;
pub mod gradients;
pub mod permute;
pub mod routing;
pub mod rows;
pub mod units;
