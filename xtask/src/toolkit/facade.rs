//! Libraries under CANN's names, whose functions jump to those of the library that holds the emulator.

use super::{core, exports::Library};
use crate::workspace;
use anyhow::{Context, Result, bail};
use std::{env, fmt::Write, fs, path::Path, process::Command};

/// The instruction that continues in another function, with every argument in its place.
const JUMP: &str = if cfg!(target_arch = "aarch64") { "b" } else { "jmp" };
/// The suffix of a function name that the dynamic linker resolves.
const FOUND: &str = if cfg!(target_arch = "aarch64") { "" } else { "@PLT" };

/// Makes the libraries in `directory`, where that with the emulator is.
pub(super) fn make(libraries: &[Library], directory: &Path) -> Result<()> {
    if !cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))) {
        bail!("drop-in libraries can be made on Linux on x86_64 and aarch64");
    }
    // Each process has its own: two may make directories with different functions at the same time.
    let sources = workspace::target().join("drop-in").join(format!("sources-{}", std::process::id()));
    fs::create_dir_all(&sources).with_context(|| format!("creating {}", sources.display()))?;
    for library in libraries {
        let source = sources.join(library.name).with_extension("s");
        fs::write(&source, assembly(library)?).with_context(|| format!("writing {}", source.display()))?;
        // Rust uses the same program to link.
        let mut cc = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
        cc.args(["-shared", "-nostdlib", "-o"]).arg(directory.join(library.name)).arg(&source);
        cc.arg(format!("-Wl,-soname,{}", library.name));
        // Before LD_LIBRARY_PATH, which may name another emulator: cargo puts one there that it has built.
        cc.args(["-Wl,-rpath,$ORIGIN", "-Wl,--disable-new-dtags"]);
        cc.args(["-Wl,--no-undefined", "-Wl,--no-as-needed"]);
        cc.args(library.needs.iter().map(|name| directory.join(name)));
        // By its name alone, wherever the directory is moved.
        cc.arg("-L").arg(directory).arg(format!("-l:{}", core::NAME));
        if !cc.status().with_context(|| format!("starting {cc:?}"))?.success() {
            bail!("linking {} failed", library.name);
        }
    }
    fs::remove_dir_all(&sources).with_context(|| format!("removing {}", sources.display()))
}

/// Writes the functions of a library in assembly.
fn assembly(library: &Library) -> Result<String> {
    let mut text = String::from("    .text\n");
    for name in &library.exports {
        writeln!(text, "    .globl {name}\n    .type {name}, %function\n    .p2align 4\n{name}:")?;
        writeln!(text, "    {JUMP} {}{name}{FOUND}\n    .size {name}, .-{name}", core::PREFIX)?;
    }
    // Without this section the linker would ask for an executable stack.
    text.push_str("    .section .note.GNU-stack, \"\", %progbits\n");
    Ok(text)
}
