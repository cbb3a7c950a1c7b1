//! What is told when: at the end, at each level, and of a program without misuse: nothing.

use std::ffi::c_void;
use std::ptr;

use aclnn_numerics::DType::{F16, F32};
use aclnn_sys::*;
use cann_stubs::control::{self, Check, Leaks, Level, Mode};

use crate::support::child::{self, this_test};
use crate::support::program::*;
use crate::support::*;

/// Runs `body` in a process with `settings`; whether it succeeds, and what it writes to standard output and to standard error.
fn ended(test: &str, settings: &[(&str, &str)], body: impl FnOnce()) -> Option<(bool, String, String)> {
    let output = child::run(test, settings, body)?;
    let [printed, told] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    Some((output.status.success(), printed, told))
}

fn leave_things_behind() {
    device();
    let tensor = tensor(F32, &[2], malloc(8));
    let _ = (stream(), event(), plan_add(tensor, tensor, tensor));
    good(rt!(aclFinalize()));
    let mut told: Vec<(Check, String)> =
        control::reports().into_iter().map(|report| (report.check, report.message)).collect();
    told.sort_by(|a, b| a.1.cmp(&b.1));
    let kinds: Vec<_> =
        told.iter().map(|(check, text)| (*check, text.split(" at ").next().unwrap())).collect();
    assert_eq!(
        kinds[..4],
        [
            (Check::Leak, "device memory of 8 bytes"),
            (Check::Leak, "event"),
            (Check::Leak, "stream"),
            (Check::Leak, "tensor")
        ]
    );
    assert_eq!((told.len(), told[4].0), (5, Check::ExecutorNeverRun));
    assert!(told[4].1.contains("of aclnnAdd was never launched"), "{}", told[4].1);
}

#[test]
fn what_lives_at_the_end_is_told() {
    let Some((success, _, text)) = ended(this_test!(), &[], leave_things_behind) else { return };
    let told: Vec<_> = text.lines().filter(|line| line.contains("aclFinalize")).collect();
    let kinds = "device memory, event, executor, stream, tensor still live; CANN_STUBS_LEAKS=list lists them";
    assert!(success, "{text}");
    assert_eq!(told, [format!("cann-stubs: leak: aclFinalize: {kinds}")]);
}

/// What a call tells of leaks: the objects by kind, with the function that told.
fn leaks_of(call: impl FnOnce()) -> Vec<(String, String)> {
    let ((), reports) = control::reports_of(call);
    assert!(reports.iter().all(|report| report.check == Check::Leak && report.code == 0), "{reports:?}");
    let kind = |message: &str| message.split(" at ").next().unwrap().to_owned();
    reports.into_iter().map(|report| (report.function, kind(&report.message))).collect()
}

#[test]
fn leaks_are_told_when_a_device_is_reset_and_not_again_at_the_end() {
    child::with(this_test!(), &[], || {
        let told = |function: &str| {
            ["device memory of 8 bytes", "stream"].map(|kind| (function.to_owned(), kind.to_owned())).to_vec()
        };
        // What other tests left is told now.
        device();
        good(rt!(aclFinalize()));
        for round in 0..2 {
            for force in [false, true] {
                let (function, leaks) = match force {
                    false => (
                        "aclrtResetDevice",
                        leaks_of(|| {
                            device();
                            device();
                            let _ = (malloc(8), stream());
                            let not_yet = leaks_of(|| good(rt!(aclrtResetDevice(0))));
                            assert_eq!(not_yet, [], "the device is still set");
                            good(rt!(aclrtResetDevice(0)));
                        }),
                    ),
                    true => (
                        "aclrtResetDeviceForce",
                        leaks_of(|| {
                            device();
                            device();
                            let _ = (malloc(8), stream());
                            good(rt!(aclrtResetDeviceForce(0)));
                        }),
                    ),
                };
                assert_eq!(leaks, told(function), "{round}: an address that comes again is another leak");
                assert_eq!(leaks_of(|| good(rt!(aclFinalize()))), [], "{function}");
            }
            // The same address once more, until the end of the runtime.
            let leaks = leaks_of(|| {
                device();
                malloc(8);
                good(rt!(aclFinalize()));
            });
            assert_eq!(leaks, [("aclFinalize".to_owned(), told("")[0].1.clone())], "{round}");
            // A context that the program made, alone on the device.
            let leaks = leaks_of(|| {
                let mut context = ptr::null_mut();
                assert!([0, ACL_ERROR_REPEAT_INITIALIZE].contains(&rt!(aclInit(ptr::null()))));
                good(rt!(aclrtCreateContext(&mut context, 0)));
                let _ = (malloc(8), stream());
                good(rt!(aclrtDestroyContext(context)));
            });
            assert_eq!(leaks, told("aclrtDestroyContext"), "{round}");
            // Beside the one of the device, which keeps the memory.
            let leaks = leaks_of(|| {
                device();
                let (mut context, memory) = (ptr::null_mut(), malloc(8));
                good(rt!(aclrtCreateContext(&mut context, 0)));
                let _ = stream();
                good(rt!(aclrtDestroyContext(context)));
                good(rt!(aclrtSetDevice(0)));
                good(rt!(aclrtFree(memory)));
                good(rt!(aclrtResetDeviceForce(0)));
            });
            assert_eq!(leaks, told("aclrtDestroyContext")[1..], "{round}");
            // What a stream gives back before it ends is no leak.
            let leaks = leaks_of(|| {
                device();
                let mut pool = ptr::null_mut();
                // SAFETY: integers, for which zeros are good.
                let mut properties: aclrtMemPoolProps = unsafe { std::mem::zeroed() };
                properties.location.type_ = ACL_MEM_LOCATION_TYPE_DEVICE;
                good(rt!(aclrtMemPoolCreate(&mut pool, &properties)));
                let mut memory = ptr::null_mut();
                good(rt!(aclrtMemPoolMallocAsync(&mut memory, 8, pool, ptr::null_mut())));
                good(rt!(aclrtMemPoolFreeAsync(memory, ptr::null_mut())));
                good(match round {
                    0 => rt!(aclrtResetDevice(0)),
                    _ => rt!(aclFinalize()),
                });
            });
            assert_eq!(leaks, [], "{round}");
        }
    });
}

#[test]
fn leaks_can_be_errors_of_the_end_or_nothing() {
    child::with(this_test!(), &[], || {
        let program = || {
            device();
            let _ = malloc(8);
            good(rt!(aclrtResetDevice(0)));
            rt!(aclFinalize())
        };
        // Descriptors outlive the runtime, and are told at its first end alone.
        device();
        scalar(1_f32);
        program();
        for (level, code) in [(Leaks::Off, 0), (Leaks::Tell, 0), (Leaks::List, 0), (Leaks::Error, 107_000)] {
            let _level = control::leaks_everywhere(level);
            let (ended, reports) = control::reports_of(program);
            assert_eq!(ended, code, "{level:?}");
            assert_eq!(reports.len(), usize::from(level != Leaks::Off), "{level:?}: {reports:?}");
            if code != 0 {
                let text = message();
                assert!(text.starts_with("aclFinalize: objects that still lived at their end: 1,"), "{text}");
            }
            // The runtime has ended all the same, and what was told is not told of the next program.
            assert_eq!(rt!(aclFinalize()), ACL_ERROR_REPEAT_FINALIZE);
            device();
            good(rt!(aclrtResetDevice(0)));
            good(rt!(aclFinalize()));
        }
        let _off = control::check(Level::Off);
        let (_, reports) = control::reports_of(program);
        assert!(reports.is_empty(), "a thread may leak on purpose: {reports:?}");
    });
}

/// Leaves objects of more kinds than are told, 2,000 of one of them.
fn leave_many_things_behind() {
    device();
    let (memory, values) = (malloc(8), [1_i64, 2]);
    let tensors = [0; 2000].map(|_| tensor(F32, &[2], memory));
    for _ in 0..30 {
        scalar(1_f32);
    }
    let _ = (stream(), event(), plan_add(tensors[0], tensors[0], tensors[0]));
    let mut host = ptr::null_mut();
    good(rt!(aclrtMallocHost(&mut host, 8)));
    let Emulator { runtime, meta, .. } = &*EMULATOR;
    // SAFETY: the arrays have the lengths that are passed.
    unsafe {
        assert!(!meta.aclCreateIntArray(values.as_ptr(), 2).unwrap().is_null());
        assert!(!meta.aclCreateFloatArray([1_f32].as_ptr(), 1).unwrap().is_null());
        assert!(!meta.aclCreateBoolArray([true].as_ptr(), 1).unwrap().is_null());
        assert!(!runtime.aclCreateDataBuffer(memory, 8).unwrap().is_null());
    }
    good(rt!(aclrtCreateContext(&mut host, 0)));
    good(rt!(aclFinalize()));
}

#[test]
fn leaks_are_summed_up_in_ten_lines_at_most() {
    let ended = |setting, value| ended(this_test!(), &[(setting, value)], leave_many_things_behind);
    for level in ["list", "abort"] {
        let Some((success, _, text)) = ended("CANN_STUBS_LEAKS", level) else { continue };
        assert_eq!(success, level == "list", "{text}");
        let told: Vec<_> = text.lines().filter(|line| line.contains(": aclFinalize: ")).collect();
        assert_eq!(told.len(), 11, "ten and the rest: {text}");
        assert!(told[0].starts_with("cann-stubs: leak: aclFinalize: tensor: 2000 still live"), "{text}");
        assert!(told[1].starts_with("cann-stubs: leak: aclFinalize: scalar: 30 still live"), "{text}");
        assert!(told[10].contains("more, of") && !told[10].contains("and 0"), "{text}");
        assert!(!text.contains("[code") && !text.contains("disabled backtrace"), "{text}");
        assert!(text.contains("RUST_BACKTRACE=1 says where"), "{text}");
    }
    // Leaks have a setting of their own.
    if let Some((success, _, text)) = ended("CANN_STUBS_CHECK", "abort") {
        assert!(success && text.contains("leak: aclFinalize: tensor (2000), scalar (30), "), "{text}");
    }
    if let Some((success, _, text)) = ended("CANN_STUBS_LEAKS", "off") {
        assert!(success && !text.contains("cann-stubs"), "{text}");
    }
}

unsafe extern "C" {
    fn printf(format: *const std::ffi::c_char, ...) -> std::ffi::c_int;
}

#[test]
fn what_was_printed_is_there_when_the_program_is_stopped() {
    let body = || {
        // SAFETY: a text without directives. C keeps what goes to a pipe, and Rust what does not end a line.
        unsafe { printf(c"printed by C".as_ptr()) };
        print!("printed by Rust");
        device();
        let _ = malloc(8);
        match std::env::var("CANN_STUBS_LEAKS") {
            Ok(_) => good(rt!(aclrtResetDevice(0))),
            Err(_) => good(rt!(aclrtFree(ptr::without_provenance_mut(0x1000)))),
        }
        unreachable!("the process stopped");
    };
    for setting in ["CANN_STUBS_LEAKS", "CANN_STUBS_CHECK"] {
        let Some((success, printed, told)) = ended(this_test!(), &[(setting, "abort")], body) else {
            continue;
        };
        assert!(!success && !told.contains("panicked"), "{told}");
        assert!(
            printed.contains("printed by C") && printed.contains("printed by Rust"),
            "{setting}: {printed}"
        );
        assert!(!told.contains("disabled backtrace"), "{told}");
        let settings = [(setting, "abort"), ("RUST_BACKTRACE", "1")];
        let Some((_, _, told)) = ended(this_test!(), &settings, body) else { continue };
        assert!(told.contains("levels::what_was_printed"), "where it was: {told}");
    }
}

/// Asks for a list of leaks.
const LISTED: (&str, &str) = ("CANN_STUBS_LEAKS", "list");

#[test]
fn a_backtrace_says_where_a_leak_was_made() {
    let body = || {
        device();
        let leaked = stream();
        let live = control::live();
        let origin = live.iter().find(|one| one.handle == leaked.addr()).unwrap().origin.as_deref().unwrap();
        assert!(origin.contains("program::stream"), "{origin}");
        good(rt!(aclFinalize()));
    };
    let Some((success, _, text)) = ended(this_test!(), &[LISTED, ("RUST_BACKTRACE", "1")], body) else {
        return;
    };
    assert!(success && text.contains("made here"), "{text}");
}

/// As the page of settings says: the places of the first 1,000 descriptors of a thread, and then of one in 1,000.
#[test]
fn places_of_all_descriptors_are_known_only_where_the_program_asks_for_all() {
    const MADE: usize = 2500;
    for (value, expected) in [("1", 1000 + 2), ("full", MADE)] {
        let body = || {
            device();
            let scalars: Vec<_> = (0..MADE).map(|_| scalar(1_f32)).collect();
            let stream = stream();
            let located = |kind: &str| {
                let live = control::live().into_iter();
                live.filter(|one| one.kind == kind && one.origin.is_some()).map(|one| one.handle).collect()
            };
            let located_scalars: Vec<_> = located("scalar");
            println!("{} located", located_scalars.len());
            // What is not made for every call always has a place.
            assert_eq!(located("stream"), [stream.addr()]);
            // A place goes with its object.
            for scalar in &scalars[..10] {
                // SAFETY: a scalar from above.
                good(unsafe { EMULATOR.meta.aclDestroyScalar(*scalar).unwrap() });
            }
            assert_eq!(located("scalar"), located_scalars[10..]);
            good(rt!(aclFinalize()));
        };
        let Some((success, printed, told)) = ended(this_test!(), &[LISTED, ("RUST_BACKTRACE", value)], body)
        else {
            continue;
        };
        assert!(success && printed.contains(&format!("{expected} located")), "{value}: {printed} {told}");
        let is_told = told.contains("RUST_BACKTRACE=full says where each was made");
        assert_eq!(is_told, expected < MADE, "{value}: {told}");
    }
}

#[test]
fn the_strictest_level_stops_the_program_with_a_report() {
    let body = || {
        device();
        let memory = floats(8);
        good(rt!(aclrtFree(memory)));
        rt!(aclrtFree(memory));
        unreachable!("the process stopped");
    };
    let Some((success, _, text)) = ended(this_test!(), &[("CANN_STUBS_CHECK", "abort")], body) else {
        return;
    };
    assert!(!success && text.contains("double-free: aclrtFree: ") && !text.contains("panicked"), "{text}");
}

#[test]
fn nothing_is_kept_or_judged_when_checks_are_off() {
    child::with(this_test!(), &[], || {
        let _off = control::check_everywhere(Level::Off);
        device();
        let (memory, reports) = control::reports_of(|| {
            let (fresh, out) = (malloc(32), malloc(32));
            good(add(fresh, fresh, out, 8, ptr::null_mut()));
            let _: Vec<f32> = read(out, 8);
            good(rt!(aclrtSynchronizeStream(ptr::null_mut())));
            good(rt!(aclrtFree(fresh)));
            assert_eq!(
                rt!(aclrtFree(fresh)),
                ACL_ERROR_RT_PARAM_INVALID,
                "what cannot be survived still fails"
            );
            out
        });
        assert!(reports.is_empty(), "{reports:?}");
        // Memory from before the checks were on is not judged.
        let _on = control::check_everywhere(Level::Error);
        let (codes, reports) = control::reports_of(|| {
            let untracked: Vec<f32> = read(memory, 8);
            drop(untracked);
            add(memory, memory, memory, 8, ptr::null_mut())
        });
        assert!(codes == 0 && reports.is_empty(), "{reports:?}");
        good(rt!(aclrtResetDeviceForce(0)));
    });
}

#[test]
fn freed_pinned_memory_is_nobody_elses_before_queued_work_is_done_even_without_checks() {
    child::with(this_test!(), &[], || {
        const BYTES: usize = 4096;
        let _off = control::check_everywhere(Level::Off);
        let _mode = control::streams_everywhere(Mode::Deferred);
        device();
        let memory = floats(BYTES / 4);
        let pinned = || {
            let mut pinned = ptr::null_mut();
            good(rt!(aclrtMallocHost(&mut pinned, BYTES)));
            // SAFETY: the runtime has just given these bytes.
            unsafe { pinned.cast::<u8>().write_bytes(7, BYTES) };
            pinned
        };
        let works: [&dyn Fn(*mut c_void) -> i32; 3] = [
            &|host| {
                rt!(aclrtMemcpyAsync(host, BYTES, memory, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, ptr::null_mut()))
            },
            &|host| {
                rt!(aclrtMemcpy2dAsync(
                    host,
                    64,
                    memory,
                    64,
                    32,
                    64,
                    ACL_MEMCPY_DEVICE_TO_HOST,
                    ptr::null_mut()
                ))
            },
            &|host| rt!(aclrtMemsetAsync(host, BYTES, 1, BYTES, ptr::null_mut())),
        ];
        for work in works {
            let freed = pinned();
            good(work(freed));
            good(rt!(aclrtFreeHost(freed)));
            // The allocator of the host gives away first what it got back last.
            let next: Vec<_> = (0..8).map(|_| pinned()).collect();
            good(rt!(aclrtSynchronizeStream(ptr::null_mut())));
            for memory in next {
                assert_ne!(memory, freed);
                // SAFETY: live bytes, written above.
                assert_eq!(unsafe { memory.cast::<[u8; BYTES]>().read() }, [7; BYTES]);
                good(rt!(aclrtFreeHost(memory)));
            }
        }
        good(rt!(aclrtResetDeviceForce(0)));
    });
}

/// A program with everything that could be taken for misuse and is none.
fn clean_program() {
    device();
    let (main, side) = (stream(), stream());
    let (ready, done) = (event(), event());
    // Written in parts, from all sides.
    let (a, b) = (malloc(64), malloc(64));
    write(a, &[1_f32; 8]);
    good(rt!(aclrtMemsetAsync(at(a, 32), 32, 0, 32, main)));
    good(rt!(aclrtMemcpyAsync(b, 64, a, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, main)));
    // Rows with gaps, read as rows with gaps; and gaps that come to the host unread.
    let rows = malloc(64);
    good(rt!(aclrtMemcpy2dAsync(rows, 16, a, 8, 8, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, main)));
    let gaps = strided(F32, &[4, 2], Some(&[4, 1]), 0, &[16], rows);
    let (like, sum) = (tensor(F32, &[4, 2], b), malloc(32));
    let out = tensor(F32, &[4, 2], sum);
    let planned = plan_add(gaps, like, out);
    let workspace = malloc(4096);
    good(launch_add(&planned, workspace, main));
    // The workspace is used again in the order of the stream.
    let planned = plan_add(gaps, gaps, out);
    good(launch_add(&planned, workspace, main));
    // In place, and out of another type.
    let planned = plan_add(out, out, out);
    good(launch_add(&planned, ptr::null_mut(), main));
    let half = tensor(F16, &[4, 2], malloc(16));
    let planned = plan_add(out, out, half);
    good(launch_add(&planned, workspace, main));
    // Another stream reads behind an event, writes beside it, and gives the memory back behind another.
    good(rt!(aclrtRecordEvent(ready, main)));
    good(rt!(aclrtStreamWaitEvent(side, ready)));
    let (wide, even, odd) = (malloc(64), 0, 1);
    let columns = |offset| strided(F32, &[4, 2], Some(&[4, 2]), offset, &[16], wide);
    for (offset, stream) in [(even, side), (odd, main)] {
        let place = columns(offset);
        let planned = plan_add(like, like, place);
        let own = malloc(planned.workspace as usize);
        good(launch_add(&planned, own, stream));
        good(rt!(aclrtSynchronizeStream(stream)));
        good(rt!(aclrtFree(own)));
        good(meta!(aclDestroyTensor(place)));
    }
    // Host memory that a copy uses goes when the copy is known to be done.
    let mut pinned = ptr::null_mut();
    good(rt!(aclrtMallocHost(&mut pinned, 64)));
    good(rt!(aclrtMemcpyAsync(pinned, 64, wide, 64, ACL_MEMCPY_DEVICE_TO_HOST, side)));
    let mut registered = [0_u8; 64];
    let address = registered.as_mut_ptr().cast::<c_void>();
    good(rt!(aclrtHostRegisterV2(address, 64, ACL_HOST_REG_PINNED as u32)));
    good(rt!(aclrtMemcpyAsync(address, 64, wide, 64, ACL_MEMCPY_DEVICE_TO_HOST, side)));
    good(rt!(aclrtRecordEvent(done, side)));
    good(rt!(aclrtSynchronizeEvent(done)));
    good(rt!(aclrtFreeHost(pinned)));
    good(rt!(aclrtHostUnregister(address)));
    good(rt!(aclrtStreamWaitEvent(main, done)));
    good(rt!(aclrtMemsetAsync(wide, 64, 0, 64, main)));
    // Waiting for the one that waited is enough.
    good(rt!(aclrtSynchronizeStream(main)));
    assert_eq!(read::<f32>(wide, 16), [0.0; 16]);
    assert_eq!(read::<f32>(rows, 16).len(), 16);
    for memory in [a, b, rows, sum, wide, workspace] {
        good(rt!(aclrtFree(memory)));
    }
    let mut raw = ptr::null_mut();
    good(meta!(aclGetRawTensorAddr(half, &mut raw)));
    good(rt!(aclrtFree(raw)));
    for tensor in [gaps, like, out, half] {
        good(meta!(aclDestroyTensor(tensor)));
    }
    for stream in [main, side] {
        good(rt!(aclrtDestroyStream(stream)));
    }
    for event in [ready, done] {
        good(rt!(aclrtDestroyEvent(event)));
    }
    good(rt!(aclrtResetDevice(0)));
    good(rt!(aclFinalize()));
}

#[test]
fn a_program_without_misuse_is_silent_in_every_mode() {
    let body = || {
        clean_program();
        let reports = control::reports();
        assert!(reports.is_empty(), "{reports:#?}");
        assert!(control::live().is_empty(), "{:?}", control::live());
    };
    for mode in Mode::ALL {
        for level in Level::ALL {
            let settings = [("CANN_STUBS_STREAMS", mode.name()), ("CANN_STUBS_CHECK", level.name())];
            let Some((success, _, text)) = ended(this_test!(), &settings, body) else { continue };
            assert!(success && !text.contains("cann-stubs"), "{mode:?} {level:?}: {text}");
        }
    }
}
