//! Prose about the ideas behind this crate, one page each. The [`cookbook`](crate::cookbook) has short answers with code,
//! and the numbered programs in the folder `examples` are a tutorial.
//!
//! | topic | says |
//! |---|---|
//! | [`coming_from`] | PyTorch, candle and ndarray beside this crate, and what differs |
//! | [`safety`] | what the types and the checks guarantee, and where `unsafe` is left to the caller |
//! | [`promotion`] | how the type of a result is chosen, and who converts the operands |
//! | [`casting`] | what a conversion does to values that the target cannot hold |
//! | [`streams_and_memory`] | when work runs, what orders it, when memory is free again |
//! | [`collectives`] | what several devices do together: ranks, streams, failures |
//! | [`errors`] | what is refused at once, what fails later, how to go on |
//! | [`emulator_checks`] | what the emulator finds that a device does not tell |
//! | [`custom_operators`] | how an operator that this crate does not know becomes a safe function |
//! | [`frameworks`] | gradients, seeds and streams for a framework on top |
//! | [`environment_variables`] | every variable that is read |

#[cfg(feature = "collectives")]
#[allow(unused_imports, reason = "the links of the pages need the names")]
use crate::collective::{Communicator, Id, Launch, Options};
#[allow(unused_imports, reason = "the links of the pages need the names")]
use crate::{
    Backend, Device, Edition, Error, Event, Failure, Graph, HostBuffer, Plan, Scalar, Stream, Tensor,
    Transfer, onnx, operator, plan::Policy,
};

/// PyTorch, candle and ndarray beside this crate, and what differs.
///
#[doc = include_str!("topics/coming_from.md")]
pub mod coming_from {}

/// The promises of safe code, and the duties of callers of unsafe functions.
///
#[doc = include_str!("topics/safety.md")]
pub mod safety {}

/// The choice of the element type of a result.
///
#[doc = include_str!("topics/promotion.md")]
pub mod promotion {}

/// The effect of a conversion on values.
///
#[doc = include_str!("topics/casting.md")]
pub mod casting {}

/// The time at which work runs, and at which memory is free again.
///
#[doc = include_str!("topics/streams_and_memory.md")]
pub mod streams_and_memory {}

/// Sums, copies and messages among several devices.
///
#[cfg(feature = "collectives")]
#[doc = include_str!("topics/collectives.md")]
pub mod collectives {}

/// Errors that come at once, failures that come later, and how to go on.
///
#[doc = include_str!("topics/errors.md")]
pub mod errors {}

/// Mistakes that the emulator finds and a device does not report.
///
#[doc = include_str!("topics/emulator_checks.md")]
pub mod emulator_checks {}

/// Safe functions for operators that this crate does not know.
///
#[doc = include_str!("topics/custom_operators.md")]
pub mod custom_operators {}

/// Gradients, seeds and streams for a framework on top.
///
#[doc = include_str!("topics/frameworks.md")]
pub mod frameworks {}

/// Every variable that is read.
///
#[doc = include_str!("topics/environment_variables.md")]
pub mod environment_variables {}
