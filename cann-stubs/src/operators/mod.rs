//! The operators: phase one checks and plans, phase two queues the plan.
//!
//! Entry points are expanded from the declarations of `aclnn_sys`, by `phases`; each names a function in the file of its
//! family here, which checks the arguments in CANN's order and returns a plan.

mod activation;
mod alpha;
mod argument;
mod arithmetic;
mod attention;
mod attributes;
mod axes;
mod binary;
mod by_product;
pub(crate) mod cache;
mod call;
mod check;
mod combination;
mod comparison;
mod compute_units;
mod conversion;
mod convolution;
mod defective;
mod fill;
mod foreach;
mod fused;
mod histogram;
mod images;
mod index;
mod linalg;
mod loss;
mod matrix;
mod movement;
mod normalization;
mod operand;
mod optimizer;
mod pairwise;
mod parametric;
mod phases;
mod plan_builder;
mod planted;
mod pooling;
mod quantisation;
mod random;
mod range;
mod recurrent;
mod reduction;
mod refused;
mod resize;
mod sampling;
mod scalar_types;
mod scan;
mod several;
mod signatures;
mod sorting;
mod unary;

use crate::surface::EntryPoint;

/// The entry points of operators that are not computed.
pub(crate) fn not_computed() -> impl Iterator<Item = &'static EntryPoint> {
    refused::SYMBOLS.iter()
}

/// The entry points of operators that are computed.
pub(crate) fn symbols() -> impl Iterator<Item = &'static EntryPoint> {
    let families = [
        activation::SYMBOLS,
        arithmetic::SYMBOLS,
        attention::SYMBOLS,
        binary::SYMBOLS,
        comparison::SYMBOLS,
        conversion::SYMBOLS,
        convolution::SYMBOLS,
        fill::SYMBOLS,
        fused::SYMBOLS,
        foreach::SYMBOLS,
        histogram::SYMBOLS,
        index::SYMBOLS,
        linalg::SYMBOLS,
        loss::SYMBOLS,
        matrix::SIZES,
        matrix::SYMBOLS,
        movement::SYMBOLS,
        normalization::SYMBOLS,
        optimizer::SYMBOLS,
        pairwise::SYMBOLS,
        parametric::SYMBOLS,
        pooling::SYMBOLS,
        quantisation::SYMBOLS,
        random::SYMBOLS,
        range::SYMBOLS,
        several::SYMBOLS,
        recurrent::SYMBOLS,
        reduction::SYMBOLS,
        resize::SYMBOLS,
        sampling::SYMBOLS,
        scan::SYMBOLS,
        sorting::SYMBOLS,
        unary::SYMBOLS,
    ];
    families.into_iter().flatten()
}
