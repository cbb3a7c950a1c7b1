//! `aclOpExecutor`: a planned operator, waiting to be launched.
//!
//! A launch consumes the executor, whether it succeeds or not, unless it was made repeatable. The addresses of the
//! tensors are read at each launch.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use aclnn_sys::{
    ACLNN_ERR_INNER, ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR,
    ACLNN_ERR_RUNTIME_ERROR, aclOpExecutor, aclTensor, aclnnStatus, aclrtStream,
};
use smallvec::SmallVec;

use super::dangling;
use super::tensor::TENSORS;
use crate::entry::{Handle, Place, entry_points};
use crate::handle::{Dangling, Kind, Registry, to_pointer};
use crate::kernels::Kernel;
use crate::runtime::{memory, stream};
use crate::status::{Result, Status};

static EXECUTORS: Registry<Executor> = Registry::new(Kind::Executor);

/// A planned operator.
pub(crate) struct Executor {
    /// The C name of the operator, for messages.
    operator: &'static str,
    /// Bytes of workspace that the launch asks for.
    workspace: u64,
    /// `None` when there is nothing to compute: the tensors are empty.
    kernel: Option<Arc<Kernel>>,
    /// The tensors of the kernel, in the order of its views.
    tensors: SmallVec<[TensorArgument; 4]>,
    repeatable: AtomicBool,
}

/// A tensor that the kernel reads or writes.
pub(crate) struct TensorArgument {
    pub(crate) name: &'static str,
    pub(crate) handle: usize,
}

/// Keeps a planned operator and tells the caller its executor and its workspace.
pub(crate) fn hand_out(
    operator: &'static str,
    workspace: u64,
    kernel: Option<Kernel>,
    tensors: SmallVec<[TensorArgument; 4]>,
    size: Place<u64>,
    place: Place<*mut aclOpExecutor>,
) {
    let kernel = kernel.map(Arc::new);
    let executor = Executor { operator, workspace, kernel, tensors, repeatable: AtomicBool::new(false) };
    size.write(workspace);
    place.write(to_pointer(EXECUTORS.insert(executor)));
}

/// Phase two: queues the planned operator on a stream.
pub(crate) fn launch(
    workspace: usize,
    size: u64,
    executor: &Handle<*mut aclOpExecutor>,
    stream: &Handle<aclrtStream>,
) -> Result {
    let planned = EXECUTORS.get(executor.0).map_err(|why| {
        let code = if why == Dangling::Null { ACLNN_ERR_PARAM_NULLPTR } else { ACLNN_ERR_INNER };
        let hint = if why == Dangling::Destroyed {
            "; a launch consumes it, so plan the operator again"
        } else {
            ""
        };
        Status::new(code, why.explain("the executor") + hint)
    })?;
    let no_workspace = size > 0 && workspace == 0;
    if no_workspace || !planned.repeatable.load(Ordering::Acquire) {
        // Another thread that launches the same executor loses here.
        EXECUTORS
            .remove(executor.0)
            .map_err(|why| Status::new(ACLNN_ERR_INNER, why.explain("the executor")))?;
    }
    let refuse =
        |code, message: String| Err(Status::new(code, format_args!("{}: {message}", planned.operator)));
    if no_workspace {
        let message = format!("workspaceSize is {size} but workspace is null; the executor is gone");
        return refuse(ACLNN_ERR_PARAM_NULLPTR, message);
    }
    if size < planned.workspace {
        let message = format!("the workspace has {size} bytes, but {} were asked for", planned.workspace);
        return refuse(ACLNN_ERR_PARAM_INVALID, message);
    }
    if planned.workspace > 0
        && let Err(status) = memory::device_bytes(workspace, planned.workspace as usize)
    {
        return refuse(
            ACLNN_ERR_PARAM_INVALID,
            format!("the workspace is not device memory: {}", status.message),
        );
    }
    let stream = stream::resolve(stream.0).map_err(|status| {
        Status::new(ACLNN_ERR_RUNTIME_ERROR, format_args!("{}: {}", planned.operator, status.message))
    })?;
    let mut addresses: SmallVec<[usize; 4]> = SmallVec::new();
    for argument in &planned.tensors {
        match TENSORS.get(argument.handle) {
            Ok(tensor) => addresses.push(tensor.address()),
            Err(why) => {
                let message =
                    why.explain(argument.name) + "; tensors must live until the operator is launched";
                return refuse(ACLNN_ERR_INNER_NULLPTR, message);
            }
        }
    }
    let Some(kernel) = planned.kernel.clone() else { return Ok(()) };
    let names = planned.tensors.iter().map(|argument| argument.name);
    if let Err(status) = kernel.check(&addresses, names) {
        return refuse(ACLNN_ERR_PARAM_INVALID, status.message);
    }
    stream
        .submit(planned.operator, Box::new(move || kernel.run(&addresses)))
        .map_err(|status| Status::new(ACLNN_ERR_RUNTIME_ERROR, status.message))
}

/// What a launch that fails for no reason of its own leaves: nothing, unless the executor is repeatable.
pub(crate) fn consume(executor: &Handle<*mut aclOpExecutor>) {
    if EXECUTORS.get(executor.0).is_ok_and(|planned| !planned.repeatable.load(Ordering::Acquire)) {
        // Gone already where another thread launches it now.
        let _ = EXECUTORS.remove(executor.0);
    }
}

/// The executor of a call that exchanges addresses.
pub(crate) fn check(executor: &Handle<*mut aclOpExecutor>) -> Result {
    EXECUTORS.get(executor.0).map(drop).map_err(invalid)
}

fn invalid(why: Dangling) -> Status {
    let code = if why == Dangling::Null { ACLNN_ERR_INNER_NULLPTR } else { ACLNN_ERR_INNER };
    Status::new(code, why.explain("the executor"))
}

/// Checks that `handle` names a tensor whose address may be exchanged.
pub(crate) fn tensor_of(handle: &Handle<*mut aclTensor>) -> Result<Arc<super::tensor::Tensor>> {
    TENSORS.get(handle.0).map_err(|why| match why {
        Dangling::Null => Status::new(ACLNN_ERR_INNER_NULLPTR, "tensor is null"),
        why => dangling("tensor", why),
    })
}

entry_points! {
    SYMBOLS:

    fn aclSetAclOpExecutorRepeatable(executor: Handle<*mut aclOpExecutor>) -> aclnnStatus {
        let executor = EXECUTORS.get(executor.0).map_err(invalid)?;
        executor.repeatable.store(true, Ordering::Release);
        Ok(())
    }

    fn aclDestroyAclOpExecutor(executor: Handle<*mut aclOpExecutor>) -> aclnnStatus {
        EXECUTORS.remove(executor.0).map(drop).map_err(invalid)
    }
}
