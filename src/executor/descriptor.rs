//! Descriptors of arguments for the library: made for a call, and destroyed with the value that uses them.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use aclnn_numerics::{Layout, Shape};
use aclnn_sys::{Meta, MissingSymbol, aclDataType, aclFormat};
use smallvec::SmallVec;

use crate::device_core::DeviceCore;
use crate::error::Result;
use crate::fork;
use crate::scalar::Scalar;

/// An `aclTensor`, `aclScalar`, array or list that this crate owns.
///
/// A descriptor does not keep its tensor: the call ensures that the tensor's memory outlives the work that uses it.
pub(crate) struct Descriptor {
    raw: NonNull<c_void>,
    kind: Kind,
    core: Arc<DeviceCore>,
}

#[derive(Clone, Copy)]
enum Kind {
    Tensor,
    Scalar,
    Ints,
    Floats,
    Bools,
    /// A list of tensors, destroyed with its tensors.
    Tensors,
    /// A list of scalars, destroyed with its scalars.
    Scalars,
    /// An item of a list, which destroys it.
    Listed,
}

// SAFETY: a handle, which the library takes on every thread; only who owns it uses it.
unsafe impl Send for Descriptor {}

impl Descriptor {
    /// Describes a tensor whose buffer of `capacity` elements lies at `address`. Only launches use the address.
    pub(crate) fn tensor(
        core: &Arc<DeviceCore>,
        dtype: aclDataType,
        layout: &Layout,
        capacity: usize,
        address: *mut c_void,
    ) -> Result<Self> {
        let sizes = layout.shape().iter().map(|&size| size as i64).collect::<SmallVec<[i64; 8]>>();
        let strides = layout.strides().iter().map(|&stride| stride as i64).collect::<SmallVec<[i64; 8]>>();
        let storage = [capacity as i64];
        // SAFETY: every array has the number of elements that is given, and is copied. The address is only kept.
        let raw = unsafe {
            meta(core).aclCreateTensor(
                sizes.as_ptr(),
                sizes.len() as u64,
                dtype,
                strides.as_ptr(),
                layout.offset() as i64,
                aclFormat::of_rank(sizes.len()),
                storage.as_ptr(),
                1,
                address,
            )
        };
        Self::new(core, Kind::Tensor, "aclCreateTensor", raw)
    }

    /// Describes a scalar, whose type is `dtype`.
    pub(crate) fn scalar(core: &Arc<DeviceCore>, scalar: &Scalar, dtype: aclDataType) -> Result<Self> {
        let mut value = [0u64; 2];
        for (to, &from) in bytemuck::bytes_of_mut(&mut value).iter_mut().zip(scalar.as_bytes()) {
            *to = from;
        }
        // SAFETY: sixteen aligned bytes hold the widest value; it is copied.
        let raw = unsafe { meta(core).aclCreateScalar(value.as_mut_ptr().cast(), dtype) };
        Self::new(core, Kind::Scalar, "aclCreateScalar", raw)
    }

    pub(crate) fn ints(core: &Arc<DeviceCore>, values: &[i64]) -> Result<Self> {
        // SAFETY: as many values as are given, and they are copied.
        let raw = unsafe { meta(core).aclCreateIntArray(values.as_ptr(), values.len() as u64) };
        Self::new(core, Kind::Ints, "aclCreateIntArray", raw)
    }

    pub(crate) fn floats(core: &Arc<DeviceCore>, values: &[f32]) -> Result<Self> {
        // SAFETY: as above.
        let raw = unsafe { meta(core).aclCreateFloatArray(values.as_ptr(), values.len() as u64) };
        Self::new(core, Kind::Floats, "aclCreateFloatArray", raw)
    }

    pub(crate) fn bools(core: &Arc<DeviceCore>, values: &[bool]) -> Result<Self> {
        // SAFETY: as above.
        let raw = unsafe { meta(core).aclCreateBoolArray(values.as_ptr(), values.len() as u64) };
        Self::new(core, Kind::Bools, "aclCreateBoolArray", raw)
    }

    /// Makes a list of tensors, which takes over their descriptors.
    pub(crate) fn tensors(core: &Arc<DeviceCore>, tensors: Vec<Self>) -> Result<Self> {
        let raw: Vec<_> = tensors.iter().map(|tensor| tensor.raw.as_ptr().cast_const().cast()).collect();
        // SAFETY: live descriptors, as many as are given; from here on they are the list's.
        let list = unsafe { meta(core).aclCreateTensorList(raw.as_ptr(), raw.len() as u64) };
        let list = Self::new(core, Kind::Tensors, "aclCreateTensorList", list)?;
        tensors.into_iter().for_each(Self::give_away);
        Ok(list)
    }

    /// Makes a list of scalars, which takes over their descriptors.
    pub(crate) fn scalars(core: &Arc<DeviceCore>, scalars: Vec<Self>) -> Result<Self> {
        let raw: Vec<_> = scalars.iter().map(|scalar| scalar.raw.as_ptr().cast_const().cast()).collect();
        // SAFETY: as above.
        let list = unsafe { meta(core).aclCreateScalarList(raw.as_ptr(), raw.len() as u64) };
        let list = Self::new(core, Kind::Scalars, "aclCreateScalarList", list)?;
        scalars.into_iter().for_each(Self::give_away);
        Ok(list)
    }

    /// Gives the descriptor to a list, which owns it from now on.
    fn give_away(mut self) {
        self.kind = Kind::Listed;
    }

    /// Takes over a descriptor that the library made.
    fn new<T>(
        core: &Arc<DeviceCore>,
        kind: Kind,
        function: &'static str,
        raw: Result<*mut T, MissingSymbol>,
    ) -> Result<Self> {
        match NonNull::new(raw?.cast()) {
            Some(raw) => Ok(Self { raw, kind, core: core.clone() }),
            None => Err(core.backend().acl().failed(function, None).into()),
        }
    }

    /// Returns the sizes of a tensor as they are now: a call may have set them.
    pub(crate) fn sizes(&self) -> Result<Shape> {
        let (mut sizes, mut count) = (ptr::null_mut(), 0);
        // SAFETY: a live descriptor of a tensor, and valid places.
        let code =
            unsafe { meta(&self.core).aclGetViewShape(self.raw.as_ptr().cast(), &mut sizes, &mut count) };
        self.core.backend().acl().check("aclGetViewShape", code)?;
        let count = usize::try_from(count).unwrap_or(0);
        let mut shape = SmallVec::<[usize; 8]>::new();
        if !sizes.is_null() {
            // SAFETY: the library wrote the address of an array of so many numbers, which is the caller's.
            let sizes = unsafe { std::slice::from_raw_parts(sizes, count) };
            shape.extend(sizes.iter().map(|&size| usize::try_from(size).unwrap_or(0)));
        }
        #[cfg(unix)]
        // SAFETY: allocated by the `new[]` of C++ for the caller, which takes memory from `malloc`; not used again.
        unsafe {
            libc::free(sizes.cast());
        }
        Ok(Shape::from(&shape[..]))
    }

    pub(crate) fn is_tensor(&self) -> bool {
        matches!(self.kind, Kind::Tensor)
    }

    pub(crate) fn as_raw(&self) -> *mut c_void {
        self.raw.as_ptr()
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        if fork::is_forked() {
            return;
        }
        let (meta, raw) = (meta(&self.core), self.raw.as_ptr());
        // SAFETY: the library made it as this kind, and the call that used it has returned. Of a tensor only the descriptor
        // goes, not the memory.
        let (function, code) = unsafe {
            match self.kind {
                Kind::Tensor => ("aclDestroyTensor", meta.aclDestroyTensor(raw.cast())),
                Kind::Scalar => ("aclDestroyScalar", meta.aclDestroyScalar(raw.cast())),
                Kind::Ints => ("aclDestroyIntArray", meta.aclDestroyIntArray(raw.cast())),
                Kind::Floats => ("aclDestroyFloatArray", meta.aclDestroyFloatArray(raw.cast())),
                Kind::Bools => ("aclDestroyBoolArray", meta.aclDestroyBoolArray(raw.cast())),
                Kind::Tensors => ("aclDestroyTensorList", meta.aclDestroyTensorList(raw.cast())),
                Kind::Scalars => ("aclDestroyScalarList", meta.aclDestroyScalarList(raw.cast())),
                Kind::Listed => return,
            }
        };
        let destroyed = self.core.backend().acl().check(function, code);
        self.core.defer("the description of an operand", destroyed);
    }
}

fn meta(core: &DeviceCore) -> &Meta {
    core.backend().meta()
}

/// The descriptors of a call, one place for each argument.
pub struct Descriptors(pub(crate) SmallVec<[Option<Described>; 6]>);

/// The target of a pointer that is passed to the library.
pub(crate) enum Described {
    Object(Descriptor),
    /// A text with its zero byte.
    Text(Box<[Cell<u8>]>),
}

impl Descriptors {
    /// Returns null if there is none, which the library refuses.
    pub(crate) fn get(&self, index: usize) -> *mut c_void {
        match self.0.get(index).and_then(Option::as_ref) {
            Some(Described::Object(descriptor)) => descriptor.as_raw(),
            Some(Described::Text(text)) => text.as_ptr().cast_mut().cast(),
            None => ptr::null_mut(),
        }
    }

    /// Returns the descriptor of an argument, if it has one.
    pub(crate) fn object(&self, index: usize) -> Option<&Descriptor> {
        match self.0.get(index)? {
            Some(Described::Object(descriptor)) => Some(descriptor),
            _ => None,
        }
    }

    /// Returns the descriptors of tensors, in the order of the arguments, if there are no lists.
    pub(crate) fn tensors(&self) -> impl Iterator<Item = &Descriptor> {
        self.0.iter().flatten().filter_map(|described| match described {
            Described::Object(descriptor) if descriptor.is_tensor() => Some(descriptor),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, Device, Tensor};

    #[test]
    fn a_list_leaves_nothing_behind() -> Result<()> {
        let device = Device::of_unknown_product()?;
        let (core, dtype, layout) = (device.core(), aclnn_sys::ACL_FLOAT, Layout::contiguous([2]));
        let tensor = Tensor::zeros(&device, [2], DType::F32)?;
        let kept = Arc::strong_count(core);
        let listed = || Descriptor::tensor(core, dtype, &layout, 2, tensor.as_raw());
        drop(Descriptor::tensors(core, vec![listed()?, listed()?])?);
        assert_eq!(Arc::strong_count(core), kept);
        Ok(())
    }
}
