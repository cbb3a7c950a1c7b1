//! `aclTensor`: dtype, view and storage over borrowed device memory.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use aclnn_numerics::{DType, Shape};
use aclnn_sys::{ACLNN_ERR_INNER, ACLNN_ERR_PARAM_NULLPTR, aclDataType, aclFormat, aclTensor, aclnnStatus};
use smallvec::SmallVec;

use super::handle_codes::dangling;
use crate::entry::{Array, Handle, Out, entry_points};
use crate::handle::{Dangling, Kind, Registry, to_pointer};
use crate::mapped::mapped;
use crate::status::{Result, Status};

/// Sizes or strides of a tensor; inline up to the rank that operators accept.
pub(crate) type Axes = SmallVec<[i64; 8]>;

pub(crate) static TENSORS: Registry<Tensor> = Registry::new(Kind::Tensor);

/// A tensor descriptor. C may give it another address, or put another descriptor behind its handle.
pub(crate) struct Tensor {
    pub(crate) description: Description,
    /// Where the storage begins, in device memory.
    address: AtomicUsize,
    /// The number of its last change by `aclSetRawTensorAddr`; 0 if there was none.
    raw_set: AtomicU64,
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
    identity: Identity,
}

/// A number that two descriptions share only if they say the same: 128 bits that depend on every bit of a description, so
/// that no two of a program have the same by accident.
pub(crate) type Identity = [u64; 2];

/// The elements of a new descriptor as C gives them: sizes and strides, which may be null, and the sizes of the storage.
struct Told {
    dtype: aclDataType,
    format: aclFormat,
    dims: Array<i64>,
    strides: Array<i64>,
    rank: u64,
    offset: i64,
    storage: Array<i64>,
    count: u64,
}

impl Tensor {
    /// The descriptor that C asks for.
    #[cold]
    fn of(told: &Told, address: usize) -> Self {
        let mut description = Description::new((told.dtype, told.format), &[], &[], 0, &[]);
        description.tell_anew(told);
        Tensor::new(description, address)
    }

    fn new(description: Description, address: usize) -> Self {
        let (address, has_handle) = (AtomicUsize::new(address), AtomicBool::new(true));
        Tensor { description, address, raw_set: AtomicU64::new(0), has_handle }
    }

    /// A descriptor without memory of elements that lie one after the other.
    pub(crate) fn described(dtype: DType, sizes: &[usize]) -> Self {
        let dims: Axes = mapped(sizes, |size| *size as i64);
        let mut strides: Axes = SmallVec::from_elem(0, dims.len());
        fill_contiguous(&dims, &mut strides);
        let types = (aclDataType(dtype.acl_code().unwrap_or(-1)), aclnn_sys::ACL_FORMAT_ND);
        Tensor::new(Description::new(types, &dims, &strides, 0, &dims), 0)
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

    /// Returns whether `aclSetRawTensorAddr` has changed it since [`raw_sets`] gave a number.
    pub(crate) fn was_set_raw_since(&self, number: u64) -> bool {
        self.raw_set.load(Ordering::Relaxed) > number
    }

    pub(crate) fn set_address(&self, address: usize) {
        self.address.store(address, Ordering::Release);
        self.raw_set.store(0, Ordering::Relaxed);
    }
}

/// How often `aclSetRawTensorAddr` has changed a tensor.
static RAW_SETS: AtomicU64 = AtomicU64::new(0);

/// A number that is higher after every `aclSetRawTensorAddr`.
#[inline]
pub(crate) fn raw_sets() -> u64 {
    RAW_SETS.load(Ordering::Relaxed)
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
        let mut description = Description { dtype, format, offset, rank: dims.len(), axes, identity: [0; 2] };
        description.identify();
        description
    }

    /// Makes it say what C passed.
    #[inline]
    fn tell(&mut self, told: &Told) {
        let (view, storage) = self.axes.split_at(2 * self.rank);
        let (dims, strides) = view.split_at(self.rank);
        // A program mostly describes again what it described before.
        let is_told = (self.dtype, self.format, self.offset) == (told.dtype, told.format, told.offset)
            && told.dims.holds(dims, told.rank)
            && told.strides.holds(strides, told.rank)
            && told.storage.holds(storage, told.count);
        if !is_told {
            self.tell_anew(told);
        }
    }

    #[cold]
    fn tell_anew(&mut self, told: &Told) {
        let axes = &mut self.axes;
        axes.clear();
        told.dims.append_to(axes, told.rank);
        self.rank = axes.len();
        if !told.strides.append_to(axes, told.rank) {
            axes.resize(2 * self.rank, 0);
            let (dims, strides) = axes.split_at_mut(self.rank);
            fill_contiguous(dims, strides);
        }
        told.storage.append_to(axes, told.count);
        (self.dtype, self.format, self.offset) = (told.dtype, told.format, told.offset);
        self.identify();
    }

    /// The sizes of the view.
    pub(crate) fn dims(&self) -> &[i64] {
        &self.axes[..self.rank]
    }

    /// In elements; one for each size.
    #[inline(never)]
    pub(crate) fn strides(&self) -> &[i64] {
        &self.axes[self.rank..2 * self.rank]
    }

    /// The sizes of the storage.
    #[inline(never)]
    pub(crate) fn storage(&self) -> &[i64] {
        &self.axes[2 * self.rank..]
    }

    pub(crate) fn identity(&self) -> Identity {
        self.identity
    }

    /// Sets the identity.
    #[cold]
    fn identify(&mut self) {
        const ODD: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];
        let types = u64::from(self.dtype.0 as u32) << 32 | u64::from(self.format.0 as u32);
        let counts = (self.rank as u64) << 32 | self.axes.len() as u64;
        // The halves of a product of two words depend on every bit of both.
        let mix = |lane: u64, odd: u64, word: u64| {
            let product = u128::from(lane ^ word) * u128::from(odd);
            (product as u64 ^ (product >> 64) as u64).wrapping_add(lane.rotate_left(29))
        };
        let both = |[a, b]: [u64; 2], word| [mix(a, ODD[0], word), mix(b, ODD[1], word)];
        let mut lanes = both(both(both(ODD, types), self.offset as u64), counts);
        for word in &self.axes {
            lanes = both(lanes, *word as u64);
        }
        self.identity = lanes;
    }

    /// The sizes as a shape; `None` when one is negative, or when more than `i64` counts would lie along them if no size were
    /// 0: then the product of any of the sizes can be counted.
    pub(crate) fn shape(&self) -> Option<Shape> {
        let count = |count: i64, &size: &i64| count.checked_mul(size.max(1)).filter(|_| size >= 0);
        self.dims().iter().try_fold(1, count)?;
        let mut sizes: SmallVec<[usize; 8]> = SmallVec::from_elem(0, self.rank);
        for (size, dim) in sizes.iter_mut().zip(self.dims()) {
            *size = *dim as usize;
        }
        Some(Shape::from(&sizes[..]))
    }

    /// Returns whether the elements lie without gaps in row-major order, as `Layout::is_contiguous` says of sizes that
    /// are not negative.
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

/// A tensor of the emulator's own, which ends with this value.
pub(crate) struct Own(usize);

impl Own {
    /// A tensor at no address with the elements of another one, which lie one after the other instead. `None` if there is no
    /// such tensor, if it is contiguous, or if its storage lacks room.
    pub(crate) fn contiguous(handle: usize) -> Option<Self> {
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
        Some(Own(TENSORS.insert(Tensor::new(description, 0))))
    }

    /// A tensor whose elements lie one after the other at an address.
    pub(crate) fn at(address: usize, kind: (aclDataType, aclFormat), dims: &[i64], storage: &[i64]) -> Self {
        Self::strided(address, kind, dims, &contiguous(dims), storage)
    }

    /// A tensor whose elements lie at an address by strides, of which there is one for each size.
    pub(crate) fn strided(
        address: usize,
        kind: (aclDataType, aclFormat),
        dims: &[i64],
        strides: &[i64],
        storage: &[i64],
    ) -> Self {
        Own(TENSORS.insert(Tensor::new(Description::new(kind, dims, strides, 0, storage), address)))
    }

    pub(crate) fn handle(&self) -> usize {
        self.0
    }
}

impl Drop for Own {
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
#[inline]
fn must_have(values: &Array<i64>, count: u64, name: &'static str) -> Result {
    #[cold]
    fn lacking(count: u64, name: &str) -> Status {
        Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("{name} is null, but counts {count} sizes"))
    }
    if count == 0 || values.has(count) { Ok(()) } else { Err(lacking(count, name)) }
}

/// An array that `delete[]` of the usual allocator releases: the caller owns it.
pub(crate) fn hand_out(values: &[i64]) -> Result<*mut i64> {
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
        let told = Told {
            dtype: dataType, format, dims: viewDims, strides: stride, rank: viewDimsNum, offset,
            storage: storageDims, count: storageDimsNum,
        };
        let handle = TENSORS.insert_filled(|| Tensor::of(&told, tensorData.0), |tensor| {
            tensor.description.tell(&told);
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
        if tensor.0 == 0 {
            return Ok(());
        }
        destroy(tensor.0).map_err(|why| {
            let status = dangling("tensor", why);
            match why {
                Dangling::Destroyed => status.with_hint("a list destroys its tensors with it"),
                _ => status,
            }
        })
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
        let tensor = resolve(&tensor, "tensor")?;
        tensor.set_address(addr.0);
        tensor.raw_set.store(RAW_SETS.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use aclnn_numerics::Layout;

    use super::*;

    /// Each half of an identity already tells all of them apart.
    #[test]
    fn descriptions_that_differ_have_other_identities() {
        let sizes = [0, 1, 2, 3, 4, 7, 8, 16, 1 << 20, 1 << 40, -1];
        let mut all: Vec<Vec<i64>> = vec![Vec::new()];
        for rank in 0..3 {
            let longer: Vec<Vec<i64>> =
                all[if rank == 0 { 0 } else { all.len() - sizes.len().pow(rank) }..].to_vec();
            all.extend(
                longer.iter().flat_map(|dims| {
                    sizes.map(|size| dims.iter().copied().chain([size]).collect::<Vec<i64>>())
                }),
            );
        }
        let mut halves = [HashMap::new(), HashMap::new()];
        let types = [aclnn_sys::ACL_FLOAT, aclnn_sys::ACL_FLOAT16, aclnn_sys::ACL_BOOL];
        for dims in &all {
            let (dense, turned) = (contiguous(dims), dims.iter().rev().copied().collect::<Axes>());
            for strides in [&dense, &turned] {
                for (number, dtype) in types.into_iter().enumerate() {
                    for (offset, storage) in
                        [(0, &dims[..]), (number as i64 + 1, &[][..]), (1 << 33, &dims[..])]
                    {
                        let kind = (dtype, aclnn_sys::ACL_FORMAT_ND);
                        let description = Description::new(kind, dims, strides, offset, storage);
                        let says = (dtype.0, offset, dims.clone(), strides.clone(), storage.to_vec());
                        for (half, identities) in description.identity().into_iter().zip(&mut halves) {
                            assert_eq!(identities.entry(half).or_insert_with(|| says.clone()), &says);
                        }
                    }
                }
            }
        }
        assert!(halves.iter().all(|identities| identities.len() > 20_000));
    }

    #[test]
    fn a_descriptor_is_contiguous_where_its_layout_is() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut contiguous = 0;
        for _ in 0..20_000 {
            let dims: Axes = (0..random.usize(..4)).map(|_| random.usize(..4) as i64).collect();
            let mut strides = super::contiguous(&dims);
            if random.usize(..2) == 0 && !strides.is_empty() {
                let axis = random.usize(..strides.len());
                strides[axis] = random.usize(..9) as i64 - 2;
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
