//! The windows of poolings, from their attributes.

use cann_kernels::images::pooling::{Axis, Kind, Windows};

use crate::operators::axes::invalid;
use crate::operators::images::{numbers, of_three};
use crate::status::Result;

/// A window along one axis, as the attributes say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) kernel: i64,
    pub(super) stride: i64,
    /// Elements before the image, and behind it.
    pub(super) padding: [i64; 2],
    pub(super) dilation: i64,
}

/// A number for each axis; one number counts for all.
pub(super) fn for_each_axis(name: &str, values: &[i64], axes: usize, least: i64) -> Result<Vec<i64>> {
    numbers(name, values, &[1, axes], least)?;
    Ok(if values.len() == axes { values.to_vec() } else { values.repeat(axes) })
}

impl Window {
    /// Windows of an operator whose padding is the same on both sides; without strides, windows lie beside each other.
    pub(super) fn all(
        [kernel, stride, padding, dilation]: [&[i64]; 4],
        axes: usize,
        least_dilation: i64,
    ) -> Result<Vec<Self>> {
        let kernel = for_each_axis("kernelSize", kernel, axes, 1)?;
        let stride =
            if stride.is_empty() { kernel.clone() } else { for_each_axis("stride", stride, axes, 1)? };
        let padding = for_each_axis("padding", padding, axes, 0)?;
        let dilation = for_each_axis("dilation", dilation, axes, least_dilation)?;
        let mut windows = Vec::new();
        for (((kernel, stride), padding), dilation) in
            kernel.into_iter().zip(stride).zip(padding).zip(dilation)
        {
            if 2 * padding > kernel {
                return invalid(format_args!("padding {padding} is more than half of a window of {kernel}"));
            }
            windows.push(Self { kernel, stride, padding: [padding; 2], dilation });
        }
        Ok(windows)
    }

    /// How many positions the window has over so many elements.
    fn positions(&self, size: i64, ceil: bool) -> i64 {
        let [before, behind] = self.padding;
        let reach = self.dilation * (self.kernel - 1) + 1;
        let left = size + before + behind - reach + if ceil { self.stride - 1 } else { 0 };
        let positions = left.div_euclid(self.stride) + 1;
        // No window begins behind the image and what lies before it.
        if ceil && (positions - 1) * self.stride >= size + before { positions - 1 } else { positions }
    }

    fn over(&self, size: usize, positions: i64, counts_padding: bool) -> Axis {
        let Self { kernel, stride, padding, dilation } = *self;
        let kind = Kind::Moves { kernel, stride, padding, dilation, counts_padding };
        Axis { size, positions: positions as usize, kind }
    }
}

/// The windows over images of some sizes, each with a position at least.
pub(super) fn over(sizes: &[usize], windows: &[Window], ceil: bool, counts_padding: bool) -> Result<Windows> {
    let mut axes = Vec::new();
    for (size, window) in sizes.iter().zip(windows) {
        let positions = window.positions(*size as i64, ceil);
        if positions < 1 {
            let kernel = window.kernel;
            return invalid(format_args!("a window of {kernel} does not fit on an axis of {size}"));
        }
        axes.push(window.over(*size, positions, counts_padding));
    }
    Ok(Windows::new(of_three(axes, &Axis::none())))
}

/// The windows that divide images of some sizes into so many parts.
pub(super) fn parts(sizes: &[usize], results: &[usize]) -> Windows {
    let axis = |(&size, &positions): (&usize, &usize)| Axis { size, positions, kind: Kind::Parts };
    Windows::new(of_three(sizes.iter().zip(results).map(axis), &Axis::none()))
}

/// How many positions the windows have along the last axes.
pub(super) fn results(windows: &Windows, axes: usize) -> Vec<usize> {
    windows.axes().iter().skip(3 - axes).map(|axis| axis.positions).collect()
}
