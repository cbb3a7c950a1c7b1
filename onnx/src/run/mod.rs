//! Programs: graphs that are ready to run, and what their nodes are given.

mod call;
mod kept;
mod learned;
mod notes;
mod prepared;
mod program;
mod values;
mod wider;

pub(crate) use call::Call;
pub(crate) use kept::Kept;
pub(crate) use learned::{Learned, Shapes, have, shapes};
pub(crate) use notes::{Notes, Place};
pub(crate) use prepared::Prepared;
pub(crate) use program::{Maker, Mode, Program};
pub(crate) use values::Values;
