//! Addition, subtraction, multiplication and division.

use super::binary::{Binary, BinaryInPlace, InPlace, Operation, Operator, Order};
use crate::call::launch;
use crate::declared;
use crate::error::Result;
use crate::operand::IntoOperand;
use crate::plan::binary::{Forms, InPlaceForms, Rules};
use crate::tensor::Tensor;

/// Declares an operator: its function in this module, its methods, and the rules for the planner.
macro_rules! operator {
    (
        $doc:literal
        $name:ident, $kind:ident, [$tensor:ident $tensor_alias:literal $(, $scalar:ident $scalar_alias:literal)?
            $(; $in_place:ident, $tensor_in_place:ident $tensor_in_place_alias:literal,
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
                            scalar: stringify!($scalar_in_place),
                        }),)? None),
                    },
                    signature: declared::$declared,
                },
                tensor: launcher!($kind $tensor),
                order: order!($kind),
                scalar: first!($(Some(launcher!($kind $scalar)),)? None),
                in_place: first!($(Some(InPlace {
                    tensor: in_place_launcher!($kind $tensor_in_place),
                    scalar: in_place_launcher!($kind $scalar_in_place),
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
            #[doc = concat!("[`ops::", stringify!($name), "`](crate::ops::", stringify!($name), ") takes more options.")]
            ///
            /// # Errors
            /// Those of [`Binary::run`](crate::ops::Binary::run).
            #[doc(alias = $tensor_alias)]
            $(#[doc(alias = $scalar_alias)])?
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

/// Expands to its first argument.
macro_rules! first {
    ($value:expr, $none:expr) => {
        $value
    };
    ($none:expr) => {
        $none
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
}

macro_rules! in_place_launcher {
    (alpha $name:ident) => {
        |on, own, other, alpha| launch::$name(on, own, other, alpha)
    };
    (plain $name:ident) => {
        |on, own, other, _| launch::$name(on, own, other)
    };
}

operator! {
    "`self + alpha · other`, element by element; `alpha` is 1 unless given. For bool it is the inclusive or."
    add, alpha, [Add "aclnnAdd", Adds "aclnnAdds"; add_in_place, InplaceAdd "aclnnInplaceAdd", InplaceAdds "aclnnInplaceAdds"] as add
}

operator! {
    "`self − alpha · other`, element by element; `alpha` is 1 unless given. For bool it is the exclusive or."
    sub, alpha, [Sub "aclnnSub", Subs "aclnnSubs"; sub_in_place, InplaceSub "aclnnInplaceSub", InplaceSubs "aclnnInplaceSubs"] as sub
}

operator! {
    "`other − alpha · self`, element by element; `alpha` is 1 unless given."
    rsub, alpha, [Rsub "aclnnRsub", Rsubs "aclnnRsubs"] as rsub
}

operator! {
    "`self · other`, element by element. For bool it is the conjunction."
    mul, plain, [Mul "aclnnMul", Muls "aclnnMuls"; mul_in_place, InplaceMul "aclnnInplaceMul", InplaceMuls "aclnnInplaceMuls"] as mul
}

operator! {
    "`self / other`, element by element: true division. Integers and bool are divided as f32, which the result is then."
    div, plain, [Div "aclnnDiv", Divs "aclnnDivs"; div_in_place, InplaceDiv "aclnnInplaceDiv", InplaceDivs "aclnnInplaceDivs"] as div
}

operator! {
    "`other / self`, element by element: true division, as [`div()`] with both sides exchanged. A scalar becomes a tensor of one element first, an f32 where the result is f16 or bf16."
    rdiv, reversed, [Div "aclnnDiv"] as div
}
