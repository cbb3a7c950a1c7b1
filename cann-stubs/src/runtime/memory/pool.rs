//! Pools of device memory, in the order of streams.
//!
//! A pool counts what it allocated and caches nothing: freed memory returns to the device when the stream reaches the free.
//! Memory is allocated at once, so it may be used in any order after the call.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, PoisonError};

use aclnn_sys::{
    ACL_MEM_LOCATION_TYPE_DEVICE, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD,
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH,
    ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH,
    ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC,
    ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES, aclrtMemPoolAttr, aclrtMemPoolProps,
};

use super::device;
use crate::check::tracker;
use crate::entry::{Address, Array, Handle, Out, entry_points, plain_parameters};
use crate::handle::{Kind, Registry, to_pointer};
use crate::runtime::product::devices;
use crate::runtime::stream::callback;
use crate::runtime::{code, stream};
use crate::small_map::SmallMap;
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard};
use crate::trace::Details;

static POOLS: Registry<Pool> = Registry::new(Kind::MemoryPool);

#[derive(Debug)]
struct Pool {
    device: i32,
    /// Bytes; none for no limit.
    limit: Option<usize>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The sizes of allocations that were not freed, by address.
    live: BTreeMap<usize, usize>,
    /// Bytes given out, and still to be released by a stream.
    used: usize,
    high: usize,
    threshold: u64,
    allowed: SmallMap<u32, i32>,
}

impl Pool {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, size: usize) -> Result<usize> {
        let mut state = self.state();
        if let Some(limit) = self.limit
            && size > limit.saturating_sub(state.used)
        {
            let message = format!("the pool cannot give {size} bytes: {} of {limit} are in use", state.used);
            return Err(Status::new(code::MEMORY_ALLOCATION, message));
        }
        let address = device::of(self.device)?.allocations.allocate(size, true)?;
        state.live.insert(address, size);
        state.used += size;
        state.high = state.high.max(state.used);
        Ok(address)
    }
}

/// Drops every pool; for the end of the runtime, which frees the memory of the devices itself.
pub(super) fn forget_pools() {
    for (handle, _) in POOLS.live() {
        let _ = POOLS.remove(handle);
    }
}

fn find(handle: &Handle<*mut c_void>) -> Result<Arc<Pool>> {
    POOLS.get(handle.0).map_err(|why| Status::new(code::PARAM_INVALID, why.explain("memPool")))
}

fn allows_something(which: aclrtMemPoolAttr) -> bool {
    [
        ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES,
        ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC,
        ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
    ]
    .contains(&which)
}

fn unknown(which: aclrtMemPoolAttr) -> Status {
    Status::new(code::INVALID_PARAM, format_args!("attribute {} is unknown, or cannot be set so", which.0))
}

plain_parameters! { aclrtMemPoolAttr }

entry_points! { SYMBOLS:
    fn aclrtMemPoolCreate(pool: Out<*mut c_void>, properties: Array<aclrtMemPoolProps>) -> i32 {
        callback::forbid("a pool is made")?;
        let place = pool.required("memPool", code::INVALID_PARAM)?;
        let null = || Status::new(code::INVALID_PARAM, "poolProps is null");
        let properties = properties.read(1).and_then(|one| one.first().copied()).ok_or_else(null)?;
        if properties.location.type_ != ACL_MEM_LOCATION_TYPE_DEVICE {
            let message = format!("location type {}: only pools of a device are emulated", properties.location.type_.0);
            return Err(Status::new(code::FEATURE_NOT_SUPPORT, message));
        }
        let device = i32::try_from(properties.location.id).unwrap_or(-1);
        devices::must_exist(device)?;
        let limit = (properties.maxSize > 0).then_some(properties.maxSize);
        place.write(to_pointer(POOLS.insert(Pool { device, limit, state: Mutex::default() })));
        Ok(())
    }

    fn aclrtMemPoolDestroy(pool: Handle<*mut c_void>) -> i32 {
        let live = find(&pool)?.state().live.len();
        if live > 0 {
            let message = format!("{live} allocations of the pool are live; release them first");
            return Err(Status::new(code::PARAM_INVALID, message));
        }
        POOLS.remove(pool.0).map(drop).map_err(|why| Status::new(code::PARAM_INVALID, why.explain("memPool")))
    }

    /// Peaks are reset; other attributes are stored to be returned.
    fn aclrtMemPoolSetAttr(pool: Handle<*mut c_void>, which: aclrtMemPoolAttr, value: Out<c_void>) -> i32 {
        let pool = find(&pool)?;
        if allows_something(which) {
            let value = value.cast::<i32>().required("value", code::INVALID_PARAM)?.read();
            pool.state().allowed.insert(which.0, value);
            return Ok(());
        }
        let value = value.cast::<u64>().required("value", code::INVALID_PARAM)?.read();
        let mut state = pool.state();
        match which {
            ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD => state.threshold = value,
            ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH | ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH if value == 0 => {
                state.high = state.used;
            }
            _ => return Err(unknown(which)),
        }
        Ok(())
    }

    fn aclrtMemPoolGetAttr(pool: Handle<*mut c_void>, which: aclrtMemPoolAttr, value: Out<c_void>) -> i32 {
        let pool = find(&pool)?;
        let state = pool.state();
        if allows_something(which) {
            let place = value.cast::<i32>().required("value", code::INVALID_PARAM)?;
            place.write(state.allowed.get(&which.0).copied().unwrap_or(1));
            return Ok(());
        }
        let place = value.cast::<u64>().required("value", code::INVALID_PARAM)?;
        place.write(match which {
            ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD => state.threshold,
            ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT | ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT => state.used as u64,
            ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH | ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH => state.high as u64,
            _ => return Err(unknown(which)),
        });
        Ok(())
    }

    fn aclrtMemPoolMallocAsync(
        pointer: Out<*mut c_void>,
        size: usize,
        pool: Handle<*mut c_void>,
        stream: Handle<*mut c_void>,
    ) -> i32 {
        callback::forbid("memory is taken")?;
        let place = pointer.required("ptr", code::INVALID_PARAM)?;
        if size == 0 {
            return Err(Status::new(code::INVALID_PARAM, "size is 0"));
        }
        let pool = find(&pool)?;
        let stream = stream::resolve(stream.0)?;
        if stream.device != pool.device {
            let message = format!("the pool is of device {}, the stream of device {}", pool.device, stream.device);
            return Err(Status::new(code::PARAM_INVALID, message));
        }
        place.write(std::ptr::without_provenance_mut(pool.take(size)?));
        Ok(())
    }

    fn aclrtMemPoolFreeAsync(pointer: Address<*mut c_void>, stream: Handle<*mut c_void>) -> i32 {
        let address = pointer.required("ptr", code::INVALID_PARAM)?;
        let stream = stream::resolve(stream.0)?;
        let unknown = || Status::new(code::PARAM_INVALID, format_args!("{address:#x} is not live memory of a pool"));
        let taken = |pool: Arc<Pool>| pool.state().live.remove(&address).map(|size| (Arc::clone(&pool), size));
        let found = POOLS.live().into_iter().find_map(|(_, pool)| taken(pool));
        let (pool, size) = found.ok_or_else(unknown)?;
        // What the stream did with the memory is done when this runs.
        let before = tracker::so_far(stream.id());
        let release = move || {
            tracker::host_saw(&before);
            let mut state = pool.state();
            state.used = state.used.saturating_sub(size);
            drop(state);
            device::free(address)
        };
        stream.submit("aclrtMemPoolFreeAsync", Details::default, Box::new(release))
    }

    /// The pool caches no memory that it could return.
    fn aclrtMemPoolTrimTo(pool: Handle<*mut c_void>, _kept: usize) -> i32 {
        find(&pool).map(drop)
    }
}
