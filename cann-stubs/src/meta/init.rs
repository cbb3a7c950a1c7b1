//! Start and end of the operator library, and the dump of operands.

use aclnn_sys::{ACLNN_ERR_PARAM_NULLPTR, aclTensor, aclnnStatus, aclrtStream};

use crate::entry::{Handle, Out, Text, entry_points};
use crate::status::Status;

entry_points! {
    SYMBOLS:

    // Both are optional beside `aclInit` and `aclFinalize`; the emulator has nothing to prepare.
    fn aclnnInit(configPath: Text) -> aclnnStatus {
        let _ = configPath;
        Ok(())
    }

    fn aclnnFinalize() -> aclnnStatus {
        Ok(())
    }

    // The emulator writes no dumps; the arguments are checked all the same.
    [stored] fn aclDumpOpTensors(
        opType: Text, opName: Text, tensors: Out<*mut aclTensor>, inputTensorNum: usize, outputTensorNum: usize,
        stream: Handle<aclrtStream>
    ) -> aclnnStatus {
        let _ = (inputTensorNum, outputTensorNum);
        let null = opType.read().is_none() || opName.read().is_none() || tensors.is_null() || stream.0 == 0;
        if null { Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, "an argument is null")) } else { Ok(()) }
    }
}
