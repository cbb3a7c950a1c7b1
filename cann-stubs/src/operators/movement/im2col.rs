//! Im2col: the elements under a window, a column for each of its positions.

use std::ops::Range;

use aclnn_numerics::DType;
use aclnn_numerics::layout::{Layout, Shape};
use smallvec::SmallVec;

use super::pieces::{Pieces, element};
use super::rules::{layout, output_dtype, refuse};
use crate::operators::call::{Call, Plan};
use crate::operators::{check, signatures};
use crate::status::Result;

/// A window along one axis.
#[derive(Clone, Copy)]
struct Window {
    size: i64,
    kernel: i64,
    dilation: i64,
    padding: i64,
    stride: i64,
}

impl Window {
    /// How many positions it has.
    fn positions(self) -> i64 {
        (self.size + 2 * self.padding - self.dilation * (self.kernel - 1) - 1).div_euclid(self.stride) + 1
    }

    /// The positions at which element `index` of the window lies inside the axis.
    fn inside(self, index: i64) -> Range<i64> {
        let first = index * self.dilation - self.padding;
        let begin = steps(-first, self.stride);
        let end = steps(self.size - first, self.stride);
        let begin = begin.min(self.positions());
        begin..end.clamp(begin, self.positions())
    }
}

/// How many steps of a stride lead to a distance, or beyond it.
fn steps(distance: i64, stride: i64) -> i64 {
    (distance.max(0) as u64).div_ceil(stride as u64) as i64
}

pub(super) fn im2col(call: &Call<'_>) -> Result<Plan> {
    let own = call.tensor("self")?;
    let [kernel, dilation] = [call.ints("kernel_size")?, call.ints("dilation")?];
    let [padding, stride] = [call.ints("padding")?, call.ints("stride")?];
    let output = call.tensor("out")?;
    let moved = check::dtype(&own, signatures::im2col.takes)?;
    let out = output_dtype(&output, moved, &signatures::im2col)?;
    let shape = own.shape()?;
    let is_batched = shape.rank() == 4;
    if !is_batched && shape.rank() != 3 || shape[shape.rank() - 3..].contains(&0) {
        return refuse(format_args!(
            "self has shape {shape}; channels, height and width must be there, and may have batches before them"
        ));
    }
    for (name, values, least) in [
        ("kernelSize", &kernel, 1),
        ("dilation", &dilation, 1),
        ("padding", &padding, 0),
        ("stride", &stride, 1),
    ] {
        if values.len() != 2 || values.iter().any(|value| *value < least || *value > i32::MAX.into()) {
            return refuse(format_args!(
                "{name} is {:?}, but must be two numbers from {least} on",
                &values[..]
            ));
        }
    }
    let window = |axis: usize| Window {
        size: shape[shape.rank() - 2 + axis] as i64,
        kernel: kernel[axis],
        dilation: dilation[axis],
        padding: padding[axis],
        stride: stride[axis],
    };
    let windows @ [rows, columns] = [window(0), window(1)];
    if windows.iter().any(|window| window.positions() < 1) {
        return refuse(format_args!(
            "a window of {kernel:?} with dilation {dilation:?} is larger than {shape} with its padding"
        ));
    }
    let channels = shape[shape.rank() - 3];
    let taps = [rows.kernel as usize, columns.kernel as usize];
    let sizes = [taps[0], taps[1], rows.positions() as usize, columns.positions() as usize];
    let mut result: SmallVec<[usize; 8]> = SmallVec::from_slice(&shape[..shape.rank() - 3]);
    let mut split = result.clone();
    result.extend([channels * sizes[0] * sizes[1], sizes[2] * sizes[3]]);
    split.extend([&[channels][..], &sizes].concat());
    check::output_shape(&output, &Shape::from(&result[..]))?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let (view, to) = (own.layout()?, layout(output.layout()?.reshape(&split[..]))?);
    let first = shape.rank() - 2;
    let mut pieces = Pieces::new();
    if padding.iter().all(|padding| *padding == 0) {
        // The windows are a view: an axis for the elements of a window, and one for its positions.
        let mut strides: SmallVec<[isize; 8]> = SmallVec::from_slice(&view.strides()[..first]);
        let along = |axis: usize, by: i64| view.strides()[first + axis] * by as isize;
        strides.extend([
            along(0, rows.dilation),
            along(1, columns.dilation),
            along(0, rows.stride),
            along(1, columns.stride),
        ]);
        let view = layout(Layout::new(&split[..], &strides, view.offset()))?;
        return Pieces::one((&own, view), (&output, to));
    }
    pieces.fill(&element(DType::U8, &[0], out)?, (&output, to.clone()))?;
    for row in 0..rows.kernel {
        for column in 0..columns.kernel {
            let to = layout(to.select(first, row as usize))?;
            let (mut from, mut to) = (view.clone(), layout(to.select(first, column as usize))?);
            for (axis, (window, index)) in [(rows, row), (columns, column)].into_iter().enumerate() {
                let inside = window.inside(index);
                let begin = index * window.dilation - window.padding + inside.start * window.stride;
                let end = begin + (inside.end - inside.start) * window.stride;
                let shown = begin.clamp(0, window.size) as usize..end.clamp(0, window.size) as usize;
                from = layout(from.slice(first + axis, shown, window.stride as isize))?;
                to = layout(to.slice(first + axis, inside.start as usize..inside.end as usize, 1))?;
            }
            pieces.copy((&own, from), None, (&output, to))?;
        }
    }
    pieces.plan()
}
