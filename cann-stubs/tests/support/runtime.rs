//! Short hands for functions of the runtime, and a device to work on.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use aclnn_sys::{
    ACL_HBM_MEM, ACL_HBM_MEM_HUGE, ACL_MEM_ALLOCATION_TYPE_PINNED, ACL_MEM_HANDLE_TYPE_NONE,
    ACL_MEM_LOCATION_TYPE_DEVICE, ACL_MEMCPY_DEFAULT, aclrtMemLocation, aclrtPhysicalMemProp,
};

pub(crate) use super::{MEMORY, malloc, message};

/// Calls a C function of the emulator by its name.
macro_rules! call {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: the tests pass what the functions ask for, or what they have to refuse without touching it.
        unsafe { $crate::support::EMULATOR.runtime.$name($($argument),*) }.unwrap()
    };
}
pub(crate) use call;

/// As `call`, for a function that has to succeed.
macro_rules! ok {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        let code = $crate::support::runtime::call!($name($($argument),*));
        assert_eq!(code, 0, "{}: {}", stringify!($name), $crate::support::runtime::message());
    }};
}
pub(crate) use ok;

/// Sets device 0 on this thread while it lives. With the last one in the process, everything on the device ends.
pub(crate) struct Device;

impl Device {
    pub(crate) fn set() -> Self {
        ok!(aclrtSetDevice(0));
        Device
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        let code = call!(aclrtResetDevice(0));
        // A test that failed still leaves nothing for the next one.
        if !thread::panicking() {
            assert_eq!(code, 0, "{}", message());
        }
    }
}

pub(crate) fn free(pointer: *mut c_void) {
    ok!(aclrtFree(pointer));
}

pub(crate) fn create_stream() -> *mut c_void {
    let mut stream = null_mut();
    ok!(aclrtCreateStream(&mut stream));
    stream
}

pub(crate) fn create_event() -> *mut c_void {
    let mut event = null_mut();
    ok!(aclrtCreateEvent(&mut event));
    event
}

/// Queues setting all of `bytes` bytes at `pointer` to `value`.
pub(crate) fn fill(pointer: *mut c_void, bytes: usize, value: i32, stream: *mut c_void) {
    ok!(aclrtMemsetAsync(pointer, bytes, value, bytes, stream));
}

/// Copies at once to a device.
pub(crate) fn upload(to: *mut c_void, bytes: &[u8]) {
    ok!(aclrtMemcpy(to, bytes.len(), bytes.as_ptr().cast(), bytes.len(), ACL_MEMCPY_DEFAULT));
}

/// Copies at once from a device.
pub(crate) fn download(from: *mut c_void, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    ok!(aclrtMemcpy(bytes.as_mut_ptr().cast(), len, from, len, ACL_MEMCPY_DEFAULT));
    bytes
}

/// Free memory of the current device.
pub(crate) fn free_memory() -> usize {
    let (mut free, mut total) = (0, 0);
    ok!(aclrtGetMemInfo(ACL_HBM_MEM, &mut free, &mut total));
    assert_eq!(total, MEMORY);
    free
}

/// A pointer on its way to another thread.
#[derive(Clone, Copy)]
pub(crate) struct Sent(pub(crate) *mut c_void);

// SAFETY: handles and device addresses are used by any thread.
unsafe impl Send for Sent {}

impl Sent {
    pub(crate) fn get(self) -> *mut c_void {
        self.0
    }
}

/// Runs `body` on a thread; the receiver gets its result.
pub(crate) fn spawn<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> Receiver<T> {
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(body()));
    receiver
}

/// The result of a thread. The limit only turns a dead-lock into a failure.
pub(crate) fn finish<T>(receiver: &Receiver<T>) -> T {
    let result = receiver.recv_timeout(Duration::from_secs(120));
    assert!(result.is_ok(), "the thread failed, or waits for ever");
    result.unwrap()
}

/// Describes physical memory of device 0, in huge pages.
pub(crate) fn properties() -> aclrtPhysicalMemProp {
    aclrtPhysicalMemProp {
        handleType: ACL_MEM_HANDLE_TYPE_NONE,
        allocationType: ACL_MEM_ALLOCATION_TYPE_PINNED,
        memAttr: ACL_HBM_MEM_HUGE,
        location: aclrtMemLocation { id: 0, type_: ACL_MEM_LOCATION_TYPE_DEVICE },
        reserve: 0,
    }
}
