//! The two-phase call of an operator: arguments, phase one, order between streams, workspace, phase two.
//!
//! `launch` holds one function per declared operator, expanded from the lists of `aclnn_sys`; `custom` makes such
//! functions for operators of other libraries. This module keeps the rules that C states only in its manual:
//! descriptors live until phase two has returned; an executor is consumed by its launch, or destroyed if it is never
//! launched; workspace returns to the pool in the order of the stream.
//!
//! `parameter` takes the arguments of a call, `argument` records them and describes them to the library, `order` orders
//! streams and threads. [`executor`](crate::executor) owns the results of phase one.

mod argument;
pub(crate) mod captured;
mod custom;
pub(crate) mod launch;
mod order;
mod parameter;

use std::cell::RefCell;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use aclnn_numerics::{DType, Shape};
use aclnn_sys::operators::{Caller, Pair};
use aclnn_sys::{ACLNN_SUCCESS, Launch, aclDataType, aclOpExecutor};
use smallvec::SmallVec;

use crate::acl::Bound;
use crate::argument_checks::Operation;
use crate::backend::Backend;
use crate::error::{Error, Failure, Result};
use crate::executor::{Descriptors, Executor, Kind, Known, Lent, Planned, Repeatable};
use crate::fork;
use crate::memory::Buffer;
use crate::scalar::Scalar;
use crate::stream::Stream;
use crate::tensor::{Overlap, Tensor};
use crate::trace;
use argument::{Argument, Arguments};

pub(crate) use captured::Kept;
#[cfg(feature = "collectives")]
pub(crate) use captured::Needed;
pub use custom::{Loaded, load};
pub(crate) use order::Gates;
pub use parameter::Given;

/// Held while an operator is launched and waited for, if `ACLNN_SYNC` asks for it: only then a failure surely belongs
/// to it.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// One call of an operator. Its arguments are added in the order of the declaration.
pub struct Call<'a> {
    /// The C functions of phase two and of phase one.
    names: [&'static str; 2],
    stream: &'a Stream,
    backend: &'static Backend,
    /// The kind of the call, if the operator and the arguments alone do not tell it.
    kind: Option<Kind>,
    sizes: Option<&'a Sizes>,
    arguments: Arguments<'a>,
}

/// The sizes that the outputs of a call have after it, in their order.
pub(crate) type Sizes = RefCell<Vec<Shape>>;

/// The stream of a call, and its kind if it is not that of its operator.
#[derive(Clone, Copy)]
pub(crate) struct On<'a> {
    pub(crate) stream: &'a Stream,
    kind: Option<Kind>,
    sizes: Option<&'a Sizes>,
}

impl<'a> On<'a> {
    /// A call whose results decide the sizes of its outputs. It is waited for, and `sizes` receives them.
    pub(crate) fn sized(stream: &'a Stream, sizes: &'a Sizes) -> Self {
        Self { stream, kind: None, sizes: Some(sizes) }
    }

    /// Calls that [`Call::run_again`] may repeat by the kind.
    pub(crate) fn of_kind(stream: &'a Stream, kind: Option<Kind>) -> Self {
        Self { stream, kind, sizes: None }
    }
}

impl<'a> From<&'a Stream> for On<'a> {
    fn from(stream: &'a Stream) -> Self {
        Self { stream, kind: None, sizes: None }
    }
}

impl<'a> Call<'a> {
    /// Starts a call on a stream, of the operator with these names of phase two and phase one.
    pub fn new(names: [&'static str; 2], stream: &'a Stream) -> Self {
        Self::on(names, stream.into())
    }

    /// Starts a call as [`Call::new`] does. One that is run again gets its names from the earlier one.
    #[inline]
    pub(crate) fn on(names: [&'static str; 2], on: On<'a>) -> Self {
        let On { stream, kind, sizes } = on;
        let backend = stream.device().backend();
        Self { names, stream, backend, kind, sizes, arguments: Arguments::default() }
    }

    fn acl_dtype(&self, name: &'static str, dtype: DType) -> Result<aclDataType> {
        let reason = || format!("{name} is {dtype}, of which CANN has no elements; choose another type");
        dtype.acl_code().map(aclDataType).ok_or_else(|| Error::Scalar {
            operator: self.names[0],
            operands: self.arguments.info(),
            reason: reason(),
        })
    }

    /// Adds the argument for the next parameter, which has this name.
    pub fn add(&mut self, name: &'static str, given: Given<'_, 'a>) -> Result<()> {
        let argument = match given {
            Given::Read(tensor) => Argument::Tensor { tensor, writes: false },
            Given::Written(tensor) => Argument::Tensor { tensor, writes: true },
            Given::ReadList(tensors) => Argument::Tensors { tensors: tensors.to_vec(), writes: false },
            Given::WrittenList(tensors) => {
                Argument::Tensors { tensors: tensors.iter().map(|tensor| &**tensor).collect(), writes: true }
            }
            Given::Scalar(scalar) => Argument::Scalar(scalar, self.acl_dtype(name, scalar.dtype())?),
            Given::Scalars(scalars) => {
                let with_dtype = |scalar: &Scalar| Ok((*scalar, self.acl_dtype(name, scalar.dtype())?));
                Argument::Scalars(scalars.iter().map(with_dtype).collect::<Result<_>>()?)
            }
            Given::Ints(values) => Argument::Ints(values),
            Given::Floats(values) => Argument::Floats(values),
            Given::Bools(values) => Argument::Bools(values),
            Given::Text(text) => Argument::Text(text),
            Given::TextMut(text) => Argument::TextMut(text),
            Given::DType(dtype) => Argument::DType(self.acl_dtype(name, dtype)?),
            Given::Plain(plain) => Argument::Plain(plain),
            Given::Null => Argument::Null,
        };
        self.arguments.note(name, || argument);
        Ok(())
    }

    /// Notes a tensor by its name, for a call that is run again.
    #[inline]
    pub(crate) fn note_tensor(&mut self, (name, tensor): (&'static str, &'a Tensor), writes: bool) {
        self.arguments.note(name, || Argument::Tensor { tensor, writes });
    }

    /// Notes a scalar for a call that is run again. Returns `None` if CANN has no such scalars.
    #[inline]
    pub(crate) fn note_scalar(&mut self, name: &'static str, scalar: Scalar) -> Option<()> {
        let dtype = scalar.dtype().acl_code().map(aclDataType)?;
        self.arguments.note(name, || Argument::Scalar(scalar, dtype));
        Some(())
    }

    /// Runs both phases. Nothing is queued if phase one refuses. With `reuse`, phase one is skipped if the executor of
    /// an earlier call of the same kind was kept.
    ///
    /// # Safety
    /// `pair` has the two functions of an operator, phase one is of the type that `caller` calls, and its parameters have
    /// the kinds of the arguments. With `reuse`, the operator is composed of other operators, so that its executors are its
    /// own until they are destroyed.
    pub unsafe fn run(&self, reuse: bool, pair: Pair, caller: Caller) -> Result<()> {
        // SAFETY: the caller vouches for both phases.
        let queue = || unsafe { self.queue(reuse, pair, caller) };
        trace::operator(self.names[0], || self.arguments.info(), queue)
    }

    /// # Safety
    /// As for [`Call::run`].
    unsafe fn queue(&self, reuse: bool, pair: Pair, caller: Caller) -> Result<()> {
        let launch = pair.launch;
        let bound = self.bind()?;
        let executors = &self.stream.core().executors;
        let reuse = reuse && self.sizes.is_none() && self.reuses_executors();
        let kind = self.kind.unwrap_or(Kind::of(self.names[0], self.names[0].len() as u64));
        let key = reuse.then(|| self.arguments.key(kind)).flatten();
        let known = key.as_ref().map_or(Known::Once, |key| executors.take(key));
        if let Known::Repeatable(repeatable, lent) = known {
            // SAFETY: calls of the same kind have the same operator.
            return unsafe { self.repeat(&bound, repeatable, lent) };
        }
        // SAFETY: the caller vouches for phase one.
        let mut planned = unsafe { self.plan(&bound, pair, caller)? };
        if let (Known::Nothing, Some(key)) = (known, key) {
            let addresses = self.arguments.addresses().map(|(address, _)| address);
            match planned.repeatable(addresses, self.names, launch) {
                Ok(repeatable) => {
                    let (size, raw) = (repeatable.workspace(), repeatable.as_raw());
                    // SAFETY: the caller vouches for both phases.
                    unsafe { self.launch(&bound, launch, size, || raw)? };
                    executors.keep(&key, repeatable);
                    return Ok(());
                }
                Err(refused) => planned = *refused,
            }
            executors.refused(&key);
        }
        let Planned { executor, descriptors, workspace } = planned;
        // SAFETY: as above.
        unsafe { self.launch(&bound, launch, workspace, || executor.into_raw())? };
        self.sizes.map_or(Ok(()), |sizes| self.read_sizes(&bound, &descriptors, sizes))
    }

    /// Waits for the call, and reads the sizes that it gave to its outputs. A failure may be that of earlier work.
    fn read_sizes(&self, bound: &Bound<'_>, descriptors: &Descriptors, sizes: &Sizes) -> Result<()> {
        self.stream.core().synchronize(bound)?;
        for output in self.arguments.outputs() {
            let descriptor = descriptors.object(output);
            let descriptor = descriptor.ok_or(Error::Internal { what: "an output that is not described" })?;
            sizes.borrow_mut().push(descriptor.sizes()?);
        }
        Ok(())
    }

    /// Waits for the stream of the call, to which a failure belongs.
    fn synchronize(&self, bound: &Bound<'_>) -> Result<()> {
        self.stream.core().synchronize(bound).map_err(|error| match error {
            Error::Library(cause) | Error::StreamFailed(cause) => self.explain(cause),
            error => error,
        })
    }

    /// Returns whether an executor of an earlier call may be launched again. A graph takes new ones, which are its own.
    #[inline]
    fn reuses_executors(&self) -> bool {
        self.backend.reuses_executors() && !self.stream.core().is_captured()
    }

    fn bind(&self) -> Result<Bound<'a>> {
        let bound = self.stream.device().bind()?;
        self.stream.core().check()?;
        self.stream.core().must_be_captured_here()?;
        Ok(bound)
    }

    /// Runs phase two of an operation whose arguments are noted, if the executor of an earlier one of the same kind was
    /// kept: what was checked and planned for that one holds for this one too. Returns `None` if there is none.
    pub(crate) fn run_again(&mut self) -> Option<Result<()>> {
        // A forked process must not lock the executors: it is refused where every call is.
        let kind = self.kind.filter(|_| self.reuses_executors() && !fork::is_forked())?;
        if let Some(done) = self.run_entrusted(kind) {
            return Some(done);
        }
        // Other devices have streams of their own, and are refused.
        let device = self.stream.device();
        if self.arguments.addressed().any(|(tensor, _)| tensor.device() != device) {
            return None;
        }
        let executors = &self.stream.core().executors;
        let known = match executors.take_latest(kind, |forms| self.arguments.are(forms)) {
            Some(known) => known,
            None => executors.take(&self.arguments.key(kind)?),
        };
        let Known::Repeatable(repeatable, lent) = known else { return None };
        self.names = repeatable.names();
        let call = &*self;
        let again = || match call.bind() {
            // SAFETY: it was kept for this kind of call.
            Ok(bound) => unsafe { call.repeat(&bound, repeatable, lent) },
            Err(error) => {
                executors.put(lent, repeatable);
                Err(error)
            }
        };
        Some(trace::operator(call.names[0], || call.arguments.info(), again))
    }

    /// Returns type and shape of the output of the latest call of this kind, if the arguments before it were such as those noted
    /// here.
    pub(crate) fn latest_output(&self) -> Option<(DType, Shape)> {
        let kind = self.kind.filter(|_| self.backend.reuses_executors() && !fork::is_forked())?;
        let find = |forms: &[_], _: &_| {
            forms.split_last().filter(|(_, before)| self.arguments.are(before)).map(drop)
        };
        let (latest, ()) = self.stream.core().executors.latest(kind, find)?;
        latest.output()
    }

    /// Puts the stream in charge of a new tensor, before a call writes it.
    pub(crate) fn entrust(&self, tensor: &Tensor) -> Result<()> {
        if self.stream.core().is_captured() {
            return Ok(());
        }
        order::entrust(self.stream, &self.stream.device().bind()?, tensor)
    }

    /// Runs phase two as `run_again` does, without a lock for each tensor, where the stream is entrusted with all of them: it
    /// has used them before, and no other stream since. Returns `None` where this cannot be.
    #[inline]
    fn run_entrusted(&mut self, kind: Kind) -> Option<Result<()>> {
        // Others are told of the launch, or wait, while nothing is locked.
        if self.backend.is_synchronous() || trace::tells_operators() {
            return None;
        }
        let core = self.stream.core();
        let (mut latest, are_there) = core.executors.latest(kind, |forms, repeatable| {
            let repeatable = Some(repeatable).filter(|repeatable| repeatable.workspace() == 0)?;
            self.arguments.are_entrusted(forms, repeatable.addresses(), core.id())
        })?;
        let repeatable = latest.executor()?;
        self.names = repeatable.names();
        let bound = match self.bind() {
            Ok(bound) => bound,
            Err(error) => return Some(Err(error)),
        };
        let rebound = if are_there {
            Ok(())
        } else {
            // SAFETY: it was kept for this kind of call, whose tensors have the same types, layouts and capacities.
            unsafe { repeatable.rebind(self.arguments.addresses()) }
        };
        let launched = match rebound {
            Err(cause) => Err(self.explain(cause)),
            Ok(()) => bound.make_current().and_then(|()| {
                // SAFETY: phase two of the operator whose phase one made the executor, which needs no workspace, on a stream
                // that lives as long as `self.stream`; all tensors return to the pool in the order of the streams.
                match unsafe { repeatable.launch()(ptr::null_mut(), 0, repeatable.as_raw(), core.as_raw()) } {
                    ACLNN_SUCCESS => Ok(()),
                    code => Err(self.failed(self.names[0], Some(code))),
                }
            }),
        };
        if launched.is_ok() {
            drop(latest)
        } else {
            latest.forget()
        }
        Some(launched)
    }

    /// Launches an executor that was kept, with the addresses of this call.
    ///
    /// # Safety
    /// The executor was kept for this kind of call.
    unsafe fn repeat(&self, bound: &Bound<'_>, mut repeatable: Box<Repeatable>, lent: Lent) -> Result<()> {
        let executors = &self.stream.core().executors;
        // SAFETY: calls of the same kind have tensors of the same types, layouts and capacities.
        let launched = match unsafe { repeatable.rebind(self.arguments.addresses()) } {
            // SAFETY: phase two of the operator whose phase one made the executor.
            Ok(()) => unsafe {
                self.launch(bound, repeatable.launch(), repeatable.workspace(), || repeatable.as_raw())
            },
            Err(cause) => Err(self.explain(cause)),
        };
        match launched {
            Ok(()) => executors.put(lent, repeatable),
            Err(_) => executors.forget(lent),
        }
        launched
    }

    /// Runs phase one.
    ///
    /// # Safety
    /// As for [`Call::run`].
    unsafe fn plan(&self, bound: &Bound<'_>, pair: Pair, caller: Caller) -> Result<Planned> {
        let described = self.arguments.describe(self.stream.device().core());
        let descriptors = described.map_err(|error| error.during(self.names[0], || self.arguments.info()))?;
        let (mut workspace, mut executor) = (0, ptr::null_mut());
        bound.make_current()?;
        let arguments = self.arguments.pass(&descriptors);
        // SAFETY: the caller vouches for the type; the descriptors live until phase two has returned.
        match unsafe { caller(pair.get_workspace_size, &arguments, &mut workspace, &mut executor) } {
            Some(ACLNN_SUCCESS) => {}
            Some(code) => return Err(self.failed(self.names[1], Some(code))),
            None => return Err(Error::Internal { what: "arguments of other kinds than the parameters" }),
        }
        // SAFETY: phase one made it for this call.
        match unsafe { Executor::adopt(self.stream.device().core(), executor) } {
            Some(executor) => Ok(Planned { executor, descriptors, workspace }),
            None => Err(self.failed(self.names[1], None)),
        }
    }

    /// Runs phase two, in the order of the streams. `executor` is called when nothing can fail before the executor is
    /// used.
    ///
    /// # Safety
    /// `launch` is phase two of the operator whose phase one makes `executor`.
    unsafe fn launch(
        &self,
        bound: &Bound<'_>,
        launch: Launch,
        size: u64,
        executor: impl FnOnce() -> *mut aclOpExecutor,
    ) -> Result<()> {
        let captured = self.stream.core().is_captured();
        let synchronous = self.backend.is_synchronous() && !captured;
        if synchronous {
            // Not while others must wait: a collective before it may need what they launch.
            self.stream.core().synchronize(bound)?;
        }
        let _alone = synchronous.then(|| ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner));
        let workspace = match usize::try_from(size) {
            Ok(0) => None,
            size => {
                let workspace = Buffer::allocate(self.stream, bound, size.unwrap_or(usize::MAX));
                let named = |error: Error| error.during(self.names[0], || self.arguments.info());
                Some(workspace.map_err(named)?)
            }
        };
        // Captured work runs in replays, which put themselves in order.
        let gates =
            if captured { None } else { Some(order::Gates::close(self.stream, bound, &self.arguments)?) };
        if synchronous {
            // A failure here belongs to work that other code queued, for example through a raw handle.
            self.stream.core().synchronize(bound)?;
        }
        let address = workspace.as_ref().map_or(ptr::null_mut(), Buffer::address);
        let core = self.stream.core();
        let raw = core.lock();
        if core.is_captured() != captured {
            return Err(Error::Capture { what: "a call of another thread" });
        }
        core.must_be_captured_here()?;
        if captured {
            // Before the launch, of which a part may be captured where it fails.
            captured::keep(core, &self.arguments, workspace);
        }
        match raw.as_ref() {
            None => return Err(Error::Internal { what: "an operator on a stream that has ended" }),
            Some(stream) => {
                bound.make_current()?;
                // SAFETY: phase two of the operator whose phase one made the executor; the workspace has the bytes that it
                // asked for, and it and all tensors return to the pool in the order of the streams that use them.
                match unsafe { launch(address, size, executor(), stream.as_raw()) } {
                    ACLNN_SUCCESS => {}
                    code => return Err(self.failed(self.names[0], Some(code))),
                }
            }
        }
        drop(raw);
        drop(gates);
        if synchronous { self.synchronize(bound) } else { Ok(()) }
    }

    #[cold]
    fn failed(&self, function: &'static str, code: Option<i32>) -> Error {
        self.explain(self.backend.acl().failed(function, code))
    }

    #[cold]
    fn explain(&self, cause: Failure) -> Error {
        Error::Launch { operator: self.names[0], operands: self.arguments.info(), cause }
    }

    /// Refuses what no operator accepts: tensors of other devices, too many axes, outputs that cannot be written.
    pub fn check(&self) -> Result<()> {
        let operation = Operation::new(self.names[0], self.stream);
        let operation =
            self.arguments.tensors().fold(operation, |all, (name, tensor, _)| all.tensor(name, tensor));
        operation.placed()?;
        let written: SmallVec<[_; 4]> = self.arguments.tensors().filter(|(_, _, writes)| *writes).collect();
        for (index, (name, tensor, _)) in written.iter().enumerate() {
            operation.writable(name, tensor, tensor.shape())?;
            // If one tensor is given as two outputs, one result would be lost.
            let mut earlier = written.iter().take(index);
            if earlier.any(|(_, other, _)| tensor.overlap(other) == Overlap::Same && tensor.numel() > 0) {
                let (operator, operands) = (operation.operator, operation.operands());
                return Err(Error::SharedElements { operator, operands, output: name });
            }
        }
        Ok(())
    }
}
