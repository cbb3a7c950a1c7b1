//! The choice of libraries, each in a process of its own.

use std::process::{Command, Output};

use aclnn::{Backend, BackendKind, DType, Device, Error, Tensor};

/// Runs the test `child` of this file with `ACLNN_BACKEND` and others set.
fn run_child(variables: &[(&str, &str)]) -> std::io::Result<Output> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--exact", "child", "--nocapture"]).env("ACLNN_TEST_CHILD", "1");
    for name in ["ACLNN_BACKEND", "ACLNN_CANN_PATH", "ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).output()
}

/// What the children do: compute something, and say where.
#[test]
fn child() {
    if std::env::var_os("ACLNN_TEST_CHILD").is_none() {
        return;
    }
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

#[test]
fn stand_ins_for_linking_do_not_serve() -> Result<(), Box<dyn std::error::Error>> {
    let directory = tempfile::tempdir()?;
    let source = directory.path().join("stand_in.c");
    std::fs::write(&source, "int aclInit(const char *path) { (void)path; return 100039; }\n")?;
    for library in ["libascendcl.so", "libnnopbase.so", "libopapi.so"] {
        let library = directory.path().join(library);
        let status =
            Command::new("gcc").args(["-shared", "-fPIC", "-o"]).arg(library).arg(&source).status()?;
        assert!(status.success());
    }
    let path = directory.path().display().to_string();
    let text = printed(&run_child(&[("ACLNN_BACKEND", "auto"), ("ACLNN_CANN_PATH", &path)])?);
    for part in [path.as_str(), "holds stand-ins for linking", "(ACLNN_CANN_PATH): opened"] {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
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
