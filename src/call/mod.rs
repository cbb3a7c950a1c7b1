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
mod custom;
pub(crate) mod launch;
mod order;
mod parameter;

use std::ptr;
use std::sync::{Mutex, PoisonError};

use aclnn_numerics::DType;
use aclnn_sys::{ACLNN_SUCCESS, Launch, aclDataType, aclOpExecutor, aclnnStatus};
use smallvec::SmallVec;

use crate::acl::Bound;
use crate::argument_checks::Operation;
use crate::backend::Backend;
use crate::error::{Error, Failure, Result};
use crate::executor::{Descriptors, Executor, Key, Known, Planned};
use crate::memory::Buffer;
use crate::stream::Stream;
use crate::tensor::Overlap;
use crate::trace;
use argument::Arguments;

pub use argument::{Pass, Slot};
pub use custom::load;

/// Held while an operator is launched and waited for, if `ACLNN_SYNC` asks for it: only then a failure surely belongs
/// to it.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// One call of an operator. Its arguments are added in the order of the declaration.
pub struct Call<'a> {
    /// The C functions of phase two and of phase one.
    names: [&'static str; 2],
    stream: &'a Stream,
    backend: &'static Backend,
    arguments: Arguments<'a>,
}

impl<'a> Call<'a> {
    /// Starts a call on a stream, of the operator with these names of phase two and phase one.
    pub fn new(names: [&'static str; 2], stream: &'a Stream) -> Self {
        Self { names, stream, backend: stream.device().backend(), arguments: Arguments::default() }
    }

    fn acl_dtype(&self, name: &'static str, dtype: DType) -> Result<aclDataType> {
        let reason = || format!("{name} is {dtype}, of which CANN has no elements; choose another type");
        dtype.acl_code().map(aclDataType).ok_or_else(|| Error::Scalar {
            operator: self.names[0],
            operands: self.arguments.info(),
            reason: reason(),
        })
    }

    /// Runs both phases. Nothing is queued if phase one refuses. With `reuse`, phase one is skipped if the executor of
    /// an earlier call of the same kind was kept.
    ///
    /// # Safety
    /// `plan` is phase one of an operator, called with the values that this call made of its arguments, and `launch` is
    /// its phase two. With `reuse`, the operator is composed of other operators, so that its executors are its own
    /// until they are destroyed.
    pub unsafe fn run(
        &self,
        reuse: bool,
        launch: Launch,
        plan: impl FnOnce(&Descriptors, *mut u64, *mut *mut aclOpExecutor) -> aclnnStatus,
    ) -> Result<()> {
        // SAFETY: the caller vouches for both phases.
        let queue = || unsafe { self.queue(reuse, launch, plan) };
        trace::operator(self.names[0], || self.arguments.info(), queue)
    }

    /// # Safety
    /// As for [`Call::run`].
    unsafe fn queue(
        &self,
        reuse: bool,
        launch: Launch,
        plan: impl FnOnce(&Descriptors, *mut u64, *mut *mut aclOpExecutor) -> aclnnStatus,
    ) -> Result<()> {
        let bound = self.stream.device().bind()?;
        self.stream.core().check()?;
        let executors = &self.stream.core().executors;
        let reuse = reuse && self.backend.reuses_executors();
        // Filled in its place, since moving it would cost more than making it.
        let mut key = Key::of(self.names[0]);
        let has_key = reuse && self.arguments.key(&mut key).is_some();
        let key = has_key.then_some(&key);
        let known = key.map_or(Known::Once, |key| executors.take(key));
        let planned = match known {
            Known::Repeatable(mut repeatable) => {
                // SAFETY: calls of the same kind have tensors of the same types, layouts and capacities.
                match unsafe { repeatable.rebind(self.arguments.addresses()) } {
                    Ok(()) => Ok(repeatable),
                    Err(cause) => {
                        key.into_iter().for_each(|key| executors.forget(key));
                        return Err(self.explain(cause));
                    }
                }
            }
            Known::Nothing => {
                let addresses = self.arguments.addresses().map(|(address, _)| address);
                let planned = self.plan(&bound, plan)?.repeatable(addresses);
                key.into_iter().filter(|_| planned.is_err()).for_each(|key| executors.refused(key));
                planned.map_err(|planned| *planned)
            }
            Known::Once => Err(self.plan(&bound, plan)?),
        };
        let repeatable = match planned {
            Ok(repeatable) => repeatable,
            Err(Planned { executor, descriptors: _until_launched, workspace }) => {
                // SAFETY: the caller vouches for both phases.
                return unsafe { self.launch(&bound, launch, workspace, || executor.into_raw()) };
            }
        };
        // SAFETY: as above.
        let launched = unsafe { self.launch(&bound, launch, repeatable.workspace(), || repeatable.as_raw()) };
        match (key, &launched) {
            (Some(key), Ok(())) => executors.put(key, repeatable),
            (Some(key), Err(_)) => executors.forget(key),
            (None, _) => {}
        }
        launched
    }

    /// Runs phase one.
    fn plan(
        &self,
        bound: &Bound<'_>,
        plan: impl FnOnce(&Descriptors, *mut u64, *mut *mut aclOpExecutor) -> aclnnStatus,
    ) -> Result<Planned> {
        let described = self.arguments.describe(self.stream.device().core());
        let descriptors = described.map_err(|error| error.during(self.names[0], || self.arguments.info()))?;
        let (mut workspace, mut executor) = (0, ptr::null_mut());
        bound.make_current()?;
        match plan(&descriptors, &mut workspace, &mut executor) {
            ACLNN_SUCCESS => {}
            code => return Err(self.failed(self.names[1], Some(code))),
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
        let synchronous = self.backend.is_synchronous();
        let _alone = synchronous.then(|| ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner));
        let workspace = match usize::try_from(size) {
            Ok(0) => None,
            size => {
                let workspace = Buffer::allocate(self.stream, bound, size.unwrap_or(usize::MAX));
                let named = |error: Error| error.during(self.names[0], || self.arguments.info());
                Some(workspace.map_err(named)?)
            }
        };
        let gates = order::Gates::close(self.stream, bound, &self.arguments)?;
        if synchronous {
            // A failure here belongs to work that other code queued, for example through a raw handle.
            self.stream.core().synchronize(bound)?;
        }
        let address = workspace.as_ref().map_or(ptr::null_mut(), Buffer::address);
        match self.stream.core().lock().as_ref() {
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
        drop(gates);
        if !synchronous {
            return Ok(());
        }
        self.stream.core().synchronize(bound).map_err(|error| match error {
            Error::Library(cause) | Error::StreamFailed(cause) => self.explain(cause),
            error => error,
        })
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
