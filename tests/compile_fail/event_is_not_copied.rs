//! An event has one owner, so that it is destroyed once.

use aclnn::Event;

fn twice(event: &Event) -> Event {
    event.clone()
}

fn main() {}

// error[E0308]: mismatched types
//   line 5: expected `Event` because of return type
//   line 6: expected `Event`, found `&Event`
//   note: `Event` does not implement `Clone`, so `&Event` was cloned instead
//     line 6
