//! The declarations of the operators, as data: each operator is declared once, in the file of its family.
//!
//! A family is a macro that hands its declarations to any other macro. Here the declarations become metadata, and
//! [`operators`](crate::operators) makes typed pairs of functions of them. The emulator and the safe layer expand entry
//! points and functions from the same lists.
//!
//! A new family needs a file here, lines below, and a line in `operators/mod.rs`.
//! [`operator_families!`](crate::operator_families) hands the list of families to the crates above.

pub(crate) mod activation;
pub(crate) mod arithmetic;
pub(crate) mod attention;
pub(crate) mod binary;
pub(crate) mod comparison;
pub(crate) mod conversion;
pub(crate) mod convolution;
pub(crate) mod fill;
pub(crate) mod foreach;
pub(crate) mod fused;
pub(crate) mod histogram;
pub(crate) mod index;
mod info;
pub(crate) mod linalg;
pub(crate) mod loss;
pub(crate) mod matrix;
pub(crate) mod movement;
pub(crate) mod normalization;
pub(crate) mod optimizer;
pub(crate) mod pairwise;
pub(crate) mod parametric;
pub(crate) mod pooling;
pub(crate) mod quantisation;
pub(crate) mod random;
pub(crate) mod range;
pub(crate) mod recurrent;
pub(crate) mod reduction;
pub(crate) mod resize;
pub(crate) mod sampling;
pub(crate) mod scan;
pub(crate) mod several;
pub(crate) mod sorting;
pub(crate) mod unary;

pub use info::{OperatorInfo, Parameter, ParameterKind, Rule};

/// Calls `$callback!` with every family and the macro that has its declarations.
#[macro_export]
macro_rules! operator_families {
    ($callback:path) => {
        $callback! {
            activation by activation_operators;
            arithmetic by arithmetic_operators;
            attention by attention_operators;
            binary by binary_operators;
            comparison by comparison_operators;
            conversion by conversion_operators;
            convolution by convolution_operators;
            fill by fill_operators;
            fused by fused_operators;
            foreach by foreach_operators;
            histogram by histogram_operators;
            index by index_operators;
            linalg by linalg_operators;
            loss by loss_operators;
            matrix by matrix_operators;
            movement by movement_operators;
            normalization by normalization_operators;
            optimizer by optimizer_operators;
            pairwise by pairwise_operators;
            parametric by parametric_operators;
            pooling by pooling_operators;
            quantisation by quantisation_operators;
            random by random_operators;
            range by range_operators;
            several by several_operators;
            recurrent by recurrent_operators;
            reduction by reduction_operators;
            resize by resize_operators;
            sampling by sampling_operators;
            scan by scan_operators;
            sorting by sorting_operators;
            unary by unary_operators;
        }
    };
}

macro_rules! lists {
    ($($family:ident by $operators:ident;)*) => {
        const FAMILIES: &[&[&OperatorInfo]] = &[$($family::OPERATORS),*];
    };
}

operator_families!(lists);

/// Returns every declared operator, by family.
pub fn all() -> impl Iterator<Item = &'static OperatorInfo> {
    FAMILIES.iter().copied().flatten().copied()
}
