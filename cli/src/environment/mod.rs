//! The libraries in use on this machine, as data: for `aclnn info`, and for every report.

mod devices;
mod host;
mod missing_functions;
mod tried;
mod versions;

use std::collections::BTreeMap;

use aclnn::{Backend, Error};
use serde::{Deserialize, Serialize};

pub(crate) use devices::DeviceInfo;
pub(crate) use missing_functions::{Missing, OperatorCounts};

/// Everything that the first questions of a bug report ask for.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Environment {
    /// The version of this command.
    pub(crate) aclnn: String,
    /// The compiler that built this command.
    pub(crate) compiler: String,
    /// Operating system, C library and processor.
    pub(crate) host: String,
    /// One line: which libraries serve, and why. Absent where none does.
    pub(crate) backend: Option<String>,
    /// The reason why nothing serves.
    pub(crate) error: Option<String>,
    /// What was tried, in order: libraries of one directory together.
    pub(crate) tried: Vec<String>,
    /// The versions of packages, by name; where a version is not known, why.
    pub(crate) versions: BTreeMap<String, String>,
    /// What CANN says that it can do on this machine, by the name of the attribute.
    pub(crate) capabilities: BTreeMap<String, bool>,
    pub(crate) devices: Vec<DeviceInfo>,
    /// The variables that matter and are set.
    pub(crate) variables: BTreeMap<String, String>,
    pub(crate) operators: OperatorCounts,
    /// The functions that the libraries lack, by library and release.
    pub(crate) missing: Vec<Missing>,
}

impl Environment {
    /// Describes what serves this process; where nothing does, the description says why.
    pub(crate) fn of_process() -> Self {
        let mut environment = Self {
            aclnn: env!("CARGO_PKG_VERSION").to_owned(),
            compiler: env!("ACLNN_RUSTC").to_owned(),
            host: host::describe(),
            variables: host::variables(),
            ..Self::default()
        };
        match Backend::get() {
            Ok(backend) => environment.add(backend),
            Err(error) => environment.fail(&error),
        }
        environment
    }

    fn add(&mut self, backend: &Backend) {
        self.backend = Some(backend.describe());
        self.tried = tried::lines(backend.tried());
        self.versions = versions::of(backend.runtime());
        self.capabilities = versions::capabilities(backend.runtime());
        (self.operators, self.missing) = missing_functions::of(backend);
        match devices::all(backend) {
            Ok(devices) => self.devices = devices,
            Err(error) => self.fail(&error),
        }
    }

    fn fail(&mut self, error: &Error) {
        let tried = match error {
            Error::NotFound { cause, .. } => cause.tried.as_slice(),
            Error::NoEmulator { tried, .. } => tried,
            _ => &[],
        };
        let text = error.to_string();
        self.error = Some(if tried.is_empty() {
            text
        } else {
            self.tried = tried::lines(tried);
            let first = text.lines().next().unwrap_or_default();
            first.strip_suffix(" Tried:").unwrap_or(first).to_owned()
        });
    }
}
