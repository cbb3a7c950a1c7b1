//! Executors that are kept for the next call of the same kind. Counted are the emulator's C functions.

use aclnn::{DType, Device, Error, Scalar, Stream, Tensor, ops};
use cann_stubs::control::{self, Fault, When};
use serial_test::serial;

use crate::support;

type Outcome = Result<(), Error>;

/// A device of the embedded emulator, whose functions can be counted.
fn device() -> Result<Option<Device>, Error> {
    support::is_embedded()?.then(|| Device::open(0)).transpose()
}

/// Counts the calls of a function on this thread, none of which fails.
fn counted(function: &str) -> Fault {
    control::fail(function, When::Nth(u64::MAX), 0)
}

fn executors() -> usize {
    control::live().iter().filter(|live| live.kind == "executor").count()
}

#[test]
#[serial]
fn a_kind_of_call_is_planned_once() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    let stream = Stream::new(&device)?;
    let (planned, launched) = (counted("aclnnAddGetWorkspaceSize"), counted("aclnnAdd"));
    let tensors = counted("aclCreateTensor");
    let mut results = Vec::new();
    for round in 0..20i32 {
        // Other tensors, and so other addresses, each time. All of it is queued before anything is read.
        let a = Tensor::from_slice(&stream, &[round; 6], [2, 3])?;
        let b = Tensor::from_slice(&stream, &[10 * round; 3], [3])?;
        results.push(ops::add(&a, &b).alpha(2).run()?);
    }
    assert_eq!((planned.calls(), launched.calls(), tensors.calls()), (1, 20, 3));
    for (round, result) in (0..).zip(&results) {
        assert_eq!(result.to_vec::<i32>()?, [21 * round; 6]);
    }
    Ok(())
}

#[test]
#[serial]
fn what_differs_is_planned_anew() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    let stream = Stream::new(&device)?;
    let a = Tensor::from_slice(&stream, &[1i32, 2, 3, 4], [2, 2])?;
    let b = Tensor::from_slice(&stream, &[10i32, 20, 30, 40], [2, 2])?;
    let turned = b.transpose(0, 1)?;
    let part = Tensor::from_slice(&stream, &[10i32, 20, 30, 40, 50, 60], [3, 2])?.slice(0, 0..2)?;
    let planned = counted("aclnnAddGetWorkspaceSize");
    let add = |own: &Tensor, other: &Tensor, alpha: Scalar| {
        ops::add(own, other).alpha(alpha).run().and_then(|sum| sum.to_vec::<i32>())
    };
    for _ in 0..3 {
        assert_eq!(add(&a, &b, 1.into())?, [11, 22, 33, 44]);
        assert_eq!(add(&a, &b, 2.into())?, [21, 42, 63, 84], "another scalar");
        assert_eq!(add(&a, &turned, 1.into())?, [11, 32, 23, 44], "other strides");
        assert_eq!(add(&a, &b.select(0, 1)?, 1.into())?, [31, 42, 33, 44], "another shape and offset");
        assert_eq!(add(&a, &b.select(0, 0)?, 1.into())?, [11, 22, 13, 24], "another offset");
        assert_eq!(add(&a, &part, 1.into())?, [11, 22, 33, 44], "a buffer of another size");
        assert_eq!(add(&a, &a, 1.into())?, [2, 4, 6, 8], "arguments that share memory");
    }
    assert_eq!(planned.calls(), 7);
    let other = Stream::new(&device)?;
    assert_eq!(ops::add(&a, &b).on(&other).run()?.to_vec::<i32>()?, [11, 22, 33, 44]);
    assert_eq!(planned.calls(), 8, "another stream");
    std::thread::scope(|scope| {
        let other = || {
            let planned = counted("aclnnAddGetWorkspaceSize");
            assert_eq!(add(&a, &b, 1.into()).unwrap(), [11, 22, 33, 44]);
            planned.calls()
        };
        assert_eq!(scope.spawn(other).join().unwrap(), 1, "another thread");
    });
    Ok(())
}

/// The call before it was of the same operator, and differs by this alone.
#[test]
#[serial]
fn one_difference_to_the_call_before_is_enough() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    let stream = Stream::new(&device)?;
    let a = Tensor::from_slice(&stream, &[1i32, 2, 3, 4], [2, 2])?;
    let b = Tensor::from_slice(&stream, &[10i32, 20, 30, 40], [2, 2])?;
    let part = Tensor::from_slice(&stream, &[10i32, 20, 30, 40, 50, 60], [3, 2])?.slice(0, 0..2)?;
    let planned = counted("aclnnMulGetWorkspaceSize");
    for (other, product, plans) in [
        (&b, [10, 40, 90, 160], 1),
        (&part, [10, 40, 90, 160], 2),
        (&b, [10, 40, 90, 160], 2),
        (&a, [1, 4, 9, 16], 3),
        (&b, [10, 40, 90, 160], 3),
    ] {
        assert_eq!(a.mul(other)?.to_vec::<i32>()?, product);
        assert_eq!(planned.calls(), plans);
    }
    Ok(())
}

#[test]
#[serial]
fn scalars_of_the_same_bytes_differ_by_their_type() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    let (zero, one) = (Tensor::zeros(&device, [1], DType::I64)?, Tensor::ones(&device, [1], DType::I64)?);
    let scaled = |alpha: Scalar| ops::add(&zero, &one).alpha(alpha).run()?.item::<i64>();
    for _ in 0..2 {
        assert_eq!(scaled((-1i32).into())?, -1);
        assert_eq!(scaled(0xffff_ffff_i64.into())?, 0xffff_ffff);
    }
    Ok(())
}

#[test]
#[serial]
fn in_place_is_not_out_of_place() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    let stream = Stream::new(&device)?;
    for round in 1..4i32 {
        let a = Tensor::from_slice(&stream, &[1.5f32, 2.5], [2])?;
        let mut out = Tensor::from_slice(&stream, &[0f32, 0.0], [2])?;
        ops::mul(&a, &a).run_into(&mut out)?;
        let mut same = a.clone();
        ops::mul(&a, &a).run_into(&mut same)?;
        assert_eq!(out.to_vec::<f32>()?, [2.25, 6.25], "round {round}");
        assert_eq!(a.to_vec::<f32>()?, [2.25, 6.25], "round {round}");
    }
    Ok(())
}

#[test]
#[serial]
fn an_operation_that_runs_again_is_checked_as_the_first_time() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    let stream = Stream::new(&device)?;
    let planned = counted("aclnnAddGetWorkspaceSize");
    let a = Tensor::from_slice(&stream, &[1i32, 2, 3, 4], [4])?;
    let b = Tensor::from_slice(&stream, &[10i32, 20, 30, 40], [4])?;
    let mut out = Tensor::zeros(&stream, [4], DType::I32)?;
    let wide = Tensor::from_slice(&stream, &[5i32; 8], [8])?;
    for _ in 0..3 {
        ops::add(&a, &b).run_into(&mut out)?;
        assert_eq!(out.to_vec::<i32>()?, [11, 22, 33, 44]);
        ops::add(&a, &b).alpha(2).run_into(&mut out)?;
        assert_eq!(out.to_vec::<i32>()?, [21, 42, 63, 84], "another scalar");
        ops::add(&out.clone(), &b).run_into(&mut out)?;
        assert_eq!(out.to_vec::<i32>()?, [31, 62, 93, 124], "the output is an operand");
        ops::add(&b, &a).run_into(&mut wide.slice(0, 4..)?)?;
        assert_eq!(wide.to_vec::<i32>()?, [5, 5, 5, 5, 11, 22, 33, 44], "another offset");
        let error = ops::add(&a, &b).run_into(&mut wide.clone()).unwrap_err();
        assert!(matches!(error, Error::OutputShape { .. }), "{error}");
        let error = ops::add(&wide.slice(0, ..4)?, &a).run_into(&mut wide.slice(0, 2..6)?).unwrap_err();
        assert!(matches!(error, Error::Overlap { .. }), "{error}");
        let error = ops::add(&a, &b).alpha(0.5).run_into(&mut out).unwrap_err();
        assert!(matches!(error, Error::Alpha { .. }), "{error}");
        let error = ops::add(&a, &b).run_into(&mut out.broadcast_to([2, 4])?).unwrap_err();
        assert!(matches!(error, Error::OutputShape { .. }), "{error}");
    }
    assert_eq!(planned.calls(), 4);
    let (planned, launched) = (counted("aclnnDivGetWorkspaceSize"), counted("aclnnDiv"));
    let (x, y) =
        (Tensor::from_slice(&stream, &[4f32; 2], [2])?, Tensor::from_slice(&stream, &[1f32; 2], [2])?);
    let mut quotient = Tensor::zeros(&stream, [2], DType::F32)?;
    for _ in 0..3 {
        ops::div(&x, &y).run_into(&mut quotient)?;
        assert_eq!(quotient.to_vec::<f32>()?, [4.0; 2]);
        ops::rdiv(&x, &y).run_into(&mut quotient)?;
        assert_eq!(quotient.to_vec::<f32>()?, [0.25; 2], "the other way round");
    }
    assert_eq!((planned.calls(), launched.calls()), (2, 6));
    Ok(())
}

#[test]
#[serial]
fn what_the_library_does_not_repeat_is_planned_each_time() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    let stream = Stream::new(&device)?;
    let a = Tensor::from_slice(&stream, &[1i64, 2], [2])?;
    let refusal = control::fail("aclSetAclOpExecutorRepeatable", When::Always, 561_000);
    let planned = counted("aclnnSubsGetWorkspaceSize");
    for round in 0..5i64 {
        assert_eq!(a.sub(7)?.to_vec::<i64>()?, [-6, -5], "round {round}");
    }
    assert_eq!((planned.calls(), refusal.struck()), (5, 1), "it is asked once");
    Ok(())
}

#[test]
#[serial]
fn a_failure_is_told_and_forgotten() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    for function in ["aclSetInputTensorAddr", "aclSetOutputTensorAddr", "aclnnMul"] {
        let stream = Stream::new(&device)?;
        let operands = || Tensor::from_slice(&stream, &[3i32, 4], [2]);
        let (first, second) = (operands()?, operands()?);
        let squared = first.mul(&first)?;
        let fault = control::fail(function, When::Nth(1), 361_001);
        let error = second.mul(&second).unwrap_err();
        assert_eq!(error.code(), Some(361_001), "{error}");
        assert!(error.to_string().starts_with("aclnnMul(self i32[2], other i32[2]"), "{error}");
        assert_eq!(fault.struck(), 1, "{function}");
        drop(fault);
        let planned = counted("aclnnMulGetWorkspaceSize");
        assert_eq!(second.mul(&second)?.to_vec::<i32>()?, [9, 16]);
        assert_eq!(planned.calls(), 1, "what failed is not used again");
        assert_eq!(squared.to_vec::<i32>()?, [9, 16]);
    }
    Ok(())
}

#[test]
#[serial]
fn executors_are_bounded_and_go_with_their_stream() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    let stream = Stream::new(&device)?;
    let mut a = Tensor::zeros(&device, [1], DType::I32)?;
    let others = executors();
    let launched = counted("aclnnInplaceAdds");
    for value in 0..1000i32 {
        ops::add_in_place(&mut a, value).on(&stream).run()?;
    }
    let kept = executors() - others;
    assert!((2..=256).contains(&kept), "{kept} executors are kept");
    assert_eq!((a.to_vec::<i32>()?, launched.calls()), (vec![499_500], 1000));
    // The buffer still knows the stream.
    stream.close()?;
    assert_eq!(executors(), others);
    drop(a);
    Ok(())
}

#[test]
#[serial]
fn threads_share_a_stream() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    let stream = Stream::new(&device)?;
    let a = Tensor::from_slice(&stream, &[1i32; 100], [100])?;
    std::thread::scope(|scope| -> Outcome {
        let threads: Vec<_> = (0..4i32)
            .map(|number| {
                let a = &a;
                scope.spawn(move || -> Result<Vec<i32>, Error> {
                    let mut sum = a.copy()?;
                    for _ in 0..50 {
                        sum = sum.add(a)?.add(number)?;
                    }
                    sum.to_vec()
                })
            })
            .collect();
        for (number, thread) in (0..).zip(threads) {
            assert_eq!(thread.join().unwrap()?, [51 + 50 * number; 100]);
        }
        Ok(())
    })
}

/// Arrays tell calls apart by their values and lengths.
#[test]
#[serial]
fn calls_with_arrays_are_planned_once() -> Outcome {
    let Some(device) = device()? else { return Ok(()) };
    let stream = Stream::new(&device)?;
    let (planned, launched) = (counted("aclnnReduceSumGetWorkspaceSize"), counted("aclnnReduceSum"));
    let arrays = counted("aclCreateIntArray");
    for round in 1..6i64 {
        let x = Tensor::from_slice(&stream, &[round, 10 * round, 100 * round, 1000 * round], [2, 2, 1])?;
        for (axes, expected) in [
            (&[0][..], vec![101, 1010]),
            (&[1], vec![11, 1100]),
            (&[0, 1], vec![1111]),
            (&[0, 2], vec![101, 1010]),
            (&[], vec![1111]),
            (&[2], vec![1, 10, 100, 1000]),
        ] {
            let sum = ops::sum(&x).axes(axes).run()?;
            assert_eq!(
                sum.to_vec::<i64>()?,
                expected.iter().map(|x| x * round).collect::<Vec<_>>(),
                "{axes:?}"
            );
        }
    }
    assert_eq!((planned.calls(), launched.calls(), arrays.calls()), (6, 30, 6));
    // An array that is longer than any list of axes is not kept.
    let line = Tensor::zeros(&stream, [40], DType::F32)?;
    let planned = counted("aclnnIndexFillTensorGetWorkspaceSize");
    let (few, many) = ([0, 39], (0..40).collect::<Vec<i64>>());
    for _ in 0..3 {
        assert_eq!(line.index_fill_at(0, &few, 1)?.sum(..)?.item::<f32>()?, 2.0);
        assert_eq!(line.index_fill_at(0, &many, 1)?.sum(..)?.item::<f32>()?, 40.0);
    }
    assert_eq!(planned.calls(), 4);
    Ok(())
}
