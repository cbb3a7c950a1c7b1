//! Values in files with one message each.

use std::path::Path;
use std::sync::Arc;

use prost::Message;

use crate::error::{Error, Result};
use crate::format;
use crate::format::proto::TensorProto;
use crate::format::source::Source;
use crate::format::tensor;
use crate::format::types::ValueType;
use crate::value::Value;

#[derive(Clone, PartialEq, Message)]
struct SequenceProto {
    #[prost(int32, tag = "2")]
    kind: i32,
    #[prost(message, repeated, tag = "3")]
    tensors: Vec<TensorProto>,
    #[prost(message, repeated, tag = "5")]
    sequences: Vec<SequenceProto>,
    #[prost(message, repeated, tag = "7")]
    optionals: Vec<OptionalProto>,
}

#[derive(Clone, PartialEq, Message)]
struct OptionalProto {
    #[prost(int32, tag = "2")]
    kind: i32,
    #[prost(message, optional, tag = "3")]
    tensor: Option<TensorProto>,
    #[prost(message, optional, tag = "5")]
    sequence: Option<SequenceProto>,
    #[prost(message, optional, boxed, tag = "7")]
    optional: Option<Box<OptionalProto>>,
}

/// Reads the value of a file.
///
/// The file holds a `TensorProto`; where `declared` is a sequence or an optional, a `SequenceProto` or an `OptionalProto`.
/// The type that the file says is not compared with `declared`.
///
/// # Errors
/// [`Error::File`] if the file cannot be read, [`Error::Model`] if it holds no such value, and [`Error::NotSupported`] for
/// maps.
pub fn read_value(path: &Path, declared: Option<&ValueType>) -> Result<Value> {
    let source = Source::open(path)?;
    let value = match declared {
        Some(ValueType::Sequence(_)) => {
            decoded::<SequenceProto>(&source).and_then(|proto| sequence(&proto, &source))
        }
        Some(ValueType::Optional(_)) => {
            decoded::<OptionalProto>(&source).and_then(|proto| optional(&proto, &source))
        }
        Some(declared @ ValueType::Map { .. }) => {
            return Err(Error::NotSupported {
                model: path.display().to_string(),
                node: declared.to_string(),
                reason: "there are no values of this type".to_owned(),
            });
        }
        _ => decoded::<TensorProto>(&source).and_then(|proto| Ok(tensor::read(&proto, &source)?.into())),
    };
    value.map_err(|reason| Error::Model {
        model: path.display().to_string(),
        place: "value".to_owned(),
        reason,
    })
}

fn decoded<M: Message + Default>(source: &Source) -> Result<M, String> {
    M::decode(source.bytes.clone())
        .map_err(|error| format!("the file holds another message: {}", format::why(&error)))
}

fn sequence(proto: &SequenceProto, source: &Source) -> Result<Value, String> {
    let tensors = proto.tensors.iter().map(|proto| Ok(tensor::read(proto, source)?.into()));
    let sequences = proto.sequences.iter().map(|proto| sequence(proto, source));
    let optionals = proto.optionals.iter().map(|proto| optional(proto, source));
    // Only the field for the kind of the elements is filled.
    let values: Vec<Value> = match proto.kind {
        0 | 1 => tensors.collect::<Result<_, String>>()?,
        3 => sequences.collect::<Result<_, String>>()?,
        5 => optionals.collect::<Result<_, String>>()?,
        kind => return Err(format!("a sequence of kind {kind} is not supported")),
    };
    Ok(Value::Sequence(values.into()))
}

fn optional(proto: &OptionalProto, source: &Source) -> Result<Value, String> {
    let value = match proto.kind {
        0 => None,
        1 => match &proto.tensor {
            Some(proto) => Some(tensor::read(proto, source)?.into()),
            None => None,
        },
        3 => proto.sequence.as_ref().map(|proto| sequence(proto, source)).transpose()?,
        5 => proto.optional.as_ref().map(|proto| optional(proto, source)).transpose()?,
        kind => return Err(format!("an optional of kind {kind} is not supported")),
    };
    Ok(Value::Optional(value.map(Arc::new)))
}
