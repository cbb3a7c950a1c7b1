//! The declarations of the operators, as data: each operator is declared once, in the file of its family.
//!
//! A family is a macro that hands its declarations to any other macro. Here the declarations become metadata, and
//! [`operators`](crate::operators) makes typed pairs of functions of them. The emulator and the safe layer expand entry
//! points and functions from the same lists.
//!
//! A new family needs a file here, a line below and one in the list of families, which
//! [`operator_families!`](crate::operator_families) hands to this crate and to those above.

pub(crate) mod activation;
pub(crate) mod arithmetic;
pub(crate) mod attention;
pub(crate) mod attention_steps;
pub(crate) mod binary;
pub(crate) mod caches;
pub(crate) mod comparison;
pub(crate) mod conversion;
pub(crate) mod convolution;
pub(crate) mod experts;
pub(crate) mod fill;
pub(crate) mod foreach;
pub(crate) mod fused;
pub(crate) mod histogram;
pub(crate) mod index;
mod info;
pub(crate) mod joint;
pub(crate) mod linalg;
mod list;
pub(crate) mod loss;
pub(crate) mod matrix;
pub(crate) mod models;
pub(crate) mod movement;
pub(crate) mod n_ary;
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
pub(crate) mod sorting;
pub(crate) mod sparse;
mod texts;
pub(crate) mod unary;

use std::sync::LazyLock;

pub use info::{OperatorInfo, Parameter, ParameterKind, Parameters, ParametersIter, Rule};

macro_rules! lists {
    ($($(#[$doc:meta])* $family:ident by $operators:ident;)*) => {
        /// The operators of each family.
        static FAMILIES: &[&[&OperatorInfo]] = &[$($family::OPERATORS),*];
    };
}

crate::operator_families!(lists);

/// Returns every declared operator, by family.
pub fn all() -> impl Iterator<Item = &'static OperatorInfo> {
    by_family().flatten().copied()
}

/// Returns the operator with a C name without its prefix, such as `Add`; `None` if no operator of this name is declared.
///
/// ```
/// use aclnn_sys::operators;
///
/// assert_eq!(operators::named("InplaceAdd").map(|operator| operator.function()), Some("add"));
/// assert_eq!(operators::named("add"), None);
/// ```
pub fn named(name: &str) -> Option<&'static OperatorInfo> {
    static BY_NAME: LazyLock<Vec<&OperatorInfo>> = LazyLock::new(|| {
        let mut all: Vec<_> = all().collect();
        all.sort_unstable_by_key(|operator| operator.name());
        all
    });
    let place = BY_NAME.binary_search_by_key(&name, |operator| operator.name()).ok()?;
    BY_NAME.get(place).copied()
}

/// Returns the declared operators of each family.
pub(crate) fn by_family() -> impl Iterator<Item = &'static [&'static OperatorInfo]> {
    FAMILIES.iter().copied()
}
