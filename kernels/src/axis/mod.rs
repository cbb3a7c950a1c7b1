//! Work along axes: reductions, running results, sums of segments, softmax, norms.

pub mod any;
pub mod columns;
pub mod histogram;
pub mod normalization;
pub mod quantisation;
pub mod reduce;
pub mod renorm;
pub mod scan;
pub mod segments;
pub mod sinkhorn;
pub mod softmax;
