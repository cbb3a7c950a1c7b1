//! Elements are plain values that the device knows; nothing else goes there as bytes.

use aclnn::{Device, Tensor};

fn run(device: &Device, words: &[String]) {
    let _ = Tensor::from_slice(device, words, [1]);
    let _ = Tensor::from_vec(device, vec![1usize], [1]);
}

fn main() {}
