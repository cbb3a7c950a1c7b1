//! The devices that a device reaches.

use std::sync::{Mutex, PoisonError};

use smallvec::SmallVec;

use crate::acl::Bound;
use crate::error::Result;

/// The devices whose memory a device was asked to reach, by the ids of their default streams, and whether it reaches
/// them. A device that is opened again counts as another one.
#[derive(Debug, Default)]
pub(super) struct Peers(Mutex<SmallVec<[(u64, bool); 4]>>);

impl Peers {
    /// Returns whether the device `own`, that of these peers, reaches the memory of `peer`, whose default stream has
    /// this number. The first call enables access.
    pub(super) fn reach(&self, number: u64, bound: &Bound<'_>, own: i32, peer: i32) -> Result<bool> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, reached)) = known.iter().find(|(other, _)| *other == number) {
            return Ok(*reached);
        }
        // If the memory cannot be reached, for whatever reason, the copy goes through the host.
        let reached = bound.can_access(own, peer).unwrap_or(false) && bound.enable_access(peer).is_ok();
        known.push((number, reached));
        Ok(reached)
    }
}
