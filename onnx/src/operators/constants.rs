//! Values that are made of attributes and lengths: constants, filled tensors, ranges, identities.

use aclnn::{DType, Shape, Tensor, onnx};

use super::elements::InType;
use super::operator::Operator;
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::format::tensor;
use crate::graph::{Attribute, Node};
use crate::host::FEW;
use crate::host::elements::{from_integers, integers, is_whole, scalar};
use crate::run::{Call, Prepared};
use crate::value::Value;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("Constant", 1, constant),
    Operator::node("ConstantOfShape", 9, constant_of_shape),
    Operator::node("EyeLike", 9, eye_like),
    Operator::node("Identity", 1, identity),
    Operator::node("Range", 11, range),
];

fn constant(node: &Node) -> NodeResult<Prepared> {
    let names = [
        "value",
        "value_float",
        "value_floats",
        "value_int",
        "value_ints",
        "value_string",
        "value_strings",
        "sparse_value",
    ];
    let mut found = names.iter().filter_map(|name| node.attributes.get(name));
    let (Some(attribute), None) = (found.next(), found.next()) else {
        return Reason::text("it must have exactly one attribute with its value");
    };
    let array = match attribute {
        Attribute::Tensor(array) => array.clone(),
        Attribute::Float(value) => Array::from_slice(&[*value], Shape::scalar())?,
        Attribute::Floats(values) => Array::from_slice(values, [values.len()])?,
        Attribute::Int(value) => Array::scalar(*value),
        Attribute::Ints(values) => Array::line(values.iter().copied()),
        Attribute::Text(_) => {
            let text = node.attributes.text("value_string")?.unwrap_or_default();
            Array::from_strings([text.to_owned()], Shape::scalar())?
        }
        Attribute::Texts(texts) => {
            let strings = node.attributes.texts("value_strings")?.unwrap_or_default();
            Array::from_strings(strings, [texts.len()])?
        }
        _ => return Reason::text("its value is neither a tensor nor numbers nor strings"),
    };
    let value = Value::from(array);
    Ok(Prepared::host("it is a constant", move |_| Ok(value.clone())))
}

fn constant_of_shape(node: &Node) -> NodeResult<Prepared> {
    let value = match node.attributes.tensor("value")? {
        Some(value) if value.numel() == 1 => value.reshape(Shape::scalar())?,
        Some(value) => return Reason::text(format!("its value is {value:?}, not one element")),
        None => Array::from_slice(&[0.0f32], Shape::scalar())?,
    };
    let on_device = Value::from(value.clone());
    Ok(Prepared::device(move |call| {
        let shape = tensor::shape(&call.ints(0)?)?;
        Ok(call.on_device(&on_device)?.broadcast_to(shape)?.contiguous()?)
    })
    .or_host(move |call| {
        let shape = tensor::shape(&call.ints(0)?)?;
        if shape.numel().is_none_or(|count| count > FEW) {
            return Reason::missing("it is large");
        }
        Ok(value.view(&value.layout().broadcast_to(shape).map_err(|error| error.to_string())?)?)
    }))
}

fn identity(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| Ok(call.value(0)?.clone())))
}

fn range(node: &Node) -> NodeResult<Prepared> {
    let wide = match node.dtype("stash_type")? {
        Some(DType::F64) => DType::F64,
        Some(DType::F32) | None => DType::F32,
        Some(other) => return Reason::text(format!("its intermediate type is {other}, neither f32 nor f64")),
    };
    Ok(Prepared::device(move |call| {
        let dtype = call.dtype(0)?;
        let computed = if matches!(dtype, DType::F16 | DType::BF16) { wide } else { dtype };
        let read = |input| -> NodeResult<_> { scalar(&call.array(input)?.cast(computed)?) };
        let (start, limit, delta) = (read(0)?, read(1)?, read(2)?);
        Ok(onnx::range(call.stream(), start, limit, delta).run()?.in_type(dtype)?)
    })
    .or_host(short_range))
}

/// Makes a short range of integers on the host.
fn short_range(call: &Call<'_>) -> NodeResult<Array> {
    let start = call.array(0)?;
    if !is_whole(&start) {
        return Reason::missing("the host makes ranges of integers alone");
    }
    let mut numbers = [0; 3];
    for (number, input) in numbers.iter_mut().zip(0..) {
        *number = match integers(&call.array(input)?)?.as_slice() {
            &[value] => value,
            values => return Reason::text(format!("its input {input} has {} elements, not 1", values.len())),
        };
    }
    let [first, limit, delta] = numbers;
    let length = limit - first;
    let Some(quotient) = length.checked_div(delta) else { return Reason::text("its delta is 0") };
    let count = (quotient + i128::from(quotient * delta != length)).max(0);
    let count = if (length < 0) == (delta < 0) && length != 0 { count } else { 0 };
    if count > FEW as i128 {
        return Reason::missing("it is long");
    }
    let values: Vec<i128> = (0..count).map(|index| first + index * delta).collect();
    from_integers(start.dtype(), &values, &Shape::from([values.len()]))
}

fn eye_like(node: &Node) -> NodeResult<Prepared> {
    let (diagonal, dtype) = (node.int("k", 0)?, node.dtype("dtype")?);
    Ok(Prepared::device(move |call| {
        let &[rows, columns] = call.shape(0)?.as_ref() else {
            return Reason::text(format!("it takes a matrix, not {}", call.value(0)?));
        };
        let dtype = match dtype {
            Some(dtype) => dtype,
            None => call.dtype(0)?,
        };
        // A column follows its row by the number of the diagonal.
        let row =
            Tensor::arange(call.stream(), 0, rows as i64, 1, DType::I64)?.add(diagonal)?.unsqueeze(1)?;
        let column = Tensor::arange(call.stream(), 0, columns as i64, 1, DType::I64)?;
        Ok(row.eq(&column)?.in_type(dtype)?)
    }))
}
