//! The generator of a call, and checks that its calls have in common.

use aclnn_numerics::types_by_product::Types;

use crate::argument_checks::Operation;
use crate::error::Result;
use crate::generator::Generator;
use crate::tensor::Tensor;

/// Seed and offset as C passes them: every bit counts, and not the sign.
pub(super) type Seed = (i64, i64);

/// Reserves the numbers of so many elements.
#[inline]
pub(super) fn reserve(generator: &mut Generator, elements: usize) -> Seed {
    let offset = generator.reserve(elements);
    (generator.seed() as i64, offset as i64)
}

/// Checks that an operator may write random numbers to a tensor.
#[inline]
pub(super) fn check_own(
    operation: &Operation<'_>,
    own: &Tensor,
    (by, takes): (&'static str, Types),
) -> Result<()> {
    operation.placed()?;
    operation.takes(by, takes, own.dtype())?;
    operation.writable("self", own, own.shape())
}

/// Checks that a number is a probability.
#[inline]
pub(super) fn is_probability(operation: &Operation<'_>, name: &str, number: f64) -> Result<()> {
    match (0.0..=1.0).contains(&number) {
        true => Ok(()),
        false => Err(operation.refused(format!("{name} is {number}, but must be from 0 to 1"))),
    }
}
