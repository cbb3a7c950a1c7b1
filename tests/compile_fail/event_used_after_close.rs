//! Closing takes the handle.

use aclnn::{Event, Stream};

fn run(event: Event, stream: &Stream) {
    let _ = event.close();
    let _ = stream.wait(&event);
}

fn main() {}

// error[E0382]: borrow of moved value: `event`
//   line 5: move occurs because `event` has type `Event`, which does not implement the `Copy` trait
//   line 6: `event` moved due to this method call
//   line 7: value borrowed here after move
//   note: `Event::close` takes ownership of the receiver `self`, which moves `event`
//     src/event.rs
