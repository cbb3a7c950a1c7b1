//! What operators are called and compute, in tables: a program that never asks for them does not contain them.

use super::info::OperatorInfo;

macro_rules! tables {
    ($($(#[$doc:meta])* $family:ident by $operators:ident;)*) => {
        /// The names of the families.
        static FAMILIES: &[&str] = &[$(stringify!($family)),*];

        /// The names of the functions of each family.
        static FUNCTIONS: &[&[&str]] = &[$(super::$family::FUNCTIONS),*];

        /// The computations of the functions of each family, in words.
        static DOCS: &[&[&str]] = &[$(super::$family::DOCS),*];
    };
}

crate::operator_families!(tables);

impl OperatorInfo {
    /// Returns the function of which the operator is a form: `add`, of which `Add`, `Adds` and `InplaceAdd` are forms.
    pub fn function(&self) -> &'static str {
        text(FUNCTIONS, self)
    }

    /// Returns the file that declares the operator: `arithmetic`.
    pub fn family(&self) -> &'static str {
        FAMILIES.get(usize::from(self.family)).copied().unwrap_or_default()
    }

    /// Returns the computation of the operator in words, without a full stop.
    pub fn doc(&self) -> &'static str {
        text(DOCS, self)
    }
}

/// Returns the text of an operator's function.
fn text(families: &[&[&'static str]], operator: &OperatorInfo) -> &'static str {
    let family = families.get(usize::from(operator.family)).copied().unwrap_or_default();
    family.get(usize::from(operator.function)).copied().unwrap_or_default()
}
