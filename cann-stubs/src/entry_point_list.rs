//! Hands `cargo xtask toolkit` the list of all entry points, from which it makes the drop-in libraries.
//!
//! One library holds all code and all state and exports each entry point with the prefix `cann_stubs_`. The libraries
//! that programs link and open hold nothing but jumps to it, so any number of them in a process share one emulator.

use std::ffi::{CString, c_char};
use std::sync::LazyLock;

use crate::function_lists;
use crate::surface::EntryPoint;

/// A line for each entry point: the library that it belongs to, and its name.
#[unsafe(no_mangle)]
extern "C" fn cann_stubs_entry_points() -> *const c_char {
    static LINES: LazyLock<CString> = LazyLock::new(|| {
        let lines = |library: &str, entries: Vec<EntryPoint>| -> String {
            entries.iter().map(|entry| format!("{library} {}\n", entry.name())).collect()
        };
        let text = [
            lines("runtime", function_lists::runtime()),
            lines("meta", function_lists::meta()),
            lines("operators", function_lists::operators()),
        ];
        CString::new(text.concat()).unwrap_or_default()
    });
    LINES.as_ptr()
}
