//! Work that failed: who is told of it, and what goes on.

use std::ptr::null_mut;
use std::thread;

use aclnn::{DType, Device, Error, Stream, Tensor, ops, sys};
use serial_test::serial;

use super::Outcome;
use crate::support;

/// Lets work of an operator that is queued while this lives fail when it runs; none where no failure can be made.
#[cfg(feature = "emulator")]
fn fault(operator: &str) -> Option<impl Sized + use<>> {
    use cann_stubs::control::{self, When};

    let embedded = support::is_embedded().is_ok_and(|embedded| embedded);
    let work = format!("run:{operator}");
    embedded.then(|| control::fail(&work, When::Always, aclnn::sys::ACL_ERROR_RT_AICORE_EXCEPTION))
}

/// Without the emulator no failure can be made.
#[cfg(not(feature = "emulator"))]
fn fault(_: &str) -> Option<impl Sized + use<>> {
    None::<()>
}

/// Queues work on the stream that fails when it runs; false where no failure can be made.
pub(super) fn fail(stream: &Stream) -> Result<bool, Error> {
    let Some(_fault) = fault("aclnnInplaceFillScalar") else { return Ok(false) };
    Tensor::ones(stream, [1], DType::F32).map(|_| true)
}

/// Asks until the work is done, or waits for it: where the emulator runs nothing for questions, no answer would change.
fn ask(stream: &Stream) -> Outcome {
    for _ in 0..1000 {
        if stream.query()? {
            return Ok(());
        }
        thread::yield_now();
    }
    stream.synchronize()
}

#[test]
#[serial]
fn a_stream_tells_whether_its_work_is_done() -> Outcome {
    let device = Device::open(0)?;
    let (stream, other) = (Stream::new(&device)?, Stream::new(&device)?);
    assert!(stream.query()?, "nothing is queued");
    let a = Tensor::full(&other, [1000], 3, DType::I32)?;
    let sum = ops::add(&a, 4).on(&stream).run()?;
    // Elsewhere it is known to be done as soon as anybody has waited.
    ask(&stream)?;
    assert!(stream.query()?);
    assert!(other.query()?, "the stream came after it");
    assert_eq!(sum.to_vec::<i32>()?, [7; 1000]);

    // Done is not the same as good: that is for who waits, and known to everybody after that.
    if fail(&stream)? {
        let asked = ask(&stream);
        assert!(matches!(asked, Ok(()) | Err(Error::StreamFailed(_))), "{asked:?}");
        failed(stream.synchronize());
        failed(stream.query());
    }
    assert!(other.query()?);
    Ok(())
}

/// It fails as work of a stream.
pub(super) fn failed<T: std::fmt::Debug>(result: Result<T, Error>) {
    let Err(error @ Error::StreamFailed(_)) = result else { unreachable!("{result:?}") };
    assert!(error.code().is_some());
    let text = error.to_string();
    assert!(
        text.contains("aclnnInplaceFillScalar") && text.contains("make new streams and tensors"),
        "{text}"
    );
}

#[test]
#[serial]
fn everybody_is_told_of_work_that_failed() -> Outcome {
    let device = Device::open(0)?;
    let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
    let good = Tensor::full(&second, [10], 3, DType::I32)?;
    let mut sum = Tensor::ones(&first, [10], DType::I32)?;
    if !fail(&first)? {
        return Ok(());
    }
    let before = ops::add(&sum, 1).on(&second).run()?;
    failed(before.to_vec::<i32>());
    failed(before.to_vec::<i32>());
    failed(sum.to_vec::<i32>());
    failed(sum.to_vec::<i32>());
    failed(sum.copy_from_slice(&[0; 10]));
    failed(sum.add(1));
    failed(ops::add(&good, 1).on(&first).run());
    failed(Tensor::from_slice(&first, &[1], [1]));
    failed(Tensor::empty(&first, [1], DType::I32));
    failed(ops::add(&sum, 1).on(&Stream::new(&device)?).run());
    failed(first.synchronize());
    failed(second.synchronize());
    failed(device.synchronize());
    // Streams that end take nothing with them, and what was told is not told once more.
    failed(first.close().map_err(|failed| match failed.error() {
        Error::InUse { .. } => sum.to_vec::<i32>().unwrap_err(),
        _ => failed.into(),
    }));
    drop(second);
    drop(good);
    failed(before.to_vec::<i32>());
    drop(before);
    failed(sum.to_vec::<i32>());
    drop(sum);
    device.synchronize()?;
    let stream = Stream::new(&device)?;
    assert_eq!(Tensor::ones(&stream, [2], DType::I32)?.add(1)?.to_vec::<i32>()?, [2, 2]);
    stream.close()?;
    Ok(())
}

/// The device cannot be waited for while other code captures a graph from a stream of its own.
#[test]
#[serial]
fn a_failure_beside_a_capture_of_other_code_is_that_of_its_stream_alone() -> Outcome {
    let device = Device::open(0)?;
    let (bad, good) = (Stream::new(&device)?, Stream::new(&device)?);
    let sum = Tensor::ones(&good, [3], DType::I32)?.add(1)?;
    if !fail(&bad)? {
        return Ok(());
    }
    let runtime = device.backend().runtime();
    let (mut foreign, mut graph) = (null_mut(), null_mut());
    // SAFETY: valid places, and handles that are live.
    let begun = unsafe {
        assert_eq!(runtime.aclrtSetDevice(0), Ok(0));
        assert_eq!(runtime.aclrtCreateStream(&mut foreign), Ok(0));
        runtime.aclmdlRICaptureBegin(foreign, sys::ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
    };
    failed(device.synchronize());
    let others = (good.synchronize(), sum.add(1).and_then(|sum| sum.to_vec::<i32>()));
    // SAFETY: as above; the device was used once more.
    unsafe {
        if begun.is_ok() {
            assert_eq!(runtime.aclmdlRICaptureEnd(foreign, &mut graph), Ok(0));
            assert_eq!(runtime.aclmdlRIDestroy(graph), Ok(0));
        }
        assert_eq!(runtime.aclrtDestroyStream(foreign), Ok(0));
        assert_eq!(runtime.aclrtResetDevice(0), Ok(0));
    }
    others.0?;
    assert_eq!(others.1?, [3; 3]);
    Ok(())
}

#[test]
#[serial]
fn threads_that_ask_at_once_are_all_told() -> Outcome {
    let device = Device::open(0)?;
    for _ in 0..100 {
        let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
        let sum = Tensor::ones(&first, [10], DType::I32)?;
        if !fail(&first)? {
            return Ok(());
        }
        let next = ops::add(&sum, 1).on(&second).run()?;
        thread::scope(|scope| {
            scope.spawn(|| failed(sum.to_vec::<i32>()));
            scope.spawn(|| failed(next.to_vec::<i32>()));
            scope.spawn(|| failed(device.synchronize()));
            failed(next.to_vec::<i32>());
        });
    }
    device.synchronize()
}

#[test]
#[serial]
fn a_failure_that_the_end_of_a_stream_finds_is_kept() -> Outcome {
    let device = Device::open(0)?;
    let (home, other, last) = (Stream::new(&device)?, Stream::new(&device)?, Stream::new(&device)?);
    let mut a = Tensor::ones(&home, [10], DType::I32)?;
    if !fail(&other)? {
        return Ok(());
    }
    ops::add_in_place(&mut a, 1).on(&other).run()?;
    let b = ops::add(&a, 1).on(&last).run()?;
    drop(other);
    // The one report of a drop.
    let error = device.synchronize().unwrap_err();
    assert!(matches!(error, Error::Deferred { what: "a stream", .. }), "{error}");
    failed(a.to_vec::<i32>());
    failed(b.to_vec::<i32>());
    // The home of the buffer has only lent it.
    home.synchronize()?;
    assert_eq!(Tensor::ones(&home, [2], DType::I32)?.to_vec::<i32>()?, [1, 1]);
    Ok(())
}

#[test]
#[serial]
fn reading_for_others_does_not_fail_a_stream() -> Outcome {
    let device = Device::open(0)?;
    let (home, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let mut a = Tensor::ones(&home, [10], DType::I32)?;
    // Nothing is left of what it wrote before the host did.
    ops::add_in_place(&mut a, 1).on(&other).run()?;
    a.copy_from_slice(&[1; 10])?;
    if !fail(&other)? {
        return Ok(());
    }
    let lost = ops::add(&a, 1).on(&other).run()?;
    a.copy_from_slice(&[5; 10])?;
    failed(lost.to_vec::<i32>());
    let again = Tensor::ones(&home, [10], DType::I32)?;
    let _ = ops::add(&again, 1).on(&home).run()?;
    assert_eq!(a.add(&again)?.to_vec::<i32>()?, [6; 10]);
    drop(a);
    drop(lost);
    home.synchronize()
}

#[test]
#[serial]
fn failures_travel_through_events_and_circles() -> Outcome {
    let device = Device::open(0)?;
    let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
    let (mut a, mut b) = (Tensor::ones(&first, [4], DType::I32)?, Tensor::ones(&second, [4], DType::I32)?);
    for _ in 0..3 {
        ops::add_in_place(&mut a, &b).on(&first).run()?;
        ops::add_in_place(&mut b, &a).on(&second).run()?;
    }
    // 1 1 → 2 3 → 5 8 → 13 21.
    assert_eq!((a.to_vec::<i32>()?, b.to_vec::<i32>()?), (vec![13; 4], vec![21; 4]));
    if !fail(&first)? {
        return Ok(());
    }
    second.wait(&first.record()?)?;
    // What it does not overwrite would stay wrong.
    let third = Stream::new(&device)?;
    ops::add_in_place(&mut a, 1).on(&third).run()?;
    failed(third.synchronize());
    failed(second.synchronize());
    failed(first.synchronize());
    Ok(())
}

#[test]
#[serial]
fn memory_goes_back_although_work_failed() -> Outcome {
    let device = Device::open(0)?;
    device.trim()?;
    let before = device.memory_info()?;
    let stream = Stream::new(&device)?;
    let a = Tensor::ones(&stream, [1 << 20], DType::I32)?;
    if !fail(&stream)? {
        return Ok(());
    }
    drop(a);
    device.trim()?;
    assert_eq!(device.memory_info()?, before);
    failed(stream.synchronize());
    Ok(())
}

#[test]
#[serial]
fn waiting_after_every_operator_names_the_one_that_failed() -> Result<(), Box<dyn std::error::Error>> {
    let test = "waiting_after_every_operator_names_the_one_that_failed";
    if !support::is_alone(module_path!(), test, &[[("ACLNN_SYNC", "1")]])? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let a = Tensor::ones(&device, [3], DType::F32)?;
    let Some(fault) = fault("aclnnAdds") else { return Ok(()) };
    let error = ops::add(&a, 1).on(&stream).run().unwrap_err();
    assert!(matches!(error, Error::Launch { operator: "aclnnAdds", .. }), "{error}");
    drop(fault);
    let again = ops::add(&a, 1).on(&stream).run();
    assert!(matches!(again, Err(Error::StreamFailed(_))), "{again:?}");
    assert_eq!(a.add(1)?.to_vec::<f32>()?, [2.0; 3]);
    Ok(())
}
