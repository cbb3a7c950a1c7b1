//! Comparisons, operations on bits and truth values, extremes: functions of two operands, without a factor.

use super::binary::{Binary, Operation, Operator, Order};
use crate::call::launch;
use crate::declared;
use crate::error::Result;
use crate::operand::IntoOperand;
use crate::plan::binary::{Forms, Rules};
use crate::tensor::Tensor;

/// Expands the declarations to a function and a method for each operator. The first form takes two tensors, the second a
/// tensor and a scalar in families that have such forms.
macro_rules! functions {
    (@ $family:ident, $($docs:literal)*, $function:ident,
        (example: $from:ident $a:tt, $b:tt => $type:ident $result:tt; $($field:tt)*), $scalar:expr, $scalar_name:expr,
        $Name:ident $c:literal
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
                    forms: Forms { tensor: stringify!($Name), scalar: $scalar_name, in_place: None },
                    signature: declared::$function,
                },
                tensor: |stream, own, other, _, out| launch::$Name(stream, own, other, out),
                order: Order::Plain,
                scalar: $scalar,
                in_place: None,
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
                $Name:ident = $c:literal $parameters:tt;
                $Scalar:ident = $scalar_c:literal $scalar_parameters:tt;
                $($rest:tt)*
            }
        )*
    ) => {$(
        functions! { @ comparison, $($doc)*, $function, $signature,
            Some(|stream, own, other, _, out| launch::$Scalar(stream, own, other, out)), Some(stringify!($Scalar)),
            $Name $c }
    )*};
    (
        pairwise, $Rule:ident:
        $(
            $(#[doc = $doc:literal])*
            $function:ident $signature:tt { $Name:ident = $c:literal $parameters:tt; $($rest:tt)* }
        )*
    ) => {$(
        functions! { @ pairwise, $($doc)*, $function, $signature, None, None, $Name $c }
    )*};
}

aclnn_sys::comparison_operators!(functions);
aclnn_sys::pairwise_operators!(functions);
