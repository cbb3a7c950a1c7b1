//! Averages and greatest elements of windows over images, and their gradients.
//!
//! `windows` computes sizes, `average` and `greatest` hold the builders, `adaptive` what divides images into parts, and `unpool` the
//! way back.

mod adaptive;
mod average;
mod greatest;
mod unpool;
mod windows;

pub use adaptive::{
    adaptive_avg_pool2d, adaptive_avg_pool2d_backward, adaptive_avg_pool3d, adaptive_avg_pool3d_backward,
    adaptive_max_pool2d, adaptive_max_pool2d_backward, adaptive_max_pool3d, adaptive_max_pool3d_backward,
};
pub use average::{AvgPool, avg_pool2d, avg_pool3d};
pub use greatest::{MaxPool, max_pool2d, max_pool3d};
pub use unpool::{max_unpool2d, max_unpool2d_backward, max_unpool3d, max_unpool3d_backward};
