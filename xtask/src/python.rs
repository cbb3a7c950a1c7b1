//! Python, in an environment with the packages that a script needs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace;

/// Runs a script in an environment with the packages of the file `requirements.txt` beside it.
pub(crate) fn run(environment_name: &str, script: &Path) -> Result<()> {
    check(&mut command(environment_name, script)?)
}

/// Returns the command that runs a script in an environment with the packages of the file `requirements.txt` beside it.
pub(crate) fn command(environment_name: &str, script: &Path) -> Result<Command> {
    let requirements = script.with_file_name("requirements.txt");
    let python = environment(environment_name, &["--requirement".as_ref(), requirements.as_ref()])?;
    let mut command = Command::new(python);
    command.arg(script);
    Ok(command)
}

/// Returns the Python interpreter of an environment with these packages.
pub(crate) fn environment(name: &str, packages: &[&Path]) -> Result<PathBuf> {
    let directory = workspace::target().join("python").join(name);
    let python = directory.join("bin").join("python");
    if !python.exists() {
        check(Command::new("python3").args(["-m", "venv"]).arg(&directory))?;
    }
    check(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(packages))?;
    Ok(python)
}

pub(crate) fn check(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("starting {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}
