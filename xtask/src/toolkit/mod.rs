//! `cargo xtask toolkit`: makes a directory that programs in C and C++, and programs that use dlopen, use in place of
//! CANN.
//!
//! `core` is the one library with code and state. `facade` makes the libraries that programs link and open, which jump
//! to `core`, and `exports` lists what each exports.

mod core;
mod exports;
mod facade;

use crate::workspace;
use anyhow::{Context, Result, bail};
use std::{fs, path::Path, process::Command};

/// The script that sets the environment of a shell; its text is the same for every directory.
const SET_ENV: &str = include_str!("set_env.sh");

/// The suppressions for the memory checker; the text is the same for every directory.
const SUPPRESSIONS: &str = include_str!("valgrind.supp");

/// The package `AclnnEmulator` of CMake; the text is the same for every directory.
const CMAKE: &str = include_str!("AclnnEmulatorConfig.cmake");

/// The package `cann-emulator` of pkg-config, without its version.
const PKG_CONFIG: &str = include_str!("cann-emulator.pc");

/// The Chinese messages of the emulator, which the library reads from a file.
const CHINESE: &str = include_str!("../../../cann-stubs/src/messages.zh.tsv");

/// Directories that programs look for before they use a toolkit. CANN keeps nothing in them that an emulator needs.
const EMPTY: &[&str] = &["opp", "runtime", "compiler"];

const USAGE: &str =
    "usage: cargo xtask toolkit --out DIR [--archive FILE] [--wheel DIR] [--debug] [--without FUNCTION]…";

/// Lays out the toolkit in a directory.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let (mut out, mut archive, mut wheel) = (None, None, None);
    let (mut without, mut rest) = (Vec::new(), arguments);
    let mut profile = core::Profile::Release;
    loop {
        rest = match rest {
            [] => break,
            ["--debug", rest @ ..] => {
                profile = core::Profile::Debug;
                rest
            }
            ["--out", directory, rest @ ..] => {
                out = Some(*directory);
                rest
            }
            ["--archive", file, rest @ ..] => {
                archive = Some(Path::new(*file));
                rest
            }
            ["--wheel", directory, rest @ ..] => {
                wheel = Some(Path::new(*directory));
                rest
            }
            ["--without", name, rest @ ..] => {
                without.push(*name);
                rest
            }
            _ => bail!("{USAGE}"),
        };
    }
    let out = out.context(USAGE)?;
    let built = core::build(profile)?;
    let mut entries = core::entries(&built)?;
    for name in without {
        let all = entries.len();
        entries.retain(|entry| entry.name.strip_suffix("GetWorkspaceSize").unwrap_or(&entry.name) != name);
        if entries.len() == all {
            bail!("the emulator has no function {name}");
        }
    }
    fs::create_dir_all(out).with_context(|| format!("creating {out}"))?;
    let out = fs::canonicalize(out).with_context(|| format!("finding {out}"))?;

    // The files are replaced rather than overwritten, as a program may still run with the old ones.
    let lib64 = emptied(&out.join("lib64"))?;
    let core = lib64.join(core::NAME);
    fs::copy(&built, &core).with_context(|| format!("writing {}", core.display()))?;
    let libraries = exports::of(&entries);
    facade::make(&libraries, &lib64)?;

    xtask_headers::lay_out(&out.join("include"))?;
    for name in EMPTY {
        fs::create_dir_all(out.join(name)).with_context(|| format!("creating {name}"))?;
    }
    fs::write(out.join("set_env.sh"), SET_ENV).context("writing set_env.sh")?;
    fs::write(out.join("valgrind.supp"), SUPPRESSIONS).context("writing valgrind.supp")?;
    // Both tools look below `share` on every system, and below `lib64` on some.
    let share = emptied(&out.join("share"))?;
    let file = |folder: &str, name: &str, text: &str| -> Result<()> {
        fs::create_dir_all(share.join(folder))?;
        fs::write(share.join(folder).join(name), text).with_context(|| format!("writing {name}"))
    };
    file("cmake/AclnnEmulator", "AclnnEmulatorConfig.cmake", CMAKE)?;
    file("cann-emulator", "messages.zh.tsv", CHINESE)?;
    file("pkgconfig", "cann-emulator.pc", &PKG_CONFIG.replace("@VERSION@", env!("CARGO_PKG_VERSION")))?;
    println!("{}", out.display());
    if let Some(archive) = archive {
        packed(&out, archive)?;
        println!("{}", archive.display());
    }
    if let Some(wheel) = wheel {
        wheel_of(&out, wheel)?;
    }
    Ok(())
}

/// Packs a directory into one file, to carry it to a machine without Rust. It unpacks to one directory, which is named after
/// version and processor.
fn packed(directory: &Path, archive: &Path) -> Result<()> {
    let name = format!("cann-emulator-{}-linux-{}", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    let mut tar = Command::new("tar");
    tar.args(["--create", "--gzip", "--owner=0", "--group=0", "--sort=name", "--file"]).arg(archive);
    tar.arg(format!("--transform=s,^[.],{name},")).arg("--directory").arg(directory).arg(".");
    if !tar.status().context("starting tar")?.success() {
        bail!("packing {} failed", archive.display());
    }
    Ok(())
}

/// Packs a directory into a wheel for Python, whose name depends on version and machine, and prints the name. Those who want
/// a wheel have Python, which packs it without a dependency of this program.
fn wheel_of(directory: &Path, wheel: &Path) -> Result<()> {
    let mut python = Command::new("python3");
    python.arg(workspace::root().join("python").join("wheel.py")).arg(env!("CARGO_PKG_VERSION"));
    let status = python.arg(directory).arg(wheel).status();
    if !status.context("starting python3, which packs the wheel: install Python 3.8 or newer")?.success() {
        bail!("packing the wheel in {} failed", wheel.display());
    }
    Ok(())
}

/// Returns a directory without its contents.
fn emptied(directory: &Path) -> Result<std::path::PathBuf> {
    if directory.exists() {
        fs::remove_dir_all(directory).with_context(|| format!("removing {}", directory.display()))?;
    }
    fs::create_dir_all(directory).with_context(|| format!("creating {}", directory.display()))?;
    Ok(directory.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what `script` prints after the file was sourced twice, with a library path from elsewhere.
    fn sourced(shell: &str, directory: &Path, script: &str) -> Option<String> {
        let output = Command::new(shell)
            .args(["-euc", &format!(". ./set_env.sh; . ./set_env.sh; {script}")])
            .current_dir(directory)
            .env("LD_LIBRARY_PATH", "/elsewhere")
            .output()
            .ok()?;
        assert!(output.status.success(), "{shell}: {}", String::from_utf8_lossy(&output.stderr));
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Makes a directory with the parts of the layout that the script uses.
    fn laid_out(directory: &Path) {
        fs::create_dir_all(directory.join("lib64")).unwrap();
        fs::write(directory.join("lib64").join(core::NAME), "").unwrap();
        fs::write(directory.join("set_env.sh"), SET_ENV).unwrap();
    }

    /// `sh` does not tell where a sourced file lies; `bash` does.
    #[test]
    fn every_shell_finds_the_place_of_a_copied_directory() {
        let temporary = tempfile::tempdir().unwrap();
        let original = temporary.path().join("first place");
        laid_out(&original);
        let copy = temporary.path().join("second place");
        fs::rename(original, &copy).unwrap();
        for shell in ["bash", "sh", "dash", "zsh", "mksh"] {
            let printed = sourced(
                shell,
                &copy,
                r#"echo "$ASCEND_HOME_PATH|$ASCEND_TOOLKIT_HOME|$ASCEND_OPP_PATH|$LD_LIBRARY_PATH""#,
            );
            let Some(printed) = printed else {
                assert!(!["bash", "sh"].contains(&shell), "{shell} is not installed");
                continue;
            };
            let home = copy.display();
            assert_eq!(printed, format!("{home}|{home}|{home}/opp|{home}/lib64:/elsewhere\n"), "{shell}");
        }
    }

    #[test]
    fn a_link_to_the_file_leads_to_the_directory_of_the_file() {
        let temporary = tempfile::tempdir().unwrap();
        let (original, elsewhere) = (temporary.path().join("original"), temporary.path().join("elsewhere"));
        laid_out(&original);
        fs::create_dir(&elsewhere).unwrap();
        std::os::unix::fs::symlink(original.join("set_env.sh"), elsewhere.join("set_env.sh")).unwrap();
        for shell in ["bash", "sh"] {
            let printed = sourced(shell, &elsewhere, r#"echo "$ASCEND_HOME_PATH""#).unwrap();
            assert_eq!(printed, format!("{}\n", original.display()), "{shell}");
        }
    }

    #[test]
    fn nothing_is_left_behind_in_the_shell() {
        let temporary = tempfile::tempdir().unwrap();
        laid_out(temporary.path());
        for shell in ["bash", "sh"] {
            let printed = sourced(shell, temporary.path(), "set").unwrap();
            assert!(printed.contains("ASCEND_HOME_PATH"), "{printed}");
            assert!(!printed.to_lowercase().contains("cann_stubs_"), "{shell}: {printed}");
        }
    }
}
