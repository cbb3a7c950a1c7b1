//! Operators that depend on the truth of each element: of a mask, or of the tensor itself.

use aclnn_numerics::{DType, Layout, Shape};

use super::super::fill::converted;
use crate::argument_checks::Operation;
use crate::call::{On, Sizes, launch};
use crate::error::{Error, Result};
use crate::operand::{IntoOperand, Operand};
use crate::signatures;
use crate::tensor::Tensor;

impl Tensor {
    #[inline]
    fn masked<'a>(&'a self, name: &'static str, mask: &'a Tensor) -> Operation<'a> {
        Operation::new(name, self.stream()).tensor("self", self).tensor("mask", mask)
    }

    /// Returns the elements for which `mask`, of bool or u8, is not zero, in row-major order on one axis. Both are broadcast to
    /// one shape.
    ///
    /// How many there are is known once they are found, so this function waits for the work. The result lies in memory for as
    /// many elements as the tensor has; [`Tensor::copy`] moves it into memory of its own size.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[3, -1, 4], 3)?;
    /// assert_eq!(line.masked_select(&line.gt(0)?)?.to_vec::<i32>()?, [3, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Broadcast`](Error::Broadcast), [`Devices`](Error::Devices), [`Rank`](Error::Rank) and
    /// [`Unsupported`](Error::Unsupported), all before anything is launched; [`OutOfMemory`](Error::OutOfMemory);
    /// [`Launch`](Error::Launch) if the library refuses, or the work fails.
    #[doc(alias = "aclnnMaskedSelect")]
    #[doc(alias = "compress")]
    #[doc(alias = "mask_select")]
    #[inline]
    pub fn masked_select(&self, mask: &Tensor) -> Result<Tensor> {
        let (operation, signature) = (self.masked("masked_select", mask), signatures::masked_select);
        operation.checked("MaskedSelect", (self, signature.takes), (mask, signature.indices))?;
        let shape = operation.broadcast(self.shape(), mask.shape())?;
        let out = operation.empty(shape.numel().unwrap_or(usize::MAX), self.dtype())?;
        if out.numel() == 0 {
            return Ok(out);
        }
        let sizes = Sizes::default();
        launch::MaskedSelect(On::sized(operation.stream, &sizes), self, mask, &out)?;
        begun(&out, sizes)
    }

    /// Returns the coordinates of the elements that are not zero, in row-major order: a tensor of i64 with a row for each of
    /// them, and a column for each axis. NaN is not zero.
    ///
    /// How many there are is known once they are found, so this function waits for the work. The result lies in memory for as
    /// many coordinates as the tensor has; [`Tensor::copy`] moves it into memory of its own size.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[0, 7, 8, 0], [2, 2])?;
    /// assert_eq!(grid.nonzero()?.to_vec::<i64>()?, [0, 1, 1, 0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](Error::Argument) if the tensor has no axes, [`Devices`](Error::Devices), [`Rank`](Error::Rank) and
    /// [`Unsupported`](Error::Unsupported), all before anything is launched; [`OutOfMemory`](Error::OutOfMemory);
    /// [`Launch`](Error::Launch) if the library refuses, or the work fails.
    #[doc(alias = "aclnnNonzero")]
    #[doc(alias = "argwhere")]
    #[inline]
    pub fn nonzero(&self) -> Result<Tensor> {
        let operation = Operation::new("nonzero", self.stream()).tensor("self", self);
        operation.found("Nonzero", self, signatures::nonzero.takes)?;
        let out = operation.empty([self.numel(), self.rank()], DType::I64)?;
        if out.numel() == 0 {
            return Ok(out);
        }
        let sizes = Sizes::default();
        launch::Nonzero(On::sized(operation.stream, &sizes), self, &out)?;
        begun(&out, sizes)
    }

    /// Returns the coordinates of the elements that are not zero, one tensor of i64 for each axis, as [`Tensor::index`] and
    /// [`Tensor::index_put`] take them. Waits for the work, as [`Tensor::nonzero`] does.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[0, 7, 8, 0], [2, 2])?;
    /// let found = grid.nonzero_axes()?;
    /// assert_eq!(grid.index(&[Some(&found[0]), Some(&found[1])])?.to_vec::<i32>()?, [7, 8]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::nonzero`].
    #[doc(alias = "aclnnNonzeroV2")]
    #[inline]
    pub fn nonzero_axes(&self) -> Result<Vec<Tensor>> {
        let operation = Operation::new("nonzero_axes", self.stream()).tensor("self", self);
        operation.found("NonzeroV2", self, signatures::nonzero_v2.takes)?;
        let mut out = operation.empty([self.rank(), self.numel()], DType::I64)?;
        if out.numel() > 0 {
            let sizes = Sizes::default();
            launch::NonzeroV2(On::sized(operation.stream, &sizes), self, &out)?;
            out = begun(&out, sizes)?;
        }
        (0..self.rank()).map(|axis| out.select(0, axis)).collect()
    }

    /// Returns a copy of this tensor with `value` where `mask`, of bool, is true. The mask is broadcast to the shape of this
    /// tensor; the value is a number or a tensor without axes, and is converted to the type of this tensor.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let scores = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], 3)?;
    /// let filled = scores.masked_fill(&scores.gt(1.5)?, f32::NEG_INFINITY)?;
    /// assert_eq!(filled.to_vec::<f32>()?, [1.0, f32::NEG_INFINITY, f32::NEG_INFINITY]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](Error::Argument), [`Scalar`](Error::Scalar), [`Devices`](Error::Devices), [`Rank`](Error::Rank) and
    /// [`Unsupported`](Error::Unsupported), all before anything is launched; [`OutOfMemory`](Error::OutOfMemory);
    /// [`Launch`](Error::Launch) if the library refuses.
    #[doc(alias = "aclnnInplaceMaskedFillScalar")]
    #[doc(alias = "aclnnInplaceMaskedFillTensor")]
    #[doc(alias = "mask_fill")]
    pub fn masked_fill<'a>(&'a self, mask: &'a Tensor, value: impl IntoOperand<'a>) -> Result<Tensor> {
        self.fill_masked("masked_fill", mask, value.into_operand(), false)
    }

    /// Writes `value` to elements of this tensor, as [`Tensor::masked_fill`] does in a new one.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut line = Tensor::from_slice(&device, &[1, -2, 3], 3)?;
    /// line.masked_fill_in_place(&line.lt(0)?, 0)?;
    /// assert_eq!(line.to_vec::<i32>()?, [1, 0, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::masked_fill`], and [`SharedElements`](Error::SharedElements).
    #[doc(alias = "aclnnInplaceMaskedFillScalar")]
    #[doc(alias = "aclnnInplaceMaskedFillTensor")]
    pub fn masked_fill_in_place<'a>(&mut self, mask: &'a Tensor, value: impl IntoOperand<'a>) -> Result<()> {
        self.fill_masked("masked_fill_in_place", mask, value.into_operand(), true).map(drop)
    }

    #[inline]
    fn fill_masked(
        &self,
        name: &'static str,
        mask: &Tensor,
        value: Operand<'_>,
        in_place: bool,
    ) -> Result<Tensor> {
        let signature = signatures::masked_fill;
        let operation = self.masked(name, mask);
        let operation = match value {
            Operand::Tensor(value) => operation.tensor("value", value),
            Operand::Scalar(value) => operation.scalar("value", value),
        };
        let mut others = vec![("mask", mask)];
        let scalar = match value {
            Operand::Scalar(value) => {
                operation.masks(
                    "InplaceMaskedFillScalar",
                    (self, signature.takes),
                    (mask, signature.indices),
                )?;
                Some(converted(&operation, value, self.dtype())?)
            }
            Operand::Tensor(value) => {
                let by = "InplaceMaskedFillTensor";
                operation.masks(by, (self, signature.takes), (mask, signature.indices))?;
                if value.dtype() != DType::BF16 {
                    operation.takes(by, signature.takes, value.dtype())?;
                }
                operation.has_shape("value", value, &[])?;
                others.push(("value", value));
                None
            }
        };
        if in_place {
            operation.changes(self, &others)?;
        }
        let target = if in_place { self.clone() } else { self.copy()? };
        if self.numel() > 0 {
            let on = operation.stream.into();
            match (scalar, value) {
                (Some(value), _) => launch::InplaceMaskedFillScalar(on, &target, mask, &value)?,
                (_, Operand::Tensor(value)) => launch::InplaceMaskedFillTensor(on, &target, mask, value)?,
                _ => return Err(Error::Internal { what: "a fill without a value" }),
            }
        }
        Ok(target)
    }

    /// Returns a copy of this tensor with the elements of `source`, in row-major order, where `mask`, of bool or u8, is not
    /// zero. The mask is broadcast to the shape of this tensor; `source` is of the same type and has at least as many elements
    /// as the mask has true ones, which is not known before the work runs: with fewer the emulator fails, and a device may read
    /// anything.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2, 3], 3)?;
    /// let changed = line.masked_scatter(&line.ne(2)?, &Tensor::from_slice(&device, &[8, 9], 2)?)?;
    /// assert_eq!(changed.to_vec::<i32>()?, [8, 2, 9]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::masked_fill`].
    #[doc(alias = "aclnnInplaceMaskedScatter")]
    #[inline]
    pub fn masked_scatter(&self, mask: &Tensor, source: &Tensor) -> Result<Tensor> {
        self.scatter_masked("masked_scatter", mask, source, false)
    }

    /// Writes the elements of `source` to this tensor, as [`Tensor::masked_scatter`] does in a new one.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut line = Tensor::from_slice(&device, &[1, -2, 3], 3)?;
    /// line.masked_scatter_in_place(&line.lt(0)?, &Tensor::from_slice(&device, &[7], 1)?)?;
    /// assert_eq!(line.to_vec::<i32>()?, [1, 7, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::masked_fill_in_place`].
    #[doc(alias = "aclnnInplaceMaskedScatter")]
    #[inline]
    pub fn masked_scatter_in_place(&mut self, mask: &Tensor, source: &Tensor) -> Result<()> {
        self.scatter_masked("masked_scatter_in_place", mask, source, true).map(drop)
    }

    #[inline]
    fn scatter_masked(
        &self,
        name: &'static str,
        mask: &Tensor,
        source: &Tensor,
        in_place: bool,
    ) -> Result<Tensor> {
        let operation = self.masked(name, mask).tensor("source", source);
        let signature = signatures::masked_scatter;
        operation.masks("InplaceMaskedScatter", (self, signature.takes), (mask, signature.indices))?;
        operation.same_type("source", source, self)?;
        if in_place {
            operation.changes(self, &[("mask", mask), ("source", source)])?;
        }
        let target = if in_place { self.clone() } else { self.copy()? };
        if self.numel() > 0 {
            launch::InplaceMaskedScatter(operation.stream.into(), &target, mask, source)?;
        }
        Ok(target)
    }
}

impl Operation<'_> {
    /// Checks a mask, which must broadcast to the tensor.
    #[inline]
    fn masks(
        &self,
        by: &'static str,
        (own, takes): (&Tensor, aclnn_numerics::types_by_product::Types),
        (mask, masks): (&Tensor, aclnn_numerics::types_by_product::Types),
    ) -> Result<()> {
        self.checked(by, (own, takes), (mask, masks))?;
        if self.broadcast(own.shape(), mask.shape())? != *own.shape() {
            let reason =
                format!("mask has shape {}, which is not broadcast to {}", mask.shape(), own.shape());
            return Err(self.refused(reason));
        }
        Ok(())
    }

    /// Checks a tensor whose elements are looked for.
    #[inline]
    fn found(
        &self,
        by: &'static str,
        own: &Tensor,
        takes: aclnn_numerics::types_by_product::Types,
    ) -> Result<()> {
        self.placed()?;
        self.takes(by, takes, own.dtype())?;
        if own.rank() == 0 {
            return Err(self.refused("self has no axes, and so no coordinates; reshape it".to_owned()));
        }
        Ok(())
    }
}

/// Returns the first elements of a contiguous tensor, in the shape that it got when they were found.
#[inline]
fn begun(tensor: &Tensor, sizes: Sizes) -> Result<Tensor> {
    let shape = sizes.into_inner().into_iter().next().unwrap_or_else(|| Shape::from(&[0][..]));
    if shape.numel().is_none_or(|count| count > tensor.numel()) {
        return Err(Error::Internal { what: "more elements than were looked for" });
    }
    Ok(tensor.with_layout(Layout::contiguous(shape)))
}
