//! What the drop-in libraries are made from.
//!
//! One library holds all code and all state and exports each entry point with the prefix `cann_stubs_`. The libraries
//! that programs link and open hold nothing but jumps to it, so any number of them in a process share one emulator.

use std::ffi::{CString, c_char};
use std::sync::LazyLock;

use crate::entry::EntryPoint;
use crate::{lifecycle, meta, operators, runtime};

/// A line for each entry point: the module that it belongs to, and its name.
#[unsafe(no_mangle)]
extern "C" fn cann_stubs_entry_points() -> *const c_char {
    static LINES: LazyLock<CString> = LazyLock::new(|| {
        let lines = |room: &str, entries: Vec<&EntryPoint>| -> String {
            entries.iter().map(|entry| format!("{room} {}\n", entry.name())).collect()
        };
        let text = [
            lines("runtime", lifecycle::SYMBOLS.iter().chain(runtime::symbols()).collect()),
            lines("meta", meta::symbols().collect()),
            lines("operators", operators::symbols().collect()),
        ];
        CString::new(text.concat()).unwrap_or_default()
    });
    LINES.as_ptr()
}
