//! Optimizer steps: `adam` and `sgd`, and `classic` ones of TensorFlow; `blocks` has moments of few bits; `scale` is about losses in mixed precision, `step` what they are put together with.

mod adam;
mod blocks;
mod classic;
mod scale;
mod sgd;
mod step;

use super::phases::entry_points;
use adam::{apply_adam_w, apply_adam_w_v2, apply_fused_ema_adam, fused_adamw};
use blocks::apply_adam_w_quant;
use classic::{apply_adadelta, apply_adam, apply_adam_d, apply_adamax, apply_ftrl, apply_gradient_descent};
use scale::amp_update_scale;
use sgd::fused_sgd;

aclnn_sys::optimizer_operators!(entry_points);
