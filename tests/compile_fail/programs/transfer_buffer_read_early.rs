//! What a copy brings to the host is there when the copy was waited for: only then the buffer comes back.

use aclnn::{HostBuffer, Tensor};

fn run(tensor: &Tensor, buffer: HostBuffer<f32>) -> f32 {
    let transfer = tensor.download(buffer);
    let _transfer = transfer;
    buffer[0]
}

fn main() {}
