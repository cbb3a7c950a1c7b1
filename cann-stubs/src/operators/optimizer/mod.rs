//! Optimizer steps: `adam` and `sgd`; `scale` is about losses in mixed precision, `step` what they are put together with.

mod adam;
mod scale;
mod sgd;
mod step;

use super::phases::entry_points;
use adam::{apply_adam_w, apply_adam_w_v2, apply_fused_ema_adam, fused_adamw};
use scale::amp_update_scale;
use sgd::fused_sgd;

aclnn_sys::optimizer_operators!(entry_points);
