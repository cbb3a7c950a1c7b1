//! What two devices do with each other.

use std::ffi::c_void;

use aclnn_sys::ACL_MEMCPY_DEVICE_TO_DEVICE;

use super::{Backend, Bound, check};
use crate::error::Result;

impl Bound<'_> {
    /// Whether `device` can reach the memory of `peer`.
    pub(crate) fn can_access(&self, device: i32, peer: i32) -> Result<bool> {
        let mut answer = 0;
        // SAFETY: a valid place.
        unsafe { call!(self.backend, aclrtDeviceCanAccessPeer(&mut answer, device, peer)) }?;
        Ok(answer != 0)
    }

    /// Lets this device reach the memory of `peer`.
    pub(crate) fn enable_access(&self, peer: i32) -> Result<()> {
        // SAFETY: any number may be asked for; the flags are reserved.
        unsafe { call!(self.backend, aclrtDeviceEnablePeerAccess(peer, 0)) }
    }

    /// Copies `bytes`, which is not 0, from one device to another; done when it returns.
    ///
    /// # Safety
    /// Both addresses lead to that many bytes of device memory. No queued work writes the source or touches the target.
    pub(crate) unsafe fn copy_across(
        &self,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
    ) -> Result<()> {
        let kind = ACL_MEMCPY_DEVICE_TO_DEVICE;
        // SAFETY: the caller vouches for both sides.
        unsafe { call!(self.backend, aclrtMemcpy(to, bytes, from, bytes, kind)) }
    }
}
