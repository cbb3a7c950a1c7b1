//! Which type may become which: what the documentation allows for results, and the pairs that Cast has.

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::promote::result::refused;

use super::CastBy;
use crate::tensor::Tensor;

/// What the documentation allows where the library refuses: then a Cast of the result does it.
pub(crate) fn casts_result(from: DType, to: DType) -> bool {
    refused(from, to).is_none() || from.is_float() && to.is_integer() || from.is_complex() && to.is_float()
}

/// The operator that casts a tensor: Cast does not take views of some types, and a copy converts as it does.
pub(crate) fn cast_by(tensor: &Tensor) -> CastBy {
    let picky = matches!(tensor.dtype(), Bool | C64 | C128);
    if picky && !tensor.is_contiguous() { CastBy::Copy } else { CastBy::Cast }
}

/// Whether Cast has the pair, where it takes both types. It has all of them but for the special types of the 950.
pub(crate) fn has_cast(from: DType, to: DType) -> bool {
    from == to
        || [(from, to), (to, from)]
            .into_iter()
            .all(|(a, b)| special_partners(a).is_none_or(|p| p.contains(&b)))
}

/// The types that a special one is cast from and to; `None` for the others.
fn special_partners(dtype: DType) -> Option<&'static [DType]> {
    Some(match dtype {
        C32 => &[C64, F16],
        HiF8 | F8E5M2 | F8E4M3FN => &[F32, F16, BF16, F4E2M1, F4E1M2],
        F4E2M1 | F4E1M2 => &[F32, F16, BF16, HiF8, F8E5M2, F8E4M3FN],
        _ => return None,
    })
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

    #[test]
    fn special_types_have_few_casts() {
        for (from, to, there) in [
            (C32, C64, true),
            (C64, C32, true),
            (C32, F32, false),
            (F8E5M2, F8E4M3FN, false),
            (F8E5M2, F4E2M1, true),
            (I32, F8E5M2, false),
            (U64, C128, true),
            (HiF8, HiF8, true),
        ] {
            assert_eq!(has_cast(from, to), there, "{from} → {to}");
        }
    }
}
