//! Arrays of `ndarray` as inputs and outputs.

use aclnn::Element;
use ndarray::{ArrayBase, ArrayD, Data, Dimension, IxDyn, RawData};

use crate::array::Array;
use crate::error::{Error, Result};
use crate::session::Outputs;
use crate::value::Value;

impl<T: Element, S: Data<Elem = T> + RawData, D: Dimension> From<&ArrayBase<S, D>> for Array {
    /// Copies the elements in row-major order.
    fn from(array: &ArrayBase<S, D>) -> Array {
        let elements: Vec<T> = array.iter().copied().collect();
        Array::of(&elements, array.shape())
    }
}

impl<T: Element, S: Data<Elem = T> + RawData, D: Dimension> From<&ArrayBase<S, D>> for Value {
    fn from(array: &ArrayBase<S, D>) -> Value {
        Array::from(array).into()
    }
}

impl Array {
    /// Copies the elements to an array of `ndarray`.
    ///
    /// ```
    /// use aclnn_onnx::Array;
    ///
    /// let array = Array::from_slice(&[1.0f32, 2.0], [2, 1])?;
    /// assert_eq!(array.to_ndarray::<f32>()?, ndarray::arr2(&[[1.0], [2.0]]).into_dyn());
    /// # Ok::<(), aclnn_onnx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Array`] if the elements are of another type.
    pub fn to_ndarray<T: Element>(&self) -> Result<ArrayD<T>> {
        ArrayD::from_shape_vec(IxDyn(self.dims()), self.to_vec()?)
            .map_err(|error| Error::Array(error.to_string()))
    }
}

impl Outputs<'_> {
    /// Returns an output as an array of `ndarray`. Waits for it.
    ///
    /// # Errors
    /// Those of [`Outputs::array`] and [`Array::to_ndarray`].
    pub fn ndarray<T: Element>(&self, name: &str) -> Result<ArrayD<T>> {
        self.array(name)?.to_ndarray()
    }
}
