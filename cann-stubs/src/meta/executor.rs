//! `aclOpExecutor`: a planned operator, waiting to be launched.
//!
//! A launch consumes the executor, whether it succeeds or not, unless it was made repeatable. The addresses of the
//! tensors are read at each launch.

mod captured;
mod operands;
mod parts;
mod touched;

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use aclnn_sys::{
    ACLNN_ERR_INNER, ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR,
    ACLNN_ERR_RUNTIME_ERROR, aclOpExecutor, aclnnStatus, aclrtStream,
};
use smallvec::SmallVec;

use super::address_cache::Addresses;
use super::plan::{PlannedTensor, SharedPlan, Slot, Tasks};
use super::tensor::{TENSORS, Tensor};
use crate::check;
use crate::check::live_objects::Live;
use crate::check::tracker::{self, Access};
use crate::entry::{Handle, entry_points};
use crate::handle::{Dangling, Kind, Known, Registry};
use crate::mapped::mapped;
use crate::misuse::{Check, Level};
use crate::runtime::memory::Lookup;
use crate::runtime::stream::work::{Launch, Places, Planned};
use crate::runtime::stream::{Stream, Submission, Task};
use crate::runtime::{memory, stream};
use crate::status::{Result, Status};
use crate::sync::{BiasedLock, BiasedMutex};
use crate::trace::{self, Details, Operand};

static EXECUTORS: Registry<Executor> = Registry::new(Kind::Executor);

/// How many consumed executors a thread keeps.
const MOST_SPARES: usize = 512;

thread_local! {
    /// Repeatable executors whose launches have run on this thread.
    static LAUNCHED: Known<Executor> = const { Known::new() };

    /// Consumed executors whose launches have run on this thread. The next ones use their allocations again.
    static SPARES: RefCell<Vec<Arc<Executor>>> = const { RefCell::new(Vec::new()) };

    /// The executor that this thread has planned last.
    static NEWEST: Cell<usize> = const { Cell::new(0) };
}

/// A planned operator and the tensors of one call.
pub(crate) struct Executor {
    /// The C name of the operator, for messages.
    operator: &'static str,
    plan: Arc<SharedPlan>,
    /// The handles of the tensors, in the order of the plan.
    tensors: SmallVec<[usize; 8]>,
    /// Whether the library would have found the plan of an identical call.
    from_cache: bool,
    /// The answer of `tensor::raw_sets` when it was planned.
    raw_sets: u64,
    repeatable: AtomicBool,
    has_handle: AtomicBool,
    /// The handle, once it was launched.
    handle: AtomicUsize,
    /// The tensors that the last launch of a repeatable executor found.
    known: BiasedLock<SmallVec<[Arc<Tensor>; 3]>>,
}

/// Where a launch finds its memory.
#[inline]
fn lookup(places: &Places) -> Lookup {
    Lookup::again(places.losses, places.distance)
}

impl Planned for Executor {
    fn run_brief(&self, places: &Places) -> Option<Result> {
        let kernel = self.plan.kernel.as_ref()?;
        // SAFETY: the addresses were checked when the launch was queued, and the lookup finds them again or fails; the program
        // orders this work with all other work on the memory, as the interface of CANN asks.
        unsafe { kernel.run_brief(&places.addresses, || lookup(places)) }
    }

    fn run(&self, places: &Places) -> Result {
        let Some(kernel) = &self.plan.kernel else { return Ok(()) };
        // SAFETY: as for `run_brief`.
        if let Some(done) = unsafe { kernel.run_one_piece(&places.addresses, || lookup(places)) } {
            return done;
        }
        // SAFETY: as for `run_brief`.
        let known = unsafe { kernel.run(&places.addresses, lookup(places)) }?;
        for (number, sizes) in known {
            if let Some(handle) = self.tensors.get(number) {
                super::tensor::resize(*handle, sizes);
            }
        }
        Ok(())
    }

    fn recycle(self: Arc<Self>) {
        // A graph launches it again.
        if Arc::strong_count(&self) > 1 && !self.repeatable.load(Ordering::Relaxed) {
            return;
        }
        // Nothing is kept while the thread ends.
        if self.repeatable.load(Ordering::Relaxed) {
            let handle = self.handle.load(Ordering::Relaxed);
            let _ = LAUNCHED.try_with(|known| known.keep(handle, self));
        } else {
            let _ = SPARES.try_with(|spares| {
                let mut spares = spares.borrow_mut();
                if spares.len() < MOST_SPARES {
                    spares.push(self);
                }
            });
        }
    }
}

impl Executor {
    /// An executor without tensors.
    fn blank(operator: &'static str, plan: &Arc<SharedPlan>) -> Self {
        Executor {
            operator,
            plan: Arc::clone(plan),
            tensors: SmallVec::new(),
            from_cache: false,
            raw_sets: 0,
            repeatable: AtomicBool::new(false),
            has_handle: AtomicBool::new(true),
            handle: AtomicUsize::new(0),
            known: BiasedLock::default(),
        }
    }

    /// Tells the tracker of a launch, which it may refuse. `memo` is that of a launch before, if there was one.
    #[inline]
    fn judge(
        &self,
        stream: &Stream,
        addresses: &[usize],
        accesses: &[Access],
        memo: Option<&mut tracker::Memo>,
    ) -> Result {
        let (function, code) = (self.operator, ACLNN_ERR_RUNTIME_ERROR);
        if let Some(memo) = &memo
            && tracker::repeat(stream.id(), stream.tally(), function, accesses, memo)
        {
            return Ok(());
        }
        let carried =
            self.plan.kernel.as_ref().map(|kernel| touched::carried(kernel, addresses)).unwrap_or_default();
        let work = tracker::Work { function, code, accesses, carried: &carried };
        match memo {
            Some(memo) => tracker::submit_again(stream.id(), stream.tally(), &work, memo),
            None => tracker::submit(stream.id(), stream.tally(), &work),
        }
    }

    fn details(&self) -> Details {
        let Some(kernel) = &self.plan.kernel else { return Details::default() };
        let operand = |(planned, handle): (&PlannedTensor, &usize)| {
            let operand = |tensor: &Tensor| {
                let description = &tensor.description;
                Operand::new(planned.name, description.known_dtype(), description.dims())
            };
            TENSORS.with(*handle, operand).ok()
        };
        // A tensor is told once, however many of its parts are read or written.
        let tensors = self.plan.tensors.iter().zip(&self.tensors).enumerate();
        let is_first =
            |number: &usize, slot| self.plan.tensors[..*number].iter().all(|other| other.slot != slot);
        let operands = tensors
            .filter(|(number, (planned, _))| is_first(number, planned.slot))
            .filter_map(|(_, tensor)| operand(tensor))
            .collect();
        Details { kernels: kernel.steps(), operands, bytes: kernel.bytes(), rank: None }
    }

    /// Notes that the handle is gone.
    fn lose_handle(&self) {
        self.has_handle.store(false, Ordering::Release);
        // The places of its tensors may be used again.
        if let Some(mut known) = self.known.try_lock() {
            known.clear();
        }
    }

    /// Reports a launch by phase two of another operator. The library runs what was planned, and so does this.
    #[inline]
    fn must_be_of(&self, function: &'static str) {
        // Nearly always it is the same string, not only an equal one.
        if !std::ptr::eq(self.operator, function) && self.operator != function {
            self.tell_operator(function);
        }
    }

    #[cold]
    fn tell_operator(&self, function: &'static str) {
        static TOLD: BiasedMutex<Vec<[&str; 2]>> = BiasedMutex::new(Vec::new());
        let pair = [function, self.operator];
        let mut told = TOLD.lock();
        if !told.contains(&pair) {
            told.push(pair);
            drop(told);
            let message = format!(
                "the executor is that of {own}, which runs: the library does not look whose it is; call {own} with it",
                own = self.operator
            );
            check::notice(Check::ForeignExecutor, function, &message);
        }
    }

    /// Refuses tensors that `aclSetRawTensorAddr` has changed since they were planned.
    #[cold]
    fn must_be_unchanged(&self) -> Result {
        if check::level() == Level::Off {
            return Ok(());
        }
        let (mut number, mut changed) = (0, None);
        self.each_tensor(|tensor| {
            if tensor.was_set_raw_since(self.raw_sets) {
                changed = changed.or(self.names().nth(number));
            }
            number += 1;
        })?;
        let Some(name) = changed else { return Ok(()) };
        let message = format!(
            "aclSetRawTensorAddr has changed {name} since phase one, which may have no effect on a device; call it before phase \
             one, or aclSetTensorAddr with a repeatable executor"
        );
        Err(Status::new(ACLNN_ERR_RUNTIME_ERROR, message).of(Check::ChangedTensor))
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.plan.tensors.iter().map(|tensor| tensor.name)
    }

    /// Calls `visit` with each tensor, which must live.
    #[inline]
    fn each_tensor(&self, visit: impl FnMut(&Arc<Tensor>)) -> Result {
        TENSORS.each(&self.tensors, visit).map_err(|why| self.lacks(why))
    }

    /// The failure of a launch without a tensor.
    #[cold]
    fn lacks(&self, (number, why): (usize, Dangling)) -> Status {
        let status = why.status(ACLNN_ERR_INNER_NULLPTR, self.names().nth(number).unwrap_or("a tensor"));
        status.with_hint("tensors must live until the operator is launched")
    }

    /// Adds the current addresses of the tensors; a repeatable executor `stays`, and remembers the tensors.
    #[inline]
    fn find_addresses(&self, stays: bool, addresses: &mut Addresses) -> Result {
        if let Some(mut known) = if stays { self.known.try_lock() } else { None } {
            self.find_tensors(&mut known)?;
            known.iter().for_each(|tensor| addresses.push(tensor.address()));
            return Ok(());
        }
        self.each_tensor(|tensor| addresses.push(tensor.address()))
    }

    /// Looks the tensors up, unless their handles still name those that were found before.
    #[inline]
    fn find_tensors(&self, known: &mut SmallVec<[Arc<Tensor>; 3]>) -> Result {
        if known.len() == self.tensors.len() && known.iter().all(|tensor| tensor.has_handle()) {
            return Ok(());
        }
        known.clear();
        self.each_tensor(|tensor| known.push(Arc::clone(tensor)))
    }

    /// Checks that a launch may be queued as the next task of a stream. Tells what [`Executor::distance`] gives.
    #[inline]
    fn admit(
        &self,
        stream: &Stream,
        submission: &Submission<'_>,
        addresses: &[usize],
        distance: &mut Option<isize>,
    ) -> Result {
        // Another thread may launch an executor of the plan.
        let (mut shared, mut own) = (self.plan.found.try_lock(), None);
        let found = match &mut shared {
            Some(shared) => &mut **shared,
            None => own.get_or_insert_default(),
        };
        let check = || self.check_memory(addresses, stream.device);
        let (found, is_same) = found.find(stream.device, addresses, check)?;
        submission.must_accept().map_err(of_runtime)?;
        *distance = found.distance;
        let memo = is_same.then_some(&mut found.memo);
        self.judge(stream, addresses, &found.accesses, memo).map_err(of_runtime)
    }

    /// Why the library does not repeat it.
    fn must_repeat(&self) -> Result {
        let why = if self.from_cache {
            "an identical call was planned and launched before on this thread, and the library's cache answered this \
             one; make the first executor of its kind repeatable and keep it, or turn the cache off"
        } else if self.plan.tasks == Tasks::Copy {
            "its plan is a copy between device memory, which is not repeated; plan it for each launch"
        } else if self.plan.tasks == Tasks::Sizes {
            "the sizes of its results are known only when they are computed; plan it for each launch"
        } else {
            return Ok(());
        };
        let message = format!("the executor of {} cannot be made repeatable: {why}", self.operator);
        Err(Status::new(ACLNN_ERR_INNER, message))
    }
}

/// Makes the executor of a planned operator, and returns its handle. `tensor` gives the handle that was passed in a slot.
pub(crate) fn make(operator: &'static str, plan: &Arc<SharedPlan>, tensor: impl Fn(Slot) -> usize) -> usize {
    let blank = || Arc::new(Executor::blank(operator, plan));
    let prepare = |executor: &mut Executor| {
        executor.operator = operator;
        // A spare one mostly had the same plan.
        if !Arc::ptr_eq(&executor.plan, plan) {
            executor.plan = Arc::clone(plan);
        }
        if executor.tensors.len() != plan.tensors.len() {
            executor.tensors.resize(plan.tensors.len(), 0);
        }
        for (handle, planned) in executor.tensors.iter_mut().zip(&plan.tensors) {
            *handle = tensor(planned.slot);
        }
        executor.from_cache = plan.is_complete();
        *executor.handle.get_mut() = 0;
        executor.raw_sets = super::tensor::raw_sets();
        *executor.has_handle.get_mut() = true;
    };
    let spare = SPARES.try_with(|spares| spares.borrow_mut().pop()).ok().flatten();
    let mut shared = spare.unwrap_or_else(blank);
    match Arc::get_mut(&mut shared) {
        Some(executor) => prepare(executor),
        // Somebody still looks at the spare one.
        None => {
            shared = blank();
            Arc::get_mut(&mut shared).into_iter().for_each(prepare);
        }
    }
    let handle = EXECUTORS.insert_shared(shared);
    // Refused only while the thread ends.
    let _ = NEWEST.try_with(|newest| newest.set(handle));
    handle
}

/// Runs a planned operator now, as a copy at once does: what streams have still to do counts for nothing. `tensor` gives the
/// handle that was passed in a slot. The plan has one kernel and no workspace, as phase one is given none.
pub(crate) fn run_at_once(
    operator: &'static str,
    plan: &Arc<SharedPlan>,
    tensor: impl Fn(Slot) -> usize,
) -> Result {
    debug_assert!(plan.workspace == 0 && plan.parts.is_empty(), "{operator} has no workspace");
    let tensors = mapped(&plan.tensors, |planned| tensor(planned.slot));
    let executor = Executor { tensors, ..Executor::blank(operator, plan) };
    stream::capture::must_allow_at_once().map_err(of_runtime)?;
    let device = stream::context::current().map_err(of_runtime)?.device_id();
    let losses = memory::losses();
    let mut addresses = Addresses::new();
    executor.find_addresses(false, &mut addresses)?;
    let (accesses, distance) = executor.check_memory(&addresses, device)?;
    let work = tracker::Work {
        function: operator,
        code: ACLNN_ERR_RUNTIME_ERROR,
        accesses: &accesses,
        carried: &[],
    };
    tracker::at_once(&work)?;
    let places = Places { addresses, losses, distance };
    let done = trace::at_once(operator, || executor.details(), || executor.run(&places));
    done.map_err(of_runtime)
}

/// Phase two, of the operator `function`: queues the planned operator on a stream.
pub(crate) fn launch(
    function: &'static str,
    workspace: usize,
    size: u64,
    executor: &Handle<*mut aclOpExecutor>,
    stream: &Handle<aclrtStream>,
) -> Result {
    let no_workspace = size > 0 && workspace == 0;
    if let Some(planned) = launched(executor.0).filter(|_| !no_workspace) {
        planned.must_be_of(function);
        return queue((planned, true), workspace, size, stream);
    }
    let stays = |planned: &Executor| !no_workspace && planned.repeatable.load(Ordering::Acquire);
    // When two threads launch an executor that is consumed, the second one fails here.
    let (planned, stays) = EXECUTORS.remove_unless(executor.0, stays).map_err(|why| {
        let code = if why == Dangling::Null { ACLNN_ERR_PARAM_NULLPTR } else { ACLNN_ERR_INNER };
        let status = why.status(code, "the executor");
        if why == Dangling::Destroyed {
            let status = status.with_hint("a launch consumes it, so plan the operator again");
            return status.of(Check::ExecutorReused);
        }
        status
    })?;
    planned.handle.store(executor.0, Ordering::Relaxed);
    planned.must_be_of(function);
    queue((planned, stays), workspace, size, stream)
}

/// The repeatable executor behind a handle, if its last launch has run on this thread.
#[inline]
fn launched(handle: usize) -> Option<Arc<Executor>> {
    // Refused only while the thread ends.
    let known = LAUNCHED.try_with(|known| known.take(handle)).ok().flatten();
    known.filter(|executor| executor.has_handle.load(Ordering::Acquire))
}

/// `stays` says whether the executor is not consumed.
fn queue(
    (planned, stays): (Arc<Executor>, bool),
    workspace: usize,
    size: u64,
    stream: &Handle<aclrtStream>,
) -> Result {
    let needed = planned.plan.workspace;
    if size > 0 && workspace == 0 {
        let message = format!("workspaceSize is {size} but workspace is null; the executor is gone");
        return Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, message));
    }
    if size < needed {
        let message = format!("the workspace has {size} bytes, but {needed} were asked for");
        return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message).of(Check::SmallWorkspace));
    }
    let stream = stream::lend(stream.0).map_err(of_runtime)?;
    if !planned.plan.parts.is_empty() {
        return planned.queue_parts(workspace, &stream);
    }
    if planned.raw_sets != super::tensor::raw_sets() {
        planned.must_be_unchanged()?;
    }
    if planned.plan.kernel.is_none() {
        if needed > 0 {
            planned.check_workspace(workspace, stream.device)?;
        }
        planned.find_addresses(stays, &mut Addresses::new())?;
        if !stays {
            planned.plan.was_launched();
        }
        return Ok(());
    }
    if stream.is_used_by_graph() {
        return planned.capture((workspace, needed), stays, &stream);
    }
    let find = |planned: &Executor, addresses: &mut Addresses| {
        planned.find_addresses(stays, addresses)?;
        if needed > 0 {
            addresses.push(workspace);
        }
        Ok(())
    };
    submit(planned, stays, &stream, find, |planned| planned)
}

/// Adds a launch to a stream; `find` adds the addresses of its tensors, and `work` gives what runs.
#[inline]
fn submit(
    planned: Arc<Executor>,
    stays: bool,
    stream: &Stream,
    find: impl FnOnce(&Executor, &mut Addresses) -> Result,
    work: impl FnOnce(Arc<Executor>) -> Arc<dyn Planned>,
) -> Result {
    let mut launch = Launch::blank();
    let Places { addresses, losses, distance } = &mut launch.places;
    let submission = stream.submission();
    // Before the addresses are looked up.
    *losses = memory::losses();
    find(&planned, addresses)?;
    planned.admit(stream, &submission, addresses, distance)?;
    if !stays {
        planned.plan.was_launched();
    }
    let task = if stream::is_observed() {
        stream.observed(planned.operator, || planned.details()).launch(launch, work(planned))
    } else {
        Task::Launch(launch.of(planned.operator, work(planned)))
    };
    stream.finish(submission, task);
    Ok(())
}

fn of_runtime(status: Status) -> Status {
    status.with_code(ACLNN_ERR_RUNTIME_ERROR)
}

/// Adds the executors that were neither consumed nor destroyed.
pub(crate) fn live(all: &mut Vec<Live>) {
    all.extend(EXECUTORS.live().into_iter().map(|(handle, executor)| {
        let unused = executor.handle.load(Ordering::Relaxed) == 0;
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
        let handle = executor.0;
        let executor = EXECUTORS.get(handle).map_err(|why| {
            let hint = "it is made repeatable between phase one and the launch, which consumes it otherwise";
            if why == Dangling::Destroyed { invalid(why).with_hint(hint) } else { invalid(why) }
        })?;
        executor.must_repeat()?;
        if NEWEST.try_with(|newest| newest.get() != handle).unwrap_or_default() {
            let message = format!(
                "the executor of {} is not the one that this thread has planned last: make it repeatable right after phase one, \
                 on the same thread and before any other phase one",
                executor.operator
            );
            return Err(Status::new(ACLNN_ERR_INNER, message));
        }
        executor.repeatable.store(true, Ordering::Release);
        Ok(())
    }

    fn aclDestroyAclOpExecutor(executor: Handle<*mut aclOpExecutor>) -> aclnnStatus {
        EXECUTORS.end(executor.0, Executor::lose_handle).map_err(|why| {
            let hint = "a launch ends an executor that is not repeatable";
            if why == Dangling::Destroyed { invalid(why).with_hint(hint) } else { invalid(why) }
        })
    }
}
