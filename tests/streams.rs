//! Order between streams, memory that returns in order, and handles dropped in any order.

use std::thread;

use aclnn::{DType, Device, Error, Event, Stream, Tensor, ops};
use serial_test::serial;

type Outcome = Result<(), Error>;

#[test]
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
