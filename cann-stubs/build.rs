//! Stops the build where the emulator cannot work, before the compiler finds that in a hundred places.
//!
//! Device memory is a range of addresses that Linux reserves without backing it, and files of memory that are mapped into it.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if target("OS") != "linux" || target("POINTER_WIDTH") != "64" {
        println!(
            "cargo::error=the emulator of Ascend NPUs runs on 64-bit Linux alone: build `aclnn` without it on \
             other systems, with `default-features = false`"
        );
    }
}
