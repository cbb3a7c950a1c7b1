//! Order between streams, and between threads that queue work on the same buffers.

use std::sync::{RwLockReadGuard, RwLockWriteGuard};

use smallvec::SmallVec;

use super::argument::Arguments;
use crate::acl::Bound;
use crate::error::Result;
use crate::memory::{Buffer, Uses};
use crate::stream::Stream;
use crate::tensor::Tensor;

/// Locks on buffers, held against other threads until the work on the buffers is queued.
pub(crate) struct Gates<'a>(#[expect(dead_code, reason = "held")] SmallVec<[Gate<'a>; 5]>);

/// Orders a stream after all work on a new tensor, and entrusts it with the tensor.
pub(super) fn entrust(stream: &Stream, bound: &Bound<'_>, tensor: &Tensor) -> Result<()> {
    let buffer = tensor.buffer();
    let mut uses = buffer.lock_to_write();
    uses.write_on(stream.core(), bound)?;
    buffer.entrust_to_write(&mut uses, stream.core());
    Ok(())
}

enum Gate<'a> {
    Read { _lock: RwLockReadGuard<'a, Uses> },
    Write { _lock: RwLockWriteGuard<'a, Uses> },
}

impl<'a> Gates<'a> {
    /// Orders `stream` after all work of other streams that the call depends on or must not disturb.
    pub(super) fn close(stream: &Stream, bound: &Bound<'_>, arguments: &'a Arguments<'_>) -> Result<Self> {
        let mut buffers = SmallVec::new();
        arguments.each_tensor(|tensor, writes| buffers.push((tensor.buffer(), writes)));
        Self::of(stream, bound, buffers)
    }

    /// As `close`, for buffers of which each is written or only read.
    pub(crate) fn of(
        stream: &Stream,
        bound: &Bound<'_>,
        mut buffers: SmallVec<[(&'a Buffer, bool); 5]>,
    ) -> Result<Self> {
        // All threads lock in the order of the addresses, and each buffer once, so that they cannot block each other
        // for ever.
        buffers.sort_unstable_by_key(|(buffer, _)| std::ptr::from_ref(*buffer));
        buffers.dedup_by(|next, kept| {
            let same = std::ptr::eq(next.0, kept.0);
            kept.1 |= same && next.1;
            same
        });
        let mut gates = SmallVec::new();
        for (buffer, writes) in buffers {
            let home = buffer.home().core();
            if home != stream.core() {
                // What it is to hold may not be computed yet.
                home.must_not_be_captured("use of its tensors on another stream")?;
            }
            gates.push(if writes {
                let mut uses = buffer.lock_to_write();
                uses.write_on(stream.core(), bound)?;
                buffer.entrust_to_write(&mut uses, stream.core());
                Gate::Write { _lock: uses }
            } else {
                let uses = buffer.lock_to_read();
                uses.read_on(stream.core(), bound)?;
                buffer.entrust_to_read(&uses, stream.core());
                Gate::Read { _lock: uses }
            });
        }
        Ok(Self(gates))
    }
}
