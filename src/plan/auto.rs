//! The choice of [`Policy::Auto`](super::Policy::Auto): whether the library converts operands just as inserted Casts do.

use std::fmt;

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::product::Product;
use aclnn_numerics::promote::Edition;
use aclnn_numerics::types_by_product::Types;

/// The choice of [`Policy::Auto`](super::Policy::Auto) for an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Choice {
    /// No operand needs a Cast.
    NothingToCast,
    /// The library gets the operands as they are: its own casts give the same bits.
    Delegated,
    /// Casts are inserted.
    Inserted(Reason),
}

/// The reason for which [`Policy::Auto`](super::Policy::Auto) inserts Casts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The product is not known, and so neither is what its operators take.
    UnknownProduct,
    /// The library's operator does not take an operand of this type.
    NotTaken {
        /// The C name of the operator.
        operator: &'static str,
        /// The type of the operand.
        dtype: DType,
    },
    /// The library promotes the operands to this type, which is not that of the chosen edition, or to none.
    OtherType(Option<DType>),
    /// The types are the same, but the library's steps are other ones, or not known. The text says where.
    OtherSteps(&'static str),
}

/// Operands that differ in type, as they would be handed to the library.
pub(super) struct Operands {
    pub(super) product: Option<Product>,
    /// The C name of the operator, and the types that it takes.
    pub(super) operator: &'static str,
    pub(super) types: Types,
    pub(super) own: DType,
    /// The type of the second operand; that of a scalar is the one in which it is sent.
    pub(super) other: DType,
    pub(super) is_scalar: bool,
    pub(super) has_alpha: bool,
    /// The type to which the chosen edition promotes.
    pub(super) promoted: DType,
}

impl Choice {
    /// Chooses for tensors of `dtypes`, which the chosen edition promotes to `promoted` and the library to `library`, and which
    /// the library casts as Cast does. `operator` is the library's, which takes `types`.
    pub(crate) fn of_several(
        product: Option<Product>,
        (operator, types): (&'static str, Types),
        mut dtypes: impl Iterator<Item = DType> + Clone,
        promoted: DType,
        library: Option<DType>,
    ) -> Choice {
        if dtypes.clone().all(|dtype| dtype == promoted) {
            return Choice::NothingToCast;
        }
        let Some(product) = product else { return Choice::Inserted(Reason::UnknownProduct) };
        let accepted = types.on(product);
        match dtypes.find(|dtype| !accepted.contains(*dtype)) {
            Some(dtype) => Choice::Inserted(Reason::NotTaken { operator, dtype }),
            None if library != Some(promoted) => Choice::Inserted(Reason::OtherType(library)),
            None => Choice::Delegated,
        }
    }
}

impl Operands {
    pub(super) fn choose(&self) -> Choice {
        if self.own == self.promoted && self.other == self.promoted {
            return Choice::NothingToCast;
        }
        match self.reason_to_insert() {
            Some(reason) => Choice::Inserted(reason),
            None => Choice::Delegated,
        }
    }

    fn reason_to_insert(&self) -> Option<Reason> {
        let Operands { operator, own, other, .. } = *self;
        let Some(product) = self.product else { return Some(Reason::UnknownProduct) };
        // The type of a scalar is not checked.
        let tensors = [Some(own), (!self.is_scalar).then_some(other)];
        let accepted = self.types.on(product);
        if let Some(dtype) = tensors.into_iter().flatten().find(|dtype| !accepted.contains(*dtype)) {
            return Some(Reason::NotTaken { operator, dtype });
        }
        let library = self.promoted_by_library(product);
        if library != Some(self.promoted) {
            return Some(Reason::OtherType(library));
        }
        self.other_steps(product).map(Reason::OtherSteps)
    }

    /// On the 950 a complex tensor keeps its type beside a scalar, except in a division.
    fn promoted_by_library(&self, product: Product) -> Option<DType> {
        let keeps = self.is_scalar && self.own.is_complex() && self.operator != "Divs";
        if keeps && product == Product::Ascend950 {
            return Some(self.own);
        }
        Edition::Library.promote(self.own, self.other).ok()
    }

    /// Returns where the library is not known to cast both operands to the promoted type and then compute.
    fn other_steps(&self, product: Product) -> Option<&'static str> {
        let Operands { operator, own, other, promoted, .. } = *self;
        let is_950 = product == Product::Ascend950;
        match operator {
            "Divs" if is_950 && promoted == F32 => {
                Some("Divs multiplies f32 by the reciprocal of the scalar, but divides integers")
            }
            _ if is_950 => None,
            "Div" | "Divs" if promoted.is_integer() && (own == I32 || other == I32) => {
                Some("Div has other kernels for two operands of i32 than for one")
            }
            "Sub" | "Subs"
                if self.has_alpha
                    && matches!(promoted, F16 | BF16)
                    && [own, other].iter().any(|dtype| matches!(dtype, I16 | I32 | I64)) =>
            {
                Some("Sub with alpha computes in f32, perhaps without rounding integers first")
            }
            "DivMod" | "DivMods" => Some("DivMod divides some types as f32, as the operands are given"),
            "Rsubs" if other.is_complex() => Some("the type of Rsubs beside a complex scalar is not known"),
            "Muls" if own == BF16 && other.is_complex() => {
                Some("the type of Muls for bf16 beside a complex scalar is not known")
            }
            _ => None,
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::NothingToCast => f.write_str("nothing to cast"),
            Choice::Delegated => f.write_str("delegated, the library casts alike"),
            Choice::Inserted(reason) => write!(f, "inserted, {reason}"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::UnknownProduct => f.write_str("the product is not known"),
            Reason::NotTaken { operator, dtype } => write!(f, "{operator} takes no {dtype}"),
            Reason::OtherType(Some(dtype)) => write!(f, "the library promotes to {dtype}"),
            Reason::OtherType(None) => f.write_str("the library does not promote these types"),
            Reason::OtherSteps(which) => f.write_str(which),
        }
    }
}
