//! Attributes of operators that are called by name, and the call, which is refused.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_void};
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aclnn_sys::{
    ACL_ERROR_API_NOT_SUPPORT, aclDataBuffer, aclDataType, aclTensorDesc, aclopAttr, aclopCompileType,
    aclopEngineType,
};

use crate::entry::{Array, Handle, Out, Parameter, Text, entry_points, plain_parameters};
use crate::handle::{Kind, Registry, to_pointer};
use crate::runtime::code;
use crate::status::{Result, Status};

static ATTRIBUTES: Registry<Mutex<Attributes>> = Registry::new(Kind::OperatorAttributes);

/// The value of each attribute as text: it is used only in messages.
type Attributes = BTreeMap<String, String>;

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
fn set<V: Debug>(handle: &Handle<*mut aclopAttr>, name: &Text, value: impl FnOnce() -> Result<V>) -> Result {
    let attributes = find(handle)?;
    let name = name.read().ok_or_else(|| null("attrName"))?;
    let value = format!("{:?}", value()?);
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

/// Which operator is called, with which attributes.
fn refuse(operator: &Text, attributes: usize) -> Status {
    let operator = operator.read().map(|name| format!(", here {name}")).unwrap_or_default();
    let attributes = ATTRIBUTES.get(attributes).map(|all| format!(" with attributes {:?}", lock(&all)));
    let message = format!(
        "operators called by name are not emulated{operator}{}; call the aclnn operator that does the same, if there is one. \
         PyTorch's plugin reports such a failure where it happens with TASK_QUEUE_ENABLE=0",
        attributes.unwrap_or_default()
    );
    Status::new(ACL_ERROR_API_NOT_SUPPORT, message)
}

plain_parameters! { aclopEngineType, aclopCompileType }

entry_points! { SYMBOLS:
    fn aclopCreateAttr() -> *mut aclopAttr {
        Ok(to_pointer(ATTRIBUTES.insert(Mutex::default())))
    }

    fn aclopDestroyAttr(attributes: Handle<*const aclopAttr>) -> () {
        // The interface has no place for an error.
        let _ = ATTRIBUTES.remove(attributes.0);
    }

    fn aclopSetAttrBool(attributes: Handle<*mut aclopAttr>, name: Text, value: u8) -> i32 {
        set(&attributes, &name, || Ok(value != 0))
    }

    fn aclopSetAttrInt(attributes: Handle<*mut aclopAttr>, name: Text, value: i64) -> i32 {
        set(&attributes, &name, || Ok(value))
    }

    fn aclopSetAttrFloat(attributes: Handle<*mut aclopAttr>, name: Text, value: f32) -> i32 {
        set(&attributes, &name, || Ok(value))
    }

    fn aclopSetAttrString(attributes: Handle<*mut aclopAttr>, name: Text, value: Text) -> i32 {
        set(&attributes, &name, || value.read().ok_or_else(|| null("attrValue")))
    }

    fn aclopSetAttrDataType(attributes: Handle<*mut aclopAttr>, name: Text, value: aclDataType) -> i32 {
        set(&attributes, &name, || Ok(value))
    }

    fn aclopSetAttrListBool(attributes: Handle<*mut aclopAttr>, name: Text, count: i32, values: Array<u8>) -> i32 {
        set(&attributes, &name, || list(&values, count))
    }

    fn aclopSetAttrListInt(attributes: Handle<*mut aclopAttr>, name: Text, count: i32, values: Array<i64>) -> i32 {
        set(&attributes, &name, || list(&values, count))
    }

    fn aclopSetAttrListFloat(attributes: Handle<*mut aclopAttr>, name: Text, count: i32, values: Array<f32>) -> i32 {
        set(&attributes, &name, || list(&values, count))
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
            lists.collect::<Result<Vec<_>>>()
        })
    }

    [refuses ACL_ERROR_API_NOT_SUPPORT] fn aclopCompileAndExecute(
        operator: Text,
        _inputs: i32,
        _input_descriptions: Array<*const aclTensorDesc>,
        _input_buffers: Array<*const aclDataBuffer>,
        _outputs: i32,
        _output_descriptions: Array<*const aclTensorDesc>,
        _output_buffers: Array<*mut aclDataBuffer>,
        attributes: Handle<*const aclopAttr>,
        _engine: aclopEngineType,
        _compile: aclopCompileType,
        _path: Array<c_char>,
        _stream: Handle<*mut c_void>,
    ) -> i32 {
        Err(refuse(&operator, attributes.0))
    }

    [refuses ACL_ERROR_API_NOT_SUPPORT] fn aclopCompileAndExecuteV2(
        operator: Text,
        _inputs: i32,
        _input_descriptions: Out<*mut aclTensorDesc>,
        _input_buffers: Out<*mut aclDataBuffer>,
        _outputs: i32,
        _output_descriptions: Out<*mut aclTensorDesc>,
        _output_buffers: Out<*mut aclDataBuffer>,
        attributes: Handle<*mut aclopAttr>,
        _engine: aclopEngineType,
        _compile: aclopCompileType,
        _path: Array<c_char>,
        _stream: Handle<*mut c_void>,
    ) -> i32 {
        Err(refuse(&operator, attributes.0))
    }
}
