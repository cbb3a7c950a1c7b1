//! The choice of libraries, each in a process of its own.

use std::path::Path;
use std::process::{Command, Output};

use aclnn::{Backend, BackendKind, DType, Device, Error, Tensor, sys};
use tempfile::TempDir;

use crate::support;

/// Runs the test `child` of this file with `ACLNN_BACKEND` and others set.
fn run_child(variables: &[(&str, &str)]) -> std::io::Result<Output> {
    let mut command = support::alone(module_path!(), "child");
    command.args(["--ignored", "--nocapture"]);
    for name in ["ACLNN_BACKEND", "ACLNN_CANN_PATH", "ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).output()
}

/// What the children do: compute something, and say where.
#[test]
#[ignore = "other tests start it in a process of its own"]
fn child() {
    let run = || -> Result<(), Error> {
        let device = Device::open(0)?;
        println!("kind: {:?}", device.backend().kind());
        println!("backend: {}", device.backend());
        for attempt in device.backend().tried() {
            println!("tried: {attempt}");
        }
        let sum = Tensor::ones(&device, [2], DType::F32)?.add(1)?;
        println!("sum: {:?}", sum.to_vec::<f32>()?);
        Ok(())
    };
    if let Err(error) = run() {
        println!("error: {error}");
        // The error is not kept: the next call tries again.
        assert_eq!(Backend::get().err().map(|again| again.to_string()), Some(error.to_string()));
    }
}

fn printed(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    // What the test harness adds differs from run to run.
    text.lines()
        .filter(|line| line.contains(": "))
        .filter(|line| !line.starts_with("test "))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
#[cfg(feature = "emulator")]
fn the_emulator_serves_when_asked_for() {
    for name in ["emulator", "Emulator", "EMULATOR"] {
        let text = printed(&run_child(&[("ACLNN_BACKEND", name)]).unwrap());
        assert!(text.contains("kind: Emulator") && text.contains("ACLNN_BACKEND asks for it"), "{text}");
        assert!(text.contains("sum: [2.0, 2.0]"), "{text}");
    }
}

/// A toolkit that does nothing but answer as `answers` says, by macros of C: `INIT` is the code of `aclInit`, `DEVICES` and
/// `COUNT` are what `aclrtGetDeviceCount` writes and its code, `REFERENCE` gives it the counted end. Its ends print their names.
fn answering(answers: &[&str]) -> std::io::Result<TempDir> {
    let directory = tempfile::tempdir()?;
    let source = directory.path().join("answers.c");
    std::fs::write(
        &source,
        r#"
        #include <stdio.h>
        #ifdef INIT
        int aclInit(const char *path) { (void)path; return INIT; }
        int aclFinalize(void) { fprintf(stderr, "called: aclFinalize\n"); return 0; }
        #endif
        #ifdef REFERENCE
        int aclFinalizeReference(unsigned long *left) {
            (void)left;
            fprintf(stderr, "called: aclFinalizeReference\n");
            return 0;
        }
        #endif
        #ifdef COUNT
        int aclrtGetDeviceCount(unsigned *count) { *count = DEVICES; return COUNT; }
        #endif
        "#,
    )?;
    for library in ["libascendcl.so", "libnnopbase.so", "libopapi.so"] {
        let mut compiler = Command::new("gcc");
        compiler.args(["-shared", "-fPIC", "-o"]).arg(directory.path().join(library)).arg(&source);
        let compiled = compiler.args(answers.iter().map(|answer| format!("-D{answer}"))).status()?;
        assert!(compiled.success());
    }
    Ok(directory)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Ways in which a CANN is there and does not serve, each with what is told of it.
const USELESS: [(&[&str], &str); 6] = [
    (&["INIT=500000"], "aclInit returned 500000 ACL_ERROR_INTERNAL_ERROR"),
    (&["INIT=507008"], "aclInit returned 507008"),
    (&["INIT=100039"], "holds stand-ins for linking"),
    (&[], "`aclInit` is not in"),
    (&["INIT=0", "REFERENCE", "DEVICES=0", "COUNT=0"], "sees no device"),
    (&["INIT=0", "REFERENCE", "DEVICES=7", "COUNT=507899"], "aclrtGetDeviceCount returned 507899"),
];

#[test]
fn a_cann_that_does_not_initialise_or_count_gives_way_to_the_next_and_at_last_to_the_emulator()
-> Result<(), Box<dyn std::error::Error>> {
    let next = shown(&support::toolkit().join("lib64"));
    for (answers, told) in USELESS {
        let useless = answering(answers)?;
        let path = shown(useless.path());
        let was_tried = |text: &str| {
            let opened = format!("{path}/libascendcl.so (ACLNN_CANN_PATH): opened");
            let failed = format!("{path} (ACLNN_CANN_PATH): ");
            let line = text.lines().find(|line| line.contains(&failed));
            assert!(text.contains(&opened) && line.is_some_and(|line| line.contains(told)), "{told}: {text}");
        };

        let variables = [("ACLNN_BACKEND", "auto"), ("ACLNN_CANN_PATH", &path), ("ASCEND_HOME_PATH", &next)];
        let output = run_child(&variables)?;
        let text = printed(&output);
        was_tried(&text);
        assert!(text.contains("kind: DropIn") && text.contains("found by ASCEND_HOME_PATH"), "{text}");
        assert!(text.contains("sum: [2.0, 2.0]"), "{text}");
        // What was initialised is ended before the next one is.
        let ended = String::from_utf8_lossy(&output.stderr).contains("called: aclFinalizeReference");
        assert_eq!(ended, answers.contains(&"REFERENCE"), "{told}");

        let alone = printed(&run_child(&[("ACLNN_BACKEND", "auto"), ("ACLNN_CANN_PATH", &path)])?);
        if !alone.contains("kind: Cann") {
            was_tried(&alone);
            let emulated = alone.contains("kind: Emulator") && alone.contains("sum: [2.0, 2.0]");
            assert_eq!(emulated, cfg!(feature = "emulator"), "{alone}");
        }
        let cann = printed(&run_child(&[("ACLNN_BACKEND", "cann"), ("ACLNN_CANN_PATH", &path)])?);
        assert!(cann.contains("kind: Cann") || cann.contains(told), "{cann}");
    }
    Ok(())
}

/// Initialises the libraries once and ends them several times, in the children of the next test.
#[test]
#[ignore = "other tests start it in a process of its own"]
fn finalizing_child() -> Result<(), Error> {
    Backend::finalize()?;
    eprintln!("called: nothing");
    Backend::get()?;
    Backend::finalize()?;
    Backend::finalize()
}

#[test]
fn the_libraries_are_finalised_so_that_the_use_of_others_survives() -> Result<(), Box<dyn std::error::Error>>
{
    for (answers, ends) in [
        (&["INIT=0", "REFERENCE"][..], &["aclFinalizeReference"][..]),
        (&["INIT=100002", "REFERENCE"], &["aclFinalizeReference"]),
        (&["INIT=0"], &["aclFinalize"]),
        // Somebody else did it, and would lose it.
        (&["INIT=100002"], &[]),
    ] {
        let directory = answering(answers)?;
        let output = support::alone(module_path!(), "finalizing_child")
            .args(["--ignored", "--nocapture"])
            .env("ACLNN_BACKEND", directory.path())
            .output()?;
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stdout));
        let called: Vec<_> = told.lines().filter_map(|line| line.strip_prefix("called: ")).collect();
        assert_eq!(called, [&["nothing"], ends].concat(), "{answers:?}");
    }
    Ok(())
}

#[test]
fn a_directory_without_libraries_is_an_error_that_says_so() {
    for directory in ["/nowhere/at all", "emulatr"] {
        let text = printed(&run_child(&[("ACLNN_BACKEND", directory)]).unwrap());
        for part in ["error: ", directory, "Tried:", "as told", "ACLNN_BACKEND="] {
            assert!(text.contains(part), "{part:?} is missing in: {text}");
        }
        assert!(!text.contains("sum:"), "{text}");
        // What has no slash may be a word that was misspelt.
        assert_eq!(text.contains("neither auto, cann nor emulator"), !directory.contains('/'), "{text}");
    }
}

#[test]
fn an_empty_value_means_auto() -> Result<(), Box<dyn std::error::Error>> {
    let empty = tempfile::tempdir()?;
    let home = empty.path().display().to_string();
    let auto = printed(&run_child(&[("ACLNN_BACKEND", "auto"), ("ASCEND_HOME_PATH", &home)])?);
    assert_eq!(printed(&run_child(&[("ACLNN_BACKEND", ""), ("ASCEND_HOME_PATH", &home)])?), auto);
    assert!(auto.contains(&format!("{home}/lib64 (ASCEND_HOME_PATH)")), "{auto}");
    Ok(())
}

#[test]
fn cann_is_found_or_missed_with_reasons() {
    let text = printed(&run_child(&[("ACLNN_BACKEND", "cann"), ("ACLNN_CANN_PATH", "/nowhere")]).unwrap());
    if text.contains("error: ") {
        for part in ["ACLNN_BACKEND=cann", "/nowhere", "ACLNN_CANN_PATH", "dynamic linker", "default"] {
            assert!(text.contains(part), "{part:?} is missing in: {text}");
        }
    } else {
        assert!(text.contains("kind: Cann") || text.contains("kind: DropIn"), "{text}");
    }
}

#[test]
fn operators_may_be_waited_for_one_by_one() {
    let backend = std::env::var("ACLNN_BACKEND").unwrap_or_default();
    let text = printed(&run_child(&[("ACLNN_SYNC", "1"), ("ACLNN_BACKEND", &backend)]).unwrap());
    if cfg!(not(feature = "emulator")) && text.contains("error: ") {
        assert!(text.contains("no usable CANN") || text.contains("built without the emulator"), "{text}");
        return;
    }
    assert!(text.contains("sum: [2.0, 2.0]"), "{text}");
}

#[test]
fn the_backend_describes_itself() -> Result<(), Error> {
    let backend = match Backend::get() {
        Err(Error::NotFound { .. } | Error::NoEmulator { .. }) if cfg!(not(feature = "emulator")) => {
            return Ok(());
        }
        backend => backend?,
    };
    let text = backend.describe();
    assert_eq!(text, backend.to_string());
    match backend.kind() {
        BackendKind::Emulator => assert!(text.contains("emulator"), "{text}"),
        BackendKind::DropIn => assert!(text.contains("drop-in"), "{text}"),
        _ => assert!(text.starts_with("CANN in "), "{text}"),
    }
    Ok(())
}

/// The version of a package of CANN's, as the library tells it.
fn version(backend: &Backend, package: sys::aclCANNPackageName) -> Option<String> {
    let mut version = std::mem::MaybeUninit::<sys::aclCANNPackageVersion>::zeroed();
    // SAFETY: the place is valid; zeros are a valid value.
    let code = unsafe { backend.runtime().aclsysGetCANNVersion(package, version.as_mut_ptr()) };
    // SAFETY: as above.
    let version = unsafe { version.assume_init() };
    let text = |letters: &[std::ffi::c_char]| {
        let bytes: Vec<u8> =
            letters.iter().map(|letter| *letter as u8).take_while(|byte| *byte != 0).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    // The emulator tells in the patch what it is.
    let patch = text(&version.patchVersion);
    let emulated = if patch == "emulated" { "+emulated" } else { "" };
    (code == Ok(sys::ACL_SUCCESS)).then(|| text(&version.version) + emulated)
}

/// Prints the lines that `cargo xtask suite` begins with; it runs this test for them.
#[test]
fn version_product_devices_and_driver_are_told() -> Result<(), Error> {
    let device = match Device::open(0) {
        Err(Error::NotFound { .. } | Error::NoEmulator { .. }) if cfg!(not(feature = "emulator")) => {
            return Ok(());
        }
        device => device?,
    };
    let backend = device.backend();
    let told = |package| version(backend, package).unwrap_or_else(|| "of an unknown version".to_owned());
    let count = Device::count()?;
    let devices = if count == 1 { "1 device".to_owned() } else { format!("{count} devices") };
    let [cann, driver] = [sys::ACL_PKG_NAME_CANN, sys::ACL_PKG_NAME_DRIVER].map(told);
    let summary = format!("CANN {cann}, {}, {devices}, driver {driver}", device.soc_name());
    let packages = [
        ("runtime", sys::ACL_PKG_NAME_RUNTIME),
        ("compiler", sys::ACL_PKG_NAME_COMPILER),
        ("toolkit", sys::ACL_PKG_NAME_TOOLKIT),
        ("operators", sys::ACL_PKG_NAME_OPP),
        ("kernels", sys::ACL_PKG_NAME_OPP_KERNEL),
    ];
    let packages = packages.map(|(name, package)| format!("{name} {}", told(package))).join(", ");
    println!("serves: {summary}\nserves: {backend}\nserves: {packages}");
    if backend.kind() != BackendKind::Cann {
        // Nobody takes it for a device, whatever its settings are.
        assert!(summary.matches("+emulated").count() == 2 && summary.contains("Ascend"), "{summary}");
        assert_eq!(packages.matches("+emulated").count(), 5, "{packages}");
    }
    Ok(())
}
