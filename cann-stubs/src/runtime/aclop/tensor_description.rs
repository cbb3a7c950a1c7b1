//! Descriptions of tensors, as the older operator interface takes them.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aclnn_numerics::DType;
use aclnn_sys::{
    ACL_DT_UNDEFINED, ACL_FORMAT_UNDEFINED, ACL_MEMTYPE_DEVICE, ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT,
    ACL_UNKNOWN_RANK, aclDataType, aclFormat, aclMemType, aclTensorDesc,
};

use crate::entry::{Address, Array, Handle, Out, Text, entry_points, plain_parameters};
use crate::handle::{Kind, Registry, to_pointer};
use crate::runtime::code;
use crate::status::{Result, Status};

static DESCRIPTIONS: Registry<Mutex<Description>> = Registry::new(Kind::TensorDescription);

/// A tensor as the program describes it. Its name and its value have no effect: inputs are known by their places.
#[derive(Debug, Clone)]
pub(crate) struct Description {
    pub(crate) dtype: aclDataType,
    pub(crate) format: aclFormat,
    pub(crate) dims: Vec<i64>,
    /// Format and sizes in memory, where they were set.
    stored_format: Option<aclFormat>,
    stored_dims: Option<Vec<i64>>,
    /// Whether the elements lie in memory of the host.
    pub(crate) is_on_host: bool,
}

impl Description {
    /// The format in memory.
    pub(crate) fn stored_format(&self) -> aclFormat {
        self.stored_format.unwrap_or(self.format)
    }

    /// The sizes in memory.
    pub(crate) fn stored_dims(&self) -> &[i64] {
        self.stored_dims.as_ref().unwrap_or(&self.dims)
    }
}

/// The description behind a handle.
pub(super) fn of(handle: usize) -> Result<Description> {
    let found = DESCRIPTIONS.get(handle);
    let found = found.map_err(|why| Status::new(code::INVALID_PARAM, why.explain("desc")))?;
    Ok(lock(&found).clone())
}

impl Description {
    /// Bytes of all elements; 0 where the shape or the size of an element is not known.
    fn bytes(&self) -> usize {
        let count =
            self.dims.iter().try_fold(1_usize, |count, &dim| count.checked_mul(usize::try_from(dim).ok()?));
        let dtype = DType::from_acl_code(self.dtype.0).filter(|dtype| *dtype != DType::String);
        dtype.zip(count).and_then(|(dtype, count)| dtype.storage_bytes(count)).unwrap_or(0)
    }
}

fn find<T>(handle: &Handle<T>) -> Result<Arc<Mutex<Description>>> {
    DESCRIPTIONS.get(handle.0).map_err(|why| Status::new(code::INVALID_PARAM, why.explain("desc")))
}

fn lock(description: &Mutex<Description>) -> MutexGuard<'_, Description> {
    description.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a description, for functions that cannot fail.
fn told<T, R>(handle: &Handle<T>, read: impl FnOnce(&Description) -> R) -> Option<R> {
    find(handle).ok().map(|description| read(&lock(&description)))
}

fn sizes(count: i32, dims: &Array<i64>) -> Result<Vec<i64>> {
    let wrong = |message: String| Status::new(code::INVALID_PARAM, message);
    let length = u64::try_from(count).map_err(|_| wrong(format!("numDims is {count}")))?;
    let dims = if length == 0 { Some(Vec::new()) } else { dims.read(length) };
    let dims = dims.ok_or_else(|| wrong(format!("dims is null, numDims is {count}")))?;
    match dims.iter().find(|dim| **dim < ACL_UNKNOWN_RANK) {
        Some(dim) => Err(wrong(format!("dims has a size of {dim}"))),
        None => Ok(dims),
    }
}

plain_parameters! { aclMemType }

entry_points! { SYMBOLS:
    fn aclCreateTensorDesc(dtype: aclDataType, count: i32, dims: Array<i64>, format: aclFormat) -> *mut aclTensorDesc {
        let dims = sizes(count, &dims)?;
        let description =
            Description { dtype, format, dims, stored_format: None, stored_dims: None, is_on_host: false };
        Ok(to_pointer(DESCRIPTIONS.insert(Mutex::new(description))))
    }

    fn aclDestroyTensorDesc(description: Handle<*const aclTensorDesc>) -> () {
        // The interface has no place for an error.
        let _ = DESCRIPTIONS.remove(description.0);
    }

    fn aclGetTensorDescDimV2(description: Handle<*const aclTensorDesc>, axis: usize, size: Out<i64>) -> i32 {
        let place = size.required("dimSize", code::INVALID_PARAM)?;
        let description = find(&description)?;
        let dims = &lock(&description).dims;
        let message =
            || Status::new(code::INVALID_PARAM, format_args!("index is {axis}; the tensor has {} axes", dims.len()));
        place.write(*dims.get(axis).ok_or_else(message)?);
        Ok(())
    }

    fn aclGetTensorDescFormat(description: Handle<*const aclTensorDesc>) -> aclFormat {
        told(&description, |description| description.format).unwrap_or(ACL_FORMAT_UNDEFINED)
    }

    fn aclGetTensorDescNumDims(description: Handle<*const aclTensorDesc>) -> usize {
        told(&description, |description| description.dims.len()).unwrap_or(0)
    }

    fn aclGetTensorDescSize(description: Handle<*const aclTensorDesc>) -> usize {
        told(&description, Description::bytes).unwrap_or(0)
    }

    fn aclGetTensorDescType(description: Handle<*const aclTensorDesc>) -> aclDataType {
        told(&description, |description| description.dtype).unwrap_or(ACL_DT_UNDEFINED)
    }

    [stored] fn aclSetTensorConst(
        description: Handle<*mut aclTensorDesc>,
        value: Address<*mut c_void>,
        length: usize,
    ) -> i32 {
        find(&description)?;
        if length == 0 {
            return Err(Status::new(code::INVALID_PARAM, "length is 0"));
        }
        value.required("dataBuffer", code::INVALID_PARAM).map(drop)
    }

    [stored] fn aclSetTensorDescName(_description: Handle<*mut aclTensorDesc>, _name: Text) -> () {}

    fn aclSetTensorFormat(description: Handle<*mut aclTensorDesc>, format: aclFormat) -> i32 {
        lock(&*find(&description)?).stored_format = Some(format);
        Ok(())
    }

    fn aclSetTensorPlaceMent(description: Handle<*mut aclTensorDesc>, kind: aclMemType) -> i32 {
        if kind.0 > ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT.0 {
            return Err(Status::new(code::INVALID_PARAM, format_args!("memType {} is unknown", kind.0)));
        }
        lock(&*find(&description)?).is_on_host = kind != ACL_MEMTYPE_DEVICE;
        Ok(())
    }

    fn aclSetTensorShape(description: Handle<*mut aclTensorDesc>, count: i32, dims: Array<i64>) -> i32 {
        let description = find(&description)?;
        lock(&description).stored_dims = Some(sizes(count, &dims)?);
        Ok(())
    }

    [stored] fn aclSetTensorShapeRange(
        description: Handle<*mut aclTensorDesc>,
        count: usize,
        ranges: Out<[i64; 2]>,
    ) -> i32 {
        find(&description)?;
        let null = || Status::new(code::INVALID_PARAM, "dimsRange is null");
        ranges.into_array().read(count as u64).map(drop).ok_or_else(null)
    }
}
