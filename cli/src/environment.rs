//! What serves this machine, as data: for `aclnn info`, and for every report.

use std::collections::BTreeMap;

use aclnn::{Backend, Device};
use serde::{Deserialize, Serialize};

/// Everything that the first questions of a bug report ask for.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Environment {
    /// The version of this command.
    pub(crate) aclnn: String,
    /// Operating system and processor.
    pub(crate) host: String,
    /// One line: which libraries serve, and why. Absent where none does.
    pub(crate) backend: Option<String>,
    /// The reason why nothing serves.
    pub(crate) error: Option<String>,
    /// What was tried, in order.
    pub(crate) tried: Vec<String>,
    pub(crate) devices: Vec<DeviceInfo>,
    /// The variables that matter and are set.
    pub(crate) variables: BTreeMap<String, String>,
}

/// A device.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct DeviceInfo {
    pub(crate) ordinal: i32,
    /// The SoC, as `aclrtGetSocName` returns it.
    pub(crate) soc: String,
    /// The product line, if this is a known SoC.
    pub(crate) product: Option<String>,
}

/// The beginnings of the names of variables that matter.
const VARIABLES: [&str; 8] = [
    "ACLNN_",
    "CANN_STUBS_",
    "ASCEND_",
    "ACL_",
    "ASDOPS_",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "DISABLE_L2_CACHE",
];

impl Environment {
    /// Describes what serves this process; where nothing does, the description says why.
    pub(crate) fn of_process() -> Self {
        let mut environment = Self {
            aclnn: env!("CARGO_PKG_VERSION").to_owned(),
            host: format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH),
            variables: variables(),
            ..Self::default()
        };
        match Backend::get() {
            Ok(backend) => {
                environment.backend = Some(backend.describe());
                environment.tried = backend.tried().iter().map(ToString::to_string).collect();
            }
            Err(error) => environment.error = Some(error.to_string()),
        }
        match Device::all() {
            Ok(devices) => environment.devices = devices.iter().map(DeviceInfo::of).collect(),
            Err(error) => _ = environment.error.get_or_insert(error.to_string()),
        }
        environment
    }
}

impl DeviceInfo {
    fn of(device: &Device) -> Self {
        Self {
            ordinal: device.id(),
            soc: device.soc_name().to_owned(),
            product: device.product().map(|product| format!("{product:?}")),
        }
    }
}

fn variables() -> BTreeMap<String, String> {
    std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .filter(|(name, _)| VARIABLES.iter().any(|start| name.starts_with(start)))
        .collect()
}
