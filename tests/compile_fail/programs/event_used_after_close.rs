//! Closing takes the handle.

use aclnn::{Event, Stream};

fn run(event: Event, stream: &Stream) {
    let _ = event.close();
    let _ = stream.wait(&event);
}

fn main() {}
