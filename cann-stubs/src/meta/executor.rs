//! `aclOpExecutor`: a planned operator, waiting to be launched.
//!
//! A launch consumes the executor, whether it succeeds or not, unless it was made repeatable. The addresses of the
//! tensors are read at each launch.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use aclnn_sys::{
    ACLNN_ERR_INNER, ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR,
    ACLNN_ERR_RUNTIME_ERROR, aclOpExecutor, aclnnStatus, aclrtStream,
};
use smallvec::SmallVec;

use super::plan::{Plan, PlannedTensor, Tasks};
use super::tensor::{TENSORS, Tensor};
use crate::check;
use crate::check::live_objects::Live;
use crate::check::span::Span;
use crate::check::tracker::{self, Access, Purpose};
use crate::entry::{Handle, Place, entry_points};
use crate::handle::{Dangling, Kind, Registry, to_pointer};
use crate::kernels::Kernel;
use crate::misuse::{Check, Level};
use crate::runtime::stream::work::{Places, Planned, Work};
use crate::runtime::{memory, stream};
use crate::status::{Result, Status};
use crate::trace::{Details, Operand};

static EXECUTORS: Registry<Executor> = Registry::new(Kind::Executor);

/// A planned operator and the tensors of one call.
pub(crate) struct Executor {
    /// The C name of the operator, for messages.
    operator: &'static str,
    plan: Arc<Plan>,
    /// The handles of the tensors, in the order of the plan.
    tensors: SmallVec<[usize; 3]>,
    /// Whether the library would have found the plan of an identical call.
    from_cache: bool,
    repeatable: AtomicBool,
    launched: AtomicBool,
    /// Where the tensors of the last launch were found.
    found: Mutex<Found>,
}

/// Addresses that were found in live allocations of a device: they need not be looked up again before one ends.
#[derive(Default)]
struct Found {
    device: i32,
    losses: u64,
    addresses: SmallVec<[usize; 3]>,
}

impl Planned for Executor {
    fn run(&self, places: &Places) -> Result {
        self.plan.kernel.as_ref().map_or(Ok(()), |kernel| kernel.run(places))
    }
}

impl Executor {
    fn details(&self, kernel: &Kernel) -> Details {
        let operand = |(planned, handle): (&PlannedTensor, &usize)| {
            let operand = |tensor: &Tensor| {
                let description = &tensor.description;
                Operand::new(planned.name, description.known_dtype(), &description.dims)
            };
            TENSORS.with(*handle, operand).ok()
        };
        let operands = self.plan.tensors.iter().zip(&self.tensors).filter_map(operand).collect();
        Details { kernels: kernel.steps(), operands, bytes: kernel.bytes() }
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.plan.tensors.iter().map(|tensor| tensor.name)
    }

    /// Returns the current addresses of the tensors, each of which must live.
    fn places(&self) -> Result<Places> {
        let mut places = Places { addresses: SmallVec::new(), losses: memory::losses() };
        let mut tensors = TENSORS.reader();
        for (name, handle) in self.names().zip(&self.tensors) {
            places.addresses.push(tensors.with(*handle, Tensor::address).map_err(|why| {
                let status = why.status(ACLNN_ERR_INNER_NULLPTR, name);
                let message = status.message.clone() + "; tensors must live until the operator is launched";
                status.told_as(message)
            })?);
        }
        Ok(places)
    }

    /// Checks that the tensors lie in memory that `device` reaches. A repeatable executor remembers the addresses that it
    /// found in the device's own allocations, since most launches use them again.
    fn check_places(&self, kernel: &Kernel, device: i32, places: &Places) -> Result {
        let repeats = self.repeatable.load(Ordering::Acquire);
        let found = || self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if repeats {
            let found = found();
            if found.addresses == places.addresses && (found.device, found.losses) == (device, places.losses)
            {
                return Ok(());
            }
        }
        kernel.check(device, &places.addresses, self.names())?;
        if repeats && memory::allocates_all(device, &places.addresses) {
            let addresses = SmallVec::from_slice(&places.addresses);
            *found() = Found { device, losses: places.losses, addresses };
        }
        Ok(())
    }

    /// Why the library does not repeat it.
    fn must_repeat(&self) -> Result {
        let why = if self.from_cache {
            "an identical call was planned and launched before on this thread, and the library's cache answered this \
             one; make the first executor of its kind repeatable and keep it, or turn the cache off"
        } else if self.plan.tasks == Tasks::Copy {
            "its plan is a copy between device memory, which is not repeated; plan it for each launch"
        } else {
            return Ok(());
        };
        let message = format!("the executor of {} cannot be made repeatable: {why}", self.operator);
        Err(Status::new(ACLNN_ERR_INNER, message))
    }

    /// Refuses an output that overlaps an input where a device would write elements that it has still to read. The same
    /// elements at the same addresses are allowed.
    fn check_overlap(&self, accesses: &[Access]) -> Result {
        if check::level() == Level::Off {
            return Ok(());
        }
        let direct = |access: &&Access| {
            self.plan.tensors.iter().any(|tensor| tensor.name == access.name && tensor.direct)
        };
        let is_output = |access: &&Access| matches!(access.purpose, Purpose::Write | Purpose::Receive);
        let Some(output) = accesses.iter().find(is_output).filter(direct) else { return Ok(()) };
        let is_input = |access: &&Access| matches!(access.purpose, Purpose::Read | Purpose::Carry);
        let mut inputs = accesses.iter().filter(is_input).filter(direct);
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

/// Keeps a planned operator and writes its executor and its workspace size for the caller. `tensor` gives the handle that was
/// passed at a position.
pub(crate) fn hand_out(
    operator: &'static str,
    plan: Arc<Plan>,
    tensor: impl Fn(usize) -> usize,
    size: Place<u64>,
    place: Place<*mut aclOpExecutor>,
) {
    size.write(plan.workspace);
    let tensors = plan.tensors.iter().map(|planned| tensor(planned.position)).collect();
    let from_cache = plan.is_complete();
    let (repeatable, launched) = (AtomicBool::new(false), AtomicBool::new(false));
    let found = Mutex::default();
    let executor = Executor { operator, plan, tensors, from_cache, repeatable, launched, found };
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
    let consumed = no_workspace || !planned.repeatable.load(Ordering::Acquire);
    if consumed {
        // When two threads launch the same executor, the second one fails here.
        EXECUTORS
            .remove(executor.0)
            .map_err(|why| why.status(ACLNN_ERR_INNER, "the executor").of(Check::ExecutorReused))?;
    }
    let outcome = queue(&planned, workspace, size, stream);
    if consumed && outcome.is_ok() {
        planned.plan.was_launched();
    }
    outcome
}

fn queue(planned: &Arc<Executor>, workspace: usize, size: u64, stream: &Handle<aclrtStream>) -> Result {
    let plan = &*planned.plan;
    if size > 0 && workspace == 0 {
        let message = format!("workspaceSize is {size} but workspace is null; the executor is gone");
        return Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, message));
    }
    if size < plan.workspace {
        let message = format!("the workspace has {size} bytes, but {} were asked for", plan.workspace);
        return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message).of(Check::SmallWorkspace));
    }
    let of_workspace = |status: Status| {
        let message = format!("the workspace: {}", status.message);
        status.with_code(ACLNN_ERR_PARAM_INVALID).told_as(message)
    };
    if plan.workspace > 0 {
        memory::device_bytes(workspace, plan.workspace as usize).map_err(of_workspace)?;
    }
    let of_runtime = |status: Status| status.with_code(ACLNN_ERR_RUNTIME_ERROR);
    let stream = stream::resolve(stream.0).map_err(of_runtime)?;
    if plan.workspace > 0 {
        memory::must_reach(stream.device, workspace).map_err(of_workspace)?;
    }
    let places = planned.places()?;
    let Some(kernel) = &plan.kernel else { return Ok(()) };
    let wrong = |status: Status| status.with_code(ACLNN_ERR_PARAM_INVALID);
    planned.check_places(kernel, stream.device, &places).map_err(wrong)?;
    let mut accesses = kernel.accesses(&places.addresses, planned.names());
    if plan.workspace > 0 && check::is_tracking() {
        let span = Span::dense(workspace, plan.workspace as usize);
        accesses.push(Access { name: "workspace", span, purpose: Purpose::Workspace });
    }
    planned.check_overlap(&accesses)?;
    let (function, code) = (planned.operator, ACLNN_ERR_RUNTIME_ERROR);
    let carried = kernel.carried(&places.addresses);
    let work = tracker::Work { function, code, accesses: &accesses, carried };
    let judge = || tracker::submit(stream.id(), &work);
    let run = Work::Planned(Arc::clone(planned) as Arc<dyn Planned>, places);
    stream.submit_judged(function, judge, || planned.details(kernel), run).map_err(of_runtime)
}

/// Adds the executors that were neither consumed nor destroyed.
pub(crate) fn live(all: &mut Vec<Live>) {
    all.extend(EXECUTORS.live().into_iter().map(|(handle, executor)| {
        let unused = !executor.launched.load(Ordering::Relaxed);
        Live { detail: unused.then_some(executor.operator), ..Live::new("executor", handle) }
    }));
}

/// Consumes the executor of a launch that fails before its body runs, unless the executor is repeatable.
pub(crate) fn consume(executor: &Handle<*mut aclOpExecutor>) {
    if EXECUTORS.with(executor.0, |planned| !planned.repeatable.load(Ordering::Acquire)) == Ok(true) {
        // Gone already where another thread launches it now.
        let _ = EXECUTORS.remove(executor.0);
    }
}

/// The executor of a call that exchanges addresses.
pub(crate) fn check(executor: &Handle<*mut aclOpExecutor>) -> Result {
    EXECUTORS.with(executor.0, |_| ()).map_err(invalid)
}

fn invalid(why: Dangling) -> Status {
    let code = if why == Dangling::Null { ACLNN_ERR_INNER_NULLPTR } else { ACLNN_ERR_INNER };
    why.status(code, "the executor")
}

entry_points! {
    SYMBOLS:

    fn aclSetAclOpExecutorRepeatable(executor: Handle<*mut aclOpExecutor>) -> aclnnStatus {
        let executor = EXECUTORS.get(executor.0).map_err(invalid)?;
        executor.must_repeat()?;
        executor.repeatable.store(true, Ordering::Release);
        Ok(())
    }

    fn aclDestroyAclOpExecutor(executor: Handle<*mut aclOpExecutor>) -> aclnnStatus {
        EXECUTORS.remove(executor.0).map(drop).map_err(invalid)
    }
}
