//! Closing takes the handle.

use aclnn::{Stream, Tensor, ops};

fn run(stream: Stream, a: &Tensor) {
    let _ = stream.close();
    let _ = ops::add(a, 1).on(&stream).run();
}

fn main() {}

// error[E0382]: borrow of moved value: `stream`
//   line 5: move occurs because `stream` has type `Stream`, which does not implement the `Copy` trait
//   line 6: `stream` moved due to this method call
//   line 7: value borrowed here after move
//   note: `Stream::close` takes ownership of the receiver `self`, which moves `stream`
//     src/stream.rs
//   help: you can `clone` the value and consume it, but this might not be your desired behavior
//     line 6: .clone()
