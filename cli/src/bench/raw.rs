//! A sum of two tensors through the C functions, as a careful program calls them.

use std::ptr;

use aclnn::sys::{ACL_FLOAT, ACL_FORMAT_ND, aclOpExecutor, aclScalar, aclTensor};
use aclnn::{DType, Device, Stream, Tensor};
use anyhow::{Result, ensure};

/// The operands of a sum of f32, and the result.
pub(super) struct Sum<'a> {
    device: &'a Device,
    stream: Stream,
    tensors: [Tensor; 3],
}

/// What phase one needs of a sum.
pub(super) struct Descriptors {
    tensors: [*mut aclTensor; 3],
    alpha: *mut aclScalar,
}

/// A sum that was planned.
pub(super) struct Planned {
    executor: *mut aclOpExecutor,
    workspace: u64,
}

impl<'a> Sum<'a> {
    pub(super) fn new(device: &'a Device, elements: usize) -> Result<Self> {
        let ones = || Tensor::ones(device, elements, DType::F32);
        let sum = Sum { device, stream: device.stream(), tensors: [ones()?, ones()?, ones()?] };
        // Makes the context current on this thread as well.
        sum.stream.synchronize()?;
        Ok(sum)
    }

    pub(super) fn describe(&self) -> Result<Descriptors> {
        let meta = self.device.backend().meta();
        let mut tensors = [ptr::null_mut(); 3];
        for (to, tensor) in tensors.iter_mut().zip(&self.tensors) {
            let (dims, strides) = ([tensor.numel() as i64], [1]);
            let (sizes, steps) = (dims.as_ptr(), strides.as_ptr());
            // SAFETY: arrays of one element, which is the rank, and memory of a tensor of that size.
            *to = unsafe {
                meta.aclCreateTensor(sizes, 1, ACL_FLOAT, steps, 0, ACL_FORMAT_ND, sizes, 1, tensor.as_raw())
            }?;
        }
        let mut one = 1_f32;
        // SAFETY: the value has the type that is told, and is copied.
        let alpha = unsafe { meta.aclCreateScalar((&raw mut one).cast(), ACL_FLOAT) }?;
        ensure!(!alpha.is_null() && tensors.iter().all(|tensor| !tensor.is_null()), "a descriptor is null");
        Ok(Descriptors { tensors, alpha })
    }

    /// Runs phase one.
    pub(super) fn plan(&self, descriptors: &Descriptors) -> Result<Planned> {
        let [a, b, out] = descriptors.tensors;
        let (mut workspace, mut executor) = (0, ptr::null_mut());
        let add = self.device.backend().operators().Add()?;
        // SAFETY: the descriptors live, the places are valid, and the context is current.
        let code =
            unsafe { add.get_workspace_size(a, b, descriptors.alpha, out, &mut workspace, &mut executor) };
        ensure!(code == 0, "aclnnAddGetWorkspaceSize returned {code}");
        Ok(Planned { executor, workspace })
    }

    /// Allocates the workspace of a plan.
    pub(super) fn workspace(&self, planned: &Planned) -> Result<Tensor> {
        Ok(Tensor::empty(self.device, planned.workspace as usize, DType::U8)?)
    }

    /// Runs phase two, which consumes the plan.
    pub(super) fn launch(&self, planned: Planned, workspace: &Tensor) -> Result<()> {
        let memory = if planned.workspace == 0 { ptr::null_mut() } else { workspace.as_raw() };
        ensure!(workspace.numel() as u64 >= planned.workspace, "the workspace is too small");
        let add = self.device.backend().operators().Add()?;
        // SAFETY: the plan is of this operator and not used yet, the workspace is as large as it asks for, and all memory
        // lives until the stream is synchronised.
        let code = unsafe { add.launch(memory, planned.workspace, planned.executor, self.stream.as_raw()) };
        ensure!(code == 0, "aclnnAdd returned {code}");
        Ok(())
    }

    pub(super) fn destroy(&self, descriptors: Descriptors) -> Result<()> {
        let meta = self.device.backend().meta();
        for tensor in descriptors.tensors {
            // SAFETY: made by `describe`, and the value is consumed here.
            let code = unsafe { meta.aclDestroyTensor(tensor) }?;
            ensure!(code == 0, "aclDestroyTensor returned {code}");
        }
        // SAFETY: as above.
        let code = unsafe { meta.aclDestroyScalar(descriptors.alpha) }?;
        ensure!(code == 0, "aclDestroyScalar returned {code}");
        Ok(())
    }

    pub(super) fn synchronize(&self) -> Result<()> {
        Ok(self.stream.synchronize()?)
    }

    pub(super) fn operands(&self) -> (&Tensor, &Tensor) {
        let [a, b, _] = &self.tensors;
        (a, b)
    }
}
