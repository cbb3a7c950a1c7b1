//! Add, Sub, Rsub, Mul and Div over every pair of types and every kind of layout, against golden vectors that NumPy and
//! ml_dtypes made (`xtask/golden/arithmetic.py`).

use std::ffi::c_void;
use std::ptr;

use crate::support::cases::call;
use crate::support::golden::{Reader, same, show};
use crate::support::*;
use aclnn_numerics::DType::{self, BF16, F16, F32};
use aclnn_numerics::{Element, bf16, f16};
use aclnn_sys::operators::Argument as Passed;
use aclnn_sys::*;

/// A byte that no result of a test leaves in a gap by accident.
const UNTOUCHED: u8 = 0xA5;

/// Plans and launches an operator of the family; returns the code of phase one.
fn run(
    operation: &str,
    own: *const aclTensor,
    other: Operand,
    alpha: *const aclScalar,
    out: *mut aclTensor,
) -> i32 {
    let operators = &EMULATOR.operators;
    let one = if alpha.is_null() { scalar(1_i64) } else { alpha.cast_mut() };
    macro_rules! call {
        ($operator:ident, $($argument:expr),*) => {{
            let operator = operators.$operator().expect("declared");
            // SAFETY: the handles are the emulator's; the places are valid.
            let planned = plan(|size, executor| unsafe { operator.get_workspace_size($($argument,)* size, executor) });
            if planned.code == 0 {
                let workspace = if planned.workspace > 0 { malloc(planned.workspace as usize) } else { ptr::null_mut() };
                // SAFETY: the executor is live, the workspace as large as it asked for.
                let code = unsafe { operator.launch(workspace, planned.workspace, planned.executor, ptr::null_mut()) };
                assert_eq!(code, 0, "{}", message());
                // SAFETY: null is the default stream.
                ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
                free(workspace);
            }
            planned.code
        }};
    }
    match (operation, other) {
        ("add", Operand::Tensor(other)) => call!(Add, own, other, one, out),
        ("sub", Operand::Tensor(other)) => call!(Sub, own, other, one, out),
        ("rsub", Operand::Tensor(other)) => call!(Rsub, own, other, one, out),
        ("mul", Operand::Tensor(other)) => call!(Mul, own, other, out),
        ("div", Operand::Tensor(other)) => call!(Div, own, other, out),
        ("add", Operand::Scalar(other)) => call!(Adds, own, other, one, out),
        ("sub", Operand::Scalar(other)) => call!(Subs, own, other, one, out),
        ("mul", Operand::Scalar(other)) => call!(Muls, own, other, out),
        ("div", Operand::Scalar(other)) => call!(Divs, own, other, out),
        ("add", Operand::Into(other)) => call!(InplaceAdd, own, other, one),
        ("sub", Operand::Into(other)) => call!(InplaceSub, out, other, one),
        ("mul", Operand::Into(other)) => call!(InplaceMul, out, other),
        ("div", Operand::Into(other)) => call!(InplaceDiv, out, other),
        other => panic!("no such operator: {}", other.0),
    }
}

#[derive(Clone, Copy)]
enum Operand {
    Tensor(*const aclTensor),
    Scalar(*const aclScalar),
    /// The operator writes to its first operand.
    Into(*const aclTensor),
}

fn free(memory: *mut c_void) {
    if !memory.is_null() {
        // SAFETY: nothing uses the memory any more.
        ok(unsafe { EMULATOR.runtime.aclrtFree(memory) });
    }
}

fn on_device(bytes: &[u8]) -> *mut c_void {
    let memory = malloc(bytes.len().max(1));
    if !bytes.is_empty() {
        write(memory, bytes);
    }
    memory
}

/// One pair of types: ten values of each and the hundred results.
struct Pair<'a> {
    operation: &'static str,
    types: [DType; 2],
    result: DType,
    a: &'a [u8],
    b: &'a [u8],
    expected: &'a [u8],
}

impl Pair<'_> {
    /// Element `index` of a vector of this type.
    fn element(dtype: DType, values: &[u8], index: usize) -> &[u8] {
        let size = dtype.bits() / 8;
        &values[index * size..][..size]
    }

    /// A matrix of ten by ten: `pick` tells which value stands at a row and a column.
    fn matrix(dtype: DType, values: &[u8], pick: fn(usize, usize) -> usize) -> Vec<u8> {
        let places = (0..10).flat_map(|row| (0..10).map(move |column| (row, column)));
        places.flat_map(|(row, column)| Self::element(dtype, values, pick(row, column)).to_vec()).collect()
    }

    fn check(&self, layout: &str, got: &[u8], cells: impl Iterator<Item = (usize, usize)>) {
        let size = self.result.bits() / 8;
        for ((row, column), got) in cells.zip(got.chunks(size)) {
            let expected = Self::element(self.result, self.expected, row * 10 + column);
            let [a, b] = self.types;
            assert!(
                same(self.result, got, expected),
                "{layout}: {} of {a} {} and {b} {} is {}, not {}",
                self.operation,
                show(a, Self::element(a, self.a, row)),
                show(b, Self::element(b, self.b, column)),
                show(self.result, got),
                show(self.result, expected)
            );
        }
    }

    /// Runs over operands of the given layouts and returns the storage of the result.
    fn run(&self, own: View<'_>, other: View<'_>, out: View<'_>) -> Vec<u8> {
        let memories = [own.bytes, other.bytes, out.bytes].map(on_device);
        let tensors = [own.describe(self.types[0], memories[0]), other.describe(self.types[1], memories[1])];
        let result = out.describe(self.result, memories[2]);
        let code = run(self.operation, tensors[0], Operand::Tensor(tensors[1]), ptr::null(), result);
        assert_eq!(code, 0, "{} of {:?}: {}", self.operation, self.types, message());
        let storage = read::<u8>(memories[2], out.bytes.len());
        memories.into_iter().for_each(free);
        [tensors[0], tensors[1], result].into_iter().for_each(|tensor| {
            // SAFETY: the tensor is live and not used again.
            ok(unsafe { EMULATOR.meta.aclDestroyTensor(tensor) });
        });
        storage
    }
}

/// A tensor to be made: storage, sizes, strides and offset.
#[derive(Clone, Copy)]
struct View<'a> {
    bytes: &'a [u8],
    dims: &'a [i64],
    strides: Option<&'a [i64]>,
    offset: i64,
}

impl<'a> View<'a> {
    fn plain(bytes: &'a [u8], dims: &'a [i64]) -> Self {
        View { bytes, dims, strides: None, offset: 0 }
    }

    fn describe(&self, dtype: DType, memory: *mut c_void) -> *mut aclTensor {
        let storage = [(self.bytes.len() / (dtype.bits() / 8)) as i64];
        strided(dtype, self.dims, self.strides, self.offset, &storage, memory)
    }
}

fn all_cells() -> impl Iterator<Item = (usize, usize)> {
    (0..10).flat_map(|row| (0..10).map(move |column| (row, column)))
}

fn each_pair(mut visit: impl FnMut(&Pair<'_>)) {
    let _device = Device::set();
    let mut file = Reader(include_bytes!("../data/arithmetic_pairs.bin"));
    let mut pairs = 0;
    while !file.is_empty() {
        let operation = file.operation();
        let types = [file.dtype(), file.dtype()];
        let by_library = file.byte() == 0;
        let result = file.dtype();
        let (a, b) = (file.elements(types[0], 10), file.elements(types[1], 10));
        let expected = file.elements(result, 100);
        if by_library {
            visit(&Pair { operation, types, result, a, b, expected });
            pairs += 1;
        }
    }
    assert_eq!(pairs, 4 * 144 + 121, "four operators take twelve types, reverse subtraction eleven");
}

#[test]
fn same_shape() {
    each_pair(|pair| {
        let a = Pair::matrix(pair.types[0], pair.a, |row, _| row);
        let b = Pair::matrix(pair.types[1], pair.b, |_, column| column);
        let out = vec![UNTOUCHED; pair.expected.len()];
        let dims = [10, 10];
        let got = pair.run(View::plain(&a, &dims), View::plain(&b, &dims), View::plain(&out, &dims));
        pair.check("same shape", &got, all_cells());
    });
}

#[test]
fn broadcast() {
    each_pair(|pair| {
        let out = vec![UNTOUCHED; pair.expected.len()];
        let got =
            pair.run(View::plain(pair.a, &[10, 1]), View::plain(pair.b, &[10]), View::plain(&out, &[10, 10]));
        pair.check("broadcast", &got, all_cells());
    });
}

#[test]
fn without_axes() {
    each_pair(|pair| {
        for index in [2, 4, 5] {
            let (a, b) = (
                Pair::element(pair.types[0], pair.a, index),
                Pair::element(pair.types[1], pair.b, 9 - index),
            );
            let out = vec![UNTOUCHED; pair.result.bits() / 8];
            let got = pair.run(View::plain(a, &[]), View::plain(b, &[]), View::plain(&out, &[]));
            pair.check("without axes", &got, [(index, 9 - index)].into_iter());
        }
        let (b, out) =
            (Pair::element(pair.types[1], pair.b, 3), vec![UNTOUCHED; pair.result.bits() / 8 * 10]);
        let got = pair.run(View::plain(pair.a, &[10]), View::plain(b, &[]), View::plain(&out, &[10]));
        pair.check("a tensor without axes beside one with", &got, (0..10).map(|row| (row, 3)));
    });
}

#[test]
fn empty() {
    each_pair(|pair| {
        let out = [UNTOUCHED; 16];
        let got =
            pair.run(View::plain(&[], &[0, 10]), View::plain(pair.b, &[10]), View::plain(&out, &[0, 10]));
        assert_eq!(got, out, "nothing is written");
    });
}

#[test]
fn transposed_input() {
    each_pair(|pair| {
        // The storage holds the transpose of what the view shows.
        let a = Pair::matrix(pair.types[0], pair.a, |_, column| column);
        let b = Pair::matrix(pair.types[1], pair.b, |row, _| row);
        let out = vec![UNTOUCHED; pair.expected.len()];
        let dims = [10, 10];
        let turned = |bytes| View { bytes, dims: &[10, 10], strides: Some(&[1, 10]), offset: 0 };
        let got = pair.run(turned(&a), turned(&b), View::plain(&out, &dims));
        pair.check("transposed", &got, all_cells());
    });
}

#[test]
fn output_with_gaps() {
    each_pair(|pair| {
        let size = pair.result.bits() / 8;
        let out = vec![UNTOUCHED; (3 + 9 * 24 + 9 * 2 + 5) * size];
        let view = View { bytes: &out, dims: &[10, 10], strides: Some(&[24, 2]), offset: 3 };
        let storage = pair.run(View::plain(pair.a, &[10, 1]), View::plain(pair.b, &[10]), view);
        let mut elements: Vec<&[u8]> = storage.chunks(size).collect();
        let place = |(row, column): (usize, usize)| 3 + row * 24 + column * 2;
        let got: Vec<u8> = all_cells().flat_map(|cell| elements[place(cell)].to_vec()).collect();
        pair.check("output with gaps", &got, all_cells());
        let untouched = vec![UNTOUCHED; size];
        all_cells().for_each(|cell| elements[place(cell)] = &untouched);
        assert!(elements.iter().all(|element| *element == untouched), "the gaps keep their bytes");
    });
}

#[test]
fn in_place() {
    each_pair(|pair| {
        // The golden results are not converted: those of another type than the first operand stand for no in-place call.
        if pair.operation == "rsub" || pair.result != pair.types[0] {
            return;
        }
        let a = Pair::matrix(pair.types[0], pair.a, |row, _| row);
        let memories = [&a[..], pair.b].map(on_device);
        let own = tensor(pair.types[0], &[10, 10], memories[0]);
        let other = tensor(pair.types[1], &[10], memories[1]);
        assert_eq!(run(pair.operation, own, Operand::Into(other), ptr::null(), own), 0, "{}", message());
        pair.check("in place", &read::<u8>(memories[0], a.len()), all_cells());
        memories.into_iter().for_each(free);
    });
}

#[test]
fn alpha() {
    let _device = Device::set();
    let mut file = Reader(include_bytes!("../data/arithmetic_alpha.bin"));
    let mut cases = 0;
    while !file.is_empty() {
        let (operation, dtype, alpha_type) = (file.operation(), file.dtype(), file.dtype());
        let alpha = file.elements(alpha_type, 1);
        let (a, b, expected) = (file.elements(dtype, 10), file.elements(dtype, 10), file.elements(dtype, 10));
        let memories = [a, b, &vec![UNTOUCHED; a.len()]].map(on_device);
        let tensors = memories.map(|memory| tensor(dtype, &[10], memory));
        let code =
            run(operation, tensors[0], Operand::Tensor(tensors[1]), scalar_of(alpha_type, alpha), tensors[2]);
        assert_eq!(code, 0, "{}", message());
        let got = read::<u8>(memories[2], a.len());
        assert!(
            same(dtype, &got, expected),
            "{operation} of {dtype} with alpha {alpha_type} {}: {}, not {}",
            show(alpha_type, alpha),
            show(dtype, &got),
            show(dtype, expected)
        );
        memories.into_iter().for_each(free);
        cases += 1;
    }
    assert!(cases > 90, "{cases} cases");
}

fn scalar_of(dtype: DType, value: &[u8]) -> *mut aclScalar {
    let code = aclDataType(dtype.acl_code().expect("an ACL type"));
    // SAFETY: the value has the size of its type.
    unsafe { EMULATOR.meta.aclCreateScalar(value.as_ptr().cast_mut().cast(), code) }.expect("declared")
}

#[test]
fn a_scalar_beside_a_tensor() {
    let _device = Device::set();
    let mut file = Reader(include_bytes!("../data/arithmetic_scalars.bin"));
    let mut cases = 0;
    while !file.is_empty() {
        let (operation, dtype, scalar_type, outcome, result) =
            (file.operation(), file.dtype(), file.dtype(), file.byte(), file.byte());
        let value = scalar_of(scalar_type, file.elements(scalar_type, 1));
        let name = format!("{operation} of {dtype} and a scalar of {scalar_type}");
        if outcome != 1 {
            let expected = if outcome == 0 { ACLNN_ERR_PARAM_INVALID } else { ACLNN_ERR_INNER_NULLPTR };
            let own = tensor(dtype, &[10], ptr::null_mut());
            let out = tensor(DType::C128, &[10], ptr::null_mut());
            let code = run(operation, own, Operand::Scalar(value), ptr::null(), out);
            assert_eq!(code, expected, "{name}");
            cases += 1;
            continue;
        }
        let result = DType::from_acl_code(result.into()).expect("a type of CANN");
        let (a, expected) = (file.elements(dtype, 10), file.elements(result, 10));
        let memories = [a, &vec![UNTOUCHED; expected.len()]].map(on_device);
        let (own, out) = (tensor(dtype, &[10], memories[0]), tensor(result, &[10], memories[1]));
        assert_eq!(run(operation, own, Operand::Scalar(value), ptr::null(), out), 0, "{name}: {}", message());
        let got = read::<u8>(memories[1], expected.len());
        assert!(
            same(result, &got, expected),
            "{name}: {}, not {}",
            show(result, &got),
            show(result, expected)
        );
        memories.into_iter().for_each(free);
        cases += 1;
    }
    assert_eq!(cases, 4 * 12 * 15);
}

/// The kernel of products takes f32 beside a half as they are, so that nothing is cast into a workspace. Sums cast.
#[test]
fn a_product_of_f32_and_a_half_needs_no_workspace() {
    device();
    let workspace = |name: &str, dtypes: [DType; 2], strides: &[i64]| {
        let of = |dtype| strided(dtype, &[8], Some(strides), 0, &[16], malloc(64));
        let [a, b] = dtypes.map(|dtype| Passed::Tensor(of(dtype)));
        let out = Passed::Tensor(tensor(F32, &[8], malloc(32)));
        let arguments =
            if name == "Mul" { vec![a, b, out] } else { vec![a, b, Passed::Scalar(scalar(1_f32)), out] };
        let operator = EMULATOR.operators.by_name(name).unwrap().unwrap();
        // SAFETY: the handles are the emulator's; the places are valid.
        let planned = plan(|size, executor| unsafe {
            operator.get_workspace_size(&arguments, size, executor).unwrap()
        });
        assert_eq!(planned.code, 0, "{}", planned.message);
        // SAFETY: the executor is live, and is not launched.
        ok(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(planned.executor) });
        planned.workspace
    };
    for pair in [[F32, F16], [F16, F32], [F32, BF16], [BF16, F32]] {
        assert_eq!(workspace("Mul", pair, &[1]), 0, "{pair:?}");
        assert!(workspace("Mul", pair, &[2]) > 0, "{pair:?}");
        assert!(workspace("Add", pair, &[1]) > 0, "{pair:?}");
    }
    assert!(workspace("Mul", [F16, BF16], &[1]) > 0);
}

/// The product needs no workspace, and is computed without one. The results are products of f32, which Rust computes here.
#[test]
fn a_product_of_f32_and_a_half_runs_without_a_workspace() {
    device();
    let single = [1.000_000_1_f32, -3.3, 1e-30, f32::INFINITY];
    let half = [0.5_f32, 3.0, -2.0, 0.25];
    let store = |dtype: DType, values: &[f32; 4]| {
        let memory = malloc(16);
        match dtype {
            F16 => write(memory, &values.map(f16::from_f32)),
            BF16 => write(memory, &values.map(bf16::from_f32)),
            _ => write(memory, values),
        }
        Passed::Tensor(tensor(dtype, &[4], memory))
    };
    for of in [F16, BF16] {
        let pairs = [[store(F32, &single), store(of, &half)], [store(of, &half), store(F32, &single)]];
        for [a, b] in pairs {
            let out = malloc(16);
            let operator = EMULATOR.operators.by_name("Mul").unwrap().unwrap();
            let arguments = [a, b, Passed::Tensor(tensor(F32, &[4], out))];
            // SAFETY: the handles are the emulator's; the places are valid.
            let planned = plan(|size, executor| unsafe {
                operator.get_workspace_size(&arguments, size, executor).unwrap()
            });
            assert_eq!((planned.code, planned.workspace), (0, 0), "{of}: {}", planned.message);
            let launch = operator.launcher();
            // SAFETY: the executor is live, and asked for no workspace.
            ok(Ok::<_, ()>(unsafe { launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()) }));
            // SAFETY: null is the default stream.
            ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
            let expected: Vec<f32> = single.iter().zip(half).map(|(a, b)| a * b).collect();
            assert_eq!(read::<f32>(out, 4), expected, "{of}");
        }
    }
}

/// The remainder of an integer that is divided by zero is that integer, as the documentation of these operators says, and the
/// stream goes on. The smallest integer leaves nothing by −1, as in NumPy.
#[test]
fn integer_remainders_by_zero_give_a_value() {
    fn check<T: Element + PartialEq + std::fmt::Debug>(values: [T; 3], by: [T; 3], zero: T) {
        let store = |values: &[T]| {
            let memory = malloc(size_of_val(values));
            write(memory, values);
            memory
        };
        let of = |memory| Passed::Tensor(tensor(T::DTYPE, &[3], memory));
        let left = |name: &str, own: Passed, other: Passed| {
            let out = store(&[values[0]; 3]);
            let called = call(name, &[own, other, of(out)]);
            assert_eq!(called.code, 0, "{name}, {}: {}", T::DTYPE, called.message);
            read::<T>(out, 3)
        };
        for name in ["FmodTensor", "RemainderTensorTensor"] {
            let left = left(name, of(store(&values)), of(store(&by)));
            assert_eq!(left, [values[0], values[1], zero], "{name}, {}", T::DTYPE);
        }
        for name in ["FmodScalar", "RemainderTensorScalar"] {
            let left = left(name, of(store(&values)), Passed::Scalar(scalar(zero)));
            assert_eq!(left, values, "{name}, {}", T::DTYPE);
        }
        let left = left("RemainderScalarTensor", Passed::Scalar(scalar(values[0])), of(store(&[zero; 3])));
        assert_eq!(left, [values[0]; 3], "{}", T::DTYPE);
    }
    device();
    check([7_i8, -7, i8::MIN], [0, 0, -1], 0);
    check([7_i16, -7, i16::MIN], [0, 0, -1], 0);
    check([7_i32, -7, i32::MIN], [0, 0, -1], 0);
    check([7_i64, -7, i64::MIN], [0, 0, -1], 0);
    check([7_u8, 255, 6], [0, 0, 3], 0);
}
