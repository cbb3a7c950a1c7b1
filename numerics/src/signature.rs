//! Types of operands and results of a call, as the declarations of the operators state them.
//!
//! A declaration names one of these structures as the rule of its family, and its fields for each function. Phase one of
//! the emulator checks with it, and the safe layer plans with it.

mod axes;
mod foreach;
mod index;
mod linalg;
mod matrix;
mod movement;
mod order;
mod parametric;
mod random;
mod result;
mod wide;

pub use axes::AlongAxes;
pub use foreach::Foreach;
pub use index::Indexed;
pub use linalg::Linalg;
pub use matrix::Matrix;
pub use movement::Movement;
pub use order::Order;
pub use parametric::{Operands, Parametric, Requires, Scalars, Shapes};
pub use random::Random;
pub use result::{Output, Refused};
pub use wide::Wide;

use crate::dtype::DType::{self, Bool, C32, C64, C128, F16, F32, F64};
use crate::product::Product;
use crate::types_by_product::Types;

/// An operator of two operands that are promoted to one type, in which it computes.
#[derive(Clone, Copy, Debug)]
pub struct Promote {
    /// The types of tensor operands.
    pub takes: Types,
    /// The types that operands may be promoted to, if those are not the same.
    pub promoted: Option<Types>,
    /// The types that the tensor beside a scalar may have, if those are not the same.
    pub beside_scalar: Option<Types>,
    /// The types of the output, if there is a list of them, beside being one that the result is converted to.
    pub output: Option<Types>,
    /// Whether the result is cast to the type of the output, for any type.
    pub casts: bool,
    /// Whether only the types of the operands are checked if one of them has no elements.
    pub empty_first: bool,
    /// The weight of the type of a scalar beside that of a tensor.
    pub scalars: Beside,
    /// The type in which the operands are computed.
    pub computes: Computes,
    /// The type of the result.
    pub gives: Gives,
}

/// The type in which two operands are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Computes {
    /// The type that they are promoted to.
    Promoted,
    /// The promoted type; a quotient of integers or bool is f32.
    Quotient,
    /// The promoted type if it is a float, and otherwise f32.
    Float,
    /// The promoted type; bool is f32.
    Number,
    /// The promoted type; on the 950 the type of the output, unless both operands have one type whose numbers the
    /// output holds.
    Extreme,
    /// The type of the output. The result of a new tensor is the promoted type if the output may have it, and otherwise
    /// f32.
    InOutput,
    /// bool, for operands of any type.
    Truth,
}

/// The promotion of a tensor and a scalar by the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beside {
    /// As two tensors.
    AsTensors,
    /// A float tensor keeps its type beside a real scalar, and every tensor beside an integer; on the 950 also beside a
    /// tensor without axes.
    Compared,
    /// The tensor's type, unless the scalar is of a higher class.
    Lighter,
    /// As two tensors; on the 950 as `Lighter`, and halves are computed in f32.
    Divisor,
    /// As `Lighter`, for an exponent.
    Exponent,
}

impl Promote {
    /// Returns the type of the result for operands that are promoted to a type.
    pub fn result(&self, promoted: DType) -> DType {
        let computed = match self.computes {
            Computes::Quotient | Computes::Float if promoted.is_integer() || promoted == Bool => F32,
            Computes::Number if promoted == Bool => F32,
            Computes::InOutput if !matches!(promoted, F16 | DType::BF16) => F32,
            Computes::Truth => Bool,
            _ => promoted,
        };
        self.gives.made_of(computed)
    }

    /// Returns the types that operands may be promoted to.
    pub fn promotes_to(&self) -> Types {
        self.promoted.unwrap_or(self.takes)
    }

    /// Returns whether integers are divided as f32.
    pub fn divides(&self) -> bool {
        self.computes == Computes::Quotient
    }
}

/// A conversion of one tensor to the type of another.
#[derive(Clone, Copy, Debug)]
pub struct Convert {
    /// The types of both.
    pub takes: Types,
}

/// One value for every element.
#[derive(Clone, Copy, Debug)]
pub struct Fill {
    /// The types of the tensor.
    pub takes: Types,
}

/// Numbers from scalars.
#[derive(Clone, Copy, Debug)]
pub struct Sequence {
    /// The types of the output.
    pub takes: Types,
    /// The types of the scalars.
    pub scalars: Types,
}

/// A function of each element of one tensor.
#[derive(Clone, Copy, Debug)]
pub struct Unary {
    /// The types of the operand.
    pub takes: Types,
    /// The type in which integers and bool are computed.
    pub integers: Integers,
    /// The type of the result.
    pub gives: Gives,
    /// The types of the output.
    pub output: Output,
    /// The types that the form in place takes, if it has a list of its own.
    pub in_place: Option<Types>,
    /// Whether there may be more axes than eight.
    pub any_rank: bool,
    /// Whether a null tensor is an error inside the library, and not one of the parameters.
    pub null_is_internal: bool,
}

/// The type in which a function computes integers and bool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Integers {
    /// The type of the operand.
    AsTheyAre,
    /// f32.
    F32,
    /// f32; i64 in f64.
    Wide,
    /// f32, and the result is truncated to the type of the operand.
    Truncated,
    /// f64, and the result is rounded to f32.
    F64,
    /// The type of the output.
    OfOutput,
}

/// The type of a function's result for an operand that is computed in a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    /// The type of the computation.
    Same,
    /// The type of the parts of a complex number; otherwise the type of the computation.
    Real,
    /// bool.
    Bool,
}

impl Gives {
    /// Returns the type of the result for an operand in a type.
    pub fn made_of(self, operand: DType) -> DType {
        match (self, operand) {
            (Gives::Same, same) => same,
            (Gives::Bool, _) => Bool,
            (Gives::Real, C32) => F16,
            (Gives::Real, C64) => F32,
            (Gives::Real, C128) => F64,
            (Gives::Real, other) => other,
        }
    }
}

/// The types of one call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Computed {
    /// The type that the operand is converted to, before halves are widened to f32.
    pub operand: DType,
    /// The type of the result, before it is converted to that of the output.
    pub result: DType,
}

impl Unary {
    /// Returns the types in which an operand of type `own` is computed when the output has type `out`.
    pub fn computed(&self, own: DType, out: DType) -> Computed {
        let is_number = !(own.is_integer() || own == Bool);
        let (operand, result) = match self.integers {
            _ if is_number => (own, own),
            Integers::AsTheyAre => (own, own),
            Integers::F32 => (F32, F32),
            Integers::Truncated => (F32, own),
            Integers::Wide if own == DType::I64 => (F64, F64),
            Integers::Wide => (F32, F32),
            Integers::F64 => (F64, F32),
            Integers::OfOutput => (out, out),
        };
        Computed { operand, result: self.gives.made_of(result) }
    }

    /// Returns the type of the result of a new tensor: f32 for an integer that is computed in a float.
    pub fn result(&self, own: DType) -> DType {
        let is_number = !(own.is_integer() || own == Bool);
        let keeps = matches!(self.integers, Integers::AsTheyAre | Integers::Truncated);
        let computed = if is_number || keeps { own } else { F32 };
        self.gives.made_of(computed)
    }

    /// Returns why the library refuses an output of type `out` for an operand of type `own`, as the types that it would
    /// accept; `None` if it accepts it.
    pub fn refuses_output(&self, product: Product, own: DType, out: DType) -> Option<Refused> {
        self.output.refuses(product, own, self.result(own), out)
    }
}

/// The names that the fields of a declaration are written with.
#[doc(hidden)]
pub mod fields {
    pub use super::{Beside::*, Computes::*, Gives::*, Integers::*, Output::*};
    pub use super::{Operands::*, Requires::*, Scalars::*, Shapes::*};
    use crate::types_by_product::Types;

    /// The fields that most declarations leave as they are.
    pub const PROMOTE: super::Promote = super::Promote {
        takes: Types::of(""),
        promoted: None,
        beside_scalar: None,
        output: None,
        casts: false,
        empty_first: false,
        scalars: AsTensors,
        computes: Promoted,
        gives: Same,
    };

    /// The fields that most declarations leave as they are.
    pub const UNARY: super::Unary = super::Unary {
        takes: Types::of(""),
        integers: F32,
        gives: Same,
        output: Castable,
        in_place: None,
        any_rank: false,
        null_is_internal: false,
    };

    /// The fields that most declarations leave as they are.
    pub const INDEXED: super::Indexed =
        super::Indexed { takes: Types::of(""), indices: Types::of("i32 i64"), output: None };

    /// The fields that most declarations leave as they are.
    pub const PARAMETRIC: super::Parametric = super::Parametric {
        takes: Types::of(""),
        operands: Alike,
        shapes: Equal,
        scalars: InF32,
        requires: Nothing,
        output: Own,
        in_place: None,
        any_rank: false,
        own_phase_one: true,
    };

    /// The fields that most declarations leave as they are.
    pub const RANDOM: super::Random =
        super::Random { takes: Types::of(""), parameters: Types::of(""), output: Own };

    /// The fields that most declarations leave as they are.
    pub const ORDER: super::Order = super::Order { takes: Types::of(""), values: None };

    pub const fn types(list: &str) -> Types {
        Types::of(list)
    }
}

/// Expands the declarations of a family, as the macros of `aclnn_sys` hand them over, into a constant of its rule for each
/// function, under the function's name.
#[macro_export]
macro_rules! signatures {
    (
        $family:ident, $Rule:ident:
        $(
            $(#[$doc:meta])*
            $function:ident $signature:tt { $($form:tt)* }
        )*
    ) => {$(
        #[allow(non_upper_case_globals, clippy::needless_update)]
        pub(crate) const $function: $crate::signature::$Rule = $crate::signatures!(@ $Rule $signature);
    )*};
    // Other names and the example are for the documentation of the safe layer.
    (@ $Rule:ident (also: $($also:literal),+; $($rest:tt)*)) => {
        $crate::signatures!(@ $Rule ($($rest)*))
    };
    (@ $Rule:ident (example: $given:tt $(as $from:ident)? => $type:ident $result:tt; $($field:tt)*)) => {
        $crate::signatures!(@ $Rule ($($field)*))
    };
    (@ $Rule:ident (example: $from:ident $a:tt, $b:tt => $type:ident $result:tt; $($field:tt)*)) => {
        $crate::signatures!(@ $Rule ($($field)*))
    };
    (@ Parametric (example: $given:tt $(, $other:ident $values:tt)? $(with $($attribute:ident $kind:ident = $value:literal),+)? => $type:ident $result:tt; $($field:tt)*)) => {
        $crate::signatures!(@ Parametric ($($field)*))
    };
    (@ $Rule:ident ($($field:tt)*)) => {{
        #[allow(unused_imports)]
        use $crate::signature::fields::*;
        $crate::signature::$Rule { $($field)* }
    }};
}
