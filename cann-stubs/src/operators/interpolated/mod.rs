//! Samples between the elements of images: regions, attention to points, and convolutions at moved places; `nearest` takes whole
//! elements and points, and `boxes` compares boxes.

mod boxes;
mod convolution;
mod corners;
mod nearest;
mod points;
mod regions;

pub(super) use boxes::{ciou, iou};
pub(super) use convolution::deformable_conv2d;
pub(super) use nearest::{
    chamfer_distance_backward, roi_pooling_grad_with_arg_max, roi_pooling_with_arg_max,
};
pub(super) use points::{multi_scale_deformable_attention, multi_scale_deformable_attention_grad};
pub(super) use regions::{roi_align, roi_align_v2, roi_align_v2_backward};
