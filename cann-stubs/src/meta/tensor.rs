//! `aclTensor`: dtype, view and storage over borrowed device memory.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use aclnn_numerics::{DType, Layout, Shape};
use aclnn_sys::{ACLNN_ERR_INNER, ACLNN_ERR_PARAM_NULLPTR, aclDataType, aclFormat, aclTensor, aclnnStatus};
use smallvec::SmallVec;

use super::dangling;
use crate::entry::{Array, Handle, Out, entry_points};
use crate::handle::{Kind, Registry, to_pointer};
use crate::status::{Result, Status};

/// Sizes or strides of a tensor; inline up to the rank that operators accept.
pub(crate) type Axes = SmallVec<[i64; 8]>;

pub(crate) static TENSORS: Registry<Tensor> = Registry::new(Kind::Tensor);

/// A tensor descriptor; C may change it between calls.
pub(crate) struct Tensor {
    description: RwLock<Arc<Description>>,
    /// Where the storage begins, in device memory.
    address: AtomicUsize,
}

/// What a descriptor says of its elements.
#[derive(Debug)]
pub(crate) struct Description {
    pub(crate) dtype: aclDataType,
    pub(crate) format: aclFormat,
    /// The sizes of the view.
    pub(crate) dims: Axes,
    /// In elements.
    pub(crate) strides: Axes,
    /// In elements, from the start of the storage.
    pub(crate) offset: i64,
    pub(crate) storage: Axes,
    /// The sizes as a shape; `None` when one is negative.
    pub(crate) shape: Option<Shape>,
    /// Whether the elements lie one after the other.
    pub(crate) is_contiguous: bool,
}

impl Tensor {
    pub(crate) fn describe(&self) -> Arc<Description> {
        Arc::clone(&self.description.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn address(&self) -> usize {
        self.address.load(Ordering::Acquire)
    }

    pub(crate) fn set_address(&self, address: usize) {
        self.address.store(address, Ordering::Release);
    }
}

impl Description {
    fn new(
        dtype: aclDataType,
        format: aclFormat,
        dims: Axes,
        strides: Option<Axes>,
        offset: i64,
        storage: Axes,
    ) -> Self {
        let sizes: Option<SmallVec<[usize; 8]>> =
            dims.iter().map(|size| usize::try_from(*size).ok()).collect();
        let shape = sizes.map(|sizes| Shape::from(&sizes[..]));
        let strides = strides.unwrap_or_else(|| contiguous(&dims));
        let is_contiguous = shape.as_ref().is_some_and(|shape| {
            let strides: SmallVec<[isize; 8]> = strides.iter().map(|stride| *stride as isize).collect();
            Layout::new(shape.clone(), &strides, 0).is_ok_and(|layout| layout.is_contiguous())
        });
        Description { dtype, format, dims, strides, offset, storage, shape, is_contiguous }
    }

    /// The element type, when it is one of CANN's.
    pub(crate) fn known_dtype(&self) -> Option<DType> {
        DType::from_acl_code(self.dtype.0)
    }
}

/// The tensor behind an argument called `name`.
pub(crate) fn resolve<T>(handle: &Handle<T>, name: &str) -> Result<Arc<Tensor>> {
    TENSORS.get(handle.0).map_err(|why| dangling(name, why))
}

/// Row-major strides of `shape`, in elements.
fn contiguous(shape: &[i64]) -> Axes {
    let mut strides: Axes = SmallVec::from_elem(1, shape.len());
    let mut step = 1_i64;
    for (stride, size) in strides.iter_mut().zip(shape).rev() {
        *stride = step;
        step = step.saturating_mul((*size).max(1));
    }
    strides
}

/// The sizes that C passed as pointer and count; null is allowed only for no sizes at all.
fn axes(values: &Array<i64>, count: u64, name: &str) -> Result<Axes> {
    if count == 0 {
        return Ok(Axes::new());
    }
    let missing =
        || Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("{name} is null, but counts {count} sizes"));
    values.read(count).map(Axes::from_vec).ok_or_else(missing)
}

/// An array that `delete[]` of the usual allocator releases: the caller owns it.
fn hand_out(values: &[i64]) -> Result<*mut i64> {
    use std::alloc::{GlobalAlloc, Layout, System};
    let out_of_memory = || Status::new(ACLNN_ERR_INNER, "out of host memory");
    let layout = Layout::array::<i64>(values.len().max(1)).map_err(|_| out_of_memory())?;
    // SAFETY: the layout has at least eight bytes. The system allocator is C's for this alignment.
    let place = unsafe { System.alloc(layout) }.cast::<i64>();
    if place.is_null() {
        return Err(out_of_memory());
    }
    // SAFETY: `place` has room for `values.len()` elements and is fresh.
    unsafe { place.copy_from_nonoverlapping(values.as_ptr(), values.len()) };
    Ok(place)
}

/// Answers a getter of an array of sizes.
fn get_axes(
    tensor: &Handle<*const aclTensor>,
    axes: impl FnOnce(&Description) -> &Axes,
    values: Out<*mut i64>,
    count: Out<u64>,
    names: [&str; 2],
) -> Result {
    let description = resolve(tensor, "tensor")?.describe();
    let values = values.required(names[0], ACLNN_ERR_PARAM_NULLPTR)?;
    let count = count.required(names[1], ACLNN_ERR_PARAM_NULLPTR)?;
    let axes = axes(&description);
    values.write(hand_out(axes)?);
    count.write(axes.len() as u64);
    Ok(())
}

entry_points! {
    SYMBOLS:

    fn aclCreateTensor(
        viewDims: Array<i64>, viewDimsNum: u64, dataType: aclDataType, stride: Array<i64>, offset: i64,
        format: aclFormat, storageDims: Array<i64>, storageDimsNum: u64, tensorData: Handle<*mut c_void>
    ) -> *mut aclTensor {
        let dims = axes(&viewDims, viewDimsNum, "viewDims")?;
        let strides = stride.read(viewDimsNum).map(Axes::from_vec);
        let storage = axes(&storageDims, storageDimsNum, "storageDims")?;
        let description = Description::new(dataType, format, dims, strides, offset, storage);
        let description = RwLock::new(Arc::new(description));
        Ok(to_pointer(TENSORS.insert(Tensor { description, address: AtomicUsize::new(tensorData.0) })))
    }

    fn aclInitTensor(
        tensor: Handle<*mut aclTensor>, viewDims: Array<i64>, viewDimsNum: u64, dataType: aclDataType,
        stride: Array<i64>, offset: i64, format: aclFormat, storageDims: Array<i64>, storageDimsNum: u64,
        tensorDataAddr: Handle<*mut c_void>
    ) -> aclnnStatus {
        let tensor = resolve(&tensor, "tensor")?;
        let old = tensor.describe();
        let strides = stride.read(viewDimsNum).map(Axes::from_vec);
        let (dims, strides) = match viewDims.read(viewDimsNum) {
            Some(dims) => (Axes::from_vec(dims), strides),
            None => (old.dims.clone(), Some(old.strides.clone())),
        };
        let storage = storageDims.read(storageDimsNum).map_or_else(|| old.storage.clone(), Axes::from_vec);
        let description = Description::new(dataType, format, dims, strides, offset, storage);
        *tensor.description.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(description);
        if tensorDataAddr.0 != 0 {
            tensor.set_address(tensorDataAddr.0);
        }
        Ok(())
    }

    fn aclDestroyTensor(tensor: Handle<*const aclTensor>) -> aclnnStatus {
        if tensor.0 != 0 {
            TENSORS.remove(tensor.0).map_err(|why| dangling("tensor", why))?;
        }
        Ok(())
    }

    fn aclGetViewShape(
        tensor: Handle<*const aclTensor>, viewDims: Out<*mut i64>, viewDimsNum: Out<u64>
    ) -> aclnnStatus {
        get_axes(&tensor, |description| &description.dims, viewDims, viewDimsNum, ["viewDims", "viewDimsNum"])
    }

    fn aclGetStorageShape(
        tensor: Handle<*const aclTensor>, storageDims: Out<*mut i64>, storageDimsNum: Out<u64>
    ) -> aclnnStatus {
        let names = ["storageDims", "storageDimsNum"];
        get_axes(&tensor, |description| &description.storage, storageDims, storageDimsNum, names)
    }

    fn aclGetViewStrides(
        tensor: Handle<*const aclTensor>, stridesValue: Out<*mut i64>, stridesNum: Out<u64>
    ) -> aclnnStatus {
        let names = ["stridesValue", "stridesNum"];
        get_axes(&tensor, |description| &description.strides, stridesValue, stridesNum, names)
    }

    fn aclGetViewOffset(tensor: Handle<*const aclTensor>, offset: Out<i64>) -> aclnnStatus {
        let tensor = resolve(&tensor, "tensor")?;
        offset.required("offset", ACLNN_ERR_PARAM_NULLPTR)?.write(tensor.describe().offset);
        Ok(())
    }

    fn aclGetFormat(tensor: Handle<*const aclTensor>, format: Out<aclFormat>) -> aclnnStatus {
        let tensor = resolve(&tensor, "tensor")?;
        format.required("format", ACLNN_ERR_PARAM_NULLPTR)?.write(tensor.describe().format);
        Ok(())
    }

    fn aclGetDataType(tensor: Handle<*const aclTensor>, dataType: Out<aclDataType>) -> aclnnStatus {
        let description = resolve(&tensor, "tensor")?.describe();
        let known = description.known_dtype().and_then(DType::acl_code).unwrap_or(-1);
        dataType.required("dataType", ACLNN_ERR_PARAM_NULLPTR)?.write(aclDataType(known));
        Ok(())
    }

    fn aclGetRawTensorAddr(tensor: Handle<*const aclTensor>, addr: Out<*mut c_void>) -> aclnnStatus {
        let tensor = resolve(&tensor, "tensor")?;
        addr.required("addr", ACLNN_ERR_PARAM_NULLPTR)?.write(to_pointer(tensor.address()));
        Ok(())
    }

    fn aclSetRawTensorAddr(tensor: Handle<*mut aclTensor>, addr: Handle<*mut c_void>) -> aclnnStatus {
        resolve(&tensor, "tensor")?.set_address(addr.0);
        Ok(())
    }
}
