//! The calls.

use std::ffi::{c_char, c_void};

use aclnn_sys::{
    ACL_COMPILE_SYS, ACL_COMPILE_UNREGISTERED, ACL_ERROR_API_NOT_SUPPORT, aclDataBuffer, aclOpExecutor,
    aclTensorDesc, aclopAttr, aclopCompileType, aclopEngineType,
};

use super::named::Named;
use super::table;
use crate::entry::{Array, Handle, Out, Parameter, Text, entry_points};
use crate::handle::{from_pointer, to_pointer};
use crate::meta::executor;
use crate::operators::call::tensor_in;
use crate::runtime::aclop::{self, Operand};
use crate::runtime::code;
use crate::runtime::stream::refused_work;
use crate::status::{Result, Status};

fn invalid(message: impl std::fmt::Display) -> Status {
    Status::new(code::INVALID_PARAM, message.to_string())
}

/// The name of the operator that is called, where its counts and its way of compilation are possible.
fn called(
    counts: [i32; 2],
    compile: aclopCompileType,
    path: &Array<c_char>,
    operator: &Text,
) -> Result<String> {
    if let Some(count) = counts.iter().find(|count| **count < 0) {
        return Err(invalid(format_args!("the number of inputs or outputs is {count}")));
    }
    if ![ACL_COMPILE_SYS, ACL_COMPILE_UNREGISTERED].contains(&compile) {
        let message = format_args!("compileFlag is {}, but must be 0 or 1", compile.0);
        return Err(Status::new(ACL_ERROR_API_NOT_SUPPORT, message));
    }
    let operator = operator.read().ok_or_else(|| invalid("opType is null"))?;
    if compile == ACL_COMPILE_UNREGISTERED && !path.has(1) {
        return Err(invalid("opPath is null, where compileFlag is 1"));
    }
    Ok(operator)
}

/// The handles of an array, none of which may be null.
fn handles<T>(array: &Array<*const T>, count: i32, name: &str) -> Result<Vec<usize>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let all = array.read(count as u64).ok_or_else(|| invalid(format_args!("{name} is null")))?;
    match all.iter().position(|handle| handle.is_null()) {
        Some(number) => Err(invalid(format_args!("element {number} of {name} is null"))),
        None => Ok(all.into_iter().map(from_pointer).collect()),
    }
}

/// Operands, of their descriptions and buffers.
fn operands(descriptions: &[usize], buffers: &[usize]) -> Result<Vec<Operand>> {
    descriptions.iter().zip(buffers).map(|(description, buffer)| Operand::of(*description, *buffer)).collect()
}

/// Why an operator cannot be called.
fn unknown(operator: &str) -> Status {
    let message = format!(
        "the emulator does not compute {operator} by this name; call the aclnn operator that does the same, if there is one. \
         CANN_STUBS_REFUSED_WORK=call, and in PyTorch's plugin TASK_QUEUE_ENABLE=0 as well, show where the call is"
    );
    Status::new(ACL_ERROR_API_NOT_SUPPORT, message)
}

/// Plans an operator by its name and queues it. `function` is the function of C.
fn run(
    function: &'static str,
    operator: &str,
    inputs: [&[usize]; 2],
    outputs: [&[usize]; 2],
    attributes: usize,
    stream: &Handle<*mut c_void>,
) -> Result {
    let inputs = operands(inputs[0], inputs[1])?;
    let outputs = operands(outputs[0], outputs[1])?;
    if !outputs.is_empty() && outputs.iter().all(|output| output.description.dims.contains(&0)) {
        return Ok(());
    }
    let named = Named::new(inputs, outputs, aclop::attributes(attributes).unwrap_or_default());
    let Some((name, rule)) = table::find(operator) else {
        return refused_work::refuse(function, stream, named.explain(unknown(operator)));
    };
    let work = match rule(&named) {
        Ok(work) => work,
        Err(why) => {
            let message = format!("{name}: {}", why.message);
            return refused_work::refuse(function, stream, named.explain(why.with_message(message)));
        }
    };
    // The emulator does not use what a plan asks for.
    let plan = work.plan.without_workspace().into();
    let made = executor::make(name, &plan, |slot| tensor_in(&work.arguments, slot));
    // SAFETY: handles are never dereferenced.
    let made: Handle<*mut aclOpExecutor> = unsafe { Handle::from_c(to_pointer(made)) };
    executor::launch(name, 0, 0, &made, stream)
}

entry_points! { SYMBOLS:
    fn aclopCompileAndExecute(
        operator: Text,
        inputs: i32,
        input_descriptions: Array<*const aclTensorDesc>,
        input_buffers: Array<*const aclDataBuffer>,
        outputs: i32,
        output_descriptions: Array<*const aclTensorDesc>,
        output_buffers: Array<*mut aclDataBuffer>,
        attributes: Handle<*const aclopAttr>,
        _engine: aclopEngineType,
        compile: aclopCompileType,
        path: Array<c_char>,
        stream: Handle<*mut c_void>,
    ) -> i32 {
        let operator = called([inputs, outputs], compile, &path, &operator)?;
        let [of_inputs, of_outputs] = [
            handles(&input_descriptions, inputs, "inputDesc")?,
            handles(&output_descriptions, outputs, "outputDesc")?,
        ];
        let from = handles(&input_buffers, inputs, "inputs")?;
        let to = handles(&output_buffers.as_const(), outputs, "outputs")?;
        run("aclopCompileAndExecute", &operator, [&of_inputs, &from], [&of_outputs, &to], attributes.0, &stream)
    }

    /// Sizes of outputs that depend on elements are those of no operator that is computed, so that descriptions stay.
    fn aclopCompileAndExecuteV2(
        operator: Text,
        inputs: i32,
        input_descriptions: Out<*mut aclTensorDesc>,
        input_buffers: Out<*mut aclDataBuffer>,
        outputs: i32,
        output_descriptions: Out<*mut aclTensorDesc>,
        output_buffers: Out<*mut aclDataBuffer>,
        attributes: Handle<*mut aclopAttr>,
        _engine: aclopEngineType,
        compile: aclopCompileType,
        path: Array<c_char>,
        stream: Handle<*mut c_void>,
    ) -> i32 {
        let operator = called([inputs, outputs], compile, &path, &operator)?;
        if table::find(&operator).is_none() {
            // Its caller reads the shapes of results next.
            return Err(unknown(&operator));
        }
        let [of_inputs, of_outputs] = [
            handles(&input_descriptions.into_array().as_const(), inputs, "inputDesc")?,
            handles(&output_descriptions.into_array().as_const(), outputs, "outputDesc")?,
        ];
        let from = handles(&input_buffers.into_array().as_const(), inputs, "inputs")?;
        let to = handles(&output_buffers.into_array().as_const(), outputs, "outputs")?;
        run("aclopCompileAndExecuteV2", &operator, [&of_inputs, &from], [&of_outputs, &to], attributes.0, &stream)
    }
}
