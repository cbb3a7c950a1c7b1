//! A buffer of the host belongs to the copy that reads it, until the copy is waited for.

use aclnn::{HostBuffer, Tensor};

fn run(tensor: &mut Tensor, buffer: HostBuffer<f32>) {
    let _transfer = tensor.upload(buffer);
    let _ = buffer.len();
}

fn main() {}

// error[E0382]: borrow of moved value: `buffer`
//   line 5: move occurs because `buffer` has type `HostBuffer<f32>`, which does not implement the `Copy` trait
//   line 6: value moved here
//   line 7: value borrowed here after move
//   note: borrow occurs due to deref coercion to `[f32]`
//   note: deref defined here
//     src/host/buffer.rs
