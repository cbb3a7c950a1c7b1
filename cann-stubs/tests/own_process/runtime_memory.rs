//! Device memory that the host touches.

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
