//! Which unit of a device computes: the AI cores, or its processors.

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::product::Product::{self, Ascend310P, Ascend910, Ascend950};

/// Whether the AI cores add in a type. Subtraction and division are taken to follow it: their lists are not known.
pub(super) fn adds(product: Product, dtype: DType) -> bool {
    match dtype {
        F32 | F16 | I32 | Bool | I8 | U8 | I64 => true,
        BF16 | C64 => !matches!(product, Ascend910 | Ascend310P),
        _ => false,
    }
}

/// Whether the AI cores multiply in a type.
pub(super) fn multiplies(product: Product, dtype: DType) -> bool {
    adds(product, dtype) || product == Ascend950 && matches!(dtype, I16 | C32 | C64 | F64)
}

/// Whether the AI cores convert. Where they convert between more pairs on some product than is known, the processors
/// are taken to do it.
pub(super) fn converts(product: Product, from: DType, to: DType) -> bool {
    let everywhere = |dtype| matches!(dtype, F16 | F32 | BF16 | I8 | U8 | I16 | U16 | I32 | U32 | I64 | Bool);
    if from == to || everywhere(from) && everywhere(to) {
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

#[cfg(test)]
mod tests {
    use aclnn_numerics::product::Product::Ascend910B;

    use super::*;

    /// Semantics D.3, the note on units, and D.12.
    #[test]
    fn units_are_those_of_the_description() {
        let of = |computes: fn(Product, DType) -> bool, product| {
            let all = [F32, F16, F64, BF16, I8, U8, I16, I32, I64, Bool, C64, C128];
            all.into_iter().filter(|dtype| !computes(product, *dtype)).collect::<Vec<_>>()
        };
        assert_eq!(of(adds, Ascend910), [F64, BF16, I16, C64, C128]);
        assert_eq!(of(adds, Ascend910B), [F64, I16, C128]);
        assert_eq!(of(adds, Ascend950), [F64, I16, C128]);
        assert_eq!(of(multiplies, Ascend910B), [F64, I16, C128]);
        assert_eq!(of(multiplies, Ascend950), [C128]);
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
