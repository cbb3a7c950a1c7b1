//! Selection of the cases to run.

use std::hash::{Hash, Hasher};

use aclnn_numerics::product::Product;
use aclnn_sys::operators::{self, OperatorInfo};

use super::case::{Class, Id};
use super::cases;
use crate::declared::{self, Operator};
use crate::report::OF_CHECKS;

/// What was asked for: both children and the parent make the same list of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Selection {
    /// Every case.
    pub(super) full: bool,
    /// Few cases of each operator; so it is without a filter, unless every case is asked for.
    pub(super) quick: bool,
    /// What of all cases is run, where there are any.
    pub(super) filters: Vec<String>,
}

impl Selection {
    /// Returns the selection of no case: none has an empty name.
    pub(super) fn none() -> Self {
        Selection { filters: vec![String::new()], ..Selection::default() }
    }
}

/// Returns the cases that are selected, each with its number among those of all operators that the filters may take.
pub(super) fn cases(selection: &Selection, product: Product) -> Vec<(usize, Id)> {
    let filters: Vec<Filter<'_>> = selection.filters.iter().map(|text| Filter::new(text)).collect();
    // There are many cases, and most filters name an operator: those of the others are not made.
    let may_be_chosen = |operator: &Operator| {
        filters.is_empty() || filters.iter().any(|filter| filter.may_take(operator.info))
    };
    let operators = declared::all().filter(may_be_chosen);
    let all: Vec<Id> = operators.flat_map(|operator| cases::of(&operator, product)).collect();
    let filters: Vec<Filter<'_>> = filters.into_iter().map(|filter| filter.among(&all)).collect();
    let mut quick = Quick::default();
    let is_quick = selection.quick || selection.filters.is_empty() && !selection.full;
    let chosen = |id: &Id| {
        (filters.is_empty() || filters.iter().any(|filter| filter.takes(id)))
            && (!is_quick || quick.takes(id))
    };
    let chosen: Vec<bool> = all.iter().map(chosen).collect();
    all.into_iter().enumerate().zip(chosen).filter(|(_, chosen)| *chosen).map(|(case, _)| case).collect()
}

/// A filter of cases. Where it is the whole name of any, it stands for that one, and otherwise for those of an operator, a
/// function, a family or a class, or for those with a part of their name.
struct Filter<'a> {
    text: &'a str,
    is_whole_name: bool,
    /// The operator with which it begins; it takes cases of no other one.
    operator: Option<&'static str>,
}

impl<'a> Filter<'a> {
    fn new(text: &'a str) -> Self {
        let first = text.split('/').next().unwrap_or_default();
        let operator = operators::named(first).map(OperatorInfo::name);
        Filter { text, is_whole_name: false, operator }
    }

    /// Returns whether it can take a case of an operator, for all that is known without its cases.
    fn may_take(&self, info: &OperatorInfo) -> bool {
        match self.operator {
            Some(operator) => operator == info.name(),
            None if self.text.starts_with(OF_CHECKS) => false,
            None => {
                self.is_part() || self.names(info) || Class::ALL.iter().any(|one| one.name() == self.text)
            }
        }
    }

    /// The filter among cases, of which it may be the whole name of one.
    fn among(self, all: &[Id]) -> Self {
        let mut own = all.iter().filter(|id| Some(id.info.name()) == self.operator);
        let is_whole_name = own.any(|id| id.to_string() == self.text);
        Filter { is_whole_name, ..self }
    }

    fn takes(&self, id: &Id) -> bool {
        if self.operator.is_some_and(|operator| operator != id.info.name()) {
            return false;
        }
        if self.is_whole_name {
            return id.to_string() == self.text;
        }
        self.names(id.info)
            || id.class.name() == self.text
            || self.is_part() && part_of(&id.to_string(), self.text)
    }

    /// Returns whether it is the name of an operator, its function or its family.
    fn names(&self, info: &OperatorInfo) -> bool {
        [info.family(), info.function(), info.name()].contains(&self.text)
    }

    /// Returns whether it can be a part of the name of a case.
    fn is_part(&self) -> bool {
        self.text.contains(['/', ','])
    }
}

/// Returns whether some whole segments of a name are those of a filter: `Add/f16,f32` and `f16,f32/strided` of
/// `Add/f16,f32/strided`, but not `Add/f16`.
fn part_of(name: &str, filter: &str) -> bool {
    format!("/{name}/").contains(&format!("/{}/", filter.trim_matches('/')))
}

/// A selection that runs in a short time: of each operator every class once, with types that it takes, and every type
/// and pair of equal types once.
#[derive(Default)]
struct Quick {
    operator: &'static str,
    classes: Vec<Class>,
    types: Vec<aclnn_numerics::DType>,
    variants: Vec<String>,
}

impl Quick {
    fn takes(&mut self, id: &Id) -> bool {
        if self.operator != id.info.name() {
            *self = Quick { operator: id.info.name(), ..Quick::default() };
        }
        let is_new_class = !self.classes.contains(&id.class);
        let is_new_type = id.types.iter().any(|dtype| !self.types.contains(dtype));
        let is_new_variant = !self.variants.contains(&id.variant);
        if is_new_class {
            self.classes.push(id.class);
        }
        for dtype in &id.types {
            if !self.types.contains(dtype) {
                self.types.push(*dtype);
            }
        }
        if is_new_variant {
            self.variants.push(id.variant.clone());
        }
        let is_plain = matches!(id.class, Class::Contiguous | Class::InPlace) && id.variant.is_empty();
        let is_one_type = id.types.iter().all(|dtype| Some(dtype) == id.types.first());
        is_new_class || is_new_type || is_new_variant || is_plain && is_one_type
    }
}

/// A number that differs when a list of cases does.
pub(super) fn fingerprint(cases: &[(usize, Id)], seed: u64) -> u64 {
    // SipHash with fixed keys: the same in every process of this program.
    let mut hasher = std::hash::DefaultHasher::new();
    seed.hash(&mut hasher);
    for (number, id) in cases {
        number.hash(&mut hasher);
        id.to_string().hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// What stands for a case in the selections that are compared.
    type Of = fn(&Id) -> Vec<String>;

    #[test]
    fn few_cases_have_each_operator_with_its_classes_types_and_variants() {
        let few = cases(&Selection::default(), Product::Ascend910B);
        let all = cases(&Selection { full: true, ..Selection::default() }, Product::Ascend910B);
        let of_each: [Of; 4] = [
            |id| vec![format!("{} {}", id.info.name(), id.class.name())],
            |id| vec![format!("{} {}", id.info.name(), id.variant)],
            |id| id.types.iter().map(|dtype| format!("{} {dtype}", id.info.name())).collect(),
            |id| vec![id.class.name().to_owned()],
        ];
        for of in of_each {
            let covers = |cases: &[(usize, Id)]| -> BTreeSet<String> {
                cases.iter().flat_map(|(_, id)| of(id)).collect()
            };
            assert_eq!(covers(&few), covers(&all));
        }
        assert!(few.len() < all.len() / 6, "{} of {}", few.len(), all.len());
    }

    /// `--quick` chooses among what `--filter` names, as it does among all cases.
    #[test]
    fn quick_chooses_among_what_a_filter_names() {
        let names = |quick, filters: &[&str]| -> BTreeSet<String> {
            let filters = filters.iter().map(|filter| (*filter).to_owned()).collect();
            let selection = Selection { quick, filters, ..Selection::default() };
            cases(&selection, Product::Ascend910B).iter().map(|(_, id)| id.to_string()).collect()
        };
        let of_all: BTreeSet<String> =
            names(false, &[]).into_iter().filter(|name| name.starts_with("Add/")).collect();
        assert_eq!(names(true, &["Add"]), of_all);
        assert!(names(false, &["Add"]).len() > 5 * of_all.len());
        assert_eq!(names(true, &["Add/f16,f32/strided"]), names(false, &["Add/f16,f32/strided"]));
    }

    #[test]
    fn a_filter_is_a_name_or_whole_parts_of_one() {
        let named = |filter: &str| -> BTreeSet<&'static str> {
            let selection = Selection { filters: vec![filter.to_owned()], ..Selection::default() };
            cases(&selection, Product::Ascend910B).iter().map(|(_, id)| id.info.name()).collect()
        };
        assert_eq!(named("Add"), BTreeSet::from(["Add"]));
        assert_eq!(named("add"), BTreeSet::from(["Add", "Adds", "InplaceAdd", "InplaceAdds"]));
        assert_eq!(named("Add/f16,f32"), BTreeSet::from(["Add"]));
        assert_eq!(named("Add/f16,f32/strided"), BTreeSet::from(["Add"]));
        assert!(named("conversion").contains("Cast") && named("f16,f32/strided").len() > 20);
        // A whole name is itself, and leaves the other filters what they are.
        let filters = ["Add/f16,f32/strided", "Neg"].map(str::to_owned).into();
        let selection = Selection { filters, ..Selection::default() };
        let chosen = cases(&selection, Product::Ascend910B);
        let of = |name: &str| chosen.iter().filter(|(_, id)| id.info.name() == name).count();
        assert_eq!(of("Add"), 1);
        assert!(of("Neg") > 20);
        assert!(named("Ad").is_empty() && named("Add/f16").is_empty() && named("").is_empty());
        assert!(named("behaviour/").is_empty() && named("behaviour/memory-of-Add").is_empty());
        assert!(cases(&Selection::none(), Product::Ascend910B).is_empty());
    }
}
