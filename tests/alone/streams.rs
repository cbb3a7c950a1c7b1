//! Order between streams, memory that returns in order, and handles dropped in any order.

use std::cell::RefCell;
use std::thread;

use aclnn::{DType, Device, Error, Event, Stream, Tensor, ops};
use serial_test::serial;

use crate::support;

type Outcome = Result<(), Error>;

#[test]
#[serial]
fn streams_wait_for_each_other_by_themselves() -> Outcome {
    let device = Device::open(0)?;
    let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
    for round in 0..50i32 {
        let a = Tensor::full(&first, [1000], round, DType::I32)?;
        // Read on another stream than it was written on.
        let mut b = ops::add(&a, 1).on(&second).run()?;
        assert_eq!(b.stream(), &second);
        // Written where it was read elsewhere before.
        ops::mul_in_place(&mut b, &a).on(&first).run()?;
        let mut a = a;
        ops::add_in_place(&mut a, 5).on(&second).run()?;
        drop(second.record()?);
        assert_eq!(b.to_vec::<i32>()?, vec![(round + 1) * round; 1000]);
        assert_eq!(a.to_vec::<i32>()?, vec![round + 5; 1000]);
    }
    Ok(())
}

#[test]
#[serial]
fn what_is_read_and_written_at_once_counts_as_written() -> Outcome {
    let device = Device::open(0)?;
    let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
    let a = Tensor::full(&first, [1000], 1, DType::I32)?;
    ops::add(&a, 1).on(&second).run_into(&mut a.clone())?;
    assert_eq!(a.to_vec::<i32>()?, [2; 1000]);
    Ok(())
}

#[test]
#[serial]
fn memory_is_used_again_only_in_order() -> Outcome {
    let device = Device::open(0)?;
    let (home, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let mut sums = Vec::new();
    for round in 0..100i32 {
        let a = Tensor::full(&home, [1000], round, DType::I32)?;
        sums.push(ops::add(&a, 1).on(&other).run()?);
        // `a` goes while the other stream still reads it; the next round may get its memory.
    }
    for (round, sum) in (0..).zip(&sums) {
        assert_eq!(sum.to_vec::<i32>()?, vec![round + 1; 1000]);
    }
    Ok(())
}

#[test]
#[serial]
fn host_copies_wait_for_earlier_work() -> Outcome {
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    for round in 0..100i32 {
        // The memory of the last round, with work that may still be queued.
        let mut a = Tensor::from_slice(&stream, &[round; 500], [500])?;
        let kept = a.add(1)?;
        a.copy_from_slice(&[-1; 500])?;
        assert_eq!(a.add(0)?.to_vec::<i32>()?, [-1; 500]);
        assert_eq!(kept.to_vec::<i32>()?, [round + 1; 500]);
    }
    Ok(())
}

#[test]
#[serial]
fn events() -> Outcome {
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let before = stream.record()?;
    let a = Tensor::ones(&stream, [100], DType::F32)?;
    let after = stream.record()?;
    device.stream().wait(&after)?;
    after.synchronize()?;
    assert!(after.is_complete()? && before.is_complete()?);
    let elapsed = after.elapsed_since(&before)?;
    assert!(elapsed.as_secs() < 60, "{elapsed:?}");
    before.close()?;
    drop(a);
    stream.close()?;
    after.synchronize()
}

#[cfg(feature = "emulator")]
#[test]
#[serial]
fn an_event_is_waited_for_by_streams_and_by_the_host() -> Outcome {
    use cann_stubs::control::{self, Mode};

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

/// Runs what is given in every order.
fn permutations(count: usize, run: &mut dyn FnMut(&[usize]) -> Outcome) -> Outcome {
    fn extend(order: &mut Vec<usize>, count: usize, run: &mut dyn FnMut(&[usize]) -> Outcome) -> Outcome {
        if order.len() == count {
            return run(order);
        }
        for next in 0..count {
            if !order.contains(&next) {
                order.push(next);
                extend(order, count, run)?;
                order.pop();
            }
        }
        Ok(())
    }
    extend(&mut Vec::new(), count, run)
}

/// Any handle, to be dropped.
#[allow(dead_code, reason = "only dropped")]
enum Handle {
    Device(Device),
    Stream(Stream),
    Event(Event),
    Tensor(Tensor),
}

#[test]
#[serial]
fn handles_go_in_any_order() -> Outcome {
    permutations(5, &mut |order| {
        let device = Device::open(0)?;
        let stream = Stream::new(&device)?;
        let a = Tensor::ones(&device, [10], DType::F32)?;
        let b = ops::add(&a, 1).on(&stream).run()?;
        let event = stream.record()?;
        let mut handles = [
            Some(Handle::Device(device)),
            Some(Handle::Stream(stream)),
            Some(Handle::Tensor(a)),
            Some(Handle::Tensor(b)),
            Some(Handle::Event(event)),
        ];
        for &index in order {
            handles[index] = None;
        }
        // Nothing failed on the way that would be reported now.
        Device::open(0)?.synchronize()
    })
}

#[test]
#[serial]
fn threads_share_a_tensor() -> Outcome {
    let device = Device::open(0)?;
    let shared = Tensor::full(&device, [1000], 3, DType::I32)?;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..4i32)
            .map(|index| {
                let shared = &shared;
                scope.spawn(move || -> Outcome {
                    let stream = Stream::new(shared.device())?;
                    for round in 0..50 {
                        let own = Tensor::full(&stream, [1000], index + round, DType::I32)?;
                        let sum = ops::add(&own, shared).on(&stream).run()?;
                        assert_eq!(sum.to_vec::<i32>()?, vec![index + round + 3; 1000]);
                    }
                    Ok(())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap())
    })
}

#[test]
#[serial]
fn threads_write_one_tensor() -> Outcome {
    let device = Device::open(0)?;
    let shared = Tensor::zeros(&device, [1000], DType::I32)?;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let mut own = shared.clone();
                scope.spawn(move || -> Outcome {
                    let stream = Stream::new(own.device())?;
                    (0..100).try_for_each(|_| ops::add_in_place(&mut own, 1).on(&stream).run())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap())
    })?;
    assert_eq!(shared.to_vec::<i32>()?, [400; 1000], "additions of four streams come one after the other");
    Ok(())
}

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
fn fail(stream: &Stream) -> Result<bool, Error> {
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
fn failed<T: std::fmt::Debug>(result: Result<T, Error>) {
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
fn tensors_may_go_with_their_thread() -> Outcome {
    thread_local!(static LAST: RefCell<Option<(Tensor, Stream)>> = const { RefCell::new(None) });
    let device = Device::open(0)?;
    device.trim()?;
    let before = device.memory_info()?;
    let made = device.clone();
    let thread = thread::spawn(move || -> Outcome {
        // Used first, so that it goes last: after what the runtime keeps for the thread.
        LAST.with_borrow_mut(|last| last.take());
        let (home, other) = (Stream::new(&made)?, Stream::new(&made)?);
        let a = Tensor::ones(&home, [1 << 20], DType::I32)?;
        let sum = ops::add(&a, 1).on(&other).run()?;
        assert_eq!(sum.slice(0, 0..2)?.to_vec::<i32>()?, [2, 2]);
        LAST.set(Some((a, other)));
        Ok(())
    });
    thread.join().unwrap()?;
    device.synchronize()?;
    device.trim()?;
    assert_eq!(device.memory_info()?, before);
    assert_eq!(Tensor::ones(&device, [1], DType::I32)?.to_vec::<i32>()?, [1]);
    device.close()?;
    Device::open(0)?.synchronize()
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

#[test]
#[serial]
fn memory_goes_from_thread_to_thread_while_others_trim() -> Outcome {
    let device = Device::open(0)?;
    let shared = Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?;
    thread::scope(|scope| {
        let work = || -> Outcome {
            for _ in 0..100 {
                let stream = Stream::new(shared.device())?;
                let sum = ops::add(&shared, 1).on(&stream).run()?;
                shared.device().trim()?;
                assert_eq!(sum.to_vec::<f32>()?, [2.0, 3.0]);
            }
            Ok(())
        };
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap())
    })
}

/// On a device with few events, where no work runs before somebody waits. Each dependency has one in flight meanwhile.
#[cfg(feature = "emulator")]
#[test]
#[serial]
fn more_dependencies_between_streams_than_a_device_has_events() -> Result<(), Box<dyn std::error::Error>> {
    use cann_stubs::control::{self, When};

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
    let plain =
        control::fail("aclrtCreateEventWithFlag", When::Always, aclnn::sys::ACL_ERROR_RT_NO_EVENT_RESOURCE);
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

#[cfg(feature = "emulator")]
#[test]
#[serial]
fn where_no_event_is_left_the_host_waits() -> Outcome {
    use cann_stubs::control::{self, When};

    let device = Device::open(0)?;
    if !support::is_embedded()? {
        return Ok(());
    }
    let _mode = control::streams_everywhere(control::Mode::Deferred);
    let lack = |function, when| control::fail(function, when, aclnn::sys::ACL_ERROR_RT_NO_EVENT_RESOURCE);
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
