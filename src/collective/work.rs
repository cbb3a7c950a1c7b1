//! Queueing a collective: in order with everything else that uses its tensors, and with failures under its name.

use std::ffi::c_void;

use aclnn_numerics::{DType, Shape};
use aclnn_sys::HcclDataType;

use super::communicator::Communicator;
use super::elements::moved;
use crate::acl::Collective;
use crate::argument_checks::{Operation, copies};
use crate::call::Gates;
use crate::call::captured::keep_needed;
use crate::error::{CallInfo, Error, Result};
use crate::ops::write_to;
use crate::stream::Stream;
use crate::tensor::{Overlap, Tensor};
use crate::trace;

/// A copy of a part that stays on its rank.
pub(super) struct OwnPart {
    pub(super) to: *mut c_void,
    pub(super) from: *const c_void,
    pub(super) bytes: usize,
}

/// Returns the address of the first element of a contiguous tensor.
#[inline]
pub(super) fn address(tensor: &Tensor) -> *mut c_void {
    let bits = tensor.layout().offset().saturating_mul(tensor.dtype().bits());
    tensor.as_raw().wrapping_byte_add(bits / 8)
}

impl Communicator {
    /// Returns the stream on which a call runs whose first tensor is `tensor`.
    #[inline]
    pub(super) fn stream_of<'a>(&'a self, tensor: &'a Tensor) -> &'a Stream {
        self.stream.as_ref().unwrap_or_else(|| tensor.stream())
    }

    /// Checks that stream and tensors are on the device of the communicator, and that the group works.
    #[inline]
    pub(super) fn check_placed(&self, operation: &Operation<'_>) -> Result<()> {
        let (own, other) = (self.device(), operation.stream.device());
        if own != other {
            return Err(Error::Devices {
                operator: operation.operator,
                operands: operation.operands(),
                first: own.id(),
                second: other.id(),
            });
        }
        operation.placed()
    }

    /// Checks a rank, and returns it as C counts it.
    #[inline]
    pub(super) fn check_rank(&self, operation: &Operation<'_>, what: &str, rank: usize) -> Result<u32> {
        let number = u32::try_from(rank).ok().filter(|_| rank < self.size());
        number.ok_or_else(|| {
            let last = self.size().saturating_sub(1);
            operation.refused(format!("{what} is rank {rank}, but the group has the ranks 0 to {last}"))
        })
    }

    /// Queues a collective, and then a copy.
    ///
    /// # Safety
    /// The addresses of both lie in `tensors` with as many elements, and what is written is marked as such. A tensor that no
    /// one else holds returns to the pool in the order of the stream.
    #[inline]
    pub(super) unsafe fn queue(
        &self,
        operation: &Operation<'_>,
        tensors: &[(&Tensor, bool)],
        collective: Option<Collective<'_>>,
        own: Option<OwnPart>,
    ) -> Result<()> {
        let queue = || {
            let (stream, device) = (operation.stream, operation.stream.device());
            let bound = device.bind()?;
            stream.core().check()?;
            let member = &self.member;
            // Before any lock of the tensors, which other ranks of this process may need.
            let mut until = member.lock();
            let call = || CallInfo { operator: operation.operator, operands: operation.operands() };
            member.must_have_worked(&bound, &mut until, call)?;
            let captured = stream.core().is_captured();
            // Captured work runs in replays, which put themselves in order.
            let _gates = match captured {
                true => None,
                false => {
                    let buffers = tensors.iter().map(|(tensor, writes)| (tensor.buffer(), *writes));
                    Some(Gates::of(stream, &bound, buffers.collect())?)
                }
            };
            let locked = stream.core().lock();
            stream.core().must_be_captured_here()?;
            if stream.core().is_captured() != captured {
                return Err(Error::Capture { what: "a call of another thread" });
            }
            if captured {
                keep_needed(stream.core(), member.clone(), tensors);
            }
            let raw =
                locked.as_ref().ok_or(Error::Internal { what: "a collective on a stream that has ended" })?;
            let queued = match collective {
                // SAFETY: the caller vouches for the memory; the gates keep other work in order.
                Some(collective) => unsafe { bound.queue_collective(collective, member.raw()?, raw) },
                None => Ok(()),
            };
            // Even if the library refused: it may have queued a part.
            if !captured {
                until.add(stream.core());
            }
            match queued {
                Ok(()) => {}
                Err(Error::Library(cause)) => {
                    member.note_refusal(&bound, &cause, call)?;
                    let rank = Box::new(member.info.clone());
                    return Err(Error::Collective { call: Box::new(call()), rank, cause });
                }
                Err(error) => return Err(error),
            }
            let Some(OwnPart { to, from, bytes }) = own else { return Ok(()) };
            // SAFETY: as above.
            unsafe { bound.queue_device_copy(to, from, bytes, raw) }
        };
        trace::operator(operation.operator, || operation.operands(), queue)
    }
}

/// A tensor that a collective reads: contiguous, and with whole bytes.
#[inline]
pub(super) fn source(operation: &Operation<'_>, tensor: &Tensor) -> Result<Tensor> {
    let bits = tensor.layout().offset().saturating_mul(tensor.dtype().bits());
    if tensor.is_contiguous() && bits.is_multiple_of(8) {
        return Ok(tensor.clone());
    }
    tensor.copy_on(operation.stream).map_err(|error| operation.explain(error))
}

/// A tensor that a collective writes, and a contiguous one in its place where it is not contiguous.
pub(super) struct Target<'a> {
    out: &'a Tensor,
    between: Option<Tensor>,
}

impl<'a> Target<'a> {
    /// Checks that `out` can be written, and makes room for the result.
    #[inline]
    pub(super) fn new(
        operation: &Operation<'_>,
        name: &'static str,
        out: &'a Tensor,
        shape: &Shape,
        dtype: DType,
    ) -> Result<Self> {
        if out.dtype() != dtype {
            return Err(operation.refused(format!(
                "{name} has elements of {}, but collectives convert nothing; it must have {dtype}",
                out.dtype()
            )));
        }
        operation.writable(name, out, shape)?;
        if out.is_contiguous() {
            return Ok(Self { out, between: None });
        }
        if !copies(out) {
            return Err(operation.refused(format!(
                "{name} is not contiguous, and the device does not copy {dtype}; give a contiguous tensor"
            )));
        }
        Ok(Self { out, between: Some(operation.empty(shape, dtype)?) })
    }

    /// As `new`, with the elements of `out`, which are read too.
    #[inline]
    pub(super) fn with_elements(
        operation: &Operation<'_>,
        name: &'static str,
        out: &'a Tensor,
    ) -> Result<Self> {
        let mut target = Self::new(operation, name, out, out.shape(), out.dtype())?;
        if let Some(between) = &mut target.between {
            *between = out.copy_on(operation.stream).map_err(|error| operation.explain(error))?;
        }
        Ok(target)
    }

    /// Returns the contiguous tensor that receives the result.
    #[inline]
    pub(super) fn tensor(&self) -> &Tensor {
        self.between.as_ref().unwrap_or(self.out)
    }

    /// Queues the copy to where the result belongs.
    #[inline]
    pub(super) fn finish(self, operation: &Operation<'_>) -> Result<()> {
        match &self.between {
            None => Ok(()),
            Some(between) => write_to(operation.stream, self.out, between),
        }
    }
}

/// Returns a tensor whose elements are not overwritten while they are read: a copy, if it overlaps `out`.
#[inline]
pub(super) fn apart_from(operation: &Operation<'_>, source: Tensor, out: &Tensor) -> Result<Tensor> {
    match source.overlap(out) {
        Overlap::None => Ok(source),
        _ => source.copy_on(operation.stream).map_err(|error| operation.explain(error)),
    }
}

/// Returns the number and the type of the elements that are moved.
#[inline]
pub(super) fn count_moved(
    operation: &Operation<'_>,
    dtype: DType,
    count: usize,
) -> Result<(u64, HcclDataType)> {
    moved(dtype, count).map_err(|reason| operation.refused(reason))
}
