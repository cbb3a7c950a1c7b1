//! The positions of the elements of a tensor in its memory.
//!
//! [`Shape`] holds the size of each axis, [`Layout`] adds strides and an offset and makes views, [`broadcast()`] finds
//! the common shape of two operands, and [`Walk`] visits the elements of several operands at once.

mod broadcast;
mod shape;
mod view;
mod walk;

pub use broadcast::{BroadcastError, broadcast};
pub use shape::Shape;
pub use view::{Layout, LayoutError};
pub use walk::Walk;
