//! Tensors as text. Only the elements that are printed are read.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use aclnn_numerics::Layout;
use aclnn_numerics::convert::pack::Width;
use aclnn_numerics::layout::Walk;
use aclnn_numerics::print::{self, Text};

use crate::argument_checks::copies;
use crate::error::{Error, Result};
use crate::memory::host_zeros;
use crate::tensor::{Headline, Tensor};

impl Tensor {
    /// Reads the elements from the device for printing, after waiting for the work that computes them.
    ///
    /// The layout is NumPy's. In a tensor of more than 1000 elements, every axis longer than six shows three indices at
    /// each end, and `...` stands for the others. At most 10,000 elements are printed, for any number of axes: if
    /// necessary, outer axes show only the first and the last index, or only the first. Only elements that are printed
    /// are read. The precision of the format, as in `{:.3}`, replaces the usual eight digits.
    /// [`Text`](aclnn_numerics::print::Text) has the details.
    ///
    /// Formatting a tensor itself gives the same text, but if its elements cannot be read, the reason is printed in
    /// their place.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1.0f32, -0.5, 2.25, 10.0], [2, 2])?;
    /// assert_eq!(grid.display()?.to_string(), "[[ 1.  , -0.5 ],\n [ 2.25, 10.  ]]\nf32[2, 2] on device 0");
    /// println!("{grid}"); // the same
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::to_bytes`].
    #[inline]
    pub fn display(&self) -> Result<impl fmt::Display + use<>> {
        let text = Text::new(self.dtype(), self.shape(), &self.printed_elements()?);
        Ok(Printed { text, headline: self.headline() })
    }

    /// Returns the elements that are printed; elements smaller than a byte take one byte each.
    #[inline]
    fn printed_elements(&self) -> Result<Vec<u8>> {
        let layout = print::excerpt(self.layout()).map_err(|cause| self.no_view("display", cause))?;
        read_in_pieces(&self.with_layout(layout))
    }
}

/// Reads the elements of a view and nothing that lies between them; elements smaller than a byte then take one byte
/// each.
#[inline]
fn read_in_pieces(view: &Tensor) -> Result<Vec<u8>> {
    // The device gathers the elements, or they lie in one piece.
    if view.is_contiguous() || copies(view) {
        return read(view);
    }
    let (shape, strides) = (view.shape(), view.layout().strides());
    let outer = outer_axes(shape, strides);
    let (outer_shape, inner_shape) = shape.split_at(outer);
    let (outer_strides, inner_strides) = strides.split_at(outer);
    let mut offsets = Vec::new();
    let walk = Walk::new(outer_shape, [outer_strides]);
    let [step] = walk.inner_strides();
    walk.for_each_run(|[first], len| offsets.extend((0..len as isize).map(|index| first + step * index)));
    // Repeated elements are read once.
    let mut pieces = BTreeMap::new();
    let mut elements = Vec::new();
    for offset in offsets {
        let piece = match pieces.entry(offset) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let offset = view.layout().offset().wrapping_add_signed(offset);
                let layout = Layout::new(inner_shape, inner_strides, offset);
                let layout = layout.map_err(|cause| view.no_view("display", cause))?;
                new.insert(read(&view.with_layout(layout))?)
            }
        };
        elements.extend_from_slice(piece);
    }
    Ok(elements)
}

/// Returns the number of outer axes that lead to pieces whose inner axes have no gaps.
#[inline]
fn outer_axes(shape: &[usize], strides: &[isize]) -> usize {
    let (mut outer, mut expected) = (shape.len(), 1isize);
    for (&size, &stride) in shape.iter().zip(strides).rev() {
        if size != 1 && stride != expected {
            break;
        }
        outer -= 1;
        expected = expected.saturating_mul(size.cast_signed());
    }
    outer
}

#[inline]
fn read(view: &Tensor) -> Result<Vec<u8>> {
    let bytes = view.to_bytes()?;
    let Some(width) = Width::of(view.dtype()) else { return Ok(bytes) };
    let mut codes = host_zeros(view.numel())?;
    width.unpack(&bytes, &mut codes);
    Ok(codes)
}

struct Printed {
    text: Text,
    headline: Headline,
}

impl fmt::Display for Printed {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)?;
        // On the same line for a number or a single row, otherwise on a line of its own.
        let separator = if self.headline.rank() > 1 { '\n' } else { ' ' };
        write!(f, "{separator}{}", self.headline)
    }
}

impl fmt::Display for Tensor {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.display() {
            Ok(printed) => printed.fmt(f),
            Err(error) => {
                write!(f, "<not readable: {error}> {}", self.headline())?;
                // A failure of an earlier drop is left for a call that can return it.
                if matches!(error, Error::Deferred { .. }) {
                    self.device().keep(error);
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;

    #[test]
    fn failures_of_drops_are_left_for_calls_that_fail() -> Result<()> {
        let device = Device::of_unknown_product()?;
        let tensor = Tensor::from_slice(&device, &[1.5f32], [1])?;
        device.defer("a stream", Err(Error::HostMemory { bytes: 1 }));
        let text = tensor.to_string();
        assert!(text.starts_with("<not readable: earlier, while dropping a stream: "), "{text}");
        assert!(matches!(tensor.to_bytes(), Err(Error::Deferred { .. })));
        assert_eq!(tensor.to_string(), "[1.5] f32[1] on device 0");
        Ok(())
    }
}
