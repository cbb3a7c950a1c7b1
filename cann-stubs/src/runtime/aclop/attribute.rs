//! Attributes of operators that are called by name.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aclnn_sys::{aclDataType, aclopAttr, aclopCompileType, aclopEngineType};

use crate::entry::{Array, Handle, Parameter, Text, entry_points, plain_parameters};
use crate::handle::{Kind, Registry, to_pointer};
use crate::runtime::code;
use crate::small_map::SmallMap;
use crate::status::{Result, Status};

static ATTRIBUTES: Registry<Mutex<Attributes>> = Registry::new(Kind::OperatorAttributes);

/// The value of each attribute.
pub(crate) type Attributes = SmallMap<String, Attribute>;

/// A value of an attribute.
#[derive(Clone)]
pub(crate) enum Attribute {
    Bool(bool),
    Int(i64),
    Float(f32),
    Text(String),
    DType(aclDataType),
    Bools(Vec<u8>),
    Ints(Vec<i64>),
    Floats(Vec<f32>),
    Lists(Vec<Vec<i64>>),
}

impl fmt::Debug for Attribute {
    /// Writes the value alone.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value: &dyn fmt::Debug = match self {
            Attribute::Bool(value) => value,
            Attribute::Int(value) => value,
            Attribute::Float(value) => value,
            Attribute::Text(value) => value,
            Attribute::DType(value) => value,
            Attribute::Bools(values) => values,
            Attribute::Ints(values) => values,
            Attribute::Floats(values) => values,
            Attribute::Lists(values) => values,
        };
        value.fmt(to)
    }
}

fn find<T>(handle: &Handle<T>) -> Result<Arc<Mutex<Attributes>>> {
    ATTRIBUTES.get(handle.0).map_err(|why| Status::new(code::INVALID_PARAM, why.explain("attr")))
}

fn lock(attributes: &Mutex<Attributes>) -> MutexGuard<'_, Attributes> {
    attributes.lock().unwrap_or_else(PoisonError::into_inner)
}

fn null(what: &str) -> Status {
    Status::new(code::INVALID_PARAM, format_args!("{what} is null"))
}

/// Stores an attribute. Its value is read last: a caller's memory is not read when the handle is wrong.
fn set(handle: &Handle<*mut aclopAttr>, name: &Text, value: impl FnOnce() -> Result<Attribute>) -> Result {
    let attributes = find(handle)?;
    let name = name.read().ok_or_else(|| null("attrName"))?;
    let value = value()?;
    lock(&attributes).insert(name, value);
    Ok(())
}

/// An array whose length is an `int`; null is allowed for no values.
fn list<T: Copy>(values: &Array<T>, count: i32) -> Result<Vec<T>> {
    let message = || Status::new(code::INVALID_PARAM, format_args!("the number of values is {count}"));
    match u64::try_from(count).map_err(|_| message())? {
        0 => Ok(Vec::new()),
        count => values.read(count).ok_or_else(|| null("values")),
    }
}

plain_parameters! { aclopEngineType, aclopCompileType }

/// The attributes behind a handle; none where there is no such object.
pub(crate) fn of(handle: usize) -> Option<Attributes> {
    ATTRIBUTES.get(handle).ok().map(|all| lock(&all).clone())
}

entry_points! { SYMBOLS:
    fn aclopCreateAttr() -> *mut aclopAttr {
        Ok(to_pointer(ATTRIBUTES.insert(Mutex::default())))
    }

    fn aclopDestroyAttr(attributes: Handle<*const aclopAttr>) -> () {
        // The interface has no place for an error.
        let _ = ATTRIBUTES.remove(attributes.0);
    }

    fn aclopSetAttrBool(attributes: Handle<*mut aclopAttr>, name: Text, value: u8) -> i32 {
        set(&attributes, &name, || Ok(Attribute::Bool(value != 0)))
    }

    fn aclopSetAttrInt(attributes: Handle<*mut aclopAttr>, name: Text, value: i64) -> i32 {
        set(&attributes, &name, || Ok(Attribute::Int(value)))
    }

    fn aclopSetAttrFloat(attributes: Handle<*mut aclopAttr>, name: Text, value: f32) -> i32 {
        set(&attributes, &name, || Ok(Attribute::Float(value)))
    }

    fn aclopSetAttrString(attributes: Handle<*mut aclopAttr>, name: Text, value: Text) -> i32 {
        set(&attributes, &name, || value.read().map(Attribute::Text).ok_or_else(|| null("attrValue")))
    }

    fn aclopSetAttrDataType(attributes: Handle<*mut aclopAttr>, name: Text, value: aclDataType) -> i32 {
        set(&attributes, &name, || Ok(Attribute::DType(value)))
    }

    fn aclopSetAttrListBool(attributes: Handle<*mut aclopAttr>, name: Text, count: i32, values: Array<u8>) -> i32 {
        set(&attributes, &name, || list(&values, count).map(Attribute::Bools))
    }

    fn aclopSetAttrListInt(attributes: Handle<*mut aclopAttr>, name: Text, count: i32, values: Array<i64>) -> i32 {
        set(&attributes, &name, || list(&values, count).map(Attribute::Ints))
    }

    fn aclopSetAttrListFloat(attributes: Handle<*mut aclopAttr>, name: Text, count: i32, values: Array<f32>) -> i32 {
        set(&attributes, &name, || list(&values, count).map(Attribute::Floats))
    }

    fn aclopSetAttrListListInt(
        attributes: Handle<*mut aclopAttr>,
        name: Text,
        count: i32,
        lengths: Array<i32>,
        values: Array<*const i64>,
    ) -> i32 {
        set(&attributes, &name, || {
            let lists = list(&lengths, count)?.into_iter().zip(list(&values, count)?);
            // SAFETY: the caller promised that each pointer leads to as many numbers as its length says.
            let lists = lists.map(|(length, values)| list(&unsafe { Array::from_c(values) }, length));
            lists.collect::<Result<Vec<_>>>().map(Attribute::Lists)
        })
    }
}
