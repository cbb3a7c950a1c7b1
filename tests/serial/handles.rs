//! Explicit ends, and failures in drops.

use std::any::Any;
use std::collections::HashSet;
use std::ptr::null_mut;

use aclnn::{Backend, BackendKind, DType, Device, Error, Event, Stream, Tensor, ops, sys};
use serial_test::serial;

use crate::support;

type Outcome = Result<(), Error>;

#[test]
#[serial]
fn devices_are_shared_and_close_once() -> Outcome {
    let device = Device::open(0)?;
    let again = Device::open(0)?;
    assert_eq!(device, again);
    assert_eq!(HashSet::from([&device, &again]).len(), 1);
    assert_eq!(HashSet::from([device.stream(), again.stream(), Stream::new(&device)?]).len(), 2);
    let error = device.close().unwrap_err();
    assert!(matches!(error.error(), Error::InUse { others: 1, .. }), "{error}");
    assert_eq!(error.into_handle().as_ref(), Some(&again), "it stays a handle");
    let tensor = Tensor::ones(&again, [3], DType::F32)?;
    let stream = Stream::new(&again)?;
    let kept = ops::add(&tensor, 1).on(&stream).run()?;
    let error = stream.close().unwrap_err();
    assert!(matches!(error.error(), Error::InUse { .. }), "a tensor belongs to it");
    let stream = error.into_handle();
    assert_eq!(stream.as_ref(), Some(kept.stream()));
    drop(kept);
    stream.map_or(Ok(()), Stream::close)?;
    drop(tensor);
    again.close()?;
    Ok(Device::open(0)?.close()?)
}

/// A device waits for its own streams when it ends, and a graph is captured from a stream of other code.
#[test]
#[serial]
fn a_device_ends_while_other_code_captures_a_graph() -> Outcome {
    let device = Device::open(0)?;
    let runtime = Backend::get()?.runtime();
    let (mut stream, mut graph) = (null_mut(), null_mut());
    // SAFETY: valid places, and handles that are live; the device is used once more, so that it is not reset.
    unsafe {
        assert_eq!(runtime.aclrtSetDevice(0), Ok(0));
        assert_eq!(runtime.aclrtCreateStream(&mut stream), Ok(0));
        let begun = runtime.aclmdlRICaptureBegin(stream, sys::ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
        if begun.is_err() {
            support::skipped("the library does not capture graphs");
        }
        let sum = Tensor::ones(&device, [3], DType::F32)?.add(1)?;
        assert_eq!(sum.to_vec::<f32>()?, [2.0; 3]);
        drop(sum);
        let closed = device.close();
        if begun.is_ok() {
            assert_eq!(runtime.aclmdlRICaptureEnd(stream, &mut graph), Ok(0));
            assert_eq!(runtime.aclmdlRIDestroy(graph), Ok(0));
        }
        assert_eq!(runtime.aclrtDestroyStream(stream), Ok(0));
        assert_eq!(runtime.aclrtResetDevice(0), Ok(0));
        closed?;
    }
    Ok(())
}

/// In a process of its own, since what other tests leave on purpose is told when the libraries end.
#[test]
fn the_libraries_are_finalised_when_no_device_is_open() -> Result<(), Box<dyn std::error::Error>> {
    if !support::is_alone(module_path!(), "the_libraries_are_finalised_when_no_device_is_open", &[[]])? {
        return Ok(());
    }
    let device = Device::open(0)?;
    if device.backend().kind() == BackendKind::Cann {
        support::skipped("whether CANN can be initialised again is not known");
        return Ok(());
    }
    let runtime = device.backend().runtime();
    let tensor = Tensor::ones(&device, [3], DType::F32)?;
    drop(device);
    let error = Backend::finalize().unwrap_err();
    assert!(matches!(error, Error::InUse { what: "device", device: 0, .. }), "{error}");
    assert_eq!(tensor.add(1)?.to_vec::<f32>()?, [2.0; 3]);
    drop(tensor);
    Backend::finalize()?;
    let mut left = 7;
    // SAFETY: a valid place, and no device is open.
    let code = unsafe { runtime.aclFinalizeReference(&mut left)? };
    assert_eq!(code, aclnn::sys::ACL_ERROR_REPEAT_FINALIZE, "this crate was the only one that used it");
    // The next device initialises it again; then somebody else does so too.
    let device = Device::open(0)?;
    // SAFETY: without a configuration.
    let code = unsafe { runtime.aclInit(std::ptr::null())? };
    assert_eq!(code, aclnn::sys::ACL_ERROR_REPEAT_INITIALIZE);
    device.close()?;
    Backend::finalize()?;
    // SAFETY: as above.
    let code = unsafe { runtime.aclFinalizeReference(&mut left)? };
    assert_eq!((code, left), (0, 0), "the use of the other one was left");
    Ok(Device::open(0)?.close()?)
}

#[test]
fn a_device_that_is_going_counts_as_open() -> Result<(), Box<dyn std::error::Error>> {
    if !support::is_alone(module_path!(), "a_device_that_is_going_counts_as_open", &[[]])? {
        return Ok(());
    }
    std::thread::scope(|scope| {
        let ending = scope.spawn(|| -> Outcome {
            for _ in 0..50 {
                drop(Tensor::ones(&Device::open(0)?, [3], DType::F32)?);
            }
            Ok(())
        });
        while !ending.is_finished() {
            let ended = Backend::finalize();
            assert!(matches!(ended, Ok(()) | Err(Error::InUse { .. })), "{ended:?}");
        }
        ending.join().unwrap()
    })?;
    Ok(Backend::finalize()?)
}

#[cfg(feature = "emulator")]
#[test]
#[serial]
fn what_could_not_be_closed_comes_back() -> Outcome {
    use aclnn::{CloseError, HostBuffer};
    use cann_stubs::control::{self, When};

    /// Closes while the device cannot be reached, and gives the handle back.
    fn unreachable<H>(close: impl FnOnce() -> Result<(), CloseError<H>>) -> H {
        let fault = control::fail("aclrtSetCurrentContext", When::Always, 107_002);
        let failed = close().unwrap_err();
        drop(fault);
        assert_eq!(failed.error().code(), Some(107_002), "{failed}");
        failed.into_handle().unwrap()
    }

    let device = Device::open(0)?;
    if !support::is_embedded()? {
        return Ok(());
    }
    let stream = Stream::new(&device)?;
    let event = stream.record()?;
    let event = unreachable(|| event.close());
    event.synchronize()?;
    event.close()?;
    let buffer = HostBuffer::from_slice(&device, &[1.5f32])?;
    let buffer = unreachable(|| buffer.close());
    assert_eq!(*buffer, [1.5]);
    buffer.close()?;
    let stream = unreachable(|| stream.close());
    assert_eq!(Tensor::ones(&stream, [2], DType::F32)?.to_vec::<f32>()?, [1.0; 2]);
    stream.close()?;
    let device = unreachable(|| device.close());
    assert_eq!(Device::open(0)?, device);
    assert_eq!(Tensor::ones(&device, [2], DType::F32)?.to_vec::<f32>()?, [1.0; 2]);
    Ok(device.close()?)
}

#[cfg(feature = "emulator")]
#[test]
#[serial]
fn closing_tells_what_an_earlier_drop_could_not() -> Outcome {
    use aclnn::{CloseError, HostBuffer};
    use cann_stubs::control::{self, When};

    /// What closing leaves of the handle, right after a drop that failed.
    fn told<H>(close: impl FnOnce() -> Result<(), CloseError<H>>) -> Result<Option<H>, Error> {
        let device = Device::open(0)?;
        let fault = control::fail("aclrtFreeHost", When::Nth(1), 107_000);
        drop(HostBuffer::<f32>::zeroed(&device, 3)?);
        drop((fault, device));
        let failed = close().unwrap_err();
        assert!(matches!(failed.error(), Error::Deferred { what: "a host buffer", .. }), "{failed}");
        Ok(failed.into_handle())
    }

    let device = Device::open(0)?;
    if !support::is_embedded()? {
        return Ok(());
    }
    let stream = Stream::new(&device)?;
    let event = stream.record()?;
    assert!(told(|| event.close())?.is_none(), "it has ended");
    let buffer = HostBuffer::<f32>::zeroed(&device, 3)?;
    assert!(told(|| buffer.close())?.is_none());
    let upload =
        Tensor::ones(&stream, [3], DType::F32)?.upload(HostBuffer::from_slice(&device, &[1.5f32; 3])?)?;
    assert!(told(|| upload.wait().map(drop))?.is_some_and(|buffer| *buffer == [1.5; 3]));
    assert!(told(|| stream.close())?.is_none());
    assert!(told(|| device.close())?.is_none());
    Device::open(0)?.synchronize()
}

#[test]
#[serial]
fn unused_memory_goes_back() -> Outcome {
    let device = Device::open(0)?;
    device.trim()?;
    let before = device.memory_info()?;
    drop(Tensor::ones(&device, [1 << 20], DType::F32)?);
    assert!(device.memory_info()?.free < before.free, "the pool keeps it");
    let again = Tensor::ones(&device, [1 << 20], DType::F32)?;
    drop(again);
    device.trim()?;
    assert_eq!(device.memory_info()?, before);
    Ok(())
}

#[test]
fn the_pool_gives_way_to_larger_tensors() -> Result<(), Box<dyn std::error::Error>> {
    let (test, small) = ("the_pool_gives_way_to_larger_tensors", [("CANN_STUBS_MEMORY", "64M")]);
    if !support::is_emulated()? || !support::is_alone(module_path!(), test, &[small])? {
        return Ok(());
    }
    let device = Device::open(0)?;
    assert_eq!(device.memory_info()?.total, 64 << 20);
    drop(Tensor::zeros(&device, [20 << 20], DType::I8)?);
    // Fits only where the first one was.
    let large = Tensor::zeros(&device, [60 << 20], DType::I8)?;
    let error = Tensor::zeros(&device, [60 << 20], DType::I8).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { requested: 0x3c0_0000, .. }), "{error}");
    assert_eq!(large.slice(0, 0..2)?.to_vec::<i8>()?, [0; 2]);
    Ok(())
}

/// Lets a test commit misuse on purpose, as long as what this gives lives. `None` where it would do harm: on a device,
/// and where the drop-in libraries stop the process.
fn misuse_allowed(device: &Device) -> Option<Box<dyn Any>> {
    let stops = std::env::var("CANN_STUBS_CHECK").is_ok_and(|level| level == "abort");
    match device.backend().kind() {
        #[cfg(feature = "emulator")]
        BackendKind::Emulator => Some(Box::new(cann_stubs::control::check(cann_stubs::control::Level::Off))),
        BackendKind::DropIn if !stops => Some(Box::new(())),
        _ => {
            support::skipped("misuse would do harm");
            None
        }
    }
}

#[test]
#[serial]
fn a_failure_in_a_drop_is_reported_by_the_next_call() -> Outcome {
    let device = Device::open(0)?;
    let Some(_allowed) = misuse_allowed(&device) else { return Ok(()) };
    let stream = Stream::new(&device)?;
    let raw = stream.as_raw();
    // SAFETY: the emulator notices what becomes of a stream that is destroyed twice.
    let code = unsafe { device.backend().runtime().aclrtDestroyStream(raw) };
    assert_eq!(code, Ok(0));
    drop(stream);
    let error = Tensor::ones(&device, [1], DType::F32).unwrap_err();
    assert!(matches!(error, Error::Deferred { what: "a stream", .. }), "{error:?}");
    assert!(error.code().is_some());
    let text = error.to_string();
    assert!(
        text.contains("while dropping a stream") && text.contains("aclrtSynchronizeStream returned"),
        "{text}"
    );
    assert_eq!(Tensor::ones(&device, [1], DType::F32)?.to_vec::<f32>()?, [1.0]);
    Ok(())
}

#[test]
#[serial]
fn the_library_s_refusal_names_everything() -> Outcome {
    let device = Device::open(0)?;
    let Some(_allowed) = misuse_allowed(&device) else { return Ok(()) };
    let stream = Stream::new(&device)?;
    let a = Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?;
    // SAFETY: as above.
    assert_eq!(unsafe { device.backend().runtime().aclrtDestroyStream(stream.as_raw()) }, Ok(0));
    let error = ops::mul(&a, &a).on(&stream).run().unwrap_err();
    drop(stream);
    drop(a);
    let text = error.to_string();
    for part in ["self f32[2]", "other f32[2]", "the library says"] {
        assert!(text.contains(part), "{part} is missing in: {text}");
    }
    while device.synchronize().is_err() {}
    Ok(())
}

#[test]
#[serial]
fn raw_handles_are_adopted() -> Outcome {
    let device = Device::open(0)?;
    let runtime = device.backend().runtime();
    device.trim()?;
    let (before, held) = (device.memory_info()?, device.memory_statistics());
    let (mut stream, mut event, mut memory) = (null_mut(), null_mut(), null_mut());
    // SAFETY: valid places; the context of the device is current since the call before.
    let codes = unsafe {
        [
            runtime.aclrtCreateStream(&mut stream)?,
            runtime.aclrtCreateEvent(&mut event)?,
            runtime.aclrtRecordEvent(event, stream)?,
            runtime.aclrtMalloc(&mut memory, 100, sys::ACL_MEM_MALLOC_HUGE_FIRST)?,
        ]
    };
    assert_eq!(codes, [0; 4]);
    // SAFETY: made above, and used by nobody else.
    let (stream, tensor) = unsafe {
        let stream = Stream::from_raw(&device, stream);
        let tensor = Tensor::from_raw(&stream, memory, (5, 5), DType::F32)?;
        (stream, tensor)
    };
    // SAFETY: as above.
    let event = unsafe { Event::from_raw(&stream, event) };
    assert_eq!((tensor.as_raw(), tensor.dims(), tensor.stream()), (memory, &[5, 5][..], &stream));
    // With the bytes that the device's allocator leaves behind it.
    assert_eq!(device.memory_statistics().reserved, held.reserved + 100 + 32);
    device.stream().wait(&event)?;
    event.synchronize()?;
    event.close()?;
    let mut own = tensor.clone();
    own.fill_in_place(1.5)?;
    let doubled = (&tensor + &tensor)?;
    assert_eq!(doubled.to_vec::<f32>()?, [3.0; 25]);
    assert!(stream.query()?);

    // All of it is this crate's, and goes with it.
    drop((tensor, own, doubled));
    stream.close()?;
    device.trim()?;
    assert_eq!((device.memory_info()?, device.memory_statistics().reserved), (before, held.reserved));

    // SAFETY: null is refused.
    let error = unsafe { Tensor::from_raw(&device, null_mut(), [5], DType::F32) }.unwrap_err();
    assert_eq!(error.to_string(), "from_raw(): a tensor of f32[5] is refused: its memory is null");
    Ok(())
}
