//! `table!`: C functions as a struct of optional pointers.

/// Declares a table from C prototypes.
///
/// The macro makes a struct with one method per function beside `load`, `missing` and `SYMBOLS`, and a module with the
/// type of each function. A variadic function becomes a method without the variable arguments.
macro_rules! table {
    (
        $(#[$table_meta:meta])*
        pub struct $Table:ident, types in $pfn:ident;

        $(
            $(#[$meta:meta])*
            pub fn $name:ident($($parameter:ident: $type:ty),* $(,)?) $(-> $result:ty)?;
        )*
        $(
            variadic:
            $(#[$variadic_meta:meta])*
            pub fn $variadic:ident($($fixed:ident: $fixed_type:ty,)+ ...) $(-> $variadic_result:ty)?;
        )*
    ) => {
        pub mod $pfn {
            use super::*;
            $(pub type $name = unsafe extern "C" fn($($parameter: $type),*) $(-> $result)?;)*
            $(pub type $variadic = unsafe extern "C" fn($($fixed: $fixed_type,)+ ...) $(-> $variadic_result)?;)*
        }

        $(#[$table_meta])*
        pub struct $Table {
            library: String,
            $($name: Option<$pfn::$name>,)*
            $($variadic: Option<$pfn::$variadic>,)*
        }

        impl $Table {
            /// The names of the functions.
            pub const SYMBOLS: &'static [&'static str] = &[$(stringify!($name),)* $(stringify!($variadic),)*];

            /// Loads the functions that `source` has.
            pub fn load(source: &dyn crate::SymbolSource) -> Self {
                // SAFETY: a source returns the function of that name, whose prototype the headers declare.
                unsafe {
                    Self {
                        library: source.describe(),
                        $($name: crate::symbol::function(source, stringify!($name)),)*
                        $($variadic: crate::symbol::function(source, stringify!($variadic)),)*
                    }
                }
            }

            /// Returns an error for each function that the source lacked.
            pub fn missing(&self) -> impl Iterator<Item = crate::MissingSymbol> + '_ {
                let missing: [bool; Self::SYMBOLS.len()] = [$(self.$name.is_none(),)* $(self.$variadic.is_none(),)*];
                let names = Self::SYMBOLS.iter().zip(missing).filter_map(|(name, missing)| missing.then_some(*name));
                names.map(|name| crate::MissingSymbol::new(name, &self.library))
            }

            $(
                $(#[$meta])*
                ///
                /// # Errors
                /// [`MissingSymbol`](crate::MissingSymbol) where the library lacks the function.
                ///
                /// # Safety
                /// The arguments are valid as the C function requires.
                #[inline]
                pub unsafe fn $name(
                    &self, $($parameter: $type),*
                ) -> Result<crate::table::result!($($result)?), crate::MissingSymbol> {
                    match self.$name {
                        // SAFETY: the caller vouches for the arguments.
                        Some(function) => Ok(unsafe { function($($parameter),*) }),
                        None => Err(crate::MissingSymbol::new(stringify!($name), &self.library)),
                    }
                }
            )*
            $(
                $(#[$variadic_meta])*
                ///
                /// Passes no variable arguments, so a format must ask for none: it holds each `%` twice.
                ///
                /// # Errors
                /// [`MissingSymbol`](crate::MissingSymbol) where the library lacks the function.
                ///
                /// # Safety
                /// The arguments are valid as the C function requires.
                #[inline]
                pub unsafe fn $variadic(
                    &self, $($fixed: $fixed_type),*
                ) -> Result<crate::table::result!($($variadic_result)?), crate::MissingSymbol> {
                    match self.$variadic {
                        // SAFETY: the caller vouches for the arguments.
                        Some(function) => Ok(unsafe { function($($fixed),*) }),
                        None => Err(crate::MissingSymbol::new(stringify!($variadic), &self.library)),
                    }
                }
            )*
        }

        impl std::fmt::Debug for $Table {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($Table))
                    .field("library", &self.library)
                    .field("missing", &self.missing().map(|missing| missing.symbol).collect::<Vec<_>>())
                    .finish_non_exhaustive()
            }
        }
    };
}

/// Expands to the result of a C function as a Rust type.
macro_rules! result {
    () => {
        ()
    };
    ($result:ty) => {
        $result
    };
}

pub(crate) use {result, table};
