//! Order between streams, memory that returns in order, and threads that share tensors.

use std::thread;

use aclnn::{DType, Device, Stream, Tensor, ops};
use serial_test::serial;

use super::Outcome;

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

/// Repeated calls of one stream need fewer locks, until another stream comes.
#[test]
#[serial]
fn threads_repeat_calls_on_one_tensor() -> Outcome {
    let device = Device::open(0)?;
    let (shared, one) = (Tensor::zeros(&device, [16], DType::I32)?, Tensor::ones(&device, [16], DType::I32)?);
    device.synchronize()?;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|number| {
                let (mut own, one) = (shared.clone(), &one);
                scope.spawn(move || -> Outcome {
                    let stream = Stream::new(own.device())?;
                    for _ in 0..40 {
                        (0..10).try_for_each(|_| ops::add_in_place(&mut own, one).on(&stream).run())?;
                        if number == 0 {
                            own.to_vec::<i32>()?;
                        }
                    }
                    Ok(())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap())
    })?;
    assert_eq!(shared.to_vec::<i32>()?, [1600; 16]);
    assert_eq!(one.to_vec::<i32>()?, [1; 16]);
    Ok(())
}

/// Streams take turns with some tensors, mostly several times. The same steps one after the other on the host give the
/// results; the emulator also refuses work that nothing orders.
#[test]
#[serial]
fn repeated_calls_of_several_streams_stay_in_order() -> Outcome {
    let device = Device::open(0)?;
    let streams = [device.stream(), Stream::new(&device)?, Stream::new(&device)?];
    let mut model = [0i32, 1, 2, 3];
    let tensors: Result<Vec<_>, _> =
        model.iter().map(|&value| Tensor::full(&device, [16], value, DType::I32)).collect();
    let mut tensors = tensors?;
    // An odd number whose bits look random.
    let mut state = 1u64;
    let mut below = |end: usize| {
        state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
        (state >> 33) as usize % end
    };
    for _ in 0..1500 {
        let (stream, what) = (&streams[below(3)], below(8));
        let (a, b, out) = (below(4), below(4), below(4));
        for _ in 0..1 + below(4) {
            let [own, other] = [a, b].map(|index| tensors[index].clone());
            match what {
                0 => assert_eq!(tensors[a].to_vec::<i32>()?, [model[a]; 16]),
                1 => {
                    model[out] = below(100) as i32;
                    tensors[out].copy_from_slice(&[model[out]; 16])?;
                }
                2..5 if a != b => {
                    ops::add_in_place(&mut tensors[a], &other).on(stream).run()?;
                    model[a] = model[a].wrapping_add(model[b]);
                }
                5 => {
                    tensors[out] = ops::add(&own, &other).on(stream).run()?;
                    model[out] = model[a].wrapping_add(model[b]);
                }
                _ => {
                    ops::add(&own, &other).on(stream).run_into(&mut tensors[out])?;
                    model[out] = model[a].wrapping_add(model[b]);
                }
            }
        }
    }
    for (tensor, value) in tensors.iter().zip(model) {
        assert_eq!(tensor.to_vec::<i32>()?, [value; 16]);
    }
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
