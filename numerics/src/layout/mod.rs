//! Where the elements of a tensor lie.
//!
//! [`Shape`] is how many there are per axis, [`Layout`] adds strides and an offset and makes views,
//! [`broadcast()`] finds the common shape of two operands, [`Walk`] visits the elements of several operands at once.

mod broadcast;
mod shape;
mod view;
mod walk;

pub use broadcast::{BroadcastError, broadcast};
pub use shape::Shape;
pub use view::{Layout, LayoutError};
pub use walk::Walk;
