//! The entry points of events.

use std::ffi::c_void;

use aclnn_sys::{
    ACL_EVENT_CAPTURE_STREAM_PROGRESS, ACL_EVENT_DEVICE_USE_ONLY, ACL_EVENT_EXTERNAL, ACL_EVENT_IPC,
    ACL_EVENT_RECORDED_STATUS_COMPLETE, ACL_EVENT_RECORDED_STATUS_NOT_READY, ACL_EVENT_STATUS_COMPLETE,
    ACL_EVENT_STATUS_NOT_READY, ACL_EVENT_SYNC, ACL_EVENT_TIME_LINE, ACL_EVENT_WAIT_STATUS_COMPLETE,
    ACL_EVENT_WAIT_STATUS_NOT_READY, aclrtEventRecordedStatus, aclrtEventStatus, aclrtEventWaitStatus,
};

use crate::entry::{Handle, Out, entry_points};
use crate::handle::to_pointer;
use crate::runtime::code;
use crate::runtime::stream::context;
use crate::runtime::stream::event::{self, Event, Maker};
use crate::runtime::stream::event_id;
use crate::runtime::stream::progress::Patience;
use crate::status::{Result, Status};

const FLAGS: u32 = ACL_EVENT_SYNC
    | ACL_EVENT_CAPTURE_STREAM_PROGRESS
    | ACL_EVENT_TIME_LINE
    | ACL_EVENT_DEVICE_USE_ONLY
    | ACL_EVENT_EXTERNAL
    | ACL_EVENT_IPC;

fn create(place: Out<*mut c_void>, maker: Maker, flags: u32) -> Result {
    let place = place.required("event", code::INVALID_PARAM)?;
    if flags & !FLAGS != 0 {
        return Err(Status::new(
            code::PARAM_INVALID,
            format_args!("flag is {flags:#x}, known are {FLAGS:#x}"),
        ));
    }
    let device = context::current()?.device_id();
    place.write(to_pointer(Event::create(maker, flags, device)?));
    Ok(())
}

entry_points! { SYMBOLS:
    fn aclrtCreateEvent(event: Out<*mut c_void>) -> i32 {
        create(event, Maker::Plain, 0)
    }

    fn aclrtCreateEventWithFlag(event: Out<*mut c_void>, flag: u32) -> i32 {
        create(event, Maker::WithFlag, flag)
    }

    fn aclrtCreateEventExWithFlag(event: Out<*mut c_void>, flag: u32) -> i32 {
        create(event, Maker::ExWithFlag, flag)
    }

    fn aclrtDestroyEvent(event: Handle<*mut c_void>) -> i32 {
        event::destroy(event.0)
    }

    fn aclrtRecordEvent(event: Handle<*mut c_void>, stream: Handle<*mut c_void>) -> i32 {
        event::find(event.0)?.record(&*context::resolve(stream.0)?)
    }

    fn aclrtResetEvent(event: Handle<*mut c_void>, stream: Handle<*mut c_void>) -> i32 {
        event::find(event.0)?.reset(&*context::resolve(stream.0)?)
    }

    fn aclrtQueryEvent(event: Handle<*mut c_void>, status: Out<aclrtEventStatus>) -> i32 {
        let place = status.required("status", code::INVALID_PARAM)?;
        let event = event::find(event.0)?;
        event.must_be_queryable()?;
        place.write(if event.is_complete()? { ACL_EVENT_STATUS_COMPLETE } else { ACL_EVENT_STATUS_NOT_READY });
        Ok(())
    }

    fn aclrtQueryEventStatus(event: Handle<*mut c_void>, status: Out<aclrtEventRecordedStatus>) -> i32 {
        let place = status.required("status", code::INVALID_PARAM)?;
        let complete = event::find(event.0)?.is_complete()?;
        place.write(if complete { ACL_EVENT_RECORDED_STATUS_COMPLETE } else { ACL_EVENT_RECORDED_STATUS_NOT_READY });
        Ok(())
    }

    fn aclrtQueryEventWaitStatus(event: Handle<*mut c_void>, status: Out<aclrtEventWaitStatus>) -> i32 {
        let place = status.required("status", code::INVALID_PARAM)?;
        let event = event::find(event.0)?;
        event.must_be_queryable()?;
        let passed = event.is_passed()?;
        place.write(if passed { ACL_EVENT_WAIT_STATUS_COMPLETE } else { ACL_EVENT_WAIT_STATUS_NOT_READY });
        Ok(())
    }

    fn aclrtSynchronizeEvent(event: Handle<*mut c_void>) -> i32 {
        event::find(event.0)?.synchronize(Patience::Forever)
    }

    /// The time limits waiting for other threads; work that this thread can do is done first.
    fn aclrtSynchronizeEventWithTimeout(event: Handle<*mut c_void>, timeout: i32) -> i32 {
        event::find(event.0)?.synchronize(Patience::of_milliseconds(timeout)?)
    }

    fn aclrtEventElapsedTime(
        milliseconds: Out<f32>,
        start: Handle<*mut c_void>,
        end: Handle<*mut c_void>,
    ) -> i32 {
        let place = milliseconds.required("ms", code::INVALID_PARAM)?;
        let (start, end) = (event::find(start.0)?.time()?, event::find(end.0)?.time()?);
        let reversed = || Status::new(code::EVENT_TIMESTAMP_REVERSAL, "endEvent came to pass before startEvent");
        let elapsed = end.checked_sub(start).ok_or_else(reversed)?;
        place.write((elapsed as f64 / 1e6) as f32);
        Ok(())
    }

    /// In microseconds of the emulator's clock.
    fn aclrtEventGetTimestamp(event: Handle<*mut c_void>, timestamp: Out<u64>) -> i32 {
        let place = timestamp.required("timestamp", code::INVALID_PARAM)?;
        place.write(event::find(event.0)?.time()? / 1000);
        Ok(())
    }

    fn aclrtGetEventId(event: Handle<*mut c_void>, id: Out<u32>) -> i32 {
        let place = id.required("eventId", code::INVALID_PARAM)?;
        place.write(event::find(event.0)?.id());
        Ok(())
    }

    /// Of the current device.
    fn aclrtGetEventAvailNum(count: Out<u32>) -> i32 {
        let place = count.required("eventCount", code::INVALID_PARAM)?;
        place.write(event_id::available(context::current()?.device_id()));
        Ok(())
    }
}
