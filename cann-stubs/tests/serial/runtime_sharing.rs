//! Memory shared by key or number, pools, the addresses of allocations, and the memory of many devices.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;

use aclnn_sys::*;
use serial_test::serial;

use crate::support::runtime::*;

fn on_device(id: u32) -> aclrtMemLocation {
    aclrtMemLocation { id, type_: ACL_MEM_LOCATION_TYPE_DEVICE }
}

fn physical(bytes: usize) -> *mut c_void {
    let properties = aclrtPhysicalMemProp {
        handleType: ACL_MEM_HANDLE_TYPE_NONE,
        allocationType: ACL_MEM_ALLOCATION_TYPE_PINNED,
        memAttr: ACL_HBM_MEM_HUGE,
        location: on_device(0),
        reserve: 0,
    };
    let mut handle = null_mut();
    ok!(aclrtMallocPhysical(&mut handle, bytes, &properties, 0));
    handle
}

#[test]
#[serial]
fn keys_are_good_while_the_memory_lives() {
    let _device = Device::set();
    let memory = malloc(100);
    let mut key: [c_char; 65] = [0; 65];
    let key = key.as_mut_ptr();
    assert_eq!(call!(aclrtIpcMemGetExportKey(memory, 100, key, 64, 0)), ACL_ERROR_INVALID_PARAM);
    let inside = memory.wrapping_byte_add(8);
    assert_eq!(call!(aclrtIpcMemGetExportKey(inside, 8, key, 65, 0)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtIpcMemGetExportKey(memory, 101, key, 65, 0)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtIpcMemGetExportKey(memory, 100, key, 65, 0));
    // SAFETY: the function wrote a text.
    assert!(unsafe { CStr::from_ptr(key) }.count_bytes() <= 64);
    let (mut process, mut imported) = ([std::process::id() as i32], null_mut());
    ok!(aclrtIpcMemSetImportPid(key, process.as_mut_ptr(), 1));
    ok!(aclrtIpcMemImportByKey(&mut imported, key, 0));
    assert_eq!(imported, memory);
    ok!(aclrtIpcMemClose(key));
    free(memory);
    assert_eq!(call!(aclrtIpcMemImportByKey(&mut imported, key, 0)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtIpcMemClose(key));
    assert_eq!(call!(aclrtIpcMemClose(key)), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    let foreign = c"somebody else's";
    assert_eq!(
        call!(aclrtIpcMemImportByKey(&mut imported, foreign.as_ptr(), 0)),
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT
    );
}

#[test]
#[serial]
fn physical_memory_lives_until_its_last_owner_frees_it() {
    let _device = Device::set();
    let handle = physical(2 << 20);
    let (mut number, mut wide, mut imported, mut second) = (0_u64, 0_u64, null_mut(), null_mut());
    ok!(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &mut number));
    ok!(aclrtMemImportFromShareableHandle(number, 0, &mut imported));
    let kind = ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT;
    ok!(aclrtMemExportToShareableHandleV2(handle, 0, kind, (&raw mut wide).cast()));
    ok!(aclrtMemSetPidToShareableHandleV2((&raw mut wide).cast(), kind, [1].as_mut_ptr(), 1));
    ok!(aclrtMemSetPidToShareableHandle(number, [1].as_mut_ptr(), 1));
    ok!(aclrtMemImportFromShareableHandleV2((&raw mut wide).cast(), kind, 0, &mut second));
    let before = free_memory();
    for owner in [handle, imported] {
        ok!(aclrtFreePhysical(owner));
        assert_eq!(free_memory(), before);
    }
    ok!(aclrtFreePhysical(second));
    assert_eq!(free_memory(), before + (2 << 20));
    assert_eq!(call!(aclrtMemImportFromShareableHandle(7, 0, &mut second)), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_eq!(
        call!(aclrtMemImportFromShareableHandle(number, 0, &mut second)),
        ACL_ERROR_RT_PARAM_INVALID,
        "the memory is gone"
    );
    let fabric = ACL_MEM_SHARE_HANDLE_TYPE_FABRIC;
    assert_eq!(
        call!(aclrtMemExportToShareableHandleV2(handle, 0, fabric, (&raw mut wide).cast())),
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT
    );
}

#[test]
#[serial]
fn pools_give_and_take_in_the_order_of_a_stream() {
    let _device = Device::set();
    let properties = aclrtMemPoolProps {
        allocType: ACL_MEM_ALLOCATION_TYPE_PINNED,
        handleType: ACL_MEM_HANDLE_TYPE_NONE,
        location: on_device(0),
        maxSize: 1 << 20,
        reserved: [0; 32],
    };
    let (mut pool, mut memory, stream) = (null_mut(), null_mut(), create_stream());
    ok!(aclrtMemPoolCreate(&mut pool, &properties));
    let attribute = |which| {
        let mut value = 0_u64;
        ok!(aclrtMemPoolGetAttr(pool, which, (&raw mut value).cast()));
        value
    };
    let before = free_memory();
    ok!(aclrtMemPoolMallocAsync(&mut memory, 1 << 19, pool, stream));
    ok!(aclrtMemsetAsync(memory, 1 << 19, 7, 1 << 19, stream));
    assert!(free_memory() < before);
    let mut second = null_mut();
    assert_eq!(
        call!(aclrtMemPoolMallocAsync(&mut second, (1 << 19) + 1, pool, stream)),
        ACL_ERROR_RT_MEMORY_ALLOCATION
    );
    assert_eq!(call!(aclrtMemPoolDestroy(pool)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtMemPoolFreeAsync(memory, stream));
    assert_eq!(attribute(ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT), 1 << 19, "not before somebody looks");
    assert_eq!(call!(aclrtMemPoolFreeAsync(memory, stream)), ACL_ERROR_RT_PARAM_INVALID, "released twice");
    ok!(aclrtSynchronizeStream(stream));
    assert_eq!(free_memory(), before);
    assert_eq!(attribute(ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT), 0);
    assert_eq!(attribute(ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), 1 << 19);
    let mut value = 123_u64;
    ok!(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, (&raw mut value).cast()));
    assert_eq!(attribute(ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD), 123);
    let mut allowed = 0_i32;
    let which = ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC;
    ok!(aclrtMemPoolSetAttr(pool, which, (&raw mut allowed).cast()));
    allowed = 9;
    ok!(aclrtMemPoolGetAttr(pool, which, (&raw mut allowed).cast()));
    assert_eq!(allowed, 0);
    let used = ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT;
    assert_eq!(call!(aclrtMemPoolSetAttr(pool, used, (&raw mut value).cast())), ACL_ERROR_INVALID_PARAM);
    ok!(aclrtMemPoolTrimTo(pool, 0));
    ok!(aclrtMemPoolDestroy(pool));
    assert_eq!(call!(aclrtMemPoolTrimTo(pool, 0)), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtDestroyStream(stream));
}

#[test]
#[serial]
fn an_address_tells_its_allocation() {
    let _device = Device::set();
    let memory = malloc(100);
    let (mut base, mut size) = (null_mut(), 0);
    ok!(aclrtMemGetAddressRange(memory.wrapping_byte_add(99), &mut base, &mut size));
    assert_eq!((base, size), (memory, 100));
    ok!(aclrtMemGetAddressRange(memory, null_mut(), null_mut()));
    let host = (&raw mut size).cast();
    assert_eq!(call!(aclrtMemGetAddressRange(host, &mut base, null_mut())), ACL_ERROR_RT_PARAM_INVALID);
    ok!(aclrtMemFlush(memory, 100));
    ok!(aclrtMemInvalidate(memory, 100));
    ok!(aclrtCmoAsync(memory, 100, ACL_RT_CMO_TYPE_PREFETCH, null_mut()));
    assert_eq!(call!(aclrtMemFlush(memory, 4096)), ACL_ERROR_RT_PARAM_INVALID);
    assert_eq!(call!(aclrtCmoAsync(memory, 100, aclrtCmoType(4), null_mut())), ACL_ERROR_INVALID_PARAM);
    free(memory);
}

/// Memory that one device lacks, another may have; and what is freed can be taken again, in whatever pieces.
#[test]
#[serial]
fn each_device_has_its_own_memory() {
    let _first = Device::set();
    let block = malloc(MEMORY - (1 << 20));
    let mut refused = null_mut();
    let code = call!(aclrtMalloc(&mut refused, 2 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_eq!(code, ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert!(message().contains("device 0"));
    ok!(aclrtSetDevice(1));
    assert_eq!(free_memory(), MEMORY);
    let elsewhere = malloc(MEMORY - (1 << 20));
    // A pointer of one device is no memory of the other, and is freed from anywhere.
    free(block);
    free(elsewhere);
    ok!(aclrtResetDevice(1));
    ok!(aclrtSetDevice(0));
    assert_eq!(free_memory(), MEMORY);

    // In pieces: every second one freed leaves no room for a large one, all freed leave it again.
    let pieces: Vec<_> = (0..16).map(|_| malloc(MEMORY / 16 - 64)).collect();
    pieces.iter().step_by(2).for_each(|piece| free(*piece));
    assert!(free_memory() >= MEMORY / 2);
    let code = call!(aclrtMalloc(&mut refused, MEMORY / 4, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_eq!(code, ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert!(message().contains("largest block"), "the message tells why free memory does not help");
    pieces.iter().skip(1).step_by(2).for_each(|piece| free(*piece));
    free(malloc(MEMORY / 4));
    ok!(aclrtResetDevice(0));
}

#[test]
#[serial]
fn physical_memory_counts_as_memory() {
    let _device = Device::set();
    let handle = physical(MEMORY / 2);
    let mut refused = null_mut();
    let code = call!(aclrtMalloc(&mut refused, MEMORY * 3 / 4, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_eq!(code, ACL_ERROR_RT_MEMORY_ALLOCATION);
    ok!(aclrtFreePhysical(handle));
    free(malloc(MEMORY * 3 / 4));
}
