//! Elements that are found by indices or by a mask.
//!
//! [`Positions`] says where the runs lie that indices find in a tensor. [`Gather`] copies them out of it, and [`Scatter`]
//! writes to them, or combines what is there with something. A run is as long as the layouts allow, so that a slice is moved
//! as one piece. `mask` holds what depends on the truth of each element.
//!
//! What is found twice is written in order, so that the last one stays, and added in order, so that a sum has the same bits
//! every time.

mod bags;
mod blocks;
mod gather;
mod loops;
mod mask;
mod memory;
mod pages;
mod pieces;
mod positions;
mod reduce;
mod reduction;
mod runs;
mod scatter;
mod sum_rows;

pub use bags::{Bags, Join};
pub use gather::Gather;
pub use mask::{MaskedFill, MaskedScatter, MaskedSelect, Nonzero};
pub use pages::GatherPages;
pub use pieces::From;
pub(crate) use positions::read as read_numbers;
pub use positions::{Index, Numbers, Positions, Skips};
pub use reduce::Reduce;
pub use reduction::Reduction;
pub use scatter::Scatter;
pub use sum_rows::SumRows;
