//! Convolutions.
//!
//! `windows` has the attributes and the sizes, `plain` convolutions of floats, `transposed` those the other way, `whole` those of
//! integers, `deformed` those at places of their own, `columns` sums of columns.

mod columns;
mod deformed;
mod plain;
mod transposed;
mod whole;
pub(super) mod windows;

use super::operator::Operator;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("Conv", 1, plain::conv),
    Operator::node("ConvTranspose", 1, transposed::conv_transpose),
    Operator::node("ConvInteger", 10, whole::conv_integer),
    Operator::node("QLinearConv", 10, whole::qlinear_conv),
    Operator::node("DeformConv", 19, deformed::deform_conv),
    Operator::node("Col2Im", 18, columns::col2im),
    Operator::node("CausalConvWithState", 27, plain::causal_conv),
];
