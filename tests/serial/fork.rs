//! What a forked process meets: errors, and neither a crash nor a lock that nobody opens.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use aclnn::{
    Backend, CloseError, DType, Device, Error, HostBuffer, MemoryStatistics, Stream, Tensor, Transfer, ops,
};
use serial_test::serial;

use crate::support;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Everything that may live when a process forks.
struct Handles {
    device: Device,
    stream: Stream,
    event: aclnn::Event,
    tensor: Tensor,
    view: Tensor,
    buffer: HostBuffer<f32>,
    upload: Transfer<f32>,
    download: Transfer<f32>,
    #[cfg(feature = "collectives")]
    communicator: aclnn::collective::Communicator,
}

fn handles() -> Result<Handles, Error> {
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let mut tensor = Tensor::ones(&stream, [2, 2], DType::F32)?;
    let upload = tensor.upload(HostBuffer::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0])?)?;
    let download =
        ops::add(&tensor, 1).on(&device.stream()).run()?.download(HostBuffer::zeroed(&device, 4)?)?;
    let (event, view) = (stream.record()?, tensor.transpose(0, 1)?);
    let buffer = HostBuffer::zeroed(&device, 3)?;
    #[cfg(feature = "collectives")]
    let communicator = {
        use aclnn::collective::{Communicator, Id};
        Communicator::init(&device, &Id::new(&device)?, 0, 1)?
    };
    Ok(Handles {
        device,
        stream,
        event,
        tensor,
        view,
        buffer,
        upload,
        download,
        #[cfg(feature = "collectives")]
        communicator,
    })
}

/// Runs `body` in a forked process, which then ends as `end` does; its exit code, or -1 if it does not end by itself.
fn in_child(body: impl FnOnce(), end: impl FnOnce(i32) -> i32) -> i32 {
    // SAFETY: the child does nothing with what other threads may have locked but what this test is about.
    match unsafe { libc::fork() } {
        0 => {
            let code = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)) {
                Ok(()) => 0,
                Err(_) => 101,
            };
            let code = end(code);
            // SAFETY: ends the process at once.
            unsafe { libc::_exit(code) }
        }
        child => {
            let begin = Instant::now();
            let mut status = 0;
            // SAFETY: a child of this process and a valid place.
            while unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) } == 0 {
                if begin.elapsed() > Duration::from_secs(60) {
                    // SAFETY: a child that was not waited for.
                    unsafe { libc::kill(child, libc::SIGKILL) };
                }
                thread::sleep(Duration::from_millis(5));
            }
            if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -1 }
        }
    }
}

fn at_once(code: i32) -> i32 {
    code
}

fn by_exit(code: i32) -> i32 {
    std::process::exit(code)
}

/// It says what happened, and what to do.
fn forked<T: std::fmt::Debug>(result: Result<T, Error>) {
    let error = result.unwrap_err();
    assert!(matches!(error, Error::Forked), "{error}");
    assert!(error.to_string().contains("open devices after the fork"), "{error}");
}

fn not_closed<H>(result: Result<(), CloseError<H>>) {
    forked(result.map_err(Error::from));
}

/// Everything that can fail does.
fn use_all(handles: &mut Handles) {
    let Handles { device, stream, event, tensor, view, upload, .. } = handles;
    forked(Backend::get().map(Backend::kind));
    forked(Backend::finalize());
    forked(Device::open(0));
    forked(Device::count());
    forked(Device::all());
    forked(device.synchronize());
    forked(device.memory_info());
    forked(device.trim());
    forked(Stream::new(device));
    forked(stream.synchronize());
    forked(stream.query());
    forked(stream.record());
    forked(stream.wait(event));
    forked(event.synchronize());
    forked(event.is_complete());
    forked(Tensor::ones(&*device, [2], DType::F32));
    forked(Tensor::from_slice(&*stream, &[1], [1]));
    // SAFETY: it is refused, so the memory stays with its tensor.
    forked(unsafe { Tensor::from_raw(&*stream, tensor.as_raw(), [2, 2], DType::F32) });
    forked(tensor.add(1));
    forked(tensor.mul(&*view));
    let mut same = tensor.clone();
    forked(ops::mul(&*tensor, &*tensor).run_into(&mut same));
    forked(tensor.cast(DType::F16));
    forked(tensor.copy_from_slice(&[0.0f32; 4]));
    forked(tensor.copy_to_slice(&mut [0.0f32; 4]));
    forked(tensor.to_vec::<f32>());
    forked(view.to_vec::<f32>());
    forked(view.copy());
    forked(tensor.to(&*stream));
    forked(HostBuffer::<f32>::zeroed(device, 3));
    forked(upload.is_complete());
    #[cfg(feature = "collectives")]
    {
        use aclnn::collective::{Communicator, Id, ReduceOp};
        let own = &handles.communicator;
        forked(Id::new(device));
        forked(Communicator::init_all(std::slice::from_ref(device)));
        forked(own.check());
        forked(own.barrier());
        forked(own.all_reduce(tensor, ReduceOp::Sum));
        forked(own.all_reduce_in_place(&mut same, ReduceOp::Sum));
        forked(own.broadcast(view, 0));
        forked(own.all_gather(view));
        assert_eq!((own.rank(), own.size()), (0, 1));
    }
    device.set_memory_limit(None);
    device.reset_memory_peaks();
    assert_eq!(device.memory_statistics(), MemoryStatistics::default());
    assert_eq!(tensor.shape().to_string(), "[2, 2]", "what needs no library is there");
}

fn drop_all(handles: Handles) {
    #[cfg(feature = "collectives")]
    drop(handles.communicator);
    let Handles { device, stream, event, tensor, view, buffer, upload, download, .. } = handles;
    drop(view);
    drop(tensor);
    drop(upload);
    drop(buffer);
    drop(download);
    drop(event);
    drop(stream);
    drop(device);
}

fn close_all(handles: Handles) {
    #[cfg(feature = "collectives")]
    not_closed(handles.communicator.close());
    let Handles { device, stream, event, tensor, view, buffer, upload, download, .. } = handles;
    forked(upload.wait().map_err(Error::from));
    forked(download.wait().map_err(Error::from));
    drop(view);
    not_closed(tensor.close());
    not_closed(buffer.close());
    not_closed(event.close());
    not_closed(stream.close());
    not_closed(device.close());
}

#[test]
#[serial]
fn a_child_is_told_and_the_parent_goes_on() -> Outcome {
    for end in [at_once, by_exit] {
        for let_go in [drop_all, close_all, std::mem::forget] {
            let mut own = handles()?;
            let code = in_child(
                || {
                    use_all(&mut own);
                    // SAFETY: this process leaves the handles to nobody else: it ends inside the call.
                    let_go(unsafe { std::ptr::read(&own) });
                },
                end,
            );
            assert_eq!(code, 0);
            assert_eq!(own.tensor.add(&own.view)?.to_vec::<f32>()?, [2.0, 5.0, 5.0, 8.0]);
            assert_eq!(*own.upload.wait()?, [1.0, 2.0, 3.0, 4.0]);
            assert_eq!(*own.download.wait()?, [2.0, 3.0, 4.0, 5.0]);
            own.stream.synchronize()?;
            #[cfg(feature = "collectives")]
            own.communicator.barrier()?;
        }
    }
    Ok(())
}

/// While other threads hold locks of every kind, most of the time.
#[test]
#[serial]
fn nothing_hangs_on_a_lock_of_another_thread() -> Outcome {
    let own = handles()?;
    let stop = AtomicBool::new(false);
    let codes = thread::scope(|scope| {
        let shared = &own.tensor;
        let workers: Vec<_> = (0..3)
            .map(|_| {
                let stop = &stop;
                scope.spawn(move || -> Result<(), Error> {
                    let mut out = Tensor::zeros(shared.stream(), [2, 2], DType::F32)?;
                    while !stop.load(Ordering::Relaxed) {
                        // Most of these are launched again without a plan.
                        (0..500).try_for_each(|_| ops::mul(shared, shared).run_into(&mut out))?;
                        let stream = Stream::new(shared.device())?;
                        let mut sum = ops::add(shared, 1).on(&stream).run()?;
                        let upload = sum.upload(HostBuffer::<f32>::zeroed(shared.device(), 4)?)?;
                        drop(upload);
                        shared.to_vec::<f32>()?;
                        shared.device().trim()?;
                    }
                    Ok(())
                })
            })
            .collect();
        let codes: Vec<i32> = (0..40)
            .map(|_| {
                let body = || {
                    // SAFETY: as above.
                    let mut handles = unsafe { std::ptr::read(&own) };
                    use_all(&mut handles);
                    drop_all(handles);
                };
                in_child(body, at_once)
            })
            .collect();
        stop.store(true, Ordering::Relaxed);
        workers.into_iter().try_for_each(|worker| worker.join().unwrap()).map(|()| codes)
    })?;
    assert_eq!(codes, [0; 40]);
    drop_all(own);
    Ok(())
}

#[test]
#[serial]
fn other_programs_start_as_always() -> Outcome {
    let own = handles()?;
    support::is_alone(module_path!(), "other_programs_start_as_always", &[[]])?;
    assert_eq!(own.tensor.add(1)?.to_vec::<f32>()?, [2.0, 3.0, 4.0, 5.0]);
    drop_all(own);
    Ok(())
}

/// A process that uses the libraries only after it was forked.
#[test]
#[serial]
fn devices_are_opened_after_the_fork() -> Outcome {
    if !support::is_alone(module_path!(), "devices_are_opened_after_the_fork", &[[]])? {
        return Ok(());
    }
    let work = || {
        let values = Device::open(0)
            .and_then(|device| Tensor::ones(&device, [2], DType::F32)?.add(1)?.to_vec::<f32>());
        assert_eq!(values.unwrap(), [2.0; 2]);
    };
    assert_eq!(in_child(work, by_exit), 0);
    work();
    Ok(())
}
