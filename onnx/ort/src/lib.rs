//! A backend for the crate [`ort`](https://ort.pyke.io): programs that run ONNX models with it run them on Ascend NPUs.
//! Where CANN is not installed, an emulator computes the same on the CPU.
//!
//! A program names this crate in `Cargo.toml`, lets `ort` link nothing, and tells `ort` once what serves it:
//!
//! ```toml
//! [dependencies]
//! ort = { version = "=2.0.0-rc.15", default-features = false, features = ["alternative-backend", "api-31", "ndarray", "std"] }
//! ort-aclnn = { version = "0.1", features = ["api-31"] }
//! ```
//!
//! ```
//! ort::set_api(ort_aclnn::api());
//!
//! // From here on, everything is as with any other backend.
//! let environment = ort::init().build()?;
//! let mut builder = ort::session::Session::builder(&environment)?;
//! # let _ = &mut builder;
//! # Ok::<(), ort::Error>(())
//! ```
//!
//! # Devices
//!
//! Sessions run on device 0. `with_config_entry("session.aclnn.device", "1")` of a session chooses another one, as does
//! the option `with_device_id` of `ort::ep::CANN`, which is accepted as what serves here. The variable
//! `ORT_ACLNN_DEVICE` chooses for the sessions that do not.
//!
//! # Inputs and outputs
//!
//! All values lie in memory of the host, where `ort` reads them. An output stays on the device until its elements are
//! asked for, so that one that becomes an input again, as caches of keys and values do, is not copied. A run returns
//! when its outputs are computed.
//!
//! # Limits
//!
//! Custom operators, the model editor, training, profiles and files of optimized models are not served; nor are the
//! execution providers of other devices, maps, and sparse tensors. An error tells the name of the function that was
//! asked for. Which operators run is documented in `aclnn_onnx`.

#![deny(clippy::indexing_slicing)]

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `entry`: arguments and errors of functions of the table
// 2. `elements`, `memory`, `refused`: element types; memory of the host; functions that are not served
// 3. `types`, `options`, `ort_format`: types of values; environments and options; models of the other format
// 4. `value`: values
// 5. `session`: sessions
// 6. `run`: runs

mod elements;
mod entry;
mod memory;
mod options;
mod ort_format;
mod refused;
mod run;
mod session;
mod types;
mod value;

use std::ffi::c_char;

use ort_sys::OrtApi;

/// The level of the interface that is served: how many functions the table has.
const LEVEL: u32 = if cfg!(feature = "api-31") { 31 } else { 17 };

const _: () = assert!(
    ort_sys::ORT_API_VERSION == LEVEL,
    "`ort` is built for another level of its interface than `ort-aclnn`: enable the feature `api-31` of both crates"
);

#[allow(non_snake_case)]
unsafe extern "system" fn GetBuildInfoString() -> *const c_char {
    concat!("ort-aclnn ", env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the table of functions for `ort::set_api`, which a program calls before anything else of `ort`.
///
/// Nothing is loaded or opened before the first session.
pub fn api() -> OrtApi {
    // Statuses, and functions that return none and that nobody calls without a session of another backend.
    let mut api = ort_sys::stub::api();
    refused::serve_accepted(&mut api);
    refused::serve(&mut api);
    memory::serve(&mut api);
    memory::serve_releases(&mut api);
    memory::serve_others(&mut api);
    types::serve(&mut api);
    types::serve_releases(&mut api);
    types::serve_others(&mut api);
    value::serve(&mut api);
    value::serve_releases(&mut api);
    options::serve(&mut api);
    options::serve_releases(&mut api);
    session::serve(&mut api);
    session::serve_releases(&mut api);
    run::serve(&mut api);
    run::serve_releases(&mut api);
    run::serve_others(&mut api);
    #[cfg(feature = "api-31")]
    {
        value::later::serve(&mut api);
        options::later::serve(&mut api);
        options::later::serve_others(&mut api);
        session::later::serve(&mut api);
    }
    api.GetBuildInfoString = GetBuildInfoString;
    api
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: usize = size_of::<OrtApi>() / size_of::<usize>();

    /// Returns the table as the addresses that it is made of.
    fn addresses(api: &OrtApi) -> [usize; COUNT] {
        // SAFETY: the table is made of pointers to functions alone, as the C interface has it.
        unsafe { (&raw const *api).cast::<[usize; COUNT]>().read() }
    }

    /// `ort_sys` says "Unimplemented" of everything; no function that returns a status may say that alone.
    #[test]
    fn every_function_with_a_status_is_filled() {
        let (ours, stubs) = (addresses(&api()), addresses(&ort_sys::stub::api()));
        assert!(ours.iter().all(|&address| address != 0));
        let same = ours.iter().zip(stubs).filter(|(ours, stub)| **ours == *stub).count();
        // Those of statuses themselves; those that end objects nobody can have, or ask them; those that return tables of
        // further functions, which are null.
        assert_eq!((COUNT, same), (428, 4 + 47));
    }
}
