//! Calls of operators by their names, for programs that take both from data.

use std::ffi::c_char;
use std::mem::transmute;

use super::pair::{Pair, Untyped};
use crate::families::OperatorInfo;
use crate::{
    Launch, aclBoolArray, aclDataType, aclFloatArray, aclIntArray, aclOpExecutor, aclScalar, aclScalarList,
    aclTensor, aclTensorList, aclnnStatus,
};

/// An argument of an operator that is called by its name.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "each is the C type of its name")]
pub enum Argument {
    Tensor(*mut aclTensor),
    Tensors(*mut aclTensorList),
    Scalar(*mut aclScalar),
    Scalars(*mut aclScalarList),
    Ints(*mut aclIntArray),
    Floats(*mut aclFloatArray),
    Bools(*mut aclBoolArray),
    /// A C string.
    Text(*mut c_char),
    DType(aclDataType),
    /// An integer of any width; the bits that a parameter has no place for are dropped.
    Int(i64),
    /// A number that a parameter of type `float` rounds.
    Float(f64),
    Bool(bool),
    /// A null pointer of any type.
    Null,
}

/// The type of a parameter, taken from an argument of the same kind.
pub trait FromArgument: Sized {
    fn from_argument(argument: Argument) -> Option<Self>;
}

macro_rules! numbers {
    ($($type:ty: $variant:ident($value:ident) => $made:expr;)*) => {$(
        impl FromArgument for $type {
            fn from_argument(argument: Argument) -> Option<Self> {
                match argument {
                    Argument::$variant($value) => Some($made),
                    _ => None,
                }
            }
        }
    )*};
}

numbers! {
    i64: Int(value) => value;
    u64: Int(value) => value as u64;
    i32: Int(value) => value as i32;
    u32: Int(value) => value as u32;
    i8: Int(value) => value as i8;
    f64: Float(value) => value;
    f32: Float(value) => value as f32;
    bool: Bool(value) => value;
    aclDataType: DType(value) => value;
}

macro_rules! pointers {
    ($($type:ident $variant:ident)*) => {$(
        impl FromArgument for *mut $type {
            fn from_argument(argument: Argument) -> Option<Self> {
                match argument {
                    Argument::$variant(pointer) => Some(pointer),
                    Argument::Null => Some(std::ptr::null_mut()),
                    _ => None,
                }
            }
        }

        impl FromArgument for *const $type {
            fn from_argument(argument: Argument) -> Option<Self> {
                <*mut $type>::from_argument(argument).map(<*mut $type>::cast_const)
            }
        }
    )*};
}

pointers! {
    aclTensor Tensor aclTensorList Tensors aclScalar Scalar aclScalarList Scalars
    aclIntArray Ints aclFloatArray Floats aclBoolArray Bools c_char Text
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
        impl<$($Parameter: FromArgument),*> PhaseOne
            for unsafe extern "C" fn($($Parameter,)* *mut u64, *mut *mut aclOpExecutor) -> aclnnStatus
        {
            unsafe fn call(
                function: Untyped,
                arguments: &[Argument],
                workspace_size: *mut u64,
                executor: *mut *mut aclOpExecutor,
            ) -> Option<aclnnStatus> {
                let [$($value),*] = arguments else { return None };
                $(let $value = $Parameter::from_argument(*$value)?;)*
                // SAFETY: the caller vouches for the type and for the arguments.
                Some(unsafe { transmute::<Untyped, Self>(function)($($value,)* workspace_size, executor) })
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

/// The two functions of an operator that was found by its name.
#[derive(Debug, Clone, Copy)]
pub struct ByName {
    info: &'static OperatorInfo,
    pair: Pair,
    caller: Caller,
}

impl ByName {
    #[inline]
    pub(super) fn new(info: &'static OperatorInfo, pair: Pair, caller: Caller) -> Self {
        Self { info, pair, caller }
    }

    /// Returns the metadata of the operator.
    pub fn info(&self) -> &'static OperatorInfo {
        self.info
    }

    /// Runs phase one; `None` if the arguments are not as many as the parameters, or not of their kinds.
    ///
    /// # Safety
    /// As for `get_workspace_size` of the operator.
    pub unsafe fn get_workspace_size(
        &self,
        arguments: &[Argument],
        workspace_size: *mut u64,
        executor: *mut *mut aclOpExecutor,
    ) -> Option<aclnnStatus> {
        // SAFETY: `caller` is that of the declaration by which the pair was found; the caller vouches for the arguments.
        unsafe { (self.caller)(self.pair.get_workspace_size, arguments, workspace_size, executor) }
    }

    /// Returns the function of phase two.
    pub fn launcher(&self) -> Launch {
        self.pair.launch
    }
}
