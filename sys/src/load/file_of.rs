//! The file from which a function was loaded.

use std::{ffi::c_void, path::PathBuf, ptr::NonNull};

/// Returns the path of the library or the program that holds a function, as the dynamic linker knows it: relative if it was
/// opened so. `None` where the dynamic linker knows none, and on other systems than Unix, for which there is no CANN.
///
/// # Safety
/// The library that holds the function stays open during the call.
#[cfg(unix)]
pub unsafe fn file_of(function: NonNull<c_void>) -> Option<PathBuf> {
    use std::ffi::{CStr, OsStr};
    use std::os::unix::ffi::OsStrExt;

    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: any address may be asked for, and `info` is valid for writing.
    let found = unsafe { libc::dladdr(function.as_ptr(), info.as_mut_ptr()) };
    // SAFETY: zeros are a valid value, and `dladdr` writes valid ones.
    let info = unsafe { info.assume_init() };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: this is a string that lives as long as what holds the function, which stays open.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    Some(PathBuf::from(OsStr::from_bytes(name.to_bytes())))
}

/// Returns nothing on other systems than Unix, for which there is no CANN.
///
/// # Safety
/// There is nothing to keep.
#[cfg(not(unix))]
pub unsafe fn file_of(_: NonNull<c_void>) -> Option<PathBuf> {
    None
}
