//! The operators as data: those that are declared, by function, and those that CANN publishes beside them.

use std::collections::BTreeMap;

use aclnn::product::Product;
use aclnn::{Backend, BackendKind, DType};
use aclnn_numerics::types_by_product::TypeSet;
use aclnn_sys::operators::{self, Published, Rule, published};
use serde::Serialize;

use crate::calls;
use crate::declared::{self, Operator, Signature};
use crate::suggest;

/// Which operators the libraries have.
pub(super) struct Presence<'a>(Option<&'a Backend>);

impl<'a> Presence<'a> {
    pub(super) fn of(backend: Option<&'a Backend>) -> Self {
        Self(backend)
    }

    /// Returns whether the libraries have all symbols; `None` where no libraries serve.
    fn of_symbols(&self, symbols: &[String]) -> Option<bool> {
        let source = self.0?.operator_source();
        Some(symbols.iter().all(|symbol| source.symbol(symbol).is_some()))
    }

    /// Returns whether the emulator serves, which computes every declared operator and refuses all others.
    fn is_emulated(&self) -> bool {
        self.0.is_some_and(|backend| backend.kind() != BackendKind::Cann)
    }
}

/// Element types by the name of the product.
pub(super) type ByProduct = BTreeMap<String, Vec<DType>>;

/// A function with its forms.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Function {
    pub(super) function: &'static str,
    pub(super) family: &'static str,
    /// What it computes.
    pub(super) doc: &'static str,
    /// How types are chosen.
    pub(super) rule: &'static str,
    /// The element types of operands, by product.
    pub(super) types: ByProduct,
    pub(super) forms: Vec<Form>,
}

/// An operator in C.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Form {
    /// The C name without its prefix.
    pub(super) name: &'static str,
    pub(super) symbols: Vec<String>,
    /// The header under `aclnnop`.
    pub(super) header: Option<&'static str>,
    /// The parameters of phase one, as C writes them, without the two that every operator has.
    pub(super) parameters: Vec<String>,
    /// The element types that it takes, if it has a list of its own.
    pub(super) types: Option<ByProduct>,
    /// The oldest release known to have it, if not every release has it.
    pub(super) since: Option<&'static str>,
    /// Whether the libraries have it; absent where none serve.
    pub(super) present: Option<bool>,
    /// The words of `aclnn run` that call it; absent where nothing does.
    pub(super) call: Option<String>,
    /// Why `aclnn run` cannot call it.
    pub(super) refused: Option<String>,
}

/// An operator that CANN publishes and that is not declared here.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Undeclared {
    pub(super) name: &'static str,
    /// The part of CANN's operators that it belongs to.
    pub(super) library: Option<&'static str>,
    pub(super) header: Option<&'static str>,
    pub(super) symbols: Vec<String>,
    /// As in [`Form`]; absent where they are not known.
    pub(super) parameters: Option<Vec<String>>,
    pub(super) present: Option<bool>,
    /// Whether it is there only to refuse calls, as in the emulator.
    pub(super) refuses: bool,
}

fn symbols(name: &str, is_pair: bool) -> Vec<String> {
    let one = format!("aclnn{name}");
    if is_pair { vec![format!("{one}GetWorkspaceSize"), one] } else { vec![one] }
}

/// Returns every declared function, by family.
pub(super) fn functions(presence: &Presence<'_>) -> Vec<Function> {
    let headers: BTreeMap<&str, Option<&'static str>> =
        published().map(|operator| (operator.name, operator.header)).collect();
    let mut functions: Vec<Function> = Vec::new();
    for operator in declared::all() {
        let info = operator.info;
        let symbols = symbols(info.name(), true);
        let (call, refused) = match calls::offered(info.name()) {
            Ok(found) => (Some(found.function.usage()), None),
            Err(reason) => (None, Some(reason.to_string())),
        };
        let form = Form {
            call,
            refused,
            name: info.name(),
            header: headers.get(info.name()).copied().flatten(),
            parameters: info
                .parameters
                .iter()
                .map(|one| format!("{}{}", one.kind.c_type(), one.name))
                .collect(),
            types: in_place(&operator),
            since: info.since,
            present: presence.of_symbols(&symbols),
            symbols,
        };
        let is_same = |one: &&mut Function| (one.family, one.function) == (info.family(), info.function());
        if let Some(function) = functions.iter_mut().find(is_same) {
            function.forms.push(form);
            continue;
        }
        functions.push(Function {
            function: info.function(),
            family: info.family(),
            doc: info.doc(),
            rule: about(info.rule),
            types: by_product(|product| operator.signature.takes(product)),
            forms: vec![form],
        });
    }
    functions
}

fn by_product(types: impl Fn(Product) -> TypeSet) -> ByProduct {
    Product::ALL
        .into_iter()
        .map(|product| (format!("{product:?}"), types(product).iter().collect()))
        .collect()
}

/// Returns the types of a form in place, if the declaration lists them apart.
fn in_place(operator: &Operator) -> Option<ByProduct> {
    let types = match operator.signature {
        Signature::Unary(rule) => rule.in_place?,
        Signature::Parametric(rule) => rule.in_place?,
        _ => return None,
    };
    operator.info.name().starts_with("Inplace").then(|| by_product(|product| types.on(product)))
}

/// Returns the operators that CANN publishes and that are not declared here.
pub(super) fn undeclared(presence: &Presence<'_>) -> impl Iterator<Item = Undeclared> {
    let is_declared = |one: &Published| operators::named(one.name).is_some();
    published().filter(move |one| !is_declared(one)).map(|one| {
        let symbols = symbols(one.name, one.is_pair);
        let parameters = one.parameters().map(|parameters| {
            parameters.iter().map(|parameter| format!("{}{}", parameter.c_type, parameter.name)).collect()
        });
        Undeclared {
            name: one.name,
            library: one.library,
            header: one.header,
            present: presence.of_symbols(&symbols),
            refuses: presence.is_emulated(),
            symbols,
            parameters,
        }
    })
}

pub(super) fn families() -> impl Iterator<Item = &'static str> {
    let mut last = "";
    operators::all()
        .map(|operator| operator.family())
        .filter(move |family| std::mem::replace(&mut last, family) != *family)
}

/// Returns a sentence that suggests names like one that is not known.
pub(super) fn hint(name: &str) -> String {
    let name = calls::in_c(name);
    let functions = operators::all().map(|operator| operator.function());
    let called = calls::all().map(|function| function.name);
    match suggest::hint(name, functions.chain(called).chain(published().map(|operator| operator.name))) {
        hint if hint.is_empty() => "; `aclnn ops` lists those that there are".to_owned(),
        hint => hint,
    }
}

impl Form {
    /// Returns whether a function of the library, which may have another name than the declared one, calls it.
    fn is_of(&self, function: &str) -> bool {
        self.call.as_ref().and_then(|call| call.split(' ').next()) == Some(function)
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(calls::in_c(name))
    }
}

impl Undeclared {
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(calls::in_c(name))
    }
}

impl Function {
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.function.eq_ignore_ascii_case(name)
            || self.forms.iter().any(|form| form.is_called(name) || form.is_of(name))
    }

    /// Returns whether a text in small letters is a part of a name or of the formula.
    pub(super) fn mentions(&self, text: &str) -> bool {
        let names = self.forms.iter().map(|form| form.name);
        names.chain([self.function, self.doc]).any(|name| name.to_lowercase().contains(text))
    }
}

fn about(rule: Rule) -> &'static str {
    match rule {
        Rule::Promote => "operands are promoted to one type, in which it computes",
        Rule::Convert => "the caller chooses the type of the result",
        Rule::Fill => "one value goes to every element",
        Rule::Foreach => "each tensor of lists, which all have one type",
        Rule::Movement => "elements are copied to other places",
        Rule::Sequence => "numbers are computed from scalars",
        Rule::Wide => {
            "everything is computed in f32, or in f64 where an operand is f64, and rounded once to the type of each output"
        }
        Rule::Linalg => {
            "computed in f64, complex numbers in pairs of f64, and rounded to the type of each output"
        }
        Rule::Matrix => "products are summed in f32, or in the type of the operands if that is wider",
        Rule::Random => {
            "numbers are drawn by a seed and an offset in f32, and converted to the type of the output"
        }
        Rule::Indexed => "elements are found by indices or by a mask, in their own type",
        Rule::Unary => "one tensor; integers are computed in a float if the function has no integer values",
        Rule::AlongAxes => "elements along axes are computed together",
        Rule::Parametric => "tensors of one type, or promoted to one, with attributes",
        Rule::Order => "elements are ordered by their values",
    }
}
