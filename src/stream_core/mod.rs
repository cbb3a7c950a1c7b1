//! Streams without their devices: what buffers and other streams share of a stream, and may keep longer than its handle.
//!
//! `state` holds a stream's work, its failures and the streams whose results it uses; `marks` holds the events that
//! order streams. [`Stream`](crate::Stream) is the handle.

mod marks;
mod state;

pub(crate) use state::{StreamCore, Streams};
