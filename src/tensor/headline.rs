//! The line that says what a tensor is, without asking the device.

use std::fmt;

use aclnn_numerics::{DType, Shape};

use super::Tensor;

/// Formats as `f32[2, 3] on device 0`.
pub(crate) struct Headline {
    dtype: DType,
    shape: Shape,
    device: i32,
}

impl fmt::Display for Headline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} on device {}", self.dtype, self.shape, self.device)
    }
}

impl Headline {
    pub(crate) fn rank(&self) -> usize {
        self.shape.rank()
    }
}

impl Tensor {
    /// Returns the line with everything that is known without asking the device.
    pub(crate) fn headline(&self) -> Headline {
        Headline { dtype: self.dtype, shape: self.shape().clone(), device: self.device().id() }
    }
}

/// Formats a short description without asking the device; `Display` formats the elements.
impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({}", self.headline())?;
        if !self.is_contiguous() || self.layout.offset() != 0 {
            write!(f, ", strides {:?} from {}", self.layout.strides(), self.layout.offset())?;
        }
        f.write_str(")")
    }
}
