//! Failures of the library: the error has its code and its cause, and of two failures none is lost.

#![cfg(feature = "emulator")]

use aclnn::{DType, Device, Error, Failure, Stream, Tensor, ops, sys};
use cann_stubs::control::{self, When};
use serial_test::serial;

use crate::support;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
#[serial]
fn failures_of_the_library_are_given_with_their_code() -> Outcome {
    let device = Device::open(0)?;
    if !support::is_embedded()? {
        return Ok(());
    }
    let tensor = Tensor::ones(&device, [2], DType::F32)?;
    let failing = |function, code| control::fail(function, When::Always, code);

    let fault = failing("aclrtCreateEventExWithFlag", sys::ACL_ERROR_RT_NO_EVENT_RESOURCE);
    let error = device.stream().record().map(|_| ()).unwrap_err();
    drop(fault);
    let failure = support::cause::<Failure>(&error);
    assert!(matches!(error, Error::Library(_)), "{error}");
    assert_eq!(failure.name(), Some("ACL_ERROR_RT_NO_EVENT_RESOURCE"));
    assert_eq!(failure.code, error.code());

    let fault = failing("aclrtMalloc", sys::ACL_ERROR_RT_MEMORY_ALLOCATION);
    let error = Tensor::zeros(&device, [1 << 20], DType::F32).unwrap_err();
    drop(fault);
    assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
    assert_eq!(support::cause::<Failure>(&error).function, "aclrtMalloc");

    let fault = failing("aclnnAddGetWorkspaceSize", sys::ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND);
    let error = tensor.add(&tensor).unwrap_err();
    drop(fault);
    assert!(matches!(error, Error::Launch { .. }), "{error}");
    assert_eq!(support::cause::<Failure>(&error).function, "aclnnAddGetWorkspaceSize");
    let text = error.to_string();
    for part in [
        "(self f32[2], other f32[2], out f32[2], alpha i32)",
        "561112",
        "install the operator binaries for this SoC",
    ] {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }

    let stream = Stream::new(&device)?;
    let fault = failing("run:aclnnAdd", sys::ACL_ERROR_RT_AICORE_EXCEPTION);
    let sum = ops::add(&tensor, &tensor).on(&stream).run()?;
    let error = sum.to_vec::<f32>().unwrap_err();
    drop((fault, sum, stream));
    assert!(matches!(error, Error::StreamFailed(_)), "{error}");
    assert_eq!(support::cause::<Failure>(&error).code, Some(sys::ACL_ERROR_RT_AICORE_EXCEPTION));
    while device.synchronize().is_err() {}

    let stream = Stream::new(&device)?;
    let fault = failing("aclrtDestroyStream", sys::ACL_ERROR_RT_STREAM_CONTEXT);
    drop(stream);
    drop(fault);
    let error = device.synchronize().unwrap_err();
    assert!(matches!(error, Error::Deferred { what: "a stream", .. }), "{error}");
    let earlier = support::cause::<Error>(&error);
    assert_eq!(support::cause::<Failure>(earlier).function, "aclrtDestroyStream");
    Ok(())
}

#[test]
#[serial]
fn of_two_failures_none_is_lost() -> Outcome {
    let device = Device::open(0)?;
    if !support::is_embedded()? {
        return Ok(());
    }
    let stream = Stream::new(&device)?;
    let event = stream.record()?;
    let tensor = Tensor::ones(&device, [2], DType::F32)?;
    let work = control::fail("run:aclnnAdd", When::Always, sys::ACL_ERROR_RT_AICORE_EXCEPTION);
    drop(ops::add(&tensor, &tensor).on(&stream).run()?);
    let end = control::fail("aclrtDestroyEvent", When::Always, sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    drop(event);
    drop(end);
    let error = Error::from(stream.close().unwrap_err());
    drop(work);
    assert!(matches!(error, Error::StreamFailed(_)), "{error}");
    let error = device.synchronize().unwrap_err();
    assert!(matches!(error, Error::Deferred { what: "an event", .. }), "{error}");
    device.synchronize()?;
    Ok(())
}
