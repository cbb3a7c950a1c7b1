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
use super::tensor::{TENSORS, Tensor};
use crate::check::objects::Live;
use crate::check::span::Span;
use crate::check::tracker::{self, Access, Purpose};
use crate::check::{self, Check, Level};
use crate::entry::{Handle, Place, entry_points};
use crate::handle::{Dangling, Kind, Registry, to_pointer};
use crate::kernels::Kernel;
use crate::runtime::{memory, stream};
use crate::status::{Result, Status};
use crate::trace::{Details, Operand};

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
    launched: AtomicBool,
}

/// A tensor that the kernel reads or writes.
pub(crate) struct TensorArgument {
    pub(crate) name: &'static str,
    pub(crate) handle: usize,
    /// Whether a device reads or writes the tensor itself while it computes, and not a temporary copy.
    pub(crate) direct: bool,
}

impl Executor {
    fn details(&self, kernel: &Kernel, tensors: &[Arc<Tensor>]) -> Details {
        let operand = |(argument, tensor): (&TensorArgument, &Arc<Tensor>)| {
            let description = tensor.describe();
            Operand::new(argument.name, description.known_dtype(), &description.dims)
        };
        let operands = self.tensors.iter().zip(tensors).map(operand).collect();
        Details { kernels: kernel.steps(), operands, bytes: kernel.bytes() }
    }

    /// Refuses an output that overlaps an input where a device would write what it has still to read. The same elements at
    /// the same place are fine.
    fn check_overlap(&self, accesses: &[Access]) -> Result {
        if check::level() == Level::Off {
            return Ok(());
        }
        let direct = |access: &&Access| {
            self.tensors.iter().any(|argument| argument.name == access.name && argument.direct)
        };
        let Some(output) = accesses.iter().find(|access| access.purpose == Purpose::Write).filter(direct)
        else {
            return Ok(());
        };
        let mut inputs = accesses.iter().filter(|access| access.purpose == Purpose::Read).filter(direct);
        let hit = inputs.find(|input| input.span != output.span && input.span.overlaps(&output.span));
        if let Some(input) = hit {
            let message = format!(
                "{} overlaps {} in part, and a device writes it while it reads; make them the same, or apart",
                output.name, input.name
            );
            return Err(Status::new(ACLNN_ERR_RUNTIME_ERROR, message).of(Check::Overlap));
        }
        Ok(())
    }
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
    let (repeatable, launched) = (AtomicBool::new(false), AtomicBool::new(false));
    let executor = Executor { operator, workspace, kernel, tensors, repeatable, launched };
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
        let status = why.status(code, "the executor");
        if why == Dangling::Destroyed {
            let message = status.message.clone() + "; a launch consumes it, so plan the operator again";
            return status.told_as(message).of(Check::ExecutorReused);
        }
        status
    })?;
    planned.launched.store(true, Ordering::Relaxed);
    let no_workspace = size > 0 && workspace == 0;
    if no_workspace || !planned.repeatable.load(Ordering::Acquire) {
        // Another thread that launches the same executor loses here.
        EXECUTORS
            .remove(executor.0)
            .map_err(|why| why.status(ACLNN_ERR_INNER, "the executor").of(Check::ExecutorReused))?;
    }
    let refuse = |status: Status| {
        let message = format!("{}: {}", planned.operator, status.message);
        Err(status.told_as(message))
    };
    if no_workspace {
        let message = format!("workspaceSize is {size} but workspace is null; the executor is gone");
        return refuse(Status::new(ACLNN_ERR_PARAM_NULLPTR, message));
    }
    if size < planned.workspace {
        let message = format!("the workspace has {size} bytes, but {} were asked for", planned.workspace);
        return refuse(Status::new(ACLNN_ERR_PARAM_INVALID, message).of(Check::SmallWorkspace));
    }
    if planned.workspace > 0
        && let Err(status) = memory::device_bytes(workspace, planned.workspace as usize)
    {
        let message = format!("the workspace is not device memory: {}", status.message);
        return refuse(status.with_code(ACLNN_ERR_PARAM_INVALID).told_as(message));
    }
    let stream = stream::resolve(stream.0).map_err(|status| {
        let message = format!("{}: {}", planned.operator, status.message);
        status.with_code(ACLNN_ERR_RUNTIME_ERROR).told_as(message)
    })?;
    let mut addresses: SmallVec<[usize; 4]> = SmallVec::new();
    let mut tensors: SmallVec<[Arc<Tensor>; 4]> = SmallVec::new();
    for argument in &planned.tensors {
        match TENSORS.get(argument.handle) {
            Ok(tensor) => {
                addresses.push(tensor.address());
                tensors.push(tensor);
            }
            Err(why) => {
                let status = why.status(ACLNN_ERR_INNER_NULLPTR, argument.name);
                let message = status.message.clone() + "; tensors must live until the operator is launched";
                return refuse(status.told_as(message));
            }
        }
    }
    let Some(kernel) = planned.kernel.clone() else { return Ok(()) };
    let names = planned.tensors.iter().map(|argument| argument.name);
    if let Err(status) = kernel.check(&addresses, names) {
        return refuse(status.with_code(ACLNN_ERR_PARAM_INVALID));
    }
    let mut accesses = kernel.accesses(&addresses, planned.tensors.iter().map(|argument| argument.name));
    if planned.workspace > 0 {
        let span = Span::dense(workspace, planned.workspace as usize);
        accesses.push(Access { name: "workspace", span, purpose: Purpose::Workspace });
    }
    if let Err(status) = planned.check_overlap(&accesses) {
        return refuse(status);
    }
    let work = tracker::Work {
        function: planned.operator,
        code: ACLNN_ERR_RUNTIME_ERROR,
        accesses: &accesses,
        carried: None,
    };
    if let Err(status) = stream.must_accept().and_then(|()| tracker::submit(stream.id(), &work)) {
        return refuse(status);
    }
    let details = || planned.details(&kernel, &tensors);
    let run = Arc::clone(&kernel);
    let work = Box::new(move || run.run(&addresses));
    stream.submit(planned.operator, details, work).map_err(|status| status.with_code(ACLNN_ERR_RUNTIME_ERROR))
}

/// Adds the executors that were neither consumed nor destroyed.
pub(crate) fn live(all: &mut Vec<Live>) {
    all.extend(EXECUTORS.live().into_iter().map(|(handle, executor)| {
        let unused = !executor.launched.load(Ordering::Relaxed);
        Live { detail: unused.then_some(executor.operator), ..Live::new("executor", handle) }
    }));
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
    why.status(code, "the executor")
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
