//! Copies between host and device, and between devices.

use aclnn::{Device, HostBuffer, Tensor, sys};
use anyhow::Result;

use super::check::Check;
use crate::verify::answer::{Answer, Findings};
use crate::verify::raw::{Setting, good};

pub(super) const CHECKS: &[Check] = &[
    Check::new(
        "pinned-copies-run-beside-the-host",
        "Asynchronous copies from and to pinned memory move every byte, in the order of the stream.",
        pinned,
    ),
    Check::new(
        "pageable-copies-may-be-asynchronous",
        "aclrtMemcpyAsync takes ordinary host memory, and has moved it when the stream is synchronised.",
        pageable,
    ),
    Check::new(
        "synchronous-copies-are-done-at-return",
        "After aclrtMemcpy to the device the host may change its memory.",
        synchronous,
    ),
    Check::new(
        "copies-at-any-byte",
        "Copies of any length begin at any byte of device memory, and change no byte beside.",
        at_any_byte,
    ),
    Check::new(
        "copies-between-devices",
        "A tensor is copied to another device, through its memory or by way of the host.",
        between_devices,
    ),
];

const COUNT: usize = 1 << 20;

fn numbers() -> Vec<i32> {
    (0..COUNT as i32).collect()
}

fn pinned(setting: &Setting) -> Result<Answer> {
    let device = &setting.device;
    let mut findings = Findings::default();
    let mut tensor = Tensor::empty(device, [COUNT], aclnn::DType::I32)?;
    let upload = tensor.upload(HostBuffer::from_slice(device, &numbers())?)?;
    let download = tensor.add(1)?.download(HostBuffer::<i32>::zeroed(device, COUNT)?)?;
    let found = download.wait()?;
    let wrong = found.iter().zip(1..).position(|(found, expected)| *found != expected);
    findings.holds(wrong.is_none(), || format!("element {wrong:?} is wrong"));
    upload.wait()?;
    Ok(findings.answer())
}

fn pageable(setting: &Setting) -> Result<Answer> {
    let (stream, memory, bytes) = (setting.stream()?, setting.memory(COUNT * 4)?, COUNT * 4);
    let (from, mut to) = (numbers(), vec![0_i32; COUNT]);
    let kind = sys::ACL_MEMCPY_HOST_TO_DEVICE;
    good!(setting, aclrtMemcpyAsync(memory.handle, bytes, from.as_ptr().cast(), bytes, kind, stream.handle));
    let kind = sys::ACL_MEMCPY_DEVICE_TO_HOST;
    good!(
        setting,
        aclrtMemcpyAsync(to.as_mut_ptr().cast(), bytes, memory.handle, bytes, kind, stream.handle)
    );
    good!(setting, aclrtSynchronizeStream(stream.handle));
    let mut findings = Findings::default();
    findings.holds(from == to, || "what came back is not what was sent".to_owned());
    Ok(findings.answer())
}

fn synchronous(setting: &Setting) -> Result<Answer> {
    let (memory, mut own) = (setting.memory(COUNT * 4)?, numbers());
    setting.upload(memory.handle, &own)?;
    own.fill(-1);
    let found = setting.download::<i32>(memory.handle, COUNT)?;
    let mut findings = Findings::default();
    findings.holds(found == numbers(), || "the device got what the host wrote after the copy".to_owned());
    Ok(findings.answer())
}

fn at_any_byte(setting: &Setting) -> Result<Answer> {
    const ROOM: usize = 256;
    let memory = setting.memory(ROOM)?;
    let mut findings = Findings::default();
    for (begin, len) in [(0, 1), (1, 1), (3, 7), (31, 33), (64, 65), (127, 100)] {
        setting.upload(memory.handle, &[0xee_u8; ROOM])?;
        let sent: Vec<u8> = (1..=len).collect();
        setting.upload(memory.handle.wrapping_byte_add(begin), &sent)?;
        let mut expected = vec![0xee_u8; ROOM];
        expected.splice(begin..begin + sent.len(), sent.iter().copied());
        let found = setting.download::<u8>(memory.handle, ROOM)?;
        findings.holds(found == expected, || format!("{len} bytes from byte {begin} on"));
        let found = setting.download::<u8>(memory.handle.wrapping_byte_add(begin), sent.len())?;
        findings.holds(found == sent, || format!("{len} bytes back from byte {begin} on"));
    }
    Ok(findings.answer())
}

fn between_devices(setting: &Setting) -> Result<Answer> {
    let own = setting.device.id();
    let Some(other) = Device::all()?.into_iter().find(|device| device.id() != own) else {
        return Ok(Answer::skipped("there is one device alone"));
    };
    let mut can = -1;
    good!(setting, aclrtDeviceCanAccessPeer(&mut can, own, other.id()));
    let there = Tensor::from_vec(&setting.device, numbers(), [COUNT])?.to(&other)?.add(0)?;
    let back = there.to(&setting.device)?;
    if there.to_vec::<i32>()? != numbers() || back.to_vec::<i32>()? != numbers() {
        return Ok(Answer::wrong("elements changed on the way"));
    }
    Ok(Answer::right(format!(
        "there and back between devices {own} and {}; aclrtDeviceCanAccessPeer says {can}",
        other.id()
    )))
}
