//! Programs: graphs that are ready to run, and what their nodes are given.

mod call;
mod learned;
mod node_cache;
mod notes;
mod prepared;
mod program;
mod values;
mod wider;

pub(crate) use call::Call;
pub(crate) use learned::{Learned, Shapes, have, shapes};
pub(crate) use node_cache::NodeCache;
pub(crate) use notes::{Notes, Place};
pub(crate) use prepared::Prepared;
pub(crate) use program::{Maker, Mode, Program};
pub(crate) use values::Values;
