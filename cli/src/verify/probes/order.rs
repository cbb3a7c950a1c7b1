//! Events and streams.

use std::ffi::c_void;
use std::ptr;
use std::thread;
use std::time::Duration;

use aclnn::{DType, product::Product, sys};
use anyhow::Result;

use super::probe::Probe;
use crate::verify::answer::Answer;
use crate::verify::raw::{Setting, code, good, plan};

pub(super) const PROBES: &[Probe] = &[
    Probe::new(
        "number-of-events",
        "How many events may a device have?",
        "1,023 on the 310P and 65,536 on the 910B; no number is known of the 910 and the 950.",
        number_of_events,
    ),
    Probe::new(
        "event-id-returns-when-done",
        "When does an event of aclrtCreateEvent give its hardware id back?",
        "It takes the id at its creation, and gives it back when the recorded work is done, before it is destroyed.",
        |setting| event_ids(setting, false),
    ),
    Probe::new(
        "extended-event-id-returns-when-done",
        "When does an event of aclrtCreateEventExWithFlag take its hardware id, and when does it give it back?",
        "It takes the id at the record, and gives it back when the recorded work is done.",
        |setting| event_ids(setting, true),
    ),
    Probe::new(
        "event-without-a-record",
        "Is an event of aclrtCreateEvent that was never recorded complete?",
        "No; one of aclrtCreateEventExWithFlag is, as is documented.",
        without_a_record,
    ),
    Probe::new(
        "unit-of-timestamps",
        "In which unit is aclrtEventGetTimestamp?",
        "Microseconds.",
        unit_of_timestamps,
    ),
    Probe::new(
        "query-of-a-failed-stream",
        "What do a query and a wait answer after work has failed, and does a new stream still work?",
        "The query says that the work is over, the next wait returns the code once, and other streams work.",
        query_of_a_failed_stream,
    )
    .dangerous(),
];

fn available(setting: &Setting) -> Result<u32> {
    let mut count = 0;
    good!(setting, aclrtGetEventAvailNum(&mut count));
    Ok(count)
}

fn number_of_events(setting: &Setting) -> Result<Answer> {
    let found = available(setting)?;
    let assumed = match setting.device.product() {
        Some(Product::Ascend310P) => 1_023,
        _ => 65_536,
    };
    // Others in this process, or the library itself, may have some.
    let near = (assumed - assumed / 8..=assumed).contains(&found);
    Ok(Answer::as_assumed(near, format!("{found} can be made now")))
}

fn event_ids(setting: &Setting, extended: bool) -> Result<Answer> {
    const COUNT: usize = 64;
    let stream = setting.stream()?;
    let mut events = [ptr::null_mut::<c_void>(); COUNT];
    let first = available(setting)?;
    for event in &mut events {
        match extended {
            false => good!(setting, aclrtCreateEvent(event)),
            true => good!(setting, aclrtCreateEventExWithFlag(event, sys::ACL_EVENT_SYNC)),
        };
    }
    let made = available(setting)?;
    setting.hold_up(&stream)?;
    for event in events {
        good!(setting, aclrtRecordEvent(event, stream.handle));
    }
    let recorded = available(setting)?;
    good!(setting, aclrtSynchronizeStream(stream.handle));
    let done = available(setting)?;
    for event in events {
        good!(setting, aclrtDestroyEvent(event));
    }
    let destroyed = available(setting)?;
    let taken = |now: u32| i64::from(first) - i64::from(now);
    let found = [made, recorded, done, destroyed].map(taken);
    let all = COUNT as i64;
    let assumed = if extended { [0, all, 0, 0] } else { [all, all, 0, 0] };
    let [made, recorded, done, destroyed] = found;
    let text = format!(
        "{COUNT} events hold {made} ids when they are made, {recorded} when they are recorded, {done} when the work is \
         done, {destroyed} when they are destroyed"
    );
    Ok(Answer::as_assumed(found == assumed, text))
}

fn without_a_record(setting: &Setting) -> Result<Answer> {
    let event = setting.event()?;
    let mut status = sys::ACL_EVENT_RECORDED_STATUS_NOT_READY;
    let code = code!(setting, aclrtQueryEventStatus(event.handle, &mut status));
    let complete = status == sys::ACL_EVENT_RECORDED_STATUS_COMPLETE;
    let text =
        format!("the query returned {code}, and the event is {}complete", if complete { "" } else { "not " });
    Ok(Answer::as_assumed(code == 0 && !complete, text))
}

fn unit_of_timestamps(setting: &Setting) -> Result<Answer> {
    const PAUSE: Duration = Duration::from_millis(50);
    let stream = setting.stream()?;
    let stamp = || -> Result<u64> {
        let (event, mut stamp) = (setting.event()?, 0);
        good!(setting, aclrtRecordEvent(event.handle, stream.handle));
        good!(setting, aclrtSynchronizeStream(stream.handle));
        good!(setting, aclrtEventGetTimestamp(event.handle, &mut stamp));
        Ok(stamp)
    };
    let before = stamp()?;
    thread::sleep(PAUSE);
    let passed = stamp()?.saturating_sub(before);
    let near = |unit: u64| (unit * 45..unit * 500).contains(&passed);
    let unit = match () {
        () if near(1) => "milliseconds",
        () if near(1_000) => "microseconds",
        () if near(1_000_000) => "nanoseconds",
        () => "another unit",
    };
    let text = format!("50 milliseconds count as {passed}, so {unit}");
    Ok(Answer::as_assumed(unit == "microseconds", text))
}

fn query_of_a_failed_stream(setting: &Setting) -> Result<Answer> {
    let (stream, other) = (setting.stream()?, setting.stream()?);
    let (own, zero, output) =
        (setting.filled(&[1_i64; 8])?, setting.filled(&[0_i64; 8])?, setting.memory(64)?);
    let tensor = |memory: *mut c_void| setting.tensor(DType::I64, &[8], memory);
    let (own, zero, out) = (tensor(own.handle)?, tensor(zero.handle)?, tensor(output.handle)?);
    let planned = plan!(setting, FloorDivide(own.handle, zero.handle, out.handle));
    setting.must_be_good("aclnnFloorDivideGetWorkspaceSize", planned.code)?;
    let workspace = setting.memory(planned.workspace.max(1) as usize)?;
    let launched = planned.launch(workspace.handle, stream.handle)?;
    thread::sleep(Duration::from_millis(100));
    let mut status = sys::ACL_STREAM_STATUS_NOT_READY;
    let query = code!(setting, aclrtStreamQuery(stream.handle, &mut status));
    let wait = code!(setting, aclrtSynchronizeStream(stream.handle));
    let again = code!(setting, aclrtSynchronizeStream(stream.handle));
    let memory = setting.memory(64);
    let fresh = match &memory {
        Ok(memory) => {
            code!(setting, aclrtMemsetAsync(memory.handle, 64, 1, 64, other.handle));
            code!(setting, aclrtSynchronizeStream(other.handle))
        }
        Err(_) => -1,
    };
    let text = format!(
        "after a division of s64 by zero (launched with {launched}) the query returned {query} with status {}, the wait \
         {wait}, a second wait {again}; work on another stream ended with {fresh}",
        status.0
    );
    Ok(Answer::as_assumed(query == 0 && wait != 0 && again == 0 && fresh == 0, text))
}
