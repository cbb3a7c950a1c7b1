//! Which cases are run.

use std::hash::{Hash, Hasher};

use aclnn_numerics::product::Product;

use super::case::{Class, Id};
use super::cases;
use crate::declared;

/// What was asked for: both children and the parent make the same list of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Selection {
    /// Every case; otherwise few of each operator.
    pub(super) full: bool,
    /// What of all cases is run, where there are any.
    pub(super) filters: Vec<String>,
}

/// Returns the cases that are selected, each with its number among all cases of a product.
pub(super) fn cases(selection: &Selection, product: Product) -> Vec<(usize, Id)> {
    let all: Vec<Id> = declared::all().flat_map(|operator| cases::of(&operator, product)).collect();
    let is_whole_name = selection.filters.iter().any(|filter| all.iter().any(|id| id.to_string() == *filter));
    let mut quick = Quick::default();
    let chosen = |id: &Id| match selection.filters.is_empty() {
        true => selection.full || quick.takes(id),
        false => selection.takes(id, is_whole_name),
    };
    let chosen: Vec<bool> = all.iter().map(chosen).collect();
    all.into_iter().enumerate().zip(chosen).filter(|(_, chosen)| *chosen).map(|(case, _)| case).collect()
}

impl Selection {
    /// Whether a filter names the case: the whole of it if a filter is the whole name of any, and otherwise by operator,
    /// function, family, class, or a part of its name.
    fn takes(&self, id: &Id, is_whole_name: bool) -> bool {
        let name = id.to_string();
        self.filters.iter().any(|filter| {
            name == *filter
                || !is_whole_name
                    && (id.info.family == filter
                        || id.info.function == filter
                        || id.info.name == filter
                        || id.class.name() == filter
                        || filter.contains(['/', ',']) && part_of(&name, filter))
        })
    }
}

/// Whether some whole segments of a name are those of a filter: `Add/f16,f32` and `f16,f32/strided` of
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
        if self.operator != id.info.name {
            *self = Quick { operator: id.info.name, ..Quick::default() };
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
            |id| vec![format!("{} {}", id.info.name, id.class.name())],
            |id| vec![format!("{} {}", id.info.name, id.variant)],
            |id| id.types.iter().map(|dtype| format!("{} {dtype}", id.info.name)).collect(),
            |id| vec![id.class.name().to_owned()],
        ];
        for of in of_each {
            let covers = |cases: &[(usize, Id)]| -> BTreeSet<String> {
                cases.iter().flat_map(|(_, id)| of(id)).collect()
            };
            assert_eq!(covers(&few), covers(&all));
        }
        assert!(few.len() < all.len() / 6, "{} of {}", few.len(), all.len());
        assert!(few.len() < all.len() / 7, "{} of {}", few.len(), all.len());
    }

    #[test]
    fn a_filter_is_a_name_or_whole_parts_of_one() {
        let named = |filter: &str| -> BTreeSet<&'static str> {
            let selection = Selection { full: false, filters: vec![filter.to_owned()] };
            cases(&selection, Product::Ascend910B).iter().map(|(_, id)| id.info.name).collect()
        };
        assert_eq!(named("Add"), BTreeSet::from(["Add"]));
        assert_eq!(named("add"), BTreeSet::from(["Add", "Adds", "InplaceAdd", "InplaceAdds"]));
        assert_eq!(named("Add/f16,f32"), BTreeSet::from(["Add"]));
        assert_eq!(named("Add/f16,f32/strided"), BTreeSet::from(["Add"]));
        assert!(named("conversion").contains("Cast") && named("f16,f32/strided").len() > 20);
        assert!(named("Ad").is_empty() && named("Add/f16").is_empty() && named("").is_empty());
    }
}
