//! Addition, subtraction, multiplication and division; functions of two operands with both sides exchanged.

use super::binary::{Binary, BinaryInPlace, InPlace, Operation, Operator, Order, TOWARDS_ZERO, first};
use crate::call::launch;
use crate::error::Result;
use crate::operand::IntoOperand;
use crate::plan::binary::{Forms, InPlaceForms, Rules};
use crate::signatures;
use crate::tensor::Tensor;

/// Declares an operator: its function in this module, its methods, and the rules for the planner.
macro_rules! operator {
    (
        $doc:literal $([$($also:literal),+])?
        ($from:ident $a:tt, $b:tt => $type:ident $result:tt)
        $name:ident, $kind:ident, [$tensor:ident $tensor_alias:literal $(, $scalar:ident $scalar_alias:literal)?
            $(; $in_place:ident($own:tt, $number:literal => $changed:tt), $tensor_in_place:ident $tensor_in_place_alias:literal,
                $scalar_in_place:ident $scalar_in_place_alias:literal)?] as $declared:ident
    ) => {
        /// Prepares
        #[doc = $doc]
        ///
        /// Nothing is launched before [`Binary::run`].
        #[doc(alias = $tensor_alias)]
        $(#[doc(alias = $scalar_alias)])?
        pub fn $name<'a>(own: &'a Tensor, other: impl IntoOperand<'a>) -> Binary<'a, { scaled!($kind) }> {
            const OPERATOR: &Operator = &Operator {
                rules: Rules {
                    name: stringify!($name),
                    forms: Forms {
                        tensor: stringify!($tensor),
                        scalar: first!($(Some(stringify!($scalar)),)? None),
                        in_place: first!($(Some(InPlaceForms {
                            name: stringify!($in_place),
                            tensor: stringify!($tensor_in_place),
                            scalar: Some(stringify!($scalar_in_place)),
                        }),)? None),
                    },
                    signature: signatures::$declared,
                },
                tensor: launcher!($kind $tensor),
                order: order!($kind),
                scalar: first!($(Some(launcher!($kind $scalar)),)? None),
                in_place: first!($(Some(InPlace {
                    tensor: in_place_launcher!($kind $tensor_in_place),
                    scalar: Some(in_place_launcher!($kind $scalar_in_place)),
                }),)? None),
            };
            Binary(Operation::new(OPERATOR, own, other.into_operand()))
        }

        $(
            /// Prepares the operation in place: the result replaces the elements of `own`, which keeps its type and
            /// shape.
            ///
            /// The result is
            #[doc = $doc]
            ///
            /// Nothing is launched before [`BinaryInPlace::run`].
            #[doc(alias = $tensor_in_place_alias)]
            #[doc(alias = $scalar_in_place_alias)]
            pub fn $in_place<'a>(
                own: &'a mut Tensor,
                other: impl IntoOperand<'a>,
            ) -> BinaryInPlace<'a, { scaled!($kind) }> {
                let own: &'a Tensor = own;
                BinaryInPlace($name(own, other).0)
            }
        )?

        impl Tensor {
            /// Computes
            #[doc = $doc]
            ///
            /// ```
            /// use aclnn::{Device, Tensor};
            ///
            /// let device = Device::open(0)?;
            #[doc = concat!("let a = Tensor::from_slice::<", stringify!($from), ">(&device, &", stringify!($a), ", 2)?;")]
            #[doc = concat!("let b = Tensor::from_slice::<", stringify!($from), ">(&device, &", stringify!($b), ", 2)?;")]
            #[doc = concat!("assert_eq!(a.", stringify!($name), "(&b)?.to_vec::<", stringify!($type), ">()?, ", stringify!($result), ");")]
            /// # Ok::<(), aclnn::Error>(())
            /// ```
            ///
            #[doc = concat!("[`ops::", stringify!($name), "`](crate::ops::", stringify!($name), ") takes more options.")]
            ///
            /// # Errors
            /// Those of [`Binary::run`](crate::ops::Binary::run).
            #[doc(alias = $tensor_alias)]
            $(#[doc(alias = $scalar_alias)])?
            $($(#[doc(alias = $also)])+)?
            pub fn $name<'a>(&'a self, other: impl IntoOperand<'a>) -> Result<Tensor> {
                $name(self, other).run()
            }

            $(
                /// Computes the operation in place: the result replaces the elements of the tensor, which keeps its
                /// type and shape.
                ///
                /// The result is
                #[doc = $doc]
                ///
                /// ```
                /// use aclnn::{Device, Tensor};
                ///
                /// let device = Device::open(0)?;
                #[doc = concat!("let mut a = Tensor::from_slice::<f32>(&device, &", stringify!($own), ", 2)?;")]
                #[doc = concat!("a.", stringify!($in_place), "(", $number, ")?;")]
                #[doc = concat!("assert_eq!(a.to_vec::<f32>()?, ", stringify!($changed), ");")]
                /// # Ok::<(), aclnn::Error>(())
                /// ```
                ///
                /// # Errors
                /// Those of [`BinaryInPlace::run`](crate::ops::BinaryInPlace::run).
                #[doc(alias = $tensor_in_place_alias)]
                #[doc(alias = $scalar_in_place_alias)]
                pub fn $in_place<'a>(&'a mut self, other: impl IntoOperand<'a>) -> Result<()> {
                    $in_place(self, other).run()
                }
            )?
        }
    };
}

macro_rules! scaled {
    (alpha) => {
        true
    };
    ($kind:ident) => {
        false
    };
}

macro_rules! order {
    (alpha) => {
        Order::Alpha
    };
    (plain) => {
        Order::Plain
    };
    (reversed) => {
        Order::Reversed
    };
    (whole) => {
        Order::Mode
    };
}

macro_rules! launcher {
    (alpha $name:ident) => {
        |on, own, other, alpha, out| launch::$name(on, own, other, alpha, out)
    };
    (plain $name:ident) => {
        |on, own, other, _, out| launch::$name(on, own, other, out)
    };
    (reversed $name:ident) => {
        |on, own, other, _, out| launch::$name(on, other, own, out)
    };
    (whole $name:ident) => {
        |on, own, other, _, out| launch::$name(on, own, other, TOWARDS_ZERO, out)
    };
}

macro_rules! in_place_launcher {
    (alpha $name:ident) => {
        |on, own, other, alpha| launch::$name(on, own, other, alpha)
    };
    (plain $name:ident) => {
        |on, own, other, _| launch::$name(on, own, other)
    };
    (whole $name:ident) => {
        |on, own, other, _| launch::$name(on, own, other, TOWARDS_ZERO)
    };
}

operator! {
    "`self + alpha · other`, element by element; `alpha` is 1 unless given. For bool it is the inclusive or."
    (f32 [1.0, 2.0], [0.5, 0.5] => f32 [1.5, 2.5])
    add, alpha, [Add "aclnnAdd", Adds "aclnnAdds"; add_in_place([1.0, 2.0], 0.5 => [1.5, 2.5]), InplaceAdd "aclnnInplaceAdd", InplaceAdds "aclnnInplaceAdds"] as add
}

operator! {
    "`self − alpha · other`, element by element; `alpha` is 1 unless given. For bool it is the exclusive or."
    ["subtract"]
    (f32 [1.0, 2.0], [0.5, 0.5] => f32 [0.5, 1.5])
    sub, alpha, [Sub "aclnnSub", Subs "aclnnSubs"; sub_in_place([1.0, 2.0], 0.5 => [0.5, 1.5]), InplaceSub "aclnnInplaceSub", InplaceSubs "aclnnInplaceSubs"] as sub
}

operator! {
    "`other − alpha · self`, element by element; `alpha` is 1 unless given."
    (f32 [1.0, 2.0], [0.5, 0.5] => f32 [-0.5, -1.5])
    rsub, alpha, [Rsub "aclnnRsub", Rsubs "aclnnRsubs"] as rsub
}

operator! {
    "`self · other`, element by element. For bool it is the conjunction."
    ["multiply"]
    (f32 [1.0, 2.0], [0.5, 0.5] => f32 [0.5, 1.0])
    mul, plain, [Mul "aclnnMul", Muls "aclnnMuls"; mul_in_place([1.0, 2.0], 0.5 => [0.5, 1.0]), InplaceMul "aclnnInplaceMul", InplaceMuls "aclnnInplaceMuls"] as mul
}

operator! {
    "`self / other`, element by element: true division. Integers and bool are divided as f32, which the result is then."
    ["divide", "true_divide"]
    (i32 [1, 2], [2, 2] => f32 [0.5, 1.0])
    div, plain, [Div "aclnnDiv", Divs "aclnnDivs"; div_in_place([1.0, 2.0], 2.0 => [0.5, 1.0]), InplaceDiv "aclnnInplaceDiv", InplaceDivs "aclnnInplaceDivs"] as div
}

operator! {
    "`other / self`, element by element: true division, as [`div()`] with both sides exchanged. A scalar becomes a tensor of one element first, an f32 where the result is f16 or bf16."
    (f32 [1.0, 2.0], [0.5, 0.5] => f32 [0.5, 0.25])
    rdiv, reversed, [Div "aclnnDiv"] as div
}

operator! {
    "`self / other` rounded towards zero, element by element; bool counts as f32. What an integer divided by zero gives depends on product and types; two of i32 fail the stream of an emulated 910B. Before the Ascend 950 the library divides f64 and integers as f32, but for two of i32 on the 910B, so that quotients beyond 2²⁴ lose digits; [`floor_divide`](crate::ops::floor_divide) is exact."
    (f32 [7.0, -7.0], [2.0, 2.0] => f32 [3.0, -3.0])
    div_trunc, whole, [DivMod "aclnnDivMod", DivMods "aclnnDivMods"; div_trunc_in_place([7.0, -7.0], 2.0 => [3.0, -3.0]), InplaceDivMod "aclnnInplaceDivMod", InplaceDivMods "aclnnInplaceDivMods"] as div_mod
}

operator! {
    "what a division `other / self` leaves, element by element: as [`remainder`](crate::ops::remainder) with both sides exchanged."
    (f32 [3.0, 3.0], [7.0, -7.0] => f32 [1.0, 2.0])
    rremainder, reversed, [RemainderTensorTensor "aclnnRemainderTensorTensor", RemainderScalarTensor "aclnnRemainderScalarTensor"] as remainder
}

operator! {
    "`other` to the power of `self`, element by element: as [`pow`](crate::ops::pow) with both sides exchanged, so that `exponents.rpow(2.0)` are powers of two."
    (f32 [3.0, 0.5], [2.0, 9.0] => f32 [8.0, 3.0])
    rpow, reversed, [PowTensorTensor "aclnnPowTensorTensor", PowScalarTensor "aclnnPowScalarTensor"] as pow
}

operator! {
    "`other · log(self)`, element by element: as [`xlogy`](crate::ops::xlogy) with both sides exchanged."
    (f32 [1.0, 0.0], [2.0, 0.0] => f32 [0.0, 0.0])
    rxlogy, reversed, [XLogYTensor "aclnnXLogYTensor", XLogYScalarSelf "aclnnXLogYScalarSelf"] as xlogy
}
