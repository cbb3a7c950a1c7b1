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
    /// Keeps each memory once, as written where any work writes it.
    fn merge(&mut self) {
        self.buffers.sort_unstable_by_key(|(buffer, _)| std::ptr::from_ref::<Buffer>(buffer));
        self.buffers.dedup_by(|next, kept| {
            let same = next.0.is(&kept.0);
            kept.1 |= same && next.1;
            same
        });
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
        let mut taken = place.map(|place| kept.swap_remove(place).1).unwrap_or_default();
        taken.merge();
        taken
    })
}

/// Keeps the memory of a call that is about to be captured.
pub(super) fn keep(stream: &StreamCore, arguments: &Arguments<'_>, workspace: Option<Buffer>) {
    KEPT.with_borrow_mut(|kept| {
        if let Some((_, kept)) = kept.iter_mut().find(|(id, _)| *id == stream.id()) {
            arguments
                .each_tensor(|tensor, writes| kept.buffers.push((tensor.shared_buffer().clone(), writes)));
            kept.workspaces.extend(workspace);
        }
    });
}
