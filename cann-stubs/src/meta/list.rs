//! `aclTensorList`, `aclScalarList`: lists that own their elements.

use aclnn_sys::{ACLNN_ERR_PARAM_NULLPTR, aclScalar, aclScalarList, aclTensor, aclTensorList, aclnnStatus};

use super::handle_codes::dangling;
use super::scalar::SCALARS;
use super::tensor;
use crate::entry::{Array, Handle, Out, entry_points};
use crate::handle::{Dangling, Kind, Registry, from_pointer, to_pointer};
use crate::status::Result;

/// A list holds the handles of its elements.
pub(crate) type List = Vec<usize>;

pub(crate) static TENSOR_LISTS: Registry<List> = Registry::new(Kind::TensorList);
pub(crate) static SCALAR_LISTS: Registry<List> = Registry::new(Kind::ScalarList);

fn create<T, C>(lists: &Registry<List>, value: &Array<*const T>, size: u64) -> Result<*mut C> {
    let elements = value.read(size).unwrap_or_default().into_iter().map(from_pointer).collect();
    Ok(to_pointer(lists.insert(elements)))
}

/// Destroys the list, and all its elements by `end`; an element that the caller destroyed before is reported.
fn destroy<H>(
    lists: &Registry<List>,
    end: impl Fn(usize) -> std::result::Result<(), Dangling>,
    list: &Handle<H>,
    what: &str,
) -> Result {
    if list.0 == 0 {
        return Ok(());
    }
    let list = lists.remove(list.0).map_err(|why| dangling("list", why))?;
    let mut outcome = Ok(());
    for (index, &element) in list.iter().enumerate().filter(|(_, element)| **element != 0) {
        if let Err(why) = end(element) {
            let status = dangling(&format!("{what} {index} of the list"), why);
            outcome = Err(status.with_hint("a list destroys what it holds, once: destroy the list alone"));
        }
    }
    outcome
}

fn size<H>(lists: &Registry<List>, list: &Handle<H>, size: Out<u64>) -> Result {
    let list = lists.get(list.0).map_err(|why| dangling("list", why))?;
    size.required("size", ACLNN_ERR_PARAM_NULLPTR)?.write(list.len() as u64);
    Ok(())
}

entry_points! {
    SYMBOLS:

    fn aclCreateTensorList(value: Array<*const aclTensor>, size: u64) -> *mut aclTensorList {
        create(&TENSOR_LISTS, &value, size)
    }

    fn aclCreateScalarList(value: Array<*const aclScalar>, size: u64) -> *mut aclScalarList {
        create(&SCALAR_LISTS, &value, size)
    }

    fn aclDestroyTensorList(array: Handle<*const aclTensorList>) -> aclnnStatus {
        destroy(&TENSOR_LISTS, tensor::destroy, &array, "tensor")
    }

    fn aclDestroyScalarList(array: Handle<*const aclScalarList>) -> aclnnStatus {
        destroy(&SCALAR_LISTS, |scalar| SCALARS.end(scalar, |_| ()), &array, "scalar")
    }

    fn aclGetTensorListSize(tensorList: Handle<*const aclTensorList>, size: Out<u64>) -> aclnnStatus {
        self::size(&TENSOR_LISTS, &tensorList, size)
    }

    fn aclGetScalarListSize(scalarList: Handle<*const aclScalarList>, size: Out<u64>) -> aclnnStatus {
        self::size(&SCALAR_LISTS, &scalarList, size)
    }
}
