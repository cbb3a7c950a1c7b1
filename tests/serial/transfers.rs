//! Pinned host memory, and copies that run beside the host.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::RefCell;
use std::mem;
use std::thread;

#[cfg(feature = "emulator")]
use aclnn::sys;
use aclnn::{
    BackendKind, DType, Device, Element, Error, HostBuffer, Stream, Tensor, Transfer, TransferError, onnx,
    ops,
};
use serial_test::serial;

use crate::support;

type Outcome = Result<(), Error>;

#[test]
#[serial]
fn a_buffer_is_a_slice() -> Outcome {
    let device = Device::open(0)?;
    let mut buffer = HostBuffer::<i16>::zeroed(&device, 5)?;
    assert_eq!(*buffer, [0; 5]);
    buffer[1..3].copy_from_slice(&[7, -8]);
    assert_eq!(buffer.iter().map(|&value| i32::from(value)).sum::<i32>(), -1);
    assert_eq!(format!("{buffer:?}"), "HostBuffer { dtype: I16, len: 5, device: 0 }");
    assert_eq!(buffer.device(), &device);
    buffer.close()?;
    let flags = HostBuffer::from_slice(&device, &[true, false])?;
    assert_eq!(*flags, [true, false]);
    assert_eq!(HostBuffer::<bool>::zeroed(&device, 2)?[..], [false; 2]);
    assert!(flags.as_ptr().addr().is_multiple_of(64), "as the runtime promises");
    Ok(())
}

#[test]
#[serial]
fn no_elements_need_neither_memory_nor_a_copy() -> Outcome {
    let device = Device::open(0)?;
    let mut nothing = Tensor::zeros(&device, [0, 3], DType::F64)?;
    let upload = nothing.upload(HostBuffer::<f64>::zeroed(&device, 0)?)?;
    assert!(upload.is_complete()?);
    let buffer = nothing.download(upload.wait()?)?.wait()?;
    assert_eq!(*buffer, [0.0; 0]);
    buffer.close()?;
    Ok(())
}

#[test]
#[serial]
fn more_than_any_memory_is_refused() -> Outcome {
    let device = Device::open(0)?;
    let error = HostBuffer::<f64>::zeroed(&device, usize::MAX / 4).unwrap_err();
    assert!(matches!(error, Error::HostMemory { .. }), "{error}");
    Ok(())
}

#[test]
#[serial]
fn elements_go_there_and_back() -> Outcome {
    let device = Device::open(0)?;
    let mut tensor = Tensor::zeros(&device, [2, 3], DType::I32)?;
    let upload = tensor.upload(HostBuffer::from_slice(&device, &[1, 2, 3, 4, 5, 6])?)?;
    let doubled = tensor.mul(2)?;
    let mut buffer = upload.wait()?;
    assert_eq!(*buffer, [1, 2, 3, 4, 5, 6], "an upload gives the buffer back as it was");
    buffer.fill(0);
    let download = doubled.download(buffer)?;
    let buffer = download.wait()?;
    assert_eq!(*buffer, [2, 4, 6, 8, 10, 12]);
    // Part of a tensor, in one piece.
    let mut row = tensor.select(0, 1)?;
    row.upload(HostBuffer::from_slice(&device, &[-1, -2, -3])?)?.wait()?;
    assert_eq!(tensor.to_vec::<i32>()?, [1, 2, 3, -1, -2, -3]);
    assert_eq!(*row.download(HostBuffer::<i32>::zeroed(&device, 3)?)?.wait()?, [-1, -2, -3]);
    Ok(())
}

#[test]
#[serial]
fn any_byte_but_zero_is_true() -> Outcome {
    let device = Device::open(0)?;
    let flags = Tensor::from_bytes(&device, DType::Bool, &[0, 1, 2, 255], [4])?;
    assert_eq!(flags.to_bytes()?, [0, 1, 1, 1]);
    // What another library may leave in the memory of a device.
    let (bytes, kind) = ([0u8, 1, 2, 255], aclnn::sys::ACL_MEMCPY_HOST_TO_DEVICE);
    let runtime = device.backend().runtime();
    // SAFETY: the four bytes of the tensor, which no work uses.
    let code = unsafe { runtime.aclrtMemcpy(flags.as_raw(), 4, bytes.as_ptr().cast(), 4, kind) };
    assert_eq!(code, Ok(0));
    let number = flags.cast(DType::I32)?.to_vec::<i32>()?;
    let same = onnx::cast(&flags, DType::Bool).run()?.to_bytes()?;
    if device.backend().kind() != BackendKind::Cann {
        assert_eq!((number, same), (vec![0, 1, 1, 1], vec![0, 1, 1, 1]));
    }
    let flags = flags.download(HostBuffer::<bool>::zeroed(&device, 4)?)?.wait()?;
    assert_eq!(*flags, [false, true, true, true]);
    let bytes: Vec<u8> = flags.iter().map(|&flag| u8::from(flag)).collect();
    assert_eq!(bytes, [0, 1, 1, 1]);
    Ok(())
}

#[test]
#[serial]
fn streams_wait_for_transfers_and_transfers_for_streams() -> Outcome {
    let device = Device::open(0)?;
    let (copies, work) = (Stream::new(&device)?, Stream::new(&device)?);
    let mut tensor = Tensor::zeros(&work, [1000], DType::I32)?;
    for round in 0..30i32 {
        let upload = tensor.upload_on(&copies, HostBuffer::from_slice(&device, &[round; 1000])?)?;
        let sum = ops::add(&tensor, 1).on(&work).run()?;
        let download = sum.download_on(&copies, HostBuffer::<i32>::zeroed(&device, 1000)?)?;
        // Written while it is still read, as far as anybody knows.
        let mut sum = sum;
        ops::mul_in_place(&mut sum, 2).on(&work).run()?;
        assert_eq!(*upload.wait()?, [round; 1000]);
        assert_eq!(*download.wait()?, [round + 1; 1000]);
        assert_eq!(sum.to_vec::<i32>()?, [2 * round + 2; 1000]);
    }
    Ok(())
}

#[test]
#[serial]
fn tensors_and_streams_may_go_before_the_copy_is_over() -> Outcome {
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let mut tensor = Tensor::full(&stream, [1000], 3, DType::I32)?;
    let download = tensor.download(HostBuffer::<i32>::zeroed(&device, 1000)?)?;
    let upload = tensor.upload(HostBuffer::from_slice(&device, &[5; 1000])?)?;
    drop(tensor);
    // It may get the same memory.
    let next = Tensor::full(&stream, [1000], 4, DType::I32)?;
    drop(stream);
    assert_eq!(*download.wait()?, [3; 1000]);
    assert_eq!(*upload.wait()?, [5; 1000]);
    assert_eq!(next.to_vec::<i32>()?, [4; 1000]);
    Ok(())
}

/// Pinned memory that is not freed, where that can be told.
fn pinned(device: &Device) -> Option<usize> {
    #[cfg(feature = "emulator")]
    if device.backend().kind() == BackendKind::Emulator {
        return Some(
            cann_stubs::control::live().iter().filter(|live| live.kind == "pinned host memory").count(),
        );
    }
    let _ = device;
    None
}

#[test]
#[serial]
fn dropped_transfers_free_nothing_before_their_end() -> Outcome {
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let mut tensor = Tensor::zeros(&stream, [1000], DType::I32)?;
    let before = pinned(&device);
    for round in 0..100i32 {
        drop(tensor.upload(HostBuffer::from_slice(&device, &[round; 1000])?)?);
        drop(tensor.download(HostBuffer::<i32>::zeroed(&device, 1000)?)?);
    }
    assert_eq!(tensor.to_vec::<i32>()?, [99; 1000]);
    // The work is over, so the next buffer takes the memory of an earlier one, and the rest is freed.
    let buffer = HostBuffer::<i32>::zeroed(&device, 1000)?;
    assert_eq!(*buffer, [0; 1000], "a new buffer has zeros, whatever its memory held");
    assert_eq!(pinned(&device), before.map(|count| count + 1));
    drop(tensor.upload(buffer)?);
    device.trim()?;
    assert_eq!(pinned(&device), before);
    assert_eq!(tensor.to_vec::<i32>()?, [0; 1000], "copied before the memory was freed");
    Ok(())
}

/// In a process of its own, since the device stays open.
#[test]
fn a_leaked_transfer_takes_its_memory_with_it() -> Result<(), Box<dyn std::error::Error>> {
    if !support::is_alone(module_path!(), "a_leaked_transfer_takes_its_memory_with_it", &[[]])? {
        return Ok(());
    }
    let mut tensor = Tensor::zeros(&Device::open(0)?, [1000], DType::I32)?;
    let buffer = HostBuffer::from_slice(tensor.device(), &[7; 1000])?;
    mem::forget(tensor.upload(buffer)?);
    assert_eq!(tensor.to_vec::<i32>()?, [7; 1000]);
    Ok(())
}

#[test]
#[serial]
fn memory_of_another_size_is_left_alone() -> Outcome {
    let device = Device::open(0)?;
    let mut large = Tensor::zeros(&device, [1000], DType::I32)?;
    drop(large.upload(HostBuffer::from_slice(&device, &[7; 1000])?)?);
    assert_eq!(large.to_vec::<i32>()?, [7; 1000]);
    // The copy is over, so the next buffer might take its memory.
    let buffer = HostBuffer::from_slice(&device, &[1; 10])?;
    large.fill_in_place(3)?;
    large.slice(0, 0..10)?.upload(buffer)?.wait()?;
    assert_eq!(large.slice(0, 0..20)?.to_vec::<i32>()?, [[1; 10], [3; 10]].concat());
    Ok(())
}

/// The buffer of what was refused, and why.
fn refused<T: Element>(
    result: Result<Transfer<T>, TransferError<T>>,
) -> Result<(HostBuffer<T>, String), Error> {
    let failed = result.unwrap_err();
    let why = failed.to_string();
    match failed.into_handle() {
        Some(buffer) => Ok((buffer, why)),
        None => unreachable!("{why}"),
    }
}

#[test]
#[serial]
fn what_does_not_fit_comes_back() -> Outcome {
    let device = Device::open(0)?;
    let mut grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    let (buffer, why) = refused(grid.upload(HostBuffer::from_slice(&device, &[1.5f32; 6])?))?;
    assert_eq!(*buffer, [1.5; 6]);
    assert!(why.contains("the tensor holds i32, not f32; use i32 here"), "{why}");
    for count in [5, 7] {
        let (buffer, why) = refused(grid.download(HostBuffer::from_slice(&device, &vec![7; count])?))?;
        assert_eq!(*buffer, vec![7; count]);
        assert!(why.contains(&format!("{count} elements do not fill shape [2, 3], which has 6")), "{why}");
    }
    let buffer = HostBuffer::from_slice(&device, &[8; 6])?;
    let (buffer, why) = refused(grid.transpose(0, 1)?.download(buffer))?;
    assert_eq!(why.split(": ").next(), Some("download(self i32[3, 2], buffer i32[6])"));
    assert!(why.ends_with("call contiguous() first"), "{why}");
    let (buffer, why) = refused(grid.transpose(0, 1)?.upload(buffer))?;
    assert!(why.ends_with("call contiguous() first, upload there, and copy_from that"), "{why}");
    assert_eq!(*buffer, [8; 6]);
    // As the message says.
    let mut turned = grid.transpose(0, 1)?;
    let mut piece = turned.contiguous()?;
    let buffer = piece.upload(buffer)?.wait()?;
    turned.copy_from(&piece)?;
    assert_eq!(*grid.download(buffer)?.wait()?, [8; 6]);
    Ok(())
}

#[test]
#[serial]
fn threads_upload_into_one_tensor() -> Outcome {
    let device = Device::open(0)?;
    let all = Tensor::zeros(&device, [4, 1000], DType::I32)?;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..4i32)
            .map(|index| {
                let mut row = all.select(0, index as usize)?;
                Ok(scope.spawn(move || -> Outcome {
                    let stream = Stream::new(row.device())?;
                    let mut buffer = HostBuffer::zeroed(row.device(), 1000)?;
                    for round in 0..50 {
                        buffer.fill(index + round);
                        buffer = row.upload_on(&stream, buffer)?.wait()?;
                        buffer = row.download_on(&stream, buffer)?.wait()?;
                        assert_eq!(*buffer, [index + round; 1000]);
                    }
                    Ok(())
                }))
            })
            .collect::<Result<_, Error>>()?;
        threads.into_iter().try_for_each(|thread| thread.join().unwrap())
    })?;
    for index in 0..4 {
        assert_eq!(all.select(0, index)?.to_vec::<i32>()?, vec![index + 49; 1000]);
    }
    Ok(())
}

#[test]
#[serial]
fn transfers_and_buffers_may_go_with_their_thread() -> Outcome {
    type Last = (HostBuffer<i32>, Transfer<i32>, Transfer<i32>);
    thread_local!(static LAST: RefCell<Option<Last>> = const { RefCell::new(None) });
    let device = Device::open(0)?;
    let before = pinned(&device);
    let made = device.clone();
    let thread = thread::spawn(move || -> Outcome {
        // Used first, so that it goes last: after what the runtime keeps for the thread.
        LAST.with_borrow_mut(|last| last.take());
        let mut tensor = Tensor::zeros(&Stream::new(&made)?, [100], DType::I32)?;
        let upload = tensor.upload(HostBuffer::<i32>::zeroed(&made, 100)?)?;
        let download = tensor.download(HostBuffer::<i32>::zeroed(&made, 100)?)?;
        LAST.set(Some((HostBuffer::zeroed(&made, 3)?, upload, download)));
        Ok(())
    });
    thread.join().unwrap()?;
    device.trim()?;
    assert_eq!(pinned(&device), before);
    device.synchronize()
}

#[cfg(feature = "emulator")]
mod failures {
    use cann_stubs::control::{self, When};

    use super::*;

    const BROKEN: i32 = sys::ACL_ERROR_RT_AICORE_EXCEPTION;

    /// The device, where failures can be made.
    fn emulated() -> Result<Option<Device>, Error> {
        support::is_embedded()?.then(|| Device::open(0)).transpose()
    }

    /// It fails as work of a stream, and gives the buffer back.
    fn failed(transfer: Transfer<i32>) -> HostBuffer<i32> {
        let failed = transfer.wait().unwrap_err();
        assert!(matches!(failed.error(), Error::StreamFailed(_)), "{failed}");
        assert!(failed.error().code().is_some());
        failed.into_handle().unwrap()
    }

    #[test]
    #[serial]
    fn a_download_tells_of_work_that_failed() -> Outcome {
        let Some(device) = emulated()? else { return Ok(()) };
        let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
        let tensor = {
            let _fault = control::fail("run:aclnnInplaceFillScalar", When::Always, BROKEN);
            Tensor::ones(&first, [10], DType::I32)?
        };
        let download = tensor.download_on(&second, HostBuffer::from_slice(&device, &[3; 10])?)?;
        let buffer = failed(download);
        assert_eq!(buffer.len(), 10);
        let (_, why) = refused(tensor.download_on(&second, buffer))?;
        assert!(why.contains("aclnnInplaceFillScalar"), "{why}");
        Ok(())
    }

    #[test]
    #[serial]
    fn a_copy_that_fails_while_it_runs() -> Outcome {
        let Some(device) = emulated()? else { return Ok(()) };
        let stream = Stream::new(&device)?;
        let mut tensor = Tensor::zeros(&stream, [10], DType::I32)?;
        let upload = {
            let _fault = control::fail("run:aclrtMemcpyAsync", When::Always, BROKEN);
            tensor.upload(HostBuffer::from_slice(&device, &[3; 10])?)?
        };
        // The buffer is free again; the tensor is not what it should be, and whoever reads it is told.
        let buffer = upload.wait()?;
        let buffer = failed(tensor.download(buffer)?);
        assert!(matches!(tensor.to_vec::<i32>(), Err(Error::StreamFailed(_))));
        let (_, why) = refused(tensor.upload(buffer))?;
        assert!(why.contains("aclrtMemcpyAsync"), "{why}");

        let stream = Stream::new(&device)?;
        let tensor = Tensor::zeros(&stream, [10], DType::I32)?;
        let download = {
            let _fault = control::fail("run:aclrtMemcpyAsync", When::Always, BROKEN);
            tensor.download(HostBuffer::from_slice(&device, &[3; 10])?)?
        };
        assert_eq!(*failed(download), [3; 10], "nothing was copied");

        let stream = Stream::new(&device)?;
        let mut tensor = Tensor::zeros(&stream, [10], DType::I32)?;
        let upload = {
            let _fault = control::fail("run:aclrtMemcpyAsync", When::Always, BROKEN);
            tensor.upload(HostBuffer::from_slice(&device, &[3; 10])?)?
        };
        assert!(matches!(stream.synchronize(), Err(Error::StreamFailed(_))));
        assert_eq!(*failed(upload), [3; 10], "by now it is known");
        Ok(())
    }

    #[test]
    #[serial]
    fn every_call_may_fail_and_nothing_is_lost() -> Outcome {
        let Some(device) = emulated()? else { return Ok(()) };
        let calls = [
            "aclrtCreateEventExWithFlag",
            "aclrtMemcpyAsync",
            "aclrtRecordEvent",
            "aclrtSynchronizeEvent",
            "aclrtSynchronizeStream",
            "aclrtDestroyEvent",
            "aclrtQueryEventStatus",
        ];
        for (call, upload) in calls.iter().flat_map(|call| [(call, true), (call, false)]) {
            device.trim()?;
            let before = pinned(&device);
            let stream = Stream::new(&device)?;
            let mut tensor = Tensor::from_slice(&stream, &[5; 10], [10])?;
            let buffer = HostBuffer::from_slice(&device, &[3; 10])?;
            let fault = control::fail(call, When::Nth(1), BROKEN);
            let started = if upload { tensor.upload(buffer) } else { tensor.download(buffer) };
            let ended = started.and_then(Transfer::wait);
            drop(fault);
            match ended {
                Ok(buffer) => assert!(buffer[0] == if upload { 3 } else { 5 }, "{call}"),
                Err(failed) => assert!(failed.into_handle().is_some(), "{call}"),
            }
            drop(tensor);
            drop(stream);
            // What a drop had to report.
            let _ = device.memory_info();
            device.trim()?;
            assert_eq!(pinned(&device), before, "{call}");
        }
        Ok(())
    }

    #[test]
    #[serial]
    fn an_upload_that_was_queued_before_it_failed_is_waited_for() -> Outcome {
        let Some(device) = emulated()? else { return Ok(()) };
        let stream = Stream::new(&device)?;
        let mut tensor = Tensor::from_slice(&stream, &[5; 10], [10])?;
        let buffer = HostBuffer::from_slice(&device, &[3; 10])?;
        let fault = control::fail("aclrtMemcpyAsync", When::Nth(1), BROKEN);
        let failed = tensor.upload(buffer).unwrap_err();
        drop(fault);
        let buffer = failed.into_handle().unwrap();
        assert_eq!(tensor.to_vec::<i32>()?, [5; 10], "nothing was queued");
        // The event behind the copy is recorded when the copy is queued.
        let fault = control::fail("aclrtRecordEvent", When::Nth(1), BROKEN);
        let failed = tensor.upload(buffer).unwrap_err();
        drop(fault);
        assert_eq!(failed.error().code(), Some(BROKEN), "{failed}");
        assert_eq!(*failed.into_handle().unwrap(), [3; 10], "the copy is over");
        assert_eq!(tensor.to_vec::<i32>()?, [3; 10], "and was made");
        Ok(())
    }

    #[test]
    #[serial]
    fn memory_that_may_be_in_use_is_kept() -> Outcome {
        let Some(device) = emulated()? else { return Ok(()) };
        let before = pinned(&device);
        let stream = Stream::new(&device)?;
        let mut tensor = Tensor::zeros(&stream, [10], DType::I32)?;
        let upload = tensor.upload(HostBuffer::from_slice(&device, &[3; 10])?)?;
        let fault = control::fail("aclrtSynchronize*", When::Always, BROKEN);
        let failed = upload.wait().unwrap_err();
        drop(fault);
        assert!(failed.into_handle().is_none(), "nobody knows whether it is still read");
        assert_eq!(pinned(&device), before.map(|count| count + 1));
        device.trim()?;
        assert_eq!(pinned(&device), before);
        drop(tensor);
        drop(stream);
        // That the stream failed was told only now.
        assert!(matches!(device.synchronize(), Err(Error::Deferred { what: "a stream", .. })));
        Ok(())
    }

    #[test]
    #[serial]
    fn memory_of_a_copy_without_an_event_is_kept() -> Outcome {
        let Some(device) = emulated()? else { return Ok(()) };
        device.trim()?;
        let before = pinned(&device);
        let stream = Stream::new(&device)?;
        let mut tensor = Tensor::zeros(&stream, [10], DType::I32)?;
        let buffer = HostBuffer::from_slice(&device, &[3; 10])?;
        let faults = ["aclrtRecordEvent", "aclrtSynchronizeStream"]
            .map(|function| control::fail(function, When::Always, BROKEN));
        let failed = tensor.upload(buffer).unwrap_err();
        drop(faults);
        assert!(failed.into_handle().is_none(), "the copy was queued, and nobody knows whether it is over");
        assert_eq!(*HostBuffer::<i32>::zeroed(&device, 10)?, [0; 10], "another one gets other memory");
        assert_eq!(pinned(&device), before.map(|count| count + 1));
        device.trim()?;
        assert_eq!(pinned(&device), before);
        drop(tensor);
        drop(stream);
        assert!(matches!(device.synchronize(), Err(Error::Deferred { what: "a stream", .. })));
        Ok(())
    }

    #[test]
    #[serial]
    fn the_host_may_refuse_to_pin() -> Outcome {
        let Some(device) = emulated()? else { return Ok(()) };
        device.trim()?;
        let fault = control::fail("aclrtMallocHost", When::Always, sys::ACL_ERROR_RT_MEMORY_ALLOCATION);
        let error = HostBuffer::<f32>::zeroed(&device, 25).unwrap_err();
        assert!(matches!(error, Error::HostMemory { bytes: 100 }), "{error}");
        drop(fault);
        let fault = control::fail("aclrtFreeHost", When::Always, BROKEN);
        drop(HostBuffer::<f32>::zeroed(&device, 25)?);
        drop(fault);
        let error = device.memory_info().unwrap_err();
        assert!(matches!(error, Error::Deferred { what: "a host buffer", .. }), "{error}");
        let buffer = HostBuffer::<f32>::zeroed(&device, 25)?;
        let fault = control::fail("aclrtSetCurrentContext", When::Always, BROKEN);
        let failed = buffer.close().unwrap_err();
        drop(fault);
        assert!(failed.into_handle().is_some_and(|buffer| *buffer == [0.0; 25]));
        Ok(())
    }
}
