//! A call of any declared operator by its name.

use super::*;

/// The type of a parameter, from an argument.
trait From: Sized {
    fn from(passed: Passed) -> Self;
}

macro_rules! from {
    ($($type:ty: $pattern:pat => $value:expr;)*) => {$(
        impl From for $type {
            fn from(passed: Passed) -> Self {
                match passed {
                    $pattern => $value,
                    _ => panic!("a case has an argument of another kind than its operator"),
                }
            }
        }
    )*};
}

from! {
    i64: Passed::Int(value) => value;
    u64: Passed::Int(value) => value as u64;
    i32: Passed::Int(value) => value as i32;
    i8: Passed::Int(value) => value as i8;
    f64: Passed::Float(value) => value;
    f32: Passed::Float(value) => value as f32;
    bool: Passed::Bool(value) => value;
    aclDataType: Passed::DType(dtype) => dtype;
}

macro_rules! pointers {
    ($($type:ident $variant:ident)*) => {$(
        impl From for *mut $type {
            fn from(passed: Passed) -> Self {
                match passed {
                    Passed::$variant(pointer) => pointer,
                    Passed::Null => ptr::null_mut(),
                    _ => panic!("a case has an argument of another kind than its operator"),
                }
            }
        }

        impl From for *const $type {
            fn from(passed: Passed) -> Self {
                <*mut $type as From>::from(passed)
            }
        }
    )*};
}

pointers! {
    aclTensor Tensor aclTensorList Tensors aclScalar Scalar aclScalarList Scalars
    aclIntArray Ints aclFloatArray Floats aclBoolArray Bools c_char Text
}

macro_rules! operators {
    (
        $family:ident, $Rule:ident:
        $(
            $(#[$doc:meta])*
            $function:ident $signature:tt {
                $($Name:ident = $c:literal ($($parameter:ident: $kind:ident),* $(,)?) $(since $since:literal)?;)*
            }
        )*
    ) => {
        fn $family(name: &str, arguments: &[Passed]) -> Option<Called> {
            match name {
                $($(stringify!($Name) => {
                    let operator = EMULATOR.operators.$Name().expect("declared");
                    let mut arguments = arguments.iter().copied();
                    $(let $parameter: parameter_type!($kind) = From::from(arguments.next().expect("an argument"));)*
                    // SAFETY: the handles are the emulator's; the places are valid.
                    let planned = plan(|size, executor| unsafe {
                        operator.get_workspace_size($($parameter,)* size, executor)
                    });
                    // SAFETY: of this operator.
                    Some(launched(planned, |memory, size, executor| unsafe {
                        operator.launch(memory, size, executor, ptr::null_mut())
                    }))
                })*)*
                _ => None,
            }
        }
    };
}

/// Expands to the calls of some families.
macro_rules! families {
    ($($family:ident by $operators:ident;)*) => {
        $(aclnn_sys::$operators!(operators);)*
        const FAMILIES: &[fn(&str, &[Passed]) -> Option<Called>] = &[$($family),*];
    };
}

families! {
    arithmetic by arithmetic_operators;
    binary by binary_operators;
    comparison by comparison_operators;
    histogram by histogram_operators;
    index by index_operators;
    matrix by matrix_operators;
    movement by movement_operators;
    pairwise by pairwise_operators;
    parametric by parametric_operators;
    several by several_operators;
    reduction by reduction_operators;
    scan by scan_operators;
    sorting by sorting_operators;
    unary by unary_operators;
}

pub(super) fn call(name: &str, arguments: &[Passed]) -> Called {
    let called = FAMILIES.iter().find_map(|family| family(name, arguments));
    called.unwrap_or_else(|| panic!("no operator {name}"))
}

fn launched(planned: Planned, launch: impl FnOnce(*mut c_void, u64, *mut aclOpExecutor) -> i32) -> Called {
    if planned.code == 0 {
        // Some operators that have nothing to do do not say how much they need.
        let needed = if planned.workspace == u64::MAX { 0 } else { planned.workspace };
        let memory = if needed > 0 { malloc(needed as usize) } else { ptr::null_mut() };
        assert_eq!(launch(memory, needed, planned.executor), 0, "{}", message());
        // SAFETY: null is the default stream.
        ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
        if !memory.is_null() {
            // SAFETY: nothing uses the memory any more.
            ok(unsafe { EMULATOR.runtime.aclrtFree(memory) });
        }
    }
    Called { code: planned.code, message: planned.message }
}
