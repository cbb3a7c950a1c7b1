//! The pairs of types that Cast converts between.

use crate::dtype::DType::{self, *};

/// Returns the types that a special type is cast from and to; `None` for types that are cast between each other.
///
/// The pairs are those of the Ascend 950, the only product with special types.
#[inline]
fn partners(dtype: DType) -> Option<&'static [DType]> {
    Some(match dtype {
        C32 => &[C64, F16],
        HiF8 | F8E5M2 | F8E4M3FN => &[F32, F16, BF16, F4E2M1, F4E1M2],
        F4E2M1 | F4E1M2 => &[F32, F16, BF16, HiF8, F8E5M2, F8E4M3FN],
        I4 => &[I32],
        _ => return None,
    })
}

/// Returns whether CANN's Cast has the pair, on a product whose Cast takes both types.
///
/// Cast has every pair, except some with a special type of the 950: c32, i4 and the floats of up to eight bits.
#[inline]
pub fn has_cast(from: DType, to: DType) -> bool {
    let known = from.acl_code().is_some() && to.acl_code().is_some();
    let partner = |a: DType, b: DType| partners(a).is_none_or(|partners| partners.contains(&b));
    known && (from == to || from != I4 && partner(from, to) && partner(to, from))
}

/// Returns an intermediate type for a pair that Cast does not convert directly: Cast converts from `from` to this type,
/// and from this type to `to`. `None` where there is no such type, or no need for one.
#[inline]
pub fn cast_by_way_of(from: DType, to: DType) -> Option<DType> {
    if has_cast(from, to) {
        return None;
    }
    let complex = (from.is_complex() || to.is_complex()).then_some(C64);
    let mut candidates = complex.into_iter().chain([F32, F16, I32]);
    candidates.find(|&between| has_cast(from, between) && has_cast(between, to))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (I32, I4, true),
            (I4, I32, false),
            (F32, F8E4M3FNUZ, false),
        ] {
            assert_eq!(has_cast(from, to), there, "{from} → {to}");
        }
    }

    /// The intermediate type can be cast to and from, and keeps both parts of complex numbers.
    #[test]
    fn a_way_around_a_missing_cast_exists_or_is_not_named() {
        for (from, to, between) in [
            (C32, C128, Some(C64)),
            (C128, C32, Some(C64)),
            (C32, F32, Some(C64)),
            (I8, C32, Some(C64)),
            (C32, HiF8, Some(F16)),
            (I64, HiF8, Some(F32)),
            (F8E5M2, F8E4M3FN, Some(F32)),
            (F4E2M1, I8, Some(F32)),
            (U64, I4, Some(I32)),
            (I4, F32, None),
            (C32, I4, None),
            (F32, F8E4M3FNUZ, None),
        ] {
            assert_eq!(cast_by_way_of(from, to), between, "{from} → {to}");
        }
        for &from in DType::ALL {
            for &to in DType::ALL {
                if let Some(between) = cast_by_way_of(from, to) {
                    assert!(has_cast(from, between) && has_cast(between, to), "{from} → {between} → {to}");
                    let complex = from.is_complex() && to.is_complex() && from != to;
                    assert!(!complex || between.is_complex(), "{from} → {between} → {to}");
                }
            }
        }
    }
}
