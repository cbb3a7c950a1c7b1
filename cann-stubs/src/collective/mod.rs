//! Collectives: what the ranks of a group do together, as HCCL has it.
//!
//! A rank is a device of this process or of another one on this host. All ranks of a group map the same memory
//! (`segment.rs`): there each has a desk that says how far it is, and slots for data on its way. A collective is work of a
//! stream that goes on in steps. Where it has to wait for ranks that other threads run, it does so for a moment; then its
//! stream waits as for any condition, and the thread that waits for the stream runs the other ranks meanwhile. So one thread
//! can drive all ranks of a process.
//!
//! Results depend on nothing but the elements: they are combined in the order of the ranks. What must be the same on all
//! ranks is compared before anything moves. A failure of one rank becomes that of the group, which then does nothing more.

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `outcome`, `process`: codes of HCCL; whether another process lives
// 2. `segment`: the memory that ranks share
// 3. `call`, `root_info`: collectives in numbers and in words; how ranks find the memory
// 4. `combine`, `communicator`: elements of all ranks become one; one rank of a group
// 5. `rounds`, `messages`, `group`: a collective step by step; messages between two ranks; joining and leaving
// 6. `queue`: what is checked before a collective is queued, and messages that are queued together
// 7. `entry`, `exchange`, `group_call`, `joint`: the functions of HCCL, and parts of operators
mod call;
mod combine;
mod communicator;
mod entry;
mod exchange;
mod group;
mod group_call;
pub(crate) mod joint;
mod messages;
mod outcome;
mod process;
mod queue;
mod root_info;
mod rounds;
mod segment;

pub(crate) use group::{forget_all, live};

use crate::surface::EntryPoint;

/// The functions of HCCL that do more than refuse.
pub(crate) fn symbols() -> Vec<EntryPoint> {
    [entry::SYMBOLS, exchange::SYMBOLS, group_call::SYMBOLS].concat()
}
