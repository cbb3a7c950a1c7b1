//! Activations, their gradients and other functions with attributes, expanded from their declarations.

use super::parametric::{Operator, Parametric};
use super::prepared::{InPlace, OTHERS};
use crate::call::launch;
use crate::error::Result;
use crate::operand::IntoOperand;
use crate::scalar::Scalar;
use crate::signatures;
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

/// Expands to the form in place, if the declaration has one.
macro_rules! in_place {
    ($function:ident [$($parameter:ident $kind:ident)*]) => {
        None
    };
    ($function:ident [$($parameter:ident $kind:ident)*] $InPlace:ident = $c:literal $parameters:tt;) => {
        Some(InPlace {
            name: concat!(stringify!($function), "_in_place"),
            form: stringify!($InPlace),
            launch: |stream, tensors, attributes| {
                let ([own], [$($parameter),*]) = (tensors, attributes) else { return Err(OTHERS) };
                launch::$InPlace(stream.into(), own, $(sent!($kind $parameter)),*)
            },
        })
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
        functions! { @ $function [$($doc)*] $Name $c $signature $($in_place)* }
    )*};
    (
        @ $function:ident [$($doc:literal)*] $Name:ident $c:literal
        (
            $(also: $($also:literal),+;)?
            example: $given:tt $(, $other:ident $values:tt)? $(with $($attribute:ident $kind:ident = $value:literal),+)?
                => $type:ident $result:tt;
            $($field:tt)*
        )
        $($in_place:tt)*
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
                signature: signatures::$function,
                others: &[$(stringify!($other))?],
                attributes: &[$($(stringify!($attribute)),+)?],
                launch: |stream, tensors, attributes, out| {
                    let ([own $(, $other)?], [$($($attribute),+)?]) = (tensors, attributes) else {
                        return Err(OTHERS);
                    };
                    launch::$Name(stream.into(), own, $($other,)? $($(sent!($kind $attribute),)+)? out)
                },
                in_place: in_place!($function [$($($attribute $kind)+)?] $($in_place)*),
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
            $($(#[doc(alias = $also)])+)?
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
    (@ $function:ident [$($doc:literal)*] $Name:ident $c:literal $signature:tt $($in_place:tt)*) => {};
}

aclnn_sys::parametric_operators!(functions);

/// Expands to the methods that replace the elements of a tensor; what they do is in the declarations.
macro_rules! methods_in_place {
    ($(
        $function:ident $in_place:ident $alias:literal ($($attribute:ident: $kind:ident = $value:literal),+):
            $given:tt => $result:tt;
    )*) => {
        impl Tensor {
            $(
                #[doc = concat!("Computes [`", stringify!($function), "`](Tensor::", stringify!($function), ") in place: the result replaces the elements of the tensor, which keeps its type and shape.")]
                ///
                /// ```
                /// use aclnn::{Device, Tensor};
                ///
                /// let device = Device::open(0)?;
                #[doc = concat!("let x: &[f32] = &", stringify!($given), ";")]
                /// let mut x = Tensor::from_slice(&device, x, x.len())?;
                #[doc = concat!("x.", stringify!($in_place), "(", $(stringify!($value), ", ",)+ ")?;")]
                #[doc = concat!("assert_eq!(x.to_vec::<f32>()?, ", stringify!($result), ");")]
                /// # Ok::<(), aclnn::Error>(())
                /// ```
                ///
                /// # Errors
                /// Those of [`Parametric::run_into`](crate::ops::Parametric::run_into).
                #[doc(alias = $alias)]
                #[inline]
                pub fn $in_place(&mut self, $($attribute: attribute!($kind)),+) -> Result<()> {
                    $crate::ops::$function(self, $($attribute),+).run_in_place()
                }
            )*
        }
    };
}

methods_in_place! {
    hard_tanh hard_tanh_in_place "aclnnInplaceHardtanh" (min: scalar = -1.0, max: scalar = 1.0): [-2.0, 0.5] => [-1.0, 0.5];
    threshold threshold_in_place "aclnnInplaceThreshold" (threshold: scalar = 1.0, value: scalar = -3.0): [0.5, 2.0] => [-3.0, 2.0];
    leaky_relu leaky_relu_in_place "aclnnInplaceLeakyRelu" (slope: scalar = 0.25): [-2.0, 2.0] => [-0.5, 2.0];
    elu elu_in_place "aclnnInplaceElu" (alpha: scalar = 1.0, scale: scalar = 1.0, input_scale: scalar = 1.0): [-1.0, 2.0] => [-0.63212056, 2.0];
    celu celu_in_place "aclnnInplaceCelu" (alpha: scalar = 2.0): [-1.0, 2.0] => [-0.78693867, 2.0];
    nan_to_num nan_to_num_in_place "aclnnInplaceNanToNum" (nan: f32 = 0.0, positive: f32 = 9.0, negative: f32 = -9.0): [f32::NAN, f32::INFINITY] => [0.0, 9.0];
    round_decimals round_decimals_in_place "aclnnInplaceRoundDecimals" (decimals: i64 = 1): [1.25, 2.625] => [1.2, 2.6];
}
