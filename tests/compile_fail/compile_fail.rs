//! What must not compile: one program for each promise that the types make, with the message of the compiler.
//!
//! Compilers word their messages differently, so the programs are judged by one alone. Another one is told of, and
//! `TRYBUILD=overwrite` writes the messages of a new one.

use std::process::Command;

/// The compiler of the messages.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn promises_of_the_types() -> std::io::Result<()> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output()?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    if !version.starts_with(COMPILER) {
        println!("not judged: the messages are those of {COMPILER}x, and this is {version}");
        return Ok(());
    }
    trybuild::TestCases::new().compile_fail("programs/*.rs");
    Ok(())
}
