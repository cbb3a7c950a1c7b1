//! Elements that stand for others: LabelEncoder, CategoryMapper, OneHotEncoder.

use std::collections::HashMap;

use aclnn::{DType, Shape};

use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::Prepared;
use crate::value::Value;

/// Why the host looks elements up.
const ON_HOST: &str = "keys are looked up on the host";

/// The places of keys.
enum Keys {
    Strings(HashMap<String, usize>),
    Whole(HashMap<i64, usize>),
    Floats(HashMap<u64, usize>),
}

/// Returns bits that are the same for equal numbers, and for every NaN.
fn bits(number: f64) -> u64 {
    if number.is_nan() { f64::NAN.to_bits() } else { (number + 0.0).to_bits() }
}

fn is_whole(array: &Array) -> bool {
    array.dtype().is_integer() || array.dtype() == DType::Bool
}

impl Keys {
    fn of(array: &Array) -> NodeResult<Keys> {
        Ok(match array.strings() {
            Some(strings) => Keys::Strings(strings.iter().cloned().zip(0..).collect()),
            None if is_whole(array) => Keys::Whole(array.to_i64s()?.into_iter().zip(0..).collect()),
            None => Keys::Floats(array.to_f64s()?.into_iter().map(bits).zip(0..).collect()),
        })
    }

    /// Returns the places of elements; `None` for those that are no keys.
    fn find(&self, array: &Array) -> NodeResult<Vec<Option<usize>>> {
        Ok(match (self, array.strings()) {
            (Keys::Strings(keys), Some(strings)) => {
                strings.iter().map(|text| keys.get(text).copied()).collect()
            }
            (Keys::Whole(keys), None) => {
                array.to_i64s()?.iter().map(|number| keys.get(number).copied()).collect()
            }
            (Keys::Floats(keys), None) => {
                array.to_f64s()?.into_iter().map(|number| keys.get(&bits(number)).copied()).collect()
            }
            _ => return Reason::text(format!("its keys are not of the type of {array:?}")),
        })
    }
}

/// Maps elements by keys to values, others to a default value.
fn mapped(keys: &Array, values: &Array, default: &Array) -> NodeResult<Prepared> {
    let count = values.numel();
    if keys.numel() != count || default.numel() != 1 || default.dtype() != values.dtype() {
        return Reason::text(format!(
            "keys {keys:?}, values {values:?} and a default {default:?} do not fit"
        ));
    }
    let keys = Keys::of(keys)?;
    let values = Array::joined(&[values.reshape([count])?, default.reshape([1])?])?;
    Ok(Prepared::host(ON_HOST, move |call| {
        let array = call.array(0)?;
        let places = keys.find(&array)?.into_iter().map(|place| place.unwrap_or(count));
        Ok(values.take(places.collect::<Vec<_>>().into_iter(), array.shape().clone())?)
    }))
}

fn texts(texts: Vec<String>) -> NodeResult<Array> {
    let shape = [texts.len()];
    Ok(Array::from_strings(texts, shape)?)
}

/// Maps integers to strings and strings to integers, as what the input is asks for.
fn both_ways(node: &Node, numbers: Array, strings: Vec<String>) -> NodeResult<Prepared> {
    let strings = texts(strings)?;
    let other = texts(vec![node.text("default_string", "_Unused")?])?;
    let number = Array::line([node.int("default_int64", -1)?]);
    let (to_strings, to_numbers) = (Keys::of(&numbers)?, Keys::of(&strings)?);
    let count = strings.numel();
    if numbers.numel() != count {
        return Reason::text(format!("it has {} integers and {count} strings", numbers.numel()));
    }
    let (strings, numbers) = (Array::joined(&[strings, other])?, Array::joined(&[numbers, number])?);
    Ok(Prepared::host(ON_HOST, move |call| {
        let array = call.array(0)?;
        let (keys, values) = match array.strings() {
            Some(_) => (&to_numbers, &numbers),
            None => (&to_strings, &strings),
        };
        let places = keys.find(&array)?.into_iter().map(|place| place.unwrap_or(count));
        Ok(values.take(places.collect::<Vec<_>>().into_iter(), array.shape().clone())?)
    }))
}

/// LabelEncoder of version 1: strings and their places.
pub(super) fn by_place(node: &Node) -> NodeResult<Prepared> {
    let strings = node.attributes.texts("classes_strings")?.unwrap_or_default();
    both_ways(node, Array::line(0..strings.len() as i64), strings)
}

pub(super) fn category_mapper(node: &Node) -> NodeResult<Prepared> {
    let strings = node.attributes.texts("cats_strings")?.unwrap_or_default();
    both_ways(node, Array::line(node.ints("cats_int64s")?.unwrap_or_default()), strings)
}

/// LabelEncoder from version 2 on: keys and values of any type.
pub(super) fn by_key(node: &Node) -> NodeResult<Prepared> {
    let (keys, values) = (list(node, "keys")?, list(node, "values")?);
    let number = node.float("default_float", -0.0)?;
    let (integer, text) = (node.int("default_int64", -1)?, node.text("default_string", "_Unused")?);
    let default = match node.attributes.tensor("default_tensor")? {
        Some(default) => default.clone(),
        None if values.dtype() == DType::String => texts(vec![text])?,
        None if is_whole(&values) => Array::from_i64s(values.dtype(), &[integer], [1])?,
        None => Array::from_f64s(values.dtype(), &[number.into()], [1])?,
    };
    mapped(&keys, &values, &default)
}

/// Returns the elements of one of the attributes of a name for some types.
fn list(node: &Node, name: &str) -> NodeResult<Array> {
    let attributes = &node.attributes;
    let strings = attributes.texts(&format!("{name}_strings"))?.map(texts).transpose()?;
    let integers = node.ints(&format!("{name}_int64s"))?.map(Array::line);
    let floats = attributes.floats(&format!("{name}_floats"))?;
    let floats = floats.map(|numbers| Array::from_slice(numbers, [numbers.len()])).transpose()?;
    let tensor = attributes.tensor(&format!("{name}_tensor"))?.cloned();
    let mut given = [strings, integers, floats, tensor].into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(list), None) => Ok(list),
        _ => Reason::text(format!("it needs exactly one attribute with its {name}")),
    }
}

pub(super) fn one_hot(node: &Node) -> NodeResult<Prepared> {
    let zeros = node.flag("zeros", true)?;
    let strings = node.attributes.texts("cats_strings")?.filter(|list| !list.is_empty());
    let numbers = node.ints("cats_int64s")?.filter(|list| !list.is_empty());
    let categories = match (strings, numbers) {
        (Some(strings), None) => texts(strings)?,
        (None, Some(numbers)) => Array::line(numbers),
        _ => return Reason::text("it needs categories that are strings, or integers"),
    };
    if zeros && categories.strings().is_none() {
        let categories = Value::from(categories);
        return Ok(Prepared::device(move |call| {
            let indices = call.tensor(0)?.cast(DType::I64)?.unsqueeze(-1)?;
            Ok(indices.eq(&call.on_device(&categories)?)?.cast(DType::F32)?)
        }));
    }
    let (keys, count) = (Keys::of(&categories)?, categories.numel());
    Ok(Prepared::host("categories are looked up on the host", move |call| {
        let array = call.array(0)?;
        let array = match array.strings() {
            Some(_) => array,
            None => array.cast(DType::I64)?,
        };
        let places = keys.find(&array)?;
        if !zeros && places.iter().any(Option::is_none) {
            return Reason::text("one of its elements is no category");
        }
        let marks: Vec<f32> = places
            .iter()
            .flat_map(|place| {
                (0..count).map(move |category| if *place == Some(category) { 1.0 } else { 0.0 })
            })
            .collect();
        let shape: Shape = array.dims().iter().copied().chain([count]).collect();
        Ok(Array::from_slice(&marks, shape)?)
    }))
}
