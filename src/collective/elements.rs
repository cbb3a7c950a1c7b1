//! Element types as HCCL numbers them, and operations that combine elements.

use std::fmt;

use aclnn_numerics::DType;
use aclnn_sys::{
    HCCL_DATA_TYPE_BFP16, HCCL_DATA_TYPE_FP8E4M3, HCCL_DATA_TYPE_FP8E5M2, HCCL_DATA_TYPE_FP8E8M0,
    HCCL_DATA_TYPE_FP16, HCCL_DATA_TYPE_FP32, HCCL_DATA_TYPE_FP64, HCCL_DATA_TYPE_HIF8, HCCL_DATA_TYPE_INT8,
    HCCL_DATA_TYPE_INT16, HCCL_DATA_TYPE_INT32, HCCL_DATA_TYPE_INT64, HCCL_DATA_TYPE_UINT8,
    HCCL_DATA_TYPE_UINT16, HCCL_DATA_TYPE_UINT32, HCCL_DATA_TYPE_UINT64, HCCL_REDUCE_MAX, HCCL_REDUCE_MIN,
    HCCL_REDUCE_PROD, HCCL_REDUCE_SUM, HcclDataType, HcclReduceOp,
};

/// The operation that combines the elements of all ranks.
///
/// | type of the elements | operations |
/// |---|---|
/// | f32, f16, bf16, f64, and integers of 8 to 64 bits | all; sums and products of integers wrap on the emulator |
/// | bool | `Product` and `Min` (all are true), `Max` (any is true) |
/// | f8e4m3fn, f8e5m2, f8e8m0, hif8 | what the library takes: none on the emulator |
/// | complex | none; `Sum` of [`view_as_real`](crate::Tensor::view_as_real) |
/// | others | none |
///
/// Which types HCCL combines on which product is not known: the library refuses what it lacks, before anything is queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias = "HcclReduceOp")]
pub enum ReduceOp {
    /// The sum.
    Sum,
    /// The product.
    Product,
    /// The largest one. On the emulator NaN is larger than anything.
    Max,
    /// The smallest one. On the emulator NaN is smaller than anything.
    Min,
}

impl ReduceOp {
    #[inline]
    pub(super) fn code(self) -> HcclReduceOp {
        match self {
            ReduceOp::Sum => HCCL_REDUCE_SUM,
            ReduceOp::Product => HCCL_REDUCE_PROD,
            ReduceOp::Max => HCCL_REDUCE_MAX,
            ReduceOp::Min => HCCL_REDUCE_MIN,
        }
    }
}

impl fmt::Display for ReduceOp {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ReduceOp::Sum => "sum",
            ReduceOp::Product => "product",
            ReduceOp::Max => "maximum",
            ReduceOp::Min => "minimum",
        })
    }
}

/// The types that HCCL has. A truth value is a byte.
const TYPES: [(DType, HcclDataType); 17] = [
    (DType::I8, HCCL_DATA_TYPE_INT8),
    (DType::I16, HCCL_DATA_TYPE_INT16),
    (DType::I32, HCCL_DATA_TYPE_INT32),
    (DType::F16, HCCL_DATA_TYPE_FP16),
    (DType::F32, HCCL_DATA_TYPE_FP32),
    (DType::I64, HCCL_DATA_TYPE_INT64),
    (DType::U64, HCCL_DATA_TYPE_UINT64),
    (DType::U8, HCCL_DATA_TYPE_UINT8),
    (DType::Bool, HCCL_DATA_TYPE_UINT8),
    (DType::U16, HCCL_DATA_TYPE_UINT16),
    (DType::U32, HCCL_DATA_TYPE_UINT32),
    (DType::F64, HCCL_DATA_TYPE_FP64),
    (DType::BF16, HCCL_DATA_TYPE_BFP16),
    (DType::HiF8, HCCL_DATA_TYPE_HIF8),
    (DType::F8E4M3FN, HCCL_DATA_TYPE_FP8E4M3),
    (DType::F8E5M2, HCCL_DATA_TYPE_FP8E5M2),
    (DType::F8E8M0, HCCL_DATA_TYPE_FP8E8M0),
];

#[inline]
fn known(dtype: DType) -> Option<HcclDataType> {
    TYPES.iter().find(|(own, _)| *own == dtype).map(|(_, code)| *code)
}

/// Returns how `count` elements are moved: their number and type. Types that HCCL lacks are moved as bytes, and so are floats of
/// eight bits, which it does not take everywhere.
///
/// # Errors
/// The reason, if the elements do not fill whole bytes.
#[inline]
pub(super) fn moved(dtype: DType, count: usize) -> Result<(u64, HcclDataType), String> {
    let is_small = dtype.is_float() && dtype.bits() == 8;
    if let Some(code) = known(dtype).filter(|_| !is_small) {
        return Ok((count as u64, code));
    }
    let bits = count as u64 * dtype.bits() as u64;
    if !bits.is_multiple_of(8) {
        return Err(format!(
            "{count} elements of {dtype} do not fill whole bytes, which is what is sent; pad the tensor"
        ));
    }
    Ok((bits / 8, HCCL_DATA_TYPE_UINT8))
}

/// Returns the type in which elements are combined.
///
/// # Errors
/// The reason, if HCCL lacks the type, or the result of the operation would be no element.
#[inline]
pub(super) fn combined(dtype: DType, op: ReduceOp) -> Result<HcclDataType, String> {
    match known(dtype) {
        Some(_) if dtype == DType::Bool && op == ReduceOp::Sum => {
            Err("a sum of bool is no truth value; use the maximum (any is true), or cast to an integer"
                .to_owned())
        }
        Some(code) => Ok(code),
        None if dtype.is_complex() && op == ReduceOp::Sum => Err(format!(
            "HCCL combines no {dtype}; add up view_as_real(), which has the parts of each number"
        )),
        None => Err(format!("HCCL combines no {dtype}; cast the tensor to another type")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_moved_with_all_its_bits() {
        let bytes = |code: HcclDataType| match code.0 {
            0 | 7 | 14..=17 => 1,
            1 | 3 | 8 | 11 => 2,
            2 | 4 | 9 => 4,
            _ => 8,
        };
        for &dtype in DType::ALL.iter().filter(|dtype| dtype.bits() > 0) {
            let (count, code) = moved(dtype, 24).unwrap_or((0, HCCL_DATA_TYPE_UINT8));
            assert_eq!(count * bytes(code) * 8, 24 * dtype.bits() as u64, "{dtype}");
        }
        assert!(moved(DType::I4, 3).is_err());
    }
}
