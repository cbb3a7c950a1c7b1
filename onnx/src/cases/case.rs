//! The case of a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, fs, io};

use aclnn::{DType, Device};

use super::compare::{Tolerance, differs};
use super::files::read_value;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::plan::Placement;
use crate::value::Value;

/// The outcome of a test case.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// All outputs of all data sets are as expected.
    Passed {
        /// The nodes that the host computed in place of the device; not those whose inputs it knows anyway.
        on_host: Vec<String>,
    },
    /// An output differs, or the run failed.
    Failed {
        /// The difference, or the failure.
        reason: String,
    },
    /// The model has an operator, a version or a type that this crate does not run.
    NotSupported {
        /// The operator, version or type that is missing.
        reason: String,
    },
}

impl Outcome {
    /// Returns whether all outputs are as expected.
    pub fn is_passed(&self) -> bool {
        matches!(self, Outcome::Passed { .. })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Passed { on_host } if on_host.is_empty() => f.write_str("passed"),
            Outcome::Passed { on_host } => write!(f, "passed, on the host: {}", on_host.join(", ")),
            Outcome::Failed { reason } => write!(f, "failed: {reason}"),
            Outcome::NotSupported { reason } => write!(f, "not supported: {reason}"),
        }
    }
}

/// A test case: a folder with `model.onnx` and data sets.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    folder: PathBuf,
    tolerance: Tolerance,
}

/// The file with the tolerance of a case.
const TOLERANCE: &str = "tolerance.txt";

/// The file with the outputs that become inputs.
const CARRIED: &str = "carried.txt";

impl Case {
    /// Returns the case of a folder, with the tolerance of its file `tolerance.txt` if there is one.
    ///
    /// # Errors
    /// [`Error::File`] if the folder holds no `model.onnx` or `tolerance.txt` is not understood.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Case> {
        let folder = folder.into();
        let model = folder.join("model.onnx");
        fs::metadata(&model).map_err(|source| Error::File { path: model, source })?;
        let tolerance = tolerance(&folder.join(TOLERANCE))?;
        Ok(Case { folder, tolerance })
    }

    /// Returns the name of the folder.
    pub fn name(&self) -> String {
        let name = self.folder.file_name().unwrap_or(self.folder.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns how far outputs may be from what is expected.
    pub fn tolerance(&self) -> Tolerance {
        self.tolerance
    }

    /// Returns the case with another tolerance.
    #[must_use]
    pub fn with_tolerance(self, tolerance: Tolerance) -> Case {
        Case { tolerance, ..self }
    }

    /// Runs the model on each data set, and compares all outputs. Inputs are copied to the device first, except strings.
    pub fn run(&self, device: &Device) -> Outcome {
        match self.try_run(device) {
            Ok(on_host) => Outcome::Passed { on_host },
            Err(error) => self.outcome(&error),
        }
    }

    /// Returns the outcome that an error stands for. The name of the case is known, so that the path of the model is left out.
    fn outcome(&self, error: &Error) -> Outcome {
        let is_missing = match error {
            Error::NotSupported { .. } => true,
            Error::Operator { source, .. } => {
                matches!(**source, aclnn::Error::Unsupported { .. } | aclnn::Error::NoCast { .. })
            }
            _ => false,
        };
        let reason = match error {
            Error::NotSupported { node, reason, .. } => format!("{node}: {reason}"),
            Error::Model { model, place, reason } => {
                let file = Path::new(model).file_name().map(|name| name.to_string_lossy());
                format!("{}: {place}: {reason}", file.unwrap_or_default())
            }
            Error::File { path, source } => {
                let path = path.strip_prefix(&self.folder).unwrap_or(path);
                format!("cannot read {}: {source}", path.display())
            }
            other => other.to_string(),
        };
        match is_missing {
            true => Outcome::NotSupported { reason },
            false => Outcome::Failed { reason },
        }
    }

    /// Returns the nodes that the host computed.
    fn try_run(&self, device: &Device) -> Result<Vec<String>> {
        let model = Model::open(self.folder.join("model.onnx"))?;
        let session = model.session(device)?;
        let sets = self.data_sets()?;
        if sets.is_empty() {
            let source = io::Error::new(io::ErrorKind::NotFound, "it holds no test_data_set_*");
            return Err(Error::File { path: self.folder.clone(), source });
        }
        let carried = carried(&self.folder.join(CARRIED), &model)?;
        let mut state: Vec<(&str, Value)> = Vec::new();
        let mut on_host: Vec<String> = Vec::new();
        for set in &sets {
            let within = |error: Error| match error {
                Error::Output { name, reason } if sets.len() > 1 => {
                    let set = set.file_name().unwrap_or_default().to_string_lossy();
                    Error::Output { name, reason: format!("{reason} ({set})") }
                }
                error => error,
            };
            let mut inputs: Vec<(&str, Value)> = Vec::new();
            for (port, path) in model.inputs().zip(numbered(set, "input")) {
                let value = match state.iter().find(|(name, _)| *name == port.name) {
                    Some((_, value)) => value.clone(),
                    None => on_device(read_value(&path, port.value_type)?, device)?,
                };
                inputs.push((port.name, value));
            }
            let outputs = session.run(inputs)?;
            for node in session.plan()?.nodes() {
                if matches!(node.placement(), Placement::Host(_))
                    && !on_host.iter().any(|label| label == node.label())
                {
                    on_host.push(node.label().to_owned());
                }
            }
            for (port, path) in model.outputs().zip(numbered(set, "output")) {
                let expected = read_value(&path, port.value_type)?;
                let reason = match outputs.get(port.name) {
                    Some(given) => differs(given, &expected, self.tolerance)?,
                    None => Some("it is missing".to_owned()),
                };
                if let Some(reason) = reason {
                    return Err(within(Error::Output { name: port.name.to_owned(), reason }));
                }
            }
            let kept =
                carried.iter().filter_map(|(output, input)| Some((*input, outputs.get(output)?.clone())));
            state = kept.collect();
        }
        Ok(on_host)
    }

    /// Returns the folders of the data sets, in the order of their numbers.
    fn data_sets(&self) -> Result<Vec<PathBuf>> {
        let mut sets: Vec<(u64, PathBuf)> = Vec::new();
        for entry in entries(&self.folder)? {
            let name = entry.file_name().unwrap_or_default().to_string_lossy();
            if let Some(number) = name.strip_prefix("test_data_set_") {
                sets.push((number.parse().unwrap_or(u64::MAX), entry.clone()));
            }
        }
        sets.sort();
        Ok(sets.into_iter().map(|(_, path)| path).collect())
    }
}

/// Returns the paths in a folder, ordered.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |source| Error::File { path: folder.to_owned(), source };
    let entries = fs::read_dir(folder).map_err(failed)?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>();
    let mut paths = paths.map_err(failed)?;
    paths.sort();
    Ok(paths)
}

/// Closes a device and opens it again. Work that failed on it would let every later case fail; it does not, on a new one.
///
/// # Errors
/// The error that the device returned when it was opened.
pub fn renewed(device: Device) -> Result<Device> {
    let ordinal = device.id();
    // The failure is that of the case, which told it.
    drop(device.close());
    Ok(Device::open(ordinal)?)
}

/// The depth to which folders are searched for cases.
const DEPTH: usize = 8;

/// Returns the case of a folder, or those of the folders in it at any depth up to 8, in the order of their paths.
///
/// # Errors
/// Those of [`Case::open`]; [`Error::File`] also if there is no case.
pub fn find(folder: impl AsRef<Path>) -> Result<Vec<Case>> {
    let (folder, mut cases) = (folder.as_ref(), Vec::new());
    search(folder, DEPTH, &mut cases)?;
    if cases.is_empty() {
        let source = io::Error::new(io::ErrorKind::NotFound, "no folder in it holds a model.onnx");
        return Err(Error::File { path: folder.to_owned(), source });
    }
    Ok(cases)
}

fn search(folder: &Path, depth: usize, cases: &mut Vec<Case>) -> Result<()> {
    if folder.join("model.onnx").exists() {
        cases.push(Case::open(folder)?);
        return Ok(());
    }
    for path in entries(folder)? {
        if depth > 0 && path.is_dir() {
            search(&path, depth - 1, cases)?;
        }
    }
    Ok(())
}

/// Returns the lines of a file with something in them; none if there is no file.
fn lines(path: &Path) -> Result<Vec<String>> {
    match fs::read_to_string(path) {
        Ok(text) => {
            Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(Error::File { path: path.to_owned(), source }),
    }
}

fn wrong<T>(path: &Path, reason: String) -> Result<T> {
    let source = io::Error::new(io::ErrorKind::InvalidData, reason);
    Err(Error::File { path: path.to_owned(), source })
}

/// Reads a file with lines such as `rtol 0.002`. What it does not say is as in the default.
fn tolerance(path: &Path) -> Result<Tolerance> {
    let mut tolerance = Tolerance::default();
    for line in lines(path)? {
        let (slot, number) = match line.split_once(' ') {
            Some(("rtol", number)) => (&mut tolerance.relative, number),
            Some(("atol", number)) => (&mut tolerance.absolute, number),
            _ => return wrong(path, format!("{line:?} is neither `rtol NUMBER` nor `atol NUMBER`")),
        };
        *slot = match number.trim().parse() {
            Ok(number) if number >= 0.0 => number,
            _ => return wrong(path, format!("{number:?} is not a tolerance")),
        };
    }
    Ok(tolerance)
}

/// Reads a file with lines such as `OUTPUT INPUT`. Returns the names of both.
fn carried<'a>(path: &Path, model: &'a Model) -> Result<Vec<(&'a str, &'a str)>> {
    let mut pairs = Vec::new();
    for line in lines(path)? {
        let (output, input) = line.split_once(' ').unwrap_or((&line, ""));
        let output = model.outputs().find(|port| port.name == output);
        let input = model.inputs().find(|port| port.name == input.trim());
        match (output, input) {
            (Some(output), Some(input)) => pairs.push((output.name, input.name)),
            _ => return wrong(path, format!("{line:?} does not name an output and an input")),
        }
    }
    Ok(pairs)
}

/// Returns the files `PREFIX_0.pb`, `PREFIX_1.pb` … of a folder that are there.
fn numbered(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    (0..)
        .map(|number| folder.join(format!("{prefix}_{number}.pb")))
        .take_while(|path| path.exists())
        .collect()
}

/// Copies the arrays of a value to the device, except strings: this is how a program gives inputs.
fn on_device(value: Value, device: &Device) -> Result<Value> {
    Ok(match value {
        Value::Known(known) if known.array().dtype() != DType::String => {
            Value::Tensor(known.tensor(&device.stream())?)
        }
        Value::Sequence(values) => {
            let values = values.iter().map(|value| on_device(value.clone(), device));
            Value::Sequence(values.collect::<Result<Vec<_>>>()?.into())
        }
        Value::Optional(Some(value)) => Value::Optional(Some(Arc::new(on_device((*value).clone(), device)?))),
        value => value,
    })
}
