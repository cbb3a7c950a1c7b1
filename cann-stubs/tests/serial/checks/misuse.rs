//! Misuse, planted on purpose: each kind is found and named, whatever the mode of the streams.

use std::ffi::c_void;
use std::ptr;

use aclnn_numerics::DType::{F32, I32, I64};
use aclnn_sys::operators::Argument;
use aclnn_sys::*;
use cann_stubs::control::{self, Check, Level, Mode, Report};
use serial_test::serial;

use crate::support::program::*;
use crate::support::*;

/// Runs `body` in every mode; it must find `check`, once, with a message that holds every one of `parts`.
#[track_caller]
pub(super) fn found(check: Check, parts: &[&str], body: impl Fn() -> i32) {
    for mode in Mode::ALL {
        let _mode = control::streams_everywhere(mode);
        let _device = Device::set();
        let (code, reports) = control::reports_of(&body);
        assert_ne!(code, 0, "{mode:?}");
        let checks: Vec<Check> = reports.iter().map(|report| report.check).collect();
        assert_eq!(checks, [check], "{mode:?}: {reports:?}");
        let Report { message, function, code: told, .. } = &reports[0];
        assert_eq!(code, *told);
        for part in parts {
            assert!(message.contains(part), "{mode:?}, {function}: {message}");
        }
        // Told with the function in front; what it races with may be another call of the same one.
        let names =
            message.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word == function).count();
        assert!(names <= usize::from(check == Check::Race), "{function}: {message}");
        assert!(!message.starts_with(function.as_str()), "{function}: {message}");
    }
}

#[test]
#[serial]
fn a_view_past_the_end_of_its_allocation() {
    found(Check::OutOfBounds, &["self", "past the end"], || {
        add(floats(6), floats(64), floats(64), 64, ptr::null_mut())
    });
    // What a device rounds up was not asked for.
    found(Check::OutOfBounds, &["self", "4 bytes past the end of the allocation of 28 bytes"], || {
        add(floats(7), floats(8), floats(8), 8, ptr::null_mut())
    });
    found(Check::OutOfBounds, &["devPtr", "past the end"], || rt!(aclrtMemset(floats(8), 64, 0, 64)));
}

#[test]
#[serial]
fn memory_that_was_freed() {
    found(Check::FreedPointer, &["self", "freed before"], || {
        let (a, b, out) = (floats(8), floats(8), floats(8));
        good(rt!(aclrtFree(a)));
        add(a, b, out, 8, ptr::null_mut())
    });
}

#[test]
#[serial]
fn an_address_that_nobody_gave() {
    found(Check::ForeignPointer, &["dst", "not allocated"], || {
        let memory = floats(8);
        rt!(aclrtMemcpy(at(memory, 1 << 20), 4, memory, 4, ACL_MEMCPY_DEVICE_TO_DEVICE))
    });
    found(Check::ForeignPointer, &["inside the allocation"], || rt!(aclrtFree(at(floats(8), 4))));
    found(Check::ForeignPointer, &["not device memory of aclrtMalloc"], || {
        rt!(aclrtFree(ptr::without_provenance_mut(0x1000)))
    });
}

#[test]
#[serial]
fn host_memory_where_device_memory_is_needed() {
    found(Check::HostPointer, &["other", "copy host memory"], || {
        let mut host = [0_f32; 8];
        add(floats(8), host.as_mut_ptr().cast(), floats(8), 8, ptr::null_mut())
    });
}

#[test]
#[serial]
fn copies_past_the_end_of_pinned_or_registered_host_memory() {
    let past = |kind: &'static str, copy: fn(*mut c_void, *mut c_void) -> i32| {
        found(Check::OutOfBounds, &["dst", "past the end", kind, "4096 bytes are left"], || {
            let (memory, stream) = (floats(2048), ptr::null_mut());
            let mut host = ptr::null_mut();
            if kind == "pinned" {
                good(rt!(aclrtMallocHost(&mut host, 4096)));
            } else {
                // A program may own more than it registered; what lies behind is not known to a device.
                static MEMORY: [std::sync::atomic::AtomicU64; 1024] =
                    [const { std::sync::atomic::AtomicU64::new(0) }; 1024];
                let mut mapped = ptr::null_mut();
                host = MEMORY.as_ptr().cast_mut().cast();
                good(rt!(aclrtHostRegister(host, 4096, ACL_HOST_REGISTER_MAPPED, &mut mapped)));
            }
            let code = copy(host, memory);
            good(rt!(aclrtSynchronizeStream(stream)));
            if kind == "pinned" {
                good(rt!(aclrtFreeHost(host)));
            } else {
                good(rt!(aclrtHostUnregister(host)));
            }
            code
        });
    };
    for kind in ["pinned", "registered"] {
        past(kind, |host, memory| rt!(aclrtMemcpy(host, 8192, memory, 8192, ACL_MEMCPY_DEVICE_TO_HOST)));
        past(kind, |host, memory| {
            rt!(aclrtMemcpyAsync(host, 8192, memory, 8192, ACL_MEMCPY_DEVICE_TO_HOST, ptr::null_mut()))
        });
    }
}

/// The pages of a block of the program may be gone when a queued copy runs: the stream fails, and not the process.
#[test]
#[serial]
fn a_queued_copy_to_host_memory_whose_pages_are_gone() {
    found(Check::FreedPointer, &["dst", "is gone", "synchronise the stream first"], || {
        let _lazy = control::streams_everywhere(Mode::Deferred);
        let (memory, stream, len) = (floats(2048), stream(), 8192);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: new memory, which nothing else uses.
        let host =
            unsafe { libc::mmap(ptr::null_mut(), len, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
        good(rt!(aclrtMemcpyAsync(host, len, memory, len, ACL_MEMCPY_DEVICE_TO_HOST, stream)));
        // SAFETY: mapped above, and not used again but by the copy.
        assert_eq!(unsafe { libc::munmap(host, len) }, 0);
        rt!(aclrtSynchronizeStream(stream))
    });
}

#[test]
#[serial]
fn memory_freed_twice() {
    found(Check::DoubleFree, &["freed before"], || {
        let memory = floats(8);
        good(rt!(aclrtFree(memory)));
        rt!(aclrtFree(memory))
    });
    found(Check::DoubleFree, &["freed before"], || {
        let mut host = ptr::null_mut();
        good(rt!(aclrtMallocHost(&mut host, 8)));
        good(rt!(aclrtFreeHost(host)));
        rt!(aclrtFreeHost(host))
    });
}

#[test]
#[serial]
fn objects_used_after_they_were_destroyed() {
    found(Check::DestroyedHandle, &["stream was destroyed"], || {
        let stream = stream();
        good(rt!(aclrtDestroyStream(stream)));
        rt!(aclrtSynchronizeStream(stream))
    });
    found(Check::DestroyedHandle, &["event was destroyed"], || {
        let event = event();
        good(rt!(aclrtDestroyEvent(event)));
        rt!(aclrtRecordEvent(event, ptr::null_mut()))
    });
    found(Check::DestroyedHandle, &["tensor was destroyed"], || {
        let tensor = tensor(F32, &[2], floats(2));
        good(meta!(aclDestroyTensor(tensor)));
        meta!(aclDestroyTensor(tensor))
    });
    // The list owns its tensors.
    for list_first in [false, true] {
        found(Check::DestroyedHandle, &["was destroyed before; a list destroys"], || {
            let tensor: *const aclTensor = tensor(F32, &[2], floats(2));
            // SAFETY: a place with one tensor.
            let list = unsafe { EMULATOR.meta.aclCreateTensorList(&tensor, 1) }.unwrap();
            if list_first {
                good(meta!(aclDestroyTensorList(list)));
                return meta!(aclDestroyTensor(tensor));
            }
            good(meta!(aclDestroyTensor(tensor)));
            meta!(aclDestroyTensorList(list))
        });
    }
    found(Check::DestroyedHandle, &["scalar was destroyed"], || {
        let scalar = scalar(1_f32);
        good(meta!(aclDestroyScalar(scalar)));
        meta!(aclDestroyScalar(scalar))
    });
    found(Check::DestroyedHandle, &["self was destroyed", "must live until"], || {
        let tensors = [0; 3].map(|_| tensor(F32, &[2], floats(2)));
        let planned = plan_add(tensors[0], tensors[1], tensors[2]);
        good(meta!(aclDestroyTensor(tensors[0])));
        launch_add(&planned, ptr::null_mut(), ptr::null_mut())
    });
}

#[test]
#[serial]
fn a_handle_of_another_kind() {
    found(Check::ForeignHandle, &["stream is not a handle of that kind", "it is that of an event"], || {
        let event = event();
        let code = rt!(aclrtSynchronizeStream(event));
        good(rt!(aclrtDestroyEvent(event)));
        code
    });
    found(Check::ForeignHandle, &["nor of another: was the variable ever set?"], || {
        rt!(aclrtSynchronizeStream(ptr::without_provenance_mut(0x7fff_dead_beef)))
    });
}

#[test]
#[serial]
fn memory_freed_before_the_stream_has_passed() {
    found(Check::FreedInUse, &["memory of aclnnAdd", "synchronise"], || {
        let (a, b, out, event) = (floats(8), floats(8), floats(8), event());
        good(rt!(aclrtRecordEvent(event, ptr::null_mut())));
        good(add(a, b, out, 8, ptr::null_mut()));
        // The event lies before the work.
        good(rt!(aclrtSynchronizeEvent(event)));
        let code = rt!(aclrtFree(out));
        good(rt!(aclrtRecordEvent(event, ptr::null_mut())));
        good(rt!(aclrtSynchronizeEvent(event)));
        good(rt!(aclrtFree(out)));
        good(rt!(aclrtDestroyEvent(event)));
        code
    });
}

#[test]
#[serial]
fn an_address_that_is_no_multiple_of_an_element() {
    found(
        Check::Misaligned,
        &["self: the storage begins at", "not a multiple of the 4 bytes of an element"],
        || add(at(floats(9), 1), floats(8), floats(8), 8, ptr::null_mut()),
    );
    found(Check::Misaligned, &["out: the storage begins at"], || {
        add(floats(8), floats(8), at(floats(9), 2), 8, ptr::null_mut())
    });
    let _device = Device::set();
    let (_, reports) = control::reports_of(|| {
        // A part of an allocation begins at any element of it.
        good(add(at(floats(9), 4), floats(8), floats(8), 8, ptr::null_mut()));
        good(rt!(aclrtSynchronizeStream(ptr::null_mut())));
    });
    assert!(reports.is_empty(), "{reports:?}");
}

#[test]
#[serial]
fn an_output_over_a_part_of_an_input() {
    found(Check::Overlap, &["out overlaps self in part"], || {
        let memory = floats(16);
        add(memory, floats(8), at(memory, 4), 8, ptr::null_mut())
    });
}

#[test]
#[serial]
fn an_output_whose_elements_share_memory() {
    const NAMED: &[&str] = &["out has elements that share memory"];
    let into = |dims: &'static [i64], strides: &'static [i64]| {
        move || {
            let out = strided(F32, dims, Some(strides), 0, &[64], floats(64));
            let (one, a) = (scalar(1_f32), tensor(F32, dims, floats(64)));
            let operator = EMULATOR.operators.Add().unwrap();
            // SAFETY: the handles are live, the places valid.
            let planned =
                plan(|size, executor| unsafe { operator.get_workspace_size(a, a, one, out, size, executor) });
            if planned.code == 0 {
                meta!(aclDestroyAclOpExecutor(planned.executor));
            }
            planned.code
        }
    };
    // An element that is repeated, rows that reach into the next, and a diagonal that meets itself.
    for (dims, strides) in [(&[4][..], &[0][..]), (&[3, 4], &[2, 1]), (&[3, 3], &[1, 1]), (&[3, 2], &[2, 4])]
    {
        found(Check::SharedElements, NAMED, into(dims, strides));
    }
    let _device = Device::set();
    let (_, reports) = control::reports_of(|| {
        // One element; an axis of one; axes that reach into each other without meeting: 0 2 4, 3 5 7.
        for (dims, strides) in [(&[1][..], &[0][..]), (&[1, 4], &[0, 1]), (&[2, 3], &[3, 2]), (&[4], &[3])] {
            good(into(dims, strides)());
        }
    });
    assert!(reports.is_empty(), "{reports:?}");
    let _off = control::check(Level::Off);
    good(into(&[4], &[0])());
}

/// A sub-allocator gives parts of one allocation: a contiguous output that is longer than its storage reaches into the next
/// part. The library writes it, so that it is only reported.
#[test]
#[serial]
fn a_contiguous_output_beyond_its_declared_storage() {
    let _device = Device::set();
    let memory = malloc(64);
    write(memory, &[9_f32; 16]);
    let added = |storage: i64, offset: i64| {
        let out = strided(F32, &[4], Some(&[1]), offset, &[storage], memory);
        let (_, reports) = control::reports_of(|| {
            let planned = plan_add(tensor(F32, &[4], floats(4)), tensor(F32, &[4], floats(4)), out);
            good(launch_add(&planned, ptr::null_mut(), ptr::null_mut()));
            good(rt!(aclrtSynchronizeStream(ptr::null_mut())));
        });
        reports
    };
    assert!(added(4, 0).is_empty() && added(8, 4).is_empty());
    for (storage, offset) in [(3, 0), (4, 2)] {
        let reports = added(storage, offset);
        assert_eq!(reports.len(), 1, "{reports:?}");
        assert_eq!((reports[0].check, reports[0].code), (Check::OutOfBounds, 0));
        let message = &reports[0].message;
        assert!(
            message.contains("out is written from element") && message.contains("its storage"),
            "{message}"
        );
    }
    assert!(read::<f32>(memory, 16)[8..] == [9.0; 8]);
}

/// A huge view of one element would take forever to fill.
#[test]
#[serial]
fn in_place_fills_of_elements_that_share_memory() {
    const NAMED: &[&str] = &["has elements that share memory"];
    let refused = |name: &'static str, dims: &[i64], strides: &[i64], others: fn() -> Vec<Argument>| {
        found(Check::SharedElements, NAMED, || {
            let repeated = strided(F32, dims, Some(strides), 1, &[4], floats(4));
            let arguments: Vec<_> = [Argument::Tensor(repeated)].into_iter().chain(others()).collect();
            planned(name, &arguments).code
        });
    };
    fn index() -> Argument {
        Argument::Tensor(tensor(I64, &[1], numbers(&[0])))
    }
    refused("InplaceZero", &[1 << 40], &[0], Vec::new);
    refused("InplaceOne", &[1 << 40], &[0], Vec::new);
    refused("InplaceFillScalar", &[1 << 40], &[0], || vec![Argument::Scalar(scalar(7_f32))]);
    refused("InplaceIndexFill", &[1 << 40], &[0], || {
        vec![Argument::Int(0), index(), Argument::Scalar(scalar(7_f32))]
    });
    refused("EmbeddingRenorm", &[1 << 40, 2], &[0, 1], || {
        vec![index(), Argument::Float(1.0), Argument::Float(2.0)]
    });
}

#[test]
#[serial]
fn two_outputs_in_the_same_memory() {
    // Where the second output begins: with the first one, inside of it, and behind it.
    let lost = |named: &[&str], call: &dyn Fn(usize) -> i32, behind: usize| {
        let parts = [named, &["one of the results would be lost"]].concat();
        found(Check::Overlap, &parts, || call(0));
        found(Check::Overlap, &parts, || call(behind / 2));
        let _device = Device::set();
        let (_, reports) = control::reports_of(|| good(call(behind)));
        assert!(reports.is_empty(), "{reports:?}");
    };
    let topk = |apart: usize| {
        let memory = malloc(64);
        let arguments = [
            Argument::Tensor(tensor(F32, &[8], floats(8))),
            Argument::Int(4),
            Argument::Int(0),
            Argument::Bool(true),
            Argument::Bool(true),
            Argument::Tensor(tensor(F32, &[4], memory)),
            Argument::Tensor(tensor(I64, &[4], at(memory, apart))),
        ];
        launched("Topk", &arguments)
    };
    lost(&["values_out", "indices_out"], &topk, 16);
    let var_mean = |apart: usize| {
        let memory = malloc(64);
        // SAFETY: the place holds one number.
        let axes = unsafe { EMULATOR.meta.aclCreateIntArray([1_i64].as_ptr(), 1) }.unwrap();
        let arguments = [
            Argument::Tensor(tensor(F32, &[2, 4], floats(8))),
            Argument::Ints(axes),
            Argument::Int(1),
            Argument::Bool(false),
            Argument::Tensor(tensor(F32, &[2], memory)),
            Argument::Tensor(tensor(F32, &[2], at(memory, apart))),
        ];
        launched("VarMean", &arguments)
    };
    lost(&["varOut", "meanOut"], &var_mean, 8);
}

pub(super) fn planned(name: &str, arguments: &[Argument]) -> Planned {
    let operator = EMULATOR.operators.by_name(name).unwrap().unwrap();
    // SAFETY: the handles are live, the places valid.
    plan(|size, executor| unsafe { operator.get_workspace_size(arguments, size, executor).unwrap() })
}

/// Plans a call, and launches it on the default stream; the code of the launch.
pub(super) fn launched(name: &str, arguments: &[Argument]) -> i32 {
    let planned = planned(name, arguments);
    good(planned.code);
    let workspace = if planned.workspace > 0 { malloc(planned.workspace as usize) } else { ptr::null_mut() };
    let launch = EMULATOR.operators.by_name(name).unwrap().unwrap().launcher();
    // SAFETY: the executor is live, and the workspace as large as it asked for.
    unsafe { launch(workspace, planned.workspace, planned.executor, ptr::null_mut()) }
}

pub(super) fn numbers(values: &[i64]) -> *mut c_void {
    let memory = malloc(size_of_val(values));
    write(memory, values);
    memory
}

/// Phase one packs at once, which no stream orders.
#[test]
#[serial]
fn a_stream_and_a_phase_one_on_the_same_bytes() {
    found(Check::Race, &["reads weight where aclrtMemsetAsync on stream", "writes devPtr"], || {
        let memory = floats(8);
        good(rt!(aclrtMemsetAsync(memory, 32, 0, 32, ptr::null_mut())));
        let (weight, packed) = (tensor(I32, &[1, 8], memory), tensor(I32, &[1, 1], floats(1)));
        let operator = EMULATOR.operators.ConvertWeightToINT4Pack().expect("declared");
        let (mut size, mut executor) = (0, ptr::null_mut());
        // SAFETY: handles of the emulator, and places of this test.
        let code = unsafe { operator.get_workspace_size(weight, packed, &mut size, &mut executor) };
        [weight, packed].into_iter().for_each(|tensor| good(meta!(aclDestroyTensor(tensor))));
        code
    });
}

#[test]
#[serial]
fn two_streams_on_the_same_bytes() {
    found(Check::Race, &["stream ", " reads self where aclrtMemsetAsync on stream", "writes devPtr"], || {
        let (a, b, out, other) = (floats(8), floats(8), floats(8), stream());
        good(rt!(aclrtMemsetAsync(a, 32, 0, 32, other)));
        let code = add(a, b, out, 8, ptr::null_mut());
        good(rt!(aclrtDestroyStream(other)));
        code
    });
    // An event that was recorded too early does not order what comes behind it.
    found(
        Check::Race,
        &["writes out where aclnnAdd on stream", "reads other", "was recorded before that work"],
        || {
            let (a, b, out, other, event) = (floats(8), floats(8), floats(8), stream(), event());
            good(add(a, b, out, 8, other));
            good(rt!(aclrtRecordEvent(event, other)));
            good(add(a, b, out, 8, other));
            good(rt!(aclrtStreamWaitEvent(ptr::null_mut(), event)));
            let code = add(a, a, b, 8, ptr::null_mut());
            good(rt!(aclrtDestroyStream(other)));
            good(rt!(aclrtDestroyEvent(event)));
            code
        },
    );
    // An event that is recorded after the wait orders nothing.
    found(Check::Race, &["reads self where aclnnAdd on stream", "for last was not recorded yet"], || {
        let (a, b, out, other, event) = (floats(8), floats(8), floats(8), stream(), event());
        good(rt!(aclrtStreamWaitEvent(ptr::null_mut(), event)));
        good(add(a, b, out, 8, other));
        good(rt!(aclrtRecordEvent(event, other)));
        let code = add(out, b, a, 8, ptr::null_mut());
        good(rt!(aclrtDestroyStream(other)));
        good(rt!(aclrtDestroyEvent(event)));
        code
    });
    // A stream and the host.
    found(Check::Race, &["the host reads src", "aclnnAdd on stream"], || {
        let (out, mut host) = (floats(8), [0_u8; 32]);
        good(add(floats(8), floats(8), out, 8, ptr::null_mut()));
        rt!(aclrtMemcpy(host.as_mut_ptr().cast(), 32, out, 32, ACL_MEMCPY_DEVICE_TO_HOST))
    });
}
