//! Attributes of operators that are called by name, and the call, whose work fails.

use std::ffi::{c_char, c_void};
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aclnn_sys::{
    ACL_COMPILE_SYS, ACL_COMPILE_UNREGISTERED, ACL_ERROR_API_NOT_SUPPORT, aclDataBuffer, aclDataType,
    aclTensorDesc, aclopAttr, aclopCompileType, aclopEngineType,
};

use crate::entry::{Array, Handle, Out, Parameter, Text, entry_points, plain_parameters};
use crate::handle::{Kind, Registry, to_pointer};
use crate::runtime::code;
use crate::runtime::stream::refused_work;
use crate::small_map::SmallMap;
use crate::status::{Result, Status};

static ATTRIBUTES: Registry<Mutex<Attributes>> = Registry::new(Kind::OperatorAttributes);

/// The value of each attribute as text: it is used only in messages.
type Attributes = SmallMap<String, String>;

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

/// The name of the operator that is called, where its counts and its way of compilation are possible.
fn called(counts: [i32; 2], compile: aclopCompileType, operator: &Text) -> Result<String> {
    if let Some(count) = counts.iter().find(|count| **count < 0) {
        let message = format_args!("the number of inputs or outputs is {count}");
        return Err(Status::new(code::INVALID_PARAM, message));
    }
    if ![ACL_COMPILE_SYS, ACL_COMPILE_UNREGISTERED].contains(&compile) {
        let message = format_args!("compileFlag is {}, but must be 0 or 1", compile.0);
        return Err(Status::new(ACL_ERROR_API_NOT_SUPPORT, message));
    }
    operator.read().ok_or_else(|| null("opType"))
}

/// Why an operator cannot be called, with its name and its attributes.
fn why(operator: &str, attributes: usize) -> Status {
    let attributes = ATTRIBUTES.get(attributes).map(|all| format!(" with attributes {:?}", lock(&all)));
    let message = format!(
        "operators called by name are not emulated, here {operator}{}; call the aclnn operator that does the same, if there is one. \
         CANN_STUBS_REFUSED_WORK=call, and in PyTorch's plugin TASK_QUEUE_ENABLE=0 as well, show where the call is",
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

    [fails code::AICPU_EXCEPTION] fn aclopCompileAndExecute(
        operator: Text,
        inputs: i32,
        _input_descriptions: Array<*const aclTensorDesc>,
        _input_buffers: Array<*const aclDataBuffer>,
        outputs: i32,
        _output_descriptions: Array<*const aclTensorDesc>,
        _output_buffers: Array<*mut aclDataBuffer>,
        attributes: Handle<*const aclopAttr>,
        _engine: aclopEngineType,
        compile: aclopCompileType,
        _path: Array<c_char>,
        stream: Handle<*mut c_void>,
    ) -> i32 {
        let operator = called([inputs, outputs], compile, &operator)?;
        refused_work::refuse("aclopCompileAndExecute", &stream, why(&operator, attributes.0))
    }

    [refuses ACL_ERROR_API_NOT_SUPPORT] fn aclopCompileAndExecuteV2(
        operator: Text,
        inputs: i32,
        _input_descriptions: Out<*mut aclTensorDesc>,
        _input_buffers: Out<*mut aclDataBuffer>,
        outputs: i32,
        _output_descriptions: Out<*mut aclTensorDesc>,
        _output_buffers: Out<*mut aclDataBuffer>,
        attributes: Handle<*mut aclopAttr>,
        _engine: aclopEngineType,
        compile: aclopCompileType,
        _path: Array<c_char>,
        _stream: Handle<*mut c_void>,
    ) -> i32 {
        // Its caller reads the shapes of results next.
        Err(why(&called([inputs, outputs], compile, &operator)?, attributes.0))
    }
}
