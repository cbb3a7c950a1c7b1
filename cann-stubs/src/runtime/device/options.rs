//! Settings that a program writes and reads back. Whether kernels must be deterministic is the only one that operators look at.

use std::ffi::c_char;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use aclnn_sys::{
    ACL_OP_DEBUG_OPTION, ACL_OPT_DETERMINISTIC, ACL_OPT_ENABLE_KERNEL_EARLY_START, aclCompileOpt,
    aclSysParamOpt,
};

use crate::entry::{Out, Text, entry_points, plain_parameters};
use crate::runtime::code;
use crate::runtime::stream::context::{self, SystemParameters};
use crate::small_map::SmallMap;
use crate::status::{Result, Status};

struct Options {
    parameters: SystemParameters,
    /// Options of the operator compiler.
    compiler: SmallMap<u32, String>,
}

static OPTIONS: Mutex<Options> =
    Mutex::new(Options { parameters: SmallMap::new(), compiler: SmallMap::new() });

fn options() -> MutexGuard<'static, Options> {
    OPTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Restores the state of a new process; for the end of the runtime.
pub(crate) fn forget_all() {
    let mut options = options();
    options.parameters.clear();
    options.compiler.clear();
}

fn known(option: aclSysParamOpt) -> Result<u32> {
    if option.0 > ACL_OPT_ENABLE_KERNEL_EARLY_START.0 {
        return Err(Status::new(code::INVALID_PARAM, format_args!("option {} is unknown", option.0)));
    }
    Ok(option.0)
}

pub(super) fn parameter(parameters: &SystemParameters, option: aclSysParamOpt) -> Result<i64> {
    let unset = || Status::new(code::SYSPARAMOPT_NOT_SET, format_args!("option {} was never set", option.0));
    parameters.get(&known(option)?).copied().ok_or_else(unset)
}

pub(super) fn set_parameter(parameters: &mut SystemParameters, option: aclSysParamOpt, value: i64) -> Result {
    parameters.insert(known(option)?, value);
    if option == ACL_OPT_DETERMINISTIC && value != 0 {
        WAS_DETERMINISTIC.store(true, Ordering::Relaxed);
    }
    Ok(())
}

/// Whether deterministic kernels were ever asked for; until then no call takes a lock.
static WAS_DETERMINISTIC: AtomicBool = AtomicBool::new(false);

/// Returns whether kernels must be deterministic on this thread: as its context says, or else the process.
#[inline]
pub(crate) fn is_deterministic() -> bool {
    WAS_DETERMINISTIC.load(Ordering::Relaxed) && is_deterministic_here()
}

#[cold]
fn is_deterministic_here() -> bool {
    let of = |parameters: &SystemParameters| parameters.get(&ACL_OPT_DETERMINISTIC.0).copied();
    let own = context::current().ok().and_then(|context| of(&context.parameters()));
    own.or_else(|| of(&options().parameters)).is_some_and(|value| value != 0)
}

fn known_compiler_option(option: aclCompileOpt) -> Result<u32> {
    if option.0 > ACL_OP_DEBUG_OPTION.0 {
        return Err(Status::new(code::INVALID_PARAM, format_args!("option {} is unknown", option.0)));
    }
    Ok(option.0)
}

/// The text of a compiler option; empty when it was never set.
fn compiler_option(option: aclCompileOpt) -> Result<String> {
    let option = known_compiler_option(option)?;
    Ok(options().compiler.get(&option).cloned().unwrap_or_default())
}

plain_parameters! { aclSysParamOpt, aclCompileOpt }

entry_points! { SYMBOLS:
    fn aclrtGetSysParamOpt(option: aclSysParamOpt, value: Out<i64>) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        place.write(parameter(&options().parameters, option)?);
        Ok(())
    }

    [stored] fn aclrtSetSysParamOpt(option: aclSysParamOpt, value: i64) -> i32 {
        set_parameter(&mut options().parameters, option, value)
    }

    /// Tasks never time out here, so the limits are accepted and have no effect.
    [stored] fn aclrtSetOpWaitTimeout(_timeout: u32) -> i32 {
        Ok(())
    }

    [stored] fn aclrtSetOpExecuteTimeOut(_timeout: u32) -> i32 {
        Ok(())
    }

    [stored] fn aclrtSetOpExecuteTimeOutWithMs(_timeout: u32) -> i32 {
        Ok(())
    }

    [stored] fn aclrtSetOpExecuteTimeOutV2(timeout: u64, actual: Out<u64>) -> i32 {
        actual.required("actualTimeout", code::INVALID_PARAM)?.write(timeout);
        Ok(())
    }

    /// Every limit is kept exactly, so the step is 1.
    fn aclrtGetOpTimeOutInterval(interval: Out<u64>) -> i32 {
        interval.required("interval", code::INVALID_PARAM)?.write(1);
        Ok(())
    }

    [stored] fn aclSetCompileopt(option: aclCompileOpt, value: Text) -> i32 {
        let option = known_compiler_option(option)?;
        let null = || Status::new(code::INVALID_PARAM, "value is null");
        options().compiler.insert(option, value.read().ok_or_else(null)?);
        Ok(())
    }

    fn aclGetCompileopt(option: aclCompileOpt, value: Out<c_char>, length: usize) -> i32 {
        let place = value.required("value", code::INVALID_PARAM)?;
        let text = compiler_option(option)?;
        if length <= text.len() {
            let message = format!("the text needs {} bytes, the buffer has {length}", text.len() + 1);
            return Err(Status::new(code::INVALID_PARAM, message));
        }
        place.write_text(&text);
        Ok(())
    }

    fn aclGetCompileoptSize(option: aclCompileOpt) -> usize {
        compiler_option(option).map_or(0, |text| text.len() + 1)
    }
}
