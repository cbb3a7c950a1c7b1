//! The entry points of streams.

use std::ffi::c_void;

use aclnn_sys::{
    ACL_STREAM_CPU_SCHEDULE, ACL_STREAM_DEVICE_USE_ONLY, ACL_STREAM_FAST_LAUNCH, ACL_STREAM_FAST_SYNC,
    ACL_STREAM_HUGE, ACL_STREAM_PERSISTENT, ACL_STREAM_STATUS_COMPLETE, ACL_STREAM_STATUS_NOT_READY,
    aclrtStreamStatus,
};

use crate::check::tracker;
use crate::entry::{Handle, Out, entry_points};
use crate::handle::to_pointer;
use crate::runtime::stream::progress::Patience;
use crate::runtime::stream::queue::Stream;
use crate::runtime::stream::{callback, context, drain, event, registry};
use crate::runtime::{code, product};
use crate::status::{Result, Status};

/// Streams made with one of these are not waited for.
const NOT_WAITED_FOR: u32 = ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

const FLAGS: u32 = NOT_WAITED_FOR | ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC | ACL_STREAM_HUGE;

fn create(place: Out<*mut c_void>, priority: u32, flags: u32) -> Result {
    callback::forbid("a stream is made")?;
    let place = place.required("stream", code::INVALID_PARAM)?;
    if flags & !FLAGS != 0 {
        return Err(Status::new(
            code::PARAM_INVALID,
            format_args!("flag is {flags:#x}, known are {FLAGS:#x}"),
        ));
    }
    if priority > product::LEAST_PRIORITY {
        let message = format!("priority is {priority}, the largest is {}", product::LEAST_PRIORITY);
        return Err(Status::new(code::PARAM_INVALID, message));
    }
    let context = context::current()?;
    let (handle, _) = registry::create(context.device_id(), context.number(), priority, flags)?;
    place.write(to_pointer(handle));
    Ok(())
}

/// The stream of the current context behind a handle that must not be null.
fn to_destroy(handle: usize) -> Result<std::sync::Arc<Stream>> {
    callback::forbid("a stream is destroyed")?;
    if handle == 0 {
        return Err(Status::new(code::INVALID_PARAM, "stream is null"));
    }
    let stream = context::resolve(handle)?;
    if context::is_default_stream(&stream) {
        let message = "this is the default stream of a context, which ends with the context";
        return Err(Status::new(code::PARAM_INVALID, message));
    }
    stream.must_not_be_captured()?;
    Ok(stream)
}

fn synchronize(handle: usize, patience: Patience) -> Result {
    let stream = context::lend_any(handle)?;
    stream.must_not_be_captured()?;
    if stream.flags & NOT_WAITED_FOR != 0 {
        return Ok(());
    }
    stream.synchronize(patience, code::STREAM_SYNC_TIMEOUT)
}

entry_points! { SYMBOLS:
    fn aclrtCreateStream(stream: Out<*mut c_void>) -> i32 {
        create(stream, 0, 0)
    }

    fn aclrtCreateStreamWithConfig(stream: Out<*mut c_void>, priority: u32, flag: u32) -> i32 {
        create(stream, priority, flag)
    }

    /// Returns a failure that no synchronisation reported; the stream is destroyed all the same.
    fn aclrtDestroyStream(stream: Handle<*mut c_void>) -> i32 {
        let live = to_destroy(stream.0)?;
        drain::reach(&live, live.end(), Patience::Forever)?;
        registry::destroy(stream.0)?;
        live.take_failure().map_or(Ok(()), Err)
    }

    fn aclrtDestroyStreamForce(stream: Handle<*mut c_void>) -> i32 {
        to_destroy(stream.0)?;
        registry::destroy(stream.0)
    }

    fn aclrtSynchronizeStream(stream: Handle<*mut c_void>) -> i32 {
        synchronize(stream.0, Patience::Forever)
    }

    /// The time limits waiting for other threads; work that this thread can do is done first.
    fn aclrtSynchronizeStreamWithTimeout(stream: Handle<*mut c_void>, timeout: i32) -> i32 {
        synchronize(stream.0, Patience::of_milliseconds(timeout)?)
    }

    fn aclrtStreamQuery(stream: Handle<*mut c_void>, status: Out<aclrtStreamStatus>) -> i32 {
        let place = status.required("status", code::INVALID_PARAM)?;
        let stream = context::whichever(stream.0)?;
        stream.must_not_be_captured()?;
        let done = tracker::so_far(stream.id());
        drain::look(&stream, stream.end())?;
        let complete = stream.is_done();
        if complete {
            tracker::host_saw(&done);
        }
        place.write(if complete { ACL_STREAM_STATUS_COMPLETE } else { ACL_STREAM_STATUS_NOT_READY });
        Ok(())
    }

    fn aclrtStreamGetId(stream: Handle<*mut c_void>, id: Out<i32>) -> i32 {
        let place = id.required("streamId", code::INVALID_PARAM)?;
        place.write(context::resolve(stream.0)?.id());
        Ok(())
    }

    fn aclrtStreamGetPriority(stream: Handle<*mut c_void>, priority: Out<u32>) -> i32 {
        let place = priority.required("priority", code::INVALID_PARAM)?;
        place.write(context::resolve(stream.0)?.priority);
        Ok(())
    }

    fn aclrtStreamGetFlags(stream: Handle<*mut c_void>, flags: Out<u32>) -> i32 {
        let place = flags.required("flags", code::INVALID_PARAM)?;
        place.write(context::resolve(stream.0)?.flags);
        Ok(())
    }

    fn aclrtStreamWaitEvent(stream: Handle<*mut c_void>, event: Handle<*mut c_void>) -> i32 {
        event::find(event.0)?.hold(&*context::resolve(stream.0)?)
    }

    /// Waits end on their own here, so the time is only checked.
    fn aclrtStreamWaitEventWithTimeout(
        stream: Handle<*mut c_void>,
        event: Handle<*mut c_void>,
        timeout: i32,
    ) -> i32 {
        if timeout < 0 {
            return Err(Status::new(code::PARAM_INVALID, format_args!("timeout is {timeout}; the least is 0")));
        }
        event::find(event.0)?.hold(&*context::resolve(stream.0)?)
    }

    fn aclrtStreamAbort(stream: Handle<*mut c_void>) -> i32 {
        callback::forbid("a stream is aborted")?;
        context::resolve(stream.0)?.abort();
        Ok(())
    }

    fn aclrtGetStreamAvailableNum(count: Out<u32>) -> i32 {
        count.required("streamCount", code::INVALID_PARAM)?.write(registry::available() as u32);
        Ok(())
    }
}
