//! The descriptors of the aclnn API: tensors, scalars, arrays, lists and executors.
//!
//! A descriptor describes and never owns device memory. Lists own their elements; an executor reads the addresses of
//! its tensors when it is launched, so the tensors must live until then.

pub(crate) mod address_cache;
pub(crate) mod array;
pub(crate) mod executor;
pub(crate) mod handle_codes;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod plan;
pub(crate) mod rebind;
pub(crate) mod scalar;
pub(crate) mod tensor;

use crate::check::live_objects::Live;
use crate::entry::{EntryPoint, plain_parameters};
use crate::handle::Registry;

plain_parameters! { aclnn_sys::aclDataType, aclnn_sys::aclFormat }

/// Every entry point of this module.
pub(crate) fn symbols() -> Vec<EntryPoint> {
    [
        array::SYMBOLS,
        executor::SYMBOLS,
        init::SYMBOLS,
        list::SYMBOLS,
        rebind::SYMBOLS,
        scalar::SYMBOLS,
        tensor::SYMBOLS,
    ]
    .concat()
}

/// Adds the live objects of this module.
pub(crate) fn live(all: &mut Vec<Live>) {
    fn add<T>(all: &mut Vec<Live>, kind: &'static str, objects: &Registry<T>) {
        all.extend(objects.live().into_iter().map(|(handle, _)| Live::new(kind, handle)));
    }
    add(all, "tensor", &tensor::TENSORS);
    add(all, "scalar", &scalar::SCALARS);
    add(all, "array of integers", &array::INT_ARRAYS);
    add(all, "array of floats", &array::FLOAT_ARRAYS);
    add(all, "array of truth values", &array::BOOL_ARRAYS);
    add(all, "list of tensors", &list::TENSOR_LISTS);
    add(all, "list of scalars", &list::SCALAR_LISTS);
    executor::live(all);
}
