//! The health of devices, which are always healthy, and small queries about them.

use std::ffi::c_void;

use aclnn_sys::{
    ACL_MODEL_RI_CAPTURE_STATUS_NONE, ACL_RT_NO_ERROR, aclmdlRICaptureStatus, aclrtErrorInfo,
    aclrtErrorInfoDetail, aclrtExceptionInfoCallback, aclrtMemUceInfo, aclrtMemUceInfoArray,
};

use crate::entry::{Array, Handle, Out, entry_points, plain_parameters};
use crate::runtime::code;
use crate::runtime::product::devices;
use crate::runtime::stream::{callback, context, registry};
use crate::status::Status;

/// No memory with errors.
const NOTHING: aclrtMemUceInfo = aclrtMemUceInfo { addr: std::ptr::null_mut(), len: 0, reserved: [0; 14] };

plain_parameters! { aclrtExceptionInfoCallback }

entry_points! { SYMBOLS:
    fn aclrtGetErrorVerbose(device: i32, error: Out<aclrtErrorInfo>) -> i32 {
        let place = error.required("errorInfo", code::INVALID_PARAM)?;
        devices::must_exist(device)?;
        place.write(aclrtErrorInfo {
            tryRepair: 0,
            hasDetail: 0,
            reserved: [0; 2],
            errorType: ACL_RT_NO_ERROR,
            detail: aclrtErrorInfoDetail {
                uceInfo: aclrtMemUceInfoArray { arraySize: 0, memUceInfoArray: [NOTHING; 20] },
            },
        });
        Ok(())
    }

    fn aclrtRepairError(device: i32, error: Array<aclrtErrorInfo>) -> i32 {
        let null = || Status::new(code::INVALID_PARAM, "errorInfo is null");
        let error = error.read(1).and_then(|one| one.first().copied()).ok_or_else(null)?;
        devices::must_exist(device)?;
        if error.errorType != ACL_RT_NO_ERROR {
            let message = format!("the emulated device has no error of type {} to repair", error.errorType.0);
            return Err(Status::new(code::FEATURE_NOT_SUPPORT, message));
        }
        Ok(())
    }

    // Nothing of the emulator raises an exception: it has no kernels of a device.
    [stored] fn aclrtSetExceptionInfoCallback(callback: aclrtExceptionInfoCallback) -> i32 {
        let _ = callback;
        Ok(())
    }

    fn aclrtGetMemUceInfo(device: i32, pieces: Out<aclrtMemUceInfo>, _capacity: usize, count: Out<usize>) -> i32 {
        pieces.required("memUceInfoArray", code::INVALID_PARAM)?;
        let count = count.required("retSize", code::INVALID_PARAM)?;
        devices::must_exist(device)?;
        count.write(0);
        Ok(())
    }

    fn aclrtMemUceRepair(device: i32, pieces: Out<aclrtMemUceInfo>, count: usize) -> i32 {
        pieces.required("memUceInfoArray", code::INVALID_PARAM)?;
        devices::must_exist(device)?;
        if count > 0 {
            let message = "the memory of the emulated device has no errors to repair";
            return Err(Status::new(code::FEATURE_NOT_SUPPORT, message));
        }
        Ok(())
    }

    /// Done at once, so the time limit is not needed.
    fn aclrtDeviceTaskAbort(device: i32, _timeout: u32) -> i32 {
        callback::forbid("work is aborted")?;
        devices::must_exist(device)?;
        let streams = registry::all().into_iter().filter(|(_, stream)| stream.device == device);
        streams.for_each(|(_, stream)| stream.abort());
        Ok(())
    }

    fn aclrtDeviceGetBareTgid(process: Out<i32>) -> i32 {
        process.required("pid", code::INVALID_PARAM)?.write(std::process::id() as i32);
        Ok(())
    }

    fn aclrtGetPrimaryCtxState(device: i32, flags: Out<u32>, active: Out<i32>) -> i32 {
        devices::must_exist(device)?;
        if let Some(flags) = flags.optional() {
            flags.write(0);
        }
        if let Some(active) = active.optional() {
            active.write(i32::from(context::has_primary(device)));
        }
        Ok(())
    }

    fn aclrtGetLogicDevIdByUserDevId(user: i32, logic: Out<i32>) -> i32 {
        let place = logic.required("logicDevId", code::INVALID_PARAM)?;
        devices::must_exist(user)?;
        place.write(user);
        Ok(())
    }

    /// Nothing is ever captured.
    fn aclmdlRICaptureGetInfo(
        stream: Handle<*mut c_void>,
        status: Out<aclmdlRICaptureStatus>,
        graph: Out<*mut c_void>,
    ) -> i32 {
        let status = status.required("status", code::INVALID_PARAM)?;
        let graph = graph.required("modelRI", code::INVALID_PARAM)?;
        context::resolve(stream.0)?;
        status.write(ACL_MODEL_RI_CAPTURE_STATUS_NONE);
        graph.write(std::ptr::null_mut());
        Ok(())
    }
}
