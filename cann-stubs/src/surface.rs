//! [`EntryPoint`]: a function of the emulator, with its address and how far it is supported, as `surface.md` lists it.

use std::fmt;

use aclnn_sys::Symbol;

use crate::release::Release;

/// The level at which the emulator supports a function of CANN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// The function does its work as in CANN.
    Works,
    /// The function checks its arguments, keeps them and returns them when asked; they have no other effect.
    Stored,
    /// The function always fails, with this code and a message.
    Refuses(i32),
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Support::Works => f.write_str("works"),
            Support::Stored => f.write_str("stored only"),
            Support::Refuses(code) => write!(f, "refuses: {code}"),
        }
    }
}

/// A function of the emulator.
#[derive(Debug, Clone, Copy)]
pub struct EntryPoint {
    symbol: Symbol,
    support: Support,
}

impl EntryPoint {
    /// Lists the function at `address`.
    ///
    /// # Safety
    /// As for [`Symbol::new`]: it has the prototype that CANN documents for `name`, or reads none of its arguments.
    pub(crate) const unsafe fn new(name: &'static str, address: *const (), support: Support) -> Self {
        // SAFETY: the caller vouches for the prototype. A function without parameters may be called with any number of
        // them under the C calling conventions of x86-64 and aarch64.
        let symbol = unsafe { Symbol::new(name, address) };
        EntryPoint { symbol, support }
    }

    /// Lists a function that only fails with `code`.
    pub(crate) const fn refusing(name: &'static str, function: extern "C" fn() -> i32, code: i32) -> Self {
        // SAFETY: it reads no arguments, and may be called with any number of them under the C calling conventions of
        // x86-64 and aarch64.
        let symbol = unsafe { Symbol::new(name, function as *const ()) };
        EntryPoint { symbol, support: Support::Refuses(code) }
    }

    /// Returns the C name of the function.
    pub fn name(&self) -> &'static str {
        self.symbol.name()
    }

    /// Returns how far the emulator supports the function.
    pub fn support(&self) -> Support {
        self.support
    }

    /// The first release of CANN that is known to have the function.
    pub(crate) fn since(&self) -> Release {
        Release::first_with(self.name())
    }

    pub(crate) fn symbol(&self) -> Symbol {
        self.symbol
    }
}

/// Expands to the support of an entry point, from the word before its declaration.
macro_rules! support {
    () => {
        $crate::surface::Support::Works
    };
    (stored) => {
        $crate::surface::Support::Stored
    };
    (refuses $code:expr) => {
        $crate::surface::Support::Refuses($code)
    };
}
pub(crate) use support;
