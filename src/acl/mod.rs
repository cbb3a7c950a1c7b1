//! The runtime's functions, made as safe as possible: handles are owned, and codes become errors.
//!
//! Most functions of the runtime work in the context that is current on the thread. A [`Bound`] makes the device's
//! context current right before each of these functions, because code that runs in between, such as the program's
//! allocator, may set another context. Subscribers are told of the calls when the [`Bound`] is dropped, as they may
//! call this crate too. Handle types cannot be copied; releasing a handle consumes it.
//!
//! `library` checks codes, `context` calls in the context of a device, `collective` has the functions of HCCL; the other
//! files hold one kind of handle each.

#[cfg(feature = "collectives")]
mod collective;
mod context;
mod event;
mod graph;
mod host;
mod library;
mod memory;
mod peer;
mod stream;

#[cfg(feature = "collectives")]
pub(crate) use collective::{Collective, RawCommunicator, Spread};
pub(crate) use context::{Bound, Context};
pub(crate) use event::RawEvent;
pub(crate) use graph::RawGraph;
pub(crate) use host::HostMemory;
pub(crate) use library::Acl;
pub(crate) use memory::{Memory, Part};
pub(crate) use stream::RawStream;
