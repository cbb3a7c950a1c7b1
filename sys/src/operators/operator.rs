//! `operator!`: the two functions of one operator.

/// Declares an operator: its two functions, typed and loaded together.
///
/// The parameters are those of `aclnn…GetWorkspaceSize` before the two that every operator has. The struct has
///
/// - `NAME`, the C name;
/// - `load(&dyn SymbolSource) -> Result<Self, MissingSymbol>`;
/// - `unsafe fn get_workspace_size(&self, parameters…, workspace_size: *mut u64, executor: *mut *mut aclOpExecutor) ->
///   aclnnStatus`, phase one;
/// - `unsafe fn launch(&self, workspace: *mut c_void, workspace_size: u64, executor: *mut aclOpExecutor, stream:
///   aclrtStream) -> aclnnStatus`, phase two, and `launcher(&self)`, a pointer to it.
///
/// ```
/// use aclnn_sys::{aclTensor, operator};
///
/// operator! {
///     /// An operator of our own, from `libcust_opapi.so`.
///     pub Blend = "aclnnBlend"(left: *const aclTensor, right: *const aclTensor, weight: f64, out: *mut aclTensor);
/// }
///
/// # let nothing = aclnn_sys::SymbolList::new("an empty list", []);
/// assert_eq!(Blend::NAME, "aclnnBlend");
/// assert_eq!(Blend::load(&nothing).unwrap_err().symbol, "aclnnBlendGetWorkspaceSize");
/// ```
#[macro_export]
macro_rules! operator {
    (
        $(#[$meta:meta])*
        $vis:vis $Name:ident = $function:literal($($parameter:ident: $type:ty),* $(,)?);
    ) => {
        $crate::operator! { @declare $(#[$meta])* $vis $Name, $function, ($($parameter: $type),*) }
    };
    (
        @declare
        $(#[$meta:meta])*
        $vis:vis $Name:ident, $function:expr, ($($parameter:ident: $type:ty),*)
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        $vis struct $Name {
            get_workspace_size:
                unsafe extern "C" fn($($type,)* *mut u64, *mut *mut $crate::aclOpExecutor) -> $crate::aclnnStatus,
            launch: $crate::Launch,
        }

        impl $Name {
            /// The C name.
            pub const NAME: &'static str = $function;

            /// Loads both functions from `source`.
            ///
            /// # Errors
            /// [`MissingSymbol`]($crate::MissingSymbol) where `source` lacks one of them.
            #[inline]
            pub fn load(source: &dyn $crate::SymbolSource) -> Result<Self, $crate::MissingSymbol> {
                let names = [concat!($function, "GetWorkspaceSize"), $function];
                // SAFETY: both were found by the names of this operator.
                Ok(unsafe { Self::of($crate::operators::Pair::load(source, names)?) })
            }

            /// Gives both functions of the operator their types.
            ///
            /// # Safety
            /// The pair was found by the names of this operator.
            #[doc(hidden)]
            #[inline]
            pub const unsafe fn of(pair: $crate::operators::Pair) -> Self {
                // SAFETY: the declaration states the type of the first function; who calls it vouches for the declaration.
                let get_workspace_size = unsafe {
                    ::core::mem::transmute::<
                        $crate::operators::Untyped,
                        unsafe extern "C" fn(
                            $($type,)* *mut u64, *mut *mut $crate::aclOpExecutor
                        ) -> $crate::aclnnStatus,
                    >(pair.get_workspace_size)
                };
                Self { get_workspace_size, launch: pair.launch }
            }

            /// Runs phase one: validates and prepares a call.
            ///
            /// # Safety
            /// The parameters are those of the C function, and valid as it asks. `workspace_size` and `executor` are
            /// valid for writing. What the parameters describe stays alive until the call is launched.
            #[allow(clippy::too_many_arguments)]
            #[inline]
            pub unsafe fn get_workspace_size(
                &self,
                $($parameter: $type,)*
                workspace_size: *mut u64,
                executor: *mut *mut $crate::aclOpExecutor,
            ) -> $crate::aclnnStatus {
                // SAFETY: the caller vouches for the arguments.
                unsafe { (self.get_workspace_size)($($parameter,)* workspace_size, executor) }
            }

            /// Runs phase two: enqueues the call on a stream.
            ///
            /// # Safety
            /// Phase one of this operator made `executor`, which this call consumes unless it is repeatable.
            /// `workspace` is device memory of at least the bytes that phase one asked for. The workspace and the
            /// memory of the tensors stay valid until the stream has executed the call.
            #[inline]
            pub unsafe fn launch(
                &self,
                workspace: *mut ::core::ffi::c_void,
                workspace_size: u64,
                executor: *mut $crate::aclOpExecutor,
                stream: $crate::aclrtStream,
            ) -> $crate::aclnnStatus {
                // SAFETY: the caller vouches for the arguments.
                unsafe { (self.launch)(workspace, workspace_size, executor, stream) }
            }
        }

        impl $Name {
            /// Returns the function of phase two.
            #[inline]
            pub const fn launcher(&self) -> $crate::Launch {
                self.launch
            }
        }

        impl ::core::fmt::Debug for $Name {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(Self::NAME)
            }
        }
    };
}
