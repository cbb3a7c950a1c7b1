//! An event has one owner, so that it is destroyed once.

use aclnn::Event;

fn twice(event: &Event) -> Event {
    event.clone()
}

fn main() {}
