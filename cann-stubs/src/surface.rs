//! The list of entry points: what each does, and those that refuse.

use std::fmt;

use aclnn_sys::Symbol;

use crate::release::Release;

/// What a function of the emulator does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// Its work, as CANN does it.
    Works,
    /// It checks and keeps what it is told, and tells it again; nothing follows from it.
    Stored,
    /// It only fails, with this code and a message.
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

    /// The C name.
    pub fn name(&self) -> &'static str {
        self.symbol.name()
    }

    /// What it does.
    pub fn support(&self) -> Support {
        self.support
    }

    /// Whether the emulated release of CANN has it.
    pub(crate) fn is_in_release(&self) -> bool {
        self.since <= Release::emulated()
    }

    pub(crate) fn symbol(&self) -> Symbol {
        self.symbol
    }
}

/// What an entry point does, from the word before its declaration.
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

/// Functions that return an `R`: it stands in their prototypes in the headers.
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
/// They read none of their arguments. The compiler compares the type of each result with the one of the headers, unless
/// the list is `undeclared`: what no header declares.
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
