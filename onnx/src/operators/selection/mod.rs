//! Elements that are chosen by what they are.

mod compress;
mod non_max_suppression;
mod top_k;
mod unique;

use super::operator::Operator;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("NonZero", 9, compress::non_zero),
    Operator::node("Compress", 9, compress::compress),
    Operator::node("Unique", 11, unique::unique),
    Operator::node("TopK", 1, top_k::by_attribute),
    Operator::node("TopK", 10, top_k::by_input),
    Operator::node("NonMaxSuppression", 10, non_max_suppression::non_max_suppression),
];
