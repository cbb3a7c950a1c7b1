//! Files that results are written to.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use aclnn::Tensor;
use aclnn::interop::{npy, safetensors};
use anyhow::{Context as _, Result, bail, ensure};
use clap::builder::{OsStringValueParser, TypedValueParser};

use super::source::extension;

/// A file for results: `y.npy` for one, `y.safetensors` for any number, `y.safetensors:name` for one with a name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Target {
    path: PathBuf,
    name: Option<String>,
}

impl Target {
    /// Reads the name of a file.
    fn parse(text: &OsStr) -> Result<Target> {
        const NAMED: &[u8] = b".safetensors:";
        let bytes = text.as_bytes();
        let (path, name) = match bytes.windows(NAMED.len()).position(|window| window == NAMED) {
            Some(start) => {
                let (path, name) = bytes.split_at(start + NAMED.len() - 1);
                (OsStr::from_bytes(path), Some(String::from_utf8_lossy(&name[1..]).into_owned()))
            }
            None => (text, None),
        };
        match extension(Path::new(path)).as_deref() {
            Some("npy" | "safetensors") => Ok(Target { path: path.into(), name }),
            _ => bail!("{} is neither .npy nor .safetensors", path.display()),
        }
    }

    /// Reads the name of a file, which need not be UTF-8, from the command line.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Target> {
        OsStringValueParser::new().try_map(|text| Target::parse(&text))
    }

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
        Ok(npy::save(tensor)?)
    }
}

/// Writes a file whole or not at all: what stood there may be an operand. A symbolic link stays one.
fn write(path: &Path, bytes: &[u8]) -> Result<PathBuf> {
    let file = linked(path);
    let mut part = file.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, &file));
    if written.is_err() {
        _ = fs::remove_file(&part);
    }
    written.with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(path.to_owned())
}

/// How many links are followed, as Linux does.
const LINKS: usize = 40;

/// The file that symbolic links lead to, which need not be there yet.
fn linked(path: &Path) -> PathBuf {
    let mut file = path.to_owned();
    for _ in 0..LINKS {
        let Ok(link) = fs::read_link(&file) else { break };
        file = match file.parent() {
            Some(directory) => directory.join(link),
            None => link,
        };
    }
    file
}
