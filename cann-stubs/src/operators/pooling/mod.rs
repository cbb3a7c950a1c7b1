//! Poolings: averages and greatest elements of windows, and their gradients.
//!
//! `windows` checks attributes, and `plans` puts the operands together; the other files hold the operators.

mod adaptive;
mod average;
mod greatest;
mod plans;
mod unpool;
mod windows;

use super::phases::entry_points;
use adaptive::{
    adaptive_avg_pool2d, adaptive_avg_pool2d_backward, adaptive_avg_pool3d, adaptive_avg_pool3d_backward,
    adaptive_max_pool2d, adaptive_max_pool2d_backward, adaptive_max_pool3d, adaptive_max_pool3d_backward,
    global_average_pool, global_max_pool,
};
use average::{avg_pool2d, avg_pool2d_backward, avg_pool3d, avg_pool3d_backward};
use greatest::{
    max_pool, max_pool_v3, max_pool2d_with_indices, max_pool2d_with_indices_backward, max_pool2d_with_mask,
    max_pool2d_with_mask_backward, max_pool3d, max_pool3d_with_argmax, max_pool3d_with_argmax_backward,
};
use unpool::{max_unpool2d, max_unpool2d_backward, max_unpool3d, max_unpool3d_backward};

aclnn_sys::pooling_operators!(entry_points);
