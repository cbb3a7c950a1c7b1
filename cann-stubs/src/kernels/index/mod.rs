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
mod pieces;
mod positions;
mod reduce;
mod reduction;
mod runs;
mod scatter;
mod sum_rows;

pub(crate) use bags::{Bags, Join};
pub(crate) use gather::Gather;
pub(crate) use mask::{MaskedFill, MaskedScatter, MaskedSelect, Nonzero};
pub(crate) use pieces::From;
pub(crate) use positions::{Index, Numbers, Positions};
pub(crate) use reduce::Reduce;
pub(crate) use reduction::Reduction;
pub(crate) use scatter::Scatter;
pub(crate) use sum_rows::SumRows;
