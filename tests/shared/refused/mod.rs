//! Bad input: refused with the operator, its operands and the reason; no tensor changes, and the next operation works.

mod borders;
mod operands;
mod places;
mod shapes;
mod types;

use aclnn::{Device, Error, Tensor};

type Outcome = Result<(), Error>;

/// The error says all of it.
fn says(result: Result<impl Sized, Error>, parts: &[&str]) -> Error {
    let Err(error) = result else { unreachable!("it should have been refused") };
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }
    error
}

fn floats(device: &Device) -> Result<Tensor, Error> {
    Tensor::from_slice(device, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])
}
