//! Tells the command by which compiler it is built, for `aclnn info`.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let told = Command::new(rustc).arg("--version").output().ok();
    let version = told.and_then(|told| String::from_utf8(told.stdout).ok()).unwrap_or_default();
    println!("cargo::rustc-env=ACLNN_RUSTC={}", version.trim());
}
