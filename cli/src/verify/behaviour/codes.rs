//! The codes for bad input.

use std::ptr;

use aclnn::{DType, sys};
use anyhow::Result;

use super::check::Check;
use crate::verify::answer::{Answer, Findings};
use crate::verify::raw::{Planned, Setting, code, good, plan};

pub(super) const CHECKS: &[Check] = &[
    Check::new(
        "codes-of-the-runtime",
        "Functions of the runtime refuse bad arguments with the documented codes, and change nothing.",
        of_the_runtime,
    ),
    Check::new(
        "codes-of-copies",
        "Copies refuse what does not fit and kinds that do not exist with the documented codes.",
        of_copies,
    ),
    Check::new(
        "codes-of-operators",
        "Operators refuse nulls with 161001 and operands that they do not take with 161002, and write neither result.",
        of_operators,
    ),
    Check::new("messages", "After a failure aclGetRecentErrMsg has a text on that thread, once.", messages),
];

const INVALID_PARAM: i32 = sys::ACL_ERROR_INVALID_PARAM;
const RT_PARAM_INVALID: i32 = sys::ACL_ERROR_RT_PARAM_INVALID;

fn of_the_runtime(setting: &Setting) -> Result<Answer> {
    let mut findings = Findings::default();
    let policy = sys::ACL_MEM_MALLOC_HUGE_FIRST;
    let mut place = ptr::null_mut();
    findings.equal(
        "aclrtMalloc into NULL",
        code!(setting, aclrtMalloc(ptr::null_mut(), 64, policy)),
        INVALID_PARAM,
    );
    findings.equal(
        "aclrtMalloc of 0 bytes",
        code!(setting, aclrtMalloc(&mut place, 0, policy)),
        INVALID_PARAM,
    );
    findings.equal("what it wrote", place, ptr::null_mut());
    findings.equal(
        "aclrtMallocHost of 0 bytes",
        code!(setting, aclrtMallocHost(&mut place, 0)),
        INVALID_PARAM,
    );
    findings.equal("aclrtFree of NULL", code!(setting, aclrtFree(ptr::null_mut())), INVALID_PARAM);
    let mut devices = 0;
    good!(setting, aclrtGetDeviceCount(&mut devices));
    let code = code!(setting, aclrtSetDevice(devices as i32));
    findings.holds(code != 0, || {
        format!("aclrtSetDevice({devices}) succeeded although there are {devices} devices")
    });
    setting.bind()?;
    let stream = setting.stream()?;
    let code = code!(setting, aclrtSynchronizeStreamWithTimeout(stream.handle, -2));
    findings.equal("a time-out of -2", code, RT_PARAM_INVALID);
    let code = code!(setting, aclrtSynchronizeStreamWithTimeout(stream.handle, 1000));
    findings.equal("waiting for an idle stream", code, 0);
    let id = setting.device.id();
    let code = code!(setting, aclrtDeviceCanAccessPeer(&mut 0, id, id));
    findings.equal("a device as its own peer", code, INVALID_PARAM);
    Ok(findings.answer())
}

fn of_copies(setting: &Setting) -> Result<Answer> {
    let mut findings = Findings::default();
    let (memory, mut host) = (setting.filled(&[7_u8; 64])?, [1_u8; 64]);
    let from = host.as_ptr().cast();
    let to_device = sys::ACL_MEMCPY_HOST_TO_DEVICE;
    let code = code!(setting, aclrtMemcpy(memory.handle, 32, from, 64, to_device));
    findings.equal("64 bytes into room for 32", code, RT_PARAM_INVALID);
    for kind in [sys::ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, sys::ACL_MEMCPY_INTER_DEVICE_TO_DEVICE] {
        let code = code!(setting, aclrtMemcpy(memory.handle, 64, from, 64, kind));
        findings.equal(&format!("aclrtMemcpy of kind {}", kind.0), code, INVALID_PARAM);
    }
    let code = code!(setting, aclrtMemset(memory.handle, 32, 0, 64));
    findings.equal("64 bytes set in room for 32", code, RT_PARAM_INVALID);
    findings.equal("what was there", setting.download::<u8>(memory.handle, 64)?, vec![7; 64]);
    // The direction follows from the pointers, whatever the kind says.
    let to = host.as_mut_ptr().cast();
    good!(setting, aclrtMemcpy(to, 64, memory.handle, 64, to_device));
    findings.equal("a copy to the host of the kind for the other way", host, [7; 64]);
    Ok(findings.answer())
}

fn of_operators(setting: &Setting) -> Result<Answer> {
    const NULL: i32 = sys::ACLNN_ERR_PARAM_NULLPTR;
    const INVALID: i32 = sys::ACLNN_ERR_PARAM_INVALID;
    let mut findings = Findings::default();
    let memory = setting.filled(&[1_f32; 16])?;
    let tensor = |dtype, dims: &[i64]| setting.tensor(dtype, dims, memory.handle);
    let (four, three) = (tensor(DType::F32, &[4])?, tensor(DType::F32, &[3])?);
    let (string, nine) = (tensor(DType::C64, &[4])?, tensor(DType::F32, &[1; 9])?);
    let one = setting.scalar(1_f32)?;
    let nothing = ptr::null_mut();

    let mut refused = |what: &str, planned: Planned, expected: i32| {
        findings.equal(what, planned.code, expected);
        findings.holds(planned.executor.is_null(), || format!("{what}: an executor was written"));
    };
    let (a, b, alpha) = (four.handle, three.handle, one.handle);
    refused("aclnnAdd without self", plan!(setting, Add(nothing, a, alpha, a)), NULL);
    refused("aclnnAdd without other", plan!(setting, Add(a, nothing, alpha, a)), NULL);
    refused("aclnnAdd without alpha", plan!(setting, Add(a, a, nothing.cast(), a)), NULL);
    refused("aclnnAdd without out", plan!(setting, Add(a, a, alpha, nothing)), NULL);
    refused("aclnnAdd of [4] and [3]", plan!(setting, Add(a, b, alpha, a)), INVALID);
    refused("aclnnAdd into [3]", plan!(setting, Add(a, a, alpha, b)), INVALID);
    refused("aclnnAdd of rank 9", plan!(setting, Add(nine.handle, nine.handle, alpha, nine.handle)), INVALID);
    refused("aclnnSub of [4] and [3]", plan!(setting, Sub(a, b, alpha, a)), INVALID);
    refused("aclnnMul of [4] and [3]", plan!(setting, Mul(a, b, a)), INVALID);
    refused("aclnnDiv without other", plan!(setting, Div(a, nothing, a)), NULL);
    refused("aclnnExp without out", plan!(setting, Exp(a, nothing)), NULL);
    refused("aclnnExp into [3]", plan!(setting, Exp(a, b)), INVALID);
    let complex = string.handle;
    refused("aclnnFloorDivide of c64", plan!(setting, FloorDivide(complex, complex, complex)), INVALID);
    let dtype = sys::aclDataType(9999);
    refused("aclnnCast to type 9999", plan!(setting, Cast(a, dtype, a)), INVALID);

    let mut planned = plan!(setting, Exp(a, a));
    setting.must_be_good("aclnnExpGetWorkspaceSize", planned.code)?;
    findings.equal("destroying an executor", setting.destroy(&planned)?, 0);
    planned.executor = ptr::null_mut();
    findings.equal("launching no executor", planned.launch(ptr::null_mut(), ptr::null_mut())?, NULL);
    Ok(findings.answer())
}

fn messages(setting: &Setting) -> Result<Answer> {
    let mut findings = Findings::default();
    setting.message();
    let code = code!(setting, aclrtMalloc(ptr::null_mut(), 64, sys::ACL_MEM_MALLOC_HUGE_FIRST));
    findings.holds(code != 0, || "aclrtMalloc into NULL succeeded".to_owned());
    let (first, second) = (setting.message(), setting.message());
    findings.holds(!first.is_empty(), || "there is no message after a failure".to_owned());
    findings.equal("the message when it was read", second, String::new());
    Ok(findings.answer())
}
