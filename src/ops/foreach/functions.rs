//! Functions of the elements at one position of the tensors of lists.

use super::lists::Lists;
use crate::call::launch;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::signatures;
use crate::tensor::Tensor;

/// Functions of each element.
macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident = $Form:ident by $declared:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// Those of [the module](crate::ops::foreach).
        #[inline]
        pub fn $name(own: &mut [&mut Tensor]) -> Result<()> {
            let named = (concat!("foreach::", stringify!($name)), stringify!($Form));
            match Lists::checked(named, signatures::$declared.takes, own, &[])? {
                Some(lists) => launch::$Form(lists.stream.into(), &lists.read(), lists.own),
                None => Ok(()),
            }
        }
    )*};
}

/// Functions of each element and a number.
macro_rules! with_number {
    ($($(#[$doc:meta])* $name:ident = $Form:ident by $declared:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// Those of [the module](crate::ops::foreach).
        pub fn $name(own: &mut [&mut Tensor], number: impl Into<Scalar>) -> Result<()> {
            let named = (concat!("foreach::", stringify!($name)), stringify!($Form));
            match Lists::checked(named, signatures::$declared.takes, own, &[])? {
                Some(lists) => {
                    let number = lists.number(number.into())?;
                    launch::$Form(lists.stream.into(), &lists.read(), &number, lists.own)
                }
                None => Ok(()),
            }
        }
    )*};
}

/// Functions of each element and a number for each tensor.
macro_rules! with_numbers {
    ($($(#[$doc:meta])* $name:ident = $Form:ident by $declared:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// Those of [the module](crate::ops::foreach).
        #[inline]
        pub fn $name(own: &mut [&mut Tensor], numbers: &[Scalar]) -> Result<()> {
            let named = (concat!("foreach::", stringify!($name)), stringify!($Form));
            match Lists::checked(named, signatures::$declared.takes, own, &[])? {
                Some(lists) => {
                    let numbers = lists.numbers(numbers)?;
                    launch::$Form(lists.stream.into(), &lists.read(), &numbers, lists.own)
                }
                None => Ok(()),
            }
        }
    )*};
}

/// Functions of each element and that of another tensor.
macro_rules! with_tensors {
    ($($(#[$doc:meta])* $name:ident = $Form:ident by $declared:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// Those of [the module](crate::ops::foreach).
        #[inline]
        pub fn $name(own: &mut [&mut Tensor], other: &[&Tensor]) -> Result<()> {
            let named = (concat!("foreach::", stringify!($name)), stringify!($Form));
            match Lists::checked(named, signatures::$declared.takes, own, &[other])? {
                Some(lists) => launch::$Form(lists.stream.into(), &lists.read(), other, lists.own),
                None => Ok(()),
            }
        }
    )*};
}

/// Functions of each element, that of another tensor and a factor of that.
macro_rules! scaled {
    ($($(#[$doc:meta])* $name:ident = $Form:ident by $declared:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// Those of [the module](crate::ops::foreach).
        pub fn $name(own: &mut [&mut Tensor], other: &[&Tensor], alpha: impl Into<Scalar>) -> Result<()> {
            let named = (concat!("foreach::", stringify!($name)), stringify!($Form));
            match Lists::checked(named, signatures::$declared.takes, own, &[other])? {
                Some(lists) => {
                    let alpha = lists.number(alpha.into())?;
                    launch::$Form(lists.stream.into(), &lists.read(), other, &alpha, lists.own)
                }
                None => Ok(()),
            }
        }
    )*};
}

/// Functions of each element, those of two other tensors and a factor of what is made of these.
macro_rules! with_pairs {
    ($($(#[$doc:meta])* $name:ident = $Form:ident by $declared:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// Those of [the module](crate::ops::foreach).
        pub fn $name(
            own: &mut [&mut Tensor],
            first: &[&Tensor],
            second: &[&Tensor],
            value: impl Into<Scalar>,
        ) -> Result<()> {
            let named = (concat!("foreach::", stringify!($name)), stringify!($Form));
            match Lists::checked(named, signatures::$declared.takes, own, &[first, second])? {
                Some(lists) => {
                    let value = lists.number(value.into())?;
                    launch::$Form(lists.stream.into(), &lists.read(), first, second, &value, lists.own)
                }
                None => Ok(()),
            }
        }
    )*};
}

/// Functions that round each element.
macro_rules! rounding {
    ($($(#[$doc:meta])* $name:ident = $mode:literal;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// Those of [the module](crate::ops::foreach).
        #[doc(alias = "aclnnForeachRoundOffNumberV2")]
        #[inline]
        pub fn $name(own: &mut [&mut Tensor]) -> Result<()> {
            let named = (concat!("foreach::", stringify!($name)), "ForeachRoundOffNumberV2");
            match Lists::checked(named, signatures::foreach_round_off_number.takes, own, &[])? {
                Some(lists) => {
                    let mode = Scalar::from($mode as i8);
                    launch::ForeachRoundOffNumberV2(lists.stream.into(), &lists.read(), &mode, lists.own)
                }
                None => Ok(()),
            }
        }
    )*};
}

unary! {
    /// Replaces each element by its absolute value.
    #[doc(alias = "aclnnForeachAbs")]
    abs = ForeachAbs by foreach_abs;
    /// Replaces each element by the angle in radians whose cosine it is.
    #[doc(alias = "aclnnForeachAcos")]
    acos = ForeachAcos by foreach_acos;
    /// Replaces each element by the angle in radians whose sine it is.
    #[doc(alias = "aclnnForeachAsin")]
    asin = ForeachAsin by foreach_asin;
    /// Replaces each element by the angle in radians whose tangent it is.
    #[doc(alias = "aclnnForeachAtan")]
    atan = ForeachAtan by foreach_atan;
    /// Replaces each element by its cosine.
    #[doc(alias = "aclnnForeachCos")]
    cos = ForeachCos by foreach_cos;
    /// Replaces each element by its hyperbolic cosine.
    #[doc(alias = "aclnnForeachCosh")]
    cosh = ForeachCosh by foreach_cosh;
    /// Replaces each element by the error function of it.
    #[doc(alias = "aclnnForeachErf")]
    erf = ForeachErf by foreach_erf;
    /// Replaces each element by 1 − the error function of it.
    #[doc(alias = "aclnnForeachErfc")]
    erfc = ForeachErfc by foreach_erfc;
    /// Replaces each element by `eˣ`.
    #[doc(alias = "aclnnForeachExp")]
    exp = ForeachExp by foreach_exp;
    /// Replaces each element by `eˣ − 1`, exact also near zero.
    #[doc(alias = "aclnnForeachExpm1")]
    expm1 = ForeachExpm1 by foreach_expm1;
    /// Replaces each element by its natural logarithm.
    #[doc(alias = "aclnnForeachLog")]
    log = ForeachLog by foreach_log;
    /// Replaces each element by its logarithm to base 10.
    #[doc(alias = "aclnnForeachLog10")]
    log10 = ForeachLog10 by foreach_log10;
    /// Replaces each element by `log(1 + x)`, exact also near zero.
    #[doc(alias = "aclnnForeachLog1p")]
    log1p = ForeachLog1p by foreach_log1p;
    /// Replaces each element by its logarithm to base 2.
    #[doc(alias = "aclnnForeachLog2")]
    log2 = ForeachLog2 by foreach_log2;
    /// Replaces each element by the number with the other sign.
    #[doc(alias = "aclnnForeachNeg")]
    neg = ForeachNeg by foreach_neg;
    /// Replaces each element by `1 / x`.
    #[doc(alias = "aclnnForeachReciprocal")]
    reciprocal = ForeachReciprocal by foreach_reciprocal;
    /// Replaces each element by `1 / (1 + e⁻ˣ)`.
    #[doc(alias = "aclnnForeachSigmoid")]
    sigmoid = ForeachSigmoid by foreach_sigmoid;
    /// Replaces each element by 1, 0 or −1 as its sign.
    #[doc(alias = "aclnnForeachSign")]
    sign = ForeachSign by foreach_sign;
    /// Replaces each element by its sine.
    #[doc(alias = "aclnnForeachSin")]
    sin = ForeachSin by foreach_sin;
    /// Replaces each element by its hyperbolic sine.
    #[doc(alias = "aclnnForeachSinh")]
    sinh = ForeachSinh by foreach_sinh;
    /// Replaces each element by its square root.
    #[doc(alias = "aclnnForeachSqrt")]
    sqrt = ForeachSqrt by foreach_sqrt;
    /// Replaces each element by its tangent.
    #[doc(alias = "aclnnForeachTan")]
    tan = ForeachTan by foreach_tan;
    /// Replaces each element by its hyperbolic tangent.
    #[doc(alias = "aclnnForeachTanh")]
    tanh = ForeachTanh by foreach_tanh;
}

rounding! {
    /// Replaces each element by the nearest whole number, of two the even one.
    round = 1;
    /// Replaces each element by the next whole number below.
    floor = 2;
    /// Replaces each element by the next whole number above.
    ceil = 3;
    /// Replaces each element by the next whole number towards zero.
    trunc = 5;
    /// Replaces each element by what is left of it without its whole part.
    frac = 7;
}

with_number! {
    /// Adds a number to each element.
    #[doc(alias = "aclnnForeachAddScalarV2")]
    add_scalar = ForeachAddScalarV2 by foreach_add_scalar;
    /// Subtracts a number from each element.
    #[doc(alias = "aclnnForeachSubScalarV2")]
    sub_scalar = ForeachSubScalarV2 by foreach_sub_scalar;
    /// Multiplies each element by a number.
    #[doc(alias = "aclnnForeachMulScalarV2")]
    mul_scalar = ForeachMulScalarV2 by foreach_mul_scalar;
    /// Divides each element by a number.
    #[doc(alias = "aclnnForeachDivScalarV2")]
    div_scalar = ForeachDivScalarV2 by foreach_div_scalar;
    /// Replaces each element that is smaller than a number by the number.
    #[doc(alias = "aclnnForeachMaximumScalarV2")]
    maximum_scalar = ForeachMaximumScalarV2 by foreach_maximum_scalar;
    /// Replaces each element that is greater than a number by the number.
    #[doc(alias = "aclnnForeachMinimumScalarV2")]
    minimum_scalar = ForeachMinimumScalarV2 by foreach_minimum_scalar;
    /// Replaces each element by its power with a number as the exponent.
    #[doc(alias = "aclnnForeachPowScalarV2")]
    pow_scalar = ForeachPowScalarV2 by foreach_pow_scalar;
}

with_numbers! {
    /// Adds a number to each element, one for each tensor.
    #[doc(alias = "aclnnForeachAddScalarList")]
    add_scalars = ForeachAddScalarList by foreach_add_scalar;
    /// Subtracts a number from each element, one for each tensor.
    #[doc(alias = "aclnnForeachSubScalarList")]
    sub_scalars = ForeachSubScalarList by foreach_sub_scalar;
    /// Multiplies each element by a number, one for each tensor.
    #[doc(alias = "aclnnForeachMulScalarList")]
    mul_scalars = ForeachMulScalarList by foreach_mul_scalar;
    /// Divides each element by a number, one for each tensor.
    #[doc(alias = "aclnnForeachDivScalarList")]
    div_scalars = ForeachDivScalarList by foreach_div_scalar;
    /// Replaces each element that is smaller than a number by the number, one for each tensor.
    #[doc(alias = "aclnnForeachMaximumScalarList")]
    maximum_scalars = ForeachMaximumScalarList by foreach_maximum_scalar;
    /// Replaces each element that is greater than a number by the number, one for each tensor.
    #[doc(alias = "aclnnForeachMinimumScalarList")]
    minimum_scalars = ForeachMinimumScalarList by foreach_minimum_scalar;
    /// Replaces each element by its power with a number as the exponent, one for each tensor.
    #[doc(alias = "aclnnForeachPowScalarList")]
    pow_scalars = ForeachPowScalarList by foreach_pow_scalar;
}

with_tensors! {
    /// Multiplies each element by that of another tensor.
    #[doc(alias = "aclnnForeachMulList")]
    mul = ForeachMulList by foreach_mul_list;
    /// Divides each element by that of another tensor.
    #[doc(alias = "aclnnForeachDivList")]
    div = ForeachDivList by foreach_div_list;
    /// Replaces each element by that of another tensor if this is greater, or NaN.
    #[doc(alias = "aclnnForeachMaximumList")]
    maximum = ForeachMaximumList by foreach_maximum_list;
    /// Replaces each element by that of another tensor if this is smaller, or NaN.
    #[doc(alias = "aclnnForeachMinimumList")]
    minimum = ForeachMinimumList by foreach_minimum_list;
    /// Replaces each element by its power with that of another tensor as the exponent.
    #[doc(alias = "aclnnForeachPowList")]
    pow = ForeachPowList by foreach_pow_list;
}

scaled! {
    /// Adds the elements of other tensors, times `alpha`.
    #[doc(alias = "aclnnForeachAddListV2")]
    add = ForeachAddListV2 by foreach_add_list_v2;
    /// Subtracts the elements of other tensors, times `alpha`.
    #[doc(alias = "aclnnForeachSubListV2")]
    sub = ForeachSubListV2 by foreach_sub_list_v2;
}

with_pairs! {
    /// Adds the products of the elements of two other tensors, times `value`.
    #[doc(alias = "aclnnForeachAddcmulScalarV2")]
    addcmul = ForeachAddcmulScalarV2 by foreach_addcmul;
    /// Adds the quotients of the elements of two other tensors, times `value`.
    #[doc(alias = "aclnnForeachAddcdivScalarV2")]
    addcdiv = ForeachAddcdivScalarV2 by foreach_addcdiv;
}

/// Moves each element towards that of `end`: `own + weight · (end − own)`.
///
/// # Errors
/// Those of [the module](crate::ops::foreach).
#[doc(alias = "aclnnForeachLerpScalar")]
#[inline]
pub fn lerp(own: &mut [&mut Tensor], end: &[&Tensor], weight: f32) -> Result<()> {
    let named = ("foreach::lerp", "ForeachLerpScalar");
    match Lists::checked(named, signatures::foreach_lerp.takes, own, &[end])? {
        Some(lists) => {
            launch::ForeachLerpScalar(lists.stream.into(), &lists.read(), end, &weight.into(), lists.own)
        }
        None => Ok(()),
    }
}

/// Moves each element towards that of `end` by a weight of its own, as [`lerp`].
///
/// # Errors
/// Those of [the module](crate::ops::foreach).
#[doc(alias = "aclnnForeachLerpList")]
#[inline]
pub fn lerp_tensors(own: &mut [&mut Tensor], end: &[&Tensor], weights: &[&Tensor]) -> Result<()> {
    let named = ("foreach::lerp_tensors", "ForeachLerpList");
    match Lists::checked(named, signatures::foreach_lerp.takes, own, &[end, weights])? {
        Some(lists) => launch::ForeachLerpList(lists.stream.into(), &lists.read(), end, weights, lists.own),
        None => Ok(()),
    }
}
