//! The health of devices: queries of errors, which emulated devices never have, and their repair.

use aclnn_sys::{
    ACL_RT_NO_ERROR, aclrtErrorInfo, aclrtErrorInfoDetail, aclrtExceptionInfoCallback, aclrtMemUceInfo,
    aclrtMemUceInfoArray,
};

use crate::entry::{Array, Out, entry_points, plain_parameters};
use crate::runtime::code;
use crate::runtime::product::devices;
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
}
