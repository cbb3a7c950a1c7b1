//! Windows by the definition.

use super::average::divided;
use super::greatest::Ordered;
use super::{Axis, Kind, Windows};
use crate::{Choice, choose};

/// One element under a window after the other, in order. The instructions are others from case to case.
#[test]
fn greatest_elements_and_averages_are_those_of_their_windows() {
    let mut random = fastrand::Rng::with_seed(3);
    for case in 0..200 {
        let axes = std::array::from_fn(|_| {
            let size = random.usize(1..12);
            if case % 4 == 0 {
                return Axis { size, positions: random.usize(1..6), kind: Kind::Parts };
            }
            let (kernel, stride) = (random.i64(1..5), random.i64(1..5));
            let (dilation, padding) = (random.i64(1..3), random.i64(0..=kernel / 2));
            let left = size as i64 + 2 * padding - dilation * (kernel - 1) - 1;
            let kind = Kind::Moves {
                kernel,
                stride,
                padding: [padding; 2],
                dilation,
                counts_padding: case % 2 == 0,
            };
            Axis { size, positions: (left.max(-1) + stride).div_euclid(stride) as usize, kind }
        });
        let windows = Windows::new(axes);
        let number = |random: &mut fastrand::Rng| match random.u8(0..20) {
            0 => f32::NAN,
            1 => -0.0,
            _ => f32::from(random.i8(-4..4)),
        };
        let image: Vec<f32> = (0..windows.elements()).map(|_| number(&mut random)).collect();
        let count = windows.positions();
        let before = choose(Choice { instructions: Some(case % 3), block: None });
        let (mut values, mut numbers) = (vec![0.0; count], vec![0; count]);
        windows.greatest_in(&image, &mut values, Some(&mut numbers)).unwrap();
        let (mut alone, mut means) = (vec![0.0; count], vec![0.0; count]);
        windows.greatest_in(&image, &mut alone, None).unwrap();
        windows.average(&image, None, &mut means).unwrap();
        choose(before);
        let mut position = 0;
        let [planes, rows, columns] = windows.axes().each_ref().map(|axis| axis.spans().collect::<Vec<_>>());
        for (plane, row) in planes.iter().flat_map(|plane| rows.iter().map(move |row| (plane, row))) {
            for column in &columns {
                let (mut found, mut sum) = (None, 0.0);
                for line in plane.lines(*row, |plane, row| windows.line(plane, row)) {
                    for index in column.indices().map(|column| line + column) {
                        sum += f64::from(image[index]);
                        if found.is_none_or(|found: usize| image[index].is_above(image[found])) {
                            found = Some(index);
                        }
                    }
                }
                let value = found.map_or(f32::NEG_INFINITY, |index| image[index]);
                assert_eq!(numbers[position], found.unwrap_or(0) as i64, "{:?}", windows.axes());
                assert_eq!(values[position].to_bits(), value.to_bits());
                assert_eq!(alone[position].to_bits(), value.to_bits());
                let mean = (sum / divided([*plane, *row, *column], None)) as f32;
                let found = means[position];
                assert!((found - mean).abs() < 1e-6 || found.is_nan() && mean.is_nan(), "{found} {mean}");
                position += 1;
            }
        }
    }
}
