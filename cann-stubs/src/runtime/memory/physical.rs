//! Physical memory of devices: files without a name, each of which may be mapped at several addresses.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aclnn_sys::aclrtPhysicalMemProp;
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};

use super::allocations::Allocations;
use crate::check::live_objects::Live;
use crate::handle::{Kind, Registry};
use crate::runtime::code;
use crate::status::{Result, Status};

/// Physical memory of a device.
#[derive(Debug)]
pub(crate) struct Physical {
    pub(super) file: OwnedFd,
    pub(super) size: usize,
    /// The memory of the device that counts its bytes as taken.
    memory: &'static Allocations,
    pub(super) properties: aclrtPhysicalMemProp,
    /// How often it is mapped.
    pub(super) mapped: AtomicUsize,
    /// How often the program has to free it.
    owners: AtomicUsize,
}

static PHYSICAL: Registry<Physical> = Registry::new(Kind::PhysicalMemory);

impl Physical {
    fn take(memory: &'static Allocations, size: usize, properties: aclrtPhysicalMemProp) -> Result<Self> {
        memory.take_physical(size)?;
        match file_of(size) {
            Ok(file) => Ok(Physical {
                file,
                size,
                memory,
                properties,
                mapped: AtomicUsize::new(0),
                owners: AtomicUsize::new(1),
            }),
            Err(why) => {
                memory.give_physical(size);
                let message = format!("the system refuses {size} bytes of physical memory: {why}");
                Err(Status::new(code::MEMORY_ALLOCATION, message))
            }
        }
    }

    /// The device whose memory it is.
    pub(super) fn device(&self) -> i32 {
        self.memory.device
    }
}

impl Drop for Physical {
    fn drop(&mut self) {
        self.memory.give_physical(self.size);
    }
}

/// A file without a name; its pages come when they are touched.
fn file_of(size: usize) -> io::Result<OwnedFd> {
    let file = memfd_create(c"cann-stubs", MemfdFlags::CLOEXEC)?;
    ftruncate(&file, size as u64)?;
    Ok(file)
}

/// Takes physical memory, and gives its handle.
pub(super) fn create(
    memory: &'static Allocations,
    size: usize,
    properties: aclrtPhysicalMemProp,
) -> Result<usize> {
    Ok(PHYSICAL.insert(Physical::take(memory, size, properties)?))
}

/// Ends one owner of a handle, and the memory with the last one.
pub(super) fn free(handle: usize) -> Result {
    let physical = find(handle)?;
    if physical.owners.load(Ordering::Relaxed) > 1 {
        physical.owners.fetch_sub(1, Ordering::Relaxed);
        return Ok(());
    }
    if physical.mapped.load(Ordering::Relaxed) > 0 {
        return Err(Status::new(code::PARAM_INVALID, "the memory is still mapped; unmap it first"));
    }
    PHYSICAL.remove(handle).map_err(|why| why.status(code::PARAM_INVALID, "handle"))?;
    Ok(())
}

/// Adds an owner to mapped memory, and gives its handle; `None` when the handle is gone.
pub(super) fn retain_mapped(mapped: &Arc<Physical>) -> Option<usize> {
    let live = PHYSICAL.live().into_iter().find(|(_, physical)| Arc::ptr_eq(physical, mapped));
    let (handle, physical) = live?;
    physical.owners.fetch_add(1, Ordering::Relaxed);
    Some(handle)
}

/// Adds an owner to a handle of physical memory; each owner has to free it.
pub(super) fn retain(handle: usize) -> Result {
    find(handle)?.owners.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

pub(super) fn must_be_physical(handle: usize) -> Result {
    find(handle).map(drop)
}

/// The live physical memory behind `handle`.
pub(super) fn find(handle: usize) -> Result<Arc<Physical>> {
    PHYSICAL.get(handle).map_err(|why| why.status(code::PARAM_INVALID, "handle"))
}

/// Drops every handle of physical memory; for the end of the runtime.
pub(super) fn forget_physical() {
    for (handle, _) in PHYSICAL.live() {
        let _ = PHYSICAL.remove(handle);
    }
}

/// Adds the physical memory that is not freed.
pub(super) fn live(all: &mut Vec<Live>) {
    let physical = PHYSICAL.live();
    all.extend(physical.iter().map(|(handle, one)| Live::new("physical memory", *handle).of_bytes(one.size)));
}
