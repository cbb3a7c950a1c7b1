//! Checks of the driver, the toolkit and their libraries.

use std::collections::BTreeMap;
use std::env::consts::ARCH;
use std::path::{Path, PathBuf};

use super::choice;
use super::finding::Finding;
use super::installation::{Installation, Toolkit, driver_directories, is_for_linking, libraries};
use super::machine::{Architecture, Machine};

/// Checks whether there are a driver and a toolkit.
pub(super) fn installed(machine: &Machine, found: &Installation) -> Vec<Finding> {
    let toolkit = found.first();
    let mut findings = Vec::new();
    for (origin, path) in &found.empty {
        if *origin != "default place" {
            findings.push(Finding::problem(
                "toolkit",
                format!("{origin} names {}, where there are no libraries of CANN", path.display()),
                format!("correct {origin}, or unset it"),
            ));
        }
    }
    match (&found.driver, toolkit) {
        (None, None) if choice::asks_for_cann(machine) => findings.push(Finding::problem(
            "driver",
            "there is neither a driver nor a toolkit of CANN, and ACLNN_BACKEND=cann forbids the emulator",
            "install the driver and the toolkit of CANN, or unset ACLNN_BACKEND to use the emulator",
        )),
        (None, None) => findings.push(Finding::note(
            "driver",
            "there is neither a driver nor a toolkit of CANN, so the emulator is in use",
        )),
        (Some(driver), None) => {
            findings.push(Finding::good("driver", driver.display().to_string()));
            findings.push(Finding::problem(
                "toolkit",
                "there is a driver, and no toolkit of CANN",
                "install the toolkit that belongs to the driver and source its set_env.sh, or set ACLNN_CANN_PATH to where it \
                 stands",
            ));
        }
        (None, Some(toolkit)) => {
            findings.push(if toolkit.is_emulated {
                Finding::note("driver", "there is none, and the drop-in libraries of the emulator need none")
            } else {
                Finding::problem(
                    "driver",
                    "there is a toolkit of CANN, and no driver",
                    "install the driver, or, in a container, mount the directory of the host's: \
                     -v /usr/local/Ascend/driver:/usr/local/Ascend/driver:ro",
                )
            });
            findings.push(toolkit_found(machine, toolkit));
        }
        (Some(driver), Some(toolkit)) => {
            findings.push(Finding::good("driver", driver.display().to_string()));
            findings.push(toolkit_found(machine, toolkit));
        }
    }
    findings
}

fn toolkit_found(machine: &Machine, toolkit: &Toolkit) -> Finding {
    let has =
        |wanted: &dyn Fn(&str) -> bool| machine.names(&toolkit.libraries).iter().any(|name| wanted(name));
    let mut missing = Vec::new();
    if !has(&|name| ["libacl_rt.so", "libascendcl.so"].contains(&name)) {
        missing.push("libacl_rt.so or libascendcl.so");
    }
    if !has(&|name| name == "libnnopbase.so") {
        missing.push("libnnopbase.so");
    }
    if !has(&|name| name.starts_with("libopapi")) {
        missing.push("libopapi.so or libopapi_*.so");
    }
    let place = format!("{} ({})", toolkit.libraries.display(), toolkit.origin);
    if !missing.is_empty() {
        return Finding::problem(
            "toolkit",
            format!("{place} lacks {}", missing.join(", ")),
            "install the whole toolkit, with the package of operators, into one directory",
        );
    }
    let what = if toolkit.is_emulated { ", the drop-in libraries of the emulator" } else { "" };
    Finding::good("toolkit", place + what)
}

/// Checks whether the variables are those of `set_env.sh`.
pub(super) fn sourced(machine: &Machine, found: &Installation) -> Option<Finding> {
    let toolkit = found.first()?;
    // Libraries of the emulator need nothing beside them.
    if toolkit.is_emulated {
        return None;
    }
    let script = [Some(toolkit.root.as_path()), toolkit.root.parent()].into_iter().flatten();
    let script = script.map(|directory| directory.join("set_env.sh")).find(|script| machine.exists(script));
    let script = script.map_or("its set_env.sh".to_owned(), |script| script.display().to_string());
    let wanted = machine.canonical(&toolkit.libraries);
    let on_path = machine.paths("LD_LIBRARY_PATH").iter().any(|path| machine.canonical(path) == wanted);
    let mut missing = Vec::new();
    if machine.variable("ASCEND_HOME_PATH").is_none() {
        missing.push("ASCEND_HOME_PATH is not set".to_owned());
    }
    match machine.variable("ASCEND_OPP_PATH") {
        None => missing.push("ASCEND_OPP_PATH is not set".to_owned()),
        Some(path) if !machine.exists(path) => {
            missing.push(format!("ASCEND_OPP_PATH names {path}, which does not exist"))
        }
        Some(_) => {}
    }
    if !on_path {
        missing.push(format!("LD_LIBRARY_PATH lacks {}", toolkit.libraries.display()));
    }
    if missing.is_empty() {
        return Some(Finding::good("set_env.sh", "what it sets is set"));
    }
    Some(Finding::problem(
        "set_env.sh",
        format!("what it sets is missing: {}", missing.join(", ")),
        format!("source {script} in the shell that starts the program"),
    ))
}

/// Checks whether the variables name one CANN only.
pub(super) fn one_installation(machine: &Machine, found: &Installation) -> Option<Finding> {
    let mut places: BTreeMap<PathBuf, Vec<&str>> = BTreeMap::new();
    let named =
        found.toolkits.iter().filter(|one| one.origin != "default place" && !is_for_linking(&one.libraries));
    for toolkit in named {
        // Both names of a release, `lib64` and that of the processor, lead to the same directory.
        places.entry(machine.canonical(&toolkit.libraries)).or_default().push(toolkit.origin);
    }
    if let Some(opp) = machine.variable("ASCEND_OPP_PATH").map(Path::new)
        && let Some(root) = opp.parent()
        && let Some(first) = found.first()
        && machine.exists(opp)
        && first.libraries.ends_with("lib64")
    {
        let of_first = first.libraries.parent().map(|root| machine.canonical(root));
        if of_first.is_some_and(|own| own != machine.canonical(root)) {
            places.entry(machine.canonical(root).join("lib64")).or_default().push("ASCEND_OPP_PATH");
        }
    }
    if places.len() < 2 {
        return (!places.is_empty()).then(|| Finding::good("one CANN", "all variables name the same"));
    }
    let places: Vec<String> = places
        .into_iter()
        .map(|(place, mut origins)| {
            origins.dedup();
            format!("{} ({})", place.display(), origins.join(", "))
        })
        .collect();
    Some(Finding::problem(
        "one CANN",
        format!("the variables name several: {}", places.join("; ")),
        "start a new shell and source one set_env.sh only: libraries of two releases must not meet in one process",
    ))
}

/// Checks whether the libraries are for this processor.
pub(super) fn architecture(machine: &Machine, found: &Installation) -> Option<Finding> {
    let toolkit = found.first().map(|toolkit| libraries(machine, &toolkit.libraries)).unwrap_or_default();
    let driver = found.driver.iter().flat_map(|driver| driver_directories(driver));
    let driver =
        driver.map(|directory| directory.join("libascend_hal.so")).filter(|path| machine.exists(path));
    let all: Vec<PathBuf> = toolkit.into_iter().chain(driver).collect();
    let mut count = 0;
    for library in &all {
        let what = match machine.architecture(library) {
            Some(Architecture::Known(known)) if known == ARCH => {
                count += 1;
                continue;
            }
            Some(Architecture::Known(other)) => format!("it is for {other}"),
            Some(Architecture::Other(number)) => format!("it is for the ELF machine {number}"),
            Some(Architecture::NotElf) => {
                "it is no library: its file was cut off, or holds something else".to_owned()
            }
            None => "it cannot be read".to_owned(),
        };
        return Some(Finding::problem(
            "processor",
            format!("{}: {what}", library.display()),
            format!("install the package for {ARCH}, and check that the file is whole"),
        ));
    }
    (count > 0).then(|| Finding::good("processor", format!("libraries are for {ARCH}: {count}")))
}

/// Checks whether the stand-ins for linking are where programs would open them.
pub(super) fn for_linking(machine: &Machine, found: &Installation) -> Option<Finding> {
    let on_path = found.toolkits.iter().find(|toolkit| is_for_linking(&toolkit.libraries))?;
    let advice = match &found.driver {
        Some(_) => {
            "start a new shell and source set_env.sh again, now that there is a driver; it puts this directory there only where \
             there is none"
        }
        None => "install the driver, then start a new shell and source set_env.sh again",
    };
    let place = machine.canonical(&on_path.libraries);
    Some(Finding::problem(
        "stand-ins",
        format!(
            "{} leads to {}, which is for linking: every function there returns 100039",
            on_path.origin,
            place.display()
        ),
        advice,
    ))
}

/// Checks whether the custom operators that the variables name are there.
pub(super) fn custom_operators(machine: &Machine) -> Vec<Finding> {
    const LIBRARY: &str = "op_api/lib/libcust_opapi.so";
    let named =
        machine.paths("ASCEND_CUSTOM_OPP_PATH").into_iter().map(|path| ("ASCEND_CUSTOM_OPP_PATH", path));
    let vendors = machine.variable("ASCEND_OPP_PATH").map(|packages| Path::new(packages).join("vendors"));
    let installed = vendors.into_iter().flat_map(|vendors| {
        let priority = machine.read(vendors.join("config.ini")).unwrap_or_default();
        let names = priority.lines().filter_map(|line| line.trim().strip_prefix("load_priority="));
        let names: Vec<String> =
            names.flat_map(|names| names.split(',')).map(|name| name.trim().to_owned()).collect();
        names
            .into_iter()
            .filter(|name| !name.is_empty())
            .map(move |name| ("vendors/config.ini", vendors.join(name)))
    });
    let finding = |(origin, package): (&str, PathBuf)| {
        let what = if !machine.exists(&package) {
            "does not exist".to_owned()
        } else if !machine.exists(package.join(LIBRARY)) {
            format!("has no {LIBRARY}")
        } else {
            return Finding::good("custom operators", format!("{} ({origin})", package.display()));
        };
        Finding::problem(
            "custom operators",
            format!("{origin} names {}, which {what}", package.display()),
            format!(
                "install the package there again, or take it out of {origin}; until then its operators are missing"
            ),
        )
    };
    named.chain(installed).map(finding).collect()
}
