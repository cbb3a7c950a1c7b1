//! Tensors of memory that is used again allocate nothing on the host.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::mpsc;
use std::thread;

use aclnn::product::Product;
use aclnn::{Backend, DType, Device, Error, Stream, Tensor, ops, sys};
use serial_test::serial;

use crate::support;

type Outcome = Result<(), Error>;

/// The system's allocator, which counts what each thread asks for, and what it gives back.
struct Counting;

thread_local!(static COUNT: Cell<usize> = const { Cell::new(0) });
thread_local!(static FREED: Cell<usize> = const { Cell::new(0) });

fn count() {
    // Nobody counts while a thread ends.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
    if let Ok(Some((backend, context))) = CHOSEN.try_with(Cell::take) {
        // SAFETY: a live context of these libraries, which have an allocator of their own.
        let code = unsafe { backend.runtime().aclrtSetCurrentContext(context) };
        CHOSEN.set(Some((backend, context)));
        if code != Ok(0) {
            std::process::abort();
        }
    }
}

thread_local! {
    /// The context that the allocator makes current on this thread whenever it is asked for memory.
    static CHOSEN: Cell<Option<(&'static Backend, sys::aclrtContext)>> = const { Cell::new(None) };
}

// SAFETY: all of it is the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let _ = FREED.try_with(|freed| freed.set(freed.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of this thread in a run after some others, which may fill caches.
fn in_the_steady_state(mut run: impl FnMut() -> Outcome) -> Result<usize, Error> {
    (0..10).try_for_each(|_| run())?;
    let before = COUNT.get();
    run()?;
    Ok(COUNT.get() - before)
}

#[test]
#[serial]
fn allocations_are_counted() -> Outcome {
    let allocations = in_the_steady_state(|| {
        drop(Box::new(1));
        Ok(())
    })?;
    assert_eq!(allocations, 1);
    Ok(())
}

#[test]
#[serial]
fn tensors_and_views() -> Outcome {
    let device = Device::open(0)?;
    let allocations = in_the_steady_state(|| {
        for size in [0, 1, 1000, 1 << 16, 1 << 20, 5 << 20, 30 << 20] {
            let tensor = Tensor::empty(&device, [size, 2], DType::U8)?;
            let view = tensor.transpose(0, 1)?.clone();
            drop(tensor);
            drop(view);
        }
        Ok(())
    })?;
    assert_eq!(allocations, 0);
    Ok(())
}

/// With the embedded emulator its work is counted too.
#[test]
#[serial]
fn operators() -> Outcome {
    let device = Device::open(0)?;
    let half = Tensor::ones(&device, [100, 2], DType::F16)?;
    let single = Tensor::ones(&device, [2], DType::F32)?;
    let mut out = Tensor::zeros(&device, [100, 2], DType::F32)?;
    let mut allocations = |what, run: &mut dyn FnMut(&mut Tensor) -> Outcome| -> Outcome {
        let counted = in_the_steady_state(|| {
            for _ in 0..10 {
                run(&mut out)?;
            }
            device.stream().synchronize()
        })?;
        assert_eq!(counted, 0, "{what}");
        Ok(())
    };
    allocations("in place", &mut |out| out.mul_in_place(&single))?;
    // The library of an Ascend310P copies results to parts of larger memory but the last one, and plans that anew each time.
    let row = if device.product() == Some(Product::Ascend310P) { -1 } else { 0 };
    allocations("to a tensor that is there", &mut |out| {
        ops::add(&single, &single).run_into(&mut out.select(0, row)?)
    })?;
    allocations("to a new tensor", &mut |_| single.add(&single).map(drop))?;
    allocations("with a Cast", &mut |_| half.add(&single).map(drop))?;
    allocations("with a scalar", &mut |_| half.mul(0.5).map(drop))?;
    allocations("of a scalar by a tensor", &mut |_| half.rdiv(0.5).map(drop))?;
    allocations("the negative", &mut |_| half.neg().map(drop))?;
    allocations("a conversion", &mut |out| out.cast(DType::I8).map(drop))?;
    allocations("a constant", &mut |_| Tensor::zeros(&device, [7, 7], DType::I32).map(drop))?;
    allocations("a constant like another", &mut |out| out.full_like(0.5).map(drop))?;
    allocations("a range", &mut |_| Tensor::arange(&device, 0, 100, 3, DType::F32).map(drop))
}

#[test]
#[serial]
fn many_at_once() -> Outcome {
    let device = Device::open(0)?;
    let streams = [Stream::new(&device)?, Stream::new(&device)?];
    let mut live = Vec::with_capacity(1000);
    let allocations = in_the_steady_state(|| {
        for index in 0..1000 {
            let size = (index * 7919) % 100_000;
            live.push(Tensor::empty(&streams[index % 2], [size], DType::U8)?);
        }
        // Not in the order they came.
        while !live.is_empty() {
            live.swap_remove(live.len() / 3);
        }
        Ok(())
    })?;
    assert_eq!(allocations, 0);
    Ok(())
}

#[test]
#[serial]
fn dropped_on_another_thread() -> Outcome {
    let device = Device::open(0)?;
    let (to, from) = mpsc::sync_channel::<Tensor>(0);
    let (told, tell) = mpsc::sync_channel(0);
    let dropping = thread::spawn(move || {
        for tensor in from {
            drop(tensor);
            let _ = told.send(());
        }
    });
    let mut counted = 0;
    for round in 0..100 {
        let before = COUNT.get();
        let tensor = Tensor::empty(&device, [5000], DType::U8)?;
        if round > 0 {
            counted += COUNT.get() - before;
        }
        to.send(tensor).unwrap();
        tell.recv().unwrap();
    }
    drop(to);
    dropping.join().unwrap();
    assert_eq!(counted, 0);
    Ok(())
}

/// In a process of its own, since other tests have tensors too. More devices than there are lists share them.
#[test]
fn nothing_is_kept_when_the_libraries_end() -> Result<(), Box<dyn std::error::Error>> {
    let devices = [("CANN_STUBS_DEVICES", "20")];
    if !support::is_alone(module_path!(), "nothing_is_kept_when_the_libraries_end", &[devices])? {
        return Ok(());
    }
    let devices = Device::all()?;
    let made =
        |device| (0..100).map(|_| Tensor::empty(device, [5], DType::U8)).collect::<Result<Vec<_>, _>>();
    let tensors = devices.iter().map(made).collect::<Result<Vec<_>, _>>()?;
    drop(tensors);
    let count = 100 * devices.len();
    for device in devices {
        device.close()?;
    }
    let before = FREED.get();
    Backend::finalize()?;
    let freed = FREED.get() - before;
    assert!(freed >= count, "{freed} of {count}");
    Ok(())
}

/// As a program might, whose allocator keeps statistics on a device.
#[test]
fn an_allocator_that_chooses_another_device_disturbs_no_call() -> Result<(), Box<dyn std::error::Error>> {
    let test = "an_allocator_that_chooses_another_device_disturbs_no_call";
    // In a library of its own the emulator has an allocator of its own.
    let libraries = support::toolkit().join("lib64").to_string_lossy().into_owned();
    let two = [("CANN_STUBS_DEVICES", "2"), ("CANN_STUBS_CHECK", "error"), ("ACLNN_BACKEND", &*libraries)];
    if !support::is_alone(module_path!(), test, &[two])? {
        return Ok(());
    }
    let other = Device::open(1)?;
    CHOSEN.set(Some((other.backend(), other.as_raw())));
    let used = support::use_of_the_first_of_two_devices();
    CHOSEN.set(None);
    Ok(used?)
}
