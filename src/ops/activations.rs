//! Activations, their gradients and other functions with attributes, expanded from their declarations.

use super::parametric::{OTHERS, Operator, Parametric};
use crate::call::launch;
use crate::declared;
use crate::error::Result;
use crate::operand::IntoOperand;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// Expands to the type of an attribute of a kind.
macro_rules! attribute {
    (scalar) => { impl Into<Scalar> };
    (scalar_or_null) => { impl Into<Scalar> };
    ($plain:ident) => { $plain };
}

/// Expands to an attribute as the launch takes it.
macro_rules! sent {
    (scalar $value:ident) => {
        $value
    };
    (scalar_or_null $value:ident) => {
        Some(*$value)
    };
    ($plain:ident $value:ident) => {
        $value
            .to(<$plain as aclnn_numerics::Element>::DTYPE)
            .and_then(|value| value.get::<$plain>())
            .unwrap_or_default()
    };
}

/// Expands the declarations to a function and a method for each operator that has an example.
macro_rules! functions {
    (
        $family:ident, $Rule:ident:
        $(
            $(#[doc = $doc:literal])*
            $function:ident $signature:tt { $Name:ident = $c:literal $parameters:tt; $($in_place:tt)* }
        )*
    ) => {$(
        functions! { @ $function [$($doc)*] $Name $c $signature }
    )*};
    (
        @ $function:ident [$($doc:literal)*] $Name:ident $c:literal
        (
            example: $given:tt $(, $other:ident $values:tt)? $(with $($attribute:ident $kind:ident = $value:literal),+)?
                => $type:ident $result:tt;
            $($field:tt)*
        )
    ) => {
        /// Prepares a function of each element:
        $(#[doc = $doc])*
        ///
        /// Nothing is launched before [`Parametric::run`].
        #[doc(alias = $c)]
        pub fn $function<'a>(
            own: &'a Tensor,
            $($other: impl IntoOperand<'a>,)?
            $($($attribute: attribute!($kind)),+)?
        ) -> Parametric<'a> {
            const OPERATOR: &Operator = &Operator {
                name: stringify!($function),
                form: stringify!($Name),
                signature: declared::$function,
                others: &[$(stringify!($other))?],
                attributes: &[$($(stringify!($attribute)),+)?],
                launch: |stream, tensors, attributes, out| {
                    let ([own $(, $other)?], [$($($attribute),+)?]) = (tensors, attributes) else {
                        return Err(OTHERS);
                    };
                    launch::$Name(stream.into(), own, $($other,)? $($(sent!($kind $attribute),)+)? out)
                },
            };
            Parametric::new(OPERATOR, own, [$($other.into_operand())?], [$($($attribute.into()),+)?])
        }

        impl Tensor {
            /// Computes a function of each element:
            $(#[doc = $doc])*
            ///
            /// ```
            /// use aclnn::{Device, Tensor};
            ///
            /// let device = Device::open(0)?;
            #[doc = concat!("let own: &[f32] = &", stringify!($given), ";")]
            /// let own = Tensor::from_slice(&device, own, own.len())?;
            $(
                #[doc = concat!("let ", stringify!($other), ": &[f32] = &", stringify!($values), ";")]
                #[doc = concat!("let ", stringify!($other), " = Tensor::from_slice(&device, ", stringify!($other), ", ", stringify!($other), ".len())?;")]
            )?
            #[doc = concat!(
                "let y = own.", stringify!($function), "(", $("&", stringify!($other), ", ",)? $($(stringify!($value), ", ",)+)? ")?;"
            )]
            #[doc = concat!("assert_eq!(y.to_vec::<", stringify!($type), ">()?, ", stringify!($result), ");")]
            /// # Ok::<(), aclnn::Error>(())
            /// ```
            ///
            #[doc = concat!("[`ops::", stringify!($function), "`](crate::ops::", stringify!($function), ") takes options.")]
            ///
            /// # Errors
            /// Those of [`Parametric::run`](crate::ops::Parametric::run).
            #[doc(alias = $c)]
            #[allow(clippy::needless_lifetimes, reason = "those with another operand need it")]
            pub fn $function<'a>(
                &'a self,
                $($other: impl IntoOperand<'a>,)?
                $($($attribute: attribute!($kind)),+)?
            ) -> Result<Tensor> {
                $crate::ops::$function(self, $($other,)? $($($attribute),+)?).run()
            }
        }
    };
    // Without an example there is no function here.
    (@ $function:ident [$($doc:literal)*] $Name:ident $c:literal $signature:tt) => {};
}

aclnn_sys::parametric_operators!(functions);
