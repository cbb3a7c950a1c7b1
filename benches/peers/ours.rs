//! An item by the two-phase C interface, with an executor that is launched again and again.

use std::ptr;

use aclnn::sys::{
    ACL_FLOAT, ACL_FORMAT_ND, ACL_INT64, Launch, Meta, aclDataType, aclOpExecutor, aclScalar, aclTensor,
    aclnnStatus, aclrtStream,
};
use aclnn::{DType, Device, Result, Tensor};
use cann_stubs::control;

use super::items::{Item, Place, Work};

/// Launches that wait at a time.
const BATCH: usize = 500;

/// The sizes of the batches of `times` launches.
pub(crate) fn batches(times: usize) -> impl Iterator<Item = usize> {
    (0..times).step_by(BATCH).map(move |before| BATCH.min(times - before))
}

/// An item with its tensors.
pub(crate) struct Call {
    device: Device,
    executor: *mut aclOpExecutor,
    launch: Launch,
    workspace: Option<Tensor>,
    workspace_size: u64,
    tensors: Vec<*mut aclTensor>,
    scalars: Vec<*mut aclScalar>,
    /// The memory of the inputs and of the output.
    memory: Vec<Tensor>,
}

impl Call {
    /// Runs phase one.
    pub(crate) fn new(device: &Device, item: &Item, shape: &[usize]) -> Result<Self> {
        let elements: usize = shape.iter().product();
        let mut memory = Vec::new();
        let mut tensors = Vec::new();
        for input in item.inputs {
            let place = input.place(shape);
            let data = numbers(device, place.stored, input.dtype)?;
            tensors.push(describe(device, &place, &data)?);
            memory.push(data);
        }
        let out = Tensor::empty(device, [elements], item.out)?;
        tensors.push(describe(device, &Place::whole(shape), &out)?);
        memory.push(out);

        let mut call = Self {
            device: device.clone(),
            executor: ptr::null_mut(),
            launch: device.backend().operators().Add()?.launcher(),
            workspace: None,
            workspace_size: 0,
            tensors,
            scalars: Vec::new(),
            memory,
        };
        call.plan(item, elements)?;
        if call.workspace_size > 0 {
            call.workspace = Some(Tensor::empty(device, [call.workspace_size as usize], DType::U8)?);
        }
        device.synchronize()?;
        Ok(call)
    }

    fn plan(&mut self, item: &Item, elements: usize) -> Result<()> {
        // An executor whose plan the library keeps cannot be repeated.
        let _none = control::executor_cache(0);
        let operators = self.device.backend().operators();
        let (mut size, mut executor) = (0, ptr::null_mut());
        let (place, result) = (&raw mut size, &raw mut executor);
        // SAFETY: live descriptors, and valid places for the results.
        let status = unsafe {
            match (item.work, self.tensors.as_slice()) {
                (Work::Add, &[a, b, out]) => {
                    let (add, alpha) = (operators.Add()?, self.scalar(1i64, ACL_INT64)?);
                    self.launch = add.launcher();
                    add.get_workspace_size(a, b, alpha, out, place, result)
                }
                (Work::Mul, &[a, b, out]) => {
                    let mul = operators.Mul()?;
                    self.launch = mul.launcher();
                    mul.get_workspace_size(a, b, out, place, result)
                }
                (Work::Cast, &[from, to]) => {
                    let cast = operators.Cast()?;
                    self.launch = cast.launcher();
                    cast.get_workspace_size(from, code(item.out), to, place, result)
                }
                (Work::Arange, &[out]) => {
                    let arange = operators.Arange()?;
                    self.launch = arange.launcher();
                    let [start, end, step] = self.progression(item.out, elements)?;
                    arange.get_workspace_size(start, end, step, out, place, result)
                }
                _ => unreachable!("{} has another number of operands", item.name),
            }
        };
        self.expect(status, item.name);
        (self.workspace_size, self.executor) = (size, executor);
        // SAFETY: fresh from phase one.
        let status = unsafe { self.meta().aclSetAclOpExecutorRepeatable(executor)? };
        self.expect(status, item.name);
        Ok(())
    }

    /// Launches `times` times and waits for the last. So few launches wait at a time that the emulator leaves them to
    /// the thread that waits.
    pub(crate) fn run(&self, times: usize) -> Result<()> {
        batches(times).try_for_each(|launches| {
            (0..launches).for_each(|_| self.launch());
            self.wait()
        })
    }

    fn launch(&self) {
        let workspace = self.workspace.as_ref().map_or(ptr::null_mut(), Tensor::as_raw);
        let stream: aclrtStream = self.device.stream().as_raw();
        // SAFETY: a repeatable executor of this operator, with the workspace that it asked for.
        let status = unsafe { (self.launch)(workspace, self.workspace_size, self.executor, stream) };
        self.expect(status, "the launch");
    }

    fn wait(&self) -> Result<()> {
        let stream: aclrtStream = self.device.stream().as_raw();
        // SAFETY: a live stream.
        let status = unsafe { self.device.backend().runtime().aclrtSynchronizeStream(stream)? };
        assert_eq!(status, 0, "the synchronisation failed");
        Ok(())
    }

    /// Returns the bytes of the inputs.
    pub(crate) fn inputs(&self) -> Result<Vec<Vec<u8>>> {
        let inputs = self.memory.split_last().map_or(&[][..], |(_, inputs)| inputs);
        inputs.iter().map(Tensor::to_bytes).collect()
    }

    /// Returns the elements of the output.
    pub(crate) fn result(&self) -> Tensor {
        self.memory[self.memory.len() - 1].clone()
    }

    fn meta(&self) -> &Meta {
        self.device.backend().meta()
    }

    /// Returns the start, the end and the step of a range; the steps are small enough for the type to hold the end.
    fn progression(&mut self, dtype: DType, elements: usize) -> Result<[*mut aclScalar; 3]> {
        if dtype == DType::I64 {
            let [start, end, step] = [0, elements as i64, 1].map(|number| self.scalar(number, ACL_INT64));
            return Ok([start?, end?, step?]);
        }
        let step = if dtype == DType::F32 { 1.0 } else { 1.0 / 1024.0 };
        let [start, end, step] =
            [0.0, elements as f32 * step, step].map(|number| self.scalar(number, ACL_FLOAT));
        Ok([start?, end?, step?])
    }

    /// Makes a scalar of a number, whose type the code must name.
    fn scalar<T>(&mut self, mut number: T, code: aclDataType) -> Result<*mut aclScalar> {
        // SAFETY: the callers pass an i64 or an f32 with its code.
        let scalar = unsafe { self.meta().aclCreateScalar((&raw mut number).cast(), code)? };
        self.scalars.push(scalar);
        Ok(scalar)
    }

    fn expect(&self, status: aclnnStatus, what: &str) {
        assert_eq!(status, 0, "{what} failed");
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        // SAFETY: made by `new`; no launch is under way, since `run` waits.
        unsafe {
            let _ = self.meta().aclDestroyAclOpExecutor(self.executor);
            for tensor in &self.tensors {
                let _ = self.meta().aclDestroyTensor(*tensor);
            }
            for scalar in &self.scalars {
                let _ = self.meta().aclDestroyScalar(*scalar);
            }
        }
    }
}

/// Returns random numbers between -100 and 100, converted to a type.
fn numbers(device: &Device, count: usize, dtype: DType) -> Result<Tensor> {
    let mut random = fastrand::Rng::with_seed(1);
    let numbers: Vec<f32> = (0..count).map(|_| random.f32() * 200.0 - 100.0).collect();
    Tensor::from_slice(device, &numbers, [count])?.cast(dtype)
}

fn describe(device: &Device, place: &Place, data: &Tensor) -> Result<*mut aclTensor> {
    let (rank, stored) = (place.dims.len() as u64, [place.stored as i64]);
    // SAFETY: arrays of these lengths, and memory of `stored` elements.
    let tensor = unsafe {
        device.backend().meta().aclCreateTensor(
            place.dims.as_ptr(),
            rank,
            code(data.dtype()),
            place.strides.as_ptr(),
            0,
            ACL_FORMAT_ND,
            stored.as_ptr(),
            1,
            data.as_raw(),
        )?
    };
    assert!(!tensor.is_null(), "the tensor is refused");
    Ok(tensor)
}

fn code(dtype: DType) -> aclDataType {
    aclDataType(dtype.acl_code().unwrap_or(-1))
}
