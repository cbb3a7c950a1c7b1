//! Values: tensors on the device, arrays on the host, sequences and optionals.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, Weak};

use aclnn::{DType, Shape, Stream, Tensor};

use crate::array::Array;
use crate::error::{Error, Result};

/// A value of a graph.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value {
    /// A tensor on the device.
    Tensor(Tensor),
    /// A tensor that the host knows.
    Known(Known),
    /// A list of values.
    Sequence(Arc<[Value]>),
    /// A value, or none.
    Optional(Option<Arc<Value>>),
}

/// A tensor that the host knows. A copy on the device is made when an operator first needs it, and kept.
#[derive(Clone, Debug)]
pub struct Known(Arc<Copied>);

/// Elements, and their copy on the device.
type Copied = (Array, OnceLock<Tensor>);

impl Known {
    /// Returns the elements.
    pub fn array(&self) -> &Array {
        &self.0.0
    }

    /// Returns whether both are the same tensor, and not only equal ones.
    pub(crate) fn is(&self, other: &Known) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the elements on the device of a stream. The first device that asks keeps its copy.
    pub(crate) fn tensor(&self, stream: &Stream) -> Result<Tensor, aclnn::Error> {
        let (array, kept) = &*self.0;
        if let Some(tensor) = kept.get().filter(|tensor| tensor.device() == stream.device()) {
            return Ok(tensor.clone());
        }
        let made = Tensor::from_bytes(stream, array.dtype(), array.bytes(), array.shape().clone())?;
        if kept.get().is_none() {
            return Ok(kept.get_or_init(|| made).clone());
        }
        Ok(made)
    }
}

impl Value {
    /// Returns the element type of a tensor.
    pub fn dtype(&self) -> Option<DType> {
        match self {
            Value::Tensor(tensor) => Some(tensor.dtype()),
            Value::Known(known) => Some(known.array().dtype()),
            _ => None,
        }
    }

    /// Returns the sizes of the axes of a tensor.
    pub fn shape(&self) -> Option<&Shape> {
        match self {
            Value::Tensor(tensor) => Some(tensor.shape()),
            Value::Known(known) => Some(known.array().shape()),
            _ => None,
        }
    }

    /// Copies a tensor to the host, and waits for it; what the host knows is not copied.
    ///
    /// # Errors
    /// [`Error::Array`] for a sequence or an optional, or what the device returned.
    pub fn to_array(&self) -> Result<Array> {
        match self {
            Value::Tensor(tensor) => Array::new(tensor.dtype(), tensor.shape().clone(), tensor.to_bytes()?),
            Value::Known(known) => Ok(known.array().clone()),
            _ => Err(Error::Array(format!("{self} is not a tensor"))),
        }
    }

    /// Returns the array if the host knows it.
    pub(crate) fn known(&self) -> Option<&Array> {
        match self {
            Value::Known(known) => Some(known.array()),
            _ => None,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Tensor(tensor) => write!(f, "{}{:?}", tensor.dtype(), tensor.dims()),
            Value::Known(known) => write!(f, "{:?}", known.array()),
            Value::Sequence(values) => write!(f, "sequence of {} values", values.len()),
            Value::Optional(None) => write!(f, "empty optional"),
            Value::Optional(Some(value)) => write!(f, "optional {value}"),
        }
    }
}

impl From<Tensor> for Value {
    fn from(tensor: Tensor) -> Self {
        Value::Tensor(tensor)
    }
}

impl From<&Tensor> for Value {
    fn from(tensor: &Tensor) -> Self {
        Value::Tensor(tensor.clone())
    }
}

/// Where the bytes of an array are, and how they are seen.
type Seen = (*const u8, DType, Shape);

/// The values of arrays that several graphs of a model have, so that each is on the device once.
#[derive(Default)]
pub(crate) struct Shared(RefCell<HashMap<Seen, Weak<Copied>>>);

impl Shared {
    /// Returns the value of an array, the same one for as long as it is in use.
    pub(crate) fn value(&self, array: &Array) -> Value {
        if array.dtype() == DType::String {
            return array.into();
        }
        // Bytes at one place are the same ones for as long as they are in use.
        let seen = (array.bytes().as_ptr(), array.dtype(), array.shape().clone());
        let mut all = self.0.borrow_mut();
        let known = all.entry(seen).or_default();
        if let Some(known) = known.upgrade() {
            return Value::Known(Known(known));
        }
        let made = Arc::new((array.clone(), OnceLock::new()));
        *known = Arc::downgrade(&made);
        Value::Known(Known(made))
    }
}

impl From<Array> for Value {
    fn from(array: Array) -> Self {
        Value::Known(Known(Arc::new((array, OnceLock::new()))))
    }
}

impl From<&Array> for Value {
    fn from(array: &Array) -> Self {
        array.clone().into()
    }
}

impl From<&Value> for Value {
    fn from(value: &Value) -> Self {
        value.clone()
    }
}
