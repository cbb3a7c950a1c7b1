//! Closing takes the handle.

use aclnn::Device;

fn run(device: Device) {
    let _ = device.close();
    let _ = device.synchronize();
}

fn main() {}

// error[E0382]: borrow of moved value: `device`
//   line 5: move occurs because `device` has type `Device`, which does not implement the `Copy` trait
//   line 6: `device` moved due to this method call
//   line 7: value borrowed here after move
//   note: `Device::close` takes ownership of the receiver `self`, which moves `device`
//     src/device/mod.rs
//   help: you can `clone` the value and consume it, but this might not be your desired behavior
//     line 6: .clone()
