//! `aclIntArray`, `aclFloatArray`, `aclBoolArray`: values on the host, copied when the array is made.

use aclnn_sys::{ACLNN_ERR_PARAM_NULLPTR, aclBoolArray, aclFloatArray, aclIntArray, aclnnStatus};

use super::handle_codes::dangling;
use crate::entry::{Array, Handle, Out, entry_points};
use crate::handle::{Kind, Registry, to_pointer};
use crate::status::Result;

pub(crate) static INT_ARRAYS: Registry<Vec<i64>> = Registry::new(Kind::IntArray);
pub(crate) static FLOAT_ARRAYS: Registry<Vec<f32>> = Registry::new(Kind::FloatArray);
/// Bytes, because C may pass any value; every byte but zero is true.
pub(crate) static BOOL_ARRAYS: Registry<Vec<u8>> = Registry::new(Kind::BoolArray);

/// Null or no values make an empty array, as in CANN.
fn create<T: Copy, C>(registry: &Registry<Vec<T>>, values: &Array<T>, size: u64) -> Result<*mut C> {
    Ok(to_pointer(registry.insert(values.read(size).unwrap_or_default())))
}

fn destroy<T, H>(registry: &Registry<Vec<T>>, array: &Handle<H>) -> Result {
    if array.0 != 0 {
        registry.remove(array.0).map_err(|why| dangling("array", why))?;
    }
    Ok(())
}

fn size<T, H>(registry: &Registry<Vec<T>>, array: &Handle<H>, size: Out<u64>) -> Result {
    let array = registry.get(array.0).map_err(|why| dangling("array", why))?;
    size.required("size", ACLNN_ERR_PARAM_NULLPTR)?.write(array.len() as u64);
    Ok(())
}

entry_points! {
    SYMBOLS:

    fn aclCreateIntArray(value: Array<i64>, size: u64) -> *mut aclIntArray {
        create(&INT_ARRAYS, &value, size)
    }

    fn aclCreateFloatArray(value: Array<f32>, size: u64) -> *mut aclFloatArray {
        create(&FLOAT_ARRAYS, &value, size)
    }

    fn aclCreateBoolArray(value: Array<bool>, size: u64) -> *mut aclBoolArray {
        create(&BOOL_ARRAYS, &value.as_bytes(), size)
    }

    fn aclDestroyIntArray(array: Handle<*const aclIntArray>) -> aclnnStatus {
        destroy(&INT_ARRAYS, &array)
    }

    fn aclDestroyFloatArray(array: Handle<*const aclFloatArray>) -> aclnnStatus {
        destroy(&FLOAT_ARRAYS, &array)
    }

    fn aclDestroyBoolArray(array: Handle<*const aclBoolArray>) -> aclnnStatus {
        destroy(&BOOL_ARRAYS, &array)
    }

    fn aclGetIntArraySize(array: Handle<*const aclIntArray>, size: Out<u64>) -> aclnnStatus {
        self::size(&INT_ARRAYS, &array, size)
    }

    fn aclGetFloatArraySize(array: Handle<*const aclFloatArray>, size: Out<u64>) -> aclnnStatus {
        self::size(&FLOAT_ARRAYS, &array, size)
    }

    fn aclGetBoolArraySize(array: Handle<*const aclBoolArray>, size: Out<u64>) -> aclnnStatus {
        self::size(&BOOL_ARRAYS, &array, size)
    }
}
