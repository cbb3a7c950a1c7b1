//! The operators as typed functions: the pair of each operator, and the table [`Operators`] that a library fills.
//!
//! The operators are declared in `families/`. A family is a macro that hands its declarations to any other macro: here
//! they become typed pairs of functions, and methods of the table; the emulator and the safe layer expand entry points and
//! functions from the same lists. The table itself knows no types: it is filled by one loop over all names. [`published`]
//! lists the other operators of CANN too; the C headers are written from that list.

mod by_name;
mod declare;
mod operator;
mod pair;
mod place;
mod published;

pub use crate::families::{OperatorInfo, Parameter, ParameterKind, Rule, all};
pub use by_name::{Argument, ByName, Caller, PhaseOne};
pub use declare::{Declared, Operator};
pub use pair::{Pair, Untyped};
pub use published::{COMPUTED_ALONE, Published, PublishedParameter, published};

use crate::symbol::{MissingSymbol, SymbolSource};

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident by $list:ident;)*) => {
        $(
            $(#[$doc])*
            #[allow(non_snake_case, reason = "parameters have their names in C")]
            pub mod $family {
                pub use crate::families::$family::OPERATORS;

                crate::$list!(super::declare::family);
            }
        )*

        /// The operators of each family.
        const FAMILIES: &[&[Declared]] = &[$($family::DECLARED),*];

        /// What calls phase one of each operator, in the same order. It is apart, so that only programs that call operators
        /// by their names compile it.
        const CALLERS: &[&[by_name::Caller]] = &[$($family::CALLERS),*];

        $(crate::$list!(methods);)*
    };
}

/// Expands the declarations of a family into methods of [`Operators`].
macro_rules! methods {
    (
        $family:ident, $Rule:ident:
        $(
            $(#[doc = $doc:literal])*
            $function:ident $signature:tt {
                $($Name:ident = $c:literal $parameters:tt $(since $since:literal)?;)*
            }
        )*
    ) => {
        $(method! { $family, concat!($($doc),*) => $($Name)* })*
    };
}

/// Expands the forms of one function.
macro_rules! method {
    ($family:ident, $doc:expr => $($Name:ident)*) => {
        impl Operators {
            $(
                #[doc = concat!("`aclnn", stringify!($Name), "`:", $doc)]
                ///
                /// # Errors
                /// [`MissingSymbol`](crate::MissingSymbol) where the library lacks the operator.
                #[allow(non_snake_case)]
                #[inline]
                pub fn $Name(&self) -> Result<$family::$Name, MissingSymbol> {
                    // SAFETY: the pair was found by the names of this operator.
                    Ok(unsafe { $family::$Name::of(self.get(&$family::$Name::DECLARED)?) })
                }
            )*
        }
    };
}

crate::operator_families!(families);

/// The operators that a library offers.
pub struct Operators {
    /// In the order of the declarations; for those that the library lacks, the name of the function that is missing.
    pairs: Vec<Result<Pair, &'static str>>,
    library: String,
}

impl Operators {
    /// Loads the operators that `source` has.
    pub fn load(source: &dyn SymbolSource) -> Self {
        let declared = FAMILIES.iter().copied().flatten();
        Self {
            pairs: declared.map(|declared| Pair::find(source, declared.names)).collect(),
            library: source.describe(),
        }
    }

    /// Returns the functions of a declared operator.
    ///
    /// # Errors
    /// [`MissingSymbol`] where the library lacks the operator.
    pub fn get(&self, operator: &Declared) -> Result<Pair, MissingSymbol> {
        let [_, launch] = operator.names;
        let pair = self.pairs.get(operator.index).copied().unwrap_or(Err(launch));
        pair.map_err(|missing| MissingSymbol::new(missing, &self.library))
    }

    /// Returns the operator with a C name without its prefix, such as `Add`; `None` if no operator of this name is
    /// declared.
    ///
    /// # Errors
    /// [`MissingSymbol`] where the library lacks the operator.
    #[inline]
    pub fn by_name(&self, name: &str) -> Option<Result<ByName, MissingSymbol>> {
        let callers = CALLERS.iter().copied().flatten();
        let (declared, caller) = FAMILIES
            .iter()
            .copied()
            .flatten()
            .zip(callers)
            .find(|(declared, _)| declared.info.name == name)?;
        Some(self.get(declared).map(|pair| ByName::new(declared.info, pair, *caller)))
    }
}

impl std::fmt::Debug for Operators {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Operators").finish_non_exhaustive()
    }
}
