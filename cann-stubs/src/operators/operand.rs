//! A tensor argument: its descriptor, and views of its elements.

use std::cell::{Cell, OnceCell};
use std::ops::Deref;
use std::sync::Arc;

use aclnn_numerics::DType;
use aclnn_numerics::layout::{Layout, Shape};
use aclnn_numerics::product::Product;
use aclnn_sys::{
    ACL_FORMAT_FRACTAL_NZ, ACLNN_ERR_INNER_FIND_KERNEL_ERROR, ACLNN_ERR_INNER_NULLPTR,
    ACLNN_ERR_PARAM_INVALID, aclDataType, aclFormat,
};
use cann_kernels::View;
use smallvec::SmallVec;

use super::blocks::Blocks;
use crate::check;
use crate::meta::plan::Slot;
use crate::meta::tensor::{Description, Tensor};
use crate::misuse::{Check, Level};
use crate::settings;
use crate::status::{Result, Status};

/// A tensor argument. It is as large as a pointer and has no code that drops it, since every operator holds some.
#[derive(Clone, Copy)]
pub(crate) struct Operand<'c>(pub(super) &'c Described);

/// A tensor argument: its name, and its descriptor as it was when the operator was planned.
pub(crate) struct Described {
    pub(crate) name: &'static str,
    slot: Slot,
    tensor: Arc<Tensor>,
    shape: Option<Shape>,
    is_contiguous: bool,
    /// Whether a view that is not contiguous may reach beyond the declared storage.
    may_leave_storage: Cell<bool>,
}

impl Described {
    #[inline(never)]
    pub(super) fn new(name: &'static str, slot: Slot, tensor: Arc<Tensor>) -> Self {
        let shape = tensor.description.shape();
        let is_contiguous = shape.is_some() && tensor.description.is_contiguous();
        Described { name, slot, tensor, shape, is_contiguous, may_leave_storage: Cell::new(false) }
    }

    /// Elements that lie one after the other, so many bytes behind the beginning of the workspace.
    pub(super) fn in_workspace(name: &'static str, offset: usize, dtype: DType, sizes: &[usize]) -> Self {
        Self::new(name, Slot::in_workspace(offset), Arc::new(Tensor::described(dtype, sizes)))
    }
}

/// Values that live as long as it does: what holds references to them has no code that drops them. The first one needs no memory
/// of its own.
pub(super) struct Arena<T> {
    first: OnceCell<T>,
    others: OnceCell<Box<Arena<T>>>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { first: OnceCell::new(), others: OnceCell::new() }
    }
}

impl<T> Arena<T> {
    #[inline(never)]
    pub(super) fn keep(&self, value: T) -> &T {
        let mut arena = self;
        while arena.first.get().is_some() {
            arena = arena.others.get_or_init(Box::default);
        }
        arena.first.get_or_init(|| value)
    }
}

/// An item of a list of operands, some of which may be left out.
pub(super) trait MaybeOperand {
    fn operand(&self) -> Option<&Operand<'_>>;
}

impl MaybeOperand for Operand<'_> {
    fn operand(&self) -> Option<&Operand<'_>> {
        Some(self)
    }
}

impl<T: MaybeOperand> MaybeOperand for &T {
    fn operand(&self) -> Option<&Operand<'_>> {
        (*self).operand()
    }
}

impl<T: MaybeOperand> MaybeOperand for Option<T> {
    fn operand(&self) -> Option<&Operand<'_>> {
        self.as_ref()?.operand()
    }
}

impl Deref for Operand<'_> {
    type Target = Described;

    #[inline]
    fn deref(&self) -> &Described {
        self.0
    }
}

impl Operand<'_> {
    /// The same bytes as elements of another type, one after the other.
    pub(super) fn seen_as(&self, dtype: DType, sizes: &[usize]) -> Described {
        Described::new(self.name, self.slot, Arc::new(Tensor::described(dtype, sizes)))
    }

    /// The element type, when it is one of CANN's.
    pub(crate) fn known_dtype(&self) -> Option<DType> {
        self.tensor.description.known_dtype()
    }

    pub(crate) fn raw_dtype(&self) -> aclDataType {
        self.tensor.description.dtype
    }

    pub(crate) fn rank(&self) -> usize {
        self.tensor.description.dims().len()
    }

    /// The sizes of the view.
    #[inline(never)]
    pub(crate) fn shape(&self) -> Result<&Shape> {
        self.shape.as_ref().ok_or_else(|| {
            let (name, dims) = (self.name, self.tensor.description.dims());
            let fault = match dims.iter().any(|size| *size < 0) {
                true => "a negative size",
                false => "more elements than can be counted, or would have without the empty axes",
            };
            Status::new(ACLNN_ERR_PARAM_INVALID, format_args!("{name} has {fault}: {dims:?}"))
        })
    }

    /// Returns whether the operand has no elements, and no shape that says of what.
    pub(crate) fn is_nothing(&self) -> bool {
        self.tensor.description.dims() == [0]
    }

    /// The same operand, which CANN takes through a view of its own if it is a transposed matrix. Other operands are made
    /// contiguous, for which they must lie inside their storage; this one must only lie in memory.
    pub(crate) fn taken_transposed(self) -> Self {
        if let (Some(shape), [outer @ .., down, across]) = (&self.shape, &self.strides()[..]) {
            let sizes = &shape[outer.len()..];
            self.may_leave_storage.set(*down == 1 && *across >= sizes[0] as isize);
        }
        self
    }

    /// Returns whether the elements lie one after the other.
    pub(crate) fn is_contiguous(&self) -> bool {
        self.is_contiguous
    }

    /// The number of elements; 0 where there is no shape.
    #[inline(never)]
    pub(crate) fn count(&self) -> usize {
        self.shape().ok().and_then(Shape::numel).unwrap_or(0)
    }

    /// Returns whether there are no elements; an operand without a shape may have some.
    #[inline(never)]
    pub(crate) fn is_empty(&self) -> bool {
        self.shape().is_ok_and(Shape::is_empty_tensor)
    }

    /// Returns whether the product computes into a temporary tensor and copies that to this output.
    pub(crate) fn is_copied_to(&self) -> bool {
        matches!(settings::get().product, Product::Ascend910 | Product::Ascend310P)
            && self.is_contiguous()
            && !self.ends_its_storage()
    }

    /// Returns whether the last element of a contiguous view is the last of the storage.
    fn ends_its_storage(&self) -> bool {
        let count = self.shape.as_ref().and_then(|shape| shape.numel()).unwrap_or(0);
        i128::from(self.tensor.description.offset) + count as i128 == self.storage_elements()
    }

    fn storage_elements(&self) -> i128 {
        let sizes = self.tensor.description.storage().iter();
        sizes.fold(1, |count: i128, size| count.saturating_mul(i128::from(*size)))
    }

    pub(crate) fn slot(&self) -> Slot {
        self.slot
    }

    /// The layout of the elements in the storage.
    pub(crate) fn layout(&self) -> Result<Layout> {
        let (shape, offset) = (self.shape()?, usize::try_from(self.offset()).ok());
        let layout = offset.and_then(|offset| Layout::new(shape, &self.strides(), offset).ok());
        layout.ok_or_else(|| {
            let description = &self.tensor.description;
            let (dims, strides, offset) = (description.dims(), description.strides(), description.offset);
            let message =
                format!("{} has strides {strides:?} for sizes {dims:?} from element {offset} on", self.name);
            Status::new(ACLNN_ERR_INNER_NULLPTR, message)
        })
    }

    pub(crate) fn format(&self) -> aclFormat {
        self.tensor.description.format
    }

    /// Elements from one to the next along each axis.
    #[inline(never)]
    pub(crate) fn strides(&self) -> SmallVec<[isize; 8]> {
        strides(&self.tensor.description)
    }

    /// The first element, counted from the start of the storage.
    pub(crate) fn offset(&self) -> i64 {
        self.tensor.description.offset
    }

    /// Reports a contiguous output that reaches beyond its declared storage: the library does not compare the two, and writes
    /// what lies behind, which may belong to another tensor of the same allocation.
    pub(super) fn report_beyond_storage(&self, function: &str) {
        let Some(count) = self.shape.as_ref().and_then(|shape| shape.numel()) else { return };
        let (first, storage) = (i128::from(self.tensor.description.offset), self.storage_elements());
        let end = first + count as i128;
        if self.is_contiguous && count > 0 && end > storage {
            let message = format!(
                "{} is written from element {first} to {}, but its storage {:?} has {storage} elements; what lies behind \
                 may be another tensor",
                self.name,
                end - 1,
                self.tensor.description.storage()
            );
            check::notice(Check::OutOfBounds, function, &message);
        }
    }

    /// Refuses a type that the product does not write through this view.
    pub(crate) fn must_be_writable(&self, dtype: DType) -> Result {
        // A view is written by the device's processors there, which lack these types.
        let lacks = matches!(settings::get().product, Product::Ascend910 | Product::Ascend910B)
            && matches!(dtype, DType::U16 | DType::U32 | DType::U64);
        if lacks && !self.is_contiguous() {
            let message = format!(
                "{} is a view that is not contiguous, through which this product does not write {dtype}; write to a \
                 contiguous tensor and copy its bytes as a signed type of the same width",
                self.name
            );
            return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
        }
        Ok(())
    }

    /// Refuses elements that share memory.
    pub(crate) fn must_not_share(&self) -> Result {
        let shared = check::level() != Level::Off
            && cann_kernels::shares_elements(self.shape()?, &strides(&self.tensor.description));
        if shared {
            let message = format!(
                "{} has elements that share memory, as a broadcast view has, so what they hold afterwards depends on \
                 the order in which they are written; give every element memory of its own",
                self.name
            );
            return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message).of(Check::SharedElements));
        }
        Ok(())
    }

    /// The view as elements of `shape`, to which it broadcasts.
    ///
    /// A view that is not contiguous must lie inside its storage, as where CANN makes it contiguous.
    pub(crate) fn view(&self, dtype: DType, shape: &Shape) -> Result<View> {
        let sizes = self.shape()?;
        let strides = self.strides();
        self.blocks()?;
        if strides.len() != sizes.rank() {
            let message = format!("{} has {} strides for {} axes", self.name, strides.len(), sizes.rank());
            return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
        }
        if dtype.bits() < 8 && self.is_contiguous() && sizes == shape {
            let numel = shape.numel().unwrap_or(usize::MAX);
            return View::packed(dtype, numel, self.tensor.description.offset).map_err(|why| self.named(why));
        }
        if dtype.bits() < 8 {
            let message =
                format!("{} is packed {dtype} and not contiguous; make it contiguous first", self.name);
            return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
        }
        if !self.is_contiguous() && !self.may_leave_storage.get() {
            self.check_storage(sizes, &strides)?;
        }
        View::new(dtype, shape, &self.strides_as(shape)?, self.tensor.description.offset)
            .map_err(|why| self.named(why))
    }

    /// The strides of the elements as elements of `shape`, to which the operand broadcasts.
    pub(crate) fn strides_as(&self, shape: &[usize]) -> Result<SmallVec<[isize; 8]>> {
        let sizes = self.shape()?;
        let mut spread: SmallVec<[isize; 8]> = SmallVec::from_elem(0, shape.len());
        // Axes are counted from the last one on. Those that only the operand has are of one element.
        let own = sizes.iter().zip(self.strides()).rev();
        for ((spread, target), (size, stride)) in spread.iter_mut().zip(shape.iter()).rev().zip(own) {
            *spread = if *size == 1 && *target != 1 { 0 } else { stride };
        }
        Ok(spread)
    }

    /// The sizes of the storage.
    pub(crate) fn storage(&self) -> &[i64] {
        self.tensor.description.storage()
    }

    /// Returns whether the elements lie in blocks: the format is FRACTAL_NZ, and the storage has the sizes of that.
    #[inline(never)]
    pub(crate) fn lies_in_blocks(&self) -> bool {
        let (storage, rank) = (self.storage(), self.rank());
        self.format() == ACL_FORMAT_FRACTAL_NZ
            && storage.len() == rank.max(2) + 2
            && matches!(storage, [.., 16, 8 | 16 | 32 | 64])
    }

    /// The blocks in which the elements lie, if they lie in blocks; of a part of them, nothing is known.
    pub(super) fn blocks(&self) -> Result<Option<Blocks>> {
        if !self.lies_in_blocks() {
            return Ok(None);
        }
        let (shape, strides) = (self.shape()?, self.strides());
        let found = match (&shape[..], &strides[..]) {
            // The matrices, or those with rows for columns.
            ([.., rows, columns], [.., stride, 1]) | ([.., columns, rows], [.., 1, stride])
                if (*rows == 1 || *stride == *columns as isize) && self.offset() == 0 =>
            {
                Blocks::of(*rows, *columns, self.storage())
            }
            _ => None,
        };
        found.map_or_else(|| Err(self.in_blocks("a part of ")), |blocks| Ok(Some(blocks)))
    }

    /// Refuses elements that lie in blocks.
    #[inline(never)]
    pub(crate) fn must_lie_plainly(&self) -> Result {
        if self.lies_in_blocks() { Err(self.in_blocks("")) } else { Ok(()) }
    }

    #[inline(never)]
    fn in_blocks(&self, part: &str) -> Status {
        let message = format!(
            "the emulator does not compute this operator with {part}{}, which lies in FRACTAL_NZ; cast it to ND",
            self.name
        );
        Status::new(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, message)
    }

    /// Elements of memory from the first one of the operand on, for which whoever asks for them vouches.
    pub(crate) fn stored_view(
        &self,
        dtype: DType,
        sizes: &[usize],
        strides: &[isize],
        first: i64,
    ) -> Result<View> {
        View::new(dtype, sizes, strides, self.offset().saturating_add(first)).map_err(|why| self.named(why))
    }

    /// Elements of the operand's storage, of any sizes and strides, from element `offset` of it on.
    ///
    /// The operand must lie inside its storage; whoever asks for other elements than it has vouches for them.
    pub(crate) fn view_of(
        &self,
        dtype: DType,
        sizes: &[usize],
        strides: &[isize],
        offset: i64,
    ) -> Result<View> {
        let own = self.view(dtype, self.shape()?)?;
        if dtype.bits() < 8 {
            if own.shape() == sizes {
                return Ok(own);
            }
            let message = format!("{} is packed {dtype}, which is only taken as a whole", self.name);
            return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
        }
        View::new(dtype, sizes, strides, offset).map_err(|why| self.named(why))
    }

    /// The failure of a kernel or view, with the name of the operand.
    fn named(&self, why: cann_kernels::Failure) -> Status {
        let status = Status::from(why);
        let message = format!("{}: {}", self.name, status.message);
        status.with_message(message)
    }

    fn check_storage(&self, sizes: &[usize], strides: &[isize]) -> Result {
        let mut low = i128::from(self.tensor.description.offset);
        let mut high = low;
        for (size, stride) in sizes.iter().zip(strides) {
            let reach = (*size as i128 - 1) * *stride as i128;
            if reach < 0 { low += reach } else { high += reach }
        }
        let storage = self.storage_elements();
        if low < 0 || high >= storage {
            let message = format!(
                "{} reaches from element {low} to {high}, but its storage {:?} has {storage} elements",
                self.name,
                self.tensor.description.storage()
            );
            return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
        }
        Ok(())
    }
}

#[inline(never)]
fn strides(description: &Description) -> SmallVec<[isize; 8]> {
    let mut strides = SmallVec::from_elem(0, description.strides().len());
    for (stride, own) in strides.iter_mut().zip(description.strides()) {
        *stride = *own as isize;
    }
    strides
}
