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

// error[E0423]: cannot initialize a tuple struct which contains private fields
//   line 7
//   note: constructor is not visible here due to private fields
//     src/device/mod.rs: private field
// error[E0423]: cannot initialize a tuple struct which contains private fields
//   line 8
//   note: constructor is not visible here due to private fields
//     src/stream.rs: private field
//   help: you might have meant to use the `from_raw` associated function
//     line 8: ::from_raw(_, _)
// error[E0133]: call to unsafe function `Stream::from_raw` is unsafe and requires unsafe block
//   line 12: call to unsafe function
//   note: consult the function's documentation for information on how to avoid undefined behavior
