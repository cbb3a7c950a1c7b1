//! Several devices, in a process that emulates two.

use std::thread;

use aclnn::{Backend, BackendKind, DType, Device, Error, HostBuffer, Scalar, Stream, Tensor, f16, ops};

use crate::support;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Runs one test of this file in a process of its own, with two emulated devices, in several modes; true in that process.
fn on_two_devices(test: &str) -> Result<bool, Box<dyn std::error::Error>> {
    if !support::has_two_devices()? {
        return Ok(false);
    }
    let modes = ["lazy", "deferred", "worker"];
    let modes = modes.map(|mode| [("CANN_STUBS_DEVICES", "2"), ("CANN_STUBS_STREAMS", mode)]);
    Ok(Backend::get()?.kind() == BackendKind::Cann || support::is_alone(module_path!(), test, &modes)?)
}

fn pair() -> Result<(Device, Device), Error> {
    Ok((Device::open(0)?, Device::open(1)?))
}

#[test]
fn all_devices() -> Outcome {
    if !on_two_devices("all_devices")? {
        return Ok(());
    }
    let (first, second) = pair()?;
    assert_eq!(Device::all()?.get(..2), Some(&[first.clone(), second][..]));
    assert_eq!(Device::all()?.len(), Device::count()? as usize);
    assert!(Device::open(Device::count()? as i32).is_err());
    Ok(())
}

#[test]
fn tensors_move_between_devices() -> Outcome {
    if !on_two_devices("tensors_move_between_devices")? {
        return Ok(());
    }
    let (first, second) = pair()?;
    let a = Tensor::from_slice(&first, &[1, 2, 3, 4, 5, 6], [2, 3])?.add(10)?;
    let b = a.to(&second)?;
    assert_eq!(b.device(), &second);
    assert_eq!(b.add(&b)?.to_vec::<i32>()?, [22, 24, 26, 28, 30, 32]);
    // Each has its own elements.
    let mut a = a;
    a.fill_in_place(0)?;
    assert_eq!(b.to_vec::<i32>()?, [11, 12, 13, 14, 15, 16]);
    // Views become contiguous on their own device.
    let turned = b.transpose(0, 1)?.to(&first)?;
    assert_eq!((turned.shape().to_string().as_str(), turned.is_contiguous()), ("[3, 2]", true));
    assert_eq!(turned.to_vec::<i32>()?, [11, 14, 12, 15, 13, 16]);
    assert_eq!(b.select(0, 1)?.to(&first)?.to_vec::<i32>()?, [14, 15, 16]);
    let row = Tensor::from_slice(&first, &[f16::ONE, f16::NEG_ONE], [2])?;
    assert_eq!(
        row.broadcast_to([2, 2])?.to(&second)?.to_vec::<f16>()?,
        [1.0, -1.0, 1.0, -1.0].map(f16::from_f32)
    );
    assert_eq!(Tensor::zeros(&first, [0, 2], DType::F32)?.to(&second)?.numel(), 0);
    assert_eq!(Tensor::full(&first, [], 7, DType::U8)?.to(&second)?.to_vec::<u8>()?, [7]);
    Ok(())
}

#[test]
fn elements_of_less_than_a_byte_move_too() -> Outcome {
    if !on_two_devices("elements_of_less_than_a_byte_move_too")? {
        return Ok(());
    }
    let (first, second) = pair()?;
    let all = Tensor::from_bytes(&first, DType::I4, &[0x21, 0x43, 0x65], [6])?;
    assert_eq!(all.to(&second)?.to_bytes()?, [0x21, 0x43, 0x65]);
    assert_eq!(all.slice(0, 1..4)?.to(&second)?.to_bytes()?, [0x32, 0x04]);
    assert_eq!(all.slice(0, 2..5)?.to(&second)?.to_bytes()?, [0x43, 0x05]);
    assert_eq!(all.slice(0, 2..5)?.to(&Stream::new(&first)?)?.to_bytes()?, [0x43, 0x05]);
    Ok(())
}

#[test]
fn a_copy_waits_for_what_computes_the_elements() -> Outcome {
    if !on_two_devices("a_copy_waits_for_what_computes_the_elements")? {
        return Ok(());
    }
    let (first, second) = pair()?;
    let (home, other) = (Stream::new(&first)?, Stream::new(&first)?);
    let target = Stream::new(&second)?;
    for round in 0..30i32 {
        let mut a = Tensor::full(&home, [1000], round, DType::I32)?;
        ops::add_in_place(&mut a, 1).on(&other).run()?;
        // The memory is that of a tensor that is still being written.
        drop(Tensor::full(&target, [1000], -2, DType::I32)?);
        let b = a.to(&target)?;
        assert_eq!(b.stream(), &target);
        a.fill_in_place(-1)?;
        let sum = ops::add(&b, 1).on(&Stream::new(&second)?).run()?;
        drop(b);
        assert_eq!(sum.to(&home)?.to_vec::<i32>()?, [round + 2; 1000]);
    }
    Ok(())
}

#[test]
fn to_another_stream_of_the_same_device() -> Outcome {
    let device = Device::open(0)?;
    let (home, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let a = Tensor::full(&home, [10], 3, DType::I32)?;
    let mut b = a.to(&other)?;
    assert_eq!(b.stream(), &other);
    assert!(!b.shares_buffer_with(&a));
    b.add_in_place(&a)?;
    assert_eq!((a.to_vec::<i32>()?, b.to_vec::<i32>()?), (vec![3; 10], vec![6; 10]));
    Ok(())
}

#[test]
fn operands_on_two_devices_are_refused() -> Outcome {
    if !on_two_devices("operands_on_two_devices_are_refused")? {
        return Ok(());
    }
    let (first, second) = pair()?;
    let (mut a, b) = (Tensor::ones(&first, [2], DType::F32)?, Tensor::ones(&second, [2], DType::F32)?);
    for error in [a.add(&b).unwrap_err(), a.copy_from(&b).unwrap_err()] {
        assert!(matches!(error, Error::Devices { first: 0, second: 1, .. }), "{error}");
        assert!(error.to_string().ends_with("`Tensor::to` copies a tensor there"), "{error}");
    }
    let elsewhere = ops::add(&a, 1).on(&second.stream()).run().unwrap_err();
    assert!(elsewhere.to_string().contains("operands and stream lie on devices 1 and 0"), "{elsewhere}");
    a.copy_from(&b.to(&first)?)?;
    let mark = second.stream().record()?;
    let error = first.stream().wait(&mark).unwrap_err();
    assert!(matches!(error, Error::Devices { operator: "wait", first: 0, second: 1, .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "wait(): the streams and events belong to devices 0 and 1, but must belong to one; record an event on a stream of the \
         same device"
    );
    let buffer = HostBuffer::from_slice(&second, &[1.0f32, 2.0])?;
    let failed = a.upload(buffer).unwrap_err();
    assert!(
        matches!(failed.error(), Error::Devices { operator: "upload", first: 0, second: 1, .. }),
        "{failed}"
    );
    let failed = a.download_on(&second.stream(), failed.into_handle().unwrap()).unwrap_err();
    assert!(
        matches!(failed.error(), Error::Devices { operator: "download", first: 1, second: 0, .. }),
        "{failed}"
    );
    assert_eq!(*failed.into_handle().unwrap(), [1.0, 2.0]);
    let error = second.stream().record()?.elapsed_since(&first.stream().record()?).unwrap_err();
    assert!(
        matches!(error, Error::Devices { operator: "elapsed_since", first: 0, second: 1, .. }),
        "{error}"
    );
    Ok(())
}

#[test]
fn devices_work_beside_each_other_and_close_in_any_order() -> Outcome {
    if !on_two_devices("devices_work_beside_each_other_and_close_in_any_order")? {
        return Ok(());
    }
    for round in 0..4 {
        let (first, second) = pair()?;
        thread::scope(|scope| {
            let threads = [(&first, &second), (&second, &first)].map(|(own, other)| {
                scope.spawn(move || -> Result<(), Error> {
                    let mut sum = Tensor::zeros(&Stream::new(own)?, [100], DType::I32)?;
                    for _ in 0..20 {
                        sum = sum.add(1)?.to(other)?.add(1)?.to(own)?;
                    }
                    assert_eq!(sum.to_vec::<i32>()?, [40; 100]);
                    Ok(())
                })
            });
            threads.into_iter().try_for_each(|thread| thread.join().unwrap())
        })?;
        if round % 2 == 0 {
            first.close()?;
            second.close()?;
        } else {
            second.close()?;
            // The other one is still open, and another one now.
            let ones = Tensor::ones(&first, [2], DType::F32)?;
            assert_eq!(ones.to(&Device::open(1)?)?.to_vec::<f32>()?, [1.0; 2]);
        }
    }
    Ok(())
}

#[cfg(feature = "emulator")]
#[test]
fn what_does_not_reach_the_other_goes_by_way_of_the_host() -> Outcome {
    use cann_stubs::control::{self, When};

    if !support::is_embedded()? || !on_two_devices("what_does_not_reach_the_other_goes_by_way_of_the_host")? {
        return Ok(());
    }
    let (first, second) = pair()?;
    let a = Tensor::from_slice(&first, &[1, 2, 3, 4], [2, 2])?;
    // Never strikes, but counts.
    let copies = control::fail("aclrtMemcpy", When::Nth(u64::MAX), 100_000);
    let asked = control::fail("aclrtDeviceCanAccessPeer", When::Nth(u64::MAX), 100_000);
    let fault = control::fail("aclrtDeviceEnablePeerAccess", When::Always, 100_000);
    let b = a.to(&second)?;
    drop(fault);
    assert_eq!(copies.calls(), 2, "to the host and from there");
    assert_eq!(a.to(&second)?.to_vec::<i32>()?, [1, 2, 3, 4]);
    assert_eq!(asked.calls(), 1, "they were asked before");
    drop(asked);
    assert_eq!(b.to_vec::<i32>()?, [1, 2, 3, 4]);
    assert_eq!(a.transpose(0, 1)?.to(&second)?.to_vec::<i32>()?, [1, 3, 2, 4]);
    // A device that is opened again is asked again.
    drop(b);
    second.close()?;
    let second = Device::open(1)?;
    let before = copies.calls();
    let enabled = control::fail("aclrtDeviceEnablePeerAccess", When::Nth(u64::MAX), 100_000);
    let b = a.to(&second)?;
    assert_eq!(enabled.calls(), 2, "in both directions");
    assert_eq!(copies.calls(), before + 1, "at once");
    assert_eq!(b.to_vec::<i32>()?, [1, 2, 3, 4]);
    Ok(())
}

#[cfg(feature = "emulator")]
#[test]
fn a_copy_between_devices_tells_of_work_that_failed() -> Outcome {
    use cann_stubs::control::{self, When};

    if !support::is_embedded()? || !on_two_devices("a_copy_between_devices_tells_of_work_that_failed")? {
        return Ok(());
    }
    let (first, second) = pair()?;
    let fault = control::fail("run:aclnnInplaceFillScalar", When::Always, 507_015);
    let lost = Tensor::ones(&Stream::new(&first)?, [2], DType::F32)?;
    drop(fault);
    assert!(matches!(lost.to(&second), Err(Error::StreamFailed(_))));
    let fault = control::fail("aclrtMemcpy", When::Nth(2), 507_899);
    let fine = Tensor::from_slice(&first, &[1.5f32], [1])?;
    let error = fine.to(&second).unwrap_err();
    drop(fault);
    assert_eq!(error.code(), Some(507_899));
    assert_eq!(fine.to(&second)?.to_vec::<f32>()?, [1.5]);
    Ok(())
}

aclnn::operator! {
    // As in aclnn_add.h.
    unsafe extern "aclnn" {
        fn adds = "aclnnAdds"(own: tensor, other: scalar, alpha: scalar, out: out);
    }
}

/// A scalar that is read from a device when it is asked for.
struct Item(Tensor);

impl From<Item> for Scalar {
    fn from(Item(tensor): Item) -> Scalar {
        tensor.item::<f32>().map_or(Scalar::from(0), Scalar::from)
    }
}

#[test]
fn arguments_may_come_from_other_devices() -> Outcome {
    if !on_two_devices("arguments_may_come_from_other_devices")? {
        return Ok(());
    }
    let (first, second) = pair()?;
    let three = Item(Tensor::full(&second, [1], 3, DType::F32)?);
    let a = Tensor::ones(&first, [2], DType::F32)?;
    let mut out = a.copy()?;
    adds(&first.stream(), &a, three, 2, &mut out)?;
    assert_eq!(out.to_vec::<f32>()?, [7.0; 2]);
    Ok(())
}
