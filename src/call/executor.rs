//! Executors: the results of phase one, and their use in launches.
//!
//! An [`Executor`] is consumed by its launch. A [`Repeatable`] one is launched again and again with new addresses, and
//! keeps the descriptors of the tensors whose addresses are replaced.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use aclnn_sys::{ACLNN_SUCCESS, aclOpExecutor};
use smallvec::SmallVec;

use super::argument::{Arguments, Descriptors};
use crate::acl;
use crate::backend::Backend;
use crate::device::{Deferred, Device};
use crate::error::Failure;
use crate::process;

/// A planned operator. It is destroyed if it is never launched.
pub(super) struct Executor {
    raw: NonNull<aclOpExecutor>,
    backend: &'static Backend,
    failures: Arc<Deferred>,
    /// Whether a launch has consumed it.
    launched: bool,
}

// SAFETY: a handle of the library, which is launched and destroyed on any thread, but by one at a time: nothing is done
// through a shared one.
unsafe impl Send for Executor {}

impl Executor {
    /// Takes over an executor from phase one.
    pub(super) fn new(device: &Device, raw: *mut aclOpExecutor) -> Option<Self> {
        let (backend, failures) = (device.backend(), device.failures());
        NonNull::new(raw).map(|raw| Self { raw, backend, failures: failures.clone(), launched: false })
    }

    /// Returns the handle for the launch, which consumes the executor whether it succeeds or not.
    pub(super) fn into_raw(mut self) -> *mut aclOpExecutor {
        self.launched = true;
        self.raw.as_ptr()
    }

    /// Asks the library to keep the executor after a launch. If the library refuses, nothing changes.
    fn set_repeatable(&self) -> bool {
        // SAFETY: a live executor, right after phase one, on its thread.
        let code = unsafe { self.backend.meta().aclSetAclOpExecutorRepeatable(self.raw.as_ptr()) };
        if code != Ok(ACLNN_SUCCESS) {
            // A refusal is not a failure: clear its message, so that no later call reports it.
            let _ = acl::recent_message(self.backend.runtime());
        }
        code == Ok(ACLNN_SUCCESS)
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        if self.launched || process::is_forked() {
            return;
        }
        // SAFETY: phase one made it, and no launch has consumed it.
        let code = unsafe { self.backend.meta().aclDestroyAclOpExecutor(self.raw.as_ptr()) };
        self.failures.defer("an executor", acl::check(self.backend, "aclDestroyAclOpExecutor", code));
    }
}

/// The result of phase one.
pub(super) struct Planned {
    /// The executor, which is dropped before the descriptors that it refers to.
    pub(super) executor: Executor,
    pub(super) descriptors: Descriptors,
    /// The workspace, in bytes.
    pub(super) workspace: u64,
}

/// A planned operator that a launch does not consume.
pub(super) struct Repeatable {
    planned: Planned,
    /// The addresses of the tensors, as they are bound now.
    addresses: SmallVec<[Address; 4]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Address(*mut c_void);

// SAFETY: an address of the device, which means the same on every thread.
unsafe impl Send for Address {}

impl Planned {
    /// Makes the executor repeatable, right after phase one, unless the library refuses.
    pub(super) fn repeatable(self, arguments: &Arguments<'_>) -> Result<Box<Repeatable>, Box<Planned>> {
        if !self.executor.set_repeatable() {
            return Err(Box::new(self));
        }
        let addresses = arguments.tensors().map(|(_, tensor, _)| Address(tensor.as_raw())).collect();
        Ok(Box::new(Repeatable { planned: self, addresses }))
    }
}

impl Repeatable {
    /// Replaces the addresses by those of other tensors of the same layout.
    pub(super) fn rebind(&mut self, arguments: &Arguments<'_>) -> Result<(), Failure> {
        let Planned { executor, descriptors, .. } = &self.planned;
        let backend = executor.backend;
        let (meta, executor) = (backend.meta(), executor.raw.as_ptr());
        let (mut read, mut written) = (0, 0);
        let bound = self.addresses.iter_mut().zip(descriptors.tensors());
        for ((_, tensor, writes), (bound, descriptor)) in arguments.tensors().zip(bound) {
            let index = if writes { &mut written } else { &mut read };
            let place = std::mem::replace(index, *index + 1);
            let address = Address(tensor.as_raw());
            if *bound == address {
                continue;
            }
            let tensor = descriptor.as_raw().cast();
            // SAFETY: a live, repeatable executor that no launch uses, a tensor it was planned with, and device memory
            // of the same size as that had.
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
                Ok(code) => return Err(acl::failed(backend, function, Some(code))),
                Err(_) => return Err(acl::failed(backend, function, None)),
            }
        }
        Ok(())
    }

    /// Returns the handle for a launch, which does not consume the executor.
    pub(super) fn as_raw(&self) -> *mut aclOpExecutor {
        self.planned.executor.raw.as_ptr()
    }

    /// Returns the workspace, in bytes.
    pub(super) fn workspace(&self) -> u64 {
        self.planned.workspace
    }
}
