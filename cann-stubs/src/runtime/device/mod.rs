//! The emulated devices.

mod entry;
mod health;
pub(crate) mod options;
mod resources;

pub(crate) use resources::Settings;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, OnceLock, PoisonError};

use crate::check::leaks;
use crate::check::objects::Live;
use crate::entry::EntryPoint;
use crate::runtime::memory::DeviceMemory;
use crate::runtime::stream::context::{self, Context};
use crate::runtime::stream::progress::Patience;
use crate::runtime::{code, stream};
use crate::settings;
use crate::status::{Result, Status};
use crate::sync::{Mutex, MutexGuard};

/// The entry points of this module.
pub(super) const SYMBOLS: &[&[EntryPoint]] =
    &[entry::SYMBOLS, health::SYMBOLS, options::SYMBOLS, resources::SYMBOLS];

static DEVICES: LazyLock<Box<[Device]>> = LazyLock::new(|| {
    let config = settings::get();
    (0..config.devices as i32).map(Device::new).collect()
});

/// One emulated device.
#[derive(Debug)]
pub(crate) struct Device {
    id: i32,
    memory: OnceLock<DeviceMemory>,
    primary: Mutex<Primary>,
    /// The `aclrtFloatOverflowMode` of the device.
    overflow_mode: AtomicU32,
    /// Devices whose memory this one was allowed to reach.
    peers: Mutex<BTreeSet<i32>>,
}

/// The device of threads that never set one; negative for none.
static DEFAULT: AtomicI32 = AtomicI32::new(-1);

/// The context that is shared by the threads that set the device or use it by default.
#[derive(Debug, Default)]
struct Primary {
    /// Calls of `aclrtSetDevice` that were not reset. Threads that use the device by default do not count.
    count: u64,
    context: Option<(usize, Arc<Context>)>,
}

impl Primary {
    /// The context and its handle, made at the first call.
    fn context(&mut self, device: i32) -> Result<(usize, Arc<Context>)> {
        match &self.context {
            Some(context) => Ok(context.clone()),
            None => Ok(self.context.insert(Context::create(device, true)?).clone()),
        }
    }
}

/// Sets the device of threads that never set one, or removes it.
pub(crate) fn set_default(device: Option<i32>) {
    DEFAULT.store(device.unwrap_or(-1), Ordering::Release);
}

/// The primary context of the default device, for threads that never set a device.
pub(crate) fn default_context() -> Result<Option<(usize, Arc<Context>)>> {
    match DEFAULT.load(Ordering::Acquire) {
        ..0 => Ok(None),
        id => get(id)?.primary().context(id).map(Some),
    }
}

/// Every device, by its number.
pub(crate) fn all() -> &'static [Device] {
    &DEVICES
}

pub(crate) fn get(id: i32) -> Result<&'static Device> {
    let found = usize::try_from(id).ok().and_then(|index| DEVICES.get(index));
    found.ok_or_else(|| {
        let count = DEVICES.len();
        let message =
            format!("there is no device {id}; emulated devices: {count}, as CANN_STUBS_DEVICES sets it");
        Status::new(code::INVALID_DEVICEID, message)
    })
}

impl Device {
    fn new(id: i32) -> Self {
        Device {
            id,
            memory: OnceLock::new(),
            primary: Mutex::default(),
            overflow_mode: AtomicU32::new(aclnn_sys::ACL_RT_OVERFLOW_MODE_INFNAN.0),
            peers: Mutex::default(),
        }
    }

    pub(crate) fn id(&self) -> i32 {
        self.id
    }

    /// The memory, reserved at the first call.
    pub(crate) fn memory(&self) -> Result<&DeviceMemory> {
        if let Some(memory) = self.memory.get() {
            return Ok(memory);
        }
        let memory = DeviceMemory::reserve(self.id, settings::get().memory)?;
        // Where another thread was faster, this reservation stays unused: addresses cost nothing.
        Ok(self.memory.get_or_init(|| memory))
    }

    pub(crate) fn memory_if_used(&self) -> Option<&DeviceMemory> {
        self.memory.get()
    }

    pub(crate) fn overflow_mode(&self) -> u32 {
        self.overflow_mode.load(Ordering::Relaxed)
    }

    pub(crate) fn set_overflow_mode(&self, mode: u32) {
        self.overflow_mode.store(mode, Ordering::Relaxed);
    }

    pub(crate) fn peers(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn primary(&self) -> MutexGuard<'_, Primary> {
        self.primary.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the primary context current on this thread, and counts the call.
    pub(crate) fn set(&self) -> Result {
        let mut primary = self.primary();
        let (handle, shared) = primary.context(self.id)?;
        context::make_current(handle, shared)?;
        primary.count += 1;
        Ok(())
    }

    /// Reverses one `set`, or all of them when `force`. The last one ends the primary context and, if the program has no
    /// other context on the device, frees the memory. Returns the first failure of a task that was not reported yet, and
    /// adds what still lived.
    pub(crate) fn reset(&self, force: bool, left: &mut Vec<Live>) -> Result {
        let ended = {
            let mut primary = self.primary();
            if primary.context.is_none() {
                let message = format!("device {} is not set, or was reset before", self.id);
                return Err(Status::new(code::CONTEXT_NULL, message));
            }
            primary.count = if force { 0 } else { primary.count.saturating_sub(1) };
            if primary.count > 0 {
                return Ok(());
            }
            primary.context.take()
        };
        // The lock is not held here: tasks of the program run now.
        let outcome = ended.map_or(Ok(()), |(handle, _)| context::destroy(handle, left));
        self.release_if_unused(left);
        outcome
    }

    /// Whether the primary context lives.
    pub(crate) fn is_set(&self) -> bool {
        self.primary().context.is_some()
    }

    /// Frees the memory when no context is left on the device, and adds the allocations that still lived.
    pub(crate) fn release_if_unused(&self, left: &mut Vec<Live>) {
        let primary = self.primary();
        if primary.context.is_none()
            && !context::any_made_on(self.id)
            && let Some(memory) = self.memory_if_used()
        {
            left.extend(memory.clear());
            self.peers().clear();
        }
    }

    /// Waits for all work submitted to the device so far. Returns the first failure, or `late` when the time is up.
    pub(crate) fn synchronize(&self, patience: Patience, late: i32) -> Result {
        let mut outcome = Ok(());
        for (_, stream) in stream::all().into_iter().filter(|(_, stream)| stream.device == self.id) {
            outcome = outcome.and(stream.synchronize(patience, late));
        }
        outcome
    }
}

/// Forgets what programs stored, for the end of the runtime.
pub(crate) fn forget_settings() {
    resources::forget_all();
    options::forget_all();
}

/// Resets a device for the C function `function`, and reports what still lived.
pub(crate) fn reset(function: &str, id: i32, force: bool) -> Result {
    let mut left = Vec::new();
    let outcome = get(id)?.reset(force, &mut left);
    leaks::tell(function, left);
    outcome
}

/// Waits for all work submitted to every device, for functions that free memory afterwards.
pub(crate) fn synchronize_all() -> Result {
    let mut outcome = Ok(());
    for device in all() {
        outcome = outcome.and(device.synchronize(Patience::Forever, code::STREAM_SYNC_TIMEOUT));
    }
    outcome
}
