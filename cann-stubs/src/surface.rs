//! The list of entry points: what each one does, and the declaration of those that refuse.

use std::fmt;

use aclnn_sys::Symbol;

use crate::release::Release;

/// How far the emulator supports a function of CANN.
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
    since: Release,
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
        EntryPoint { symbol, support, since: Release::first_with(name) }
    }

    /// Lists a function that only fails with `code`; every release has it.
    pub(crate) const fn refusing(name: &'static str, function: extern "C" fn() -> i32, code: i32) -> Self {
        // SAFETY: it reads no arguments, and may be called with any number of them under the C calling conventions of
        // x86-64 and aarch64.
        let symbol = unsafe { Symbol::new(name, function as *const ()) };
        EntryPoint { symbol, support: Support::Refuses(code), since: Release::OLDEST }
    }

    /// Returns the C name of the function.
    pub fn name(&self) -> &'static str {
        self.symbol.name()
    }

    /// Returns how far the emulator supports the function.
    pub fn support(&self) -> Support {
        self.support
    }

    /// Returns whether the emulated release of CANN has the function.
    pub(crate) fn is_in_release(&self) -> bool {
        self.since <= Release::emulated()
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

/// A function type that returns `R`, so that a result is compared with the prototype in the headers.
pub(crate) trait Returns<R> {
    type Result;
}

macro_rules! prototypes {
    ($($parameters:tt),*) => {$( prototypes! { @ $parameters } )*};
    (@ ($($parameter:ident)*)) => {
        impl<R, $($parameter),*> Returns<R> for unsafe extern "C" fn($($parameter),*) -> R {
            type Result = R;
        }
    };
}

prototypes! {
    (), (A), (A B), (A B C), (A B C D), (A B C D E), (A B C D E F), (A B C D E F G), (A B C D E F G H),
    (A B C D E F G H I), (A B C D E F G H I J), (A B C D E F G H I J K), (A B C D E F G H I J K L)
}

/// Declares entry points that refuse with one code and one sentence, whatever they are passed.
///
/// The functions read none of their arguments. The compiler compares the type of each result with the one in the headers,
/// unless the list is `undeclared`: functions that no header declares.
macro_rules! refusals {
    (undeclared $list:ident, $code:expr, $message:literal: $($name:ident -> $result:ty;)*) => {
        $(
            #[allow(non_snake_case)]
            #[cfg_attr(feature = "drop-in", unsafe(export_name = concat!("cann_stubs_", stringify!($name))))]
            pub(crate) unsafe extern "C" fn $name() -> $result {
                let refusal = $crate::status::Status::new($code, $message);
                <$result as $crate::entry::Outcome>::refused(stringify!($name), refusal)
            }
        )*

        pub(crate) const $list: &[$crate::entry::EntryPoint] = &[
            // SAFETY: they read no arguments.
            $(unsafe {
                $crate::entry::EntryPoint::new(
                    stringify!($name),
                    $name as *const (),
                    $crate::surface::Support::Refuses($code),
                )
            }),*
        ];
    };
    ($list:ident, $code:expr, $message:literal: $($name:ident -> $result:ty;)*) => {
        $crate::surface::refusals! { undeclared $list, $code, $message:
            $($name -> <aclnn_sys::pfn::$name as $crate::surface::Returns<$result>>::Result;)*
        }
    };
}
pub(crate) use refusals;
