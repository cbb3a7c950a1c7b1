//! The cases of every declared operator, made of its declaration.
//!
//! A generator serves the families whose calls look alike. It lists the cases of an operator, and makes the arguments of
//! one of them; only what differs by operator, such as attributes and the shape of the result, is written by hand.

mod activation;
mod along;
mod attention;
mod attention_steps;
mod caches;
mod call;
mod elementwise;
mod experts;
mod foreach;
mod fused;
mod images;
mod index;
mod linalg;
mod loss;
mod made;
mod matrix;
mod movement;
mod normalization;
mod optimizer;
mod quantisation;
mod random;
mod recurrent;
mod sorting;
mod sparse;
mod wide;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;

use super::case::{Argument, Id};
use super::draw::Draw;
use crate::declared::{self, Operator, Signature};
use call::Call;

/// Returns the cases of an operator on a product, always in the same order. One of several ranks has none: a case is one call on
/// one device, and a rank needs calls with other operands on other devices beside it.
pub(crate) fn of(operator: &Operator, product: Product) -> Vec<Id> {
    let by_family = || match operator.signature {
        Signature::Promote(_) | Signature::Unary(_) | Signature::Parametric(_) => {
            elementwise::cells(operator, product)
        }
        Signature::AlongAxes(_) => along::cells(operator, product),
        Signature::Foreach(_) => foreach::cells(operator, product),
        Signature::Indexed(_) => index::cells(operator, product),
        Signature::Linalg(_) => linalg::cells(operator, product),
        Signature::Matrix(_) => matrix::cells(operator, product),
        Signature::Movement(_) => movement::cells(operator, product),
        Signature::Order(_) => sorting::cells(operator, product),
        Signature::Random(_) => random::cells(operator, product),
        Signature::Wide(_) => wide::cells(operator, product),
        Signature::Convert(_) | Signature::Fill(_) | Signature::Sequence(_) => made::cells(operator, product),
    };
    let cells = written::cells(operator, product).unwrap_or_else(by_family);
    let id = |types: &[DType], class, variant: String| Id {
        info: operator.info,
        types: types.to_vec(),
        class,
        variant,
    };
    cells
        .iter()
        .flat_map(|cell| cell.cases.iter().map(|(class, variant)| id(&cell.types, *class, variant.clone())))
        .collect()
}

/// Makes the arguments of a case.
pub(crate) fn arguments(operator: &Operator, id: &Id, product: Product, seed: u64) -> Vec<Argument> {
    let mut call = Call {
        operator,
        types: &id.types,
        class: id.class,
        variant: &id.variant,
        product,
        draw: Draw::new(seed, &id.to_string()),
        arguments: Vec::new(),
    };
    if written::make(&mut call) {
        return call.arguments;
    }
    match operator.signature {
        Signature::Promote(_) | Signature::Unary(_) | Signature::Parametric(_) => {
            elementwise::make(&mut call)
        }
        Signature::AlongAxes(_) => along::make(&mut call),
        Signature::Foreach(_) => foreach::make(&mut call),
        Signature::Indexed(_) => index::make(&mut call),
        Signature::Linalg(_) => linalg::make(&mut call),
        Signature::Matrix(_) => matrix::make(&mut call),
        Signature::Movement(_) => movement::make(&mut call),
        Signature::Order(_) => sorting::make(&mut call),
        Signature::Random(_) => random::make(&mut call),
        Signature::Wide(_) => wide::make(&mut call),
        Signature::Convert(_) | Signature::Fill(_) | Signature::Sequence(_) => made::make(&mut call),
    }
    call.arguments
}

/// Of which parameters of each operator the types of its cases are, in their order.
pub(crate) fn parameters(cases: &[(usize, Id)], product: Product) -> BTreeMap<&'static str, Vec<String>> {
    let mut all = BTreeMap::new();
    for (_, id) in cases {
        let types: BTreeSet<DType> = id.types.iter().copied().collect();
        let is_known = |names: &Vec<String>| names.len() >= id.types.len();
        // Types that differ tell which is which.
        if types.len() < id.types.len() || all.get(id.info.name()).is_some_and(is_known) {
            continue;
        }
        let Some(operator) = declared::of(id.info) else { continue };
        let arguments = arguments(&operator, id, product, 0);
        let named = |dtype: &DType| {
            let is_of = |argument: &Argument| match argument {
                Argument::Tensor(tensor) => tensor.dtype == *dtype,
                Argument::Tensors(list) => list.first().is_some_and(|tensor| tensor.dtype == *dtype),
                Argument::Scalar(own, _) => own == dtype,
                _ => false,
            };
            let place = arguments.iter().position(is_of)?;
            Some(id.info.parameters.get(place)?.name.to_owned())
        };
        if let Some(names) = id.types.iter().map(named).collect() {
            all.insert(id.info.name(), names);
        }
    }
    all
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::verify::call::Caller;
    use crate::verify::case::Class;

    /// The operators that one rank computes alone.
    fn alone() -> impl Iterator<Item = Operator> {
        declared::all().filter(|operator| operator.info.family() != "joint")
    }

    #[test]
    fn every_declared_operator_has_cases_of_every_type_that_it_takes() {
        for product in Product::ALL {
            for operator in alone() {
                let cases = of(&operator, product);
                let name = operator.info.name();
                assert!(!cases.is_empty(), "{name} has no cases on {product:?}");
                let tried: BTreeSet<&str> =
                    cases.iter().flat_map(|id| &id.types).map(|dtype| dtype.short_name()).collect();
                let takes = operator.signature.takes(product);
                let missed: Vec<DType> = takes
                    .iter()
                    .filter(|dtype| dtype.bits() % 8 == 0 && !tried.contains(dtype.short_name()))
                    .collect();
                assert!(
                    missed.is_empty() || name == "Eye",
                    "{name} on {product:?} has no case of {missed:?}"
                );
            }
        }
        assert_eq!(declared::all().count(), aclnn_sys::operators::all().count());
    }

    #[test]
    fn arguments_are_as_many_as_parameters_and_names_are_unique() {
        let product = Product::Ascend910B;
        let mut names = BTreeSet::new();
        for operator in alone() {
            for id in of(&operator, product) {
                assert!(names.insert(id.to_string()), "{id} is there twice");
                if id.types.iter().all(|dtype| *dtype == id.types[0]) {
                    let arguments = arguments(&operator, &id, product, 0);
                    assert_eq!(arguments.len(), operator.info.parameters.len(), "{id}");
                }
            }
        }
    }

    /// The names are those of CANN's parameters: a map of types says of which it is.
    #[test]
    fn the_types_of_a_case_are_those_of_named_parameters() {
        let product = Product::Ascend910B;
        let all = alone().flat_map(|operator| of(&operator, product));
        let parameters = parameters(&all.enumerate().collect::<Vec<_>>(), product);
        for (name, expected) in [
            ("Add", &["self", "other"][..]),
            ("Adds", &["self", "other"]),
            ("Neg", &["self", "out"]),
            ("Cast", &["self", "out"]),
            ("InplaceCopy", &["self", "src"]),
            ("InplaceZero", &["self"]),
            ("Gather", &["self", "index"]),
            ("Softmax", &["self", "out"]),
        ] {
            assert_eq!(parameters[name], expected, "{name}");
        }
    }

    /// The families of which a new operator is called as its declaration tells: each parameter by its kind and name.
    const BY_DECLARATION: [&str; 12] = [
        "arithmetic",
        "binary",
        "comparison",
        "foreach",
        "loss",
        "optimizer",
        "pairwise",
        "parametric",
        "reduction",
        "scan",
        "n_ary",
        "unary",
    ];

    /// An operator like each one that is declared, under a name that nothing knows.
    #[test]
    fn a_new_operator_is_not_verified_with_the_arguments_of_another() {
        let product = Product::Ascend910B;
        let mut served = BTreeSet::new();
        for operator in alone() {
            let id = of(&operator, product).swap_remove(0);
            let stranger = Operator { info: Box::leak(Box::new(operator.info.unheard())), ..operator };
            let id = Id { info: stranger.info, ..id };
            if !arguments(&stranger, &id, product, 0).is_empty() {
                served.insert(operator.info.family());
            }
        }
        let others: Vec<_> = served.iter().filter(|family| !BY_DECLARATION.contains(family)).collect();
        assert!(others.is_empty(), "a new operator of {others:?} gets the arguments of another");
    }

    /// Operators that the product refuses in a class, or in all, although it has types for them. One whose declaration has no type
    /// on the product needs no line.
    const REFUSED: &[(&str, &str)] = &[
        ("BatchMatMulWeightNz", ""),
        ("NpuFormatCast", ""),
        ("Bucketize", ""),
        ("Bincount", "0-d"),
        ("RepeatInterleaveWithDim", "0-d"),
        ("RepeatInterleaveIntWithDim", "0-d"),
        ("MlaProlog", ""),
        ("MlaPrologV2", ""),
        ("MlaPrologV2WeightNz", ""),
        ("MlaPrologV3", ""),
        ("MlaPrologV3WeightNz", ""),
        ("DynamicQuantV3", ""),
        ("DynamicQuantV4", ""),
        ("NormalFloatTensor", "empty"),
        ("Prelu", "0-d"),
        ("AminmaxDim", "0-d"),
        ("Cummax", "0-d"),
        ("InplaceFillDiagonal", "rank-8"),
    ];

    /// Cases that are refused compare codes alone, so a generator that makes nothing else would verify nothing.
    #[test]
    fn every_operator_computes_a_case_of_every_class() {
        let product = Product::Ascend910B;
        let caller = Caller::new(0).unwrap();
        let mut refused = BTreeSet::new();
        for operator in alone() {
            let name = operator.info.name();
            let is_of_others = operator.signature.takes(product).is_empty();
            let has_others = Product::ALL.iter().any(|other| !operator.signature.takes(*other).is_empty());
            assert!(has_others, "{name} takes no type on any product");
            let cases = of(&operator, product);
            for class in Class::ALL {
                let of_class: Vec<_> = cases.iter().filter(|id| id.class == class).collect();
                let computes = |id: &&Id| {
                    let arguments = arguments(&operator, id, product, 0);
                    caller.call(name, &arguments, 0).unwrap().succeeded()
                };
                let is_computed = of_class.iter().any(computes);
                assert!(
                    !(is_of_others && is_computed),
                    "{name} takes no type, but computes {}",
                    class.name()
                );
                if !(is_of_others || is_computed || of_class.is_empty()) {
                    refused.insert((name, class.name()));
                }
            }
        }
        let is = |(known, of): &(&str, &str), (name, class): &(&str, &str)| {
            known == name && (of.is_empty() || of == class)
        };
        let unknown: Vec<_> =
            refused.iter().filter(|pair| !REFUSED.iter().any(|known| is(known, pair))).collect();
        let computed: Vec<_> =
            REFUSED.iter().filter(|known| !refused.iter().any(|pair| is(known, pair))).collect();
        assert!(unknown.is_empty() && computed.is_empty(), "refused: {unknown:?}; computed: {computed:?}");
    }
}
