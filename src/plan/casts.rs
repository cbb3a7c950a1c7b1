//! The casts that a plan inserts: of operands before the operator, and of the result after it.

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::promote::output::refused;
use smallvec::SmallVec;

use super::{CastBy, Role, Step};
use crate::argument_checks::Operation;
use crate::error::Result;
use crate::tensor::Tensor;

/// Plans the Cast of an operand whose type differs.
pub(crate) fn cast_operand(
    operation: &Operation<'_>,
    operand: Role,
    tensor: &Tensor,
    to: DType,
    steps: &mut SmallVec<[Step; 4]>,
) -> Result<()> {
    let from = tensor.dtype();
    if from == to {
        return Ok(());
    }
    operation.castable(from, to)?;
    steps.push(Step::Cast { operand, from, to, by: cast_by(tensor) });
    Ok(())
}

/// Returns whether the documentation allows a result that the library refuses: then a Cast converts the result.
pub(crate) fn casts_result(from: DType, to: DType) -> bool {
    refused(from, to).is_none() || from.is_float() && to.is_integer() || from.is_complex() && to.is_float()
}

/// Returns the operator that casts a tensor: Cast takes no views of some types, and InplaceCopy converts in the same
/// way.
pub(crate) fn cast_by(tensor: &Tensor) -> CastBy {
    let picky = matches!(tensor.dtype(), Bool | C64 | C128);
    if picky && !tensor.is_contiguous() { CastBy::Copy } else { CastBy::Cast }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results() {
        for (from, to, library, documented) in [
            (F32, F16, true, true),
            (F32, I32, false, true),
            (F32, Bool, false, false),
            (I64, I8, true, true),
            (I32, Bool, false, false),
            (C64, F32, false, true),
            (C64, I32, false, false),
            (Bool, C128, true, true),
            (Bool, Bool, true, true),
        ] {
            assert_eq!(
                (refused(from, to).is_none(), casts_result(from, to)),
                (library, documented),
                "{from} → {to}"
            );
        }
    }
}
