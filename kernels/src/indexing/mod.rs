//! Elements found by indices, and elements that move.

pub mod index;
pub mod movement;
