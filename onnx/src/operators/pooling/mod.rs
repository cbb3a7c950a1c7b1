//! Pools: the greatest elements, means and norms of windows, of whole images, and of regions.
//!
//! `axes` has their windows, `greatest` the greatest elements and their places, `sums` means and norms, `whole` pools of whole images, `regions` those of
//! regions.

mod axes;
mod greatest;
mod regions;
mod sums;
mod whole;

use super::operator::Operator;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("MaxPool", 1, greatest::max_pool),
    Operator::node("MaxUnpool", 9, greatest::max_unpool),
    Operator::node("AveragePool", 1, sums::average_pool),
    Operator::node("LpPool", 2, sums::lp_pool),
    Operator::node("GlobalAveragePool", 1, whole::average),
    Operator::node("GlobalMaxPool", 1, whole::greatest),
    Operator::node("GlobalLpPool", 2, whole::norm),
    Operator::node("MaxRoiPool", 1, regions::max_roi_pool),
    Operator::node("RoiAlign", 10, |node| regions::roi_align(node, "output_half_pixel")),
    Operator::node("RoiAlign", 16, |node| regions::roi_align(node, "half_pixel")),
];
