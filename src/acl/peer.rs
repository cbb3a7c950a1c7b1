//! Access between two devices.

use super::context::{Bound, call_in};
use crate::error::Result;

impl Bound<'_> {
    /// Returns whether `device` can reach the memory of `peer`.
    pub(crate) fn can_access(&self, device: i32, peer: i32) -> Result<bool> {
        let mut answer = 0;
        // SAFETY: a valid place.
        unsafe { call_in!(self, aclrtDeviceCanAccessPeer(&mut answer, device, peer)) }?;
        Ok(answer != 0)
    }

    /// Lets this device reach the memory of `peer`.
    pub(crate) fn enable_access(&self, peer: i32) -> Result<()> {
        // SAFETY: any number may be asked for; the flags are reserved.
        unsafe { call_in!(self, aclrtDeviceEnablePeerAccess(peer, 0)) }
    }
}
