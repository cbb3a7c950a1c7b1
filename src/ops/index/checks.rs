//! The checks of functions with indices before anything is launched.

use aclnn_numerics::Shape;
use aclnn_numerics::types_by_product::Types;

use crate::argument_checks::Operation;
use crate::error::Result;
use crate::tensor::Tensor;

/// The sizes of the axes; a tensor without axes counts as one with a single axis of size 1.
#[inline]
pub(super) fn sizes(tensor: &Tensor) -> Vec<usize> {
    if tensor.rank() == 0 { vec![1] } else { tensor.dims().to_vec() }
}

impl Operation<'_> {
    /// Checks that an operator takes the types of a tensor and of its indices, and that all tensors are in place.
    #[inline]
    pub(super) fn checked(
        &self,
        by: &'static str,
        (own, takes): (&Tensor, Types),
        (index, indices): (&Tensor, Types),
    ) -> Result<()> {
        self.placed()?;
        self.takes(by, takes, own.dtype())?;
        self.takes(by, indices, index.dtype())
    }

    /// Checks that two tensors have one type.
    #[inline]
    pub(super) fn same_type(&self, name: &str, other: &Tensor, own: &Tensor) -> Result<()> {
        if other.dtype() == own.dtype() {
            return Ok(());
        }
        Err(self.refused(format!("{name} is {}, but must be {}; cast it first", other.dtype(), own.dtype())))
    }

    /// Checks that a tensor of indices has at most one axis. Returns how many there are.
    #[inline]
    pub(super) fn on_one_axis(&self, index: &Tensor) -> Result<usize> {
        if index.rank() > 1 {
            return Err(self.refused(format!("index has {} axes, but must have one", index.rank())));
        }
        Ok(index.numel())
    }

    /// Checks that a tensor has a shape.
    #[inline]
    pub(super) fn has_shape(&self, name: &str, tensor: &Tensor, wanted: &[usize]) -> Result<()> {
        if tensor.dims() == wanted {
            return Ok(());
        }
        let (given, wanted) = (tensor.shape(), Shape::from(wanted));
        Err(self.refused(format!("{name} has shape {given}, but {wanted} is needed")))
    }

    /// Checks that no axis of `inner` but one is longer than that of `outer`, and that they have as many.
    #[inline]
    pub(super) fn lies_in(
        &self,
        (name, inner): (&str, &Tensor),
        (outer_name, outer): (&str, &Tensor),
        except: Option<usize>,
    ) -> Result<()> {
        let (own, other) = (inner.dims(), outer.dims());
        if own.len() != other.len() {
            let (own, other) = (inner.shape(), outer.shape());
            return Err(self.refused(format!(
                "{name} has shape {own} and {outer_name} {other}, but both must have as many axes; unsqueeze one"
            )));
        }
        let mut sizes = own.iter().zip(other).enumerate();
        let fits = sizes.all(|(axis, (size, limit))| Some(axis) == except || size <= limit);
        if fits {
            return Ok(());
        }
        let beside = except.map_or(String::new(), |axis| format!(" but for axis {axis}"));
        Err(self.refused(format!(
            "{name} has shape {}, which must lie within {} of {outer_name}{beside}",
            inner.shape(),
            outer.shape()
        )))
    }

    /// Checks that a tensor can be changed in place: that it shares no memory with what is read meanwhile.
    #[inline]
    pub(super) fn changes(&self, own: &Tensor, others: &[(&'static str, &Tensor)]) -> Result<()> {
        self.writable("self", own, own.shape())?;
        for (name, other) in others {
            if own.numel() > 0 && other.numel() > 0 && own.overlap(other) != crate::tensor::Overlap::None {
                let reason = format!(
                    "self and {name} share elements, and self changes while {name} is read; copy one first"
                );
                return Err(self.refused(reason));
            }
        }
        Ok(())
    }
}
