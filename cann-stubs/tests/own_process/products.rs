//! What differs from product to product. Expectations are typed from the printed rules.

use std::ffi::CStr;
use std::num::NonZero;
use std::ptr;

use aclnn_numerics::DType::{
    self, BF16, C32, C64, C128, F4E2M1, F8E5M2, F16, F32, F64, I16, I32, I64, U8, U16, U32, U64,
};
use aclnn_numerics::{Complex, Element, bf16, f16};
use aclnn_sys::*;

use cann_stubs::control::{self, Level};

use crate::support::child::{self, this_test};
use crate::support::*;

const INVALID: i32 = ACLNN_ERR_PARAM_INVALID;

/// Runs `body` on each product with its name.
fn on_each(test: &str, products: &[&str], body: impl Fn(&str)) {
    for product in products {
        child::with(test, &[("CANN_STUBS_SOC", product)], || {
            device();
            body(product);
        });
    }
}

const ALL: [&str; 4] = ["Ascend910", "Ascend310P", "Ascend910B", "Ascend950"];
const NEW: [&str; 2] = ["Ascend910B", "Ascend950"];

/// A tensor of one axis with these values.
fn of<T: Element>(values: &[T]) -> *mut aclTensor {
    let memory = malloc(std::mem::size_of_val(values));
    write(memory, values);
    tensor(T::DTYPE, &[values.len() as i64], memory)
}

fn out(dtype: DType, count: i64) -> *mut aclTensor {
    tensor(dtype, &[count], malloc(16 * count as usize))
}

fn values<T: Element>(tensor: *mut aclTensor, count: usize) -> Vec<T> {
    let mut memory = ptr::null_mut();
    // SAFETY: the tensor is live.
    ok(unsafe { EMULATOR.meta.aclGetRawTensorAddr(tensor, &mut memory) });
    read(memory, count)
}

/// Plans, launches and waits; the code of phase one.
macro_rules! run {
    ($operator:ident($($argument:expr),*)) => {{
        let operator = EMULATOR.operators.$operator().expect("declared");
        // SAFETY: the handles are the emulator's.
        let planned = plan(|size, executor| unsafe { operator.get_workspace_size($($argument,)* size, executor) });
        if planned.code == 0 {
            let workspace = if planned.workspace > 0 { malloc(planned.workspace as usize) } else { ptr::null_mut() };
            // SAFETY: the executor is live, the workspace as large as it asked for.
            ok(Ok::<_, ()>(unsafe {
                operator.launch(workspace, planned.workspace, planned.executor, ptr::null_mut())
            }));
            // SAFETY: null is the default stream.
            ok(unsafe { EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()) });
        }
        planned.code
    }};
}

fn acl(dtype: DType) -> aclDataType {
    aclDataType(dtype.acl_code().unwrap())
}

#[test]
fn products_say_what_they_are() {
    on_each(this_test!(), &ALL, |product| {
        let (name, has_bf16, padding) = match product {
            "Ascend910" => ("Ascend910A", 0, 32),
            "Ascend310P" => ("Ascend310P3", 0, 32),
            "Ascend910B" => ("Ascend910B1", 1, 32),
            _ => ("Ascend950PR", 1, 0),
        };
        // SAFETY: the name is a text that stays; the places are valid.
        unsafe {
            let told = CStr::from_ptr(EMULATOR.runtime.aclrtGetSocName().unwrap());
            assert_eq!(told.to_str(), Ok(name));
            let mut value = 9;
            ok(EMULATOR.runtime.aclGetCannAttribute(ACL_CANN_ATTR_BF16, &mut value));
            assert_eq!(value, has_bf16, "{product}");
            let (mut before, mut after, mut total) = (0, 0, 0);
            ok(EMULATOR.runtime.aclrtGetMemInfo(ACL_HBM_MEM, &mut before, &mut total));
            malloc(512);
            ok(EMULATOR.runtime.aclrtGetMemInfo(ACL_HBM_MEM, &mut after, &mut total));
            // Allocations start at multiples of 512.
            assert_eq!(before - after, (512_usize + padding).next_multiple_of(512), "{product}");
        }
    });
}

/// The gradient of a weight of volumes in groups has no deterministic kernel on the older products.
#[test]
fn deterministic_gradients_of_convolutions_in_groups() {
    on_each(this_test!(), &["Ascend910", "Ascend310P", "Ascend910B"], |product| {
        let volume = |dims: &[i64]| {
            let memory = malloc(16);
            write(memory, &[f16::ONE; 4]);
            formatted(ACL_FORMAT_NCDHW, F16, dims, None, 0, dims, memory)
        };
        // SAFETY: the values have the lengths that are passed.
        let (one, none, mask, without) = unsafe {
            let ints = |values: [i64; 3]| EMULATOR.meta.aclCreateIntArray(values.as_ptr(), 3).unwrap();
            let bools = |values: [bool; 3]| EMULATOR.meta.aclCreateBoolArray(values.as_ptr(), 3).unwrap();
            (ints([1; 3]), ints([0; 3]), bools([true; 3]), bools([true, false, true]))
        };
        let gradients = |groups: i32, mask: *mut aclBoolArray| {
            let (images, maps) = (volume(&[1, 2, 1, 1, 1]), volume(&[1, 2, 1, 1, 1]));
            let (own, out) =
                ([(); 2].map(|()| volume(&[2, 2 / i64::from(groups), 1, 1, 1])), volume(&[1, 2, 1, 1, 1]));
            let bias = formatted(ACL_FORMAT_ND, F16, &[2], None, 0, &[2], malloc(16));
            run!(ConvolutionBackward(
                maps,
                images,
                own[0],
                ptr::null(),
                one,
                none,
                one,
                false,
                none,
                groups,
                mask,
                0,
                out,
                own[1],
                bias
            ))
        };
        assert_eq!([gradients(2, mask), gradients(1, mask)], [0; 2], "{product}");
        // SAFETY: numbers alone are passed.
        ok(unsafe { EMULATOR.runtime.aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1) });
        let code = if product == "Ascend910B" { 0 } else { INVALID };
        assert_eq!(
            [gradients(2, mask), gradients(2, without), gradients(1, mask)],
            [code, 0, 0],
            "{product}"
        );
    });
}

#[test]
fn lists_of_types() {
    on_each(this_test!(), &ALL, |product| {
        let new = NEW.contains(&product);
        let code = |accepted: bool| if accepted { 0 } else { INVALID };
        let halves = of(&[bf16::ONE, bf16::ONE]);
        assert_eq!(run!(Add(halves, halves, scalar(1_f32), out(BF16, 2))), code(new), "{product}");
        let floats = of(&[1.5_f32, 2.5]);
        assert_eq!(run!(Cast(floats, acl(BF16), out(BF16, 2))), code(new), "{product}");
        assert_eq!(run!(InplaceFillScalar(out(U16, 2), scalar(7_u16))), code(new), "{product}");
        let (zero, two) = (scalar(0_f32), scalar(2_f32));
        assert_eq!(run!(Linspace(zero, two, 3, out(I64, 3))), code(new), "{product}");
        assert_eq!(run!(Arange(zero, two, scalar(1_f32), out(BF16, 2))), code(new), "{product}");
        // Zero takes bf16 and u16 on every product; One takes neither unsigned nor complex numbers.
        for (dtype, zeros, ones) in [
            (F32, true, true),
            (BF16, true, new),
            (U16, true, false),
            (U32, false, false),
            (U64, false, false),
            (C64, true, false),
            (C128, true, false),
        ] {
            let filled = out(dtype, 2);
            assert_eq!(run!(InplaceZero(filled)), code(zeros), "{product} {dtype}");
            assert_eq!(run!(InplaceOne(filled)), code(ones), "{product} {dtype}");
        }
        // On every product, whether it has bf16 or not.
        assert_eq!(run!(InplaceCopy(out(BF16, 2), floats)), 0, "{product}");
        assert_eq!(run!(Linspace(zero, two, 3, out(I32, 3))), 0, "{product}");
        // Half complex numbers and small floats are cast on the 950, to few types; elsewhere they are not in the list.
        let complex = of(&[Complex::new(f16::ONE, f16::ZERO); 2]);
        let cast = |from: *mut aclTensor, to: DType| run!(Cast(from, acl(to), out(to, 2)));
        if product == "Ascend950" {
            let codes = [C64, F16, F32, I32].map(|to| cast(complex, to));
            assert_eq!(codes, [0, 0, ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_INNER_NULLPTR]);
            assert_eq!(cast(floats, C32), ACLNN_ERR_INNER_NULLPTR);
            // A result is cast by the same kernels.
            let wide = of(&[Complex::new(1_f32, 2.0); 2]);
            let codes = [floats, wide].map(|from| run!(Neg(from, out(C32, 2))));
            assert_eq!(codes, [ACLNN_ERR_INNER_NULLPTR, 0]);
        } else {
            assert_eq!([cast(complex, C64), cast(floats, F8E5M2)], [INVALID, INVALID], "{product}");
        }
    });
}

/// The 910 and the 310P copy a result whose storage goes on behind it, and copies do not repeat.
#[test]
fn results_in_the_middle_of_their_storage() {
    on_each(this_test!(), &ALL, |product| {
        let copies = ["Ascend910", "Ascend310P"].contains(&product);
        let add = EMULATOR.operators.Add().expect("declared");
        let leaky_relu = EMULATOR.operators.LeakyRelu().expect("declared");
        let (a, one) = (of(&[1.0_f32, 2.0]), scalar(1.0_f32));
        for (offset, storage, copied) in [(0, 2, false), (2, 4, false), (0, 4, copies), (1, 4, copies)] {
            let out = strided(F32, &[2], None, offset, &[storage], malloc(64));
            // One after the other: an executor is made repeatable before another one is planned.
            for is_sum in [true, false] {
                // SAFETY: the handles are the emulator's, the places valid.
                let planned = plan(|size, executor| unsafe {
                    match is_sum {
                        true => add.get_workspace_size(a, a, one, out, size, executor),
                        false => leaky_relu.get_workspace_size(a, one, out, size, executor),
                    }
                });
                assert_eq!(planned.code, 0, "{}", planned.message);
                // SAFETY: the executor is live.
                let code = unsafe { EMULATOR.meta.aclSetAclOpExecutorRepeatable(planned.executor) };
                let expected = if copied { ACLNN_ERR_INNER } else { 0 };
                assert_eq!(code, Ok(expected), "{product}: {offset} of {storage}");
                // SAFETY: as above.
                ok(unsafe { EMULATOR.meta.aclDestroyAclOpExecutor(planned.executor) });
            }
        }
    });
}

/// Through a view that is not contiguous, the processors of the 910 and the 910B write; they lack these types.
#[test]
fn unsigned_numbers_through_a_view() {
    on_each(this_test!(), &ALL, |product| {
        let lacks = ["Ascend910", "Ascend910B"].contains(&product);
        for (dtype, unsigned) in [(I16, false), (U16, true), (U32, true), (U64, true), (U8, false)] {
            let view = strided(dtype, &[2], Some(&[2]), 0, &[4], malloc(64));
            let code = run!(InplaceCopy(view, of(&[1_u8, 2])));
            let expected = if lacks && unsigned { ACLNN_ERR_INNER_NULLPTR } else { 0 };
            assert_eq!(code, expected, "{product} {dtype}: {}", message());
            assert_eq!(run!(InplaceCopy(out(dtype, 2), of(&[1_u8, 2]))), 0, "{product} {dtype}");
        }
    });
}

/// The types of a tensor with a scalar, and the worked examples of addition.
#[test]
fn tensors_and_scalars() {
    on_each(this_test!(), &NEW, |product| {
        let is_950 = product == "Ascend950";
        let one = scalar(1_i32);
        // An f64 scalar beside integers: f64 before the 950, f32 there.
        let sum = out(F64, 1);
        assert_eq!(run!(Adds(of(&[1_i32]), scalar(0.1_f64), one, sum)), 0);
        let expected = if is_950 { f64::from(1.1_f32) } else { 1.1 };
        assert_eq!(values::<f64>(sum, 1), [expected], "{product}");
        // A scalar that f16 does not hold: 2048 + 2 before the 950, 2049 + 2 in f32 there.
        let sum = out(F32, 1);
        assert_eq!(run!(Adds(of(&[f16::from_f32(2.0)]), scalar(2049_i32), one, sum)), 0);
        assert_eq!(values::<f32>(sum, 1), [if is_950 { 2051.0 } else { 2050.0 }], "{product}");
        // Multiplication keeps a float scalar as f32 on the 950. 0.1 as f16 is 0.09998, and 3 times that is the f16 below.
        let scaled = out(F16, 1);
        assert_eq!(run!(Muls(of(&[f16::from_f32(3.0)]), scalar(0.1_f32), scaled)), 0);
        let [before, kept] = [0x34CC, 0x34CD];
        assert_eq!(values::<f16>(scaled, 1)[0].to_bits(), if is_950 { kept } else { before }, "{product}");
        // i32 tensor and f32 scalar: promoted to f32 on both.
        let sum = out(F32, 1);
        assert_eq!(run!(Adds(of(&[7_i32]), scalar(0.5_f32), one, sum)), 0);
        assert_eq!(values::<f32>(sum, 1), [7.5]);
        assert_eq!(run!(Adds(of(&[7_i32]), scalar(0.5_f32), one, out(I32, 1))), INVALID);
        // Muls checks nothing before the 950: the result is truncated into an integer output.
        let truncated = out(I32, 1);
        let code = run!(Muls(of(&[7_i32]), scalar(0.5_f32), truncated));
        assert_eq!(code, if is_950 { INVALID } else { 0 }, "{product}");
        if !is_950 {
            assert_eq!(values::<i32>(truncated, 1), [3]);
        }
    });
}

/// When alpha is one, and how it multiplies.
#[test]
fn alpha() {
    on_each(this_test!(), &NEW, |product| {
        let is_950 = product == "Ascend950";
        // Close to one in f64: counts as one before the 950, also for f64.
        let sum = out(F64, 1);
        assert_eq!(run!(Add(of(&[1.0_f64]), of(&[1.0_f64]), scalar(1.0 + 1e-9_f64), sum)), 0);
        assert_eq!(values::<f64>(sum, 1), [if is_950 { 1.0 + (1.0 + 1e-9) } else { 2.0 }], "{product}");
        // i32: alpha is f32 before the 950 and loses what f32 does not hold.
        let sum = out(I32, 1);
        assert_eq!(run!(Add(of(&[0_i32]), of(&[1_i32]), scalar(16_777_217_i64), sum)), 0);
        assert_eq!(values::<i32>(sum, 1), [if is_950 { 16_777_217 } else { 16_777_216 }], "{product}");
        // bf16: alpha 1.00390625 rounds to 1 before the 950; there 256 · alpha is 257 in f32, and 257 + 1 is 258.
        let sum = out(BF16, 1);
        let (own, other) = (bf16::from_f32(1.0), bf16::from_f32(256.0));
        assert_eq!(run!(Add(of(&[own]), of(&[other]), scalar(1.0 + 1.0 / 256.0_f32), sum)), 0);
        // 256 + 1 is a tie in bf16 and goes to the even 256.
        assert_eq!(values::<bf16>(sum, 1), [bf16::from_f32(if is_950 { 258.0 } else { 256.0 })], "{product}");
        // Reverse subtraction: self is multiplied.
        let difference = out(F32, 1);
        assert_eq!(run!(Rsub(of(&[2.0_f32]), of(&[10.0_f32]), scalar(3.0_f32), difference)), 0);
        assert_eq!(values::<f32>(difference, 1), [4.0]);
    });
}

/// Multiplication and division check an output of integers by rules of their own.
#[test]
fn results_that_become_integers() {
    on_each(this_test!(), &NEW, |product| {
        let is_950 = product == "Ascend950";
        let refused_there = |there: bool| if there == is_950 { INVALID } else { 0 };
        // Mul checks the result everywhere but on the 950.
        let truncated = out(I32, 1);
        let code = run!(Mul(of(&[2.5_f32]), of(&[3.0_f32]), truncated));
        assert_eq!(code, refused_there(false), "{product}");
        if is_950 {
            assert_eq!(values::<i32>(truncated, 1), [7]);
        }
        // Division of integers may end in integers, but not on the 950.
        let quotient = out(I32, 2);
        let code = run!(Div(of(&[7_i32, -7]), of(&[2_i32, 2]), quotient));
        assert_eq!(code, refused_there(true), "{product}");
        if !is_950 {
            assert_eq!(values::<i32>(quotient, 2), [3, -3]);
        }
        assert_eq!(run!(InplaceDiv(of(&[7_i32]), of(&[2_i32]))), refused_there(true), "{product}");
        let exact = out(F32, 2);
        assert_eq!(run!(Div(of(&[7_i32, -7]), of(&[2_i32, 2]), exact)), 0);
        assert_eq!(values::<f32>(exact, 2), [3.5, -3.5]);
    });
}

/// The 950 multiplies by a reciprocal, which is one unit off for 5 / 3.
#[test]
fn division_by_a_scalar() {
    on_each(this_test!(), &NEW, |product| {
        let quotient = out(F32, 1);
        assert_eq!(run!(Divs(of(&[5.0_f32]), scalar(3.0_f32), quotient)), 0);
        let expected: f32 = if product == "Ascend950" { 1.6666667 } else { 1.6666666 };
        assert_eq!(values::<f32>(quotient, 1), [expected], "{product}");
    });
}

#[test]
fn f64_becomes_bf16_by_one_rounding_on_the_950() {
    on_each(this_test!(), &NEW, |product| {
        // Just above the middle of two bf16: as f32 it is the middle, which goes to the even 1.
        let rounded = out(BF16, 1);
        assert_eq!(run!(Cast(of(&[1.0 + 1.0 / 256.0 + 2f64.powi(-40)]), acl(BF16), rounded)), 0);
        let expected = if product == "Ascend950" { 0x3F81 } else { 0x3F80 };
        assert_eq!(values::<bf16>(rounded, 1)[0].to_bits(), expected, "{product}");
    });
}

/// A tensor of one axis with these bytes as elements.
fn of_bytes(dtype: DType, bytes: &[u8]) -> *mut aclTensor {
    let memory = malloc(bytes.len());
    write(memory, bytes);
    tensor(dtype, &[(bytes.len() * 8 / dtype.bits()) as i64], memory)
}

#[test]
fn a_bool_byte_other_than_0_and_1_is_true_and_true_is_1() {
    on_each(this_test!(), &ALL, |product| {
        let bytes = [0_u8, 1, 2, 128, 255];
        let flags = of_bytes(DType::Bool, &bytes);
        let (integers, floats, bytes, bools, copy) =
            (out(I32, 5), out(F32, 5), out(DType::U8, 5), out(DType::Bool, 5), out(DType::Bool, 5));
        assert_eq!(run!(Cast(flags, acl(I32), integers)), 0, "{product}");
        assert_eq!(values::<i32>(integers, 5), [0, 1, 1, 1, 1]);
        assert_eq!(run!(Cast(flags, acl(F32), floats)), 0);
        assert_eq!(values::<f32>(floats, 5), [0.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(run!(Cast(flags, acl(DType::U8), bytes)), 0);
        assert_eq!(values::<u8>(bytes, 5), [0, 1, 1, 1, 1]);
        assert_eq!(run!(Cast(flags, acl(DType::Bool), bools)), 0);
        assert_eq!(values::<u8>(bools, 5), [0, 1, 1, 1, 1]);
        assert_eq!(run!(InplaceCopy(copy, flags)), 0);
        assert_eq!(values::<u8>(copy, 5), [0, 1, 1, 1, 1]);
        let sums = out(I32, 5);
        assert_eq!(run!(Add(flags, integers, scalar(1_i64), sums)), 0);
        assert_eq!(values::<i32>(sums, 5), [0, 2, 2, 2, 2]);
    });
}

/// The expectations are typed from the table of the encoding: prefix, exponent, fraction.
#[test]
fn hif8_and_fp8_are_cast_on_the_950() {
    on_each(this_test!(), &["Ascend950"], |_| {
        // 1, −0.5, a tie (1 + 1/16, away from zero), the smallest, below it, the largest, and beyond.
        let numbers = [1.0_f32, -0.5, 1.0625, 2f32.powi(-22), -(2f32.powi(-24)), 32768.0, 40960.0, f32::NAN];
        let codes = [0x08_u8, 0x98, 0x09, 0x01, 0x00, 0x6E, 0x6F, 0x80];
        let small = out(DType::HiF8, 8);
        assert_eq!(run!(Cast(of(&numbers), acl(DType::HiF8), small)), 0);
        assert_eq!(values::<u8>(small, 8), codes);
        let wide = out(BF16, 7);
        assert_eq!(run!(Cast(of_bytes(DType::HiF8, &codes[..7]), acl(BF16), wide)), 0);
        let expected = [1.0, -0.5, 1.125, 2f32.powi(-22), 0.0, 32768.0, f32::INFINITY].map(bf16::from_f32);
        assert_eq!(values::<bf16>(wide, 7), expected);
        let small = out(F8E5M2, 4);
        assert_eq!(run!(Cast(of(&[1.0_f32, 1.125, 57344.0, 1e9].map(f16::from_f32)), acl(F8E5M2), small)), 0);
        assert_eq!(values::<u8>(small, 4), [0x3C, 0x3C, 0x7B, 0x7C]);
        let exact = out(DType::HiF8, 2);
        assert_eq!(run!(Cast(of(&[2_i32, 3]), acl(DType::HiF8), exact)), ACLNN_ERR_INNER_NULLPTR);
        assert_eq!(run!(Cast(of_bytes(F8E5M2, &[0, 0]), acl(DType::HiF8), exact)), ACLNN_ERR_INNER_NULLPTR);
    });
}

/// Two elements to a byte, the first one low. The values are those of the formats' tables.
#[test]
fn packed_types_are_cast_on_the_950() {
    on_each(this_test!(), &["Ascend950"], |_| {
        // Longer than a block, and of odd length.
        let count = 10_001;
        let numbers: Vec<f32> = (0..count).map(|i| [0.5, -6.0, 2.6, 1e9, 0.0][i % 5]).collect();
        let codes = [0x1_u8, 0xF, 0x5, 0x7, 0x0];
        let packed: Vec<u8> = (0..count)
            .step_by(2)
            .map(|i| codes[i % 5] | if i + 1 < count { codes[(i + 1) % 5] << 4 } else { 0 })
            .collect();
        let small = tensor(DType::F4E2M1, &[count as i64], malloc(packed.len()));
        assert_eq!(run!(Cast(of(&numbers), acl(DType::F4E2M1), small)), 0);
        assert_eq!(values::<u8>(small, packed.len()), packed);
        let wide = out(F16, count as i64);
        assert_eq!(run!(Cast(small, acl(F16), wide)), 0);
        let expected: Vec<f16> =
            (0..count).map(|i| f16::from_f32([0.5, -6.0, 3.0, 6.0, 0.0][i % 5])).collect();
        assert_eq!(values::<f16>(wide, count), expected);
        // 0.5 1.5 / −0.25 in quarters, to HiF8 and back.
        let quarters = of_bytes(DType::F4E1M2, &[0x62, 0x09]);
        let hif8 = out(DType::HiF8, 4);
        assert_eq!(run!(Cast(quarters, acl(DType::HiF8), hif8)), 0);
        assert_eq!(values::<u8>(hif8, 4), [0x18, 0x0C, 0xB0, 0x00]);
        let back = tensor(DType::F4E1M2, &[4], malloc(2));
        assert_eq!(run!(Cast(hif8, acl(DType::F4E1M2), back)), 0);
        assert_eq!(values::<u8>(back, 2), [0x62, 0x09]);

        let nibbles = tensor(DType::I4, &[3], malloc(2));
        assert_eq!(run!(Cast(of(&[7_i32, -1, 24]), acl(DType::I4), nibbles)), 0);
        assert_eq!(values::<u8>(nibbles, 2), [0xF7, 0x08]);
        assert_eq!(run!(Cast(nibbles, acl(I32), out(I32, 3))), INVALID, "i4 is a target only");
        assert_eq!(
            run!(Cast(of(&[1_i64]), acl(DType::I4), tensor(DType::I4, &[1], malloc(1)))),
            ACLNN_ERR_INNER_NULLPTR
        );
    });
}

/// A block may begin within a byte of the source.
#[test]
fn packed_types_are_cast_in_blocks_of_any_length() {
    on_each(this_test!(), &["Ascend950"], |_| {
        let packed: Vec<u8> = (0..50).map(|byte| (byte * 37 % 251) as u8).collect();
        let source = of_bytes(DType::F4E2M1, &packed);
        let _cache = control::executor_cache(0);
        let cast_in = |block: usize| {
            let _loops = control::loops(0, NonZero::new(block).unwrap());
            let wide = out(F32, 100);
            assert_eq!(run!(Cast(source, acl(F32), wide)), 0);
            values::<f32>(wide, 100)
        };
        let expected = cast_in(1024);
        for block in [1, 3, 33] {
            assert_eq!(cast_in(block), expected, "blocks of {block}");
        }
    });
}

/// The source lies in the first half of the result, and is not changed before it was read.
#[test]
fn packed_elements_are_widened_over_themselves() {
    on_each(this_test!(), &["Ascend950"], |_| {
        let _check = control::check(Level::Off);
        let packed: Vec<u8> = (0..5000).map(|byte| (byte * 37 % 251) as u8).collect();
        let cast = |is_apart: bool| {
            let (memory, other) = (malloc(10_000), malloc(10_000));
            write(memory, &packed);
            let small = tensor(DType::F4E2M1, &[10_000], memory);
            let wide = tensor(DType::HiF8, &[10_000], if is_apart { other } else { memory });
            assert_eq!(run!(Cast(small, acl(DType::HiF8), wide)), 0);
            values::<u8>(wide, 10_000)
        };
        assert!(cast(false) == cast(true));
    });
}

#[test]
fn the_soc_is_called_as_it_was_set() {
    for (set, told) in [
        ("Ascend910B2", "Ascend910B2"),
        ("Ascend910B3", "Ascend910B3"),
        ("Ascend910B4", "Ascend910B4"),
        ("Ascend910_9362", "Ascend910_9362"),
        ("Ascend310P1", "Ascend310P1"),
        ("Ascend910ProA", "Ascend910ProA"),
        // A line stands for one of its models.
        ("Ascend910B", "Ascend910B1"),
        ("Ascend910_93", "Ascend910_9391"),
        ("Ascend950", "Ascend950PR"),
    ] {
        child::with(this_test!(), &[("CANN_STUBS_SOC", set)], || {
            // SAFETY: the name lives as long as the process.
            let name = unsafe { CStr::from_ptr(EMULATOR.runtime.aclrtGetSocName().expect("declared")) };
            assert_eq!(name.to_str(), Ok(told));
        });
    }
}

/// Two elements in a byte, the first one in the lower half: whole rows of bytes are joined and padded on the 950.
#[test]
fn elements_of_half_a_byte_are_moved_on_the_950() {
    on_each(this_test!(), &["Ascend950"], |_| {
        let packed = |dims: &[i64], bytes: &[u8]| {
            let memory = malloc(bytes.len());
            write(memory, bytes);
            tensor(F4E2M1, dims, memory)
        };
        let joined = |dim: i64, parts: &[*mut aclTensor], dims: &[i64], count: usize| {
            let out = tensor(F4E2M1, dims, malloc(count));
            let parts: Vec<*const aclTensor> = parts.iter().map(|part| part.cast_const()).collect();
            // SAFETY: so many live tensors, which are the list's from now on.
            let list =
                unsafe { EMULATOR.meta.aclCreateTensorList(parts.as_ptr(), parts.len() as u64) }.unwrap();
            let code = run!(Cat(list, dim, out));
            (code, values::<u8>(out, count))
        };
        let (wide, flat) = (|| packed(&[2, 4], &[0x21, 0x43, 0x65, 0x87]), || packed(&[1, 4], &[0xA9, 0xCB]));
        assert_eq!(joined(0, &[wide(), flat()], &[3, 4], 6), (0, vec![0x21, 0x43, 0x65, 0x87, 0xA9, 0xCB]));
        let narrow = || packed(&[2, 2], &[0xFE, 0xDC]);
        assert_eq!(joined(1, &[wide(), narrow()], &[2, 6], 6), (0, vec![0x21, 0x43, 0xFE, 0x65, 0x87, 0xDC]));
        let odd = || packed(&[2, 3], &[0x21, 0x43, 0x65]);
        assert_eq!(joined(0, &[odd(), odd()], &[4, 3], 6).0, 0);
        assert_eq!(joined(1, &[odd(), odd()], &[2, 6], 6).0, INVALID);
        let (pads, zero, one) = ([2_i64, 0], scalar(0_f32), scalar(1_f32));
        // SAFETY: two numbers, which are copied.
        let pads = unsafe { EMULATOR.meta.aclCreateIntArray(pads.as_ptr(), 2) }.unwrap();
        let out = tensor(F4E2M1, &[2, 6], malloc(6));
        assert_eq!(run!(ConstantPadNd(wide(), pads, zero, out)), 0);
        assert_eq!(values::<u8>(out, 6), [0, 0x21, 0x43, 0, 0x65, 0x87]);
        assert_eq!(run!(ConstantPadNd(wide(), pads, one, out)), INVALID);
    });
}

/// Before the 950 only the factor of minus infinity is clamped, and zero times infinity is NaN; the 950 limits the number to
/// −3 as well, so that the product is a negative zero.
#[test]
fn hardswish_of_minus_infinity() {
    fn at_minus_infinity<T: Element>(minus_infinity: T) -> f64
    where
        f64: From<T>,
    {
        let result = out(T::DTYPE, 1);
        assert_eq!(run!(Hardswish(of(&[minus_infinity]), result)), 0, "{}", T::DTYPE);
        f64::from(values::<T>(result, 1)[0])
    }
    on_each(this_test!(), &NEW, |product| {
        let results = [
            at_minus_infinity(f32::NEG_INFINITY),
            at_minus_infinity(f16::NEG_INFINITY),
            at_minus_infinity(bf16::NEG_INFINITY),
        ];
        let is_right = |result: &f64| match product {
            "Ascend950" => *result == 0.0 && result.is_sign_negative(),
            _ => result.is_nan(),
        };
        assert!(results.iter().all(is_right), "{product}: {results:?}");
    });
}
