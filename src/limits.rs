//! Limits of the library.

/// The most axes that operators take.
pub const MAX_RANK: usize = 8;
