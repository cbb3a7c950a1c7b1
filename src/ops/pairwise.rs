//! Comparisons, operations on bits and truth values, extremes, whole quotients, remainders, powers: functions of two operands,
//! without a factor.

use super::binary::{Binary, BinaryInPlace, InPlace, Operation, Operator, Order};
use crate::call::launch;
use crate::declared;
use crate::error::Result;
use crate::operand::IntoOperand;
use crate::plan::binary::{Forms, InPlaceForms, Rules};
use crate::tensor::Tensor;

/// Expands the declarations to a function and a method for each operator. The first form takes two tensors, the second a
/// tensor and a scalar in families that have such forms, and two more write to the first operand.
macro_rules! functions {
    (@ $family:ident, $($docs:literal)*, $function:ident,
        (example: $from:ident $a:tt, $b:tt => $type:ident $result:tt; $($field:tt)*), $scalar:expr, $scalar_name:expr,
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
                    signature: declared::$function,
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
                $($rest:tt)*
            }
        )*
    ) => {$(
        functions! { @ comparison, $($doc)*, $function, $signature,
            Some(|stream, own, other, _, out| launch::$Scalar(stream, own, other, out)), Some(stringify!($Scalar)),
            None, None, $Name $c }
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
            Some(InPlace {
                tensor: |stream, own, other, _| launch::$InPlace(stream, own, other),
                scalar: |stream, own, other, _| launch::$ScalarInPlace(stream, own, other),
            }),
            Some(InPlaceForms {
                name: concat!(stringify!($function), "_in_place"),
                tensor: stringify!($InPlace),
                scalar: stringify!($ScalarInPlace),
            }),
            $Name $c }
    )*};
    (
        pairwise, $Rule:ident:
        $(
            $(#[doc = $doc:literal])*
            $function:ident $signature:tt { $Name:ident = $c:literal $parameters:tt $(since $since:literal)?; $($rest:tt)* }
        )*
    ) => {$(
        functions! { @ pairwise, $($doc)*, $function, $signature, None, None, None, None, $Name $c }
    )*};
}

aclnn_sys::binary_operators!(functions);
aclnn_sys::comparison_operators!(functions);
aclnn_sys::pairwise_operators!(functions);

/// Expands to the forms of functions that write to their first operand.
macro_rules! in_place {
    ($($function:ident as $in_place:ident, $alias:literal, $scalar_alias:literal: $a:tt, $b:literal => $result:tt;)*) => {$(
        #[doc = concat!("Prepares [`", stringify!($function), "()`] in place: the result replaces the elements of `own`, which keeps its type and shape.")]
        ///
        /// Nothing is launched before [`BinaryInPlace::run`].
        #[doc(alias = $alias)]
        #[doc(alias = $scalar_alias)]
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
            #[doc = concat!("let mut a = Tensor::from_slice::<f32>(&device, &", stringify!($a), ", 2)?;")]
            #[doc = concat!("a.", stringify!($in_place), "(", stringify!($b), ")?;")]
            #[doc = concat!("assert_eq!(a.to_vec::<f32>()?, ", stringify!($result), ");")]
            /// # Ok::<(), aclnn::Error>(())
            /// ```
            ///
            /// # Errors
            /// Those of [`BinaryInPlace::run`](crate::ops::BinaryInPlace::run).
            #[doc(alias = $alias)]
            #[doc(alias = $scalar_alias)]
            pub fn $in_place<'a>(&'a mut self, other: impl IntoOperand<'a>) -> Result<()> {
                $in_place(self, other).run()
            }
        }
    )*};
}

in_place! {
    floor_divide as floor_divide_in_place, "aclnnInplaceFloorDivide", "aclnnInplaceFloorDivides": [7.0, -7.0], 2 => [3.0, -4.0];
    fmod as fmod_in_place, "aclnnInplaceFmodTensor", "aclnnInplaceFmodScalar": [7.0, -7.0], 3 => [1.0, -1.0];
    remainder as remainder_in_place, "aclnnInplaceRemainderTensorTensor", "aclnnInplaceRemainderTensorScalar": [7.0, -7.0], 3 => [1.0, 2.0];
    pow as pow_in_place, "aclnnInplacePowTensorTensor", "aclnnInplacePowTensorScalar": [3.0, 0.5], 2 => [9.0, 0.25];
    xlogy as xlogy_in_place, "aclnnInplaceXLogYTensor", "aclnnInplaceXLogYScalarOther": [3.0, 0.5], 1 => [0.0, 0.0];
}
