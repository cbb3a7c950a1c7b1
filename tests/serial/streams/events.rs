//! Events where no work runs by itself, and where a device has no more of them.

#![cfg(feature = "emulator")]

use aclnn::{DType, Device, Error, Event, Stream, Tensor, ops, sys};
use cann_stubs::control::{self, Mode, When};
use serial_test::serial;

use super::Outcome;
use super::failed::{fail, failed};
use crate::support;

#[test]
#[serial]
fn an_event_is_waited_for_by_streams_and_by_the_host() -> Outcome {
    let device = Device::open(0)?;
    if !support::is_embedded()? {
        return Ok(());
    }
    // Nothing happens before somebody waits for it.
    let _mode = control::streams_everywhere(Mode::Deferred);
    let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
    let _ones = Tensor::ones(&first, [10], DType::F32)?;
    let (before, after) = (first.record()?, first.record()?);
    assert!(!before.is_complete()?);
    before.synchronize()?;
    assert!(before.is_complete()?);
    let _ones = Tensor::ones(&first, [10], DType::F32)?;
    let behind = first.record()?;
    second.wait(&behind)?;
    second.record()?.synchronize()?;
    assert!(after.is_complete()? && behind.is_complete()?, "the second stream came after both");
    Ok(())
}

/// As the function of the library says it, in milliseconds.
#[test]
#[serial]
fn the_time_between_events_is_that_of_the_library() -> Outcome {
    let device = Device::open(0)?;
    if !support::is_embedded()? {
        return Ok(());
    }
    let stream = Stream::new(&device)?;
    let start = stream.record()?;
    let _ones = Tensor::ones(&stream, [100_000], DType::F32)?;
    let end = stream.record()?;
    end.synchronize()?;
    let (runtime, mut milliseconds) = (sys::Runtime::load(&cann_stubs::source()), 0.0);
    // SAFETY: both events live and were recorded.
    let code = unsafe { runtime.aclrtEventElapsedTime(&mut milliseconds, start.as_raw(), end.as_raw()) };
    assert!(code.is_ok_and(|code| code == 0) && milliseconds > 0.0);
    let told = end.elapsed_since(&start)?.as_secs_f64() * 1000.0;
    assert!((told / f64::from(milliseconds) - 1.0).abs() < 1e-3, "{told} is not {milliseconds}");
    Ok(())
}

/// On a device with few events, where no work runs before somebody waits. Each dependency has one in flight meanwhile.
#[test]
#[serial]
fn more_dependencies_between_streams_than_a_device_has_events() -> Result<(), Box<dyn std::error::Error>> {
    let test = "more_dependencies_between_streams_than_a_device_has_events";
    let releases = ["8.5", "9.1"].map(|release| {
        [
            ("CANN_STUBS_SOC", "Ascend310P3"),
            ("CANN_STUBS_STREAMS", "deferred"),
            ("CANN_STUBS_VERSION", release),
        ]
    });
    if !support::is_emulated()? || !support::is_alone(module_path!(), test, &releases)? {
        return Ok(());
    }
    let device = Device::open(0)?;
    // An event that holds an id of the hardware from when it is made would take it from everybody.
    let plain = control::fail("aclrtCreateEventWithFlag", When::Always, sys::ACL_ERROR_RT_NO_EVENT_RESOURCE);
    let streams = [Stream::new(&device)?, Stream::new(&device)?, Stream::new(&device)?];
    let mut sum = Tensor::zeros(&streams[2], [4], DType::I32)?;
    let mut events = Vec::new();
    let mut transfers = Vec::new();
    for (round, stream) in streams.iter().cycle().take(2500).enumerate() {
        ops::add_in_place(&mut sum, 1).on(stream).run()?;
        if round % 2 == 0 {
            events.push(stream.record()?);
        }
        if round % 10 == 0 {
            transfers.push(sum.download_on(stream, aclnn::HostBuffer::<i32>::zeroed(&device, 4)?)?);
        }
    }
    for (round, transfer) in transfers.into_iter().enumerate() {
        assert_eq!(*transfer.wait()?, [i32::try_from(round)? * 10 + 1; 4]);
    }
    assert_eq!(sum.to_vec::<i32>()?, [2500; 4]);
    assert!(events.iter().map(Event::is_complete).all(|complete| complete.is_ok_and(|complete| complete)));
    assert_eq!(plain.calls(), 0);
    Ok(())
}

#[test]
#[serial]
fn where_no_event_is_left_the_host_waits() -> Outcome {
    let device = Device::open(0)?;
    if !support::is_embedded()? {
        return Ok(());
    }
    let _mode = control::streams_everywhere(Mode::Deferred);
    let lack = |function, when| control::fail(function, when, sys::ACL_ERROR_RT_NO_EVENT_RESOURCE);
    for function in ["aclrtCreateEventExWithFlag", "aclrtRecordEvent"] {
        let streams = [Stream::new(&device)?, Stream::new(&device)?];
        let mut sum = Tensor::zeros(&streams[1], [4], DType::I32)?;
        // Streams are put in order without events.
        let none = lack(function, When::Always);
        for stream in streams.iter().cycle().take(10) {
            ops::add_in_place(&mut sum, 1).on(stream).run()?;
        }
        assert_eq!(none.struck(), 10);
        let refused = streams[0].record();
        assert!(matches!(refused, Err(Error::Library(_))), "{refused:?}");
        drop(none);
        // An event that somebody asks for is there when the work behind others is done.
        let once = lack(function, When::Nth(1));
        let event = streams[0].record()?;
        assert_eq!(once.struck(), 1);
        event.synchronize()?;
        drop(once);
        let once = lack(function, When::Nth(1));
        let upload = sum.upload(aclnn::HostBuffer::from_slice(&device, &[7; 4])?)?;
        assert_eq!(once.struck(), 1);
        drop(once);
        assert_eq!(sum.add(1)?.to_vec::<i32>()?, [8; 4]);
        upload.wait()?;
    }
    // A failure of the work that is waited for is kept.
    let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
    let sum = Tensor::zeros(&first, [4], DType::I32)?;
    assert!(fail(&first)?);
    let _none = lack("aclrtRecordEvent", When::Always);
    let next = ops::add(&sum, 1).on(&second).run();
    failed(next.and_then(|next| next.to_vec::<i32>()));
    failed(first.synchronize());
    Ok(())
}
