//! The compute type of a tensor and a scalar, which differs from that of two tensors, and from product to product.

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::product::Product;
use aclnn_numerics::signature::Beside;
use aclnn_sys::ACLNN_ERR_INNER_NULLPTR;

use super::promote;
use crate::meta::scalar::Scalar;
use crate::status::{Result, Status};

/// A tensor's type and the scalars beside it, and the type of the output.
#[derive(Clone, Copy)]
pub(crate) struct Operands<'a> {
    pub(crate) tensor: DType,
    pub(crate) scalar: &'a Scalar,
    pub(crate) alpha: Option<&'a Scalar>,
    pub(crate) out: Option<DType>,
}

/// What the operands are converted to, and what the result is rounded to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Types {
    pub(crate) operands: DType,
    pub(crate) result: DType,
    /// Division by a scalar multiplies by its reciprocal, rounded to f32.
    pub(crate) reciprocal: bool,
}

impl Types {
    pub(crate) fn same(dtype: DType) -> Self {
        Types::kept(dtype, dtype)
    }

    fn kept(operands: DType, result: DType) -> Self {
        Types { operands, result, reciprocal: false }
    }
}

/// The rule of an operator.
pub(crate) type Rule = fn(Product, Operands<'_>) -> Result<Types>;

pub(crate) fn adds(product: Product, operands: Operands<'_>) -> Result<Types> {
    match product {
        Product::Ascend950 => on_950(operands, &[Some(operands.scalar), operands.alpha]),
        _ => before_950(operands).map(Types::same),
    }
}

pub(crate) fn rsubs(product: Product, operands: Operands<'_>) -> Result<Types> {
    let Operands { tensor, scalar, .. } = operands;
    if product == Product::Ascend950 {
        return on_950(operands, &[Some(scalar), operands.alpha]);
    }
    let wins = scalar.dtype.is_float() || scalar.dtype.is_complex() || tensor.is_complex();
    Ok(Types::same(if !tensor.is_float() && wins { promote(tensor, scalar.dtype)? } else { tensor }))
}

pub(crate) fn muls(product: Product, operands: Operands<'_>) -> Result<Types> {
    match (product, operands.tensor, operands.scalar.dtype) {
        // The scalar stays f32, whether the tensor's type holds it or not.
        (Product::Ascend950, F16 | BF16, scalar) if scalar.is_float() => {
            Ok(Types::kept(F32, operands.tensor))
        }
        (Product::Ascend950, ..) => on_950(operands, &[Some(operands.scalar)]),
        (_, BF16, scalar) if !scalar.is_complex() => {
            Ok(Types::kept(F32, if scalar == F64 { BF16 } else { F32 }))
        }
        (_, Bool, F64) => Ok(Types::same(F32)),
        // Nothing is refused here: a type that does not promote fails later, when no kernel is found.
        _ => before_950(operands)
            .map(Types::same)
            .map_err(|status| Status::new(ACLNN_ERR_INNER_NULLPTR, &status.message)),
    }
}

pub(crate) fn divs(product: Product, operands: Operands<'_>) -> Result<Types> {
    let (tensor, scalar) = (operands.tensor, operands.scalar.dtype);
    match (product, tensor, scalar) {
        (Product::Ascend950, F16 | BF16 | F32, scalar) if scalar.is_float() => {
            Ok(Types { reciprocal: true, ..Types::kept(F32, tensor) })
        }
        // Pairs of small floats divide in f32 and keep the tensor's type.
        (Product::Ascend910B, F16 | BF16, F32)
        | (Product::Ascend910B, F32, F16 | BF16)
        | (Product::Ascend910B, BF16, F64)
        | (Product::Ascend910B, F16, BF16)
        | (Product::Ascend910B, BF16, F16) => Ok(Types::kept(F32, tensor)),
        _ => promote(tensor, scalar).map(Types::same),
    }
}

/// The type in which a tensor is combined with a scalar.
pub(crate) fn beside(scalars: Beside, product: Product, operands: Operands<'_>) -> Result<DType> {
    let Operands { tensor, scalar: Scalar { dtype: scalar, .. }, out, .. } = operands;
    let scalar = *scalar;
    match (scalars, product) {
        (Beside::AsTensors, _) => promote(tensor, scalar),
        (Beside::Divisor, Product::Ascend950) => Ok(match combined(tensor, scalar)? {
            F16 | BF16 => F32,
            other => other,
        }),
        (Beside::Divisor, _) => promote(tensor, scalar),
        (_, Product::Ascend950) => combined(tensor, scalar),
        (Beside::Lighter, _) => before_950(operands),
        (Beside::Compared, _) => {
            let keeps = tensor.is_complex() || tensor.is_float() && !scalar.is_complex();
            let promotes = tensor == Bool || scalar.is_float() || scalar.is_complex();
            Ok(if !keeps && promotes { promote(tensor, scalar)? } else { tensor })
        }
        (Beside::Exponent, _) => Ok(if scalar == F64 && out == Some(F32) {
            F32
        } else if scalar.is_complex() {
            promote(tensor, scalar)?
        } else if tensor.is_float() {
            tensor
        } else if scalar.is_float() || tensor == Bool {
            promote(tensor, scalar)?
        } else {
            tensor
        }),
    }
}

/// The type in which two tensors are combined, each given with its number of axes.
pub(crate) fn tensors(
    scalars: Beside,
    product: Product,
    a: (DType, usize),
    b: (DType, usize),
) -> Result<DType> {
    match (scalars, product, a.1, b.1) {
        // A tensor without axes weighs as little as a scalar there.
        (Beside::Compared, Product::Ascend950, 1.., 0) => combined(a.0, b.0),
        (Beside::Compared, Product::Ascend950, 0, 1..) => combined(b.0, a.0),
        _ => promote(a.0, b.0),
    }
}

fn before_950(Operands { tensor, scalar, out, .. }: Operands<'_>) -> Result<DType> {
    let scalar = scalar.dtype;
    if tensor.is_complex() || scalar.is_complex() {
        return promote(tensor, scalar);
    }
    Ok(if tensor.is_float() {
        tensor
    } else if scalar == F64 && out == Some(F32) {
        F32
    } else if scalar.is_float() || tensor == Bool {
        promote(tensor, scalar)?
    } else {
        tensor
    })
}

/// `exact` are the scalars that a small float type must represent; where it cannot, the compute type is f32.
fn on_950(Operands { tensor, scalar, .. }: Operands<'_>, exact: &[Option<&Scalar>]) -> Result<Types> {
    let combined = combined(tensor, scalar.dtype)?;
    let small = matches!(combined, F16 | BF16);
    let lost = small && exact.iter().flatten().any(|scalar| !is_kept(scalar, combined));
    Ok(Types::same(if lost { F32 } else { combined }))
}

/// The tensor's category wins over the scalar's, whose width does not count.
pub(crate) fn combined(tensor: DType, scalar: DType) -> Result<DType> {
    let scalar = if scalar.is_complex() {
        C64
    } else if scalar.is_float() {
        F32
    } else {
        scalar
    };
    Ok(if tensor.is_complex() {
        tensor
    } else if scalar.is_complex() {
        if tensor == F64 { C128 } else { C64 }
    } else if tensor.is_float() {
        tensor
    } else if tensor == Bool || scalar.is_float() {
        promote(tensor, scalar)?
    } else {
        tensor
    })
}

/// Returns whether a small float type holds a scalar as f32 does, to the last place of 1. Infinity and NaN are never
/// held.
fn is_kept(scalar: &Scalar, small: DType) -> bool {
    let as_f32 = |dtype: DType| -> Option<f32> {
        let bytes = scalar.converted(dtype)?;
        let widen = cann_kernels::converter(dtype, F32)?;
        let mut value = [0; 4];
        widen(&bytes[..dtype.bits() / 8], &mut value);
        Some(f32::from_ne_bytes(value))
    };
    match (as_f32(small), as_f32(F32)) {
        (Some(small), Some(exact)) => (small - exact).abs() <= f32::EPSILON,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use aclnn_numerics::Element;

    use super::*;

    const TENSORS: [DType; 12] = [F32, F16, F64, BF16, I8, U8, I16, I32, I64, Bool, C64, C128];

    fn scalar<T: Element>(value: T) -> Scalar {
        Scalar::of_bytes(T::DTYPE, T::as_bytes(&[value]))
    }

    /// A scalar of the type whose value is 1.
    fn one(dtype: DType) -> Scalar {
        let from = scalar(1_u8);
        let bytes = from.converted(dtype).unwrap();
        Scalar::of_bytes(dtype, &bytes[..dtype.bits() / 8])
    }

    fn name(types: Result<Types>) -> &'static str {
        types.map_or("x", |types| types.result.short_name())
    }

    /// Compares a rule with a printed table: scalars on the left, tensors in the order above.
    fn compare(product: Product, rule: Rule, table: &[(&[DType], [&str; 12])]) {
        for (scalars, row) in table {
            for scalar in *scalars {
                for (tensor, expected) in TENSORS.into_iter().zip(row) {
                    let scalar = one(*scalar);
                    let operands = Operands { tensor, scalar: &scalar, alpha: None, out: None };
                    let got = name(rule(product, operands));
                    let expected = if *expected == "tensor" { tensor.short_name() } else { expected };
                    let expected = if expected == "scalar" { scalar.dtype.short_name() } else { expected };
                    assert_eq!(got, expected, "{product:?}: {tensor} tensor, {} scalar", scalar.dtype);
                }
            }
        }
    }

    const T: &str = "tensor";

    /// The table of a tensor with a scalar on the 950.
    #[test]
    fn types_on_the_950() {
        let table: &[(&[DType], [&str; 12])] = &[
            (&[F32, F16, BF16, F64], [T, T, T, T, "f32", "f32", "f32", "f32", "f32", "f32", T, T]),
            (&[I8, U8, I16, I32, I64], [T, T, T, T, T, T, T, T, T, "scalar", T, T]),
            (&[U16, U32, U64], [T, T, T, T, T, T, T, T, T, "x", T, T]),
            (&[Bool], [T; 12]),
            (
                &[C64, C128],
                ["c64", "c64", "c128", "c64", "c64", "c64", "c64", "c64", "c64", "c64", "c64", "c128"],
            ),
        ];
        compare(Product::Ascend950, adds, table);
        compare(Product::Ascend950, rsubs, table);
        compare(Product::Ascend950, muls, table);
    }

    /// The table of a tensor with a scalar on the others, for an output that is not f32.
    #[test]
    fn types_before_the_950() {
        let table: &[(&[DType], [&str; 12])] = &[
            (&[F32], [T, T, T, T, "f32", "f32", "f32", "f32", "f32", "f32", T, T]),
            (&[F16], [T, T, T, T, "f16", "f16", "f16", "f16", "f16", "f16", T, T]),
            (&[BF16], [T, T, T, T, "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", T, T]),
            (&[F64], [T, T, T, T, "f64", "f64", "f64", "f64", "f64", "f64", "c128", T]),
            (&[I8, U8, I16, I32, I64], [T, T, T, T, T, T, T, T, T, "scalar", T, T]),
            (&[U16, U32, U64], [T, T, T, T, T, T, T, T, T, "x", "x", "x"]),
            (&[Bool], [T; 12]),
            (&[C64], ["c64", "c64", "c128", "c64", "c64", "c64", "c64", "c64", "c64", "c64", "c64", "c128"]),
            (&[C128], ["c128"; 12]),
        ];
        for product in [Product::Ascend910, Product::Ascend310P, Product::Ascend910B] {
            compare(product, adds, table);
        }
    }

    /// The variations of that table: a float tensor keeps its type beside every scalar, and integers give way to floats.
    #[test]
    fn reverse_subtraction_before_the_950() {
        for (tensor, dtype, expected) in [
            (F16, F64, "f16"),
            (BF16, F32, "bf16"),
            (F32, C64, "f32"),
            (F64, I64, "f64"),
            (I32, F16, "f16"),
            (U8, F64, "f64"),
            (I8, I64, "i8"),
            (I64, Bool, "i64"),
            (C64, F64, "c128"),
            (C64, I32, "c64"),
            (I32, C64, "c64"),
        ] {
            let scalar = one(dtype);
            let operands = Operands { tensor, scalar: &scalar, alpha: None, out: None };
            assert_eq!(name(rsubs(Product::Ascend910B, operands)), expected, "{tensor} {dtype}");
        }
    }

    #[test]
    fn an_f64_scalar_beside_integers_follows_an_f32_output_before_the_950() {
        let double = scalar(0.5_f64);
        let operands = Operands { tensor: I32, scalar: &double, alpha: None, out: Some(F32) };
        assert_eq!(name(adds(Product::Ascend910B, operands)), "f32");
        assert_eq!(name(muls(Product::Ascend910B, Operands { tensor: Bool, out: None, ..operands })), "f32");
    }

    /// Step 4 of the rule: a small float type is kept only where it holds the scalars.
    #[test]
    fn scalars_that_halves_do_not_hold_compute_in_f32_on_the_950() {
        let (good, bad, one) = (scalar(0.5_f32), scalar(2049_i32), one(I32));
        for (tensor, other, alpha, expected) in [
            (F16, &good, &one, "f16"),
            (F16, &bad, &one, "f32"),
            (F16, &one, &bad, "f32"),
            (BF16, &scalar(256_i32), &one, "bf16"),
            (BF16, &scalar(257_i32), &one, "f32"),
            (BF16, &scalar(0.1_f32), &one, "f32"),
            (F16, &scalar(f32::NAN), &one, "f32"),
            (F16, &scalar(f32::INFINITY), &one, "f32"),
            (F32, &bad, &bad, "f32"),
            (F64, &bad, &bad, "f64"),
        ] {
            let operands = Operands { tensor, scalar: other, alpha: Some(alpha), out: None };
            for rule in [adds as Rule, rsubs] {
                assert_eq!(name(rule(Product::Ascend950, operands)), expected, "{tensor} {}", other.dtype);
            }
        }
        // Multiplication looks at integers only; a float scalar stays f32 and the result takes the tensor's type.
        let operands = Operands { tensor: F16, scalar: &bad, alpha: None, out: None };
        assert_eq!(muls(Product::Ascend950, operands).unwrap(), Types::same(F32));
        let tenth = scalar(0.1_f32);
        let kept = muls(Product::Ascend950, Operands { scalar: &tenth, ..operands }).unwrap();
        assert_eq!((kept.operands, kept.result), (F32, F16));
    }

    /// Division: which pairs keep the tensor's type.
    #[test]
    fn division_by_a_scalar() {
        for (product, tensor, dtype, expected, reciprocal) in [
            (Product::Ascend910B, F16, F32, F16, false),
            (Product::Ascend910B, F32, BF16, F32, false),
            (Product::Ascend910B, BF16, F64, BF16, false),
            (Product::Ascend910B, F16, F64, F64, false),
            (Product::Ascend910B, I32, F16, F16, false),
            (Product::Ascend910, F16, F32, F32, false),
            (Product::Ascend310P, F32, F16, F32, false),
            (Product::Ascend950, F16, F64, F16, true),
            (Product::Ascend950, F32, F32, F32, true),
            (Product::Ascend950, F32, I32, F32, false),
        ] {
            let scalar = one(dtype);
            let types = divs(product, Operands { tensor, scalar: &scalar, alpha: None, out: None }).unwrap();
            assert_eq!(
                (types.result, types.reciprocal),
                (expected, reciprocal),
                "{product:?} {tensor} {dtype}"
            );
        }
    }
}
