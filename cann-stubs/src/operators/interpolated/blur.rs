//! Images that are blurred.

use cann_kernels::allocation;

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check;
use crate::operators::lane_planner::Planner;
use crate::operators::signatures;
use crate::status::Result;

/// The elements that stand for those outside an image.
#[derive(Clone, Copy)]
enum Border {
    Zero,
    Nearest,
    /// The image backwards, with its last element or without it.
    Mirrored {
        repeats: bool,
    },
}

impl Border {
    /// The element of an axis that stands at a place, perhaps outside.
    fn place(self, at: i64, size: i64) -> Option<usize> {
        let inside = match self {
            _ if (0..size).contains(&at) => at,
            Border::Zero => return None,
            Border::Nearest => at.clamp(0, size - 1),
            Border::Mirrored { repeats } => {
                let period = 2 * (size - i64::from(!repeats));
                let at = at.rem_euclid(period.max(1));
                if at < size { at } else { period - i64::from(repeats) - at }
            }
        };
        usize::try_from(inside).ok()
    }
}

/// The weights of a window. Without a deviation, small windows have those of binomials, or nearly so, as OpenCV has.
fn weights(count: usize, deviation: f64) -> Vec<f64> {
    let half: &[f64] = match (count, deviation > 0.0) {
        (3, false) => &[0.25, 0.5],
        (5, false) => &[0.0625, 0.25, 0.375],
        (7, false) => &[0.03125, 0.109375, 0.21875, 0.28125],
        _ => &[],
    };
    let middle = (count - 1) as f64 / 2.0;
    let deviation = if deviation > 0.0 { deviation } else { 0.3 * (middle - 1.0) + 0.8 };
    let weight = |at: usize| match half.get(at.min(count - 1 - at)) {
        Some(weight) => *weight,
        None => (-((at as f64 - middle) / deviation).powi(2) / 2.0).exp(),
    };
    let all: Vec<f64> = (0..count).map(weight).collect();
    let sum: f64 = all.iter().sum();
    all.into_iter().map(|weight| weight / sum).collect()
}

/// The largest window along an axis.
const LARGEST: i64 = 1 << 12;

pub(in crate::operators) fn gaussian_blur(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["src", "dst"])?;
    let ([src, dst], sizes) = (&tensors, call.ints("ksize")?);
    check::alike(&[src, dst], signatures::gaussian_blur.takes)?;
    let shape = src.shape()?;
    let ([height, width] | [height, width, _]) = shape[..] else {
        return invalid(format_args!(
            "src has shape {shape}, but must have rows and columns, perhaps with channels"
        ));
    };
    check::output_shape(dst, shape)?;
    let is_window = |size: &i64| (1..=LARGEST).contains(size) && size % 2 == 1;
    let [across, down] = sizes[..] else {
        return invalid(format_args!("ksize is {sizes:?}, but must be two odd numbers"));
    };
    if !sizes.iter().all(is_window) {
        return invalid(format_args!("ksize is {sizes:?}, but must be two odd numbers"));
    }
    let border = match call.int("borderType")? {
        0 => Border::Zero,
        1 => Border::Nearest,
        2 => Border::Mirrored { repeats: true },
        4 => Border::Mirrored { repeats: false },
        other => return invalid(format_args!("borderType is {other}, but must be 0, 1, 2 or 4")),
    };
    if src.is_empty() {
        return Ok(Plan::empty());
    }
    let (of_columns, of_rows) = (call.float("sigmaX")?, call.float("sigmaY")?);
    let of_rows = if of_rows > 0.0 { of_rows } else { of_columns };
    let (across, down) = (weights(across as usize, of_columns), weights(down as usize, of_rows));
    let order: &[usize] = if shape.rank() == 3 { &[2, 0, 1] } else { &[0, 1] };
    let len = height * width;
    let mut planner = Planner::new();
    let view = |operand: &Operand, dtype| operand.permuted(dtype, order);
    let (input, output) = (planner.read(src, len, &view)?, planner.write(dst, len, &view)?);
    let count = shape.numel().unwrap_or(0) / len;
    planner.try_lanes(count, [input], [output], "blur images", move |[from], [to]| {
        let sum = |weights: &[f64], at: usize, size: usize, get: &dyn Fn(usize) -> f64| -> f64 {
            let first = at as i64 - weights.len() as i64 / 2;
            let taps = (first..).zip(weights);
            taps.filter_map(|(at, weight)| Some(weight * get(border.place(at, size as i64)?))).sum()
        };
        let mut rows = allocation::zeros::<f64>(len)?;
        for (at, to) in rows.iter_mut().enumerate() {
            let row = at / width * width;
            *to = sum(&across, at % width, width, &|column| f64::from(from[row + column]));
        }
        for (at, to) in to.iter_mut().enumerate() {
            *to = sum(&down, at / width, height, &|row| rows[row * width + at % width]) as f32;
        }
        Ok(())
    })?;
    Ok(planner.plan())
}
