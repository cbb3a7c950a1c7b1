//! The C functions of a device, for checks of what they promise: calls by name, and objects that end with their values.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::time::Duration;

use aclnn::sys::{self, Meta, Operators, Runtime, aclDataType, aclOpExecutor, aclScalar, aclTensor};
use aclnn::{Backend, DType, Device, Element};
use anyhow::{Context as _, Result, bail, ensure};

/// What a check works on.
pub(crate) struct Setting {
    pub(crate) device: Device,
    backend: &'static Backend,
}

/// Calls a C function of the runtime and gives its code. A missing function ends the check, which is then skipped.
macro_rules! code {
    ($setting:expr, $function:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: handles and places live through the call, or are bad in a way that the interface says to refuse.
        unsafe { $setting.runtime().$function($($argument),*) }?
    };
}
pub(crate) use code;

/// Calls a C function of the runtime, which has to succeed.
macro_rules! good {
    ($setting:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let code = $crate::verify::raw::code!($setting, $function($($argument),*));
        $setting.must_be_good(stringify!($function), code)?
    }};
}
pub(crate) use good;

/// Plans a call of an operator: what its first function answers.
macro_rules! plan {
    ($setting:expr, $operator:ident($($argument:expr),* $(,)?)) => {{
        let operator = $setting.operators().$operator()?;
        let mut planned = $crate::verify::raw::Planned::nothing();
        // SAFETY: as in `code`.
        planned.code = unsafe {
            operator.get_workspace_size($($argument,)* &mut planned.workspace, &mut planned.executor)
        };
        planned.launch = Some(operator.launcher());
        planned
    }};
}
pub(crate) use plan;

/// What the first function of an operator answers.
pub(crate) struct Planned {
    pub(crate) code: i32,
    pub(crate) workspace: u64,
    pub(crate) executor: *mut aclOpExecutor,
    pub(crate) launch: Option<sys::Launch>,
}

impl Planned {
    /// Bytes of workspace that no operator asks for.
    pub(crate) const UNTOUCHED: u64 = u64::MAX;

    /// What the places hold before the call.
    pub(crate) fn nothing() -> Self {
        Self { code: 0, workspace: Self::UNTOUCHED, executor: ptr::null_mut(), launch: None }
    }

    /// Calls the second function of the operator and returns its code.
    pub(crate) fn launch(&self, workspace: *mut c_void, stream: *mut c_void) -> Result<i32> {
        let launch = self.launch.context("the operator was not loaded")?;
        // SAFETY: the executor is of the function that belongs to this one; workspace and stream live until the work is done.
        Ok(unsafe { launch(workspace, self.workspace, self.executor, stream) })
    }
}

/// An object of C, which ends with its value.
pub(crate) struct Owned<T> {
    pub(crate) handle: *mut T,
    backend: &'static Backend,
    end: fn(&'static Backend, *mut T),
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        (self.end)(self.backend, self.handle);
    }
}

/// Expands to a function that ends an object by the C function that does so. Its code says nothing about what was checked.
macro_rules! end {
    ($table:ident.$function:ident) => {
        |backend, handle| {
            // SAFETY: the handle was made by the function that belongs to this one, and nothing else ends it.
            let _ = unsafe { backend.$table().$function(handle) };
        }
    };
}

/// Returns whether the libraries lack a function that a check calls.
pub(crate) fn is_missing(error: &anyhow::Error) -> bool {
    let of_layer = error.downcast_ref::<aclnn::Error>();
    error.is::<sys::MissingSymbol>() || matches!(of_layer, Some(aclnn::Error::MissingSymbol(_)))
}

impl Setting {
    pub(crate) fn open(ordinal: i32) -> Result<Self> {
        Ok(Self { device: Device::open(ordinal)?, backend: Backend::get()? })
    }

    pub(crate) fn runtime(&self) -> &'static Runtime {
        self.backend.runtime()
    }

    pub(crate) fn meta(&self) -> &'static Meta {
        self.backend.meta()
    }

    pub(crate) fn operators(&self) -> &'static Operators {
        self.backend.operators()
    }

    /// Makes the context of the device current on this thread.
    pub(crate) fn bind(&self) -> Result<()> {
        good!(self, aclrtSetCurrentContext(self.device.as_raw()));
        Ok(())
    }

    pub(crate) fn must_be_good(&self, function: &str, code: i32) -> Result<()> {
        ensure!(code == 0, "{function} returned {code}: {}", self.message());
        Ok(())
    }

    /// Takes the message about the last failure on this thread; empty if there is none.
    pub(crate) fn message(&self) -> String {
        // SAFETY: the text stays valid until the next call on this thread.
        let text = unsafe { self.runtime().aclGetRecentErrMsg() };
        match text {
            // SAFETY: as above; it ends with a zero byte.
            Ok(text) if !text.is_null() => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
            _ => String::new(),
        }
    }

    fn owned<T>(&self, handle: *mut T, end: fn(&'static Backend, *mut T)) -> Owned<T> {
        Owned { handle, backend: self.backend, end }
    }

    /// Allocates device memory.
    pub(crate) fn memory(&self, bytes: usize) -> Result<Owned<c_void>> {
        let mut pointer = ptr::null_mut();
        good!(self, aclrtMalloc(&mut pointer, bytes, sys::ACL_MEM_MALLOC_HUGE_FIRST));
        Ok(self.owned(pointer, end!(runtime.aclrtFree)))
    }

    /// Allocates device memory that holds `elements`.
    pub(crate) fn filled<T: Element>(&self, elements: &[T]) -> Result<Owned<c_void>> {
        let memory = self.memory(size_of_val(elements).max(1))?;
        self.upload(memory.handle, elements)?;
        Ok(memory)
    }

    pub(crate) fn upload<T: Element>(&self, to: *mut c_void, elements: &[T]) -> Result<()> {
        let bytes = T::as_bytes(elements);
        let kind = sys::ACL_MEMCPY_HOST_TO_DEVICE;
        good!(self, aclrtMemcpy(to, bytes.len(), bytes.as_ptr().cast(), bytes.len(), kind));
        Ok(())
    }

    pub(crate) fn download<T: Element>(&self, from: *const c_void, count: usize) -> Result<Vec<T>> {
        let mut bytes = vec![0_u8; count * size_of::<T>()];
        let (len, kind) = (bytes.len(), sys::ACL_MEMCPY_DEVICE_TO_HOST);
        good!(self, aclrtMemcpy(bytes.as_mut_ptr().cast(), len, from, len, kind));
        Ok(T::from_bytes(&bytes))
    }

    /// Allocates pinned host memory.
    pub(crate) fn pinned(&self, bytes: usize) -> Result<Owned<c_void>> {
        let mut pointer = ptr::null_mut();
        good!(self, aclrtMallocHost(&mut pointer, bytes));
        Ok(self.owned(pointer, end!(runtime.aclrtFreeHost)))
    }

    pub(crate) fn stream(&self) -> Result<Owned<c_void>> {
        let mut stream = ptr::null_mut();
        good!(self, aclrtCreateStream(&mut stream));
        Ok(self.owned(stream, end!(runtime.aclrtDestroyStream)))
    }

    pub(crate) fn event(&self) -> Result<Owned<c_void>> {
        let mut event = ptr::null_mut();
        good!(self, aclrtCreateEvent(&mut event));
        Ok(self.owned(event, end!(runtime.aclrtDestroyEvent)))
    }

    /// Queues work that holds a stream up for some time, so that what is queued behind it waits.
    pub(crate) fn hold_up(&self, stream: &Owned<c_void>) -> Result<()> {
        unsafe extern "C" fn pause(_: *mut c_void) {
            std::thread::sleep(Duration::from_millis(20));
        }
        good!(self, aclrtLaunchHostFunc(stream.handle, Some(pause), ptr::null_mut()));
        Ok(())
    }

    /// Describes contiguous elements.
    pub(crate) fn tensor(&self, dtype: DType, dims: &[i64], memory: *mut c_void) -> Result<Owned<aclTensor>> {
        self.view(dtype, dims, None, dims, memory)
    }

    /// Describes elements of a storage of so many elements; they are contiguous if no strides are given.
    pub(crate) fn view(
        &self,
        dtype: DType,
        dims: &[i64],
        strides: Option<&[i64]>,
        storage: &[i64],
        memory: *mut c_void,
    ) -> Result<Owned<aclTensor>> {
        let dtype = aclDataType(dtype.acl_code().context("CANN has no such type")?);
        let strides = strides.map_or(ptr::null(), <[i64]>::as_ptr);
        let (rank, storage_rank) = (dims.len() as u64, storage.len() as u64);
        let (dims, storage) = (dims.as_ptr(), storage.as_ptr());
        // SAFETY: the three lists have as many numbers as is said.
        let tensor = unsafe {
            let format = sys::ACL_FORMAT_ND;
            self.meta().aclCreateTensor(dims, rank, dtype, strides, 0, format, storage, storage_rank, memory)
        }?;
        if tensor.is_null() {
            bail!("aclCreateTensor returned NULL: {}", self.message());
        }
        Ok(self.owned(tensor, end!(meta.aclDestroyTensor)))
    }

    pub(crate) fn scalar<T: Element>(&self, value: T) -> Result<Owned<aclScalar>> {
        let dtype = aclDataType(T::DTYPE.acl_code().context("CANN has no such type")?);
        let place = (&raw const value).cast_mut().cast();
        // SAFETY: the value is of the type that is said, and is copied.
        let scalar = unsafe { self.meta().aclCreateScalar(place, dtype) }?;
        if scalar.is_null() {
            bail!("aclCreateScalar returned NULL: {}", self.message());
        }
        Ok(self.owned(scalar, end!(meta.aclDestroyScalar)))
    }

    /// Launches what was planned on the default stream and waits for it.
    pub(crate) fn finish(&self, planned: &Planned) -> Result<()> {
        self.must_be_good("phase one", planned.code)?;
        let workspace = match planned.workspace {
            0 => None,
            bytes => Some(self.memory(bytes as usize)?),
        };
        let place = workspace.as_ref().map_or(ptr::null_mut(), |workspace| workspace.handle);
        self.must_be_good("phase two", planned.launch(place, ptr::null_mut())?)?;
        good!(self, aclrtSynchronizeStream(ptr::null_mut()));
        Ok(())
    }

    /// Destroys an executor that nobody launches, or that repeats. Returns the code.
    pub(crate) fn destroy(&self, planned: &Planned) -> Result<i32> {
        // SAFETY: no later call uses it.
        Ok(unsafe { self.meta().aclDestroyAclOpExecutor(planned.executor) }?)
    }

    /// Makes an executor repeatable. Returns the code.
    pub(crate) fn repeat(&self, planned: &Planned) -> Result<i32> {
        // SAFETY: the executor was just planned.
        Ok(unsafe { self.meta().aclSetAclOpExecutorRepeatable(planned.executor) }?)
    }

    /// Free memory of the device, in bytes.
    pub(crate) fn free_bytes(&self) -> Result<usize> {
        Ok(self.device.memory_info()?.free)
    }
}
