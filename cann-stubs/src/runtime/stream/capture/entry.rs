//! The entry points of captured graphs.

use std::ffi::c_void;
use std::io::Write;

use aclnn_sys::{
    ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE as ACTIVE, ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED as INVALIDATED,
    ACL_MODEL_RI_CAPTURE_STATUS_NONE as NONE, aclmdlRICaptureMode, aclmdlRICaptureStatus,
};

use super::graph::{self, Task};
use super::{group, members, permission};
use crate::entry::{Handle, Out, Text, entry_points, plain_parameters};
use crate::handle::to_pointer;
use crate::runtime::code;
use crate::runtime::stream::progress::Patience;
use crate::runtime::stream::{callback_delivery, context};
use crate::status::{Result, Status};

plain_parameters! { aclmdlRICaptureMode }

fn must_be_stream(handle: usize) -> Result {
    if handle == 0 {
        return Err(Status::new(
            code::INVALID_PARAM,
            "stream is null, and the default stream is not captured",
        ));
    }
    Ok(())
}

/// A trace in the format of Chrome: a task of the graph per microsecond, a line per stream.
fn chrome_trace(tasks: &[Task], is_verbose: bool) -> String {
    let events = tasks.iter().enumerate().map(|(number, task)| {
        let detail = if is_verbose { format!(r#","args":{{"task":{number}}}"#) } else { String::new() };
        format!(
            r#"{{"name":"{}","ph":"X","ts":{number},"dur":1,"pid":0,"tid":{}{detail}}}"#,
            task.work.name(),
            task.stream
        )
    });
    format!("[\n{}\n]\n", events.collect::<Vec<_>>().join(",\n"))
}

entry_points! { SYMBOLS:
    fn aclmdlRICaptureBegin(stream: Handle<*mut c_void>, mode: aclmdlRICaptureMode) -> i32 {
        must_be_stream(stream.0)?;
        permission::must_be_mode(mode.0)?;
        callback_delivery::forbid("a capture begins")?;
        let stream = context::resolve(stream.0)?;
        if context::is_default_stream(&stream) {
            return Err(Status::new(code::INVALID_PARAM, "the default stream cannot be captured; make a stream"));
        }
        members::begin(&stream, mode.0)
    }

    fn aclmdlRICaptureGetInfo(
        stream: Handle<*mut c_void>,
        status: Out<aclmdlRICaptureStatus>,
        graph: Out<*mut c_void>,
    ) -> i32 {
        must_be_stream(stream.0)?;
        if status.is_null() && graph.is_null() {
            return Err(Status::new(code::INVALID_PARAM, "status and modelRI are both null"));
        }
        let captured = members::graph_of(&*context::lend_any(stream.0)?);
        if let Some(place) = status.optional() {
            place.write(match &captured {
                None => NONE,
                Some(graph) if graph.is_invalid() => INVALIDATED,
                Some(_) => ACTIVE,
            });
        }
        if let Some(place) = graph.optional() {
            place.write(captured.map_or(std::ptr::null_mut(), |graph| to_pointer(graph.handle())));
        }
        Ok(())
    }

    fn aclmdlRICaptureEnd(stream: Handle<*mut c_void>, graph: Out<*mut c_void>) -> i32 {
        must_be_stream(stream.0)?;
        let place = graph.required("modelRI", code::INVALID_PARAM)?;
        place.write(std::ptr::null_mut());
        place.write(to_pointer(members::end(&*context::resolve(stream.0)?)?));
        Ok(())
    }

    fn aclmdlRICaptureThreadExchangeMode(mode: Out<aclmdlRICaptureMode>) -> i32 {
        let place = mode.required("mode", code::INVALID_PARAM)?;
        let wanted = place.read().0;
        permission::must_be_mode(wanted)?;
        place.write(aclmdlRICaptureMode(permission::exchange(wanted)));
        Ok(())
    }

    /// The work of the graph is queued at once; where a task is refused, those before it stay queued.
    fn aclmdlRIExecuteAsync(graph: Handle<*mut c_void>, stream: Handle<*mut c_void>) -> i32 {
        let graph = graph::find(graph.0)?;
        graph.replay(&*context::lend(stream.0)?)
    }

    /// The graph runs in the order of the default stream of the current context.
    fn aclmdlRIExecute(graph: Handle<*mut c_void>, timeout: i32) -> i32 {
        let graph = graph::find(graph.0)?;
        let patience = Patience::of_milliseconds(timeout)?;
        let stream = context::lend(0)?;
        graph.replay(&stream)?;
        stream.synchronize(patience, code::STREAM_SYNC_TIMEOUT)
    }

    fn aclmdlRIDestroy(graph: Handle<*mut c_void>) -> i32 {
        if graph.0 == 0 {
            return Err(Status::new(code::INVALID_PARAM, "modelRI is null"));
        }
        // It may wait for the work that runs the callback.
        callback_delivery::forbid("a graph is destroyed")?;
        graph::destroy(graph.0)
    }

    fn aclmdlRIGetId(graph: Handle<*mut c_void>, number: Out<u32>) -> i32 {
        let place = number.required("modelRIId", code::INVALID_PARAM)?;
        place.write(graph::find(graph.0)?.number);
        Ok(())
    }

    /// On standard error.
    fn aclmdlRIDebugPrint(graph: Handle<*mut c_void>) -> i32 {
        let graph = graph::find(graph.0)?;
        graph.with_tasks(|tasks| {
            let mut to = std::io::stderr().lock();
            for (number, Task { stream, work }) in tasks.iter().enumerate() {
                // Nobody is told where standard error is closed.
                let _ = writeln!(to, "graph {} task {number} stream {stream}: {}", graph.number, work.name());
            }
        })
    }

    /// In the format of Chrome's traces.
    fn aclmdlRIDebugJsonPrint(graph: Handle<*mut c_void>, path: Text, flags: u32) -> i32 {
        let graph = graph::find(graph.0)?;
        let path = path.read().ok_or_else(|| Status::new(code::INVALID_PARAM, "path is null"))?;
        if flags > 1 {
            return Err(Status::new(code::PARAM_INVALID, format_args!("flags is {flags}; known are 0 and 1")));
        }
        let trace = graph.with_tasks(|tasks| chrome_trace(tasks, flags == 1))?;
        std::fs::write(&path, trace).map_err(|why| {
            Status::new(code::PARAM_INVALID, format_args!("{path} cannot be written: {why}"))
        })
    }

    fn aclmdlRICaptureTaskGrpBegin(stream: Handle<*mut c_void>) -> i32 {
        must_be_stream(stream.0)?;
        group::begin(&*context::resolve(stream.0)?)
    }

    fn aclmdlRICaptureTaskGrpEnd(stream: Handle<*mut c_void>, group: Out<*mut c_void>) -> i32 {
        must_be_stream(stream.0)?;
        let place = group.required("handle", code::INVALID_PARAM)?;
        place.write(to_pointer(group::end(&*context::resolve(stream.0)?)?));
        Ok(())
    }

    fn aclmdlRICaptureTaskUpdateBegin(stream: Handle<*mut c_void>, group: Handle<*mut c_void>) -> i32 {
        must_be_stream(stream.0)?;
        group::begin_update(&*context::resolve(stream.0)?, group.0)
    }

    fn aclmdlRICaptureTaskUpdateEnd(stream: Handle<*mut c_void>) -> i32 {
        must_be_stream(stream.0)?;
        group::end_update(&*context::resolve(stream.0)?)
    }
}
