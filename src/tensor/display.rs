//! Tensors as text. Only what is printed is read.

use std::fmt;

use aclnn_numerics::convert::pack::Width;
use aclnn_numerics::print::{self, Text};
use aclnn_numerics::{DType, Shape};

use super::Tensor;
use crate::check::copies;
use crate::error::{Error, Operands, Result};
use crate::memory::host_zeros;

impl Tensor {
    /// The elements as text, read from the device now: it waits for the work that computes them.
    ///
    /// They are laid out as NumPy does it, with `...` in place of what is left out: of more than 1000 elements, all but
    /// three at each end of every axis that is longer than six. Only those that are printed are read. The precision of the
    /// format, as in `{:.3}`, takes the place of the usual eight digits. [`Text`](aclnn_numerics::print::Text) says more.
    ///
    /// A tensor prints itself in the same way, but where its elements cannot be read it says why in their place.
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
    pub fn display(&self) -> Result<impl fmt::Display + use<>> {
        let text = Text::new(self.dtype, self.shape(), &self.printed_elements()?);
        Ok(Printed { text, headline: self.headline() })
    }

    /// The elements that are printed; those of less than a byte take one each.
    fn printed_elements(&self) -> Result<Vec<u8>> {
        let layout = print::excerpt(&self.layout).map_err(|cause| Error::View {
            view: "display",
            tensor: Operands::new([self.info("self")]),
            cause,
        })?;
        let mut elements = Vec::new();
        if layout == self.layout {
            read(self, &mut elements)?;
        } else {
            read_in_pieces(&Tensor { layout, ..self.clone() }, &mut elements)?;
        }
        Ok(elements)
    }

    /// What is known without asking the device.
    pub(super) fn headline(&self) -> Headline {
        Headline { dtype: self.dtype, shape: self.shape().clone(), device: self.device().id() }
    }
}

/// Reads a view and nothing that lies between its elements.
fn read_in_pieces(view: &Tensor, elements: &mut Vec<u8>) -> Result<()> {
    match view.shape().first() {
        // The device does not gather them, and the host would read what lies between them too.
        Some(&size) if !view.is_contiguous() && !copies(view) => {
            (0..size).try_for_each(|index| read_in_pieces(&view.select(0, index)?, elements))
        }
        _ => read(view, elements),
    }
}

fn read(view: &Tensor, elements: &mut Vec<u8>) -> Result<()> {
    let bytes = view.to_bytes()?;
    match Width::of(view.dtype) {
        Some(width) => {
            let mut codes = host_zeros(view.numel())?;
            width.unpack(&bytes, &mut codes);
            elements.extend(codes);
        }
        None => elements.extend(bytes),
    }
    Ok(())
}

/// `f32[2, 3] on device 0`
pub(super) struct Headline {
    dtype: DType,
    shape: Shape,
    device: i32,
}

impl fmt::Display for Headline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} on device {}", self.dtype, self.shape, self.device)
    }
}

struct Printed {
    text: Text,
    headline: Headline,
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)?;
        // Beside a row or a number, below more of them.
        let separator = if self.headline.shape.rank() > 1 { '\n' } else { ' ' };
        write!(f, "{separator}{}", self.headline)
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.display() {
            Ok(printed) => printed.fmt(f),
            Err(error) => {
                write!(f, "<not readable: {error}> {}", self.headline())?;
                // What failed in a drop is for a call that can fail.
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
