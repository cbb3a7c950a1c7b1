//! Functions of elements: a loop over blocks for each type that they are computed in. `special` has the elementary functions,
//! [`fused`] the loops that convert in registers, [`halves`] those that do so piece by piece. [`rows`] and [`signs`]
//! are loops over rows of f32 alone, which the lanes of plans are.

#[cfg(test)]
mod accuracy;
pub mod arithmetic;
pub mod division;
pub mod function;
pub mod fused;
pub mod halves;
pub(crate) mod integer;
pub(crate) mod n_ary;
pub mod pairwise;
pub mod parametric;
pub mod power;
pub mod rows;
pub mod signs;
pub(crate) mod special;
pub mod ternary;
pub mod unary;
