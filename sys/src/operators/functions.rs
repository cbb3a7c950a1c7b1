//! [`Functions`]: the two functions of an operator with their types, and calls of phase one with arguments of any kind.

use std::ffi::c_void;
use std::fmt;
use std::mem::{size_of, transmute, transmute_copy};

use super::argument::{self, Argument, FromArgument, Word};
use super::pair::{Pair, Untyped};
use crate::{Launch, aclOpExecutor, aclnnStatus, aclrtStream};

/// The two functions of an operator, of which phase one has the type `F`.
#[derive(Clone, Copy)]
pub struct Functions<F> {
    get_workspace_size: F,
    launch: Launch,
}

impl<F: Copy> Functions<F> {
    /// Gives both functions of an operator their types.
    ///
    /// # Safety
    /// The pair is that of an operator whose phase one has the type `F`.
    #[inline]
    pub(super) unsafe fn of(pair: Pair) -> Self {
        const { assert!(size_of::<F>() == size_of::<Untyped>()) }
        // SAFETY: the caller vouches for the type.
        Self { get_workspace_size: unsafe { transmute_copy(&pair.get_workspace_size) }, launch: pair.launch }
    }

    /// Runs phase two: enqueues the call on a stream.
    ///
    /// # Safety
    /// Phase one of this operator made `executor`, which this call consumes unless it is repeatable. `workspace` is device
    /// memory of at least the bytes that phase one asked for. The workspace and the memory of the tensors stay valid until the
    /// stream has executed the call.
    #[inline]
    pub unsafe fn launch(
        &self,
        workspace: *mut c_void,
        workspace_size: u64,
        executor: *mut aclOpExecutor,
        stream: aclrtStream,
    ) -> aclnnStatus {
        // SAFETY: the caller vouches for the arguments.
        unsafe { (self.launch)(workspace, workspace_size, executor, stream) }
    }

    /// Returns the function of phase two.
    #[inline]
    pub const fn launcher(&self) -> Launch {
        self.launch
    }
}

impl<F: PhaseOne> Functions<F> {
    /// The function that calls phase one with arguments of any kind. A program compiles those that it names.
    pub const CALLER: Caller = F::call;
}

impl<F> fmt::Debug for Functions<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Functions").finish_non_exhaustive()
    }
}

/// A type of phase one. Operators with parameters of the same types share it, and so what is compiled here.
pub trait PhaseOne {
    /// Calls a function of this type; `None` if the arguments are not as many as the parameters, or not of their kinds.
    ///
    /// # Safety
    /// `function` is of this type, and the arguments are valid as it asks.
    unsafe fn call(
        function: Untyped,
        arguments: &[Argument],
        workspace_size: *mut u64,
        executor: *mut *mut aclOpExecutor,
    ) -> Option<aclnnStatus>;
}

/// [`PhaseOne::call`] of some type.
pub type Caller = unsafe fn(Untyped, &[Argument], *mut u64, *mut *mut aclOpExecutor) -> Option<aclnnStatus>;

/// Implements [`PhaseOne`] for functions of as many parameters as there are names, and of fewer.
macro_rules! phase_one {
    () => { phase_one!(@); };
    ($First:ident $first:ident $(, $Parameter:ident $value:ident)*) => {
        phase_one!(@ $First $first $(, $Parameter $value)*);
        phase_one!($($Parameter $value),*);
    };
    (@ $($Parameter:ident $value:ident),*) => {
        impl<$($Parameter),*>
            Functions<unsafe extern "C" fn($($Parameter,)* *mut u64, *mut *mut aclOpExecutor) -> aclnnStatus>
        {
            /// Runs phase one: validates and prepares a call.
            ///
            /// # Safety
            /// The parameters are those of the C function, and valid as it asks. `workspace_size` and `executor` are valid for
            /// writing. What the parameters describe stays alive until the call is launched.
            #[allow(clippy::too_many_arguments)]
            #[inline]
            pub unsafe fn get_workspace_size(
                &self,
                $($value: $Parameter,)*
                workspace_size: *mut u64,
                executor: *mut *mut aclOpExecutor,
            ) -> aclnnStatus {
                // SAFETY: the caller vouches for the arguments.
                unsafe { (self.get_workspace_size)($($value,)* workspace_size, executor) }
            }
        }

        impl<$($Parameter: FromArgument),*> PhaseOne
            for unsafe extern "C" fn($($Parameter,)* *mut u64, *mut *mut aclOpExecutor) -> aclnnStatus
        {
            #[inline]
            unsafe fn call(
                function: Untyped,
                arguments: &[Argument],
                workspace_size: *mut u64,
                executor: *mut *mut aclOpExecutor,
            ) -> Option<aclnnStatus> {
                let mut words = [Word { bits: 0 }; _];
                if !argument::put(arguments, const { &[$($Parameter::TAKEN),*] }, &mut words) {
                    return None;
                }
                let [$($value),*] = &words;
                // SAFETY: the caller vouches for the type and for the arguments, each of which is of its parameter's kind.
                Some(unsafe {
                    transmute::<Untyped, Self>(function)(
                        $(*(&raw const *$value as *const $Parameter),)* workspace_size, executor
                    )
                })
            }
        }
    };
}

phase_one! {
    P0 p0, P1 p1, P2 p2, P3 p3, P4 p4, P5 p5, P6 p6, P7 p7, P8 p8, P9 p9,
    P10 p10, P11 p11, P12 p12, P13 p13, P14 p14, P15 p15, P16 p16, P17 p17, P18 p18, P19 p19,
    P20 p20, P21 p21, P22 p22, P23 p23, P24 p24, P25 p25, P26 p26, P27 p27, P28 p28, P29 p29,
    P30 p30, P31 p31, P32 p32, P33 p33, P34 p34, P35 p35, P36 p36, P37 p37, P38 p38, P39 p39,
    P40 p40, P41 p41, P42 p42, P43 p43, P44 p44, P45 p45, P46 p46, P47 p47, P48 p48, P49 p49,
    P50 p50, P51 p51, P52 p52, P53 p53, P54 p54, P55 p55, P56 p56, P57 p57, P58 p58, P59 p59,
    P60 p60, P61 p61, P62 p62, P63 p63
}
