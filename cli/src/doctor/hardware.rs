//! Checks of the nodes through which a process reaches devices.
//!
//! The names of the nodes, and what `ASCEND_RT_VISIBLE_DEVICES` means, are common knowledge about the driver; nothing here
//! was seen on hardware.

use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::finding::Finding;
use super::installation::Installation;
use super::machine::Machine;

/// The nodes that every device needs.
const COMMON: [&str; 3] = ["davinci_manager", "devmm_svm", "hisi_hdc"];

/// Checks whether programs of CANN have something to reach.
fn applies(found: &Installation) -> bool {
    found.driver.is_some() || found.first().is_some_and(|toolkit| !toolkit.is_emulated)
}

/// Returns the nodes of devices, which are called `davinci0` and so on.
fn devices(machine: &Machine) -> Vec<String> {
    let number = |name: &str| name.strip_prefix("davinci")?.parse::<u32>().ok();
    let mut names = machine.names(Path::new("/dev"));
    names.retain(|name| number(name).is_some());
    names.sort_by_key(|name| number(name));
    names
}

/// Checks whether the nodes are there.
pub(super) fn nodes(machine: &Machine, found: &Installation) -> Option<Finding> {
    if !applies(found) {
        return None;
    }
    let devices = devices(machine);
    let mut missing: Vec<&str> =
        COMMON.into_iter().filter(|name| !machine.exists(Path::new("/dev").join(name))).collect();
    if devices.is_empty() {
        missing.insert(0, "davinci0");
    }
    if missing.is_empty() {
        let devices: Vec<&str> = devices.iter().map(String::as_str).collect();
        return Some(Finding::good(
            "device nodes",
            format!("/dev has {}, {}", devices.join(", "), COMMON.join(", ")),
        ));
    }
    let text = format!("/dev lacks {}", missing.join(", "));
    Some(Finding::problem(
        "device nodes",
        text,
        if is_container(machine) {
            let options: Vec<String> = missing.iter().map(|name| format!("--device /dev/{name}")).collect();
            format!(
                "start the container with {}, and one --device /dev/davinciN for each device that it may use",
                options.join(" ")
            )
        } else {
            "check that an NPU is in this machine and that its driver is loaded; a reboot loads a driver that was just installed"
                .to_owned()
        },
    ))
}

fn is_container(machine: &Machine) -> bool {
    let groups = machine.read("/proc/1/cgroup").unwrap_or_default();
    machine.exists("/.dockerenv")
        || machine.exists("/run/.containerenv")
        || ["docker", "kubepods", "containerd", "libpod"].iter().any(|word| groups.contains(word))
}

/// Checks whether this process may use the nodes.
pub(super) fn permission(machine: &Machine, found: &Installation) -> Option<Finding> {
    if !applies(found) {
        return None;
    }
    let user = User::of(machine)?;
    let names = devices(machine).into_iter().chain(COMMON.map(str::to_owned));
    let nodes: Vec<PathBuf> =
        names.map(|name| Path::new("/dev").join(name)).filter(|node| machine.exists(node)).collect();
    for node in &nodes {
        let Ok(metadata) = machine.at(node).metadata() else { continue };
        if !user.may_use(&metadata) {
            let group = group(machine, metadata.gid());
            let (id, mode) = (user.id, metadata.mode() & 0o777);
            return Some(Finding::problem(
                "permission",
                format!(
                    "user {id} may not read and write {}, which has mode {mode:o} and group {group}",
                    node.display()
                ),
                format!(
                    "let the user into the group {group} (usermod -a -G {group} USER, then log in again)"
                ),
            ));
        }
        // The rules for devices of a container forbid what the mode allows.
        if let Err(error) = File::options().read(true).write(true).open(machine.at(node))
            && error.kind() == std::io::ErrorKind::PermissionDenied
        {
            return Some(Finding::problem(
                "permission",
                format!("{} does not open: {error}", node.display()),
                format!("start the container with --device {}", node.display()),
            ));
        }
    }
    (!nodes.is_empty()).then(|| Finding::good("permission", "this user may use all nodes"))
}

/// The user of this process.
struct User {
    id: u32,
    groups: Vec<u32>,
}

impl User {
    fn of(machine: &Machine) -> Option<Self> {
        let status = machine.read("/proc/self/status")?;
        let numbers = |label: &str| -> Vec<u32> {
            let line = status.lines().find_map(|line| line.strip_prefix(label)).unwrap_or_default();
            line.split_whitespace().filter_map(|number| number.parse().ok()).collect()
        };
        // Each line starts with the real id and the effective one.
        let id = *numbers("Uid:").get(1)?;
        Some(Self {
            id,
            groups: numbers("Groups:").into_iter().chain(numbers("Gid:").get(1).copied()).collect(),
        })
    }

    fn may_use(&self, metadata: &Metadata) -> bool {
        let shift = match () {
            () if self.id == 0 => return true,
            () if self.id == metadata.uid() => 6,
            () if self.groups.contains(&metadata.gid()) => 3,
            () => 0,
        };
        metadata.mode() >> shift & 0o6 == 0o6
    }
}

/// Returns the name of a group, or its number where it has none.
fn group(machine: &Machine, id: u32) -> String {
    let groups = machine.read("/etc/group").unwrap_or_default();
    let name = groups.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(id)).then(|| name.to_owned())
    });
    name.unwrap_or_else(|| id.to_string())
}

/// Checks whether devices are hidden from this process.
pub(super) fn visible(machine: &Machine, found: &Installation) -> Option<Finding> {
    const NAME: &str = "ASCEND_RT_VISIBLE_DEVICES";
    let value = machine.variable(NAME)?;
    let count = devices(machine).len();
    if !applies(found) {
        return Some(Finding::note(
            "visible devices",
            format!("{NAME}={value}, and there are no devices to hide"),
        ));
    }
    let named: Vec<Option<usize>> = value.split(',').map(|number| number.trim().parse().ok()).collect();
    let seen = named.iter().flatten().filter(|number| **number < count).count();
    if seen > 0 {
        return Some(Finding::note("visible devices", format!("{NAME}={value} shows {seen} of {count}")));
    }
    let known = (0..count).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    let choice = if known.is_empty() { String::new() } else { format!(", or set it to some of {known}") };
    Some(Finding::problem(
        "visible devices",
        format!("{NAME}={value} hides every device: /dev has {count}"),
        format!("unset {NAME}{choice}"),
    ))
}
