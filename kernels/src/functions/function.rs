//! [`Function`]: what is computed from the elements at one position.

use super::arithmetic::Binary;

/// A function of the elements at one position.
#[derive(Clone, Copy)]
pub enum Function {
    /// From one or two operands.
    Two(Binary),
    /// From any number of operands.
    Many(Many),
    /// The same; an error says why some elements have no result, so that the operator fails.
    Partial(Partial),
}

/// Combines blocks element by element into the last one. A block of a single element is repeated; others may be longer.
pub type Many = fn(&[&[u8]], &mut [u8]);

pub(crate) type Partial = fn(&[&[u8]], &mut [u8]) -> Result<(), &'static str>;

impl From<Binary> for Function {
    fn from(function: Binary) -> Self {
        Function::Two(function)
    }
}
