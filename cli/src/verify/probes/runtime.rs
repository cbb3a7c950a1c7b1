//! Contexts, time-outs, and the beginning and end of the libraries.

use std::ptr;

use aclnn::sys;
use anyhow::Result;

use super::probe::Probe;
use crate::verify::answer::Answer;
use crate::verify::raw::{Setting, code, good};

pub(super) const PROBES: &[Probe] = &[
    Probe::new(
        "created-context-is-current",
        "Does aclrtCreateContext make the new context current on the calling thread?",
        "Yes.",
        created_context_is_current,
    ),
    Probe::new(
        "unit-of-operator-time-outs",
        "What is the smallest step of the time-out of operators, and in which unit is it given?",
        "aclrtGetOpTimeOutInterval and aclrtSetOpExecuteTimeOutV2 count microseconds.",
        unit_of_operator_time_outs,
    )
    .dangerous(),
    Probe::new(
        "initialised-again-after-the-end",
        "Can a process initialise the libraries again after it ended them?",
        "Yes, and devices work as before.",
        initialised_again,
    )
    .dangerous(),
];

fn created_context_is_current(setting: &Setting) -> Result<Answer> {
    let (mut made, mut current) = (ptr::null_mut(), ptr::null_mut());
    good!(setting, aclrtCreateContext(&mut made, setting.device.id()));
    let code = code!(setting, aclrtGetCurrentContext(&mut current));
    let is_current = code == 0 && current == made;
    setting.bind()?;
    good!(setting, aclrtDestroyContext(made));
    setting.bind()?;
    let text = format!("the new context is {}current", if is_current { "" } else { "not " });
    Ok(Answer::as_assumed(is_current, text))
}

fn unit_of_operator_time_outs(setting: &Setting) -> Result<Answer> {
    const ASKED: u64 = 10_000_000;
    let (mut interval, mut actual) = (0, 0);
    let first = code!(setting, aclrtGetOpTimeOutInterval(&mut interval));
    let second = code!(setting, aclrtSetOpExecuteTimeOutV2(ASKED, &mut actual));
    let text = format!(
        "the interval is {interval} (code {first}); {ASKED} asked for gives {actual} (code {second}). Microseconds would \
         make that 10 seconds"
    );
    let near = actual >= ASKED && actual <= ASKED + interval.max(1);
    Ok(Answer::as_assumed(first == 0 && second == 0 && near, text))
}

fn initialised_again(setting: &Setting) -> Result<Answer> {
    let ended = code!(setting, aclFinalize());
    let begun = code!(setting, aclInit(ptr::null()));
    let set = code!(setting, aclrtSetDevice(setting.device.id()));
    let (mut memory, mut found) = (ptr::null_mut(), [0_u8; 64]);
    let taken = code!(setting, aclrtMalloc(&mut memory, 64, sys::ACL_MEM_MALLOC_HUGE_FIRST));
    let filled = code!(setting, aclrtMemset(memory, 64, 5, 64));
    let kind = sys::ACL_MEMCPY_DEVICE_TO_HOST;
    let copied = code!(setting, aclrtMemcpy(found.as_mut_ptr().cast(), 64, memory, 64, kind));
    let codes = [ended, begun, set, taken, filled, copied];
    let text = format!(
        "aclFinalize, aclInit, aclrtSetDevice, aclrtMalloc, aclrtMemset, aclrtMemcpy returned {codes:?}, and the bytes are \
         {}",
        if found == [5; 64] { "right" } else { "wrong" }
    );
    Ok(Answer::as_assumed(codes == [0; 6] && found == [5; 64], text))
}
