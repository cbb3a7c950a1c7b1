//! The unit of a device that computes: the AI cores, or its processors.

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::product::Product::{self, Ascend310P, Ascend910, Ascend910B, Ascend950};

/// Returns whether the AI cores add and subtract in a type.
pub(crate) fn adds(product: Product, dtype: DType) -> bool {
    match dtype {
        F32 | F16 | I32 | Bool | I8 | U8 | I64 => true,
        BF16 | C64 => !matches!(product, Ascend910 | Ascend310P),
        _ => false,
    }
}

/// Returns whether the AI cores multiply in a type.
pub(crate) fn multiplies(product: Product, dtype: DType) -> bool {
    adds(product, dtype) || product == Ascend950 && matches!(dtype, I16 | C32 | C64 | F64)
}

/// Returns whether the AI cores divide in a type.
pub(crate) fn divides(product: Product, dtype: DType) -> bool {
    match dtype {
        F32 | F16 | I32 | I8 | U8 => true,
        BF16 => !matches!(product, Ascend910 | Ascend310P),
        _ => false,
    }
}

/// Returns whether the AI cores are assumed to compute functions of one tensor in a type. CANN's description names the
/// units of few of these functions; f64, i64 and complex numbers are computed by the processors in all of those.
pub(crate) fn computes(product: Product, dtype: DType) -> bool {
    matches!(dtype, F32 | F16 | I32 | I8 | U8 | Bool)
        || dtype == BF16 && !matches!(product, Ascend910 | Ascend310P)
}

/// Returns whether the AI cores are assumed to move elements of a type: CANN's description does not say which unit
/// does.
pub(crate) fn moves(product: Product, dtype: DType) -> bool {
    computes(product, dtype) || matches!(dtype, I16 | U16 | U32 | I64 | U64) || product == Ascend950
}

/// Returns whether the AI cores convert.
///
/// Of the 182 pairs of the 910 they convert 32, of the 210 of the 910B 89, and it is not known which. For the 910 they
/// are assumed to be those between its six oldest types and those between i32 and i64. For the 910B all 110 pairs between
/// eleven types are assumed, more than there are: making an executor repeatable is then refused more often than on a
/// device, and a program that handles the refusal also works where a device does not refuse.
pub(crate) fn converts(product: Product, from: DType, to: DType) -> bool {
    if from == to {
        return true;
    }
    if matches!(product, Ascend910 | Ascend310P) {
        let oldest = |dtype| matches!(dtype, F16 | F32 | I8 | U8 | I32 | Bool);
        return oldest(from) && oldest(to) || matches!((from, to), (I32, I64) | (I64, I32));
    }
    let everywhere = |dtype| matches!(dtype, F16 | F32 | BF16 | I8 | U8 | I16 | U16 | I32 | U32 | I64 | Bool);
    if everywhere(from) && everywhere(to) {
        return true;
    }
    let small = |dtype: DType| dtype.bits() <= 8 && !everywhere(dtype);
    product == Ascend950
        && (small(from)
            || small(to)
            || matches!((from, to), (F64, F32 | BF16 | I32 | I64) | (I64, F64))
            || matches!(
                (from, to),
                (C32, C64 | F16) | (C64 | F16, C32) | (C64, F32 | BF16) | (F32 | BF16, C64)
            ))
}

/// Returns whether this many contiguous bytes are copied by a copy between device memory, and not by a kernel.
pub(crate) fn copies(product: Product, bytes: usize) -> bool {
    match product {
        Ascend910 => bytes <= 800_000,
        Ascend310P => bytes < 32,
        Ascend910B | Ascend950 => bytes <= 400_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    aclnn_sys::conversion_operators!(aclnn_numerics::signatures);

    /// The units that CANN's sources name for arithmetic; for Cast also how many pairs the AI cores have.
    #[test]
    fn units_are_those_of_the_description() {
        let of = |computes: fn(Product, DType) -> bool, product| {
            let all = [F32, F16, F64, BF16, I8, U8, I16, I32, I64, Bool, C64, C128];
            all.into_iter().filter(|dtype| !computes(product, *dtype)).collect::<Vec<_>>()
        };
        assert_eq!(of(adds, Ascend910), [F64, BF16, I16, C64, C128]);
        assert_eq!(of(adds, Ascend910B), [F64, I16, C128]);
        assert_eq!(of(adds, Ascend950), [F64, I16, C128]);
        assert_eq!(of(divides, Ascend910), [F64, BF16, I16, I64, Bool, C64, C128]);
        assert_eq!(of(divides, Ascend910B), [F64, I16, I64, Bool, C64, C128]);
        assert_eq!(of(divides, Ascend950), [F64, I16, I64, Bool, C64, C128]);
        assert_eq!(of(multiplies, Ascend910B), [F64, I16, C128]);
        assert_eq!(of(multiplies, Ascend950), [C128]);
        let types: Vec<_> = cast.takes.on(Ascend910).iter().collect();
        let pairs = types.iter().flat_map(|from| types.iter().map(move |to| (*from, *to)));
        let on_cores = |(from, to): &(DType, DType)| from != to && converts(Ascend910, *from, *to);
        assert_eq!(pairs.filter(on_cores).count(), 32);
        for (from, to, on_a2, on_950) in [
            (F16, F32, true, true),
            (U16, Bool, true, true),
            (F64, F32, false, true),
            (F32, F64, false, false),
            (I64, F64, false, true),
            (U64, I32, false, false),
            (C64, BF16, false, true),
            (F32, F8E5M2, false, true),
        ] {
            assert_eq!(converts(Ascend910B, from, to), on_a2, "{from} to {to}");
            assert_eq!(converts(Ascend950, from, to), on_950, "{from} to {to}");
        }
    }
}
