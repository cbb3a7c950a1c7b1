//! Images in other sizes, and elements of images at the places of a grid.
//!
//! `resize` reads the sizes and resizes, `decoder` decodes files, `positions` finds the elements and the weights along an axis, `sampling` takes elements at
//! the places of a grid.

mod decoder;
mod positions;
mod resize;
mod sampling;

use super::operator::Operator;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("Upsample", 7, resize::upsample_by_attribute),
    Operator::node("Upsample", 9, resize::resize_by_scales),
    Operator::node("Resize", 10, resize::resize_by_scales),
    Operator::node("Resize", 11, resize::resize),
    Operator::node("GridSample", 16, sampling::grid_sample),
    Operator::node("AffineGrid", 20, sampling::affine_grid),
    Operator::node("ImageDecoder", 20, decoder::image_decoder),
];
