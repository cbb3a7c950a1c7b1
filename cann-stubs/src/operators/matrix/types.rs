//! The types in which matrices are multiplied, by `cubeMathType`.

use aclnn_numerics::DType::{self, BF16, F16, F32};
use aclnn_numerics::product::Product::{Ascend310P, Ascend910, Ascend910B, Ascend950};
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::{ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND, ACLNN_ERR_PARAM_INVALID};

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand};
use crate::operators::check;
use crate::settings;
use crate::status::{Result, Status};

/// The types of a product.
#[derive(Clone, Copy)]
pub(in crate::operators) struct Kinds {
    /// The type to which both operands are converted.
    pub(in crate::operators) compute: DType,
    /// The type of the result of the kernel, to which sums in f32 are rounded.
    pub(super) kernel: DType,
}

impl Kinds {
    /// A product in one type.
    pub(super) fn of(dtype: DType) -> Self {
        Self { compute: dtype, kernel: dtype }
    }

    /// Returns whether both operands are f16, or both bf16, and the sums stay f32.
    pub(super) fn are_widened(self) -> bool {
        self.compute != self.kernel
    }
}

/// `cubeMathType`: how matrices of f32 may be multiplied.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::operators) struct CubeMath(i64);

impl CubeMath {
    const KEEP_AND_WIDEN: Self = Self(-1);
    pub(super) const KEEP: Self = Self(0);
    const USE_F16: Self = Self(2);
    pub(super) const USE_HF32: Self = Self(3);
    pub(super) const USE_F32_ADD: Self = Self(4);

    pub(in crate::operators) fn of(call: &Call<'_>) -> Result<Self> {
        call.int("cubeMathType").map(Self)
    }

    /// The types of a product of two operands, whose result goes to an output of type `out`. Precision that a device leaves
    /// out, as with HF32, is kept here.
    pub(in crate::operators) fn kinds(self, [left, right]: [DType; 2], out: DType) -> Result<Kinds> {
        let product = settings::get().product;
        let least = if product == Ascend950 { 0 } else { -1 };
        let most = if matches!(product, Ascend910 | Ascend310P) { 3 } else { 4 };
        if !(least..=most).contains(&self.0) {
            return invalid(format_args!("cubeMathType is {}, but must be from {least} to {most}", self.0));
        }
        let is_half = |dtype| matches!(dtype, F16 | BF16);
        if matches!(product, Ascend910 | Ascend310P) {
            let keeps = matches!(self, Self::KEEP | Self::USE_HF32 | Self::KEEP_AND_WIDEN);
            if keeps && (left == F32 || right == F32) {
                let message =
                    "this product multiplies f16 alone; cubeMathType 1 or 2 lets it convert f32 to f16";
                return invalid(message);
            }
            return Ok(Kinds { compute: F16, kernel: if out == F32 { F32 } else { F16 } });
        }
        let compute = match self {
            _ if left == right && is_half(left) => left,
            Self::USE_F16 => F16,
            _ => F32,
        };
        let widens = is_half(compute) && left == right && is_half(left) && out == F32;
        let kernel = if widens || self == Self::KEEP_AND_WIDEN { F32 } else { compute };
        Ok(Kinds { compute, kernel })
    }
}

/// The types of operands, which must be in a list.
#[inline(never)]
pub(super) fn listed<const N: usize>(operands: [&Operand; N], list: Types) -> Result<[DType; N]> {
    let mut dtypes = [F32; N];
    for (dtype, operand) in dtypes.iter_mut().zip(operands) {
        *dtype = check::dtype(operand, list)?;
    }
    Ok(dtypes)
}

/// Refuses operands whose storage is in the layout of weights.
pub(super) fn must_be_plain(operands: &[&Operand]) -> Result {
    match operands.iter().find(|operand| operand.format() == ACL_FORMAT_FRACTAL_NZ) {
        Some(operand) => invalid(format_args!("{} has the storage format FRACTAL_NZ", operand.name)),
        None => Ok(()),
    }
}

/// Refuses products that have no operators for weights in a layout of their own.
pub(super) fn has_weights() -> Result {
    match settings::get().product {
        Ascend910B | Ascend950 => Ok(()),
        _ => Err(Status::new(
            ACLNN_ERR_PARAM_INVALID,
            "this product has no operators for weights in FRACTAL_NZ",
        )),
    }
}

/// The operand that is a weight in a layout of its own: in FRACTAL_NZ, or as TransMatmulWeight left it, which may keep ND.
/// The emulator keeps such weights as they are, and sees them through their strides.
pub(super) fn is_weight(operand: &Operand) -> Result {
    if operand.format() == ACL_FORMAT_ND {
        return Ok(());
    }
    if operand.format() != ACL_FORMAT_FRACTAL_NZ {
        return invalid(format_args!(
            "{} must have the storage format FRACTAL_NZ, or ND after aclnnTransMatmulWeight",
            operand.name
        ));
    }
    if operand.shape()?.iter().rev().take(2).any(|size| *size == 1) {
        return invalid(format_args!(
            "{} has one row or one column, which FRACTAL_NZ does not have",
            operand.name
        ));
    }
    Ok(())
}
