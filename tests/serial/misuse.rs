//! What goes wrong in programs that call CANN by hand, done with this crate: it does not compile (`../compile_fail/`), or it
//! is an error, or it is simply right. The emulator's checks find nothing.

use std::thread;

use aclnn::plan::Policy;
use aclnn::{DType, Device, Error, Event, Stream, Tensor, f16, ops};
use serial_test::serial;

use crate::support;

type Outcome = Result<(), Error>;

/// Runs a program, of which the emulator must have nothing to report.
fn blameless(program: impl FnOnce(&Device) -> Outcome) -> Outcome {
    let device = Device::open(0)?;
    let before = reports();
    program(&device)?;
    device.synchronize()?;
    assert_eq!(reports().get(before.len()..), Some(&[][..]));
    Ok(())
}

/// What the embedded emulator has found in this process. The drop-in libraries are told by `CANN_STUBS_CHECK=abort`.
fn reports() -> Vec<String> {
    #[cfg(feature = "emulator")]
    let found = cann_stubs::control::reports().into_iter().map(|report| report.message).collect();
    #[cfg(not(feature = "emulator"))]
    let found = Vec::new();
    found
}

fn ints(device: &Device, elements: &[i32]) -> Result<Tensor, Error> {
    Tensor::from_slice(device, elements, [elements.len()])
}

/// A binding passes memory of the host as workspace of an operator. The device then writes to an address that means
/// nothing there. Here workspace is device memory of the pool, in the order of the stream.
#[test]
#[serial]
fn workspace_on_the_host() -> Outcome {
    blameless(|device| {
        // For a view with gaps, and for a result that is converted.
        let a = Tensor::from_slice(device, &[f16::ONE; 300], [3, 100])?.transpose(0, 1)?;
        let b = Tensor::from_slice(device, &[2.0f32; 3], [3])?;
        for _ in 0..3 {
            let sum = ops::add(&a, &b).policy(Policy::Delegate).dtype(DType::F16).run()?;
            assert_eq!(sum.to_vec::<f16>()?, [f16::from_f32(3.0); 300]);
        }
        Ok(())
    })
}

/// Phase two consumes the executor; launching it again is a use after free. Here phase two takes the executor, and an
/// operation that is run twice plans twice.
#[test]
#[serial]
fn an_executor_launched_twice() -> Outcome {
    blameless(|device| {
        let (a, b) = (ints(device, &[1, 2])?, ints(device, &[10, 20])?);
        let operation = ops::add(&a, &b);
        let (first, second) = (operation.run()?, operation.run()?);
        assert_eq!(first.to_vec::<i32>()?, [11, 22]);
        assert_eq!(second.to_vec::<i32>()?, [11, 22]);
        Ok(())
    })
}

/// An executor that is planned and never launched leaks. Here a plan is plain data, and an executor whose launch is
/// refused is destroyed.
#[test]
#[serial]
fn an_executor_never_launched() -> Outcome {
    blameless(|device| {
        let a = ints(device, &[1, 2])?;
        assert_eq!(ops::add(&a, 1).plan()?.to_string(), "add: Adds i32 → i32 [2]");
        Ok(())
    })
}

/// `aclDestroyTensorList` frees the tensors in the list; who frees them as well frees twice. Here handles share a buffer
/// that goes with the last of them, in whatever order.
#[test]
#[serial]
fn memory_freed_twice() -> Outcome {
    blameless(|device| {
        let a = ints(device, &[1, 2, 3, 4])?;
        let views = vec![a.clone(), a.slice(0, 1..3)?, a.reshape([2, 2])?];
        drop(a);
        let sums: Vec<_> = views.iter().map(|view| view.add(1)).collect::<Result<_, _>>()?;
        drop(views);
        let sums: Vec<_> = sums.iter().map(|sum| sum.to_vec::<i32>()).collect::<Result<_, _>>()?;
        assert_eq!(sums, [vec![2, 3, 4, 5], vec![3, 4], vec![2, 3, 4, 5]]);
        Ok(())
    })
}

/// `aclrtFree` while queued work uses the memory: the work computes with what is there next. Here memory goes back to the
/// pool in the order of the streams that use it.
#[test]
#[serial]
fn memory_freed_while_work_uses_it() -> Outcome {
    blameless(|device| {
        let other = Stream::new(device)?;
        let mut sums = Vec::new();
        for round in 0..20 {
            let a = Tensor::full(device, [2000], round, DType::I32)?;
            sums.push(ops::add(&a, 1).on(&other).run()?);
            drop(a);
            // May have that memory already.
            drop(Tensor::full(device, [2000], -1, DType::I32)?);
            if round % 7 == 0 {
                device.trim()?;
            }
        }
        for (round, sum) in (0..).zip(&sums) {
            assert_eq!(sum.to_vec::<i32>()?, [round + 1; 2000]);
        }
        Ok(())
    })
}

/// Workspace freed right after the launch, which has only been queued. Here it is kept until the stream has passed.
#[test]
#[serial]
fn workspace_freed_before_the_work() -> Outcome {
    blameless(|device| {
        let a = Tensor::from_slice(device, &[f16::ONE; 1000], [10, 100])?.transpose(0, 1)?;
        let sums: Vec<_> = (0..20).map(|round| a.add(round)?.cast(DType::I32)).collect::<Result<_, _>>()?;
        device.trim()?;
        for (round, sum) in (1..).zip(&sums) {
            assert_eq!(sum.to_vec::<i32>()?, [round; 1000]);
        }
        Ok(())
    })
}

/// A copy from a slice that is gone before the copy runs. Here a copy from a borrow has ended when the function returns.
#[test]
#[serial]
fn a_copy_that_outlives_its_slice() -> Outcome {
    blameless(|device| {
        let tensor = {
            let mut elements = vec![7i32; 5000];
            let tensor = Tensor::from_slice(device, &elements, [5000])?;
            elements.fill(-1);
            tensor
        };
        assert_eq!(tensor.to_vec::<i32>()?, [7; 5000]);
        Ok(())
    })
}

/// Contexts belong to threads: a thread that never set one gets 107002 for everything. Here every call binds its own.
#[test]
#[serial]
fn a_thread_without_a_context() -> Outcome {
    blameless(|device| {
        let stream = Stream::new(device)?;
        let a = ops::add(&ints(device, &[1])?, 1).on(&stream).run()?;
        let event = stream.record()?;
        thread::scope(|scope| {
            let used = scope.spawn(move || -> Result<(Tensor, Event), Error> {
                event.synchronize()?;
                Ok((a.mul(3)?, a.stream().record()?))
            });
            let (tensor, event) = used.join().unwrap()?;
            let read = scope.spawn(move || tensor.to_vec::<i32>());
            assert_eq!(read.join().unwrap()?, [6]);
            scope.spawn(move || drop((event, stream))).join().unwrap();
            Ok(())
        })
    })
}

/// A stream used after `aclrtResetDevice` ended its device. Here streams and tensors keep the device, and closing it
/// under them is refused.
#[test]
#[serial]
fn a_stream_after_its_device() -> Outcome {
    let stream = {
        let device = Device::open(0)?;
        Stream::new(&device)?
    };
    let a = Tensor::ones(&stream, [2], DType::I32)?;
    let refused = stream.device().clone().close().unwrap_err();
    assert!(matches!(refused.error(), Error::InUse { what: "device", .. }), "{refused}");
    assert_eq!(ops::add(&a, 1).on(&stream).run()?.to_vec::<i32>()?, [2, 2]);
    drop(a);
    let device = stream.device().clone();
    drop(refused);
    stream.close()?;
    device.close()?;
    blameless(|device| {
        assert_eq!(ints(device, &[1])?.add(1)?.to_vec::<i32>()?, [2]);
        Ok(())
    })
}

/// A stream destroyed with work in flight, or an event with a stream waiting for it. Here a stream ends after its work.
#[test]
#[serial]
fn a_stream_dropped_with_work_in_flight() -> Outcome {
    blameless(|device| {
        let shared = Tensor::zeros(device, [1000], DType::I32)?;
        for _ in 0..10 {
            let (stream, waiting) = (Stream::new(device)?, Stream::new(device)?);
            ops::add_in_place(&mut shared.clone(), 1).on(&stream).run()?;
            waiting.wait(&stream.record()?)?;
            drop(stream);
            ops::add_in_place(&mut shared.clone(), 1).on(&waiting).run()?;
        }
        assert_eq!(shared.to_vec::<i32>()?, [20; 1000]);
        Ok(())
    })
}

/// Two streams on one tensor with nothing between them. Here the second one waits for the first by itself.
#[test]
#[serial]
fn two_streams_without_an_event() -> Outcome {
    blameless(|device| {
        let (first, second) = (Stream::new(device)?, Stream::new(device)?);
        let mut a = ints(device, &[1, 2, 3])?;
        for _ in 0..5 {
            ops::mul_in_place(&mut a, 2).on(&first).run()?;
            ops::sub_in_place(&mut a, 1).on(&second).run()?;
        }
        // x → 2x − 1, five times: 32x − 31.
        assert_eq!(a.to_vec::<i32>()?, [1, 33, 65]);
        Ok(())
    })
}

/// The result read before the work is done: what was there before. Here reading waits, and so does overwriting.
#[test]
#[serial]
fn a_result_read_early() -> Outcome {
    blameless(|device| {
        let stream = Stream::new(device)?;
        let mut a = Tensor::zeros(&stream, [10_000], DType::I32)?;
        for _ in 0..50 {
            a.add_in_place(1)?;
        }
        assert_eq!(a.to_vec::<i32>()?, [50; 10_000]);
        let kept = a.add(0)?;
        a.copy_from_slice(&[3; 10_000])?;
        assert_eq!(kept.to_vec::<i32>()?, [50; 10_000]);
        Ok(())
    })
}

/// `aclrtMalloc` gives memory that holds anything, and a program that forgets to fill it computes with that. Here no
/// tensor is made without elements, whatever the pool has had before.
#[test]
#[serial]
fn memory_never_written() -> Outcome {
    blameless(|device| {
        for value in [5, 9] {
            drop(Tensor::full(device, [64], value, DType::I32)?);
            assert_eq!(Tensor::zeros(device, [64], DType::I32)?.to_vec::<i32>()?, [0; 64]);
        }
        Ok(())
    })
}

/// An output smaller than the result, which the device writes past. Here its shape must be that of the result.
#[test]
#[serial]
fn an_output_smaller_than_the_result() -> Outcome {
    blameless(|device| {
        let (a, b) = (ints(device, &[1, 2, 3])?, ints(device, &[4])?);
        let mut out = ints(device, &[7])?;
        let refused = ops::add(&a, &b).run_into(&mut out).unwrap_err();
        assert!(matches!(refused, Error::OutputShape { name: "out", .. }), "{refused}");
        let refused = out.add_in_place(&a).unwrap_err();
        assert!(matches!(refused, Error::OutputShape { name: "self", .. }), "{refused}");
        assert_eq!(out.to_vec::<i32>()?, [7]);
        Ok(())
    })
}

/// An output that overlaps an input partly: elements are read that the operator has written already.
#[test]
#[serial]
fn an_output_that_overlaps_an_input() -> Outcome {
    blameless(|device| {
        let all = ints(device, &[1, 2, 3, 4])?;
        let mut out = all.slice(0, 1..4)?;
        let refused = ops::add(&all.slice(0, 0..3)?, 1).run_into(&mut out).unwrap_err();
        assert!(matches!(refused, Error::Overlap { .. }), "{refused}");
        assert_eq!(all.to_vec::<i32>()?, [1, 2, 3, 4]);
        // Exactly the same elements are what operators in place do.
        let same = all.clone();
        ops::add(&all, 1).run_into(&mut same.clone())?;
        assert_eq!(all.to_vec::<i32>()?, [2, 3, 4, 5]);
        Ok(())
    })
}

/// A view that reaches past its memory. Here views are made of tensors, and lie in them.
#[test]
#[serial]
fn a_view_out_of_bounds() -> Outcome {
    blameless(|device| {
        let a = ints(device, &[1, 2, 3, 4])?;
        for refused in [a.slice(0, 2..5), a.select(0, 4), a.reshape([5]), a.broadcast_to([3])] {
            assert!(matches!(refused, Err(Error::View { .. })), "{refused:?}");
        }
        assert_eq!(a.slice_step(0, 1..4, 2)?.to_vec::<i32>()?, [2, 4]);
        Ok(())
    })
}

/// A view with gaps copied as if it had none, so that strangers' elements change or are read. Here only its own do.
#[test]
#[serial]
fn a_view_with_gaps_copied_whole() -> Outcome {
    blameless(|device| {
        let grid = Tensor::zeros(device, [2, 3], DType::I32)?;
        grid.select(1, 1)?.copy_from_slice(&[5, 6])?;
        assert_eq!(grid.to_vec::<i32>()?, [0, 5, 0, 0, 6, 0]);
        assert_eq!(grid.select(1, 1)?.to_vec::<i32>()?, [5, 6]);
        Ok(())
    })
}

/// Bytes read as another type than they were written.
#[test]
#[serial]
fn bytes_of_another_type() -> Outcome {
    blameless(|device| {
        let a = ints(device, &[1, 2])?;
        assert!(matches!(a.to_vec::<f32>(), Err(Error::ElementType { .. })));
        assert!(matches!(a.clone().copy_from_slice(&[1.0f32; 2]), Err(Error::ElementType { .. })));
        let short = Tensor::from_bytes(device, DType::I32, &[1, 0, 0, 0, 2], [2]);
        assert!(matches!(short, Err(Error::Bytes { .. })));
        Ok(())
    })
}

/// Which type i32 and f16 meet in differs from release to release, and a program that never looks loses bits on some.
/// Here the plan says it before anything is launched, and keeps to it.
#[test]
#[serial]
fn a_type_that_nobody_chose() -> Outcome {
    blameless(|device| {
        let whole = ints(device, &[2])?;
        let half = Tensor::from_slice(device, &[f16::ONE], [1])?;
        let sum = ops::add(&whole, &half);
        assert_eq!(sum.plan()?.dtype(), DType::F16);
        assert_eq!(sum.run()?.to_vec::<f16>()?, [f16::from_f32(3.0)]);
        assert_eq!(sum.dtype(DType::F32).run()?.to_vec::<f32>()?, [3.0]);
        Ok(())
    })
}

/// A tensor of one device handed to a stream of another: addresses of one mean nothing to the other.
#[test]
fn a_tensor_of_another_device() -> Result<(), Box<dyn std::error::Error>> {
    let (test, two) = ("a_tensor_of_another_device", [("CANN_STUBS_DEVICES", "2")]);
    if !support::has_two_devices()? || !support::is_alone(module_path!(), test, &[two])? {
        return Ok(());
    }
    let (first, second) = (Device::open(0)?, Device::open(1)?);
    let stream = Stream::new(&second)?;
    let (a, b) = (ints(&first, &[1, 2])?, ints(&second, &[3, 4])?);
    for refused in [a.add(&b), ops::add(&a, 1).on(&stream).run(), b.add(&a)] {
        assert!(matches!(refused, Err(Error::Devices { .. })), "{refused:?}");
    }
    assert!(matches!(stream.wait(&first.stream().record()?), Err(Error::Devices { .. })));
    assert_eq!((a.add(1)?.to_vec::<i32>()?, b.add(1)?.to_vec::<i32>()?), (vec![2, 3], vec![4, 5]));
    assert_eq!(reports(), [""; 0]);
    Ok(())
}

/// Two devices in one thread: who forgets to switch the context allocates on the wrong one. Here every call switches.
#[test]
fn the_context_of_another_device() -> Result<(), Box<dyn std::error::Error>> {
    let (test, two) = ("the_context_of_another_device", [("CANN_STUBS_DEVICES", "2")]);
    if !support::has_two_devices()? || !support::is_alone(module_path!(), test, &[two])? {
        return Ok(());
    }
    let (first, second) = (Device::open(0)?, Device::open(1)?);
    let mut sums = (ints(&first, &[0])?, ints(&second, &[0])?);
    for _ in 0..10 {
        sums.0.add_in_place(1)?;
        sums.1.add_in_place(2)?;
    }
    assert_eq!((sums.0.to_vec::<i32>()?, sums.1.to_vec::<i32>()?), (vec![10], vec![20]));
    drop(sums.0);
    first.close()?;
    assert_eq!(sums.1.add(1)?.to_vec::<i32>()?, [21]);
    assert_eq!(reports(), [""; 0]);
    Ok(())
}
