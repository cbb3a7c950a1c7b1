//! What a graph keeps of the calls that are captured into it: their tensors' memory and their workspaces.

use std::cell::RefCell;

use super::argument::Arguments;
use crate::memory::{Buffer, SharedBuffer};
use crate::stream_core::StreamCore;

thread_local! {
    /// What the captures of this thread have kept, by the number of the stream.
    static KEPT: RefCell<Vec<(u64, Kept)>> = const { RefCell::new(Vec::new()) };
}

/// Memory that captured work uses.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// The memory of tensors, and whether the work writes it.
    pub(crate) buffers: Vec<(SharedBuffer, bool)>,
    workspaces: Vec<Buffer>,
}

impl Kept {
    /// Notes memory once, and as written where any work writes it.
    fn note(&mut self, buffer: &SharedBuffer, writes: bool) {
        match self.buffers.iter_mut().find(|(known, _)| known.is(buffer)) {
            Some((_, written)) => *written |= writes,
            None => self.buffers.push((buffer.clone(), writes)),
        }
    }
}

/// Keeps what calls on the stream use from now on.
pub(crate) fn begin(stream: &StreamCore) {
    KEPT.with_borrow_mut(|kept| kept.push((stream.id(), Kept::default())));
}

/// Returns what calls on the stream have used.
pub(crate) fn take(stream: &StreamCore) -> Kept {
    KEPT.with_borrow_mut(|kept| {
        let place = kept.iter().position(|(id, _)| *id == stream.id());
        place.map(|place| kept.swap_remove(place).1).unwrap_or_default()
    })
}

/// Keeps the memory of a call that is about to be captured.
pub(super) fn keep(stream: &StreamCore, arguments: &Arguments<'_>, workspace: Option<Buffer>) {
    KEPT.with_borrow_mut(|kept| {
        if let Some((_, kept)) = kept.iter_mut().find(|(id, _)| *id == stream.id()) {
            arguments.each_tensor(|tensor, writes| kept.note(tensor.shared_buffer(), writes));
            kept.workspaces.extend(workspace);
        }
    });
}
