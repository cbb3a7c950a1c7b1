//! Collectives and messages as a program calls them, and in words.

use std::fmt;
use std::sync::atomic::Ordering::Relaxed;

use aclnn_numerics::product::Product;
use aclnn_sys::{
    HCCL_DATA_TYPE_BFP16, HCCL_DATA_TYPE_FP8E4M3, HCCL_DATA_TYPE_FP8E5M2, HCCL_DATA_TYPE_FP8E8M0,
    HCCL_DATA_TYPE_FP16, HCCL_DATA_TYPE_FP32, HCCL_DATA_TYPE_FP64, HCCL_DATA_TYPE_HIF8, HCCL_DATA_TYPE_INT8,
    HCCL_DATA_TYPE_INT16, HCCL_DATA_TYPE_INT32, HCCL_DATA_TYPE_INT64, HCCL_DATA_TYPE_INT128,
    HCCL_DATA_TYPE_UINT8, HCCL_DATA_TYPE_UINT16, HCCL_DATA_TYPE_UINT32, HCCL_DATA_TYPE_UINT64,
    HCCL_E_NOT_SUPPORT, HCCL_REDUCE_MAX, HCCL_REDUCE_MIN, HCCL_REDUCE_PROD, HCCL_REDUCE_SUM, HcclDataType,
    HcclReduceOp,
};

use super::outcome::{Result, failed, refused};
use super::segment::{Desk, SLOT, SharedCall};
use crate::settings;

/// A collective without its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Kind {
    AllReduce = 1,
    Broadcast,
    ReduceScatter,
    AllGather,
    Reduce,
    Barrier,
}

impl Kind {
    const ALL: [Kind; 6] =
        [Kind::AllReduce, Kind::Broadcast, Kind::ReduceScatter, Kind::AllGather, Kind::Reduce, Kind::Barrier];

    /// The function of C.
    pub(super) const fn function(self) -> &'static str {
        match self {
            Kind::AllReduce => "HcclAllReduce",
            Kind::Broadcast => "HcclBroadcast",
            Kind::ReduceScatter => "HcclReduceScatter",
            Kind::AllGather => "HcclAllGather",
            Kind::Reduce => "HcclReduce",
            Kind::Barrier => "HcclBarrier",
        }
    }

    pub(super) fn reduces(self) -> bool {
        matches!(self, Kind::AllReduce | Kind::ReduceScatter | Kind::Reduce)
    }

    fn has_root(self) -> bool {
        matches!(self, Kind::Broadcast | Kind::Reduce)
    }
}

/// A collective as all ranks must call it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) kind: Kind,
    /// Elements, as the parameter of this meaning counts them.
    pub(super) count: u64,
    pub(super) dtype: HcclDataType,
    /// Of those that combine; otherwise the sum.
    pub(super) op: HcclReduceOp,
    /// Of those that have one; otherwise 0.
    pub(super) root: u32,
}

impl Call {
    /// Elements that go through the slots of a group of `ranks` in one round.
    pub(super) fn per_round(&self, ranks: usize) -> usize {
        let parts = if self.kind == Kind::ReduceScatter { ranks } else { 1 };
        // Whole lines, so that parts begin where any element may.
        SLOT / parts / 64 * 64 / size(self.dtype)
    }

    pub(super) fn write(&self, to: &SharedCall) {
        to.kind.store(self.kind as u32, Relaxed);
        to.dtype.store(self.dtype.0, Relaxed);
        to.op.store(self.op.0, Relaxed);
        to.root.store(self.root, Relaxed);
        to.count.store(self.count, Relaxed);
    }

    /// The call that a rank wrote down; `None` if it is none.
    fn read(from: &SharedCall) -> Option<Self> {
        let kind = from.kind.load(Relaxed);
        Some(Call {
            kind: Kind::ALL.into_iter().find(|known| *known as u32 == kind)?,
            count: from.count.load(Relaxed),
            dtype: HcclDataType(from.dtype.load(Relaxed)),
            op: HcclReduceOp(from.op.load(Relaxed)),
            root: from.root.load(Relaxed),
        })
    }

    /// The collective of a number that a rank began.
    pub(super) fn of(desk: &Desk, number: u64) -> Option<Self> {
        Self::read(&desk.calls[(number % 2) as usize])
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.function())?;
        if self.kind == Kind::Barrier {
            return Ok(());
        }
        write!(f, " of {} {}", self.count, name(self.dtype))?;
        if self.kind.reduces() {
            write!(f, ", {}", op_name(self.op))?;
        }
        if self.kind.has_root() {
            write!(f, ", root {}", self.root)?;
        }
        Ok(())
    }
}

/// Types, their bytes and their names.
const TYPES: [(HcclDataType, usize, &str); 17] = [
    (HCCL_DATA_TYPE_INT8, 1, "i8"),
    (HCCL_DATA_TYPE_INT16, 2, "i16"),
    (HCCL_DATA_TYPE_INT32, 4, "i32"),
    (HCCL_DATA_TYPE_FP16, 2, "f16"),
    (HCCL_DATA_TYPE_FP32, 4, "f32"),
    (HCCL_DATA_TYPE_INT64, 8, "i64"),
    (HCCL_DATA_TYPE_UINT64, 8, "u64"),
    (HCCL_DATA_TYPE_UINT8, 1, "u8"),
    (HCCL_DATA_TYPE_UINT16, 2, "u16"),
    (HCCL_DATA_TYPE_UINT32, 4, "u32"),
    (HCCL_DATA_TYPE_FP64, 8, "f64"),
    (HCCL_DATA_TYPE_BFP16, 2, "bf16"),
    (HCCL_DATA_TYPE_INT128, 16, "i128"),
    (HCCL_DATA_TYPE_HIF8, 1, "hif8"),
    (HCCL_DATA_TYPE_FP8E4M3, 1, "f8e4m3"),
    (HCCL_DATA_TYPE_FP8E5M2, 1, "f8e5m2"),
    (HCCL_DATA_TYPE_FP8E8M0, 1, "f8e8m0"),
];

/// Refuses a number that is no type.
pub(super) fn must_be_type(dtype: HcclDataType) -> Result {
    match TYPES.iter().any(|(known, ..)| *known == dtype) {
        true => Ok(()),
        false => refused(format_args!("dataType is {}, which is no type of elements", dtype.0)),
    }
}

/// The types of parts that ranks reduce, and those that they exchange beside these, before the 950.
const REDUCED: [HcclDataType; 7] = [
    HCCL_DATA_TYPE_INT8,
    HCCL_DATA_TYPE_INT16,
    HCCL_DATA_TYPE_INT32,
    HCCL_DATA_TYPE_INT64,
    HCCL_DATA_TYPE_FP16,
    HCCL_DATA_TYPE_FP32,
    HCCL_DATA_TYPE_BFP16,
];
const EXCHANGED: [HcclDataType; 5] = [
    HCCL_DATA_TYPE_UINT8,
    HCCL_DATA_TYPE_UINT16,
    HCCL_DATA_TYPE_UINT32,
    HCCL_DATA_TYPE_UINT64,
    HCCL_DATA_TYPE_FP64,
];

/// Refuses a type that the product does not exchange: in parts for each rank, and in batches of messages.
pub(super) fn must_be_moved(dtype: HcclDataType) -> Result {
    must_be_among(dtype, REDUCED.contains(&dtype) || EXCHANGED.contains(&dtype))
}

/// Refuses a type that the product does not combine in parts of different lengths.
pub(super) fn must_be_reduced(dtype: HcclDataType) -> Result {
    must_be_among(dtype, REDUCED.contains(&dtype))
}

fn must_be_among(dtype: HcclDataType, is_taken: bool) -> Result {
    let is_newest = settings::get().product == Product::Ascend950;
    match is_taken || is_newest && TYPES.iter().any(|(known, ..)| *known == dtype) {
        true => Ok(()),
        false => {
            let message = format_args!(
                "dataType is {} ({}), which this product does not take here",
                dtype.0,
                name(dtype)
            );
            Err(failed(HCCL_E_NOT_SUPPORT, message))
        }
    }
}

/// Refuses a number that is no operation.
pub(super) fn must_be_op(op: HcclReduceOp) -> Result {
    match [HCCL_REDUCE_SUM, HCCL_REDUCE_PROD, HCCL_REDUCE_MAX, HCCL_REDUCE_MIN].contains(&op) {
        true => Ok(()),
        false => refused(format_args!("op is {}; known are 0 to 3", op.0)),
    }
}

/// Bytes of an element.
pub(super) fn size(dtype: HcclDataType) -> usize {
    TYPES.iter().find(|(known, ..)| *known == dtype).map_or(1, |(_, size, _)| *size)
}

pub(super) fn name(dtype: HcclDataType) -> &'static str {
    TYPES.iter().find(|(known, ..)| *known == dtype).map_or("elements of an unknown type", |(.., name)| name)
}

fn op_name(op: HcclReduceOp) -> &'static str {
    match op {
        HCCL_REDUCE_SUM => "sum",
        HCCL_REDUCE_PROD => "product",
        HCCL_REDUCE_MAX => "maximum",
        HCCL_REDUCE_MIN => "minimum",
        _ => "an unknown operation",
    }
}
