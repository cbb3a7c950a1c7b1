//! What a graph keeps of the calls that are captured into it: their tensors' memory, their workspaces, and what else they use.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use super::argument::Arguments;
use crate::acl::Bound;
use crate::error::Result;
use crate::memory::{Buffer, SharedBuffer};
use crate::stream_core::StreamCore;
#[cfg(feature = "collectives")]
use crate::tensor::Tensor;

thread_local! {
    /// What the captures of this thread have kept, by the number of the stream.
    static KEPT: RefCell<Vec<(u64, Kept)>> = const { RefCell::new(Vec::new()) };
}

/// A communicator that captured work uses beside memory.
pub(crate) trait Needed: fmt::Debug + Send + Sync {
    /// Fails where a replay would be of no use.
    fn must_work(&self, bound: &Bound<'_>) -> Result<()>;

    /// Notes what came of queueing a replay on a stream. Fails where the failure is one of its own.
    fn replayed(&self, bound: &Bound<'_>, stream: &Arc<StreamCore>, outcome: &Result<()>) -> Result<()>;
}

/// The memory and the communicators that captured work uses.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// The memory of tensors, and whether the work writes it.
    pub(crate) buffers: Vec<(SharedBuffer, bool)>,
    workspaces: Vec<Buffer>,
    pub(crate) needed: Vec<Arc<dyn Needed>>,
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

/// Keeps what a call that is about to be captured uses beside memory, and its tensors, with whether it writes them.
#[cfg(feature = "collectives")]
pub(crate) fn keep_needed(stream: &StreamCore, needed: Arc<dyn Needed>, tensors: &[(&Tensor, bool)]) {
    KEPT.with_borrow_mut(|kept| {
        if let Some((_, kept)) = kept.iter_mut().find(|(id, _)| *id == stream.id()) {
            let buffers = tensors.iter().map(|(tensor, writes)| (tensor.shared_buffer().clone(), *writes));
            kept.buffers.extend(buffers);
            if !kept.needed.iter().any(|known| Arc::ptr_eq(known, &needed)) {
                kept.needed.push(needed);
            }
        }
    });
}
