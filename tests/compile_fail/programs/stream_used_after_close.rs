//! Closing takes the handle.

use aclnn::{Stream, Tensor, ops};

fn run(stream: Stream, a: &Tensor) {
    let _ = stream.close();
    let _ = ops::add(a, 1).on(&stream).run();
}

fn main() {}
