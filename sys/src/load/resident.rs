//! Libraries that the process has already loaded.
//!
//! If a library needs another one, the dynamic linker takes a loaded library of that name, wherever its file lies. So
//! libraries of two releases could be in one process unnoticed.

use std::path::{Path, PathBuf};

use super::files::holds_cann;

/// Returns a loaded library of another CANN that `directory` has as well.
pub(super) fn of_another(directory: &Path) -> Option<PathBuf> {
    loaded().into_iter().find(|path| {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return false };
        let own = directory.join(name);
        own.exists() && holds_cann(parent) && !is_same(path, &own)
    })
}

fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Returns the files of all loaded libraries, as the dynamic linker names them.
#[cfg(target_os = "linux")]
fn loaded() -> Vec<PathBuf> {
    use std::ffi::{CStr, OsStr, c_int, c_void};
    use std::os::unix::ffi::OsStrExt;

    unsafe extern "C" fn add(info: *mut libc::dl_phdr_info, _: usize, paths: *mut c_void) -> c_int {
        // SAFETY: this is the list that is passed below, which nobody else uses during the call.
        let paths = unsafe { &mut *paths.cast::<Vec<PathBuf>>() };
        // SAFETY: the dynamic linker describes a library that stays loaded during this call.
        let name = unsafe { (*info).dlpi_name };
        if !name.is_null() {
            // SAFETY: this is a string of the dynamic linker, copied at once.
            let name = unsafe { CStr::from_ptr(name) };
            paths.push(PathBuf::from(OsStr::from_bytes(name.to_bytes())));
        }
        0
    }

    let mut paths = Vec::new();
    // SAFETY: the function takes the list that is passed with it.
    unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut paths).cast()) };
    paths
}

/// Returns nothing on other systems, which have no CANN.
#[cfg(not(target_os = "linux"))]
fn loaded() -> Vec<PathBuf> {
    Vec::new()
}
