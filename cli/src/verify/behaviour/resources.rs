//! Release of resources: memory, events, streams; and the layout of memory.

use std::ffi::c_void;
use std::ptr;

use aclnn::sys;
use anyhow::Result;

use super::check::Check;
use crate::verify::answer::{Answer, Findings};
use crate::verify::raw::{Setting, good};

pub(super) const CHECKS: &[Check] = &[
    Check::new(
        "memory-is-given-back",
        "After rounds of allocating and freeing, as much memory of the device is free as before.",
        memory_is_given_back,
    ),
    Check::new(
        "event-ids-are-given-back",
        "When recorded work is done and its events are destroyed, as many events can be made as before.",
        event_ids_are_given_back,
    ),
    Check::new(
        "streams-are-given-back",
        "Thousands of streams are made and destroyed, a few at a time.",
        streams_are_given_back,
    ),
    Check::new(
        "allocations-are-aligned",
        "Device memory begins at multiples of 64 bytes, as does pinned memory, and no two allocations overlap.",
        allocations_are_aligned,
    ),
];

fn memory_is_given_back(setting: &Setting) -> Result<Answer> {
    const BYTES: usize = 1 << 20;
    let round = || -> Result<()> {
        let memory = (0..8).map(|_| setting.memory(BYTES)).collect::<Result<Vec<_>>>()?;
        memory.iter().try_for_each(|memory| setting.upload(memory.handle, &[1_u8; 4096]))
    };
    // What the library takes once for itself.
    round()?;
    let before = setting.free_bytes()?;
    (0..32).try_for_each(|_| round())?;
    let lost = before.saturating_sub(setting.free_bytes()?);
    let mut findings = Findings::default();
    findings.holds(lost < BYTES, || format!("{lost} bytes are lost after 256 allocations of {BYTES}"));
    Ok(findings.answer())
}

fn event_ids_are_given_back(setting: &Setting) -> Result<Answer> {
    let stream = setting.stream()?;
    let available = || -> Result<u32> {
        let mut count = 0;
        good!(setting, aclrtGetEventAvailNum(&mut count));
        Ok(count)
    };
    let round = |make: &dyn Fn(&mut *mut c_void) -> Result<()>| -> Result<()> {
        let mut events = [ptr::null_mut(); 64];
        for event in &mut events {
            make(event)?;
            good!(setting, aclrtRecordEvent(*event, stream.handle));
        }
        good!(setting, aclrtSynchronizeStream(stream.handle));
        for event in events {
            good!(setting, aclrtDestroyEvent(event));
        }
        Ok(())
    };
    let before = available()?;
    let mut findings = Findings::default();
    // More than the 1,023 of the product with the fewest.
    for _ in 0..20 {
        round(&|event| {
            good!(setting, aclrtCreateEvent(event));
            Ok(())
        })?;
        round(&|event| {
            good!(setting, aclrtCreateEventExWithFlag(event, sys::ACL_EVENT_SYNC));
            Ok(())
        })?;
    }
    findings.equal("events that can be made", available()?, before);
    Ok(findings.answer())
}

fn streams_are_given_back(setting: &Setting) -> Result<Answer> {
    let memory = setting.memory(64)?;
    for _ in 0..256 {
        let streams = (0..8).map(|_| setting.stream()).collect::<Result<Vec<_>>>()?;
        for stream in &streams {
            good!(setting, aclrtMemsetAsync(memory.handle, 64, 1, 64, stream.handle));
            good!(setting, aclrtSynchronizeStream(stream.handle));
        }
    }
    Ok(Answer::right("2048 streams were made, 8 at a time"))
}

fn allocations_are_aligned(setting: &Setting) -> Result<Answer> {
    let mut findings = Findings::default();
    let sizes =
        [1, 2, 31, 32, 33, 63, 64, 65, 511, 512, 513, 4095, 4096, 4097, 65_537, 1 << 20, (2 << 20) + 1];
    let mut spans = Vec::new();
    let mut held = Vec::new();
    for size in sizes {
        for memory in [setting.memory(size)?, setting.pinned(size)?] {
            let start = memory.handle.addr();
            findings.holds(start % 64 == 0, || format!("{size} bytes begin at {start:#x}"));
            spans.push((start, start + size));
            held.push(memory);
        }
    }
    spans.sort_unstable();
    for (one, next) in spans.iter().zip(spans.iter().skip(1)) {
        findings.holds(one.1 <= next.0, || format!("{one:x?} overlaps {next:x?}"));
    }
    Ok(findings.answer())
}
