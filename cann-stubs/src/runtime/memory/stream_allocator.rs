//! Allocators that a program registers for a stream. They are stored and never called: the emulator allocates no memory on
//! behalf of a stream.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aclnn_sys::{
    aclrtAllocatorAllocAdviseFunc, aclrtAllocatorAllocFunc, aclrtAllocatorFreeFunc,
    aclrtAllocatorGetAddrFromBlockFunc,
};

use crate::entry::{Handle, entry_points, plain_parameters};
use crate::handle::{Kind, Registry, to_pointer};
use crate::runtime::{code, stream};
use crate::status::{Result, Status};

static DESCRIPTIONS: Registry<Mutex<Description>> = Registry::new(Kind::AllocatorDescription);

/// The parts of an allocator that the program has described.
#[derive(Debug, Clone, Copy, Default)]
struct Description {
    object: bool,
    allocate: bool,
    free: bool,
    advise: bool,
    address: bool,
}

impl Description {
    /// Names a part that is missing for a registration; only the function that allocates at an address is optional.
    fn missing(self) -> Option<&'static str> {
        [
            (self.object, "the allocator itself"),
            (self.allocate, "the function that takes memory"),
            (self.free, "the function that releases memory"),
            (self.address, "the function that tells an address"),
        ]
        .into_iter()
        .find_map(|(told, what)| (!told).then_some(what))
    }
}

fn find(handle: &Handle<*mut c_void>) -> Result<Arc<Mutex<Description>>> {
    DESCRIPTIONS.get(handle.0).map_err(|why| Status::new(code::INVALID_PARAM, why.explain("allocatorDesc")))
}

fn lock(description: &Mutex<Description>) -> MutexGuard<'_, Description> {
    description.lock().unwrap_or_else(PoisonError::into_inner)
}

fn set(handle: &Handle<*mut c_void>, there: bool, change: impl FnOnce(&mut Description)) -> Result {
    if !there {
        return Err(Status::new(code::INVALID_PARAM, "the second parameter is null"));
    }
    change(&mut lock(&*find(handle)?));
    Ok(())
}

plain_parameters! {
    aclrtAllocatorAllocAdviseFunc, aclrtAllocatorAllocFunc, aclrtAllocatorFreeFunc, aclrtAllocatorGetAddrFromBlockFunc
}

entry_points! { SYMBOLS:
    [stored] fn aclrtAllocatorCreateDesc() -> *mut c_void {
        Ok(to_pointer(DESCRIPTIONS.insert(Mutex::default())))
    }

    [stored] fn aclrtAllocatorDestroyDesc(description: Handle<*mut c_void>) -> i32 {
        let gone = DESCRIPTIONS.remove(description.0);
        gone.map(drop).map_err(|why| Status::new(code::INVALID_PARAM, why.explain("allocatorDesc")))
    }

    [stored] fn aclrtAllocatorSetObjToDesc(description: Handle<*mut c_void>, allocator: Handle<*mut c_void>) -> i32 {
        set(&description, allocator.0 != 0, |description| description.object = true)
    }

    [stored] fn aclrtAllocatorSetAllocFuncToDesc(
        description: Handle<*mut c_void>,
        function: aclrtAllocatorAllocFunc,
    ) -> i32 {
        set(&description, function.is_some(), |description| description.allocate = true)
    }

    [stored] fn aclrtAllocatorSetFreeFuncToDesc(
        description: Handle<*mut c_void>,
        function: aclrtAllocatorFreeFunc,
    ) -> i32 {
        set(&description, function.is_some(), |description| description.free = true)
    }

    [stored] fn aclrtAllocatorSetAllocAdviseFuncToDesc(
        description: Handle<*mut c_void>,
        function: aclrtAllocatorAllocAdviseFunc,
    ) -> i32 {
        set(&description, function.is_some(), |description| description.advise = true)
    }

    [stored] fn aclrtAllocatorSetGetAddrFromBlockFuncToDesc(
        description: Handle<*mut c_void>,
        function: aclrtAllocatorGetAddrFromBlockFunc,
    ) -> i32 {
        set(&description, function.is_some(), |description| description.address = true)
    }

    [stored] fn aclrtAllocatorRegister(stream: Handle<*mut c_void>, description: Handle<*mut c_void>) -> i32 {
        let description = find(&description)?;
        if let Some(missing) = lock(&description).missing() {
            return Err(Status::new(code::INVALID_PARAM, format_args!("allocatorDesc lacks {missing}")));
        }
        stream::resolve(stream.0)?.settings.lend_allocator();
        Ok(())
    }

    [stored] fn aclrtAllocatorUnregister(stream: Handle<*mut c_void>) -> i32 {
        let lent = stream::resolve(stream.0)?.settings.take_allocator();
        let message = || Status::new(code::PARAM_INVALID, "no allocator is registered with the stream");
        lent.then_some(()).ok_or_else(message)
    }
}
