//! Data buffers: a region of memory with its size, as the older operator interface takes it.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aclnn_sys::aclDataBuffer;

use crate::check::live_objects::Live;
use crate::entry::{Address, Handle, entry_points};
use crate::handle::{Kind, Registry, to_pointer};
use crate::runtime::code;
use crate::status::Result;

static BUFFERS: Registry<DataBuffer> = Registry::new(Kind::DataBuffer);

/// A borrowed region.
struct DataBuffer(Mutex<(usize, usize)>);

impl DataBuffer {
    fn region(&self) -> MutexGuard<'_, (usize, usize)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds the data buffers that were not destroyed.
pub(crate) fn live(all: &mut Vec<Live>) {
    all.extend(BUFFERS.live().into_iter().map(|(handle, _)| Live::new("data buffer", handle)));
}

fn find<T>(handle: &Handle<T>) -> Result<Arc<DataBuffer>> {
    BUFFERS.get(handle.0).map_err(|why| why.status(code::INVALID_PARAM, "dataBuffer"))
}

/// The address and the bytes of the region of a data buffer.
pub(super) fn region(handle: usize) -> Result<(usize, usize)> {
    let buffer = BUFFERS.get(handle).map_err(|why| why.status(code::INVALID_PARAM, "dataBuffer"))?;
    Ok(*buffer.region())
}

/// Bytes of the region; 0 when the handle names none, since the interface has no place for an error.
fn size<T>(handle: &Handle<T>) -> usize {
    find(handle).map_or(0, |buffer| buffer.region().1)
}

entry_points! { SYMBOLS:
    fn aclCreateDataBuffer(data: Address<*mut c_void>, size: usize) -> *mut aclDataBuffer {
        Ok(to_pointer(BUFFERS.insert(DataBuffer(Mutex::new((data.0, size))))))
    }

    fn aclDestroyDataBuffer(buffer: Handle<*const aclDataBuffer>) -> i32 {
        let gone = BUFFERS.remove(buffer.0);
        gone.map(drop).map_err(|why| why.status(code::INVALID_PARAM, "dataBuffer"))
    }

    fn aclUpdateDataBuffer(buffer: Handle<*mut aclDataBuffer>, data: Address<*mut c_void>, size: usize) -> i32 {
        *find(&buffer)?.region() = (data.0, size);
        Ok(())
    }

    fn aclGetDataBufferAddr(buffer: Handle<*const aclDataBuffer>) -> *mut c_void {
        let address = find(&buffer)?.region().0;
        Ok(std::ptr::with_exposed_provenance_mut(address))
    }

    /// Cut to 32 bits, as the interface has it.
    fn aclGetDataBufferSize(buffer: Handle<*const aclDataBuffer>) -> u32 {
        size(&buffer) as u32
    }

    fn aclGetDataBufferSizeV2(buffer: Handle<*const aclDataBuffer>) -> usize {
        size(&buffer)
    }
}
