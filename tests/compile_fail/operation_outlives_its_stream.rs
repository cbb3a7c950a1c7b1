//! An operation borrows the stream it is to run on.

use aclnn::{Error, Stream, Tensor, ops};

fn run(a: &Tensor) -> Result<Tensor, Error> {
    let operation = {
        let stream = Stream::new(a.device())?;
        ops::add(a, 1).on(&stream)
    };
    operation.run()
}

fn main() {}

// error[E0597]: `stream` does not live long enough
//   line 6: borrow later stored here
//   line 7: binding `stream` declared here
//   line 8: borrowed value does not live long enough
//   line 9: `stream` dropped here while still borrowed
