//! Losses and their gradients.
//!
//! `reduction` is how the losses of elements are combined, and `terms` plans functions of elements; `differences`, `divergence`
//! and `entropy` hold losses of that kind. `rows` plans functions of rows with a class each, for `likelihood` and `classes`;
//! `margin` is about rows
//! with several classes, `vocabulary` about classes that several devices share, and `ctc` about sequences.

mod classes;
mod ctc;
mod differences;
mod divergence;
mod entropy;
mod likelihood;
mod margin;
mod reduction;
mod rows;
mod terms;
mod vocabulary;

use classes::{cross_entropy_loss, cross_entropy_loss_grad, softmax_cross_entropy_with_logits};
use ctc::{ctc_loss, ctc_loss_backward};
use differences::{
    l1_loss, l1_loss_backward, mse_loss, mse_loss_backward, mse_loss_out, smooth_l1_loss,
    smooth_l1_loss_backward, soft_margin_loss, soft_margin_loss_backward,
};
use divergence::{kl_div, kl_div_backward, kl_div_target_backward};
use entropy::{
    binary_cross_entropy, binary_cross_entropy_backward, binary_cross_entropy_with_logits,
    binary_cross_entropy_with_logits_backward, binary_cross_entropy_with_logits_target_backward,
};
use likelihood::{nll_loss, nll_loss_backward, nll_loss2d_backward};
use margin::multilabel_margin_loss;
use vocabulary::{linear_cross_entropy_grad, linear_max_sum, loss_with_max_sum};

use super::phases::entry_points;

aclnn_sys::loss_operators!(entry_points);
