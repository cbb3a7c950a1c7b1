//! `aclTensor`: dtype, view and storage over borrowed device memory.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use aclnn_numerics::{DType, Shape};
use aclnn_sys::{
    ACL_DT_UNDEFINED, ACL_FORMAT_UNDEFINED, ACLNN_ERR_INNER, ACLNN_ERR_PARAM_NULLPTR, aclDataType, aclFormat,
    aclTensor, aclnnStatus,
};
use smallvec::SmallVec;

use super::dangling::dangling;
use crate::entry::{Array, Handle, Out, entry_points};
use crate::handle::{Dangling, Kind, Registry, to_pointer};
use crate::status::{Result, Status};

/// Sizes or strides of a tensor; inline up to the rank that operators accept.
pub(crate) type Axes = SmallVec<[i64; 8]>;

pub(crate) static TENSORS: Registry<Tensor> = Registry::new(Kind::Tensor);

/// A tensor descriptor. C may give it another address, or put another descriptor behind its handle.
pub(crate) struct Tensor {
    pub(crate) description: Description,
    /// Where the storage begins, in device memory.
    address: AtomicUsize,
    /// Whether a handle names it. What was found by the handle still is what it names, as long as this holds.
    has_handle: AtomicBool,
}

/// What a descriptor says of its elements.
#[derive(Debug)]
pub(crate) struct Description {
    pub(crate) dtype: aclDataType,
    pub(crate) format: aclFormat,
    /// In elements, from the start of the storage.
    pub(crate) offset: i64,
    /// The number of axes of the view.
    rank: usize,
    /// The sizes of the view, its strides in elements, and the sizes of the storage: one after the other, since a program
    /// makes descriptors for every call.
    axes: SmallVec<[i64; 24]>,
    /// Differs for most descriptions that differ.
    hash: u64,
}

impl Tensor {
    /// A descriptor that is to be filled.
    fn blank() -> Self {
        Tensor::new(Description::new((ACL_DT_UNDEFINED, ACL_FORMAT_UNDEFINED), &[], &[], 0, &[]), 0)
    }

    fn new(description: Description, address: usize) -> Self {
        Tensor { description, address: AtomicUsize::new(address), has_handle: AtomicBool::new(true) }
    }

    pub(crate) fn has_handle(&self) -> bool {
        self.has_handle.load(Ordering::Acquire)
    }

    fn lose_handle(&self) {
        self.has_handle.store(false, Ordering::Release);
    }

    pub(crate) fn address(&self) -> usize {
        self.address.load(Ordering::Acquire)
    }

    pub(crate) fn set_address(&self, address: usize) {
        self.address.store(address, Ordering::Release);
    }
}

impl Description {
    /// There is a stride for each size.
    fn new(
        (dtype, format): (aclDataType, aclFormat),
        dims: &[i64],
        strides: &[i64],
        offset: i64,
        storage: &[i64],
    ) -> Self {
        debug_assert_eq!(dims.len(), strides.len());
        let axes = dims.iter().chain(strides).chain(storage).copied().collect();
        let mut description = Description { dtype, format, offset, rank: dims.len(), axes, hash: 0 };
        description.rehash();
        description
    }

    /// Makes it say what C passed.
    #[inline]
    fn tell(
        &mut self,
        (dtype, format): (aclDataType, aclFormat),
        (dims, strides, rank): (&Array<i64>, &Array<i64>, u64),
        offset: i64,
        (storage, count): (&Array<i64>, u64),
    ) {
        let (view, own_storage) = self.axes.split_at(2 * self.rank);
        let (own_dims, own_strides) = view.split_at(self.rank);
        // A program mostly describes again what it described before.
        let is_told = (self.dtype, self.format, self.offset) == (dtype, format, offset)
            && dims.holds(own_dims, rank)
            && strides.holds(own_strides, rank)
            && storage.holds(own_storage, count);
        if is_told {
            return;
        }
        let axes = &mut self.axes;
        axes.clear();
        dims.append_to(axes, rank);
        self.rank = axes.len();
        if !strides.append_to(axes, rank) {
            axes.resize(2 * self.rank, 0);
            let (dims, strides) = axes.split_at_mut(self.rank);
            fill_contiguous(dims, strides);
        }
        storage.append_to(axes, count);
        (self.dtype, self.format, self.offset) = (dtype, format, offset);
        self.rehash();
    }

    /// The sizes of the view.
    pub(crate) fn dims(&self) -> &[i64] {
        &self.axes[..self.rank]
    }

    /// In elements; one for each size.
    pub(crate) fn strides(&self) -> &[i64] {
        &self.axes[self.rank..2 * self.rank]
    }

    /// The sizes of the storage.
    pub(crate) fn storage(&self) -> &[i64] {
        &self.axes[2 * self.rank..]
    }

    /// Everything that it says, as numbers, and their hash.
    #[inline]
    pub(crate) fn words(&self) -> ([i64; 3], &[i64], u64) {
        let types = i64::from(self.dtype.0) << 32 ^ i64::from(self.format.0);
        ([types, self.offset, (self.rank << 32 ^ self.axes.len()) as i64], &self.axes, self.hash)
    }

    #[inline]
    fn rehash(&mut self) {
        let (first, axes, _) = self.words();
        // Each word is multiplied apart from the others, so that a processor does not wait for one after the other. The
        // words are few and made by the program itself, so a weak hash is enough.
        let (mut hash, mut odd) = (0_u64, 0x9e37_79b9_7f4a_7c15_u64);
        for word in first.iter().chain(axes) {
            let word = *word as u64;
            hash = hash.wrapping_add((word ^ odd).wrapping_mul(word.rotate_left(32).wrapping_add(odd)));
            odd = odd.wrapping_add(0xd1b5_4a32_d192_ed02);
        }
        self.hash = hash ^ hash >> 32;
    }

    /// The sizes as a shape; `None` when one is negative, or when more than `i64` counts would lie along them if no size were
    /// 0: then the product of any of the sizes can be counted.
    pub(crate) fn shape(&self) -> Option<Shape> {
        let count = |count: i64, &size: &i64| count.checked_mul(size.max(1)).filter(|_| size >= 0);
        self.dims().iter().try_fold(1, count)?;
        let sizes: SmallVec<[usize; 8]> = self.dims().iter().map(|size| *size as usize).collect();
        Some(Shape::from(&sizes[..]))
    }

    /// Whether the elements lie without gaps in row-major order, as `Layout::is_contiguous` says of sizes that are not
    /// negative.
    pub(crate) fn is_contiguous(&self) -> bool {
        let mut expected = 1_i64;
        let axes = self.dims().iter().zip(self.strides()).rev();
        let in_order = axes.filter(|(size, _)| **size != 1).all(|(size, stride)| {
            let fits = *stride == expected;
            expected = expected.saturating_mul(*size);
            fits
        });
        in_order || self.dims().contains(&0)
    }

    /// The element type, when it is one of CANN's.
    pub(crate) fn known_dtype(&self) -> Option<DType> {
        DType::from_acl_code(self.dtype.0)
    }
}

/// A tensor at no address with the elements of another one, which lie one after the other instead.
pub(crate) struct Contiguous(usize);

impl Contiguous {
    /// `None` if there is no such tensor, if it is contiguous, or if its storage lacks room.
    pub(crate) fn of(handle: usize) -> Option<Self> {
        let tensor = TENSORS.get(handle).ok()?;
        let description = &tensor.description;
        let (dims, storage, offset) = (description.dims(), description.storage(), description.offset);
        let [needed, room] =
            [dims, storage].map(|sizes| sizes.iter().fold(1_i64, |count, size| count.saturating_mul(*size)));
        if description.is_contiguous() || offset.saturating_add(needed) > room {
            return None;
        }
        let kind = (description.dtype, description.format);
        let description = Description::new(kind, dims, &contiguous(dims), offset, storage);
        Some(Contiguous(TENSORS.insert(Tensor::new(description, 0))))
    }

    pub(crate) fn handle(&self) -> usize {
        self.0
    }
}

impl Drop for Contiguous {
    fn drop(&mut self) {
        // No other value has the handle.
        let _ = destroy(self.0);
    }
}

/// Ends the handle of a tensor.
pub(super) fn destroy(handle: usize) -> std::result::Result<(), Dangling> {
    TENSORS.end(handle, Tensor::lose_handle)
}

/// Puts another descriptor behind the handle of a tensor.
fn replace(handle: usize, description: Description, address: usize) -> std::result::Result<(), Dangling> {
    TENSORS.replace(handle, Tensor::new(description, address)).map(|before| before.lose_handle())
}

/// The tensor behind an argument called `name`.
pub(crate) fn resolve<T>(handle: &Handle<T>, name: &str) -> Result<Arc<Tensor>> {
    TENSORS.get(handle.0).map_err(|why| dangling(name, why))
}

/// Gives a tensor sizes that are known only now, one element after the other. One that is gone by now needs none.
pub(crate) fn resize(handle: usize, dims: Axes) {
    let Ok(before) = TENSORS.get(handle) else { return };
    let old = &before.description;
    let types = (old.dtype, old.format);
    let description = Description::new(types, &dims, &contiguous(&dims), old.offset, old.storage());
    // Destroyed meanwhile.
    let _ = replace(handle, description, before.address());
}

/// Row-major strides of `shape`, in elements.
fn contiguous(shape: &[i64]) -> Axes {
    let mut strides: Axes = SmallVec::from_elem(1, shape.len());
    fill_contiguous(shape, &mut strides);
    strides
}

fn fill_contiguous(shape: &[i64], strides: &mut [i64]) {
    let mut step = 1_i64;
    for (stride, size) in strides.iter_mut().zip(shape).rev() {
        *stride = step;
        step = step.saturating_mul((*size).max(1));
    }
}

/// Refuses sizes that C passed as pointer and count; null is allowed only for no sizes at all.
fn must_have(values: &Array<i64>, count: u64, name: &str) -> Result {
    if count == 0 || values.has(count) {
        return Ok(());
    }
    Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("{name} is null, but counts {count} sizes")))
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
    axes: impl FnOnce(&Description) -> &[i64],
    values: Out<*mut i64>,
    count: Out<u64>,
    names: [&str; 2],
) -> Result {
    let tensor = resolve(tensor, "tensor")?;
    let values = values.required(names[0], ACLNN_ERR_PARAM_NULLPTR)?;
    let count = count.required(names[1], ACLNN_ERR_PARAM_NULLPTR)?;
    let axes = axes(&tensor.description);
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
        must_have(&viewDims, viewDimsNum, "viewDims")?;
        must_have(&storageDims, storageDimsNum, "storageDims")?;
        let handle = TENSORS.insert_filled(Tensor::blank, |tensor| {
            let (view, storage) = ((&viewDims, &stride, viewDimsNum), (&storageDims, storageDimsNum));
            tensor.description.tell((dataType, format), view, offset, storage);
            *tensor.address.get_mut() = tensorData.0;
            *tensor.has_handle.get_mut() = true;
        });
        Ok(to_pointer(handle))
    }

    fn aclInitTensor(
        tensor: Handle<*mut aclTensor>, viewDims: Array<i64>, viewDimsNum: u64, dataType: aclDataType,
        stride: Array<i64>, offset: i64, format: aclFormat, storageDims: Array<i64>, storageDimsNum: u64,
        tensorDataAddr: Handle<*mut c_void>
    ) -> aclnnStatus {
        let before = resolve(&tensor, "tensor")?;
        let old = &before.description;
        let strides: Option<Axes> = stride.collect(viewDimsNum);
        let (dims, strides) = match viewDims.collect::<Axes>(viewDimsNum) {
            Some(dims) => (dims, strides),
            None => (old.dims().into(), Some(old.strides().into())),
        };
        let strides = strides.unwrap_or_else(|| contiguous(&dims));
        let storage: Axes = storageDims.collect(storageDimsNum).unwrap_or_else(|| old.storage().into());
        let description = Description::new((dataType, format), &dims, &strides, offset, &storage);
        let address = if tensorDataAddr.0 != 0 { tensorDataAddr.0 } else { before.address() };
        replace(tensor.0, description, address).map_err(|why| dangling("tensor", why))
    }

    fn aclDestroyTensor(tensor: Handle<*const aclTensor>) -> aclnnStatus {
        if tensor.0 != 0 {
            destroy(tensor.0).map_err(|why| dangling("tensor", why))?;
        }
        Ok(())
    }

    fn aclGetViewShape(
        tensor: Handle<*const aclTensor>, viewDims: Out<*mut i64>, viewDimsNum: Out<u64>
    ) -> aclnnStatus {
        get_axes(&tensor, |description| description.dims(), viewDims, viewDimsNum, ["viewDims", "viewDimsNum"])
    }

    fn aclGetStorageShape(
        tensor: Handle<*const aclTensor>, storageDims: Out<*mut i64>, storageDimsNum: Out<u64>
    ) -> aclnnStatus {
        let names = ["storageDims", "storageDimsNum"];
        get_axes(&tensor, |description| description.storage(), storageDims, storageDimsNum, names)
    }

    fn aclGetViewStrides(
        tensor: Handle<*const aclTensor>, stridesValue: Out<*mut i64>, stridesNum: Out<u64>
    ) -> aclnnStatus {
        let names = ["stridesValue", "stridesNum"];
        get_axes(&tensor, |description| description.strides(), stridesValue, stridesNum, names)
    }

    fn aclGetViewOffset(tensor: Handle<*const aclTensor>, offset: Out<i64>) -> aclnnStatus {
        let tensor = resolve(&tensor, "tensor")?;
        offset.required("offset", ACLNN_ERR_PARAM_NULLPTR)?.write(tensor.description.offset);
        Ok(())
    }

    fn aclGetFormat(tensor: Handle<*const aclTensor>, format: Out<aclFormat>) -> aclnnStatus {
        let tensor = resolve(&tensor, "tensor")?;
        format.required("format", ACLNN_ERR_PARAM_NULLPTR)?.write(tensor.description.format);
        Ok(())
    }

    fn aclGetDataType(tensor: Handle<*const aclTensor>, dataType: Out<aclDataType>) -> aclnnStatus {
        let tensor = resolve(&tensor, "tensor")?;
        let known = tensor.description.known_dtype().and_then(DType::acl_code).unwrap_or(-1);
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

#[cfg(test)]
mod tests {
    use aclnn_numerics::Layout;

    use super::*;
    use crate::test_random::Random;

    #[test]
    fn a_descriptor_is_contiguous_where_its_layout_is() {
        let mut random = Random(5);
        let mut contiguous = 0;
        for _ in 0..20_000 {
            let dims: Axes = (0..random.below(4)).map(|_| random.below(4) as i64).collect();
            let mut strides = super::contiguous(&dims);
            if random.below(2) == 0 && !strides.is_empty() {
                let axis = random.below(strides.len());
                strides[axis] = random.below(9) as i64 - 2;
            }
            let (dtype, format) = (aclnn_sys::ACL_FLOAT, aclnn_sys::ACL_FORMAT_ND);
            let description = Description::new((dtype, format), &dims, &strides, 0, &[]);
            let steps: Vec<isize> = description.strides().iter().map(|stride| *stride as isize).collect();
            let layout = Layout::new(description.shape().unwrap(), &steps, 0).unwrap();
            assert_eq!(description.is_contiguous(), layout.is_contiguous(), "{description:?}");
            contiguous += usize::from(layout.is_contiguous());
        }
        assert!((5_000..19_000).contains(&contiguous), "{contiguous}");
    }
}
