//! Operands of the command line: a file, or a number.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use aclnn::interop::npy;
use aclnn::{DType, Device, Tensor};
use anyhow::{Context as _, Error, Result, bail};
use safetensors::SafeTensors;

use crate::element_type;

/// A file with a tensor: `a.npy`, `a.npy:bf16`, `a.safetensors:weight`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Source {
    path: PathBuf,
    /// The type of the elements, or the name of the tensor.
    suffix: Option<String>,
}

impl Source {
    /// Reads the name of a file; `None` if the text does not name one.
    pub(crate) fn parse(text: &OsStr) -> Option<Source> {
        let is_file =
            |text: &OsStr| matches!(extension(Path::new(text)).as_deref(), Some("npy" | "safetensors"));
        if is_file(text) {
            return Some(Source { path: text.into(), suffix: None });
        }
        // The name of a tensor may hold colons itself.
        let bytes = text.as_bytes();
        let colons = bytes.iter().enumerate().filter(|(_, byte)| **byte == b':').map(|(at, _)| at);
        let (path, suffix) = colons
            .map(|at| (OsStr::from_bytes(&bytes[..at]), OsStr::from_bytes(&bytes[at + 1..])))
            .find(|(path, _)| is_file(path))?;
        Some(Source { path: path.into(), suffix: Some(suffix.to_string_lossy().into_owned()) })
    }

    /// Copies the tensor to a device. `told` is the type of elements that the file does not tell.
    pub(crate) fn load(&self, device: &Device, told: Option<DType>) -> Result<Tensor> {
        let file = fs::read(&self.path).with_context(|| format!("{} cannot be read", self.path.display()))?;
        let loaded = match extension(&self.path).as_deref() {
            Some("npy") => self.npy(device, &file, told),
            _ => self.safetensors(device, &file),
        };
        loaded.with_context(|| self.path.display().to_string())
    }

    fn npy(&self, device: &Device, file: &[u8], told: Option<DType>) -> Result<Tensor> {
        let told = self.suffix.as_deref().map(element_type::parse).transpose().map_err(Error::msg)?.or(told);
        Ok(match told {
            Some(dtype) => npy::load_as(device, file, dtype)?,
            None => npy::load(device, file)?,
        })
    }

    fn safetensors(&self, device: &Device, file: &[u8]) -> Result<Tensor> {
        let file = SafeTensors::deserialize(file)?;
        let mut names = file.names();
        names.sort_unstable();
        let name = match (self.suffix.as_deref(), names.as_slice()) {
            (Some(name), _) => name,
            (None, [only]) => only,
            (None, _) => bail!("name one of its tensors behind a colon: {}", some(&names)),
        };
        let Ok(view) = file.tensor(name) else {
            bail!("it has no tensor \"{name:.60}\", only {}", some(&names));
        };
        Ok(Tensor::from_safetensors(device, &view)?)
    }
}

/// The first names, and how many there are beside them.
fn some(names: &[&str]) -> String {
    const NAMED: usize = 10;
    let first: Vec<String> = names.iter().take(NAMED).map(|name| format!("{name:.60}")).collect();
    match names.len().saturating_sub(NAMED) {
        0 => first.join(", "),
        rest => format!("{} and {rest} more", first.join(", ")),
    }
}

/// The extension of a file in lower case.
pub(super) fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_lowercase())
}
