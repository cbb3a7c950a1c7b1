//! Executors, the results of phase one of operators: owned handles, and those that a stream keeps for later calls.
//!
//! An [`Executor`] is consumed by its launch. A [`Repeatable`] one is launched again and again with new addresses, and
//! keeps the descriptors of the tensors whose addresses are replaced.
//!
//! `descriptor` owns the descriptors of operands that an executor refers to, and `reuse` keeps executors for the next
//! call of the same kind. This module knows no stream and no tensor: [`call`](crate::call) gives it layouts and
//! addresses.

mod descriptor;
mod reuse;

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use aclnn_sys::{ACLNN_SUCCESS, Launch, aclOpExecutor};
use smallvec::SmallVec;

use crate::device_core::DeviceCore;
use crate::error::Failure;
use crate::fork;

pub use descriptor::Descriptors;
pub(crate) use descriptor::{Described, Descriptor};
pub(crate) use reuse::{Executors, Form, Key, Kind, Known, Lent};

/// A planned operator. It is destroyed if it is never launched.
pub(crate) struct Executor {
    raw: NonNull<aclOpExecutor>,
    core: Arc<DeviceCore>,
    /// Whether a launch has consumed it.
    launched: bool,
}

// SAFETY: a handle of the library, which is launched and destroyed on any thread, but by one at a time: nothing is done
// through a shared one.
unsafe impl Send for Executor {}

impl Executor {
    /// Takes over an executor from phase one, unless it is null.
    ///
    /// # Safety
    /// `raw` is null, or phase one made it and no other code launches or destroys it.
    pub(crate) unsafe fn adopt(core: &Arc<DeviceCore>, raw: *mut aclOpExecutor) -> Option<Self> {
        NonNull::new(raw).map(|raw| Self { raw, core: core.clone(), launched: false })
    }

    /// Returns the handle for the launch, which consumes the executor whether it succeeds or not.
    pub(crate) fn into_raw(mut self) -> *mut aclOpExecutor {
        self.launched = true;
        self.raw.as_ptr()
    }

    /// Asks the library to keep the executor after a launch. If the library refuses, nothing changes.
    fn set_repeatable(&self) -> bool {
        // SAFETY: a live executor, right after phase one, on its thread.
        let code = unsafe { self.core.backend().meta().aclSetAclOpExecutorRepeatable(self.raw.as_ptr()) };
        if code != Ok(ACLNN_SUCCESS) {
            // A refusal is not a failure: clear its message, so that no later call reports it.
            let _ = self.core.backend().acl().recent_message();
        }
        code == Ok(ACLNN_SUCCESS)
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        if self.launched || fork::is_forked() {
            return;
        }
        // SAFETY: phase one made it, and no launch has consumed it.
        let code = unsafe { self.core.backend().meta().aclDestroyAclOpExecutor(self.raw.as_ptr()) };
        let destroyed = self.core.backend().acl().check("aclDestroyAclOpExecutor", code);
        self.core.defer("an executor", destroyed);
    }
}

/// The result of phase one.
pub(crate) struct Planned {
    /// The executor, which is dropped before the descriptors that it refers to.
    pub(crate) executor: Executor,
    pub(crate) descriptors: Descriptors,
    /// The workspace, in bytes.
    pub(crate) workspace: u64,
}

/// A planned operator that a launch does not consume.
pub(crate) struct Repeatable {
    planned: Planned,
    /// The addresses of the tensors, as they are bound now.
    addresses: SmallVec<[Address; 4]>,
    /// The C functions of phase two and of phase one.
    names: [&'static str; 2],
    /// Phase two of the operator.
    launch: Launch,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Address(*mut c_void);

// SAFETY: an address of the device, which means the same on every thread.
unsafe impl Send for Address {}

impl Planned {
    /// Makes the executor repeatable, right after phase one, unless the library refuses. `addresses` are those of the
    /// tensors, in the order of the arguments; the names are those of the C functions of both phases, `launch` is phase two.
    pub(crate) fn repeatable(
        self,
        addresses: impl Iterator<Item = *mut c_void>,
        names: [&'static str; 2],
        launch: Launch,
    ) -> Result<Box<Repeatable>, Box<Planned>> {
        if !self.executor.set_repeatable() {
            return Err(Box::new(self));
        }
        Ok(Box::new(Repeatable { planned: self, addresses: addresses.map(Address).collect(), names, launch }))
    }
}

impl Repeatable {
    /// Replaces the addresses by those of other tensors of the same layout, each with whether it is written, in the
    /// order of the arguments.
    ///
    /// # Safety
    /// Each address is that of device memory of the same size as the tensor's that it replaces.
    pub(crate) unsafe fn rebind(
        &mut self,
        tensors: impl Iterator<Item = (*mut c_void, bool)>,
    ) -> Result<(), Failure> {
        let Planned { executor, descriptors, .. } = &self.planned;
        let backend = executor.core.backend();
        let (meta, executor) = (backend.meta(), executor.raw.as_ptr());
        let (mut read, mut written) = (0, 0);
        let bound = self.addresses.iter_mut().zip(descriptors.tensors());
        for ((address, writes), (bound, descriptor)) in tensors.zip(bound) {
            let index = if writes { &mut written } else { &mut read };
            let place = std::mem::replace(index, *index + 1);
            let address = Address(address);
            if *bound == address {
                continue;
            }
            let tensor = descriptor.as_raw().cast();
            // SAFETY: a live, repeatable executor that no launch uses, a tensor it was planned with, and device memory
            // of the same size as that had, as the caller vouches.
            let (function, code) = unsafe {
                if writes {
                    let code = meta.aclSetOutputTensorAddr(executor, place, tensor, address.0);
                    ("aclSetOutputTensorAddr", code)
                } else {
                    ("aclSetInputTensorAddr", meta.aclSetInputTensorAddr(executor, place, tensor, address.0))
                }
            };
            match code {
                Ok(ACLNN_SUCCESS) => *bound = address,
                Ok(code) => return Err(backend.acl().failed(function, Some(code))),
                Err(_) => return Err(backend.acl().failed(function, None)),
            }
        }
        Ok(())
    }

    /// Returns the addresses of the tensors, in the order of the arguments.
    #[inline]
    pub(crate) fn addresses(&self) -> impl Iterator<Item = *mut c_void> {
        self.addresses.iter().map(|address| address.0)
    }

    /// Returns the handle for a launch, which does not consume the executor.
    #[inline]
    pub(crate) fn as_raw(&self) -> *mut aclOpExecutor {
        self.planned.executor.raw.as_ptr()
    }

    /// Returns the names of the C functions of phase two and of phase one.
    #[inline]
    pub(crate) fn names(&self) -> [&'static str; 2] {
        self.names
    }

    /// Returns phase two of the operator.
    #[inline]
    pub(crate) fn launch(&self) -> Launch {
        self.launch
    }

    /// Returns the workspace, in bytes.
    #[inline]
    pub(crate) fn workspace(&self) -> u64 {
        self.planned.workspace
    }
}
