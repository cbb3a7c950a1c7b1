//! A case, called on the libraries that serve.

use std::ffi::{CStr, c_void};
use std::ptr;

use aclnn::Backend;
use aclnn_numerics::DType;
use aclnn_sys::operators::Argument as Passed;
use aclnn_sys::{
    ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE, MissingSymbol,
    aclDataType, aclFormat, aclTensor, aclrtStream,
};
use anyhow::{Context as _, bail, ensure};

use super::case::{Argument, Role, Tensor};
use super::frame::{Frame, Output};

/// A device, and the stream that cases run on.
pub(super) struct Caller {
    backend: &'static Backend,
    stream: aclrtStream,
}

/// A tensor of a case in device memory.
struct Place<'a> {
    tensor: &'a Tensor,
    /// The number of the parameter.
    parameter: usize,
    handle: *mut aclTensor,
    memory: *mut c_void,
    before: Vec<u8>,
}

impl Caller {
    /// Makes a device current on this thread, and a stream on it.
    pub(super) fn new(device: i32) -> anyhow::Result<Self> {
        let backend = Backend::get()?;
        let mut caller = Self { backend, stream: ptr::null_mut() };
        // SAFETY: no pointers.
        caller.check("aclrtSetDevice", unsafe { backend.runtime().aclrtSetDevice(device) })?;
        let mut stream = ptr::null_mut();
        // SAFETY: `stream` is a place for a handle.
        caller.check("aclrtCreateStream", unsafe { backend.runtime().aclrtCreateStream(&mut stream) })?;
        caller.stream = stream;
        Ok(caller)
    }

    /// Calls an operator and waits for it. An error says that the case could not be prepared; what the operator itself
    /// returns is in the frame.
    pub(super) fn call(&self, name: &str, arguments: &[Argument], number: usize) -> anyhow::Result<Frame> {
        let mut frame = Frame { number, ..Frame::default() };
        let operator = match self.backend.operators().by_name(name) {
            Some(Ok(operator)) => operator,
            Some(Err(missing)) => {
                frame.missing = Some(missing.to_string());
                return Ok(frame);
            }
            None => bail!("no operator {name} is declared"),
        };
        let mut places = Vec::new();
        let mut passed = Vec::new();
        for (parameter, argument) in arguments.iter().enumerate() {
            let argument = match argument {
                Argument::Same(other) => passed[*other],
                other => self.pass(other, parameter, &mut places)?,
            };
            passed.push(argument);
        }
        let (mut size, mut executor) = (0, ptr::null_mut());
        // SAFETY: the arguments are live handles, and both places are valid.
        let code = unsafe { operator.get_workspace_size(&passed, &mut size, &mut executor) };
        frame.codes[0] = code.with_context(|| format!("the arguments are not those of {name}"))?;
        if frame.codes[0] == 0 {
            let workspace = if size > 0 { self.malloc(size as usize)? } else { ptr::null_mut() };
            // SAFETY: phase one of this operator made the executor, and everything lives until the stream was waited for.
            frame.codes[1] = unsafe { (operator.launcher())(workspace, size, executor, self.stream) };
            if frame.codes[1] == 0 {
                // SAFETY: the stream is live.
                frame.codes[2] = unsafe { self.backend.runtime().aclrtSynchronizeStream(self.stream)? };
            }
            if !workspace.is_null() && frame.codes[2] == 0 {
                self.free(workspace)?;
            }
        }
        if frame.codes != [0; 3] {
            frame.message = self.message();
        }
        // A failed stream takes its context with it: nothing can be read, and the process ends.
        if frame.codes[2] == 0 {
            for place in &places {
                self.read(place, operator.info().parameters, &mut frame)?;
            }
            self.destroy(&places, passed, arguments)?;
        }
        Ok(frame)
    }

    /// Reads a tensor back: an output into the frame, and whether anything else changed.
    fn read(
        &self,
        place: &Place<'_>,
        parameters: aclnn_sys::operators::Parameters,
        frame: &mut Frame,
    ) -> anyhow::Result<()> {
        let tensor = place.tensor;
        let mut storage = vec![0; place.before.len()];
        self.copy(storage.as_mut_ptr().cast(), place.memory, storage.len(), ACL_MEMCPY_DEVICE_TO_HOST)?;
        if tensor.role != Role::Read && frame.codes == [0; 3] {
            let size = tensor.size();
            let dims =
                if tensor.role == Role::Sized { self.view_dims(place.handle)? } else { tensor.dims.clone() };
            let count = (dims.iter().product::<i64>() as usize).min(tensor.count());
            let mut elements = Vec::with_capacity(count * size);
            for offset in tensor.offsets().into_iter().take(count) {
                let element = &mut storage[offset * size..][..size];
                elements.extend_from_slice(element);
                element.copy_from_slice(&place.before[offset * size..][..size]);
            }
            if tensor.role == Role::Sized {
                // What is behind the result, nobody reads.
                storage.copy_from_slice(&place.before);
            }
            frame.outputs.push(Output { dims, elements });
        }
        if storage != place.before {
            frame.changed = parameters.get(place.parameter).map(|parameter| parameter.name.to_owned());
        }
        Ok(())
    }

    fn view_dims(&self, tensor: *const aclTensor) -> anyhow::Result<Vec<i64>> {
        let (mut dims, mut count) = (ptr::null_mut(), 0);
        // SAFETY: the tensor is live, and the places are valid.
        let code = unsafe { self.backend.meta().aclGetViewShape(tensor, &mut dims, &mut count) };
        self.check("aclGetViewShape", code)?;
        ensure!(count == 0 || !dims.is_null(), "aclGetViewShape returned no sizes");
        // SAFETY: the call wrote an array of so many numbers. It is left to the end of the process: how it was allocated
        // is the library's business.
        Ok((0..count as usize).map(|axis| unsafe { dims.add(axis).read() }).collect())
    }

    fn pass<'a>(
        &self,
        argument: &'a Argument,
        parameter: usize,
        places: &mut Vec<Place<'a>>,
    ) -> anyhow::Result<Passed> {
        let meta = self.backend.meta();
        Ok(match argument {
            Argument::Tensor(tensor) => Passed::Tensor(self.place(tensor, parameter, places)?),
            Argument::Tensors(list) => {
                let mut handles = Vec::new();
                for tensor in list {
                    handles.push(self.place(tensor, parameter, places)?.cast_const());
                }
                // SAFETY: the handles have the length that is passed.
                Passed::Tensors(unsafe { meta.aclCreateTensorList(handles.as_ptr(), handles.len() as u64)? })
            }
            Argument::Scalar(dtype, bytes) => {
                let value = bytes.as_ptr().cast_mut().cast();
                // SAFETY: the value has the size of its type.
                Passed::Scalar(unsafe { meta.aclCreateScalar(value, acl_type(*dtype)?)? })
            }
            Argument::Scalars(list) => {
                let mut handles = Vec::new();
                for (dtype, bytes) in list {
                    let value = bytes.as_ptr().cast_mut().cast();
                    // SAFETY: the value has the size of its type.
                    handles.push(unsafe { meta.aclCreateScalar(value, acl_type(*dtype)?)? }.cast_const());
                }
                // SAFETY: the handles have the length that is passed.
                Passed::Scalars(unsafe { meta.aclCreateScalarList(handles.as_ptr(), handles.len() as u64)? })
            }
            Argument::Ints(values) => {
                // SAFETY: the values have the length that is passed.
                Passed::Ints(unsafe { meta.aclCreateIntArray(values.as_ptr(), values.len() as u64)? })
            }
            Argument::Bools(values) => {
                // SAFETY: the values have the length that is passed.
                Passed::Bools(unsafe { meta.aclCreateBoolArray(values.as_ptr(), values.len() as u64)? })
            }
            Argument::Floats(values) => {
                // SAFETY: the values have the length that is passed.
                Passed::Floats(unsafe { meta.aclCreateFloatArray(values.as_ptr(), values.len() as u64)? })
            }
            Argument::DType(dtype) => Passed::DType(acl_type(*dtype)?),
            Argument::Int(value) => Passed::Int(*value),
            Argument::Float(value) => Passed::Float(*value),
            Argument::Bool(value) => Passed::Bool(*value),
            // The library only reads it.
            Argument::Text(text) => Passed::Text(text.as_ptr().cast_mut()),
            Argument::Same(_) | Argument::Null => Passed::Null,
        })
    }

    fn place<'a>(
        &self,
        tensor: &'a Tensor,
        parameter: usize,
        places: &mut Vec<Place<'a>>,
    ) -> anyhow::Result<*mut aclTensor> {
        let before = tensor.storage();
        let memory = self.malloc(before.len().max(1))?;
        self.copy(memory, before.as_ptr().cast_mut().cast(), before.len(), ACL_MEMCPY_HOST_TO_DEVICE)?;
        let stored = [tensor.stored as i64];
        // SAFETY: sizes, strides and storage have the lengths that are passed.
        let handle = unsafe {
            self.backend.meta().aclCreateTensor(
                tensor.dims.as_ptr(),
                tensor.dims.len() as u64,
                acl_type(tensor.dtype)?,
                tensor.strides.as_ptr(),
                tensor.offset,
                aclFormat::of_rank(tensor.dims.len()),
                stored.as_ptr(),
                1,
                memory,
            )?
        };
        ensure!(!handle.is_null(), "aclCreateTensor returned null for {tensor}: {}", self.message());
        places.push(Place { tensor, parameter, handle, memory, before });
        Ok(handle)
    }

    /// Gives everything back.
    fn destroy(
        &self,
        places: &[Place<'_>],
        passed: Vec<Passed>,
        arguments: &[Argument],
    ) -> anyhow::Result<()> {
        let meta = self.backend.meta();
        for place in places {
            // A list destroys its tensors.
            if !matches!(arguments.get(place.parameter), Some(Argument::Tensors(_))) {
                // SAFETY: the tensor is live and not used again.
                self.check("aclDestroyTensor", unsafe { meta.aclDestroyTensor(place.handle) })?;
            }
        }
        let own = passed.into_iter().zip(arguments).filter(|(_, given)| !matches!(given, Argument::Same(_)));
        for (argument, _) in own {
            // SAFETY: the object is live and not used again; a tensor was destroyed above.
            let code = unsafe {
                match argument {
                    Passed::Scalar(scalar) => meta.aclDestroyScalar(scalar),
                    Passed::Tensors(list) => meta.aclDestroyTensorList(list),
                    Passed::Scalars(list) => meta.aclDestroyScalarList(list),
                    Passed::Ints(array) => meta.aclDestroyIntArray(array),
                    Passed::Floats(array) => meta.aclDestroyFloatArray(array),
                    Passed::Bools(array) => meta.aclDestroyBoolArray(array),
                    _ => Ok(0),
                }
            };
            self.check("aclDestroy", code)?;
        }
        places.iter().try_for_each(|place| self.free(place.memory))
    }

    fn malloc(&self, bytes: usize) -> anyhow::Result<*mut c_void> {
        let mut memory = ptr::null_mut();
        // SAFETY: `memory` is a place for a pointer.
        let code =
            unsafe { self.backend.runtime().aclrtMalloc(&mut memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) };
        self.check("aclrtMalloc", code)?;
        Ok(memory)
    }

    fn free(&self, memory: *mut c_void) -> anyhow::Result<()> {
        // SAFETY: nothing uses the memory any more.
        self.check("aclrtFree", unsafe { self.backend.runtime().aclrtFree(memory) })
    }

    /// Copies between host and device; nothing for no bytes, which older releases refuse.
    fn copy(
        &self,
        to: *mut c_void,
        from: *mut c_void,
        len: usize,
        kind: aclnn_sys::aclrtMemcpyKind,
    ) -> anyhow::Result<()> {
        if len == 0 {
            return Ok(());
        }
        // SAFETY: both are valid for so many bytes.
        self.check("aclrtMemcpy", unsafe { self.backend.runtime().aclrtMemcpy(to, len, from, len, kind) })
    }

    fn check(&self, function: &str, code: Result<i32, MissingSymbol>) -> anyhow::Result<()> {
        match code? {
            0 => Ok(()),
            code => bail!("{function} returned {code}: {}", self.message()),
        }
    }

    /// Takes what the library said last on this thread.
    fn message(&self) -> String {
        // SAFETY: the text stays valid until the next call on this thread.
        unsafe {
            match self.backend.runtime().aclGetRecentErrMsg() {
                Ok(text) if !text.is_null() => CStr::from_ptr(text).to_string_lossy().trim().to_owned(),
                _ => String::new(),
            }
        }
    }
}

fn acl_type(dtype: DType) -> anyhow::Result<aclDataType> {
    dtype.acl_code().map(aclDataType).with_context(|| format!("{dtype} is no type of CANN"))
}
