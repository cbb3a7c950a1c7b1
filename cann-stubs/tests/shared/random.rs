//! Random numbers of large tensors. What each number is, golden cases check; here are properties of many.

use std::collections::HashSet;
use std::ptr;

use aclnn_numerics::DType::{F32, I64, U8};
use aclnn_sys::ACLNN_ERR_PARAM_INVALID;
use aclnn_sys::operators::Argument;

use crate::support::cases::call;
use crate::support::runtime::create_stream;
use crate::support::*;

/// Elements enough for several threads, and no multiple of any block.
const COUNT: usize = 1 << 19 | 5;

/// Draws numbers of f32 into a tensor of `dims` with these strides, whose storage has `storage` elements.
fn uniform(seed: u64, offset: u64, dims: &[i64], strides: &[i64], storage: usize) -> Vec<f32> {
    let memory = malloc(4 * storage);
    let own = strided(F32, dims, Some(strides), 0, &[storage as i64], memory);
    let operator = EMULATOR.operators.InplaceUniform().expect("declared");
    // SAFETY: the handles are the emulator's, the places valid; null is the default stream.
    unsafe {
        let planned =
            plan(|size, executor| operator.get_workspace_size(own, 0.0, 1.0, seed, offset, size, executor));
        assert_eq!(planned.code, 0, "{}", planned.message);
        assert_eq!(operator.launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()), 0);
        ok(EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()));
    }
    let numbers = read(memory, storage);
    // SAFETY: nothing uses it any more.
    ok(unsafe { EMULATOR.runtime.aclrtFree(memory) });
    numbers
}

fn dense(seed: u64, offset: u64, count: usize) -> Vec<f32> {
    uniform(seed, offset, &[count as i64], &[1], count)
}

#[test]
fn random_numbers_depend_on_the_number_of_the_element_alone() {
    let _device = Device::set();
    let expected = dense(5, 6, COUNT);
    assert_eq!(dense(5, 6, COUNT), expected);
    assert_eq!(dense(5, 6, 1001), expected[..1001]);
    let spread = uniform(5, 6, &[COUNT as i64], &[2], 2 * COUNT);
    assert!(spread.iter().step_by(2).eq(&expected));
    let (rows, columns) = (511, 1021);
    let turned = uniform(5, 6, &[rows as i64, columns as i64], &[1, rows as i64], rows * columns);
    let is_same = |(index, number): (usize, &f32)| {
        let (row, column) = (index % rows, index / rows);
        *number == expected[row * columns + column]
    };
    assert!(turned.iter().enumerate().all(is_same));
}

/// Of 2²³ fractions, `COUNT` draws meet 508,245 in the mean, with a standard deviation of 122: 2²³ (1 − (1 − 2⁻²³)^COUNT). A
/// repeated stretch would lead out of five of those.
#[test]
fn random_numbers_are_in_range_and_repeat_as_seldom_as_they_should() {
    let _device = Device::set();
    let numbers = dense(1, 0, COUNT);
    assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
    let different = numbers.iter().map(|number| number.to_bits()).collect::<HashSet<_>>().len();
    assert!(different.abs_diff(508_245) < 608, "{different}");
    // The standard error of the mean is 0.0004, that of the variance 0.0001, and that of a correlation 0.0014.
    let wide = || numbers.iter().map(|number| f64::from(*number));
    let mean = wide().sum::<f64>() / COUNT as f64;
    let variance = wide().map(|number| (number - mean).powi(2)).sum::<f64>() / COUNT as f64;
    assert!((mean - 0.5).abs() < 0.002 && (variance - 1.0 / 12.0).abs() < 0.0005, "{mean} {variance}");
    // What other seeds and offsets draw is not correlated.
    for other in [dense(2, 0, COUNT), dense(1, 1, COUNT), dense(1 << 32, 0, COUNT), dense(1, 1 << 32, COUNT)]
    {
        let product = wide().zip(&other).map(|(a, b)| (a - 0.5) * (f64::from(*b) - 0.5)).sum::<f64>();
        assert!((12.0 * product / COUNT as f64).abs() < 0.007, "{product}");
    }
}

/// Seeds of more than 63 bits are not cut off.
#[test]
fn every_bit_of_a_seed_counts() {
    let _device = Device::set();
    let seeds = [0, 1, u64::MAX >> 1, 1 << 63, u64::MAX];
    let drawn: HashSet<Vec<u32>> = seeds
        .iter()
        .flat_map(|seed| seeds.map(|offset| dense(*seed, offset, 8)))
        .map(|numbers| numbers.iter().map(|number| number.to_bits()).collect())
        .collect();
    assert_eq!(drawn.len(), seeds.len() * seeds.len());
}

#[test]
fn a_row_without_weights_fails_the_stream() {
    let _device = Device::set();
    for bad in [f32::NAN, -1.0, f32::INFINITY, 0.0] {
        let (weights, drawn) = (malloc(4 * 4), malloc(8 * 2));
        write(weights, &[1_f32, 2.0, bad, if bad == 0.0 { 0.0 } else { 1.0 }]);
        let (own, out) = (tensor(F32, &[2, 2], weights), tensor(I64, &[2, 1], drawn));
        let operator = EMULATOR.operators.Multinomial().expect("declared");
        let stream = create_stream();
        // SAFETY: the handles are the emulator's, the places valid.
        unsafe {
            let planned =
                plan(|size, executor| operator.get_workspace_size(own, 1, true, 1, 1, out, size, executor));
            assert_eq!(planned.code, 0, "{}", planned.message);
            operator.launch(ptr::null_mut(), 0, planned.executor, stream);
            assert_ne!(code(EMULATOR.runtime.aclrtSynchronizeStream(stream)), 0);
            assert!(message().contains("row 1"), "{}", message());
            ok(EMULATOR.runtime.aclrtDestroyStream(stream));
            ok(EMULATOR.runtime.aclrtFree(weights));
            ok(EMULATOR.runtime.aclrtFree(drawn));
        }
    }
}

/// A bit of a mask is set where the number of its element is less than the probability to keep it.
#[test]
fn the_bits_of_a_mask_follow_from_the_numbers_of_its_elements() {
    let _device = Device::set();
    let bytes = COUNT.div_ceil(128) * 16;
    let memory = malloc(bytes);
    let out = tensor(U8, &[bytes as i64], memory);
    let operator = EMULATOR.operators.DropoutGenMask().expect("declared");
    let shape = [COUNT as i64];
    // SAFETY: the handles are the emulator's, the places valid; null is the default stream.
    unsafe {
        let shape = EMULATOR.meta.aclCreateIntArray(shape.as_ptr(), 1).expect("declared");
        let planned =
            plan(|size, executor| operator.get_workspace_size(shape, 0.25, 5, 6, out, size, executor));
        assert_eq!(planned.code, 0, "{}", planned.message);
        assert_eq!(operator.launch(ptr::null_mut(), 0, planned.executor, ptr::null_mut()), 0);
        ok(EMULATOR.runtime.aclrtSynchronizeStream(ptr::null_mut()));
    }
    let mask: Vec<u8> = read(memory, bytes);
    let keeps = dense(5, 6, COUNT).into_iter().map(|number| number < 0.75);
    assert!(keeps.enumerate().all(|(number, keeps)| (mask[number / 8] >> (number % 8) & 1 == 1) == keeps));
    // SAFETY: nothing uses it any more.
    ok(unsafe { EMULATOR.runtime.aclrtFree(memory) });
}

/// A tensor of one element is drawn alike whatever the number of its axes is. Seeds have the shape that CANN describes, one
/// axis of one element, and those of another shape are refused.
#[test]
fn seeds_lie_beside_tensors_of_any_number_of_axes() {
    let _device = Device::set();
    let none = Argument::Int(0);
    let operators = [
        ("InplaceUniformTensor", vec![Argument::Float(0.0), Argument::Float(1.0)]),
        ("InplaceNormalTensor", vec![Argument::Float(0.0), Argument::Float(1.0)]),
        ("InplaceRandomTensor", vec![Argument::Int(0), Argument::Int(1 << 20)]),
        ("InplaceRandomWithoutFromToTensor", Vec::new()),
    ];
    for (name, bounds) in operators {
        let drawn = |dims: &[i64], of_out: &[i64]| {
            let (seed, offset, out) = (malloc(8), malloc(8), malloc(4));
            write(seed, &[5_i64]);
            write(offset, &[6_i64]);
            write(out, &[-1_f32]);
            let [seed, offset] = [seed, offset].map(|memory| Argument::Tensor(tensor(I64, dims, memory)));
            let own = Argument::Tensor(tensor(F32, of_out, out));
            let called = call(name, &[&[own][..], &bounds, &[seed, offset, none]].concat());
            (called.code, read::<f32>(out, 1)[0], called.message)
        };
        let (code, expected, message) = drawn(&[1], &[1]);
        assert!(code == 0 && expected != -1.0, "{name}: {code} {expected} {message}");
        for of_out in [&[][..], &[1], &[1, 1]] {
            let (code, number, message) = drawn(&[1], of_out);
            assert_eq!((code, number), (0, expected), "{name}, {of_out:?}: {message}");
            for of_seed in [&[][..], &[1, 1]] {
                let (code, number, message) = drawn(of_seed, of_out);
                assert_eq!((code, number), (ACLNN_ERR_PARAM_INVALID, -1.0), "{name}, {of_seed:?}");
                assert!(message.contains("seedTensor has shape"), "{message}");
            }
        }
    }
}

/// CANN describes two modes, of which the second one draws other numbers on the 950 alone.
#[test]
fn the_order_of_random_numbers_is_one_of_two() {
    let source = cann_stubs::source();
    let symbol = aclnn_sys::SymbolSource::symbol(&source, "aclnnSetPytorchRandom").expect("it is there");
    // SAFETY: the prototype is that of the header.
    let set: unsafe extern "C" fn(i32) -> i32 = unsafe { std::mem::transmute(symbol.as_ptr()) };
    for (mode, code) in [(0, 0), (1, 0), (2, 161_002), (-1, 161_002)] {
        // SAFETY: the function takes a number.
        assert_eq!(unsafe { set(mode) }, code, "{mode}");
    }
}
