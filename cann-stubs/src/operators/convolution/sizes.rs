//! The sizes of convolutions: windows from their attributes, and the shape of what they compute.

use cann_kernels::images::convolution::{Geometry, Window};

use crate::operators::axes::invalid;
use crate::operators::images::of_three;
use crate::status::Result;

/// The attributes of windows, of which each has a number for every axis of an image.
pub(super) struct Attributes<'a> {
    pub(super) stride: &'a [i64],
    /// One number for each axis, or two: before and behind.
    pub(super) padding: &'a [i64],
    pub(super) dilation: &'a [i64],
    /// Of a transposed convolution.
    pub(super) output_padding: Option<&'a [i64]>,
}

impl Attributes<'_> {
    fn padding(&self, axis: usize, axes: usize) -> [i64; 2] {
        let of = |index: usize| self.padding.get(index).copied().unwrap_or(0);
        if self.padding.len() == axes { [of(axis); 2] } else { [of(2 * axis), of(2 * axis + 1)] }
    }

    /// The windows of a convolution of images of some sizes.
    pub(super) fn over(&self, sizes: &[usize], kernel: &[usize]) -> Result<Windows> {
        self.windows(sizes, kernel, |size, [before, behind], reach, stride| {
            let left = size.saturating_add(before + behind).saturating_sub(reach);
            Ok((size, left.div_euclid(stride).saturating_add(1).max(0)))
        })
    }

    /// Those of a transposed convolution of maps of some sizes.
    pub(super) fn under(&self, sizes: &[usize], kernel: &[usize]) -> Result<Windows> {
        let mut extra = self.output_padding.unwrap_or_default().iter();
        self.windows(sizes, kernel, |positions, [before, behind], reach, stride| {
            let spread = positions.saturating_sub(1).saturating_mul(stride).saturating_add(reach);
            let size =
                spread.saturating_sub(before + behind).saturating_add(extra.next().copied().unwrap_or(0));
            Ok((size.max(0), positions))
        })
    }

    /// Windows of which `sizes` tells how many elements of the image and how many positions there are, from a size, padding,
    /// the elements that the window reaches over, and the stride.
    fn windows(
        &self,
        sizes: &[usize],
        kernel: &[usize],
        mut given: impl FnMut(i64, [i64; 2], i64, i64) -> Result<(i64, i64)>,
    ) -> Result<Windows> {
        let axes = sizes.len();
        let mut windows = Windows::new();
        for (axis, (size, kernel)) in sizes.iter().zip(kernel).enumerate() {
            let of = |list: &[i64]| list.get(axis).copied().unwrap_or(1);
            let (stride, dilation) = (of(self.stride), of(self.dilation));
            let padding = self.padding(axis, axes);
            let reach = reach(dilation, *kernel);
            let (size, positions) = given(*size as i64, padding, reach, stride)?;
            windows.push(Window {
                size: size as usize,
                kernel: *kernel,
                dilation: dilation as usize,
                padding: padding[0],
                positions: positions as usize,
                stride: stride as usize,
            });
        }
        Ok(windows)
    }

    /// Refuses a window that does not fit on its image.
    pub(super) fn must_fit(&self, sizes: &[usize], kernel: &[usize]) -> Result {
        let axes = sizes.len();
        for (axis, (size, kernel)) in sizes.iter().zip(kernel).enumerate() {
            let [before, behind] = self.padding(axis, axes);
            let reach = reach(self.dilation.get(axis).copied().unwrap_or(1), *kernel);
            if (*size as i64).saturating_add(before + behind) < reach {
                return invalid(format_args!(
                    "the weight reaches over {reach} elements of an axis that has {size}, and {} of padding",
                    before + behind
                ));
            }
        }
        Ok(())
    }
}

/// How many elements a window lies on, with those between its own.
fn reach(dilation: i64, kernel: usize) -> i64 {
    dilation.saturating_mul(kernel as i64 - 1).saturating_add(1)
}

/// A window along each axis of an image.
pub(super) type Windows = Vec<Window>;

/// The channels of a convolution whose weight has so many first and second channels, of the image and of the map by group.
pub(super) fn geometry(batches: usize, groups: usize, weight: &[usize], windows: &Windows) -> Geometry {
    let of = |axis: usize| weight.get(axis).copied().unwrap_or(1);
    Geometry {
        batches,
        groups,
        channels: [of(1), of(0) / groups.max(1)],
        windows: of_three(windows.iter().copied(), &Window::NONE),
    }
}
