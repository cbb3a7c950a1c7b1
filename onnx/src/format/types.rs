//! The types of values, as a model declares them.

use std::fmt;

use aclnn::DType;

use super::proto::TypeProto;
use super::tensor;

/// The declared type of a value.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum ValueType {
    /// A tensor, with a shape if the model says one.
    Tensor {
        /// The element type.
        dtype: DType,
        /// The sizes of the axes.
        shape: Option<Vec<Dimension>>,
    },
    /// A list of values of one type.
    Sequence(Box<ValueType>),
    /// A value, or none.
    Optional(Box<ValueType>),
    /// A map from keys to values.
    Map {
        /// The type of the keys.
        key: DType,
        /// The type of the values.
        value: Box<ValueType>,
    },
}

/// The declared size of an axis.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Dimension {
    /// A number.
    Fixed(usize),
    /// A name; models do not agree on whether axes of the same name have the same size.
    Named(String),
    /// Any size.
    Any,
}

impl ValueType {
    /// Reads a type; `None` if none is set.
    pub(crate) fn read(proto: &TypeProto) -> Result<Option<ValueType>, String> {
        let inner = |proto: &Option<Box<TypeProto>>| match proto {
            Some(proto) => {
                ValueType::read(proto)?.map(Box::new).ok_or("its type has no element type".to_owned())
            }
            None => Err("its type has no element type".to_owned()),
        };
        if let Some(tensor) = proto.tensor_type.as_ref().or(proto.sparse_tensor_type.as_ref()) {
            let dimension = |dim: &super::proto::DimensionProto| match (dim.dim_value, &dim.dim_param) {
                // Some exporters write -1 for any size.
                (Some(size), _) => usize::try_from(size).map_or(Dimension::Any, Dimension::Fixed),
                (None, Some(name)) if !name.is_empty() => Dimension::Named(name.clone()),
                _ => Dimension::Any,
            };
            let shape = tensor.shape.as_ref().map(|shape| shape.dim.iter().map(dimension).collect());
            if tensor.elem_type == 0 && shape.is_none() {
                return Ok(None);
            }
            return Ok(Some(ValueType::Tensor { dtype: tensor::dtype(tensor.elem_type)?, shape }));
        }
        if let Some(sequence) = &proto.sequence_type {
            return Ok(Some(ValueType::Sequence(inner(&sequence.elem_type)?)));
        }
        if let Some(optional) = &proto.optional_type {
            return Ok(Some(ValueType::Optional(inner(&optional.elem_type)?)));
        }
        if let Some(map) = &proto.map_type {
            let (key, value) = (tensor::dtype(map.key_type)?, inner(&map.value_type)?);
            return Ok(Some(ValueType::Map { key, value }));
        }
        Ok(None)
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueType::Tensor { dtype, shape: None } => write!(f, "{dtype} of any shape"),
            ValueType::Tensor { dtype, shape: Some(shape) } => {
                write!(f, "{dtype}[")?;
                for (axis, dimension) in shape.iter().enumerate() {
                    write!(f, "{}{dimension}", if axis == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            ValueType::Sequence(inner) => write!(f, "sequence of {inner}"),
            ValueType::Optional(inner) => write!(f, "optional {inner}"),
            ValueType::Map { key, value } => write!(f, "map from {key} to {value}"),
        }
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dimension::Fixed(size) => write!(f, "{size}"),
            Dimension::Named(name) => f.write_str(name),
            Dimension::Any => f.write_str("?"),
        }
    }
}
