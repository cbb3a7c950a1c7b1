//! What a handle holds stays with it, so that it goes once.

use aclnn::{Event, Tensor};

fn run(event: Event, tensor: Tensor) {
    let _ = event.raw;
    let _ = tensor.buffer;
}

fn main() {}

// error[E0616]: field `raw` of struct `Event` is private
//   line 6: private field
// error[E0616]: field `buffer` of struct `aclnn::Tensor` is private
//   line 7: private field
