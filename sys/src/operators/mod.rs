//! The operators, each declared once, in the file of its family.
//!
//! A family is a macro that hands its declarations to any other macro. Here the declarations become typed pairs of
//! functions, [`OperatorInfo`] and the table [`Operators`]; the emulator and the safe layer expand entry points and
//! functions from the same lists. [`published`] lists the other operators of CANN too; the C headers are written from
//! that list.
//!
//! A new family needs a file here and a line in the list below.

mod declare;
mod operator;
mod published;

pub use declare::{Operator, OperatorInfo, Parameter, ParameterKind, Rule};
pub use published::{Published, PublishedParameter, published};

macro_rules! families {
    ($($family:ident)*) => {
        $(pub mod $family;)*

        /// The operators that a library offers.
        pub struct Operators {
            $($family: $family::Table,)*
        }

        impl Operators {
            /// Loads the operators that `source` has.
            pub fn load(source: &dyn crate::SymbolSource) -> Self {
                Self { $($family: $family::Table::load(source),)* }
            }
        }

        /// Returns every declared operator, by family.
        pub fn all() -> impl Iterator<Item = &'static OperatorInfo> {
            let families: &[&[&OperatorInfo]] = &[$($family::OPERATORS),*];
            families.iter().copied().flatten().copied()
        }
    };
}

families! {
    arithmetic
    conversion
    fill
    range
}

impl std::fmt::Debug for Operators {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Operators").finish_non_exhaustive()
    }
}
