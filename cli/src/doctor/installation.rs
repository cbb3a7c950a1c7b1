//! The installed software: the driver, toolkits, and those that the variables name.

use std::path::{Path, PathBuf};

use super::machine::Machine;

/// The libraries by which a directory is known as CANN's.
const LIBRARIES: [&str; 4] = ["libacl_rt.so", "libascendcl.so", "libnnopbase.so", "libopapi.so"];
/// The library that all drop-in libraries of the emulator need.
const EMULATOR: &str = "libcann_stubs.so";

/// A CANN, by its directory of libraries.
#[derive(Debug, Clone)]
pub(super) struct Toolkit {
    /// The variable or the place that leads there.
    pub(super) origin: &'static str,
    /// The directory of the toolkit, or that of its libraries if it was named.
    pub(super) root: PathBuf,
    pub(super) libraries: PathBuf,
    /// Whether these are the drop-in libraries of the emulator.
    pub(super) is_emulated: bool,
}

/// What is installed.
pub(super) struct Installation {
    /// The directory of the driver.
    pub(super) driver: Option<PathBuf>,
    /// In the order in which they are tried.
    pub(super) toolkits: Vec<Toolkit>,
    /// The places where a toolkit was looked for and none is.
    pub(super) empty: Vec<(&'static str, PathBuf)>,
}

impl Installation {
    pub(super) fn of(machine: &Machine) -> Self {
        let mut found = Self { driver: driver(machine), toolkits: Vec::new(), empty: Vec::new() };
        for name in ["ACLNN_CANN_PATH", "ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"] {
            if let Some(path) = machine.variable(name) {
                found.look(machine, name, Path::new(path));
            }
        }
        for path in machine.paths("LD_LIBRARY_PATH") {
            if holds_libraries(machine, &path) {
                found.look(machine, "LD_LIBRARY_PATH", &path);
            }
        }
        let home = machine.variable("HOME").map(|home| Path::new(home).join("Ascend"));
        let roots: Vec<PathBuf> =
            [Some(PathBuf::from("/usr/local/Ascend")), home].into_iter().flatten().collect();
        for name in ["cann", "ascend-toolkit/latest"] {
            roots.iter().for_each(|root| found.look(machine, "default place", &root.join(name)));
        }
        found
    }

    fn look(&mut self, machine: &Machine, origin: &'static str, root: &Path) {
        let lib64 = root.join("lib64");
        let Some(libraries) =
            [lib64, root.to_owned()].into_iter().find(|path| holds_libraries(machine, path))
        else {
            self.empty.push((origin, root.to_owned()));
            return;
        };
        let is_emulated = machine.exists(libraries.join(EMULATOR));
        self.toolkits.push(Toolkit { origin, root: root.to_owned(), libraries, is_emulated });
    }

    /// Returns the toolkit that is tried first.
    pub(super) fn first(&self) -> Option<&Toolkit> {
        self.toolkits.iter().find(|toolkit| !is_for_linking(&toolkit.libraries))
    }
}

/// Returns whether a directory holds libraries of CANN.
pub(super) fn holds_libraries(machine: &Machine, directory: &Path) -> bool {
    LIBRARIES.iter().any(|name| machine.exists(directory.join(name)))
}

/// Returns whether a directory is that of the stand-ins for linking without a driver.
pub(super) fn is_for_linking(directory: &Path) -> bool {
    directory.components().any(|part| part.as_os_str() == "devlib")
}

/// Returns the libraries of CANN in a directory.
pub(super) fn libraries(machine: &Machine, directory: &Path) -> Vec<PathBuf> {
    let is_known = |name: &String| {
        LIBRARIES.contains(&name.as_str()) || name == "libacl_op_compiler.so" || name.starts_with("libopapi_")
    };
    machine.names(directory).into_iter().filter(is_known).map(|name| directory.join(name)).collect()
}

/// Returns the directory of the driver, whose place is recorded when it is installed.
fn driver(machine: &Machine) -> Option<PathBuf> {
    let recorded = machine.read("/etc/ascend_install.info").unwrap_or_default();
    let recorded = recorded.lines().filter_map(|line| line.split_once('='));
    let recorded = recorded.map(|(_, value)| PathBuf::from(value.trim())).filter(|path| path.is_absolute());
    let bases = recorded.chain([PathBuf::from("/usr/local/Ascend")]);
    bases.map(|base| base.join("driver")).find(|driver| machine.exists(driver.join("lib64")))
}

/// Returns the directories with the libraries of a driver.
pub(super) fn driver_directories(driver: &Path) -> [PathBuf; 3] {
    ["lib64", "lib64/common", "lib64/driver"].map(|name| driver.join(name))
}
