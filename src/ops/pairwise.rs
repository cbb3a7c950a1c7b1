//! Comparisons, operations on bits and truth values, extremes, whole quotients, remainders, powers: functions of two operands,
//! without a factor.

use super::binary::{Binary, BinaryInPlace, InPlace, Operation, Operator, Order, first};
use crate::call::launch;
use crate::error::Result;
use crate::operand::IntoOperand;
use crate::plan::binary::{Forms, InPlaceForms, Rules};
use crate::signatures;
use crate::tensor::Tensor;

/// Expands the declarations to a function and a method for each operator. The first form takes two tensors, the second a
/// tensor and a scalar in families that have such forms, and two more write to the first operand.
macro_rules! functions {
    (@ $family:ident, $($docs:literal)*, $function:ident,
        ($(also: $($also:literal),+;)? example: $from:ident $a:tt, $b:tt => $type:ident $result:tt; $($field:tt)*), $scalar:expr, $scalar_name:expr,
        $in_place:expr, $in_place_names:expr, $Name:ident $c:literal
    ) => {
        /// Prepares a function of two operands:
        $(#[doc = $docs])*
        ///
        /// Nothing is launched before [`Binary::run`].
        #[doc(alias = $c)]
        pub fn $function<'a>(own: &'a Tensor, other: impl IntoOperand<'a>) -> Binary<'a, false> {
            const OPERATOR: &Operator = &Operator {
                rules: Rules {
                    name: stringify!($function),
                    forms: Forms { tensor: stringify!($Name), scalar: $scalar_name, in_place: $in_place_names },
                    signature: signatures::$function,
                },
                tensor: |stream, own, other, _, out| launch::$Name(stream, own, other, out),
                order: Order::Plain,
                scalar: $scalar,
                in_place: $in_place,
            };
            Binary(Operation::new(OPERATOR, own, other.into_operand()))
        }

        impl Tensor {
            /// Computes a function of two operands, a tensor and a tensor or a scalar:
            $(#[doc = $docs])*
            ///
            /// ```
            /// use aclnn::{Device, Tensor};
            ///
            /// let device = Device::open(0)?;
            #[doc = concat!("let a = Tensor::from_slice::<", stringify!($from), ">(&device, &", stringify!($a), ", 2)?;")]
            #[doc = concat!("let b = Tensor::from_slice::<", stringify!($from), ">(&device, &", stringify!($b), ", 2)?;")]
            #[doc = concat!("assert_eq!(a.", stringify!($function), "(&b)?.to_vec::<", stringify!($type), ">()?, ", stringify!($result), ");")]
            /// # Ok::<(), aclnn::Error>(())
            /// ```
            ///
            #[doc = concat!("[`ops::", stringify!($function), "`](crate::ops::", stringify!($function), ") takes options.")]
            ///
            /// # Errors
            /// Those of [`Binary::run`](crate::ops::Binary::run).
            #[doc(alias = $c)]
            $($(#[doc(alias = $also)])+)?
            pub fn $function<'a>(&'a self, other: impl IntoOperand<'a>) -> Result<Tensor> {
                $function(self, other).run()
            }
        }
    };
    (
        comparison, $Rule:ident:
        $(
            $(#[doc = $doc:literal])*
            $function:ident $signature:tt {
                $Name:ident = $c:literal $parameters:tt $(since $since:literal)?;
                $Scalar:ident = $scalar_c:literal $scalar_parameters:tt $(since $scalar_since:literal)?;
                $(
                    $InPlace:ident = $in_place_c:literal $in_place_parameters:tt;
                    $ScalarInPlace:ident = $scalar_in_place_c:literal $scalar_in_place_parameters:tt;
                )?
            }
        )*
    ) => {$(
        functions! { @ comparison, $($doc)*, $function, $signature,
            Some(|stream, own, other, _, out| launch::$Scalar(stream, own, other, out)), Some(stringify!($Scalar)),
            in_place_form!($($InPlace $ScalarInPlace)?), in_place_names!($function $($InPlace $ScalarInPlace)?), $Name $c }
    )*};
    (
        binary, $Rule:ident:
        $(
            $(#[doc = $doc:literal])*
            $function:ident $signature:tt {
                $Name:ident = $c:literal $parameters:tt;
                $Scalar:ident = $scalar_c:literal $scalar_parameters:tt;
                $InPlace:ident = $in_place_c:literal $in_place_parameters:tt;
                $ScalarInPlace:ident = $scalar_in_place_c:literal $scalar_in_place_parameters:tt;
                $($rest:tt)*
            }
        )*
    ) => {$(
        functions! { @ binary, $($doc)*, $function, $signature,
            Some(|stream, own, other, _, out| launch::$Scalar(stream, own, other, out)), Some(stringify!($Scalar)),
            in_place_form!($InPlace $ScalarInPlace), in_place_names!($function $InPlace $ScalarInPlace), $Name $c }
    )*};
    (
        pairwise, $Rule:ident:
        $(
            $(#[doc = $doc:literal])*
            $function:ident $signature:tt {
                $Name:ident = $c:literal $parameters:tt $(since $since:literal)?;
                $($InPlace:ident = $in_place_c:literal $in_place_parameters:tt;)?
            }
        )*
    ) => {$(
        functions! { @ pairwise, $($doc)*, $function, $signature, None, None,
            in_place_form!($($InPlace)?), in_place_names!($function $($InPlace)?), $Name $c }
    )*};
}

/// Expands to the launches of the forms in place: for two tensors, and for a tensor and a scalar.
macro_rules! in_place_form {
    () => {
        None
    };
    ($InPlace:ident $($ScalarInPlace:ident)?) => {
        Some(InPlace {
            tensor: |stream, own, other, _| launch::$InPlace(stream, own, other),
            scalar: first!($(Some(|stream, own, other, _| launch::$ScalarInPlace(stream, own, other)),)? None),
        })
    };
}

/// Expands to the names of the forms in place.
macro_rules! in_place_names {
    ($function:ident) => {
        None
    };
    ($function:ident $InPlace:ident $($ScalarInPlace:ident)?) => {
        Some(InPlaceForms {
            name: concat!(stringify!($function), "_in_place"),
            tensor: stringify!($InPlace),
            scalar: first!($(Some(stringify!($ScalarInPlace)),)? None),
        })
    };
}

aclnn_sys::binary_operators!(functions);
aclnn_sys::comparison_operators!(functions);
aclnn_sys::pairwise_operators!(functions);

/// Expands to the forms of functions that write to their first operand.
macro_rules! in_place {
    ($($function:ident as $in_place:ident, $alias:literal $(, $scalar_alias:literal)?: $type:ident $a:tt, $b:literal => $result:tt;)*) => {$(
        #[doc = concat!("Prepares [`", stringify!($function), "()`] in place: the result replaces the elements of `own`, which keeps its type and shape.")]
        ///
        /// Nothing is launched before [`BinaryInPlace::run`].
        #[doc(alias = $alias)]
        $(#[doc(alias = $scalar_alias)])?
        pub fn $in_place<'a>(own: &'a mut Tensor, other: impl IntoOperand<'a>) -> BinaryInPlace<'a, false> {
            let own: &'a Tensor = own;
            BinaryInPlace($function(own, other).0)
        }

        impl Tensor {
            #[doc = concat!("Computes [`", stringify!($function), "`](Tensor::", stringify!($function), ") in place: the result replaces the elements of the tensor, which keeps its type and shape.")]
            ///
            /// ```
            /// use aclnn::{Device, Tensor};
            ///
            /// let device = Device::open(0)?;
            #[doc = concat!("let mut a = Tensor::from_slice::<", stringify!($type), ">(&device, &", stringify!($a), ", 2)?;")]
            #[doc = concat!("a.", stringify!($in_place), "(", stringify!($b), ")?;")]
            #[doc = concat!("assert_eq!(a.to_vec::<", stringify!($type), ">()?, ", stringify!($result), ");")]
            /// # Ok::<(), aclnn::Error>(())
            /// ```
            ///
            /// # Errors
            /// Those of [`BinaryInPlace::run`](crate::ops::BinaryInPlace::run).
            #[doc(alias = $alias)]
            $(#[doc(alias = $scalar_alias)])?
            pub fn $in_place<'a>(&'a mut self, other: impl IntoOperand<'a>) -> Result<()> {
                $in_place(self, other).run()
            }
        }
    )*};
}

in_place! {
    floor_divide as floor_divide_in_place, "aclnnInplaceFloorDivide", "aclnnInplaceFloorDivides": f32 [7.0, -7.0], 2 => [3.0, -4.0];
    fmod as fmod_in_place, "aclnnInplaceFmodTensor", "aclnnInplaceFmodScalar": f32 [7.0, -7.0], 3 => [1.0, -1.0];
    remainder as remainder_in_place, "aclnnInplaceRemainderTensorTensor", "aclnnInplaceRemainderTensorScalar": f32 [7.0, -7.0], 3 => [1.0, 2.0];
    pow as pow_in_place, "aclnnInplacePowTensorTensor", "aclnnInplacePowTensorScalar": f32 [3.0, 0.5], 2 => [9.0, 0.25];
    xlogy as xlogy_in_place, "aclnnInplaceXLogYTensor", "aclnnInplaceXLogYScalarOther": f32 [3.0, 0.5], 1 => [0.0, 0.0];
    eq as eq_in_place, "aclnnInplaceEqTensor", "aclnnInplaceEqScalar": f32 [1.0, 2.0], 2 => [0.0, 1.0];
    ne as ne_in_place, "aclnnInplaceNeTensor", "aclnnInplaceNeScalar": f32 [1.0, 2.0], 2 => [1.0, 0.0];
    lt as lt_in_place, "aclnnInplaceLtTensor", "aclnnInplaceLtScalar": f32 [1.0, 2.0], 2 => [1.0, 0.0];
    le as le_in_place, "aclnnInplaceLeTensor", "aclnnInplaceLeScalar": f32 [1.0, 2.0], 2 => [1.0, 1.0];
    gt as gt_in_place, "aclnnInplaceGtTensor", "aclnnInplaceGtScalar": f32 [1.0, 2.0], 2 => [0.0, 0.0];
    ge as ge_in_place, "aclnnInplaceGeTensor", "aclnnInplaceGeScalar": f32 [1.0, 2.0], 2 => [0.0, 1.0];
    bitwise_and as bitwise_and_in_place, "aclnnInplaceBitwiseAndTensor", "aclnnInplaceBitwiseAndScalar": i32 [12, 7], 10 => [8, 2];
    bitwise_or as bitwise_or_in_place, "aclnnInplaceBitwiseOrTensor", "aclnnInplaceBitwiseOrScalar": i32 [12, 6], 10 => [14, 14];
    bitwise_xor as bitwise_xor_in_place, "aclnnInplaceBitwiseXorTensor", "aclnnInplaceBitwiseXorScalar": i32 [12, 7], 10 => [6, 13];
    logical_and as logical_and_in_place, "aclnnInplaceLogicalAnd": f32 [2.0, 0.0], 3 => [1.0, 0.0];
    logical_or as logical_or_in_place, "aclnnInplaceLogicalOr": f32 [2.0, 0.0], 0 => [1.0, 0.0];
    atan2 as atan2_in_place, "aclnnInplaceAtan2": f32 [0.0, 1.0], 1 => [0.0, std::f32::consts::FRAC_PI_4];
}
