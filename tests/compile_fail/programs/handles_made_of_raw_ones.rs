//! Nothing raw becomes a handle, unless somebody vouches for it.

use aclnn::{Device, Stream};
use std::ptr::null_mut;

fn main() {
    let _ = Device(null_mut());
    let _ = Stream(null_mut());
}

fn adopt(device: &Device) {
    let _ = Stream::from_raw(device, null_mut());
}
