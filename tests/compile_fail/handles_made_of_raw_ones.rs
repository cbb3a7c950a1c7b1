//! Handles come from the crate alone: nothing raw becomes one.

use aclnn::{Device, Stream};
use std::ptr::null_mut;

fn main() {
    let _ = Device(null_mut());
    let _ = Stream(null_mut());
}
