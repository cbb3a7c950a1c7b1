//! Captured graphs: work that streams store instead of running it, and that is replayed as often as the program asks.
//!
//! A task of a graph is what a program did to a stream: a replay does it again, with the addresses that were captured, so that
//! everything a launch is checked for is checked at each replay. Work on the stream of the capture goes to the stream of the
//! replay; work on the streams that joined by events goes to streams of the graph.
//!
//! What cannot be stored fails at its call, and the capture goes on.

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `replaceable`: operators of a graph whose arguments may be replaced
// 2. `graph`: a graph, while it is captured and when it is replayed
// 3. `members`: the streams from which graphs are captured
// 4. `permission`, `group`: what a thread may do while others capture; groups of tasks, and their replacement
// 5. `entry`: the entry points
mod entry;
mod graph;
mod group;
mod members;
mod permission;
mod replaceable;

pub(crate) use entry::SYMBOLS;
pub(super) use graph::InGraph;
pub(crate) use graph::{forget_all, live};
pub(crate) use group::launch;
pub(crate) use members::{any_in, number, submit};
pub(super) use members::{record, wait};
pub(crate) use permission::{must_allow_at_once, must_allow_pageable};
pub(crate) use replaceable::{OperatorTask, Replaceable};
