//! The operators as typed functions: the pair of each operator, and the table [`Operators`] that a library fills.
//!
//! An operator of CANN is a pair of C functions: phase one plans the call and tells the workspace, phase two launches it.
//! [`Operators`] has a method for each operator, which returns its [`Pair`]; [`all`] lists them with their parameters and
//! types, and [`published`] lists the other operators of CANN too.

mod argument;
mod by_name;
mod declare;
mod functions;
mod operator;
mod pair;
mod published;

pub use crate::families::{
    OperatorInfo, Parameter, ParameterKind, Parameters, ParametersIter, Rule, all, named,
};
pub use argument::Argument;
pub use by_name::ByName;
pub use functions::{Caller, Functions, PhaseOne};
pub use pair::{Pair, Untyped};
pub use published::{COMPUTED_ALONE, Published, PublishedParameter, published};

use crate::families::by_family;
use crate::symbol::{MissingSymbol, SymbolSource};

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident by $list:ident;)*) => {
        $(
            $(#[$doc])*
            #[allow(non_snake_case, reason = "parameters have their names in C")]
            pub mod $family {
                pub use crate::families::$family::*;

                crate::$list!(super::declare::family);
            }
        )*

        /// The functions that call phase one of each operator, by family. They are apart from the metadata, and a constant, so
        /// that only programs that call operators by their names compile them.
        const CALLERS: &[&[Caller]] = &[$($family::CALLERS),*];

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
                    // SAFETY: type and value of this name are of one declaration.
                    unsafe { self.typed(&$family::$Name) }
                }
            )*
        }
    };
}

crate::operator_families!(families);

/// The operators that a library offers.
pub struct Operators {
    /// By family, in the order of the declarations; for those that the library lacks, the name of the function that is
    /// missing.
    pairs: Vec<Vec<Result<Pair, &'static str>>>,
    library: String,
}

impl Operators {
    /// Loads the operators that `source` has.
    pub fn load(source: &dyn SymbolSource) -> Self {
        let find = |operator: &&OperatorInfo| Pair::find(source, operator.c_names());
        Self {
            pairs: by_family().map(|operators| operators.iter().map(find).collect()).collect(),
            library: source.describe(),
        }
    }

    /// Returns the functions of a declared operator.
    ///
    /// # Errors
    /// [`MissingSymbol`] where the library lacks the operator.
    pub fn get(&self, operator: &OperatorInfo) -> Result<Pair, MissingSymbol> {
        let [_, launch] = operator.c_names();
        let family = self.pairs.get(usize::from(operator.family));
        let pair = family.and_then(|pairs| pairs.get(usize::from(operator.operator)).copied());
        pair.unwrap_or(Err(launch)).map_err(|missing| MissingSymbol::new(missing, &self.library))
    }

    /// Returns the functions of a declared operator with their types.
    ///
    /// # Safety
    /// Phase one of the operator has the type `F`.
    #[inline]
    unsafe fn typed<F: Copy>(&self, operator: &OperatorInfo) -> Result<Functions<F>, MissingSymbol> {
        // SAFETY: the pair was found by the names of the operator, and the caller vouches for the type.
        Ok(unsafe { Functions::of(self.get(operator)?) })
    }

    /// Returns the operator with a C name without its prefix, such as `Add`; `None` if no operator of this name is
    /// declared.
    ///
    /// # Errors
    /// [`MissingSymbol`] where the library lacks the operator.
    #[inline]
    pub fn by_name(&self, name: &str) -> Option<Result<ByName, MissingSymbol>> {
        Some(self.callable(named(name)?))
    }

    /// Returns a declared operator, to be called with arguments of any kind.
    ///
    /// # Errors
    /// [`MissingSymbol`] where the library lacks the operator.
    #[inline]
    pub fn callable(&self, operator: &'static OperatorInfo) -> Result<ByName, MissingSymbol> {
        let [_, launch] = operator.c_names();
        let family = CALLERS.get(usize::from(operator.family));
        let caller = family.and_then(|callers| callers.get(usize::from(operator.operator)));
        let caller = caller.ok_or_else(|| MissingSymbol::new(launch, &self.library))?;
        Ok(ByName::new(operator, self.get(operator)?, *caller))
    }
}

impl std::fmt::Debug for Operators {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Operators").finish_non_exhaustive()
    }
}
