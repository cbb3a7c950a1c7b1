//! Functions of each element that have attributes, or several operands, or both.

use super::result::{Output, Refused};
use crate::dtype::DType;
use crate::product::Product;
use crate::types_by_product::Types;

/// A function of the elements of one to three tensors at one position, with attributes: numbers that are the same for all
/// elements.
#[derive(Clone, Copy, Debug)]
pub struct Parametric {
    /// The types of the tensor operands.
    pub takes: Types,
    /// The conversion of operands to the type of the computation.
    pub operands: Operands,
    /// The rule for the shape of the result.
    pub shapes: Shapes,
    /// The conversion of scalars to the type of the computation.
    pub scalars: Scalars,
    /// The condition that attributes must meet.
    pub requires: Requires,
    /// The types of the output.
    pub output: Output,
    /// The types that the form in place takes, if it has a list of its own.
    pub in_place: Option<Types>,
    /// Whether there may be more axes than eight.
    pub any_rank: bool,
    /// Whether the operator has a phase one of its own. If not, shapes are refused where the work is divided.
    pub own_phase_one: bool,
}

/// The type in which operands are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operands {
    /// The type of the first operand; the others must have the same type.
    Alike,
    /// As `Alike`; before the 950, i16 is computed in i32.
    AlikeWide,
    /// The type of the first operand. The others have one of the list, and take no part if it is another type.
    AlikeListed,
    /// The type that they are promoted to; each has a type of the list.
    Promoting,
    /// The type that they are promoted to, which must be in the list.
    PromotingTo,
    /// The same, and the first operand has a type of the list. Checked only where there are elements.
    Bounded,
    /// The type of the output; on the 950, the one that operand and scalars are promoted to. Checked only where there are
    /// elements.
    Clamped,
    /// That of the first operand if the others have it too and it is not f64, and otherwise f32. The others may be integers
    /// or bool too.
    Widened,
}

/// The shape of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shapes {
    /// The shape of the operands, which all have the same one.
    Equal,
    /// The shape that the operands are broadcast to.
    Broadcasting,
    /// The shape of the first operand. The second has one element, or one for each index of the first one's second
    /// axis.
    Channels,
    /// The one that the operands are broadcast to, or that of the first if the second has one element; only its number of
    /// elements is checked with the other arguments.
    Counted,
}

/// The type in which a scalar is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalars {
    /// f32; a complex number is taken as 0.
    InF32,
    /// f32; a complex number is refused.
    RealInF32,
    /// The type in which operands are computed.
    AsOperands,
    /// As `AsOperands`; only types of the operands' list are accepted.
    ListedAsOperands,
}

/// A condition that attributes must meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requires {
    /// No condition.
    Nothing,
    /// The first is neither zero nor NaN.
    NonZero,
    /// The first is not negative.
    NonNegative,
    /// The first is not greater than the second.
    Ordered,
    /// The first is not negative if the last is true.
    NonNegativeIfLast,
}

impl Parametric {
    /// Returns why attributes with these types and values are refused.
    pub fn refuses_attributes(&self, attributes: &[(DType, f64)]) -> Option<&'static str> {
        let first = attributes.first().map_or(0.0, |first| first.1);
        let last = attributes.last().map_or(0.0, |last| last.1);
        match self.requires {
            Requires::NonZero if first == 0.0 || first.is_nan() => Some("must be neither zero nor NaN"),
            Requires::NonNegative if first < 0.0 => Some("must not be negative"),
            Requires::NonNegativeIfLast if first < 0.0 && last != 0.0 => {
                Some("must not be negative where the results are given")
            }
            Requires::Ordered => {
                // Beside an integer only the whole part counts.
                let is_whole = attributes.first().is_some_and(|(dtype, _)| dtype.is_integer());
                let [first, last] = [first, last].map(|value| if is_whole { value.trunc() } else { value });
                (first > last).then_some("must not be greater than the upper bound")
            }
            _ => None,
        }
    }

    /// Returns why the library refuses an output of type `out` for a first operand of type `own` and a result of type
    /// `result`; `None` if it accepts it.
    pub fn refuses_output(&self, product: Product, own: DType, result: DType, out: DType) -> Option<Refused> {
        self.output.refuses(product, own, result, out)
    }
}
