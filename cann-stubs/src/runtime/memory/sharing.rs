//! Memory shared between processes, of which the emulator has one: a key or number is good where it was made.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_void};
use std::sync::PoisonError;

use aclnn_sys::{
    ACL_IPC_HANDLE_SIZE, ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT,
    ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION, ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS,
    ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION, aclrtMemHandleType, aclrtMemSharedHandleType,
};

use super::device::extent;
use super::{peer, physical};
use crate::entry::{Address, Handle, Out, Text, entry_points, plain_parameters};
use crate::handle::to_pointer;
use crate::runtime::code;
use crate::runtime::product::devices;
use crate::runtime::stream::{callback, context};
use crate::small_map::SmallMap;
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard, statics};

/// What the program shared.
struct Shared {
    /// Allocations by their keys.
    keys: BTreeMap<String, Export>,
    /// Handles of physical memory by their numbers.
    numbers: SmallMap<u64, usize>,
    next: u64,
}

#[derive(Clone, Copy)]
struct Export {
    address: usize,
    size: usize,
    /// Imports that were not closed.
    imports: usize,
}

statics! {
    static SHARED: Mutex<Shared> =
        Mutex::new(Shared { keys: BTreeMap::new(), numbers: SmallMap::new(), next: 1 });
}

fn shared() -> MutexGuard<'static, Shared> {
    SHARED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes back every key and number; for the end of the runtime.
pub(crate) fn forget_shared() {
    let mut shared = shared();
    shared.keys.clear();
    shared.numbers.clear();
}

impl Shared {
    /// A number that no other process makes, as far as numbers of processes differ.
    fn number(&mut self) -> u64 {
        let number = self.next;
        self.next += 1;
        (u64::from(std::process::id()) << 32) | number
    }

    fn export(&mut self, key: &str) -> Result<&mut Export> {
        self.keys.get_mut(key).ok_or_else(|| {
            let message = format!(
                "key {key} was not made in this process, or was closed; sharing is emulated within one"
            );
            Status::new(code::FEATURE_NOT_SUPPORT, message)
        })
    }

    fn physical(&self, number: u64) -> Result<usize> {
        self.numbers.get(&number).copied().ok_or_else(|| {
            let message =
                format!("handle {number:#x} was not made in this process; sharing is emulated within one");
            Status::new(code::FEATURE_NOT_SUPPORT, message)
        })
    }
}

fn key_of(key: &Text) -> Result<String> {
    key.read().ok_or_else(|| Status::new(code::INVALID_PARAM, "key is null"))
}

fn must_be_known(flags: u64, known: u64) -> Result {
    let message =
        || Status::new(code::PARAM_INVALID, format_args!("flags is {flags:#x}; known are 0 and {known}"));
    (flags & !known == 0).then_some(()).ok_or_else(message)
}

/// Only numbers are passed on: handles for other machines have no meaning within one process.
fn must_be_number(kind: aclrtMemSharedHandleType) -> Result {
    if kind != ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT {
        let message =
            format!("shareType {} is not emulated; {} is", kind.0, ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT.0);
        return Err(Status::new(code::FEATURE_NOT_SUPPORT, message));
    }
    Ok(())
}

fn export(handle: &Handle<*mut c_void>, flags: u64, number: Out<u64>) -> Result {
    let place = number.required("shareableHandle", code::INVALID_PARAM)?;
    must_be_known(flags, ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION)?;
    physical::must_be_physical(handle.0)?;
    let mut shared = shared();
    let number = shared.number();
    shared.numbers.insert(number, handle.0);
    place.write(number);
    Ok(())
}

fn import(number: u64, handle: Out<*mut c_void>) -> Result {
    let place = handle.required("handle", code::INVALID_PARAM)?;
    let memory = shared().physical(number)?;
    physical::retain(memory)?;
    place.write(to_pointer(memory));
    Ok(())
}

/// Processes that may use something; there is one only, so they are checked and forgotten.
fn allow(processes: Out<i32>, count: usize) -> Result {
    let null = || Status::new(code::INVALID_PARAM, "pid is null or names nobody");
    processes.into_array().read(count as u64).filter(|all| !all.is_empty()).map(drop).ok_or_else(null)
}

plain_parameters! { aclrtMemHandleType, aclrtMemSharedHandleType }

entry_points! { SYMBOLS:
    fn aclrtIpcMemGetExportKey(
        pointer: Address<*mut c_void>,
        size: usize,
        key: Out<c_char>,
        room: usize,
        flags: u64,
    ) -> i32 {
        let address = pointer.required("devPtr", code::INVALID_PARAM)?;
        let place = key.required("key", code::INVALID_PARAM)?;
        must_be_known(flags, ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION)?;
        if room < ACL_IPC_HANDLE_SIZE {
            let message = format!("len is {room}; a key needs {ACL_IPC_HANDLE_SIZE} bytes");
            return Err(Status::new(code::INVALID_PARAM, message));
        }
        let unknown = || Status::new(code::PARAM_INVALID, format_args!("{address:#x} (+{size}) is no allocation"));
        let found = extent(address).filter(|(_, start, len)| *start == address && (1..=*len).contains(&size));
        found.ok_or_else(unknown)?;
        let mut shared = shared();
        let key = format!("emulated memory {:x}", shared.number());
        shared.keys.insert(key.clone(), Export { address, size, imports: 0 });
        place.write_text(&key);
        Ok(())
    }

    fn aclrtIpcMemImportByKey(pointer: Out<*mut c_void>, key: Text, flags: u64) -> i32 {
        callback::forbid("memory is mapped")?;
        let place = pointer.required("devPtr", code::INVALID_PARAM)?;
        must_be_known(flags, ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS)?;
        let device = context::current()?.device_id();
        let key = key_of(&key)?;
        let mut shared = shared();
        let export = shared.export(&key)?;
        let found = extent(export.address).filter(|(_, _, len)| *len >= export.size);
        let freed = || Status::new(code::PARAM_INVALID, "the memory behind the key was freed");
        let (owner, ..) = found.ok_or_else(freed)?;
        if flags & ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS != 0 && owner != device {
            peer::allow(device, owner)?;
        }
        export.imports += 1;
        place.write(std::ptr::without_provenance_mut(export.address));
        Ok(())
    }

    [stored] fn aclrtIpcMemSetImportPid(key: Text, processes: Out<i32>, count: usize) -> i32 {
        let key = key_of(&key)?;
        allow(processes, count)?;
        shared().export(&key).map(drop)
    }

    fn aclrtIpcMemClose(key: Text) -> i32 {
        let key = key_of(&key)?;
        let mut shared = shared();
        let export = shared.export(&key)?;
        if export.imports > 0 {
            export.imports -= 1;
        } else {
            shared.keys.remove(&key);
        }
        Ok(())
    }

    /// The kind of sharing was given when the memory was allocated.
    fn aclrtMemExportToShareableHandle(
        handle: Handle<*mut c_void>,
        _kind: aclrtMemHandleType,
        flags: u64,
        number: Out<u64>,
    ) -> i32 {
        export(&handle, flags, number)
    }

    fn aclrtMemExportToShareableHandleV2(
        handle: Handle<*mut c_void>,
        flags: u64,
        kind: aclrtMemSharedHandleType,
        shareable: Out<c_void>,
    ) -> i32 {
        must_be_number(kind)?;
        export(&handle, flags, shareable.cast())
    }

    fn aclrtMemImportFromShareableHandle(number: u64, device: i32, handle: Out<*mut c_void>) -> i32 {
        devices::must_exist(device)?;
        import(number, handle)
    }

    fn aclrtMemImportFromShareableHandleV2(
        shareable: Out<c_void>,
        kind: aclrtMemSharedHandleType,
        flags: u64,
        handle: Out<*mut c_void>,
    ) -> i32 {
        must_be_number(kind)?;
        must_be_known(flags, 0)?;
        import(shareable.cast::<u64>().required("shareableHandle", code::INVALID_PARAM)?.read(), handle)
    }

    [stored] fn aclrtMemSetPidToShareableHandle(number: u64, processes: Out<i32>, count: usize) -> i32 {
        allow(processes, count)?;
        shared().physical(number).map(drop)
    }

    [stored] fn aclrtMemSetPidToShareableHandleV2(
        shareable: Out<c_void>,
        kind: aclrtMemSharedHandleType,
        processes: Out<i32>,
        count: usize,
    ) -> i32 {
        must_be_number(kind)?;
        allow(processes, count)?;
        let number = shareable.cast::<u64>().required("shareableHandle", code::INVALID_PARAM)?.read();
        shared().physical(number).map(drop)
    }
}
