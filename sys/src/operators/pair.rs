//! [`Pair`]: the two functions of an operator without their types, so that one piece of code loads all operators.

use std::ffi::c_void;
use std::mem::transmute;
use std::ptr::NonNull;

use crate::Launch;
use crate::symbol::{MissingSymbol, SymbolSource};

/// The two functions of an operator, the first of which has lost its type.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// Phase one, of the type that the declaration of the operator states.
    pub get_workspace_size: Untyped,
    /// Phase two.
    pub launch: Launch,
}

/// A function whose type is not known here.
pub type Untyped = unsafe extern "C" fn();

impl Pair {
    /// Returns both functions of a source, or the name of the one that it lacks.
    pub(super) fn find(
        source: &dyn SymbolSource,
        [get_workspace_size, launch]: [&'static str; 2],
    ) -> Result<Self, &'static str> {
        let find = |name| source.symbol(name).ok_or(name);
        let (get_workspace_size, launch) = (find(get_workspace_size)?, find(launch)?);
        // SAFETY: a source returns functions; the second one of an operator always has this type, and the first is called
        // only as the type that the declaration states.
        Ok(unsafe {
            Self {
                get_workspace_size: transmute::<NonNull<c_void>, Untyped>(get_workspace_size),
                launch: transmute::<NonNull<c_void>, Launch>(launch),
            }
        })
    }

    /// Returns both functions of a source, by their names; that of phase one comes first.
    ///
    /// # Errors
    /// [`MissingSymbol`] where the source lacks one of them.
    pub fn load(source: &dyn SymbolSource, names: [&'static str; 2]) -> Result<Self, MissingSymbol> {
        Self::find(source, names).map_err(|missing| MissingSymbol::new(missing, &source.describe()))
    }
}
