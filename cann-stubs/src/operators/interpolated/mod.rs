//! Samples between the elements of images: regions, attention to points, and convolutions at moved places.

mod convolution;
mod corners;
mod points;
mod regions;

pub(super) use convolution::deformable_conv2d;
pub(super) use points::{multi_scale_deformable_attention, multi_scale_deformable_attention_grad};
pub(super) use regions::{roi_align, roi_align_v2, roi_align_v2_backward};
