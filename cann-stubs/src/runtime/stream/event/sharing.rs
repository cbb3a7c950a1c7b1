//! Events shared between processes, of which the emulator has one: a handle can be opened where it was made.

use std::ffi::{c_char, c_void};

use aclnn_sys::aclrtIpcEventHandle;

use crate::entry::{Handle, Out, entry_points, plain_parameters};
use crate::handle::to_pointer;
use crate::runtime::code;
use crate::runtime::stream::{context, event};
use crate::status::{Result, Status};

/// What a shared handle begins with.
const MARK: &str = "emulated event";

/// The text of a shared handle: the mark, the process and the event.
fn text(event: usize) -> String {
    format!("{MARK} {} {event:x}", std::process::id())
}

/// The event that a shared handle names.
fn event_of(shared: &aclrtIpcEventHandle) -> Result<usize> {
    let bytes: Vec<u8> =
        shared.reserved.iter().map(|byte| *byte as u8).take_while(|byte| *byte != 0).collect();
    let text = String::from_utf8_lossy(&bytes);
    let parts = text.strip_prefix(MARK).and_then(|rest| rest.trim_start().split_once(' '));
    let Some((process, event)) = parts else {
        return Err(Status::new(code::PARAM_INVALID, "handle was not made by aclrtIpcGetEventHandle"));
    };
    if process != std::process::id().to_string() {
        let message =
            format!("the event belongs to process {process}; events are emulated within one process only");
        return Err(Status::new(code::FEATURE_NOT_SUPPORT, message));
    }
    usize::from_str_radix(event, 16).map_err(|_| Status::new(code::PARAM_INVALID, "handle is damaged"))
}

plain_parameters! { aclrtIpcEventHandle }

entry_points! { SYMBOLS:
    fn aclrtIpcGetEventHandle(event: Handle<*mut c_void>, shared: Out<aclrtIpcEventHandle>) -> i32 {
        let place = shared.required("handle", code::INVALID_PARAM)?;
        if !event::find(event.0)?.is_shareable() {
            return Err(Status::new(code::PARAM_INVALID, "the event was made without ACL_EVENT_IPC"));
        }
        let mut reserved = [0; 64];
        for (to, from) in reserved.iter_mut().zip(text(event.0).bytes()) {
            *to = from as c_char;
        }
        place.write(aclrtIpcEventHandle { reserved });
        Ok(())
    }

    fn aclrtIpcOpenEventHandle(shared: aclrtIpcEventHandle, event: Out<*mut c_void>) -> i32 {
        let place = event.required("event", code::INVALID_PARAM)?;
        context::current()?;
        place.write(to_pointer(event::duplicate(event_of(&shared)?)?));
        Ok(())
    }
}
