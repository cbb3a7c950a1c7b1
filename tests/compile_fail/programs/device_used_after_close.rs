//! Closing takes the handle.

use aclnn::Device;

fn run(device: Device) {
    let _ = device.close();
    let _ = device.synchronize();
}

fn main() {}
