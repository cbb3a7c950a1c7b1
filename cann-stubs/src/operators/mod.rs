//! The operators: phase one checks and plans, phase two queues the plan.
//!
//! Entry points are expanded from the declarations of `aclnn_sys`, by `phases`; each names a function in the file of its
//! family here, which checks the arguments in CANN's order and returns a plan. Where a family is a folder, its `mod.rs` takes
//! the functions of all files, so that it lists none.
//!
//! What many operators call, in this module and in others, is marked `#[inline(never)]`. The compiler optimises a crate in parts,
//! and copies each small function into every part that calls it: release builds took longer and the library was larger, for
//! functions that a plan calls once or twice.

mod activation;
mod argument;
mod arithmetic;
mod attention;
mod attention_steps;
mod attributes;
mod axes;
mod binary;
mod blocks;
mod by_name;
pub(crate) mod cache;
mod caches;
mod call;
mod check;
mod combination;
mod comparison;
mod conversion;
pub(crate) mod conversions;
mod convolution;
mod defective;
mod experts;
mod fill;
mod foreach;
mod formats;
mod functions_by_product;
mod fused;
mod histogram;
mod images;
mod index;
mod interpolated;
mod joint;
mod lane_planner;
mod linalg;
mod loss;
mod matrix;
mod models;
mod movement;
mod n_ary;
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
mod scan;
mod signatures;
mod sorting;
mod sparse;
mod stage_planner;
mod unary;
mod whole_stage;

pub(crate) use by_name::SYMBOLS as BY_NAME;

use crate::surface::EntryPoint;

/// The entry points of operators that are not computed.
pub(crate) fn not_computed() -> &'static [EntryPoint] {
    refused::SYMBOLS
}

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident by $operators:ident;)*) => {
        /// The entry points of operators that are computed: those of each family, which has a module here.
        pub(crate) fn symbols() -> Vec<EntryPoint> {
            let mut all = Vec::new();
            for family in [$($family::SYMBOLS),*] {
                for phases in family {
                    all.extend_from_slice(&phases.entry_points());
                }
            }
            for alone in [matrix::SIZES, random::MODES, formats::SYMBOLS] {
                all.extend_from_slice(alone);
            }
            all
        }
    };
}

aclnn_sys::operator_families!(families);
