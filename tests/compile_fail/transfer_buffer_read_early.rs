//! What a copy brings to the host is there when the copy was waited for: only then the buffer comes back.

use aclnn::{HostBuffer, Tensor};

fn run(tensor: &Tensor, buffer: HostBuffer<f32>) -> f32 {
    let transfer = tensor.download(buffer);
    let _transfer = transfer;
    buffer[0]
}

fn main() {}

// error[E0382]: borrow of moved value: `buffer`
//   line 5: move occurs because `buffer` has type `HostBuffer<f32>`, which does not implement the `Copy` trait
//   line 6: value moved here
//   line 8: value borrowed here after move
//   note: borrow occurs due to deref coercion to `[f32]`
//   note: deref defined here
//     src/host/buffer.rs
