//! The entry points of the attributes of streams: the failure mode works, the others are kept.

use std::ffi::c_void;

use aclnn_sys::{
    ACL_CONTINUE_ON_FAILURE, ACL_STOP_ON_FAILURE, ACL_STREAM_ATTR_CACHE_OP_INFO,
    ACL_STREAM_ATTR_FAILURE_MODE, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, ACL_STREAM_ATTR_PRIORITY,
    ACL_STREAM_ATTR_USER_CUSTOM_TAG, aclrtStreamAttr, aclrtStreamAttrValue,
};

use crate::entry::{Handle, Out, entry_points, plain_parameters};
use crate::runtime::stream::context;
use crate::runtime::stream::queue::Stream;
use crate::runtime::{code, product};
use crate::status::{Result, Status};

fn must_be_switch(value: u32) -> Result {
    let message =
        || Status::new(code::INVALID_PARAM, format_args!("the switch is {value}; it must be 0 or 1"));
    (value <= 1).then_some(()).ok_or_else(message)
}

fn attribute(stream: &Stream, which: aclrtStreamAttr) -> u32 {
    stream.settings.attribute(which.0).unwrap_or_default()
}

fn set_attribute(stream: &Stream, which: aclrtStreamAttr, value: u32) {
    stream.settings.set_attribute(which.0, value);
}

fn unknown(which: aclrtStreamAttr) -> Status {
    Status::new(code::INVALID_PARAM, format_args!("attribute {} is unknown", which.0))
}

fn set_failure_mode(stream: &Stream, mode: u64) -> Result {
    let known =
        [ACL_CONTINUE_ON_FAILURE, ACL_STOP_ON_FAILURE].into_iter().find(|known| u64::from(*known) == mode);
    let unknown = || Status::new(code::PARAM_INVALID, format_args!("mode is {mode}; known are 0 and 1"));
    stream.set_failure_mode(known.ok_or_else(unknown)?);
    Ok(())
}

plain_parameters! { aclrtStreamAttr }

entry_points! { SYMBOLS:
    /// The failure mode works; the others are kept.
    fn aclrtSetStreamAttribute(
        stream: Handle<*mut c_void>,
        which: aclrtStreamAttr,
        value: Out<aclrtStreamAttrValue>,
    ) -> i32 {
        let value = value.required("value", code::INVALID_PARAM)?;
        let stream = context::resolve(stream.0)?;
        let value = value.read();
        // SAFETY: every member of the union is an integer, so all bytes of the caller's value make sense as any of them.
        let (mode, number) = unsafe { (value.failureMode, value.overflowSwitch) };
        match which {
            ACL_STREAM_ATTR_FAILURE_MODE => return set_failure_mode(&stream, mode),
            ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK | ACL_STREAM_ATTR_CACHE_OP_INFO => must_be_switch(number)?,
            ACL_STREAM_ATTR_USER_CUSTOM_TAG => {}
            ACL_STREAM_ATTR_PRIORITY if number <= product::LEAST_PRIORITY => {}
            ACL_STREAM_ATTR_PRIORITY => {
                let message = format!("priority is {number}, the largest is {}", product::LEAST_PRIORITY);
                return Err(Status::new(code::PARAM_INVALID, message));
            }
            _ => return Err(unknown(which)),
        }
        set_attribute(&stream, which, number);
        Ok(())
    }

    fn aclrtGetStreamAttribute(
        stream: Handle<*mut c_void>,
        which: aclrtStreamAttr,
        value: Out<aclrtStreamAttrValue>,
    ) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        let stream = context::resolve(stream.0)?;
        let mut told = aclrtStreamAttrValue { reserve: [0; 4] };
        match which {
            ACL_STREAM_ATTR_FAILURE_MODE => told.failureMode = stream.failure_mode().into(),
            ACL_STREAM_ATTR_PRIORITY => {
                told.streamPriority = stream.settings.attribute(which.0).unwrap_or(stream.priority);
            }
            ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK
            | ACL_STREAM_ATTR_CACHE_OP_INFO
            | ACL_STREAM_ATTR_USER_CUSTOM_TAG => told.userCustomTag = attribute(&stream, which),
            _ => return Err(unknown(which)),
        }
        place.write(told);
        Ok(())
    }

    [stored] fn aclrtSetStreamOverflowSwitch(stream: Handle<*mut c_void>, flag: u32) -> i32 {
        must_be_switch(flag)?;
        let stream = context::resolve(stream.0)?;
        stream.must_not_be_captured()?;
        set_attribute(&stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, flag);
        Ok(())
    }

    [stored] fn aclrtGetStreamOverflowSwitch(stream: Handle<*mut c_void>, flag: Out<u32>) -> i32 {
        let place = flag.required("flag", code::INVALID_PARAM)?;
        place.write(attribute(&*context::resolve(stream.0)?, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK));
        Ok(())
    }

    fn aclrtSetStreamFailureMode(stream: Handle<*mut c_void>, mode: u64) -> i32 {
        set_failure_mode(&*context::resolve(stream.0)?, mode)
    }
}
