//! Tensors: elements in device memory, seen through a layout.
//!
//! `view` makes views, `axes` those that merge and move axes, `at` those of several axes at once, `index` counts axes and indices, `parts` makes several views of one axis, `overlap` tells whether
//! two views share elements, `gather` reads elements that do not lie in one piece, `headline` describes a tensor in one
//! line, `raw` adopts memory. [`host`](crate::host) copies elements between host and device, and
//! [`display`](crate::display) prints them.

mod at;
mod axes;
mod gather;
mod headline;
mod index;
mod overlap;
mod parts;
mod raw;
mod view;

use aclnn_numerics::{DType, Layout, Shape};

use crate::acl::Bound;
use crate::device::Device;
use crate::error::{CloseError, Error, OperandInfo, Operands, Result};
use crate::fork;
use crate::memory::{Buffer, SharedBuffer};
use crate::stream::Stream;

pub use at::{At, AtAxis, Ellipsis, NewAxis, Stepped, step};
pub(crate) use gather::BLOCK;
pub(crate) use headline::Headline;
pub use index::{Index, IndexRange};
pub(crate) use overlap::Overlap;
pub use parts::Parts;
pub(crate) use view::axis_of;

/// Elements of one type in the memory of a device, with a shape.
///
/// A tensor is a handle: clones and views of a tensor share its elements, and elements written through one of them are
/// seen through the others. Writing takes `&mut`; [`Tensor::copy`] makes a tensor with elements of its own.
///
/// An operator that takes a tensor and returns one is a method: `x.layer_norm(64)`. [`ops`](crate::ops) has a function of the
/// same name that prepares it with options: `ops::layer_norm(&x, 64).bias(&bias).run()`. What takes no tensor first, or
/// returns several, is a function there alone.
///
/// The operators `+`, `-`, `*` and `/` work between tensors and numbers, as
/// [everywhere in Rust](crate::ops#operators-of-rust).
///
/// Work on a tensor goes to the [stream](Tensor::stream) it was made on unless another stream is given, and is only
/// queued when a function returns. [`Tensor::to_vec`] waits for it.
#[derive(Clone)]
#[doc(alias = "aclTensor")]
pub struct Tensor {
    buffer: SharedBuffer,
    dtype: DType,
    layout: Layout,
    /// The number of elements in the whole buffer, in which the layout lies.
    capacity: usize,
}

impl Tensor {
    /// Allocates a contiguous tensor whose elements are not defined. It is for results that overwrite every element,
    /// such as those of [`run_into`](crate::ops::Binary::run_into). Nothing is queued.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::ones(&device, [3], DType::F32)?;
    /// let mut out = Tensor::empty(&device, [3], DType::F32)?;
    /// ops::add(&a, 1).run_into(&mut out)?;
    /// assert_eq!(out.to_vec::<f32>()?, [2.0; 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Tensor`] if such a tensor cannot exist, [`Error::OutOfMemory`], or what the library returned.
    #[doc(alias = "aclrtMalloc")]
    pub fn empty(on: impl Into<Stream>, shape: impl Into<Shape>, dtype: DType) -> Result<Tensor> {
        let (stream, shape) = (on.into(), shape.into());
        Self::empty_in(&stream, &stream.device().bind()?, &shape, dtype)
    }

    /// Allocates a contiguous tensor of the same shape and type, on the same stream, whose elements are not defined, as
    /// [`Tensor::empty`] does.
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1, 2], [2])?;
    /// let mut out = a.empty_like()?;
    /// ops::add(&a, &a).run_into(&mut out)?;
    /// assert_eq!(out.to_vec::<i32>()?, [2, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::empty`].
    #[doc(alias = "new_empty")]
    pub fn empty_like(&self) -> Result<Tensor> {
        Tensor::empty(self.stream(), self.shape(), self.dtype())
            .map_err(|error| error.during("empty_like", || self.operands()))
    }

    pub(crate) fn empty_in(
        stream: &Stream,
        bound: &Bound<'_>,
        shape: &Shape,
        dtype: DType,
    ) -> Result<Tensor> {
        let (capacity, bytes) = sizes(shape, dtype)?;
        let buffer = SharedBuffer::allocate(stream, bound, bytes)?;
        Ok(Tensor { buffer, dtype, layout: Layout::contiguous(shape), capacity })
    }

    /// Returns the type of the elements.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::from_slice(&device, &[1u8, 2], [2])?.dtype(), DType::U8);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Returns the sizes of the axes.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::zeros(&device, [2, 3], DType::F32)?;
    /// assert_eq!((grid.shape().to_string(), grid.shape()[1]), ("[2, 3]".to_owned(), 3));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    pub fn shape(&self) -> &Shape {
        self.layout.shape()
    }

    /// Returns the sizes of the axes as a slice.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::zeros(&device, [2, 3], DType::F32)?.dims(), [2, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "sizes")]
    pub fn dims(&self) -> &[usize] {
        self.shape()
    }

    /// Returns the number of axes.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::zeros(&device, [2, 3], DType::F32)?.rank(), 2);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "ndim", alias = "dim", alias = "ndimension")]
    pub fn rank(&self) -> usize {
        self.layout.rank()
    }

    /// Returns the number of elements.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::zeros(&device, [2, 3], DType::F32)?.numel(), 6);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "len", alias = "size", alias = "elem_count", alias = "nelement")]
    pub fn numel(&self) -> usize {
        self.layout.numel().unwrap_or(usize::MAX)
    }

    /// Returns the layout of the elements in the buffer; strides and offset count elements.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let column = Tensor::zeros(&device, [2, 3], DType::F32)?.select(1, 2)?;
    /// assert_eq!((column.layout().strides(), column.layout().offset()), (&[3][..], 2));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns whether the elements lie in row-major order without gaps.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::zeros(&device, [2, 3], DType::F32)?;
    /// assert!(grid.select(0, 1)?.is_contiguous() && !grid.select(1, 1)?.is_contiguous());
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    pub fn is_contiguous(&self) -> bool {
        self.layout.is_contiguous()
    }

    /// Returns the device that holds the elements.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::zeros(&device, [2], DType::F32)?.device(), &device);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    pub fn device(&self) -> &Device {
        self.stream().device()
    }

    /// Returns the stream of the tensor, which is used for its work where no other stream is given.
    ///
    /// ```
    /// use aclnn::{DType, Device, Stream, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let stream = Stream::new(&device)?;
    /// assert_eq!(Tensor::zeros(&stream, [2], DType::F32)?.stream(), &stream);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[inline]
    pub fn stream(&self) -> &Stream {
        self.buffer.home()
    }

    /// Returns whether both tensors use the same buffer, even if they share no element.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::zeros(&device, [2, 3], DType::F32)?;
    /// assert!(grid.select(0, 1)?.shares_buffer_with(&grid) && !grid.copy()?.shares_buffer_with(&grid));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[inline]
    pub fn shares_buffer_with(&self, other: &Tensor) -> bool {
        self.buffer.is(&other.buffer)
    }

    /// Returns the device address of the buffer; the first element lies `layout().offset()` elements further on.
    ///
    /// The address is for calling the runtime or a custom operator directly. This crate does not know of work that is
    /// queued that way: synchronise before the tensor is used on other streams or dropped.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::zeros(&device, [2, 3], DType::F32)?;
    /// assert_eq!(grid.select(0, 1)?.as_raw(), grid.as_raw()); // one buffer
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[inline]
    #[doc(alias = "data_ptr")]
    pub fn as_raw(&self) -> *mut std::ffi::c_void {
        self.buffer.address()
    }

    /// Releases the memory for later work and reports failures, which dropping the tensor cannot do. This function does
    /// not wait: work that fails is reported by its stream.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::zeros(&device, [2, 3], DType::F32)?;
    /// let row = grid.select(0, 0)?;
    /// let refused = grid.close().expect_err("the row still uses the buffer");
    /// drop(row);
    /// assert!(refused.into_handle().expect("it comes back").close().is_ok());
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InUse`], which gives the tensor back, while other tensors share its buffer; what failed earlier in a
    /// drop, or what the library returned when streams had to be put in order.
    pub fn close(self) -> Result<(), CloseError<Tensor>> {
        if let Err(error) = fork::check() {
            return Err(CloseError::new(self, error));
        }
        let Tensor { buffer, dtype, layout, capacity } = self;
        let device = buffer.home().device().clone();
        match buffer.close() {
            Ok(ended) => Ok(ended.and_then(|()| device.deferred())?),
            Err(buffer) => {
                let others = buffer.others();
                let error = Error::InUse { what: "tensor of device", device: device.id(), others };
                Err(CloseError::new(Tensor { buffer, dtype, layout, capacity }, error))
            }
        }
    }

    #[inline]
    pub(crate) fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    pub(crate) fn shared_buffer(&self) -> &SharedBuffer {
        &self.buffer
    }

    /// Returns a view under another layout, which lies in the buffer.
    pub(crate) fn with_layout(&self, layout: Layout) -> Tensor {
        debug_assert!(layout.span().is_none_or(|(low, high)| {
            low >= 0 && usize::try_from(high).is_ok_and(|high| high < self.capacity)
        }));
        Tensor { layout, ..self.clone() }
    }

    /// Returns a tensor of the same bytes as elements of another type of the same width.
    pub(crate) fn with_bits_of(&self, dtype: DType) -> Tensor {
        debug_assert_eq!(self.dtype.bits(), dtype.bits());
        Tensor { dtype, ..self.clone() }
    }

    /// Returns the number of elements in the whole buffer.
    #[inline]
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the tensor as the only operand, for messages.
    pub(crate) fn operands(&self) -> Operands {
        Operands::new([self.info("self")])
    }

    pub(crate) fn info(&self, name: &'static str) -> OperandInfo {
        OperandInfo { name, dtype: self.dtype, shape: Some(self.shape().clone()) }
    }
}

/// Checks that an `i64`, in which the library counts, holds the product of any of the sizes, as NumPy does: also of those beside an
/// empty axis, and of a broadcast view.
fn countable(shape: &Shape, dtype: DType) -> Result<()> {
    if shape
        .iter()
        .try_fold(1, |count: i64, &size| count.checked_mul(i64::try_from(size.max(1)).ok()?))
        .is_some()
    {
        return Ok(());
    }
    let reason = if shape.is_empty_tensor() {
        "without its empty axes it would have more elements than an i64 can count"
    } else {
        "it has more elements than an i64 can count"
    };
    Err(refused(shape, dtype, reason))
}

/// Returns the error for a tensor that cannot exist. A caller that knows the operation [adds it](Error::during).
pub(crate) fn refused(shape: &Shape, dtype: DType, reason: &'static str) -> Error {
    let operands = Operands::new([]);
    Error::Tensor { operator: "empty", operands, dtype, shape: Box::new(shape.clone()), reason }
}

/// Returns the numbers of elements and of bytes of a contiguous tensor.
pub(crate) fn sizes(shape: &Shape, dtype: DType) -> Result<(usize, usize)> {
    let refuse = |reason| refused(shape, dtype, reason);
    if dtype.bits() == 0 {
        return Err(refuse("strings live on the host"));
    }
    let too_large = || refuse("it would be larger than any memory");
    let count = shape.numel().ok_or_else(too_large)?;
    let addressable = |&bytes: &usize| bytes.checked_mul(8).is_some_and(|bits| isize::try_from(bits).is_ok());
    let bytes = dtype.storage_bytes(count).filter(addressable).ok_or_else(too_large)?;
    countable(shape, dtype)?;
    Ok((count, bytes))
}
