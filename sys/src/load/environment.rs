//! The settings of the environment about CANN.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The places where CANN may be, from the environment of the process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `ACLNN_CANN_PATH`: a toolkit or a directory of libraries, tried first.
    pub aclnn_cann_path: Option<PathBuf>,
    /// `ASCEND_HOME_PATH`: a toolkit.
    pub ascend_home_path: Option<PathBuf>,
    /// `ASCEND_TOOLKIT_HOME`: a toolkit.
    pub ascend_toolkit_home: Option<PathBuf>,
    /// `ASCEND_OPP_PATH`: the directory of operator packages, searched for those of other vendors.
    pub ascend_opp_path: Option<PathBuf>,
    /// `ASCEND_CUSTOM_OPP_PATH`: packages of custom operators, the preferred one first.
    pub ascend_custom_opp_path: Vec<PathBuf>,
    /// `LD_LIBRARY_PATH`: the directories that the dynamic linker searches first, in order.
    pub ld_library_path: Vec<PathBuf>,
    /// Whether to ask the dynamic linker.
    pub dynamic_linker: bool,
    /// The directories where CANN is installed by default.
    pub default_roots: Vec<PathBuf>,
}

impl Environment {
    /// Returns the environment of this process.
    pub fn of_process() -> Self {
        let path = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let paths = |name| -> Vec<PathBuf> {
            let value = env::var_os(name).unwrap_or_default();
            env::split_paths(&value).filter(|path| !path.as_os_str().is_empty()).collect()
        };
        Self {
            aclnn_cann_path: path("ACLNN_CANN_PATH"),
            ascend_home_path: path("ASCEND_HOME_PATH"),
            ascend_toolkit_home: path("ASCEND_TOOLKIT_HOME"),
            ascend_opp_path: path("ASCEND_OPP_PATH"),
            ascend_custom_opp_path: paths("ASCEND_CUSTOM_OPP_PATH"),
            ld_library_path: paths("LD_LIBRARY_PATH"),
            dynamic_linker: true,
            default_roots: default_roots(path("HOME").as_deref()),
        }
    }
}

/// Returns the directories that CANN's installers use: those of 8.5 and later before those of earlier releases, and
/// those for all users before those for one user.
fn default_roots(home: Option<&Path>) -> Vec<PathBuf> {
    let ascend: Vec<PathBuf> =
        [Some(PathBuf::from("/usr/local/Ascend")), home.map(|home| home.join("Ascend"))]
            .into_iter()
            .flatten()
            .collect();
    ["cann", "ascend-toolkit/latest"]
        .iter()
        .flat_map(|root| ascend.iter().map(move |ascend| ascend.join(root)))
        .collect()
}
