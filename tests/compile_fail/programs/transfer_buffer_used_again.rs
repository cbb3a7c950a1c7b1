//! A buffer of the host belongs to the copy that reads it, until the copy is waited for.

use aclnn::{HostBuffer, Tensor};

fn run(tensor: &mut Tensor, buffer: HostBuffer<f32>) {
    let _transfer = tensor.upload(buffer);
    let _ = buffer.len();
}

fn main() {}
