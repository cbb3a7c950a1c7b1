//! Device memory that the host touches, and memory of the system that devices hold.

use std::ffi::c_void;
use std::os::unix::process::ExitStatusExt;

use crate::support::child::{self, this_test};
use crate::support::runtime::*;

#[test]
fn the_host_cannot_touch_device_memory() {
    let body = || {
        let _device = Device::set();
        let pointer = malloc(64);
        upload(pointer, &[1; 64]);
        // SAFETY: none; the read has to fault, and this process exists only to see it.
        let value = unsafe { pointer.cast::<u8>().read_volatile() };
        println!("read {value}");
    };
    let Some(output) = child::run(this_test!(), &[], body) else { return };
    assert_eq!(output.status.signal(), Some(libc::SIGSEGV), "{}", output.status);
}

/// Bytes of memory that this process holds.
fn resident() -> usize {
    let counts = std::fs::read_to_string("/proc/self/statm").unwrap();
    counts.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

const MIB: usize = 1 << 20;

/// Device memory with a byte written in every page of the host.
fn touched(bytes: usize) -> *mut c_void {
    let memory = malloc(bytes);
    for page in (0..bytes).step_by(4096) {
        ok!(aclrtMemset(memory.wrapping_byte_add(page), 1, 7, 1));
    }
    memory
}

/// What the process holds more than `before`, in parts of 64 MiB, so that whatever else it does is no matter.
fn more_than(before: usize) -> usize {
    (resident().saturating_sub(before) + 32 * MIB) / (64 * MIB)
}

#[test]
fn pages_of_freed_memory_are_kept_for_the_next_allocation_and_given_back_at_a_reset() {
    child::with(this_test!(), &[], || {
        let device = Device::set();
        let before = resident();
        let memory = touched(128 * MIB);
        assert_eq!(more_than(before), 2);
        free(memory);
        assert_eq!(more_than(before), 2, "kept");
        // Nothing is touched for the first time.
        let again = touched(128 * MIB);
        assert_eq!((again, more_than(before)), (memory, 2));
        free(again);
        drop(device);
        assert_eq!(more_than(before), 0, "given back");
    });
}

#[test]
fn at_most_half_of_what_was_in_use_is_kept() {
    child::with(this_test!(), &[("CANN_STUBS_MEMORY", "1G")], || {
        ok!(aclrtSetDevice(0));
        let before = resident();
        let blocks: Vec<_> = (0..6).map(|_| touched(128 * MIB)).collect();
        assert_eq!(more_than(before), 12);
        blocks.into_iter().for_each(free);
        assert_eq!(more_than(before), 6);
        ok!(aclrtResetDevice(0));
        assert_eq!(more_than(before), 0);
    });
}
