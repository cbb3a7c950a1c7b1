//! `alpha` of addition and subtraction: when it counts as 1, and in which precision it multiplies.

use std::cmp::Ordering;

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::product::Product;

use crate::meta::scalar::Scalar;

/// What `alpha` multiplies, and how precisely.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Alpha {
    None,
    OfOtherInAdd,
    OfOtherInSub,
    /// Reverse subtraction.
    OfSelf,
}

impl Alpha {
    /// Returns whether `alpha` leaves its operand as it is when `promoted` is computed in.
    ///
    /// NaN counts as 1, and so does a number close to 1 where f32 is compared.
    pub(crate) fn is_one(self, product: Product, alpha: &Scalar, promoted: DType) -> bool {
        let compared = match (product, self) {
            (Product::Ascend950, _) if alpha.dtype.is_complex() || promoted.is_complex() => return false,
            (Product::Ascend950, _) if promoted == F64 => F64,
            (Product::Ascend950, _) => F32,
            // Equality: an integer as i32, a float as it is.
            (_, Alpha::OfSelf) if !alpha.dtype.is_float() => {
                return alpha.converted(I32).is_some_and(|bytes| bytes[..4] == 1_i32.to_ne_bytes());
            }
            (_, Alpha::OfSelf) => return alpha.real(F64).is_some_and(|value| value == 1.0),
            _ => F32,
        };
        let order = alpha.real(compared).map(|value| value.partial_cmp(&1.0));
        order.is_some_and(|order| !matches!(order, Some(Ordering::Less | Ordering::Greater)))
    }

    /// Returns whether it is one multiply-add with `alpha` in f32, whose product is not rounded. Otherwise `alpha` is
    /// converted to the promoted type, and so is the product.
    pub(crate) fn is_multiply_add(self, product: Product, promoted: DType) -> bool {
        match (product, self) {
            (_, Alpha::None) => false,
            (Product::Ascend950, _) => matches!(promoted, F32 | F16 | BF16),
            (_, Alpha::OfOtherInAdd) => matches!(promoted, F32 | F16 | I32),
            (_, Alpha::OfOtherInSub) => matches!(promoted, F32 | F16 | BF16),
            (_, Alpha::OfSelf) => false,
        }
    }

    /// Which operand is multiplied.
    pub(crate) fn operand(self) -> usize {
        usize::from(self != Alpha::OfSelf)
    }
}

#[cfg(test)]
mod tests {
    use aclnn_numerics::{Complex, Element};

    use super::*;

    fn scalar<T: Element>(value: T) -> Scalar {
        Scalar::of_bytes(T::DTYPE, T::as_bytes(&[value]))
    }

    /// CANN's comparisons of `alpha` with 1.
    #[test]
    fn what_counts_as_one() {
        use Alpha::{OfOtherInAdd as Add, OfOtherInSub as Sub, OfSelf as Rsub};
        use Product::{Ascend910B as A2, Ascend950};
        let close = scalar(1.0 + 1e-9_f64);
        for (product, role, alpha, promoted, expected) in [
            (A2, Add, &close, F64, true),
            (Ascend950, Add, &close, F64, false),
            (Ascend950, Sub, &close, F32, true),
            (A2, Rsub, &close, F64, false),
            (Ascend950, Rsub, &close, F32, true),
            (A2, Sub, &scalar(f32::NAN), F32, true),
            (Ascend950, Add, &scalar(f32::NAN), F32, true),
            (A2, Rsub, &scalar(f32::NAN), F32, false),
            (A2, Add, &scalar(Complex::new(1_f32, 0.0)), C64, false),
            (A2, Add, &scalar(1_i8), C64, true),
            (Ascend950, Add, &scalar(1_i8), C64, false),
            (Ascend950, Add, &scalar(1_i8), I32, true),
            // As i32 it is 1.
            (A2, Rsub, &scalar((1_i64 << 32) + 1), I64, true),
            (A2, Add, &scalar(2_i64), I64, false),
        ] {
            let got = role.is_one(product, alpha, promoted);
            assert_eq!(got, expected, "{product:?}, alpha {}, in {promoted}", alpha.dtype);
        }
    }
}
