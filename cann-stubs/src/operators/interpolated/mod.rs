//! Samples between the elements of images: regions, attention to points, and convolutions at moved places; `nearest` takes whole
//! elements and points, `boxes` compares boxes, `suppression` leaves some out, and `blur` takes means of neighbours.

mod blur;
mod boxes;
mod convolution;
mod corners;
mod nearest;
mod points;
mod regions;
mod suppression;

pub(super) use blur::gaussian_blur;
pub(super) use boxes::{ciou, iou};
pub(super) use convolution::{deformable_conv2d, deformable_conv2d_backward};
pub(super) use nearest::{
    chamfer_distance_backward, roi_pooling_grad_with_arg_max, roi_pooling_with_arg_max,
};
pub(super) use points::{multi_scale_deformable_attention, multi_scale_deformable_attention_grad};
pub(super) use regions::{roi_align, roi_align_v2, roi_align_v2_backward};
pub(super) use suppression::non_max_suppression;
