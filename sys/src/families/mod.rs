//! The declarations of the operators, as data: each operator is declared once, in the file of its family.
//!
//! A family is a macro that hands its declarations to any other macro. Here the declarations become metadata, and
//! [`operators`](crate::operators) makes typed pairs of functions of them. The emulator and the safe layer expand entry
//! points and functions from the same lists.
//!
//! A new family needs a file here, lines below, and a line in `operators/mod.rs`.

pub(crate) mod arithmetic;
pub(crate) mod binary;
pub(crate) mod comparison;
pub(crate) mod conversion;
pub(crate) mod fill;
pub(crate) mod histogram;
pub(crate) mod index;
mod info;
pub(crate) mod matrix;
pub(crate) mod movement;
pub(crate) mod pairwise;
pub(crate) mod parametric;
pub(crate) mod range;
pub(crate) mod reduction;
pub(crate) mod scan;
pub(crate) mod several;
pub(crate) mod sorting;
pub(crate) mod unary;

pub use info::{OperatorInfo, Parameter, ParameterKind, Rule};

/// Returns every declared operator, by family.
pub fn all() -> impl Iterator<Item = &'static OperatorInfo> {
    let families = [
        arithmetic::OPERATORS,
        binary::OPERATORS,
        comparison::OPERATORS,
        conversion::OPERATORS,
        fill::OPERATORS,
        histogram::OPERATORS,
        index::OPERATORS,
        matrix::OPERATORS,
        movement::OPERATORS,
        pairwise::OPERATORS,
        parametric::OPERATORS,
        range::OPERATORS,
        several::OPERATORS,
        reduction::OPERATORS,
        scan::OPERATORS,
        sorting::OPERATORS,
        unary::OPERATORS,
    ];
    families.into_iter().flatten().copied()
}
