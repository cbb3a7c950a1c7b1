//! Memory of the emulated runtime: allocation, copies, host memory, virtual memory.

use std::ffi::c_void;
use std::ptr::null_mut;

use aclnn_sys::*;
use serial_test::serial;

use crate::support::runtime::*;

#[test]
#[serial]
fn allocations_are_aligned_rounded_and_accounted_for() {
    let _device = Device::set();
    let before = free_memory();
    let pointer = malloc(100);
    // 100 bytes become 128 and 32 spare ones, in the driver's steps of 512.
    assert_eq!(before - free_memory(), 512);
    let full = malloc(480);
    assert_eq!(before - free_memory(), 512 + 512);
    let over = malloc(481);
    assert_eq!(before - free_memory(), 512 + 512 + 1024);
    for pointer in [pointer, full, over] {
        assert!(pointer.addr().is_multiple_of(512), "{pointer:?}");
        free(pointer);
    }
    assert_eq!(free_memory(), before);
}

/// Documented: 32 spare bytes follow the rounded size, except where the function only rounds or the pages have a gibibyte.
#[test]
#[serial]
fn every_function_that_allocates_leaves_its_spare_bytes() {
    let _device = Device::set();
    let before = free_memory();
    let costs = |allocate: &dyn Fn(*mut *mut c_void, usize) -> i32, bytes| {
        let mut pointer = null_mut();
        assert_eq!(allocate(&mut pointer, bytes), 0, "{}", message());
        let cost = before - free_memory();
        free(pointer);
        cost
    };
    let policy = ACL_MEM_MALLOC_HUGE_FIRST;
    let spared: [&dyn Fn(_, _) -> i32; 3] = [
        &|to, bytes| call!(aclrtMalloc(to, bytes, policy)),
        &|to, bytes| call!(aclrtMallocCached(to, bytes, policy)),
        &|to, bytes| call!(aclrtMallocWithCfg(to, bytes, policy, null_mut())),
    ];
    let tight: [&dyn Fn(_, _) -> i32; 3] = [
        &|to, bytes| call!(aclrtMallocAlign32(to, bytes, policy)),
        &|to, bytes| call!(aclrtMalloc(to, bytes, ACL_MEM_MALLOC_HUGE1G_ONLY)),
        &|to, bytes| call!(aclrtMallocCached(to, bytes, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P)),
    ];
    for (functions, spare) in [(spared, 32), (tight, 0)] {
        for (number, allocate) in functions.into_iter().enumerate() {
            for bytes in [1_usize, 32, 448, 449, 480, 481, 512, 513, 992, 993, 1024] {
                let cost = (bytes.next_multiple_of(32) + spare).next_multiple_of(512);
                assert_eq!(
                    costs(allocate, bytes),
                    cost,
                    "function {number} with {spare} spare, {bytes} bytes"
                );
            }
        }
    }
}

/// Pages of the host of two megabytes serve large allocations whole, which take no more of the device than their bytes.
#[test]
#[serial]
fn large_allocations_begin_with_a_large_page() {
    const PAGE: usize = 2 << 20;
    const LARGE: usize = 32 << 20;
    let _device = Device::set();
    let before = free_memory();
    let blocks = [100, LARGE, 700, LARGE + 5, PAGE, LARGE - 32].map(|bytes| (bytes, malloc(bytes)));
    let costs = blocks.map(|(bytes, _)| (bytes.next_multiple_of(32) + 32).next_multiple_of(512));
    assert_eq!(before - free_memory(), costs.into_iter().sum::<usize>());
    for ((bytes, block), cost) in blocks.into_iter().zip(costs) {
        assert_eq!(block.addr() % if cost < LARGE { 512 } else { PAGE }, 0, "{bytes} bytes at {block:?}");
        free(block);
    }
    // Gaps before aligned blocks take nothing from the device: all of it can be allocated.
    let all: Vec<_> = (0..MEMORY / (LARGE + 512)).map(|_| malloc(LARGE + 480)).collect();
    let rest = malloc(free_memory() - 64);
    all.into_iter().chain([rest]).for_each(free);
    assert_eq!(free_memory(), before);
    let mut pinned = null_mut();
    ok!(aclrtMallocHost(&mut pinned, 3 * PAGE));
    assert!(pinned.addr().is_multiple_of(PAGE));
    ok!(aclrtFreeHost(pinned));
}

/// The pages of freed memory are kept, what was in them is not: a new allocation holds no value.
#[test]
#[serial]
fn memory_that_is_used_again_counts_as_never_written() {
    let _device = Device::set();
    let len = 32 << 20;
    let sum = malloc(len);
    ok!(aclrtMemset(sum, len, 0, len));
    let used = malloc(len);
    ok!(aclrtMemset(used, len, 1, len));
    let add = |memory| {
        let kind = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
        call!(aclrtReduceAsync(sum, memory, 64, kind, ACL_FLOAT, null_mut(), null_mut()))
    };
    assert_eq!(add(used), 0);
    ok!(aclrtSynchronizeStream(null_mut()));
    free(used);
    assert_eq!(add(used), ACL_ERROR_RT_PARAM_INVALID);
    assert!(message().contains("freed before"));
    let again = malloc(len);
    assert_eq!(again, used, "the same pages");
    assert_eq!(add(again), ACL_ERROR_RT_PARAM_INVALID);
    assert!(message().contains("src reads"));
    free(again);
    free(sum);
}

#[test]
#[serial]
fn wrong_arguments_of_malloc_and_free() {
    let _device = Device::set();
    let mut pointer = null_mut();
    assert_eq!(call!(aclrtMalloc(&mut pointer, 0, ACL_MEM_MALLOC_HUGE_FIRST)), ACL_ERROR_INVALID_PARAM);
    assert_eq!(call!(aclrtMalloc(null_mut(), 8, ACL_MEM_MALLOC_HUGE_FIRST)), ACL_ERROR_INVALID_PARAM);
    assert_eq!(call!(aclrtFree(null_mut())), ACL_ERROR_INVALID_PARAM);

    let mut local = 0u64;
    assert_eq!(call!(aclrtFree((&raw mut local).cast())), ACL_ERROR_RT_PARAM_INVALID);
    assert!(message().contains("not device memory"));

    let pointer = malloc(100);
    assert_eq!(call!(aclrtFree(pointer.wrapping_byte_add(64))), ACL_ERROR_RT_PARAM_INVALID);
    assert!(message().contains("lies 64 bytes inside the allocation of 100 bytes"));
    free(pointer);
    assert_eq!(call!(aclrtFree(pointer)), ACL_ERROR_RT_PARAM_INVALID);
    assert!(message().contains("freed before"));
}

#[test]
#[serial]
fn memory_runs_out_with_a_message_that_tells_what_is_left() {
    let _device = Device::set();
    let block = malloc(MEMORY / 2);
    let mut second = null_mut();
    let code = call!(aclrtMalloc(&mut second, MEMORY * 3 / 4, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_eq!(code, ACL_ERROR_RT_MEMORY_ALLOCATION);
    let text = message();
    for part in [(MEMORY * 3 / 4).to_string(), free_memory().to_string(), "CANN_STUBS_MEMORY".to_owned()] {
        assert!(text.contains(&part), "{text}");
    }
    assert_eq!(
        call!(aclrtMalloc(&mut second, usize::MAX, ACL_MEM_MALLOC_HUGE_FIRST)),
        ACL_ERROR_RT_MEMORY_ALLOCATION
    );
    assert!(second.is_null());
    free(block);
    free(malloc(MEMORY * 3 / 4));
}

#[test]
#[serial]
fn copies_go_in_every_direction() {
    let _device = Device::set();
    let (a, b) = (malloc(1000), malloc(1000));
    let bytes: Vec<u8> = (0..1000).map(|index| index as u8).collect();
    upload(a, &bytes);
    ok!(aclrtMemcpy(b, 1000, a, 1000, ACL_MEMCPY_DEVICE_TO_DEVICE));
    assert_eq!(download(b, 1000), bytes);
    ok!(aclrtMemcpy(b, 1000, b, 1000, ACL_MEMCPY_DEVICE_TO_DEVICE));
    // The kind says nothing that the pointers do not say.
    ok!(aclrtMemcpy(b, 8, bytes[8..].as_ptr().cast(), 8, ACL_MEMCPY_DEVICE_TO_HOST));
    assert_eq!(download(b.wrapping_byte_add(4), 8), [12, 13, 14, 15, 8, 9, 10, 11]);
    let mut host = [0u8; 4];
    ok!(aclrtMemcpy(host.as_mut_ptr().cast(), 4, bytes.as_ptr().cast(), 4, ACL_MEMCPY_HOST_TO_HOST));
    assert_eq!(host, [0, 1, 2, 3]);
    free(a);
    free(b);
}

#[test]
#[serial]
fn wrong_copies_are_refused() {
    let _device = Device::set();
    let pointer = malloc(100);
    let mut host = [0u8; 256];
    let from = host.as_mut_ptr().cast::<c_void>();
    let kind = ACL_MEMCPY_HOST_TO_DEVICE;
    assert_eq!(call!(aclrtMemcpy(pointer, 10, from, 11, kind)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtMemcpy(null_mut(), 10, from, 1, kind)), ACL_ERROR_INVALID_PARAM);
    assert_eq!(
        call!(aclrtMemcpy(pointer, 10, from, 1, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE)),
        ACL_ERROR_INVALID_PARAM
    );
    ok!(aclrtMemcpy(pointer, 0, from, 0, kind));
    ok!(aclrtMemset(pointer, 0, 1, 0));
    free(pointer);
    assert_eq!(call!(aclrtMemcpy(from, 8, pointer, 8, kind)), ACL_ERROR_RT_PARAM_INVALID);
    assert!(message().contains("not allocated"));
}

/// A device rounds 100 bytes up to 128 and puts 32 behind them; the program asked for 100.
#[test]
#[serial]
fn memory_ends_with_the_bytes_that_were_asked_for() {
    let _device = Device::set();
    let (pointer, large) = (malloc(100), malloc(256));
    let mut host = [1u8; 256];
    let host = host.as_mut_ptr().cast::<c_void>();
    ok!(aclrtMemcpy(pointer, 100, host, 100, ACL_MEMCPY_HOST_TO_DEVICE));
    ok!(aclrtMemcpy(host, 1, pointer.wrapping_byte_add(99), 1, ACL_MEMCPY_DEVICE_TO_HOST));
    #[track_caller]
    fn refused(code: i32, parts: &[&str]) {
        let text = message();
        assert_eq!(code, ACL_ERROR_RT_PARAM_INVALID, "{text}");
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }
    for (bytes, past) in
        [(101, "1 bytes past"), (128, "28 bytes past"), (129, "29 bytes past"), (160, "60 bytes past")]
    {
        let parts = [past, "the end of the allocation of 100 bytes"];
        let [to, from] = ["dst: ", "src: "].map(|side| [side, parts[0], parts[1]]);
        refused(call!(aclrtMemcpy(pointer, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE)), &to);
        refused(call!(aclrtMemcpy(host, bytes, pointer, bytes, ACL_MEMCPY_DEVICE_TO_HOST)), &from);
        refused(call!(aclrtMemcpy(large, bytes, pointer, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE)), &from);
        refused(
            call!(aclrtMemcpyAsync(pointer, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE, null_mut())),
            &to,
        );
        refused(call!(aclrtMemcpy2d(pointer, bytes - 50, host, 50, 50, 2, ACL_MEMCPY_HOST_TO_DEVICE)), &to);
        refused(call!(aclrtMemset(pointer, bytes, 0, bytes)), &parts);
        refused(call!(aclrtMemsetAsync(pointer, bytes, 0, bytes, null_mut())), &parts);
    }
    // Behind the end there is nothing, although a device has room there.
    let end = pointer.wrapping_byte_add(100);
    refused(
        call!(aclrtMemcpy(end, 1, host, 1, ACL_MEMCPY_HOST_TO_DEVICE)),
        &["is not allocated", "ending 0 bytes before"],
    );
    free(pointer);
    free(large);
}

#[test]
#[serial]
fn rectangles_and_fills() {
    let _device = Device::set();
    let pointer = malloc(64);
    ok!(aclrtMemset(pointer, 64, 0x1ff, 64));
    assert_eq!(download(pointer, 64), [0xff; 64]);
    ok!(aclrtMemsetD32(pointer.wrapping_byte_add(1), 63, 0x0403_0201, 2));
    assert_eq!(download(pointer, 10), [0xff, 1, 2, 3, 4, 1, 2, 3, 4, 0xff]);
    assert_eq!(call!(aclrtMemsetD32(pointer, 7, 0, 2)), ACL_ERROR_RT_PARAM_INVALID);
    for count in [usize::MAX, usize::MAX / 4 + 2, usize::MAX / 2] {
        assert_eq!(call!(aclrtMemsetD32(pointer, usize::MAX, 0, count)), ACL_ERROR_RT_PARAM_INVALID);
    }

    let rows: Vec<u8> = (0..12).collect();
    ok!(aclrtMemset(pointer, 64, 0, 64));
    ok!(aclrtMemcpy2d(pointer, 5, rows.as_ptr().cast(), 4, 3, 3, ACL_MEMCPY_HOST_TO_DEVICE));
    assert_eq!(download(pointer, 14), [0, 1, 2, 0, 0, 4, 5, 6, 0, 0, 8, 9, 10, 0]);
    let kind = ACL_MEMCPY_HOST_TO_DEVICE;
    assert_eq!(
        call!(aclrtMemcpy2d(pointer, 2, rows.as_ptr().cast(), 4, 3, 3, kind)),
        ACL_ERROR_INVALID_PARAM
    );
    let mut host = [0u8; 12];
    let to = host.as_mut_ptr().cast();
    for kind in [ACL_MEMCPY_HOST_TO_HOST, ACL_MEMCPY_DEFAULT] {
        assert_eq!(call!(aclrtMemcpy2d(to, 4, rows.as_ptr().cast(), 4, 3, 3, kind)), ACL_ERROR_INVALID_PARAM);
    }
    assert_eq!(
        call!(aclrtMemcpy2d(pointer, 40, rows.as_ptr().cast(), 4, 3, 3, kind)),
        ACL_ERROR_RT_PARAM_INVALID
    );
    free(pointer);
}

#[test]
#[serial]
fn host_memory_is_pinned_and_tracked() {
    let _device = Device::set();
    let mut pointer = null_mut();
    ok!(aclrtMallocHost(&mut pointer, 100));
    assert_eq!(pointer.addr() % 64, 0);
    // SAFETY: the runtime has just given these bytes.
    unsafe { pointer.cast::<u8>().write_bytes(5, 100) };
    let device = malloc(100);
    ok!(aclrtMemcpy(device, 100, pointer, 100, ACL_MEMCPY_HOST_TO_DEVICE));
    assert_eq!(download(device, 100), [5; 100]);

    let place_of = |pointer: *const c_void| {
        let mut attributes = aclrtPtrAttributes {
            location: aclrtMemLocation { id: 9, type_: ACL_MEM_LOCATION_TYPE_MANAGED },
            pageSize: 0,
            rsv: [0; 4],
        };
        ok!(aclrtPointerGetAttributes(pointer, &mut attributes));
        (attributes.location.type_, attributes.location.id)
    };
    assert_eq!(place_of(device.wrapping_byte_add(99)), (ACL_MEM_LOCATION_TYPE_DEVICE, 0));
    assert_eq!(place_of(pointer), (ACL_MEM_LOCATION_TYPE_HOST, 0));
    assert_eq!(place_of((&raw const device).cast()).0, ACL_MEM_LOCATION_TYPE_UNREGISTERED);

    ok!(aclrtFreeHost(pointer));
    assert_eq!(call!(aclrtFreeHost(pointer)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtFreeHost(device)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtMallocHost(&mut pointer, 0)), ACL_ERROR_INVALID_PARAM);
    free(device);
}

#[test]
#[serial]
fn registered_host_memory_has_a_device_address() {
    let _device = Device::set();
    let mut bytes = [7u8; 64];
    let host = bytes.as_mut_ptr().cast::<c_void>();
    let mut device = null_mut();
    ok!(aclrtHostRegister(host, 64, ACL_HOST_REGISTER_MAPPED, &mut device));
    assert_eq!(download(device, 64), [7; 64]);
    let mut again = null_mut();
    ok!(aclrtHostGetDevicePointer(host, &mut again, 0));
    assert_eq!(again, device);
    let code = call!(aclrtHostRegisterV2(host.wrapping_byte_add(63), 8, ACL_HOST_REG_PINNED as u32));
    assert_eq!(code, ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    ok!(aclrtHostUnregister(host));
    assert_eq!(call!(aclrtHostUnregister(host)), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
    ok!(aclrtHostRegisterV2(host, 64, ACL_HOST_REG_PINNED as u32));
    assert_eq!(call!(aclrtHostGetDevicePointer(host, &mut again, 0)), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
    ok!(aclrtHostUnregister(host));
}

#[test]
#[serial]
fn physical_memory_is_mapped_twice() {
    let _device = Device::set();
    let before = free_memory();
    let mut step = 0;
    let mut prop = properties();
    ok!(aclrtMemGetAllocationGranularity(&mut prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &mut step));

    let (mut range, mut first, mut second) = (null_mut(), null_mut(), null_mut());
    ok!(aclrtReserveMemAddress(&mut range, MEMORY, 0, null_mut(), 0));
    assert_eq!(free_memory(), before, "addresses cost no memory");
    assert_eq!(call!(aclrtMallocPhysical(&mut first, step + 1, &prop, 0)), ACL_ERROR_INVALID_PARAM);
    ok!(aclrtMallocPhysical(&mut first, step, &prop, 0));
    ok!(aclrtMallocPhysical(&mut second, step, &prop, 0));
    assert_eq!(before - free_memory(), 2 * step);

    // first, second, first: one memory at two addresses, and ranges that span mappings.
    let at = |index: usize| range.wrapping_byte_add(index * step);
    assert_eq!(call!(aclrtMapMem(at(0), 2 * step, 0, first, 0)), ACL_ERROR_INVALID_PARAM);
    ok!(aclrtMapMem(at(0), step, 0, first, 0));
    assert_eq!(call!(aclrtMapMem(at(0), step, 0, second, 0)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtMapMem(at(1), step, 0, second, 0));
    ok!(aclrtMapMem(at(2), step, 0, first, 0));
    upload(at(1).wrapping_byte_sub(2), &[1, 2, 3, 4]);
    assert_eq!(download(at(1), 2), [3, 4]);
    assert_eq!(download(at(3).wrapping_byte_sub(2), 2), [1, 2]);
    let mut host = [0u8; 4];
    let to = host.as_mut_ptr().cast();
    let over = at(3).wrapping_byte_sub(2);
    assert_eq!(call!(aclrtMemcpy(to, 4, over, 4, ACL_MEMCPY_DEFAULT)), ACL_ERROR_RT_PARAM_INVALID);
    assert!(message().contains("nothing is mapped"));

    // Undone in another order than it was done.
    assert_eq!(call!(aclrtFreePhysical(first)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtReleaseMemAddress(range)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtFree(at(0))), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtUnmapMem(at(0).wrapping_byte_add(1))), ACL_ERROR_RT_PARAM_INVALID);

    let mut kept = null_mut();
    ok!(aclrtMemRetainAllocationHandle(at(2).wrapping_byte_add(5), &mut kept));
    assert_eq!(kept, first);
    for index in 0..3 {
        ok!(aclrtUnmapMem(at(index)));
    }
    assert_eq!(call!(aclrtMemcpy(to, 4, at(0), 4, ACL_MEMCPY_DEFAULT)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtFreePhysical(first));
    ok!(aclrtMapMem(at(7), step, 0, first, 0));
    assert_eq!(download(at(8).wrapping_byte_sub(2), 2), [1, 2], "what was retained still holds its bytes");
    ok!(aclrtUnmapMem(at(7)));
    ok!(aclrtFreePhysical(first));
    ok!(aclrtFreePhysical(second));
    assert_eq!(call!(aclrtFreePhysical(second)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtReleaseMemAddress(range));
    assert_eq!(free_memory(), before);
}

#[test]
#[serial]
fn access_to_mapped_memory_is_told() {
    let _device = Device::set();
    let (mut range, mut handle, mut flags) = (null_mut(), null_mut(), 9);
    ok!(aclrtReserveMemAddress(&mut range, 2 << 20, 0, null_mut(), 0));
    ok!(aclrtMallocPhysical(&mut handle, 2 << 20, &properties(), 0));
    ok!(aclrtMapMem(range, 2 << 20, 0, handle, 0));
    let mut peer = aclrtMemLocation { id: 1, type_: ACL_MEM_LOCATION_TYPE_DEVICE };
    ok!(aclrtMemGetAccess(range, &mut peer, &mut flags));
    assert_eq!(flags, u64::from(ACL_RT_MEM_ACCESS_FLAGS_NONE.0));
    let mut wish = aclrtMemAccessDesc { flags: ACL_RT_MEM_ACCESS_FLAGS_READ, location: peer, rsv: [0; 12] };
    ok!(aclrtMemSetAccess(range, 2 << 20, &mut wish, 1));
    ok!(aclrtMemGetAccess(range.wrapping_byte_add(64), &mut peer, &mut flags));
    assert_eq!(flags, u64::from(ACL_RT_MEM_ACCESS_FLAGS_READ.0));
    ok!(aclrtUnmapMem(range));
    ok!(aclrtFreePhysical(handle));
    ok!(aclrtReleaseMemAddress(range));
}

#[test]
#[serial]
fn memory_needs_a_device_on_the_thread_and_ends_with_it() {
    let bare = spawn(|| {
        let (mut free, mut total) = (0, 0);
        let mut pointer = null_mut();
        [
            call!(aclrtGetMemInfo(ACL_HBM_MEM, &mut free, &mut total)),
            call!(aclrtMalloc(&mut pointer, 8, ACL_MEM_MALLOC_HUGE_FIRST)),
        ]
    });
    assert_eq!(finish(&bare), [ACL_ERROR_RT_CONTEXT_NULL; 2]);

    let device = Device::set();
    let pointer = malloc(1 << 20);
    drop(device);
    let _device = Device::set();
    assert_eq!(free_memory(), MEMORY, "resetting the device frees what was left");
    assert_eq!(call!(aclrtFree(pointer)), ACL_ERROR_RT_PARAM_INVALID);
}

#[test]
#[serial]
fn usage_tells_the_peak() {
    let _device = Device::set();
    free(malloc(1 << 20));
    let mut usage = [aclrtMemUsageInfo { name: [0; 32], curMemSize: 9, memPeakSize: 0, reserved: [0; 8] }; 2];
    let mut count = 0;
    ok!(aclrtGetMemUsageInfo(0, usage.as_mut_ptr(), 2, &mut count));
    assert_eq!((count, usage[0].curMemSize), (1, 0));
    assert!(usage[0].memPeakSize >= 1 << 20);
}

#[test]
#[serial]
fn what_was_never_written_is_so_on_another_device_and_under_another_key() {
    let _device = Device::set();
    let blank = malloc(64);
    ok!(aclrtSetDevice(1));
    ok!(aclrtDeviceEnablePeerAccess(0, 0));
    ok!(aclrtSetDevice(0));
    ok!(aclrtDeviceEnablePeerAccess(1, 0));
    ok!(aclrtSetDevice(1));
    let (there, sum) = (malloc(64), malloc(64));
    ok!(aclrtMemset(there, 64, 0, 64));
    ok!(aclrtMemset(sum, 64, 0, 64));
    let computes = || {
        let sum = (sum, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM);
        let code = call!(aclrtReduceAsync(sum.0, there, 64, sum.1, ACL_FLOAT, null_mut(), null_mut()));
        ok!(aclrtSynchronizeStream(null_mut()));
        code
    };
    assert_eq!(computes(), 0);
    let mut key = [0; ACL_IPC_HANDLE_SIZE];
    ok!(aclrtIpcMemGetExportKey(blank, 64, key.as_mut_ptr(), key.len(), 0));
    let mut imported = null_mut();
    ok!(aclrtIpcMemImportByKey(&mut imported, key.as_ptr(), 0));
    for source in [blank, imported] {
        ok!(aclrtMemset(there, 64, 0, 64));
        ok!(aclrtMemcpy(there, 64, source, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
        assert_eq!(computes(), ACL_ERROR_RT_PARAM_INVALID);
        assert!(message().contains("src reads"));
    }
    ok!(aclrtIpcMemClose(key.as_ptr()));
    ok!(aclrtIpcMemClose(key.as_ptr()));
    free(there);
    free(sum);
    ok!(aclrtResetDeviceForce(1));
    ok!(aclrtSetDevice(0));
    free(blank);
    ok!(aclrtResetDevice(0));
    ok!(aclrtResetDevice(0));
}
