//! Waiting for a copy takes it, as it gives the buffer back.

use aclnn::Transfer;

fn run(transfer: Transfer<f32>) {
    let _ = transfer.wait();
    let _ = transfer.wait();
}

fn main() {}

// error[E0382]: use of moved value: `transfer`
//   line 5: move occurs because `transfer` has type `Transfer<f32>`, which does not implement the `Copy` trait
//   line 6: `transfer` moved due to this method call
//   line 7: value used here after move
//   note: `Transfer::<T>::wait` takes ownership of the receiver `self`, which moves `transfer`
//     src/host/transfer.rs
