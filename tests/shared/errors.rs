//! What errors say, what they give to programs, and what a stranger reads where CANN is missing or incomplete.

use std::error::Error as _;
use std::path::Path;
use std::process::Command;

use aclnn::layout::{BroadcastError, LayoutError};
use aclnn::onnx::CastError;
use aclnn::promote::NotPromotable;
use aclnn::range::RangeError;
use aclnn::{DType, Device, Error, Failure, Tensor, onnx, sys};

use crate::support;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A device; none where there is neither the emulator in this program nor CANN.
fn device() -> Result<Option<Device>, Error> {
    match Device::open(0) {
        Err(Error::NotFound { .. } | Error::NoEmulator { .. }) if cfg!(not(feature = "emulator")) => Ok(None),
        opened => opened.map(Some),
    }
}

#[test]
fn causes_are_given_as_what_they_are() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    let line = Tensor::from_slice(&device, &[1i32, 2, 3], [3])?;
    let pair = Tensor::from_slice(&device, &[1i32, 2], [2])?;

    let error = line.add(&pair).unwrap_err();
    assert_eq!(support::cause::<BroadcastError>(&error).axis, 0);
    let error = line.add(&Tensor::from_slice(&device, &[1u16; 3], [3])?).unwrap_err();
    support::cause::<NotPromotable>(&error);
    let error = line.slice(0, 2..5).unwrap_err();
    assert!(matches!(support::cause::<LayoutError>(&error), LayoutError::Range { axis: 0, size: 3, .. }));
    let error = line.broadcast_to([2]).unwrap_err();
    assert_eq!(support::cause::<BroadcastError>(support::cause::<LayoutError>(&error)).axis, 0);
    let error = Tensor::arange(&device, 0, 5, 0, DType::I32).unwrap_err();
    support::cause::<RangeError>(&error);
    let error = onnx::cast(&line, DType::C64).run().unwrap_err();
    support::cause::<CastError>(&error);

    let error = line.item::<i32>().unwrap_err();
    assert!(error.source().is_none(), "{error:?}");
    Ok(())
}

/// Drop-in libraries read them from a file of the toolkit.
#[test]
fn messages_of_the_emulator_are_in_chinese_where_that_is_asked_for() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    let test = "messages_of_the_emulator_are_in_chinese_where_that_is_asked_for";
    if !support::is_emulated()? || !support::is_alone(module_path!(), test, &[[("ACLNN_LANG", "zh")]])? {
        return Ok(());
    }
    let error = Tensor::zeros(&device, [1 << 50], DType::F32).unwrap_err().to_string();
    assert!(error.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter)), "{error}");
    Ok(())
}

#[test]
fn a_handle_in_use_is_an_error_with_its_cause() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    let _other = device.clone();
    let failed = device.close().unwrap_err();
    assert!(matches!(support::cause::<Error>(&failed), Error::InUse { .. }));
    assert!(failed.to_string().starts_with("device 0 is still in use: "), "{failed}");
    assert_eq!(failed.to_string(), failed.error().to_string());
    Ok(())
}

#[test]
fn codes_that_users_meet_come_with_advice() {
    for code in [
        sys::ACL_ERROR_UNINITIALIZE,
        sys::ACL_ERROR_COMPILING_STUB_MODE,
        sys::ACL_ERROR_OP_NOT_FOUND,
        sys::ACL_ERROR_INVALID_DEVICE,
        sys::ACL_ERROR_RT_INVALID_DEVICEID,
        sys::ACL_ERROR_RT_NO_DEVICE,
        sys::ACL_ERROR_RT_DEV_SETUP_ERROR,
        sys::ACL_ERROR_RT_LOST_HEARTBEAT,
        sys::ACL_ERROR_RT_CONTEXT_NULL,
        sys::ACL_ERROR_RT_STREAM_CONTEXT,
        sys::ACL_ERROR_DRV_FAILURE,
        sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR,
        sys::ACL_ERROR_RT_NO_PERMISSION,
        sys::ACL_ERROR_BAD_ALLOC,
        sys::ACL_ERROR_RT_MEMORY_ALLOCATION,
        sys::ACL_ERROR_RT_DEVICE_OOM,
        sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
        sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
        sys::ACL_ERROR_RT_AICORE_TIMEOUT,
        sys::ACL_ERROR_RT_AICORE_EXCEPTION,
        sys::ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
        sys::ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW,
        sys::ACL_ERROR_RT_AICPU_EXCEPTION,
        sys::ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR,
        sys::ACLNN_ERR_PARAM_NULLPTR,
        sys::ACLNN_ERR_PARAM_INVALID,
        sys::ACLNN_ERR_INNER,
        sys::ACLNN_ERR_INNER_TILING_ERROR,
        sys::ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
        sys::ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND,
    ] {
        let failure = Failure { function: "aclrtAny", code: Some(code), message: Some("its words".into()) };
        let (Some(name), Some(meaning), Some(hint)) = (failure.name(), failure.meaning(), failure.hint())
        else {
            unreachable!("{failure}")
        };
        let expected =
            format!("aclrtAny returned {code} {name}: {meaning}; the library says: its words; {hint}");
        assert_eq!(failure.to_string(), expected);
        let told = Error::StreamFailed(failure).to_string();
        assert!(told.starts_with(&format!("work on a stream failed: {expected}; ")), "{told}");
    }
    let unknown = Failure { function: "aclrtAny", code: Some(123), message: None };
    assert_eq!(unknown.to_string(), "aclrtAny returned 123, a code that is not known");
}

/// What the children do: open a device, and print the error with its source.
#[test]
#[ignore = "other tests start it in a process of its own"]
fn child() {
    let Err(error) = Device::open(0) else { return println!("opened") };
    println!("<error>{error}</error>");
    match &error {
        Error::NotFound { cause: found, .. } => assert_eq!(support::cause::<sys::NotFound>(&error), found),
        Error::MissingSymbol(missing) => assert_eq!(support::cause::<sys::MissingSymbol>(&error), missing),
        _ => {}
    }
}

/// The error of opening a device in another process.
fn error_with(variables: &[(&str, &str)]) -> Result<String, Box<dyn std::error::Error>> {
    let mut command = support::alone(module_path!(), "child");
    command.args(["--ignored", "--nocapture"]);
    for name in ["ACLNN_BACKEND", "ACLNN_CANN_PATH", "ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"] {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).output()?;
    let text = String::from_utf8(output.stdout)?;
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let error = text.split_once("<error>").and_then(|(_, rest)| rest.split_once("</error>"));
    Ok(error.map(|(error, _)| error.to_owned()).ok_or(text)?)
}

const LIBRARIES: [&str; 3] = ["libascendcl.so", "libnnopbase.so", "libopapi.so"];

/// Makes a shared library with these functions.
fn library(path: &Path, functions: &str, needs: Option<&Path>) -> Outcome {
    let source = path.with_extension("c");
    std::fs::write(&source, functions)?;
    let mut command = Command::new("gcc");
    command.args(["-shared", "-fPIC", "-Wl,--no-as-needed", "-o"]).arg(path).arg(&source).args(needs);
    assert!(command.status()?.success());
    Ok(std::fs::remove_file(source)?)
}

fn assert_tells(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }
}

const EMULATOR: &str = if cfg!(feature = "emulator") {
    "ACLNN_BACKEND=emulator runs"
} else {
    "built with the feature `emulator`"
};

#[test]
fn a_missing_toolkit_is_told_with_the_places_and_what_to_do() -> Outcome {
    let text = error_with(&[("ACLNN_BACKEND", "/nonexistent")])?;
    assert_tells(
        &text,
        &["ACLNN_BACKEND=/nonexistent: ", "name a toolkit", "/nonexistent/lib64 (as told): ", EMULATOR],
    );
    assert!(!text.contains("set_env.sh"), "that is not what was asked for: {text}");

    let empty = tempfile::tempdir()?;
    let text = error_with(&[("ACLNN_BACKEND", &empty.path().display().to_string())])?;
    assert_tells(&text, &["(as told): ", EMULATOR]);

    library(&empty.path().join(LIBRARIES[0]), "", None)?;
    let text = error_with(&[("ACLNN_BACKEND", &empty.path().display().to_string())])?;
    assert_tells(&text, &["there is no libnnopbase.so, no libopapi.so or libopapi_*.so"]);
    Ok(())
}

#[test]
fn a_missing_symbol_is_told_with_library_and_release() -> Outcome {
    let toolkit = tempfile::tempdir()?;
    let path = toolkit.path().display().to_string();
    for name in LIBRARIES {
        library(&toolkit.path().join(name), "int aclInit(const char *path) { (void)path; return 0; }", None)?;
    }
    let text = error_with(&[("ACLNN_BACKEND", &path)])?;
    let runtime = format!("`aclrtSetDevice` is not in {path}/libascendcl.so; check that these libraries");
    assert_tells(&text, &[&runtime]);
    assert!(!text.contains("no library"), "{text}");
    // A function that came with a release.
    let library = sys::MissingSymbol::new("aclrtMemPoolCreate", &path);
    assert_tells(
        &library.to_string(),
        &["`aclrtMemPoolCreate` is not in ", &path, "CANN 9.0.0 and later have it"],
    );
    Ok(())
}

#[test]
fn a_missing_dependency_is_told_as_such() -> Outcome {
    let toolkit = tempfile::tempdir()?;
    let driver = toolkit.path().join("libsome_driver.so");
    library(&driver, "", None)?;
    for name in LIBRARIES {
        library(&toolkit.path().join(name), "", Some(&driver))?;
    }
    std::fs::remove_file(&driver)?;
    let text = error_with(&[("ACLNN_BACKEND", &toolkit.path().display().to_string())])?;
    let opened = format!("{}/libascendcl.so (as told): ", toolkit.path().display());
    assert_tells(
        &text,
        &[&opened, "libsome_driver.so", "it needs that library", "LD_LIBRARY_PATH", EMULATOR],
    );
    Ok(())
}

#[test]
#[cfg(not(feature = "emulator"))]
fn a_missing_emulator_is_told_as_such() -> Outcome {
    let text = error_with(&[("ACLNN_BACKEND", "emulator")])?;
    assert_tells(&text, &["ACLNN_BACKEND=emulator", "built without the emulator", "feature `emulator`"]);
    Ok(())
}
