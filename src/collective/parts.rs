//! Parts of tensors that go from rank to rank.

use aclnn_numerics::DType;
use aclnn_sys::{HCCL_RECV, HCCL_SEND, HcclDataType, HcclSendRecvItem};

use super::communicator::Communicator;
use super::work::{OwnPart, address, count_moved};
use crate::argument_checks::Operation;
use crate::error::Result;
use crate::tensor::Tensor;

/// Equal parts of contiguous tensors, one behind the other.
pub(super) struct Parts {
    count: u64,
    dtype: HcclDataType,
    bytes: usize,
}

impl Parts {
    /// The parts of a tensor, one for each rank.
    #[inline]
    pub(super) fn of(
        communicator: &Communicator,
        operation: &Operation<'_>,
        tensor: &Tensor,
    ) -> Result<Self> {
        Self::with(operation, tensor.dtype(), tensor.numel() / communicator.size().max(1))
    }

    /// A tensor as its only part.
    #[inline]
    pub(super) fn whole(operation: &Operation<'_>, tensor: &Tensor) -> Result<Self> {
        Self::with(operation, tensor.dtype(), tensor.numel())
    }

    #[inline]
    fn with(operation: &Operation<'_>, elements: DType, numel: usize) -> Result<Self> {
        let (count, dtype) = count_moved(operation, elements, numel)?;
        Ok(Self { count, dtype, bytes: numel * elements.bits() / 8 })
    }

    /// A message of part number `part` of a tensor, to or from a rank.
    #[inline]
    pub(super) fn item(&self, sends: bool, tensor: &Tensor, part: usize, rank: usize) -> HcclSendRecvItem {
        HcclSendRecvItem {
            sendRecvType: if sends { HCCL_SEND } else { HCCL_RECV },
            buf: address(tensor).wrapping_byte_add(part * self.bytes),
            count: self.count,
            dataType: self.dtype,
            // It was checked, or is one of the group.
            remoteRank: u32::try_from(rank).unwrap_or(u32::MAX),
        }
    }

    /// A copy of a part of one tensor to a part of another one.
    #[inline]
    pub(super) fn own(&self, to: &Tensor, part: usize, from: &Tensor, from_part: usize) -> OwnPart {
        let at = |tensor: &Tensor, part: usize| address(tensor).wrapping_byte_add(part * self.bytes);
        OwnPart { to: at(to, part), from: at(from, from_part).cast_const(), bytes: self.bytes }
    }
}
