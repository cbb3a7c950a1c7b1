//! Losses and their gradients.
//!
//! `reduction` says how losses are combined, and `checks` what is refused. `pair` is the operation of losses of two tensors,
//! `kinds` those losses. `likelihood`, `classes` and `ctc` are losses of tensors with labels.

mod checks;
mod classes;
mod ctc;
mod kinds;
mod likelihood;
mod pair;
mod reduction;

pub use classes::{CrossEntropy, cross_entropy};
pub use ctc::{CtcLoss, ctc_loss};
pub use kinds::{
    BinaryCrossEntropy, BinaryCrossEntropyWithLogits, Divergence, L1, Mse, SmoothL1, SoftMargin,
    binary_cross_entropy, binary_cross_entropy_with_logits, kl_div, l1_loss, mse_loss, smooth_l1_loss,
    soft_margin_loss,
};
pub use likelihood::{NllLoss, nll_loss};
pub use pair::Loss;
pub use reduction::LossReduction;
