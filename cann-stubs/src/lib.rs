//! The CANN runtime and aclnn operators on the CPU, for machines without an Ascend NPU.
//!
//! The emulator is every C entry point of CANN that programs use, under CANN's names and with CANN's error codes. It is
//! used in two ways: *embedded*, through [`source`], which looks functions up without any library; and as *drop-in
//! libraries*, which C and C++ programs link or open in place of CANN's.
//!
//! The crate `aclnn` embeds it by itself. A test makes calls fail and reads what the checks found, with [`control`]; code
//! that calls the C functions gets them from [`source`]:
//!
//! ```
//! use std::ptr::null;
//!
//! use aclnn_sys::{ACL_MEM_MALLOC_HUGE_FIRST, ACL_SUCCESS, Runtime};
//! use cann_stubs::control::{self, When};
//!
//! let runtime = Runtime::load(&cann_stubs::source());
//! let fault = control::fail("aclrtMalloc", When::Nth(1), 207_001);
//! let mut memory = std::ptr::null_mut();
//! // SAFETY: without a configuration, and with a valid place for the result.
//! let codes = unsafe {
//!     [
//!         runtime.aclInit(null())?,
//!         runtime.aclrtSetDevice(0)?,
//!         runtime.aclrtMalloc(&mut memory, 64, ACL_MEM_MALLOC_HUGE_FIRST)?,
//!         runtime.aclFinalize()?,
//!     ]
//! };
//! assert_eq!(codes, [ACL_SUCCESS, ACL_SUCCESS, 207_001, ACL_SUCCESS]);
//! assert_eq!(fault.struck(), 1);
//! # Ok::<(), aclnn_sys::MissingSymbol>(())
//! ```
//!
//! Its modules:
//!
//! | module | holds |
//! |---|---|
//! | `sync` `ranges` `small_map` `misuse` `messages` `stream_mode` `release` `settings` | the ground: locks and threads, ranges and maps, kinds of misuse, the language of messages, modes of streams, releases of CANN, settings of the environment |
//! | `status` `outcome` `surface` `handle` `entry` | the border to C: failures, results, the level of support of a function, handles that are never dereferenced, parameters and calls |
//! | `refused` | functions that only refuse |
//! | `fault_rule` `fault` `defect` `trace` | for tests: calls that fail on demand, planted defects, records of the work that ran |
//! | `check` | the checks that are stricter than hardware: they find misuse and report it |
//! | `runtime` | devices, contexts, streams, events, memory, errors, versions |
//! | `collective` | collective operations of several devices, in this process and in others |
//! | `meta` | tensors, scalars, arrays, lists, executors |
//! | `compute` | in which type an operator computes, and on which unit of the device |
//! | `operators` | phase one: checks in CANN's order, with CANN's codes, and a plan |
//! | `lifecycle` | the beginning and the end: `aclInit`, `aclFinalize`, objects that are still alive |
//! | [`control`] `function_lists` `entry_point_list` | the top: control from a test, the lists of functions, the drop-in libraries |
//!
//! The emulator behaves like a device where a device differs from a host: the host cannot touch device memory, streams
//! run only when a thread waits for them or queries them, and an executor is gone once it was launched.
//!
#![doc = include_str!("settings.md")]
//!
#![doc = include_str!("surface.md")]
// Without the top, not all of the ground is used.
#![cfg_attr(
    test,
    allow(dead_code, unreachable_pub, unused_imports, reason = "unit tests are built without `operators`")
)]

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `sync`, `ranges`, `small_map`, `misuse`, `messages`, `stream_mode`, `release`: locks and threads; ranges of addresses;
//    maps with few keys; kinds of misuse; the language of messages; modes of streams; releases of CANN
// 2. `status`: a failed call, and the last message of a thread
// 3. `outcome`, `surface`, `mapped`: what C gets from a function; what the lists of functions say of it; collections of what
//    a function makes of the items of a slice
// 4. `refused`: functions that only refuse
// 5. `fault_rule`: rules for calls that fail, and the names that they may use
// 6. `defect`: in which way the emulator is wrong on purpose
// 7. `settings`: what the environment says
// 8. `check`, `fault`, `trace`: reports of misuse; calls that fail on demand; records of work
// 9. `handle`: handles that are never dereferenced
// 10. `entry`: what C passes to a function, and every call
// 11. `runtime`: devices, streams, events, memory
// 12. `collective`: what several devices do together
// 13. `meta`: tensors, scalars, executors
// 14. `compute`: in which type an operator computes, and on which unit of the device
// 15. `operators`: checks and plans
// 16. `lifecycle`: the beginning and the end of everything
// 17. `control`, `function_lists`: what tests change and ask; the lists of functions
// 18. `entry_point_list`: what the drop-in libraries are made from
//
// Unit tests are on the floors below `operators`, which is two thirds of the crate and is tested through the functions of C,
// in `tests/`. They are built without it; editors see all of it.
mod check;
mod collective;
mod compute;
#[cfg(any(not(test), rust_analyzer))]
pub mod control;
mod defect;
mod entry;
#[cfg(all(feature = "drop-in", not(test)))]
mod entry_point_list;
mod fault;
mod fault_rule;
#[cfg(any(not(test), rust_analyzer))]
mod function_lists;
mod handle;
mod lifecycle;
mod mapped;
mod messages;
mod meta;
mod misuse;
#[cfg(any(not(test), rust_analyzer))]
mod operators;
mod outcome;
mod ranges;
mod refused;
mod release;
mod runtime;
mod settings;
mod small_map;
mod status;
mod stream_mode;
mod surface;
mod sync;
mod trace;

#[cfg(any(not(test), rust_analyzer))]
pub use function_lists::{entry_points, source};
pub use surface::{EntryPoint, Support};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    fn sources(path: PathBuf, found: &mut Vec<PathBuf>) {
        if path.is_dir() {
            fs::read_dir(path).unwrap().for_each(|entry| sources(entry.unwrap().path(), found));
        } else {
            found.push(path);
        }
    }

    /// One of the modules that this build leaves out would never run.
    #[test]
    fn no_unit_test_is_left_out() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let lines: Vec<&str> = include_str!("lib.rs").lines().collect();
        let mut left_out = Vec::new();
        for pair in
            lines.windows(2).filter(|pair| pair[0].starts_with("#[cfg(") && pair[0].contains("not(test)"))
        {
            let module = pair[1].trim_start_matches("pub ").trim_start_matches("mod ").trim_end_matches(';');
            let path = folder.join(module);
            sources(if path.is_dir() { path } else { path.with_extension("rs") }, &mut left_out);
        }
        left_out.retain(|path| path.exists());
        assert!(left_out.len() > 200, "{left_out:?}");
        left_out.retain(|path| fs::read_to_string(path).unwrap().contains("#[test]"));
        assert!(left_out.is_empty(), "tests of these files belong in `tests/`: {left_out:?}");
    }
}
