//! Arrays of the crate `ndarray`.

use aclnn_numerics::{Element, Shape};
use ndarray::{Array, ArrayD, ArrayRef, Dimension, IxDyn};

use crate::error::{Error, Result};
use crate::stream::Stream;
use crate::tensor::Tensor;

impl Tensor {
    /// Copies an array or a view of one to a device, or to the device of a stream, as a contiguous tensor (feature
    /// `ndarray`). The elements keep their indices, whatever their order in memory. The copy is complete on return.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    /// use ndarray::{Array2, array};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_ndarray(&device, &array![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]].t())?;
    /// let sum = Array2::<f32>::try_from(&a.add(1.0)?)?;
    /// assert_eq!(sum, array![[2.0, 5.0], [3.0, 6.0], [4.0, 7.0]]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::HostMemory`] if there is no memory to put the elements into row-major order, and those of
    /// [`Tensor::from_slice`].
    pub fn from_ndarray<T: Element, D: Dimension>(
        on: impl Into<Stream>,
        array: &ArrayRef<T, D>,
    ) -> Result<Tensor> {
        let shape = Shape::from(array.shape());
        if let Some(elements) = array.as_slice() {
            return Tensor::from_slice(on, elements, shape);
        }
        let mut elements: Vec<T> = Vec::new();
        let bytes = array.len().saturating_mul(size_of::<T>());
        elements.try_reserve_exact(array.len()).map_err(|_| Error::HostMemory { bytes })?;
        elements.extend(array.iter());
        Tensor::from_slice(on, &elements, shape)
    }

    /// Returns the elements as an array in row-major order (feature `ndarray`). Waits for the work that computes them.
    ///
    /// `Array2::try_from(&tensor)` and the like return arrays whose type fixes the number of axes.
    ///
    /// # Errors
    /// [`Error::Interop`] if an axis beside an empty one is longer than an array can count, and those of
    /// [`Tensor::to_vec`].
    #[doc(alias = "numpy")]
    pub fn to_ndarray<T: Element>(&self) -> Result<ArrayD<T>> {
        self.try_into()
    }
}

/// Converts as [`Tensor::to_ndarray`] (feature `ndarray`); [`Error::Interop`] also if the tensor has another number of
/// axes.
impl<T: Element, D: Dimension> TryFrom<&Tensor> for Array<T, D> {
    type Error = Error;

    #[inline]
    fn try_from(tensor: &Tensor) -> Result<Self> {
        let refuse = |reason| Error::Interop {
            with: "ndarray",
            reason: format!("{}{} {reason}", tensor.dtype(), tensor.shape()),
        };
        if let Some(axes) = D::NDIM.filter(|&axes| axes != tensor.rank()) {
            let rank = tensor.rank();
            return Err(refuse(format!(
                "has {rank} axes, the array {axes}; choose another array, or reshape it"
            )));
        }
        let elements = tensor.to_vec()?;
        let array = ArrayD::from_shape_vec(IxDyn(tensor.shape()), elements);
        array
            .and_then(Array::into_dimensionality)
            .map_err(|cause| refuse(format!("does not become an array: {cause}")))
    }
}
