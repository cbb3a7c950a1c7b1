//! Copies: kinds that contradict, and other devices.

use aclnn::{DType, Device, Stream, Tensor, sys};
use anyhow::Result;

use super::probe::Probe;
use crate::verify::answer::Answer;
use crate::verify::raw::{Setting, code, good};

pub(super) const PROBES: &[Probe] = &[
    Probe::new(
        "kind-that-contradicts-its-pointers",
        "What does aclrtMemcpyAsync answer to a kind that contradicts its pointers?",
        "It refuses the kind.",
        kind_that_contradicts,
    ),
    Probe::new(
        "copy-to-a-device-without-access",
        "What does a copy between devices answer without peer access?",
        "The code of the driver: 507899.",
        copy_without_access,
    )
    .dangerous(),
    Probe::new(
        "event-of-another-device",
        "May a stream wait for an event that was recorded on another device?",
        "Yes. The safe layer waits on the host instead.",
        event_of_another_device,
    )
    .dangerous(),
];

fn kind_that_contradicts(setting: &Setting) -> Result<Answer> {
    let (stream, memory, pinned) = (setting.stream()?, setting.filled(&[1_u8; 64])?, setting.pinned(64)?);
    let other = setting.filled(&[2_u8; 64])?;
    let kind = sys::ACL_MEMCPY_HOST_TO_DEVICE;
    let (device, host) = (memory.handle, pinned.handle);
    let back = code!(setting, aclrtMemcpyAsync(host, 64, device, 64, kind, stream.handle));
    let beside = code!(setting, aclrtMemcpyAsync(device, 64, other.handle, 64, kind, stream.handle));
    let wait = code!(setting, aclrtSynchronizeStream(stream.handle));
    let text = format!(
        "host to device: {back} for a copy to the host, {beside} for one between device memory; the wait returned {wait}"
    );
    Ok(Answer::as_assumed(back != 0 && beside != 0, text))
}

/// Another device than that of the setting.
fn other(setting: &Setting) -> Result<Option<Device>> {
    Ok(Device::all()?.into_iter().find(|device| device.id() != setting.device.id()))
}

const ALONE: &str = "there is one device alone";

fn copy_without_access(setting: &Setting) -> Result<Answer> {
    let Some(other) = other(setting)? else { return Ok(Answer::skipped(ALONE)) };
    let there = Tensor::zeros(&other, [16], DType::F32)?;
    other.synchronize()?;
    setting.bind()?;
    let own = setting.filled(&[1_f32; 16])?;
    let place = there.as_raw();
    let code = code!(setting, aclrtMemcpy(place, 64, own.handle, 64, sys::ACL_MEMCPY_DEVICE_TO_DEVICE));
    Ok(Answer::as_assumed(code == 507_899, format!("aclrtMemcpy returned {code}: {}", setting.message())))
}

fn event_of_another_device(setting: &Setting) -> Result<Answer> {
    let Some(other) = other(setting)? else { return Ok(Answer::skipped(ALONE)) };
    let there = Stream::new(&other)?;
    let ones = Tensor::ones(&there, [1 << 20], DType::F32)?.add(1)?;
    let event = there.record()?;
    setting.bind()?;
    let stream = setting.stream()?;
    let wait = code!(setting, aclrtStreamWaitEvent(stream.handle, event.as_raw()));
    let end = code!(setting, aclrtSynchronizeStream(stream.handle));
    let mut status = sys::ACL_EVENT_RECORDED_STATUS_NOT_READY;
    good!(setting, aclrtQueryEventStatus(event.as_raw(), &mut status));
    drop(ones);
    let done = status == sys::ACL_EVENT_RECORDED_STATUS_COMPLETE;
    let text = format!(
        "the wait returned {wait}, its synchronisation {end}, and the event is {}done",
        if done { "" } else { "not " }
    );
    Ok(Answer::as_assumed(wait == 0 && end == 0 && done, text))
}
