//! The two-phase call of an operator: descriptors, phase one, order between streams, workspace, phase two.
//!
//! [`launch`] holds one function per declared operator, expanded from the lists of `aclnn_sys`. What C only writes in
//! its manual is kept here: descriptors live until phase two has returned, an executor is consumed by its launch and
//! destroyed when that is never made, and workspace returns to the pool in the order of the stream.

mod descriptor;
pub(crate) mod launch;

use std::ffi::c_void;
use std::ptr;
use std::sync::{Mutex, PoisonError, RwLockReadGuard, RwLockWriteGuard};

use aclnn_numerics::DType;
use aclnn_sys::{ACLNN_SUCCESS, aclDataType, aclOpExecutor, aclScalar, aclTensor, aclnnStatus, aclrtStream};
use smallvec::SmallVec;

use crate::acl::{self, Bound};
use crate::backend::Backend;
use crate::error::{Error, Failure, Operands, Result};
use crate::memory::{Buffer, Uses};
use crate::scalar::Scalar;
use crate::stream::Stream;
use crate::tensor::Tensor;
use descriptor::{ScalarDescriptor, TensorDescriptor};

/// Held while an operator is launched and waited for, if `ACLNN_SYNC` asks for it: only then a failure is surely its own.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// One call of an operator. Its arguments are added in the order of the declaration.
pub(crate) struct Call<'a> {
    /// The C function of phase two, and of phase one.
    names: [&'static str; 2],
    stream: &'a Stream,
    bound: Bound<'a>,
    backend: &'static Backend,
    tensors: SmallVec<[Operand<'a>; 4]>,
    scalars: SmallVec<[(&'static str, Scalar, ScalarDescriptor<'a>); 3]>,
}

struct Operand<'a> {
    name: &'static str,
    tensor: &'a Tensor,
    writes: bool,
    /// Destroyed with the call.
    _descriptor: TensorDescriptor<'a>,
}

/// What phase one made. Consumed by the launch, destroyed if that is never made.
struct Executor {
    raw: *mut aclOpExecutor,
    backend: &'static Backend,
}

impl Executor {
    fn into_raw(self) -> *mut aclOpExecutor {
        std::mem::ManuallyDrop::new(self).raw
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        // SAFETY: phase one made it, and it was not launched. A failure leaves it to the library.
        let _ = unsafe { self.backend.meta().aclDestroyAclOpExecutor(self.raw) };
    }
}

/// A buffer that is kept from other threads until the work on it is queued.
enum Gate<'a> {
    Read { _lock: RwLockReadGuard<'a, Uses> },
    Write { _lock: RwLockWriteGuard<'a, Uses> },
}

impl<'a> Call<'a> {
    fn new(names: [&'static str; 2], stream: &'a Stream) -> Result<Self> {
        let device = stream.device();
        let bound = device.bind()?;
        stream.core().check()?;
        let backend = device.backend();
        Ok(Self { names, stream, bound, backend, tensors: SmallVec::new(), scalars: SmallVec::new() })
    }

    fn operand(&mut self, name: &'static str, tensor: &'a Tensor, writes: bool) -> Result<*mut aclTensor> {
        let descriptor = TensorDescriptor::new(self.stream.device(), tensor)?;
        let raw = descriptor.as_raw();
        self.tensors.push(Operand { name, tensor, writes, _descriptor: descriptor });
        Ok(raw)
    }

    // One function per kind of parameter, under its name in the declarations; see `aclnn_sys::parameter_type!`.

    fn tensor(&mut self, name: &'static str, tensor: &'a Tensor) -> Result<*const aclTensor> {
        self.operand(name, tensor, false).map(<*mut _>::cast_const)
    }

    fn out(&mut self, name: &'static str, tensor: &'a Tensor) -> Result<*mut aclTensor> {
        self.operand(name, tensor, true)
    }

    fn inout(&mut self, name: &'static str, tensor: &'a Tensor) -> Result<*mut aclTensor> {
        self.operand(name, tensor, true)
    }

    fn inout_const(&mut self, name: &'static str, tensor: &'a Tensor) -> Result<*const aclTensor> {
        self.operand(name, tensor, true).map(<*mut _>::cast_const)
    }

    fn scalar(&mut self, name: &'static str, scalar: &Scalar) -> Result<*const aclScalar> {
        let dtype = self.dtype(name, scalar.dtype())?;
        let descriptor = ScalarDescriptor::new(self.stream.device(), scalar, dtype)?;
        let raw = descriptor.as_raw();
        self.scalars.push((name, *scalar, descriptor));
        Ok(raw)
    }

    fn dtype(&mut self, name: &'static str, dtype: DType) -> Result<aclDataType> {
        let reason = || format!("{name} is {dtype}, of which CANN has no elements; choose another type");
        dtype.acl_code().map(aclDataType).ok_or_else(|| Error::Scalar {
            operator: self.names[0],
            operands: self.operands(),
            reason: reason(),
        })
    }

    fn i64(&mut self, _: &'static str, value: i64) -> Result<i64> {
        Ok(value)
    }

    /// Both phases. Nothing is queued when phase one refuses.
    ///
    /// # Safety
    /// `plan` is phase one of an operator, called with what this call made of its arguments, and `launch` is its phase
    /// two, called with the arguments it is given.
    unsafe fn run(
        &self,
        plan: impl FnOnce(*mut u64, *mut *mut aclOpExecutor) -> aclnnStatus,
        launch: impl FnOnce(*mut c_void, u64, *mut aclOpExecutor, aclrtStream) -> aclnnStatus,
    ) -> Result<()> {
        let [operator, phase_one] = self.names;
        let (mut size, mut executor) = (0, ptr::null_mut());
        match plan(&mut size, &mut executor) {
            ACLNN_SUCCESS => {}
            code => return Err(self.failed(phase_one, Some(code))),
        }
        if executor.is_null() {
            return Err(self.failed(phase_one, None));
        }
        let executor = Executor { raw: executor, backend: self.backend };

        let synchronous = self.backend.is_synchronous();
        let _alone = synchronous.then(|| ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner));
        let workspace = self.workspace(size)?;
        let gates = self.order(workspace.as_ref())?;
        if synchronous {
            // What fails here was queued by others, as through a raw handle.
            self.stream.core().synchronize(&self.bound)?;
        }
        let address = workspace.as_ref().map_or(ptr::null_mut(), Buffer::address);
        match self.stream.core().lock().as_ref() {
            None => return Err(Error::Internal { what: "an operator on a stream that has ended" }),
            Some(stream) => match launch(address, size, executor.into_raw(), stream.as_raw()) {
                ACLNN_SUCCESS => {}
                code => return Err(self.failed(operator, Some(code))),
            },
        }
        drop(gates);
        if !synchronous {
            return Ok(());
        }
        self.stream.core().synchronize(&self.bound).map_err(|error| match error {
            Error::Library(cause) | Error::StreamFailed(cause) => self.explain(*cause),
            error => error,
        })
    }

    fn workspace(&self, size: u64) -> Result<Option<Buffer>> {
        match usize::try_from(size) {
            Ok(0) => Ok(None),
            size => Buffer::allocate(self.stream, &self.bound, size.unwrap_or(usize::MAX)).map(Some),
        }
    }

    /// Puts the stream after all work of other streams that this call must see or must not disturb, and keeps other
    /// threads from queueing such work until the locks are dropped.
    fn order<'b>(&'b self, workspace: Option<&'b Buffer>) -> Result<SmallVec<[Gate<'b>; 5]>> {
        let tensors = self.tensors.iter().map(|operand| (operand.tensor.buffer(), operand.writes));
        let mut buffers: SmallVec<[(&Buffer, bool); 5]> =
            tensors.chain(workspace.map(|buffer| (buffer, true))).collect();
        // Every thread locks in the order of the addresses, and each buffer once.
        buffers.sort_unstable_by_key(|(buffer, _)| ptr::from_ref(*buffer));
        buffers.dedup_by(|next, kept| {
            let same = ptr::eq(next.0, kept.0);
            kept.1 |= same && next.1;
            same
        });
        let mut gates: SmallVec<[Gate<'b>; 5]> = SmallVec::new();
        for (buffer, writes) in buffers {
            gates.push(if writes {
                let mut uses = buffer.lock_to_write();
                uses.write_on(self.stream.core(), &self.bound)?;
                Gate::Write { _lock: uses }
            } else {
                let uses = buffer.lock_to_read();
                uses.read_on(self.stream.core(), &self.bound)?;
                Gate::Read { _lock: uses }
            });
        }
        Ok(gates)
    }

    #[cold]
    fn failed(&self, function: &'static str, code: Option<i32>) -> Error {
        self.explain(acl::failed(self.backend, function, code))
    }

    #[cold]
    fn explain(&self, cause: Failure) -> Error {
        Error::Launch { operator: self.names[0], operands: self.operands(), cause: Box::new(cause) }
    }

    fn operands(&self) -> Operands {
        let tensors = self.tensors.iter().map(|operand| operand.tensor.info(operand.name));
        Operands::new(tensors.chain(self.scalars.iter().map(|(name, scalar, _)| scalar.info(name))))
    }
}
