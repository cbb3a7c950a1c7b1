//! The declaration of entry points that refuse.

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
            #[cfg_attr(all(feature = "drop-in", not(test)), unsafe(export_name = concat!("cann_stubs_", stringify!($name))))]
            pub(crate) unsafe extern "C" fn $name() -> $result {
                let refusal = $crate::status::Status::new($code, $message);
                <$result as $crate::outcome::Outcome>::refused(stringify!($name), refusal)
            }
        )*

        pub(crate) const $list: &[$crate::surface::EntryPoint] = &[
            // SAFETY: they read no arguments.
            $(unsafe {
                $crate::surface::EntryPoint::new(
                    stringify!($name),
                    $name as *const (),
                    $crate::surface::Support::Refuses($code),
                )
            }),*
        ];
    };
    ($list:ident, $code:expr, $message:literal: $($name:ident -> $result:ty;)*) => {
        $crate::refused::declare::refusals! { undeclared $list, $code, $message:
            $($name -> <aclnn_sys::pfn::$name as $crate::refused::declare::Returns<$result>>::Result;)*
        }
    };
}
pub(crate) use refusals;
