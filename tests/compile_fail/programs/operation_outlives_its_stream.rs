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
