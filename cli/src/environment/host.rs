//! The machine and the variables of the process.

use std::collections::BTreeMap;
use std::{env, fs};

/// The beginnings of the names of variables that matter.
const VARIABLES: [&str; 8] = [
    "ACLNN_",
    "CANN_STUBS_",
    "ASCEND_",
    "ACL_",
    "ASDOPS_",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "DISABLE_L2_CACHE",
];

/// Returns the version of the C library, where it has one.
#[cfg(target_env = "gnu")]
fn c_library() -> Option<String> {
    // SAFETY: it takes nothing, and returns a text of the library itself.
    let version = unsafe { std::ffi::CStr::from_ptr(libc::gnu_get_libc_version()) };
    Some(format!("glibc {}", version.to_string_lossy()))
}

#[cfg(not(target_env = "gnu"))]
fn c_library() -> Option<String> {
    None
}

/// Returns the system, its kernel, the C library and the processor, as far as they are told.
pub(super) fn describe() -> String {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").ok();
    let mut parts: Vec<String> = name.map(|name| name.trim_matches('"').to_owned()).into_iter().collect();
    parts.push(match kernel {
        Some(kernel) => format!("{} {}", env::consts::OS, kernel.trim()),
        None => env::consts::OS.to_owned(),
    });
    parts.extend(c_library());
    parts.push(env::consts::ARCH.to_owned());
    parts.join(", ")
}

pub(super) fn variables() -> BTreeMap<String, String> {
    env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .filter(|(name, _)| VARIABLES.iter().any(|start| name.starts_with(start)))
        .collect()
}
