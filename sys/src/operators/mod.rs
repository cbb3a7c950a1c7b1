//! The operators as typed functions: the pair of each operator, and the table [`Operators`] that a library fills.
//!
//! The operators are declared in `families/`. A family is a macro that hands its declarations to any other macro: here
//! they become typed pairs of functions and the table; the emulator and the safe layer expand entry points and
//! functions from the same lists. [`published`] lists the other operators of CANN too; the C headers are written from
//! that list.

mod by_name;
mod declare;
mod operator;
mod published;

pub use crate::families::{OperatorInfo, Parameter, ParameterKind, Rule, all};
pub use by_name::{Argument, ByName};
pub use declare::Operator;
pub use published::{COMPUTED_ALONE, Published, PublishedParameter, published};

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

        /// The operators that a library offers.
        pub struct Operators {
            $($family: $family::Table,)*
        }

        impl Operators {
            /// Loads the operators that `source` has.
            pub fn load(source: &dyn crate::SymbolSource) -> Self {
                Self { $($family: $family::Table::load(source),)* }
            }

            fn families(&self) -> impl IntoIterator<Item = &dyn by_name::Family> {
                [$(&self.$family as &dyn by_name::Family),*]
            }
        }

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
                pub fn $Name(&self) -> Result<&$family::$Name, crate::MissingSymbol> {
                    self.$family.$Name.as_ref().map_err(Clone::clone)
                }
            )*
        }
    };
}

crate::operator_families!(families);

impl Operators {
    /// Returns the operator with a C name without its prefix, such as `Add`; `None` if no operator of this name is
    /// declared.
    ///
    /// # Errors
    /// [`MissingSymbol`](crate::MissingSymbol) where the library lacks the operator.
    pub fn by_name(&self, name: &str) -> Option<Result<&dyn ByName, crate::MissingSymbol>> {
        self.families().into_iter().find_map(|family| by_name::Family::by_name(family, name))
    }
}

impl std::fmt::Debug for Operators {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Operators").finish_non_exhaustive()
    }
}
