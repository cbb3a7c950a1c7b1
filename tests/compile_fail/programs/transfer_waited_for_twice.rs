//! Waiting for a copy takes it, as it gives the buffer back.

use aclnn::Transfer;

fn run(transfer: Transfer<f32>) {
    let _ = transfer.wait();
    let _ = transfer.wait();
}

fn main() {}
