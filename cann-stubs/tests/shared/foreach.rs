//! Lists of tensors as optimizers pass them: a list is its own output, and a tensor is there several times. What is computed of
//! each tensor, `operators` checks.

use std::ffi::c_void;

use aclnn_numerics::DType::F32;
use aclnn_sys::operators::Argument;

use crate::support::calls::{list, memory, run};
use crate::support::{Device, EMULATOR, malloc, read, scalar, tensor, write};

#[test]
fn a_list_is_its_own_output() {
    let _device = Device::set();
    let [a, b, x, y] = [[1.0, 2.0], [3.0, 4.0], [10.0, 20.0], [30.0, 40.0]].map(|values| memory(&values));
    let own = list(&[tensor(F32, &[2], a), tensor(F32, &[2, 1], b)]);
    let other = list(&[tensor(F32, &[2], x), tensor(F32, &[2, 1], y)]);
    let half = scalar(0.5_f32);
    let tensors = [Argument::Tensors(own), Argument::Tensors(other)];
    run("ForeachAddListV2", &[tensors[0], tensors[1], Argument::Scalar(half), Argument::Tensors(own)]);
    assert_eq!([read::<f32>(a, 2), read(b, 2)], [[6.0, 12.0], [18.0, 24.0]]);
    // As other tensors of the same memory.
    let again = list(&[tensor(F32, &[2], a), tensor(F32, &[2, 1], b)]);
    run("ForeachSubListV2", &[tensors[0], tensors[1], Argument::Scalar(half), Argument::Tensors(again)]);
    assert_eq!([read::<f32>(a, 2), read(b, 2)], [[1.0, 2.0], [3.0, 4.0]]);
}

/// The order is that of the list, as in PyTorch.
#[test]
fn a_tensor_that_is_in_a_list_twice_is_computed_twice() {
    let _device = Device::set();
    let a = memory(&[1.0, 2.0]);
    let own = list(&[tensor(F32, &[2], a), tensor(F32, &[2], a)]);
    let three = scalar(3.0_f32);
    run("ForeachMulScalarV2", &[Argument::Tensors(own), Argument::Scalar(three), Argument::Tensors(own)]);
    assert_eq!(read::<f32>(a, 2), [9.0, 18.0]);
}

/// The calls of PyTorch's plugin for three steps of `Adam(lr=0.1)` with the gradients times 1, 2 and 3, and PyTorch's results.
#[test]
fn steps_of_adam_as_a_plugin_calls_them_have_the_numbers_of_pytorch() {
    let _device = Device::set();
    let places = |values: [[f32; 2]; 2]| values.map(|values| memory(&values));
    let as_list = |places: [*mut c_void; 2]| {
        let [a, b] = places;
        Argument::Tensors(list(&[tensor(F32, &[2], a), tensor(F32, &[1, 2], b)]))
    };
    let params = places([[1.0, -2.0], [0.25, -4.0]]);
    let [m, v, roots] = [(); 3].map(|()| as_list(places([[0.0; 2]; 2])));
    let number = |value: f32| Argument::Scalar(scalar(value));
    for step in 1..=3 {
        let grads =
            [[0.1, -0.2], [1.0, 0.01]].map(|values: [f32; 2]| values.map(|value| value * step as f32));
        let grads = as_list(places(grads));
        run("ForeachLerpScalar", &[m, grads, number(0.1), m]);
        run("ForeachMulScalarV2", &[v, number(0.999), v]);
        run("ForeachAddcmulScalarV2", &[v, grads, grads, number(0.001), v]);
        run("ForeachSqrt", &[v, roots]);
        let left = (1.0 - 0.999_f64.powi(step)).sqrt();
        let left = [(); 2].map(|()| scalar(left).cast_const());
        // SAFETY: the scalars have the length that is passed.
        let left = unsafe { EMULATOR.meta.aclCreateScalarList(left.as_ptr(), 2) }.expect("declared");
        run("ForeachDivScalarList", &[roots, Argument::Scalars(left), roots]);
        run("ForeachAddScalarV2", &[roots, number(1e-8), roots]);
        let rate = number((-0.1 / (1.0 - 0.9_f64.powi(step))) as f32);
        run("ForeachAddcdivScalarV2", &[as_list(params), m, roots, rate, as_list(params)]);
    }
    let expected = [[0.70768166, -1.7076817], [-0.042318307, -4.292318]];
    for (place, expected) in params.into_iter().zip(expected) {
        for (value, expected) in read::<f32>(place, 2).into_iter().zip(expected) {
            assert!((value - expected).abs() <= 1e-6_f32, "{value} {expected}");
        }
    }
}

/// Those of a network, one of them large enough for several threads.
#[test]
fn lists_are_long_and_their_tensors_large() {
    let _device = Device::set();
    let sizes: Vec<usize> = (0..300).map(|index| if index == 100 { 1 << 18 } else { index % 7 }).collect();
    let places: Vec<*mut c_void> = sizes
        .iter()
        .map(|size| {
            let place = malloc((size * 4).max(4));
            write(place, &vec![4.0_f32; *size]);
            place
        })
        .collect();
    let tensors: Vec<_> =
        places.iter().zip(&sizes).map(|(place, size)| tensor(F32, &[*size as i64], *place)).collect();
    let own = list(&tensors);
    run("ForeachSqrt", &[Argument::Tensors(own), Argument::Tensors(own)]);
    for (place, size) in places.iter().zip(&sizes) {
        assert!(read::<f32>(*place, *size).iter().all(|value| *value == 2.0));
    }
}
