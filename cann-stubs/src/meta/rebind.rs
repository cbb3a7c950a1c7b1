//! New addresses for the tensors of a repeatable executor.
//!
//! Every planned operator of the emulator is composite in CANN's terms: the tensor itself names the slot, and the
//! index is ignored. Each function exists under two spellings.

use std::ffi::c_void;

use aclnn_sys::{
    ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, aclOpExecutor, aclTensor, aclTensorList, aclnnStatus,
};

use super::executor;
use super::handle_codes::dangling;
use super::list::TENSOR_LISTS;
use super::tensor::TENSORS;
use crate::entry::{Handle, entry_points};
use crate::handle::Dangling;
use crate::status::{Result, Status};

/// The tensor changes before the executor is looked at, as in CANN.
fn set(
    executor: &Handle<*mut aclOpExecutor>,
    tensor: &Handle<*mut aclTensor>,
    address: &Handle<*mut c_void>,
) -> Result {
    let set = TENSORS.with(tensor.0, |tensor| tensor.set_address(address.0));
    set.map_err(|why| match why {
        Dangling::Null => Status::new(ACLNN_ERR_INNER_NULLPTR, "tensor is null"),
        why => dangling("tensor", why),
    })?;
    executor::check(executor)
}

fn set_element(
    executor: &Handle<*mut aclOpExecutor>,
    index: usize,
    tensors: &Handle<*mut aclTensorList>,
    address: &Handle<*mut c_void>,
) -> Result {
    let list = TENSOR_LISTS.get(tensors.0).map_err(|why| match why {
        Dangling::Null => Status::new(ACLNN_ERR_INNER_NULLPTR, "tensors is null"),
        why => dangling("tensors", why),
    })?;
    let &element = list.get(index).ok_or_else(|| {
        let message = format!("relativeIndex is {index}, but the list has {} tensors", list.len());
        Status::new(ACLNN_ERR_PARAM_INVALID, message)
    })?;
    let set = TENSORS.with(element, |tensor| tensor.set_address(address.0));
    set.map_err(|why| dangling("the list's tensor", why))?;
    executor::check(executor)
}

macro_rules! setters {
    ($($one:ident)* ; $($element:ident)*) => {
        entry_points! {
            SYMBOLS:
            $(fn $one(
                executor: Handle<*mut aclOpExecutor>, index: usize, tensor: Handle<*mut aclTensor>,
                addr: Handle<*mut c_void>
            ) -> aclnnStatus {
                let _ = index;
                set(&executor, &tensor, &addr)
            })*
            $(fn $element(
                executor: Handle<*mut aclOpExecutor>, irIndex: usize, relativeIndex: usize,
                tensors: Handle<*mut aclTensorList>, addr: Handle<*mut c_void>
            ) -> aclnnStatus {
                let _ = irIndex;
                set_element(&executor, relativeIndex, &tensors, &addr)
            })*
        }
    };
}

setters! {
    aclSetInputTensorAddr aclSetOutputTensorAddr aclSetTensorAddr
    AclSetInputTensorAddr AclSetOutputTensorAddr AclSetTensorAddr;
    aclSetDynamicInputTensorAddr aclSetDynamicOutputTensorAddr aclSetDynamicTensorAddr
    AclSetDynamicInputTensorAddr AclSetDynamicOutputTensorAddr AclSetDynamicTensorAddr
}
