//! The entry points of host callbacks.

use std::ffi::c_void;

use aclnn_sys::{ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK, aclrtCallback, aclrtCallbackBlockType};

use crate::entry::{Address, Handle, entry_points, plain_parameters};
use crate::runtime::code;
use crate::runtime::stream::callback_delivery::Call;
use crate::runtime::stream::progress::Patience;
use crate::runtime::stream::{callback, context};
use crate::status::{Result, Status};

fn call(function: aclrtCallback, argument: Address<*mut c_void>) -> Result<Call> {
    let function = function.ok_or_else(|| Status::new(code::INVALID_PARAM, "fn is null"))?;
    Ok(Call::new(function, argument.0))
}

plain_parameters! { aclrtCallback, aclrtCallbackBlockType }

entry_points! { SYMBOLS:
    fn aclrtLaunchHostFunc(
        stream: Handle<*mut c_void>,
        function: aclrtCallback,
        argument: Address<*mut c_void>,
    ) -> i32 {
        let call = call(function, argument)?;
        callback::launch_host_function(call, &context::resolve(stream.0)?)
    }

    fn aclrtLaunchCallback(
        function: aclrtCallback,
        argument: Address<*mut c_void>,
        block_type: aclrtCallbackBlockType,
        stream: Handle<*mut c_void>,
    ) -> i32 {
        let call = call(function, argument)?;
        if ![ACL_CALLBACK_NO_BLOCK, ACL_CALLBACK_BLOCK].contains(&block_type) {
            let message = format!("blockType is {}; known are 0 and 1", block_type.0);
            return Err(Status::new(code::INVALID_PARAM, message));
        }
        callback::launch(call, block_type == ACL_CALLBACK_BLOCK, &*context::resolve(stream.0)?)
    }

    fn aclrtSubscribeReport(thread: u64, stream: Handle<*mut c_void>) -> i32 {
        callback::subscribe(thread, &*context::resolve(stream.0)?)
    }

    fn aclrtProcessReport(timeout: i32) -> i32 {
        if timeout == 0 || timeout < -1 {
            let message = format!("timeout is {timeout}; it must be -1 or more than 0");
            return Err(Status::new(code::INVALID_PARAM, message));
        }
        callback::process(Patience::of_milliseconds(timeout)?)
    }

    fn aclrtUnSubscribeReport(thread: u64, stream: Handle<*mut c_void>) -> i32 {
        callback::unsubscribe(thread, &*context::resolve(stream.0)?)
    }
}
