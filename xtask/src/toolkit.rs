//! `cargo xtask toolkit`: a directory that C, C++ and dlopen-ing programs use in place of CANN.

use crate::workspace;
use anyhow::{Context, Result, bail};
use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

/// The one library there is.
const LIBRARY: &str = "libcann_stubs.so";

/// The names under which programs look for it.
const NAMES: &[&str] = &[
    "libacl_op_compiler.so",
    "libacl_rt.so",
    "libacl_tdt_channel.so",
    "libascendcl.so",
    "libge_runner.so",
    "libgraph.so",
    "libhccl.so",
    "libnnopbase.so",
    "libopapi.so",
    "libopapi_math.so",
    "libopapi_nn.so",
    "libruntime.so",
];

/// Lays out the toolkit.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let (out, profile) = match arguments {
        ["--out", out] => (out, Profile::Release),
        ["--out", out, "--debug"] | ["--debug", "--out", out] => (out, Profile::Debug),
        _ => bail!("usage: cargo xtask toolkit --out DIR [--debug]"),
    };
    let library = build(profile)?;
    fs::create_dir_all(out).with_context(|| format!("creating {out}"))?;
    let out = fs::canonicalize(out).with_context(|| format!("finding {out}"))?;

    let lib64 = out.join("lib64");
    fs::create_dir_all(&lib64)?;
    // A new file rather than new contents: a program may still run with the old one.
    replace(&lib64.join(LIBRARY), |path| fs::copy(&library, path).map(drop))?;
    for name in NAMES {
        replace(&lib64.join(name), |path| symlink(LIBRARY, path))?;
    }

    let include = out.join("include");
    if include.exists() {
        fs::remove_dir_all(&include).with_context(|| format!("removing {}", include.display()))?;
    }
    copy_tree(&workspace::sys().join("include"), &include)?;

    replace(&out.join("set_env.sh"), |path| fs::write(path, set_env(&out)))?;
    println!("{}", out.display());
    Ok(())
}

#[derive(Clone, Copy)]
enum Profile {
    Release,
    Debug,
}

/// Builds the library with every entry point exported.
fn build(profile: Profile) -> Result<PathBuf> {
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace::root().join("target"), PathBuf::from);
    // Tests use the debug one: what it needs was built with them.
    let target = match profile {
        Profile::Release => target.join("drop-in"),
        Profile::Debug => target,
    };
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(workspace::root()).args(["rustc", "--package", "cann-stubs", "--lib"]);
    command.args(["--crate-type", "cdylib", "--features", "drop-in"]).arg("--target-dir").arg(&target);
    let directory = match profile {
        Profile::Release => {
            command.arg("--release");
            "release"
        }
        Profile::Debug => "debug",
    };
    let status = command.status().context("running cargo")?;
    if !status.success() {
        bail!("building the drop-in library failed");
    }
    Ok(target.join(directory).join(LIBRARY))
}

fn replace(path: &Path, make: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<()> {
    if path.symlink_metadata().is_ok() {
        fs::remove_file(path).with_context(|| format!("removing {}", path.display()))?;
    }
    make(path).with_context(|| format!("writing {}", path.display()))
}

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("creating {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), &to).with_context(|| format!("writing {}", to.display()))?;
        }
    }
    Ok(())
}

/// A script for any shell. Only some shells tell where a sourced file lies; the others get the place it was written to.
fn set_env(out: &Path) -> String {
    let quoted = out.display().to_string().replace('\'', r"'\''");
    SET_ENV.replace("@OUT@", &quoted)
}

const SET_ENV: &str = r#"# Lets programs of this shell use the libraries beside this file in place of CANN: source it.

if [ -n "${BASH_SOURCE:-}" ]; then
    ASCEND_HOME_PATH=$(cd "$(dirname "$BASH_SOURCE")" && pwd)
else
    ASCEND_HOME_PATH='@OUT@'
fi
ASCEND_TOOLKIT_HOME=$ASCEND_HOME_PATH
export ASCEND_HOME_PATH ASCEND_TOOLKIT_HOME

case ":${LD_LIBRARY_PATH:-}:" in
    *":$ASCEND_HOME_PATH/lib64:"*) ;;
    *) LD_LIBRARY_PATH=$ASCEND_HOME_PATH/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ;;
esac
export LD_LIBRARY_PATH
"#;

#[cfg(test)]
mod tests {
    use super::*;

    /// Sourced twice, by a shell that tells where the file lies and by one that does not.
    #[test]
    fn set_env_is_idempotent_in_every_shell() {
        let directory = env::temp_dir().join(format!("aclnn set_env {}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let script = directory.join("set_env.sh");
        fs::write(&script, set_env(&directory)).unwrap();
        for shell in ["bash", "sh"] {
            let output = Command::new(shell)
                .args(["-euc", r#". "$0"; . "$0"; echo "$ASCEND_TOOLKIT_HOME|$LD_LIBRARY_PATH""#])
                .arg(&script)
                .env("LD_LIBRARY_PATH", "/elsewhere")
                .output()
                .unwrap();
            let home = directory.display();
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                format!("{home}|{home}/lib64:/elsewhere\n"),
                "{shell}"
            );
        }
        fs::remove_dir_all(&directory).unwrap();
    }
}
