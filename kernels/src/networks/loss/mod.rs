//! The arithmetic of losses: functions of the elements of some operands, of rows and their classes, of classes that several
//! devices share, and of sequences.

pub mod classes;
pub mod ctc;
pub mod elements;
pub mod functions;
pub mod vocabulary;

use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};

/// The numbers of a lane.
fn numbers<T: Pod>(lane: &[u8]) -> &[T] {
    try_cast_slice(lane).unwrap_or_default()
}

/// The numbers of a lane that is written.
fn numbers_mut<T: Pod>(lane: &mut [u8]) -> &mut [T] {
    try_cast_slice_mut(lane).unwrap_or_default()
}
