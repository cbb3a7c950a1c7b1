//! Slices whose norm is limited.

use aclnn_numerics::types_by_product::Types;

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::signatures;
use crate::tensor::{Index, Tensor};

/// Refuses orders and limits that are negative or no numbers.
#[inline]
fn has_limits(operation: &Operation<'_>, p: f64, most: f64) -> Result<()> {
    for (name, number) in [("the order of the norm", p), ("the limit", most)] {
        if number.is_nan() || number < 0.0 {
            return Err(operation.refused(format!("{name} is {number}, but must not be negative")));
        }
    }
    Ok(())
}

#[inline]
fn checked<'t>(name: &'static str, own: &'t Tensor, p: f64, most: f64) -> Result<Operation<'t>> {
    let operation = Operation::new(name, own.stream()).tensor("self", own);
    operation.placed()?;
    operation.takes("Renorm", signatures::renorm.takes, own.dtype())?;
    if own.rank() < 2 {
        return Err(operation.refused(format!("self has {} axes, but needs at least two", own.rank())));
    }
    has_limits(&operation, p, most)?;
    Ok(operation)
}

impl Tensor {
    /// Makes the slices along an axis shorter whose `p`-norm is above `most`: these are multiplied by `most / (norm + 10⁻⁷)`. The
    /// tensor is f32, f16 or bf16 (not on the 910 and the 310P), with at least two axes.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[3.0f32, 4.0, 0.3, 0.4], [2, 2])?;
    /// let y = x.renorm(2.0, 0, 2.5)?.to_vec::<f32>()?;
    /// assert!(y.iter().zip([1.5, 2.0, 0.3, 0.4]).all(|(a, b)| (a - b).abs() < 1e-6), "{y:?}");
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`View`](crate::Error::View) if the axis does not exist,
    /// [`Rank`](crate::Error::Rank) and [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnRenorm")]
    pub fn renorm(&self, p: f64, axis: impl Index, most: f64) -> Result<Tensor> {
        let operation = checked("renorm", self, p, most)?;
        let axis = operation.axis(self, axis)? as i64;
        let out = operation.empty(self.shape(), self.dtype())?;
        let (p, most) = (Scalar::from(p as f32), Scalar::from(most as f32));
        launch::Renorm(operation.stream.into(), self, &p, axis, &most, &out)?;
        Ok(out)
    }

    /// Replaces the elements by those of [`Tensor::renorm`].
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut x = Tensor::from_slice(&device, &[3.0f32, 4.0, 0.25, 0.5], [2, 2])?;
    /// x.renorm_in_place(2.0, 0, 2.5)?;
    /// assert_eq!(x.to_vec::<f32>()?[2..], [0.25, 0.5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Tensor::renorm`]; [`SharedElements`](crate::Error::SharedElements) if elements share memory.
    #[doc(alias = "aclnnInplaceRenorm")]
    pub fn renorm_in_place(&mut self, p: f64, axis: impl Index, most: f64) -> Result<()> {
        let operation = checked("renorm_in_place", self, p, most)?;
        operation.writable("self", self, self.shape())?;
        let axis = operation.axis(self, axis)? as i64;
        let (p, most) = (Scalar::from(p as f32), Scalar::from(most as f32));
        launch::InplaceRenorm(operation.stream.into(), self, &p, axis, &most)
    }

    /// Makes those rows of this tensor, a table with two axes, shorter that `indices` numbers and whose `p`-norm is above `most`,
    /// as [`Tensor::renorm`] does. `indices` is i32 or i64; [negative indices](crate::ops#indices) are not taken.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut table = Tensor::from_slice(&device, &[3.0f32, 4.0, 6.0, 8.0], [2, 2])?;
    /// table.embedding_renorm_in_place(&Tensor::from_slice(&device, &[1i64], 1)?, 2.0, 5.0)?;
    /// let rows = table.to_vec::<f32>()?;
    /// assert!(rows.iter().zip([3.0, 4.0, 3.0, 4.0]).all(|(a, b)| (a - b).abs() < 1e-6), "{rows:?}");
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Tensor::renorm_in_place`].
    #[doc(alias = "aclnnEmbeddingRenorm")]
    #[inline]
    pub fn embedding_renorm_in_place(&mut self, indices: &Tensor, p: f64, most: f64) -> Result<()> {
        let operation = Operation::new("embedding_renorm_in_place", self.stream())
            .tensor("self", self)
            .tensor("indices", indices);
        operation.placed()?;
        operation.takes("EmbeddingRenorm", signatures::embedding_renorm.takes, self.dtype())?;
        operation.takes("EmbeddingRenorm", Types::of("i32 i64"), indices.dtype())?;
        if self.rank() != 2 {
            return Err(operation.refused(format!("self has {} axes, but a table has two", self.rank())));
        }
        has_limits(&operation, p, most)?;
        Operation::new(operation.operator, operation.stream).tensor("indices", indices).writable(
            "self",
            self,
            self.shape(),
        )?;
        launch::EmbeddingRenorm(operation.stream.into(), self, indices, most, p)
    }
}
