//! The declared operators with their signatures: which element types each takes on each product.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use aclnn_numerics::product::Product;
use aclnn_numerics::signature;
use aclnn_numerics::types_by_product::{TypeSet, Types};
use aclnn_sys::operators::OperatorInfo;

/// The signature of a function, by the rule of its family.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Signature {
    Promote(signature::Promote),
    Convert(signature::Convert),
    Fill(signature::Fill),
    Linalg(signature::Linalg),
    Foreach(signature::Foreach),
    Matrix(signature::Matrix),
    Movement(signature::Movement),
    Sequence(signature::Sequence),
    Indexed(signature::Indexed),
    Unary(signature::Unary),
    AlongAxes(signature::AlongAxes),
    Parametric(signature::Parametric),
    Order(signature::Order),
    Random(signature::Random),
    Wide(signature::Wide),
}

impl Signature {
    /// The types of the operands.
    pub(crate) fn takes(&self, product: Product) -> TypeSet {
        let types: Types = match self {
            Signature::Promote(rule) => rule.takes,
            Signature::Convert(rule) => rule.takes,
            Signature::Fill(rule) => rule.takes,
            Signature::Linalg(rule) => rule.takes,
            Signature::Foreach(rule) => rule.takes,
            Signature::Matrix(rule) => rule.takes,
            Signature::Movement(rule) => rule.takes,
            Signature::Sequence(rule) => rule.takes,
            Signature::Indexed(rule) => rule.takes,
            Signature::Unary(rule) => rule.takes,
            Signature::AlongAxes(rule) => rule.takes,
            Signature::Parametric(rule) => rule.takes,
            Signature::Order(rule) => rule.takes,
            Signature::Random(rule) => rule.takes,
            Signature::Wide(rule) => rule.takes,
        };
        types.on(product)
    }
}

/// An operator with the signature of its function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operator {
    pub(crate) info: &'static OperatorInfo,
    pub(crate) signature: Signature,
}

/// Returns every declared operator, by family.
pub(crate) fn all() -> impl Iterator<Item = Operator> {
    aclnn_sys::operators::all().filter_map(of)
}

/// Returns an operator with its signature.
pub(crate) fn of(info: &'static OperatorInfo) -> Option<Operator> {
    SIGNATURES
        .get(&(info.family(), info.function()))
        .map(|signature| Operator { info, signature: *signature })
}

type BySignature = BTreeMap<(&'static str, &'static str), Signature>;

static SIGNATURES: LazyLock<BySignature> = LazyLock::new(|| {
    let mut signatures = BySignature::new();
    for insert in FAMILIES {
        insert(&mut signatures);
    }
    signatures
});

macro_rules! signatures {
    (
        $family:ident, $Rule:ident:
        $(
            $(#[$doc:meta])*
            $function:ident $signature:tt { $($form:tt)* }
        )*
    ) => {
        #[allow(clippy::needless_update)]
        fn $family(signatures: &mut BySignature) {
            $(signatures.insert(
                (stringify!($family), stringify!($function)),
                Signature::$Rule(aclnn_numerics::signatures!(@ $Rule $signature)),
            );)*
        }
    };
}

/// Expands to the signatures of some families.
macro_rules! families {
    ($($(#[$doc:meta])* $family:ident by $operators:ident;)*) => {
        $(aclnn_sys::$operators!(signatures);)*
        const FAMILIES: &[fn(&mut BySignature)] = &[$($family),*];
    };
}

aclnn_sys::operator_families!(families);
