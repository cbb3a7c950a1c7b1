//! The types that the output of an operator may have.

use crate::dtype::DType;
use crate::product::Product;
use crate::promote::output;
use crate::types_by_product::{TypeSet, Types};

/// The types that an output may have.
#[derive(Clone, Copy, Debug)]
pub enum Output {
    /// The type of the operand.
    Own,
    /// The type of the result.
    Exact,
    /// The types that the library converts the result to by itself.
    Castable,
    /// The types of the list that the library converts the result to by itself.
    CastableTo(Types),
    /// The types of the list that the library converts the operand's type to by itself.
    CastableFromOwn(Types),
    /// The types of the list, for any result.
    Any(Types),
    /// The types that the library converts the result to by itself; on the 950, all types that Cast converts it to.
    CastableBefore950,
    /// The types of the list; others than that of the result are refused only where the result is written.
    Written(Types),
    /// The types of the list, which are all that Cast makes of the result; others are refused only where the result is
    /// written.
    Cast(Types),
}

impl Output {
    /// Returns why an output of type `out` is refused for an operand and a result of two types, as the types that would
    /// be accepted; `None` if it is accepted.
    pub fn refuses(self, product: Product, own: DType, result: DType, out: DType) -> Option<Refused> {
        match self {
            Output::Own => (out != own).then_some(Refused::Only(own)),
            Output::Exact => (out != result).then_some(Refused::Only(result)),
            Output::Castable => not_cast(result, out),
            Output::CastableTo(types) => listed(types, product, out).or_else(|| not_cast(result, out)),
            Output::CastableFromOwn(types) => listed(types, product, out).or_else(|| not_cast(own, out)),
            Output::Any(types) => listed(types, product, out),
            Output::CastableBefore950 if product == Product::Ascend950 => None,
            Output::CastableBefore950 => not_cast(result, out),
            Output::Written(types) => {
                listed(types, product, out).or_else(|| (out != result).then_some(Refused::Unwritten(result)))
            }
            Output::Cast(types) => listed(types, product, out).map(|_| Refused::Unwritten(result)),
        }
    }
}

fn not_cast(from: DType, out: DType) -> Option<Refused> {
    output::refused(from, out).map(|_| Refused::NotCast(from))
}

fn listed(types: Types, product: Product, out: DType) -> Option<Refused> {
    let accepted = types.on(product);
    (!accepted.contains(out)).then_some(Refused::NotListed(accepted))
}

/// The reason why an output of a type is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The output can only have this type.
    Only(DType),
    /// The library does not convert this type to that of the output by itself.
    NotCast(DType),
    /// The output's type is not among these.
    NotListed(TypeSet),
    /// The result has this type, and nothing converts it where it is written.
    Unwritten(DType),
}
