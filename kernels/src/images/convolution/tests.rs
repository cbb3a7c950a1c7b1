//! Convolutions by the definition: one product after the other, in f64.

use serial_test::serial;

use super::{Convolution, Geometry, Part, Window};
use crate::{Choice, LaneBody, choose, choose_threads};

/// Computes a part of a convolution by its definition, of exact sums: elements of the image, the weights and the map.
fn by_definition(geometry: &Geometry, part: Part, operands: [&[f32]; 2], len: usize) -> Vec<f64> {
    let Geometry { batches, groups, channels: [of_image, of_map], windows } = *geometry;
    let mut out = vec![0.0; len];
    let split = |mut index: usize, size: fn(&Window) -> usize| {
        let mut parts = [0; 3];
        for (part, window) in parts.iter_mut().zip(&windows).rev() {
            *part = index % size(window);
            index /= size(window);
        }
        parts
    };
    // The element of a channel under each tap of a window at each position.
    let under = |position: usize, number: usize| {
        let mut place = Some(0);
        for ((window, at), tap) in windows
            .iter()
            .zip(split(position, |window| window.positions))
            .zip(split(number, |window| window.kernel))
        {
            let on_axis = (at * window.stride + tap * window.dilation) as i64 - window.padding;
            let is_on = (0..window.size as i64).contains(&on_axis);
            place = place.filter(|_| is_on).map(|place| place * window.size + on_axis as usize);
        }
        place.map(|place| (position, number, place))
    };
    let positions = (0..geometry.positions()).flat_map(|at| (0..geometry.taps()).map(move |tap| (at, tap)));
    let all: Vec<_> = positions.filter_map(|(position, number)| under(position, number)).collect();
    for batch_and_group in 0..batches * groups {
        let group = batch_and_group % groups;
        for (own, other) in (0..of_image).flat_map(|own| (0..of_map).map(move |other| (own, other))) {
            for &(position, number, place) in &all {
                let index = (batch_and_group * of_image + own) * geometry.plane() + place;
                let map = (batch_and_group * of_map + other) * geometry.positions() + position;
                let weight = ((group * of_map + other) * of_image + own) * geometry.taps() + number;
                let (to, from) = match part {
                    Part::Map => (map, [index, weight]),
                    Part::Image => (index, [map, weight]),
                    Part::Weights => (weight, [index, map]),
                };
                out[to] += f64::from(operands[0][from[0]]) * f64::from(operands[1][from[1]]);
            }
        }
    }
    out
}

fn run(convolution: &Convolution, operands: [&[f32]; 2], bias: Option<&[f32]>, len: usize) -> Vec<f32> {
    let mut out = vec![f32::NAN; len];
    let inputs: Vec<&[u8]> = operands.into_iter().chain(bias).map(bytemuck::cast_slice).collect();
    convolution.lane(0, &inputs, &mut [bytemuck::cast_slice_mut(&mut out)]).unwrap();
    out
}

#[test]
#[serial(threads)]
fn all_parts_are_sums_of_products_with_any_threads() {
    let mut random = fastrand::Rng::with_seed(7);
    for number in 0..60 {
        let axis = |random: &mut fastrand::Rng, most: usize| {
            let (kernel, dilation) = (random.usize(1..4), random.usize(1..3));
            let (size, stride) = (random.usize(1..most), random.usize(1..4));
            let reach = dilation * (kernel - 1) + 1;
            let padding =
                [random.i64(-1..4), random.i64(-1..4)].map(|side| if number % 3 == 0 { 0 } else { side });
            let left = size as i64 + padding[0] + padding[1] - reach as i64;
            let positions = if left < 0 { 0 } else { left as usize / stride + 1 };
            Window { size, kernel, dilation, padding: padding[0], positions, stride }
        };
        let windows = match number % 4 {
            0 => [axis(&mut random, 5), axis(&mut random, 7), axis(&mut random, 9)],
            1 => [Window::NONE, Window::NONE, axis(&mut random, 600)],
            _ => [Window::NONE, axis(&mut random, 14), axis(&mut random, 20)],
        };
        let channels = [random.usize(1..9), random.usize(1..40)].map(|channels| match number % 5 {
            0 => 1,
            1 => channels,
            _ => 3 + channels / 2,
        });
        let geometry =
            Geometry { batches: random.usize(1..3), groups: random.usize(1..4), channels, windows };
        check(&geometry, number, &mut random);
    }
}

/// Windows with many elements at few positions, in an image with other sizes than those of vectors.
#[test]
#[serial(threads)]
fn few_positions_have_sums_of_products_too() {
    let mut random = fastrand::Rng::with_seed(8);
    let window = |size, kernel, padding, stride| {
        let left = size + 2 * padding - kernel;
        let positions = (left / stride + 1) as usize;
        let (size, kernel) = (size as usize, kernel as usize);
        Window { size, kernel, dilation: 1, padding, positions, stride: stride as usize }
    };
    for (number, (windows, channels)) in [
        ([Window::NONE, Window::NONE, window(4, 3, 1, 1)], [43, 130]),
        ([Window::NONE, Window::NONE, window(640, 256, 0, 128)], [1, 67]),
        ([Window::NONE, window(2, 2, 1, 1), window(3, 3, 0, 2)], [9, 1]),
        ([window(2, 1, 0, 1), window(2, 3, 1, 1), window(2, 3, 1, 1)], [5, 10]),
        ([Window::NONE, Window::NONE, window(1, 1, 0, 1)], [128, 3]),
    ]
    .into_iter()
    .enumerate()
    {
        for (batches, groups) in [(1, 1), (2, 3)] {
            check(&Geometry { batches, groups, channels, windows }, number, &mut random);
        }
    }
}

/// Compares all parts of a convolution of random numbers with their definition, with any threads and instructions.
fn check(geometry: &Geometry, number: usize, random: &mut fastrand::Rng) {
    let geometry = *geometry;
    let channels = geometry.channels;
    let [of_image, of_map] = channels;
    let (both, taps) = (geometry.batches * geometry.groups, geometry.taps());
    let lens = [
        both * of_image * geometry.plane(),
        geometry.groups * of_map * of_image * taps,
        both * of_map * geometry.positions(),
    ];
    let mut numbers = |len: usize| -> Vec<f32> { (0..len).map(|_| random.f32() - 0.5).collect() };
    let [image, weights, map] = lens.map(&mut numbers);
    let bias = numbers(geometry.groups * of_image.max(of_map));
    let mut infinite = weights.clone();
    if number.is_multiple_of(7) {
        infinite[0] = f32::INFINITY;
    }
    for (part, operands, len, channels) in [
        (Part::Map, [&image[..], &weights], lens[2], Some(of_map)),
        (Part::Image, [&map, &infinite], lens[0], Some(of_image)),
        (Part::Weights, [&image, &map], lens[1], None),
    ] {
        let convolution = Convolution::new(geometry, part);
        let bias =
            channels.filter(|_| number.is_multiple_of(2)).map(|channels| &bias[..channels * geometry.groups]);
        let mut expected = by_definition(&geometry, part, operands, len);
        if let (Some(bias), Some(channels)) = (bias, channels) {
            let plane = len / (both * channels).max(1);
            for (number, element) in expected.iter_mut().enumerate() {
                *element += f64::from(bias[number / plane % bias.len()]);
            }
        }
        let alone = run(&convolution, operands, bias, len);
        for (found, expected) in alone.iter().zip(&expected) {
            let found = f64::from(*found);
            let is_near = match expected.is_finite() {
                true => (found - expected).abs() < 2e-6 * (1.0 + expected.abs()) * 4.0,
                false => found == *expected || found.is_nan() && expected.is_nan(),
            };
            assert!(is_near, "{found} {expected} {geometry:?}");
        }
        let before = choose_threads(3);
        let shared = run(&convolution, operands, bias, len);
        choose_threads(before);
        assert!(shared.iter().map(|found| found.to_bits()).eq(alone.iter().map(|found| found.to_bits())));
        let [baseline, narrow] = [0, 1].map(|instructions| {
            let before = choose(Choice { instructions: Some(instructions), block: None });
            let found = run(&convolution, operands, bias, len);
            choose(before);
            found
        });
        // Products are rounded with the baseline alone.
        assert!(narrow.iter().map(|found| found.to_bits()).eq(alone.iter().map(|found| found.to_bits())));
        let near = |(a, b): (&f32, &f32)| match b.is_finite() {
            true => (a - b).abs() < 1e-5 * (1.0 + a.abs()),
            false => a == b || a.is_nan() && b.is_nan(),
        };
        assert!(baseline.iter().zip(&alone).all(near), "{geometry:?}");
    }
}
