//! Files that results are written to.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use aclnn::Tensor;
use aclnn::interop::safetensors;
use anyhow::{Context as _, Result, bail, ensure};

use super::npy::Npy;
use super::source::extension;

/// A file for results: `y.npy` for one, `y.safetensors` for any number, `y.safetensors:name` for one with a name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Target {
    path: PathBuf,
    name: Option<String>,
}

impl FromStr for Target {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Target> {
        let (path, name) = match text.split_once(".safetensors:") {
            Some((stem, name)) => (format!("{stem}.safetensors"), Some(name.to_owned())),
            None => (text.to_owned(), None),
        };
        match extension(Path::new(&path)).as_deref() {
            Some("npy" | "safetensors") => Ok(Target { path: path.into(), name }),
            _ => bail!("{path} is neither .npy nor .safetensors"),
        }
    }
}

impl Target {
    /// Writes results to files, and returns the paths. Writes nothing if there are more or fewer files than results.
    pub(crate) fn write(targets: &[Target], results: &[Tensor]) -> Result<Vec<PathBuf>> {
        let files: Vec<(&Path, Vec<u8>)> = match targets {
            [target] if target.name.is_none() && target.is_safetensors() && results.len() != 1 => {
                let named =
                    results.iter().enumerate().map(|(number, tensor)| (format!("result{number}"), tensor));
                vec![(&target.path, safetensors::save(named)?)]
            }
            _ => {
                ensure!(
                    targets.is_empty() || targets.len() == results.len(),
                    "there are {} results for {} files of --out; give one --out for each result, or one .safetensors for all",
                    results.len(),
                    targets.len()
                );
                let pairs = targets.iter().zip(results);
                pairs
                    .map(|(target, tensor)| Ok((&*target.path, target.file(tensor)?)))
                    .collect::<Result<_>>()?
            }
        };
        files.iter().map(|(path, bytes)| write(path, bytes)).collect()
    }

    fn is_safetensors(&self) -> bool {
        extension(&self.path).as_deref() == Some("safetensors")
    }

    /// Returns the bytes of the file for one result.
    fn file(&self, tensor: &Tensor) -> Result<Vec<u8>> {
        if self.is_safetensors() {
            let name = self.name.as_deref().unwrap_or("result");
            return Ok(safetensors::save([(name, tensor)])?);
        }
        Npy::write(tensor.dtype(), tensor.dims(), &tensor.to_bytes()?)
    }
}

/// Writes a file whole or not at all: what stood there may be an operand.
fn write(path: &Path, bytes: &[u8]) -> Result<PathBuf> {
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        _ = fs::remove_file(&part);
    }
    written.with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(path.to_owned())
}
