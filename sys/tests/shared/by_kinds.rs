//! Arguments of every kind reach a C function as the values of its parameters.

#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::ffi::{CStr, c_char};
use std::mem::discriminant;
use std::ptr::{dangling, dangling_mut, null, null_mut};

use aclnn_sys::operators::{Argument, PhaseOne, Untyped};
use aclnn_sys::{
    aclBoolArray, aclDataType, aclFloatArray, aclIntArray, aclOpExecutor, aclScalar, aclScalarList,
    aclTensor, aclTensorList, aclnnStatus,
};

type Every = unsafe extern "C" fn(
    *const aclTensor,
    i8,
    *mut aclTensor,
    bool,
    *const aclTensorList,
    f32,
    i32,
    *const aclScalar,
    f64,
    *const aclScalarList,
    u32,
    *const aclIntArray,
    i64,
    *mut aclFloatArray,
    u64,
    *const aclBoolArray,
    aclDataType,
    *mut c_char,
    *mut u64,
    *mut *mut aclOpExecutor,
) -> aclnnStatus;

/// The arguments that [`every`] got.
#[derive(Debug, Clone, PartialEq)]
struct Got {
    pointers: [usize; 8],
    ints: [i64; 5],
    floats: (f32, f64),
    flag: bool,
    dtype: aclDataType,
    text: Option<String>,
}

thread_local! {
    static GOT: Cell<Option<Got>> = const { Cell::new(None) };
}

/// A C function with parameters of every type, more than registers hold.
unsafe extern "C" fn every(
    tensor: *const aclTensor,
    byte: i8,
    out: *mut aclTensor,
    flag: bool,
    tensors: *const aclTensorList,
    single: f32,
    int: i32,
    scalar: *const aclScalar,
    double: f64,
    scalars: *const aclScalarList,
    unsigned: u32,
    ints: *const aclIntArray,
    long: i64,
    floats: *mut aclFloatArray,
    unsigned_long: u64,
    bools: *const aclBoolArray,
    dtype: aclDataType,
    text: *mut c_char,
    workspace_size: *mut u64,
    _: *mut *mut aclOpExecutor,
) -> aclnnStatus {
    let pointers = [
        tensor.addr(),
        out.addr(),
        tensors.addr(),
        scalar.addr(),
        scalars.addr(),
        ints.addr(),
        floats.addr(),
        bools.addr(),
    ];
    let ints = [byte.into(), int.into(), unsigned.into(), long, unsigned_long as i64];
    // SAFETY: the test passes a C string, or nothing.
    let text = (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
    GOT.set(Some(Got { pointers, ints, floats: (single, double), flag, dtype, text }));
    // SAFETY: the test passes a place to write to.
    unsafe { *workspace_size = 96 };
    7
}

/// Calls [`every`]; returns its status, and what it got.
fn call(arguments: &[Argument]) -> (Option<aclnnStatus>, Option<Got>) {
    let mut size = 0;
    // SAFETY: the function has the type that it is called as.
    let status = unsafe {
        let function = std::mem::transmute::<Every, Untyped>(every);
        <Every as PhaseOne>::call(function, arguments, &mut size, &mut null_mut())
    };
    assert_eq!(size, if status.is_some() { 96 } else { 0 });
    (status, GOT.take())
}

fn arguments(text: *mut c_char) -> [Argument; 18] {
    [
        Argument::Tensor(dangling_mut::<u64>().cast()),
        Argument::Int(-3),
        Argument::Tensor(null_mut()),
        Argument::Bool(true),
        Argument::Tensors(dangling_mut::<u32>().cast()),
        Argument::Float(0.1),
        Argument::Int(i64::from(i32::MIN)),
        Argument::Scalar(dangling_mut::<u16>().cast()),
        Argument::Float(-0.1),
        Argument::Scalars(dangling_mut::<u64>().cast()),
        Argument::Int(i64::from(u32::MAX)),
        Argument::Ints(dangling_mut::<u32>().cast()),
        Argument::Int(i64::MIN),
        Argument::Floats(dangling_mut::<u16>().cast()),
        Argument::Int(-1),
        Argument::Bools(dangling_mut::<u64>().cast()),
        Argument::DType(aclDataType(27)),
        Argument::Text(text),
    ]
}

#[test]
fn arguments_of_every_kind_are_passed() {
    let [long, int, short] = [dangling::<u64>().addr(), dangling::<u32>().addr(), dangling::<u16>().addr()];
    let expected = Got {
        pointers: [long, null::<u8>().addr(), int, short, long, int, short, long],
        ints: [-3, i32::MIN.into(), u32::MAX.into(), i64::MIN, -1],
        // Rounded to the type of the parameter.
        floats: (0.1, -0.1),
        flag: true,
        dtype: aclDataType(27),
        text: Some("BSND".to_owned()),
    };
    assert_eq!(call(&arguments(c"BSND".as_ptr().cast_mut())), (Some(7), Some(expected)));
}

#[test]
fn a_null_pointer_is_one_of_any_type() {
    let mut arguments = arguments(null_mut());
    for place in [0, 4, 7, 9, 11, 13, 15, 17] {
        arguments[place] = Argument::Null;
    }
    let (status, got) = call(&arguments);
    let got = got.unwrap();
    assert_eq!((status, got.pointers, got.text), (Some(7), [0; 8], None));
    assert_eq!(got.ints, [-3, i32::MIN.into(), u32::MAX.into(), i64::MIN, -1]);
}

/// Nothing is called, for an argument of each other kind at each place, for one more and for one less. Null stands for every
/// pointer.
#[test]
fn arguments_of_other_kinds_are_refused() {
    let right = arguments(null_mut());
    let kinds = [
        Argument::Tensor(null_mut()),
        Argument::Tensors(null_mut()),
        Argument::Scalar(null_mut()),
        Argument::Scalars(null_mut()),
        Argument::Ints(null_mut()),
        Argument::Floats(null_mut()),
        Argument::Bools(null_mut()),
        Argument::Text(null_mut()),
        Argument::DType(aclDataType(1)),
        Argument::Int(2),
        Argument::Float(3.0),
        Argument::Bool(false),
        Argument::Null,
    ];
    let is_number = |argument: &Argument| {
        matches!(argument, Argument::Int(_) | Argument::Bool(_) | Argument::Float(_) | Argument::DType(_))
    };
    for (place, own) in right.iter().enumerate() {
        for other in kinds {
            let mut changed = right;
            changed[place] = other;
            let is_taken = match other {
                Argument::Null => !is_number(own),
                _ => discriminant(&other) == discriminant(own),
            };
            let (status, got) = call(&changed);
            assert_eq!(status, is_taken.then_some(7), "{other:?} in place of {own:?}");
            assert_eq!(got.is_some(), is_taken);
        }
    }
    assert_eq!(call(&right[..17]), (None, None));
    assert_eq!(call(&[&right[..], &[Argument::Null]].concat()), (None, None));
}
