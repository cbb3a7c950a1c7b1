//! `ACLNN_SYNC=1`: the error names the operator that failed, and no other. Each test runs in a process of its own.

use std::error::Error as StdError;

use aclnn::{DType, Device, Error, Stream, Tensor, ops};

use crate::support;

type Outcome = Result<(), Box<dyn StdError>>;

/// Runs one test of this file with operators that are waited for and calls that fail; true in that process.
fn in_a_child(test: &str, faults: &str) -> Result<bool, Box<dyn StdError>> {
    let variables = [("ACLNN_SYNC", "1"), ("CANN_STUBS_FAIL", faults)];
    Ok(support::is_emulated()? && support::is_alone(module_path!(), test, &[variables])?)
}

fn is_blamed<T>(result: &Result<T, Error>, blamed: &str) -> bool {
    matches!(result, Err(Error::Launch { operator, .. }) if *operator == blamed)
}

#[test]
fn the_operator_that_failed_is_named() -> Outcome {
    if !in_a_child("the_operator_that_failed_is_named", "run:aclnnMuls@2=507015")? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let a = Tensor::ones(&device, [3], DType::F32)?;
    let good = ops::mul(&a, 2).on(&stream).run()?;
    let failed = ops::mul(&good, 2).on(&stream).run();
    assert!(is_blamed(&failed, "aclnnMuls"), "{failed:?}");
    let next = ops::add(&a, 2).on(&stream).run();
    assert!(matches!(next, Err(Error::StreamFailed(_))), "{next:?}");
    assert_eq!(a.add(2)?.to_vec::<f32>()?, [3.0; 3]);
    Ok(())
}

#[test]
fn work_of_others_is_not_put_down_to_an_operator() -> Outcome {
    let test = "work_of_others_is_not_put_down_to_an_operator";
    if !in_a_child(test, "run:aclrtMemsetAsync=507015")? {
        return Ok(());
    }
    let device = Device::open(0)?;
    for other in [false, true] {
        let (stream, side) = (Stream::new(&device)?, Stream::new(&device)?);
        let a = Tensor::ones(&side, [3], DType::F32)?;
        let queued = if other { &side } else { &stream };
        if !other {
            // The memory is not ordered behind anything any more.
            side.synchronize()?;
        }
        // SAFETY: live memory of twelve bytes and a live stream, which is waited for before the memory goes.
        let code =
            unsafe { device.backend().runtime().aclrtMemsetAsync(a.as_raw(), 12, 0, 12, queued.as_raw()) };
        assert_eq!(code, Ok(0));
        // A stream beside the failed one learns of it where it uses its results.
        let after = ops::add(&a, 1).on(&stream).run();
        assert!(matches!(after, Err(Error::StreamFailed(_))), "{after:?}");
    }
    Ok(())
}

#[test]
fn operators_of_threads_are_told_apart() -> Outcome {
    if !in_a_child("operators_of_threads_are_told_apart", "run:aclnnMuls=507015")? {
        return Ok(());
    }
    let device = Device::open(0)?;
    for _ in 0..50 {
        let stream = Stream::new(&device)?;
        let a = Tensor::ones(&device, [1000], DType::F32)?;
        std::thread::scope(|scope| {
            let fails = scope.spawn(|| ops::mul(&a, 2).on(&stream).run());
            let works = ops::add(&a, 2).on(&stream).run();
            assert!(!is_blamed(&works, "aclnnAdds"), "{works:?}");
            let fails = fails.join().unwrap();
            assert!(is_blamed(&fails, "aclnnMuls"), "{fails:?}");
        });
    }
    Ok(())
}
