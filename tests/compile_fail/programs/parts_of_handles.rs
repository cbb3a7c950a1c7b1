//! What a handle holds stays with it, so that it goes once.

use aclnn::{Event, Tensor};

fn run(event: Event, tensor: Tensor) {
    let _ = event.raw;
    let _ = tensor.buffer;
}

fn main() {}
