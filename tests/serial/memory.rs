//! The pool: whose memory is used again and when, what is counted, and where it ends.

use std::ffi::c_void;
use std::process::Command;
use std::sync::Barrier;
use std::thread;

use aclnn::{DType, Device, Error, Stream, Tensor, ops};
use cann_stubs::control::{self, Mode, When};
use proptest::prelude::*;
use serial_test::serial;

use crate::support;

type Outcome = Result<(), Error>;

const MIB: usize = 1 << 20;

fn bytes(stream: &Stream, count: usize) -> Result<Tensor, Error> {
    Tensor::empty(stream, [count], DType::U8)
}

/// Where the buffer of a tensor of bytes lies.
fn range(tensor: &Tensor) -> (usize, usize) {
    let start = tensor.as_raw().addr();
    (start, start + tensor.numel() * tensor.dtype().bits() / 8)
}

/// Every range keeps 32 bytes behind it, as the device's own allocator does, and starts where that would.
fn are_apart(mut ranges: Vec<(usize, usize)>) -> bool {
    ranges.sort_unstable();
    ranges.windows(2).all(|pair| pair[0].1 + 32 <= pair[1].0) && ranges.iter().all(|range| range.0 % 64 == 0)
}

/// What a program may do with tensors.
#[derive(Debug, Clone)]
enum Step {
    Upload { stream: usize, size: usize },
    Compute { stream: usize, which: prop::sample::Index },
    Read { which: prop::sample::Index },
    Drop { which: prop::sample::Index },
    Synchronize { stream: usize },
    Trim { keep: usize },
    Renew { stream: usize },
}

const STREAMS: usize = 3;

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let size = prop_oneof![
        6 => 0..2000_usize,
        4 => 0..100_000_usize,
        1 => 200_000..600_000_usize,
    ];
    let step = prop_oneof![
        6 => (0..STREAMS, size).prop_map(|(stream, size)| Step::Upload { stream, size }),
        6 => (0..STREAMS, any::<prop::sample::Index>()).prop_map(|(stream, which)| Step::Compute { stream, which }),
        2 => any::<prop::sample::Index>().prop_map(|which| Step::Read { which }),
        9 => any::<prop::sample::Index>().prop_map(|which| Step::Drop { which }),
        1 => (0..STREAMS).prop_map(|stream| Step::Synchronize { stream }),
        1 => (0..40 * MIB).prop_map(|keep| Step::Trim { keep }),
        1 => (0..STREAMS).prop_map(|stream| Step::Renew { stream }),
    ];
    prop::collection::vec(step, 1..120)
}

/// Does the steps. Each tensor of i32 comes with the value that all of its elements have.
fn follow(steps: Vec<Step>) -> Outcome {
    let device = Device::open(0)?;
    let mut streams = (0..STREAMS).map(|_| Stream::new(&device)).collect::<Result<Vec<_>, _>>()?;
    let mut live: Vec<(Tensor, i32)> = Vec::new();
    for (value, step) in (0..).zip(steps) {
        match step {
            Step::Upload { stream, size } => {
                live.push((Tensor::from_slice(&streams[stream], &vec![value; size], [size])?, value));
            }
            Step::Compute { stream, which } if !live.is_empty() => {
                let (tensor, old) = which.get(&live);
                live.push((ops::add(tensor, 1).on(&streams[stream]).run()?, old + 1));
            }
            Step::Read { which } if !live.is_empty() => {
                let (tensor, value) = which.get(&live);
                assert!(tensor.to_vec::<i32>()?.iter().all(|element| element == value));
            }
            Step::Drop { which } if !live.is_empty() => drop(live.swap_remove(which.index(live.len()))),
            Step::Synchronize { stream } => streams[stream].synchronize()?,
            Step::Trim { keep } => device.trim_to(keep)?,
            Step::Renew { stream } => streams[stream] = Stream::new(&device)?,
            Step::Compute { .. } | Step::Read { .. } | Step::Drop { .. } => {}
        }
        assert!(are_apart(live.iter().map(|(tensor, _)| range(tensor)).collect()));
        let memory = device.memory_statistics();
        assert_eq!(memory.requested, live.iter().map(|(tensor, _)| tensor.numel() * 4).sum::<usize>());
        assert_eq!(memory.live_blocks, live.len());
        assert_eq!(memory.live + memory.cached, memory.reserved);
        assert!(memory.peak_live >= memory.live && memory.peak_reserved >= memory.reserved);
        assert!(memory.largest_cached <= memory.cached);
    }
    for (tensor, value) in live.drain(..) {
        assert!(tensor.to_vec::<i32>()?.iter().all(|element| *element == value));
    }
    for stream in streams {
        stream.synchronize()?;
    }
    device.stream().synchronize()?;
    let memory = device.memory_statistics();
    assert_eq!((memory.live, memory.live_blocks, memory.requested), (0, 0, 0));
    assert_eq!(memory.cached_blocks, memory.segments, "one block is left of each segment: {memory}");
    device.trim()?;
    let memory = device.memory_statistics();
    assert_eq!((memory.reserved, memory.segments, memory.cached), (0, 0, 0));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[serial]
    fn live_tensors_keep_to_themselves(steps in steps()) {
        follow(steps)?;
    }
}

#[test]
#[serial]
fn threads_share_the_pool() -> Outcome {
    let device = Device::open(0)?;
    let barrier = Barrier::new(4);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..4_usize)
            .map(|index| {
                let (device, barrier) = (&device, &barrier);
                scope.spawn(move || -> Outcome {
                    let stream = Stream::new(device)?;
                    for round in 0..60 {
                        let value = (round * 4 + index) as i32;
                        let mut tensors = Vec::new();
                        for size in [10, 3000 * (index + 1), 20_000, 400_000 / (round + 1)] {
                            let tensor = Tensor::full(&stream, [size], value, DType::I32)?;
                            tensors.push(ops::add(&tensor, 1).on(&stream).run()?);
                        }
                        if round % 20 == index {
                            device.trim()?;
                        }
                        for tensor in &tensors {
                            assert!(tensor.to_vec::<i32>()?.iter().all(|element| *element == value + 1));
                        }
                        // Two drop one buffer at the same time.
                        let shared = tensors.pop().map(|tensor| (tensor.clone(), tensor));
                        if let Some((first, second)) = shared {
                            thread::scope(|scope| {
                                scope.spawn(|| drop(first));
                                drop(second);
                            });
                        }
                    }
                    barrier.wait();
                    Ok(())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap())
    })?;
    let memory = device.memory_statistics();
    assert_eq!((memory.live, memory.live_blocks, memory.requested), (0, 0, 0), "{memory}");
    device.trim()?;
    assert_eq!(device.memory_statistics().reserved, 0);
    Ok(())
}

#[test]
#[serial]
fn neighbours_join() -> Outcome {
    let device = Device::open(0)?;
    let stream = device.stream();
    let parts = (0..4).map(|_| bytes(&stream, 4 * MIB)).collect::<Result<Vec<_>, _>>()?;
    let start = parts.iter().map(|part| range(part).0).min();
    assert_eq!(device.memory_statistics().segments, 1, "they share one");
    drop(parts);
    // Nobody has waited: the stream may have what is free in its own order.
    let whole = bytes(&stream, 16 * MIB)?;
    assert_eq!(Some(range(&whole).0), start);
    let memory = device.memory_statistics();
    assert_eq!((memory.segments, memory.from_device, memory.from_cache), (1, 1, 4));
    Ok(())
}

#[test]
#[serial]
fn other_streams_have_memory_when_its_own_is_done_with_it() -> Outcome {
    let device = Device::open(0)?;
    let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
    // As large as its segment, so that there is nothing else to have.
    let whole = 40 * MIB - 32;
    let one = Tensor::full(&first, [whole], 1, DType::U8)?;
    let place = range(&one);
    drop(one);
    let two = bytes(&second, whole)?;
    assert_ne!(range(&two), place, "the first stream may not be done");
    drop(two);
    first.synchronize()?;
    let kept = bytes(&second, whole)?;
    assert_ne!(range(&kept), place, "its own comes first");
    assert_eq!(range(&bytes(&second, whole)?), place);
    assert_eq!(device.memory_statistics().from_device, 2);
    drop(first);
    Ok(())
}

#[test]
#[serial]
fn memory_of_a_stream_that_has_ended_serves_others() -> Outcome {
    let device = Device::open(0)?;
    let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
    let whole = 40 * MIB - 32;
    let one = Tensor::full(&first, [whole], 1, DType::U8)?;
    let place = range(&one);
    drop((one, first));
    assert_eq!(range(&bytes(&second, whole)?), place);
    assert_eq!(device.memory_statistics().from_device, 1);
    Ok(())
}

#[cfg(feature = "dlpack")]
#[test]
#[serial]
fn memory_that_was_given_away_comes_back_from_any_thread() -> Outcome {
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let tensor = bytes(&stream, 1000)?;
    let (place, live) = (tensor.as_raw(), device.memory_statistics().live);
    let raw = tensor.to_dlpack()?.into_raw();
    drop(tensor);
    assert_eq!(device.memory_statistics().live, live, "the other side has it");
    // SAFETY: given away above.
    let managed = unsafe { aclnn::interop::dlpack::ManagedTensor::from_raw(raw)? };
    thread::spawn(move || drop(managed)).join().unwrap_or_default();
    assert_eq!(device.memory_statistics().live, 0);
    assert_eq!(bytes(&stream, 1000)?.as_raw(), place, "it is free again");
    Ok(stream.close()?)
}

/// The largest small block has a mebibyte, with its spare bytes. Small ones share a page, and larger ones a segment of ten.
#[test]
#[serial]
fn a_mebibyte_is_the_largest_small_block() -> Outcome {
    for (count, segment) in [(MIB - 32, 2 * MIB), (MIB - 31, 20 * MIB), (10 * MIB - 32, 10 * MIB)] {
        let device = Device::open(0)?;
        let _held = bytes(&device.stream(), count)?;
        assert_eq!(device.memory_statistics().reserved, segment, "{count} bytes");
    }
    Ok(())
}

/// An allocation that fails for another reason than a lack of memory is no lack of memory.
#[test]
#[serial]
fn failures_of_the_allocator_are_told_as_they_are() -> Outcome {
    const BROKEN: i32 = 507_899;
    if !support::is_embedded()? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let stream = device.stream();
    let fault = control::fail("aclrtMalloc", When::Always, BROKEN);
    let error = bytes(&stream, 4).unwrap_err();
    assert!(matches!(error, Error::Library(_)), "{error}");
    assert_eq!((error.code(), fault.struck()), (Some(BROKEN), 1), "{error}");
    drop(fault);
    assert_eq!(device.memory_statistics().reserved, 0);
    bytes(&stream, 4).map(drop)
}

/// What `trim` waits for lets a tensor go, as other threads may at that time. It does not know who uses the memory since.
#[test]
#[serial]
fn memory_that_is_dropped_while_trim_waits_stays() -> Outcome {
    unsafe extern "C" fn let_go(tensor: *mut c_void) {
        // SAFETY: it was made from a box, and the function runs once.
        drop(unsafe { Box::from_raw(tensor.cast::<Tensor>()) });
    }
    if !support::is_embedded()? {
        return Ok(());
    }
    // Nothing runs before somebody waits.
    let _mode = control::streams_everywhere(Mode::Deferred);
    let device = Device::open(0)?;
    let (home, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let whole = 40 * MIB;
    let tensor = Box::into_raw(Box::new(Tensor::full(&home, [whole - 32], 1, DType::U8)?));
    let runtime = device.backend().runtime();
    // SAFETY: a live stream, and a function that takes what is passed.
    let code = unsafe { runtime.aclrtLaunchHostFunc(other.as_raw(), Some(let_go), tensor.cast()) };
    assert_eq!(code, Ok(0));
    device.trim()?;
    let memory = device.memory_statistics();
    assert_eq!((memory.live, memory.reserved, memory.cached), (0, whole, whole));
    device.trim()?;
    assert_eq!(device.memory_statistics().reserved, 0);
    drop((home, other));
    Ok(())
}

#[test]
#[serial]
fn statistics() -> Outcome {
    let device = Device::open(0)?;
    let stream = device.stream();
    assert_eq!(device.memory_statistics(), aclnn::MemoryStatistics::default());
    // 481 bytes and the 32 behind them no longer fit into 512.
    let small = [bytes(&stream, 480)?, bytes(&stream, 481)?];
    let memory = device.memory_statistics();
    assert_eq!((memory.requested, memory.live, memory.live_blocks), (961, 1536, 2));
    assert_eq!((memory.reserved, memory.segments), (2 * MIB, 1));
    assert_eq!(
        (memory.cached, memory.cached_blocks, memory.largest_cached),
        (2 * MIB - 1536, 1, 2 * MIB - 1536)
    );
    assert_eq!((memory.from_cache, memory.from_device), (1, 1));
    assert_eq!(memory.fragmentation(), 0.0);
    let large = bytes(&stream, 30 * MIB - 32)?;
    drop(small);
    let memory = device.memory_statistics();
    assert_eq!((memory.live, memory.peak_live), (30 * MIB, 30 * MIB + 1536));
    assert_eq!((memory.reserved, memory.segments), (32 * MIB, 2));
    drop(large);
    stream.synchronize()?;
    let memory = device.memory_statistics();
    assert_eq!((memory.live, memory.cached, memory.largest_cached), (0, 32 * MIB, 30 * MIB));
    assert_eq!(memory.fragmentation(), 0.0625);
    assert_eq!(
        memory.to_string(),
        "live 0 B in 0 blocks (peak 30.0 MiB), cached 32.0 MiB in 2 blocks (6 % fragmented), reserved 32.0 MiB in 2 \
         segments (peak 32.0 MiB); 1 of 3 allocations from the cache"
    );
    device.trim_to(30 * MIB)?;
    assert_eq!(
        device.memory_statistics().cached,
        30 * MIB,
        "the small one goes, without the large one too little stays"
    );
    device.trim_to(0)?;
    device.reset_memory_peaks();
    let memory = device.memory_statistics();
    assert_eq!((memory.peak_live, memory.peak_reserved, memory.reserved), (0, 0, 0));
    Ok(())
}

#[test]
#[serial]
fn memory_keeps_below_the_limit() -> Outcome {
    let device = Device::open(0)?;
    let stream = device.stream();
    device.set_memory_limit(Some(10 * MIB));
    drop(bytes(&stream, 4)?);
    // Less than a segment is usually cut from.
    let first = bytes(&stream, 6 * MIB)?;
    let memory = device.memory_statistics();
    assert!(memory.reserved <= 10 * MIB);
    assert_eq!(memory.segments, 2, "what is cached stays where there is room");
    let error = bytes(&stream, 6 * MIB).unwrap_err();
    let Error::OutOfMemory { requested, pool, cause: None, .. } = &error else { unreachable!("{error}") };
    assert_eq!((*requested, pool.requested, pool.limit), (6 * MIB, 6 * MIB, Some(10 * MIB)));
    assert_eq!(error.code(), None);
    let text = error.to_string();
    for part in ["6291456 bytes", "limit of 10485760", "drop tensors", "set_memory_limit"] {
        assert!(text.contains(part), "{part} is missing in: {text}");
    }
    drop(first);
    // The cache gives way.
    let most = bytes(&stream, 9 * MIB)?;
    let scalars = (0..1024).map(|_| bytes(&stream, 4)).collect::<Result<Vec<_>, _>>()?;
    assert!(device.memory_statistics().peak_reserved <= 10 * MIB);
    drop((most, scalars));
    device.set_memory_limit(None);
    assert_eq!(bytes(&stream, 60 * MIB)?.numel(), 60 * MIB);
    Ok(())
}

#[test]
#[serial]
fn what_is_left_of_large_segments_serves_small_tensors_at_last() -> Outcome {
    let device = Device::open(0)?;
    let stream = device.stream();
    let large = bytes(&stream, 5 * MIB)?;
    let reserved = device.memory_statistics().reserved;
    device.set_memory_limit(Some(reserved));
    let small = bytes(&stream, 5)?;
    assert!(are_apart(vec![range(&large), range(&small)]));
    let memory = device.memory_statistics();
    assert_eq!((memory.reserved, memory.from_device, memory.from_cache), (reserved, 1, 1));
    device.set_memory_limit(None);
    Ok(())
}

#[test]
fn what_is_held_is_told_when_memory_is_out() -> Result<(), Box<dyn std::error::Error>> {
    let (test, small) = ("what_is_held_is_told_when_memory_is_out", [("CANN_STUBS_MEMORY", "64M")]);
    if !support::is_emulated()? || !support::is_alone(module_path!(), test, &[small])? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let (first, second) = (Stream::new(&device)?, device.stream());
    let kept = Tensor::full(&first, [5 * MIB], 1, DType::U8)?;
    drop(Tensor::full(&first, [30 * MIB], 1, DType::U8)?);
    // Only with what the other stream has not given back yet.
    let large = Tensor::full(&second, [40 * MIB], 2, DType::U8)?;
    let error = bytes(&second, 30 * MIB).unwrap_err();
    let Error::OutOfMemory { requested, total, free, pool, cause: Some(_), .. } = &error else {
        unreachable!("{error}")
    };
    assert_eq!((*requested, *total), (30 * MIB, 64 * MIB));
    // Of 20 MiB a part is the first tensor; the second one has a segment that is no larger than it must be.
    assert!((3 * MIB..4 * MIB).contains(free), "{free}");
    assert_eq!((pool.requested, pool.segments), (45 * MIB, 2));
    assert_eq!(pool.live + pool.cached, pool.reserved, "nothing is counted of what was refused");
    assert!(error.code().is_some());
    let text = error.to_string();
    for part in ["31457280 bytes", "of 67108864 bytes are free", "drop tensors", "aclrtMalloc returned"] {
        assert!(text.contains(part), "{part} is missing in: {text}");
    }
    assert!(text.contains(&format!("{} are cached", pool.cached)), "{text}");
    assert!(text.contains(&format!("at most {} in a piece", pool.largest_cached)), "{text}");
    assert_eq!(kept.to_vec::<u8>()?, vec![1; 5 * MIB]);
    assert_eq!(large.slice(0, 0..2)?.to_vec::<u8>()?, [2; 2]);
    Ok(())
}

#[test]
#[serial]
fn tensors_close() -> Outcome {
    let device = Device::open(0)?;
    let tensor = Tensor::full(&device, [2, 3], 7, DType::I32)?;
    let view = tensor.transpose(0, 1)?;
    let closed = view.close().unwrap_err();
    assert!(matches!(closed.error(), Error::InUse { what: "tensor of device", others: 1, .. }), "{closed}");
    let Some(view) = closed.into_handle() else { unreachable!("it stays a handle") };
    assert_eq!(view.to_vec::<i32>()?, [7; 6]);
    assert_eq!(view.shape()[..], [3, 2]);
    drop(view);
    tensor.close()?;
    assert_eq!(device.memory_statistics().live, 0);
    let (home, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let tensor = Tensor::full(&home, [1000], 1, DType::I32)?;
    let sum = ops::add(&tensor, 1).on(&other).run()?;
    tensor.close()?;
    drop(Tensor::full(&home, [1000], 5, DType::I32)?);
    assert_eq!(sum.to_vec::<i32>()?, [2; 1000], "read before the memory was used again");
    Ok(())
}

/// A limit of address space leaves the emulator without the addresses of a device, and so without anything to count.
#[test]
fn under_a_limit_of_address_space_nothing_is_said_about_free_bytes() -> Result<(), Box<dyn std::error::Error>>
{
    if !support::is_emulated()? {
        return Ok(());
    }
    if std::env::var_os("ACLNN_TEST_CHILD").is_none() {
        let test = "under_a_limit_of_address_space_nothing_is_said_about_free_bytes";
        let alone = support::alone(module_path!(), test);
        let child = Command::new("sh")
            .args(["-c", "ulimit -v 8000000 && exec \"$0\" \"$@\""])
            .arg(alone.get_program())
            .args(alone.get_args())
            .env("ACLNN_TEST_CHILD", "1")
            .output()?;
        let told = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success() && told.contains("1 passed"), "{told}");
        return Ok(());
    }
    let error = bytes(&Device::open(0)?.stream(), 16).unwrap_err().to_string();
    assert!(error.contains("the library does not tell how much is free"), "{error}");
    assert!(error.contains("the system refuses") && !error.contains("0 of 0"), "{error}");
    Ok(())
}

/// The device's allocator takes 32 bytes more than it is asked for, in pages of two MiB where it can.
#[test]
#[serial]
fn a_segment_of_whole_pages_takes_no_page_more() -> Outcome {
    // On a device others take and give back memory meanwhile.
    if !support::is_emulated()? {
        return Ok(());
    }
    let device = Device::open(0)?;
    device.trim()?;
    for size in [1, 1000, 2 * MIB - 32, 4 * MIB, 19 * MIB, 40 * MIB - 32, 40 * MIB] {
        let before = device.memory_info()?.free;
        let tensor = Tensor::full(&device, [size], 3, DType::U8)?;
        let reserved = device.memory_statistics().reserved;
        let taken = before - device.memory_info()?.free;
        assert!(reserved >= size && reserved.is_multiple_of(2 * MIB), "{size}: {reserved}");
        assert_eq!(taken, reserved, "{size}");
        // Also the last bytes of a segment belong to it.
        assert!(tensor.slice(0, size - 1..)?.to_vec::<u8>()? == [3], "{size}");
        drop(tensor);
        device.trim()?;
        assert_eq!(device.memory_info()?.free, before, "{size}");
    }
    Ok(())
}
