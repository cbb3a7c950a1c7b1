//! Functions along lanes of any length, beside sums in f64 that take one element after the other: kernels work piece by piece,
//! and golden cases are short.

use aclnn_numerics::DType::F32;
use aclnn_sys::operators::Argument;

use crate::support::calls::{memory, run};
use crate::support::*;

/// Lengths around the powers of two in which a kernel may take a lane, and long ones.
fn lengths() -> impl Iterator<Item = usize> {
    let around = (0..13).flat_map(|power| [(1 << power) - 1, 1 << power, (1 << power) + 1, (1 << power) + 7]);
    around.filter(|length| *length > 0).chain([1537, 3000, 5003])
}

/// Two lanes of elements without a pattern that a piece or a vector could share.
fn lanes(length: usize) -> Vec<f32> {
    (0..2 * length).map(|index| (index * 7919 % 1009) as f32 / 252.25 - 2.0).collect()
}

/// Runs an operator along the second axis of two lanes.
fn along(name: &str, operands: &[&[f32]], length: usize) -> Vec<f32> {
    let dims = [2, length as i64];
    let out = malloc(8 * length);
    let operands = operands.iter().map(|values| Argument::Tensor(tensor(F32, &dims, memory(values))));
    let to = [Argument::Int(1), Argument::Tensor(tensor(F32, &dims, out))];
    run(name, &operands.chain(to).collect::<Vec<_>>());
    read(out, 2 * length)
}

#[track_caller]
fn close(name: &str, length: usize, found: &[f32], expected: impl Iterator<Item = f64>) {
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (f64::from(*found) - expected).abs();
        assert!(
            error <= 1e-6 * expected.abs().max(1e-6),
            "{name} of {length}, at {index}: {found} {expected}"
        );
    }
}

#[test]
fn the_softmax_of_a_lane_of_any_length() {
    let _device = Device::set();
    for length in lengths() {
        let x = lanes(length);
        let softmax = |lane: &[f32]| {
            let sum: f64 = lane.iter().map(|x| f64::from(*x).exp()).sum();
            lane.iter().map(|x| f64::from(*x).exp() / sum).collect::<Vec<_>>()
        };
        let expected: Vec<f64> = x.chunks(length).flat_map(softmax).collect();
        let found = along("Softmax", &[&x], length);
        close("Softmax", length, &found, expected.iter().copied());
        let logarithms = along("LogSoftmax", &[&x], length);
        close("LogSoftmax", length, &logarithms, expected.iter().map(|y| y.ln()));

        // By the definition: y (g - Σ g y), and g - y Σ g.
        let g: Vec<f32> = x.iter().rev().map(|x| x * 0.5 + 0.25).collect();
        let sums = |factor: &dyn Fn(usize) -> f64| -> Vec<f64> {
            let sum = |lane: usize| {
                (lane * length..(lane + 1) * length).map(|at| f64::from(g[at]) * factor(at)).sum()
            };
            [0, 1].map(sum).into()
        };
        let (inner, all) = (sums(&|at| f64::from(found[at])), sums(&|_| 1.0));
        let gradient =
            (0..2 * length).map(|at| f64::from(found[at]) * (f64::from(g[at]) - inner[at / length]));
        close("SoftmaxBackward", length, &along("SoftmaxBackward", &[&g, &found], length), gradient);
        let gradient =
            (0..2 * length).map(|at| f64::from(g[at]) - f64::from(logarithms[at]).exp() * all[at / length]);
        let found = along("LogSoftmaxBackward", &[&g, &logarithms], length);
        close("LogSoftmaxBackward", length, &found, gradient);
    }
}
