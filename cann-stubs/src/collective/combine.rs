//! Combining the elements of all ranks, in the order of the ranks.

use aclnn_numerics::DType;
use aclnn_sys::{
    HCCL_DATA_TYPE_BFP16, HCCL_DATA_TYPE_FP16, HCCL_DATA_TYPE_FP32, HCCL_DATA_TYPE_FP64, HCCL_DATA_TYPE_INT8,
    HCCL_DATA_TYPE_INT16, HCCL_DATA_TYPE_INT32, HCCL_DATA_TYPE_INT64, HCCL_DATA_TYPE_UINT8,
    HCCL_DATA_TYPE_UINT16, HCCL_DATA_TYPE_UINT32, HCCL_DATA_TYPE_UINT64, HCCL_E_NOT_SUPPORT, HCCL_REDUCE_MAX,
    HCCL_REDUCE_MIN, HCCL_REDUCE_PROD, HcclDataType, HcclReduceOp,
};
use bytemuck::{cast_slice, cast_slice_mut};
use cann_kernels::{Block, Conversions};

use super::call::name;
use super::outcome::{Result, failed};
use crate::runtime::memory::Combined;
use crate::settings;

/// Combines the same elements of each rank, in the order of the ranks.
pub(super) type Loop = fn(parts: &[&[u8]], to: &mut [u8], op: HcclReduceOp);

fn join<T: Combined>(into: &mut [T], from: &[T], op: HcclReduceOp) {
    fn each<T: Combined>(into: &mut [T], from: &[T], both: impl Fn(T, T) -> T) {
        into.iter_mut().zip(from).for_each(|(into, from)| *into = both(*into, *from));
    }
    match op {
        HCCL_REDUCE_PROD => each(into, from, T::product),
        HCCL_REDUCE_MAX => each(into, from, T::larger),
        HCCL_REDUCE_MIN => each(into, from, T::smaller),
        _ => each(into, from, T::sum),
    }
}

/// Combines in a block, which stays in the first-level cache and is aligned. `to` need not be.
fn plain<T: Combined>(parts: &[&[u8]], to: &mut [u8], op: HcclReduceOp) {
    let [first, others @ ..] = parts else { return };
    let mut block = Block::new();
    for (number, to) in to.chunks_mut(Block::SIZE).enumerate() {
        let (from, block) = (number * Block::SIZE, &mut block.bytes_mut()[..to.len()]);
        block.copy_from_slice(&first[from..from + to.len()]);
        for other in others {
            join::<T>(cast_slice_mut(block), cast_slice(&other[from..from + to.len()]), op);
        }
        to.copy_from_slice(block);
    }
}

/// Halves are combined in f32, and rounded once.
fn half(dtype: DType, parts: &[&[u8]], to: &mut [u8], op: HcclReduceOp) {
    const TOGETHER: usize = 1024;
    let through = |chain| Conversions::through(settings::get().product, chain);
    let (Some(widen), Some(round)) = (through(&[dtype, DType::F32]), through(&[DType::F32, dtype])) else {
        return;
    };
    let (mut sum, mut other, mut between) = ([0_f32; TOGETHER], [0_f32; TOGETHER], Block::new());
    for (number, to) in to.chunks_mut(TOGETHER * 2).enumerate() {
        let count = to.len() / 2;
        let from = number * TOGETHER * 2;
        for (rank, part) in parts.iter().enumerate() {
            let part = &part[from..from + to.len()];
            let into = if rank == 0 { &mut sum } else { &mut other };
            widen.apply_all(count, part, cast_slice_mut(&mut into[..count]), &mut between);
            if rank > 0 {
                join(&mut sum[..count], &other[..count], op);
            }
        }
        round.apply_all(count, cast_slice(&sum[..count]), to, &mut between);
    }
}

/// The loop for a type. Which types the library combines is not known: here all numbers of 8 to 64 bits but the floats of 8.
pub(super) fn of(dtype: HcclDataType) -> Result<Loop> {
    Ok(match dtype {
        HCCL_DATA_TYPE_INT8 => plain::<i8>,
        HCCL_DATA_TYPE_INT16 => plain::<i16>,
        HCCL_DATA_TYPE_INT32 => plain::<i32>,
        HCCL_DATA_TYPE_INT64 => plain::<i64>,
        HCCL_DATA_TYPE_UINT8 => plain::<u8>,
        HCCL_DATA_TYPE_UINT16 => plain::<u16>,
        HCCL_DATA_TYPE_UINT32 => plain::<u32>,
        HCCL_DATA_TYPE_UINT64 => plain::<u64>,
        HCCL_DATA_TYPE_FP32 => plain::<f32>,
        HCCL_DATA_TYPE_FP64 => plain::<f64>,
        HCCL_DATA_TYPE_FP16 => |parts, to, op| half(DType::F16, parts, to, op),
        HCCL_DATA_TYPE_BFP16 => |parts, to, op| half(DType::BF16, parts, to, op),
        _ => {
            let name = name(dtype);
            let message = format_args!("elements of type {name} are moved, but not combined");
            return Err(failed(HCCL_E_NOT_SUPPORT, message));
        }
    })
}
