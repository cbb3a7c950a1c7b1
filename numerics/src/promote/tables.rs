//! The promotion tables, as printed: the row is the first operand, the column the second, `x` is "not promotable",
//! and signed integers are `s8` to `s64`.

use crate::dtype::DType;

/// The result by row and column, both in the order of [`DType::TABLE`].
pub(super) type Grid = [[Option<DType>; 16]; 16];

macro_rules! cell {
    (x) => {
        None
    };
    (f32) => {
        Some(DType::F32)
    };
    (f16) => {
        Some(DType::F16)
    };
    (f64) => {
        Some(DType::F64)
    };
    (bf16) => {
        Some(DType::BF16)
    };
    (s8) => {
        Some(DType::I8)
    };
    (u8) => {
        Some(DType::U8)
    };
    (s16) => {
        Some(DType::I16)
    };
    (u16) => {
        Some(DType::U16)
    };
    (s32) => {
        Some(DType::I32)
    };
    (u32) => {
        Some(DType::U32)
    };
    (s64) => {
        Some(DType::I64)
    };
    (u64) => {
        Some(DType::U64)
    };
    (bool) => {
        Some(DType::Bool)
    };
    (c32) => {
        Some(DType::C32)
    };
    (c64) => {
        Some(DType::C64)
    };
    (c128) => {
        Some(DType::C128)
    };
}

/// A table with its header row and row labels, which must be the sixteen types in order.
macro_rules! grid {
    ([$($column:ident)*] $($row:ident: $($cell:ident)*;)*) => {{
        const GRID: Grid = {
            assert!(in_order([$(cell!($column)),*]), "the columns are not in the order of the sixteen types");
            assert!(in_order([$(cell!($row)),*]), "the rows are not in the order of the sixteen types");
            [$([$(cell!($cell)),*]),*]
        };
        GRID
    }};
}

const fn in_order(labels: [Option<DType>; 16]) -> bool {
    let mut i = 0;
    while i < labels.len() {
        match labels[i] {
            Some(label) if label as usize == DType::TABLE[i] as usize => i += 1,
            _ => return false,
        }
    }
    true
}

/// The older CANN operator documentation page, including its prose about u16, u32, u64 and bool. Symmetric except for
/// bf16 (row) with f16 (column), printed as f64.
#[rustfmt::skip]
pub(super) static PUBLISHED: Grid = grid! {
         [f32  f16  f64  bf16 s8   u8   s16  u16  s32  u32  s64  u64  bool c32  c64  c128]
    f32:  f32  f32  f64  f32  f32  f32  f32  x    f32  x    f32  x    f32  c64  c64  c128;
    f16:  f32  f16  f64  f32  f16  f16  f16  x    f16  x    f16  x    f16  c32  c64  c128;
    f64:  f64  f64  f64  f64  f64  f64  f64  x    f64  x    f64  x    f64  c64  c64  c128;
    bf16: f32  f64  f64  bf16 bf16 bf16 bf16 x    bf16 x    bf16 x    bf16 c32  c64  c128;
    s8:   f32  f16  f64  bf16 s8   s16  s16  x    s32  x    s64  x    s8   c32  c64  c128;
    u8:   f32  f16  f64  bf16 s16  u8   s16  x    s32  x    s64  x    u8   c32  c64  c128;
    s16:  f32  f16  f64  bf16 s16  s16  s16  x    s32  x    s64  x    s16  c32  c64  c128;
    u16:  x    x    x    x    x    x    x    u16  x    x    x    x    x    x    x    x;
    s32:  f32  f16  f64  bf16 s32  s32  s32  x    s32  x    s64  x    s32  c32  c64  c128;
    u32:  x    x    x    x    x    x    x    x    x    u32  x    x    x    x    x    x;
    s64:  f32  f16  f64  bf16 s64  s64  s64  x    s64  x    s64  x    s64  c32  c64  c128;
    u64:  x    x    x    x    x    x    x    x    x    x    x    u64  x    x    x    x;
    bool: f32  f16  f64  bf16 s8   u8   s16  x    s32  x    s64  x    bool c32  c64  c128;
    c32:  c64  c32  c64  c32  c32  c32  c32  x    c32  x    c32  x    c32  c32  c64  c128;
    c64:  c64  c64  c64  c64  c64  c64  c64  x    c64  x    c64  x    c64  c64  c64  c128;
    c128: c128 c128 c128 c128 c128 c128 c128 x    c128 x    c128 x    c128 c128 c128 c128;
};

/// The current CANN documentation page, for two tensors. Symmetric.
#[rustfmt::skip]
pub(super) static REVISED: Grid = grid! {
         [f32  f16  f64  bf16 s8   u8   s16  u16  s32  u32  s64  u64  bool c32  c64  c128]
    f32:  f32  f32  f64  f32  f32  f32  f32  x    f32  x    f32  x    f32  c64  c64  c128;
    f16:  f32  f16  f64  f32  f16  f16  f16  x    f16  x    f16  x    f16  c32  c64  c128;
    f64:  f64  f64  f64  f64  f64  f64  f64  x    f64  x    f64  x    f64  c128 c128 c128;
    bf16: f32  f32  f64  bf16 bf16 bf16 bf16 x    bf16 x    bf16 x    bf16 c32  c64  c128;
    s8:   f32  f16  f64  bf16 s8   s16  s16  x    s32  x    s64  x    s8   c32  c64  c128;
    u8:   f32  f16  f64  bf16 s16  u8   s16  x    s32  x    s64  x    u8   c32  c64  c128;
    s16:  f32  f16  f64  bf16 s16  s16  s16  x    s32  x    s64  x    s16  c32  c64  c128;
    u16:  x    x    x    x    x    x    x    u16  x    x    x    x    x    x    x    x;
    s32:  f32  f16  f64  bf16 s32  s32  s32  x    s32  x    s64  x    s32  c32  c64  c128;
    u32:  x    x    x    x    x    x    x    x    x    u32  x    x    x    x    x    x;
    s64:  f32  f16  f64  bf16 s64  s64  s64  x    s64  x    s64  x    s64  c32  c64  c128;
    u64:  x    x    x    x    x    x    x    x    x    x    x    u64  x    x    x    x;
    bool: f32  f16  f64  bf16 s8   u8   s16  x    s32  x    s64  x    bool c32  c64  c128;
    c32:  c64  c32  c128 c32  c32  c32  c32  x    c32  x    c32  x    c32  c32  c64  c128;
    c64:  c64  c64  c128 c64  c64  c64  c64  x    c64  x    c64  x    c64  c64  c64  c128;
    c128: c128 c128 c128 c128 c128 c128 c128 x    c128 x    c128 x    c128 c128 c128 c128;
};

/// The types that the CANN library computes for two tensors: u16, u32 and u64 promote with wide complex types, but only
/// as the first operand.
#[rustfmt::skip]
pub(super) static LIBRARY: Grid = grid! {
         [f32  f16  f64  bf16 s8   u8   s16  u16  s32  u32  s64  u64  bool c32  c64  c128]
    f32:  f32  f32  f64  f32  f32  f32  f32  x    f32  x    f32  x    f32  c64  c64  c128;
    f16:  f32  f16  f64  f32  f16  f16  f16  x    f16  x    f16  x    f16  c32  c64  c128;
    f64:  f64  f64  f64  f64  f64  f64  f64  x    f64  x    f64  x    f64  c128 c128 c128;
    bf16: f32  f32  f64  bf16 bf16 bf16 bf16 x    bf16 x    bf16 x    bf16 c64  c64  c128;
    s8:   f32  f16  f64  bf16 s8   s16  s16  x    s32  x    s64  x    s8   c32  c64  c128;
    u8:   f32  f16  f64  bf16 s16  u8   s16  x    s32  x    s64  x    u8   c32  c64  c128;
    s16:  f32  f16  f64  bf16 s16  s16  s16  x    s32  x    s64  x    s16  c32  c64  c128;
    u16:  x    x    x    x    x    x    x    u16  x    x    x    x    x    x    c64  c128;
    s32:  f32  f16  f64  bf16 s32  s32  s32  x    s32  x    s64  x    s32  c32  c64  c128;
    u32:  x    x    x    x    x    x    x    x    x    u32  x    x    x    x    c64  c128;
    s64:  f32  f16  f64  bf16 s64  s64  s64  x    s64  x    s64  x    s64  c32  c64  c128;
    u64:  x    x    x    x    x    x    x    x    x    x    x    u64  x    x    c128 c128;
    bool: f32  f16  f64  bf16 s8   u8   s16  x    s32  x    s64  x    bool c32  c64  c128;
    c32:  c64  c32  c128 c64  c32  c32  c32  x    c32  x    c32  x    c32  c32  c64  c128;
    c64:  c64  c64  c128 c64  c64  c64  c64  x    c64  x    c64  x    c64  c64  c64  c128;
    c128: c128 c128 c128 c128 c128 c128 c128 x    c128 x    c128 x    c128 c128 c128 c128;
};

/// The current CANN documentation page, for a tensor and a scalar: the row is the **scalar**, the column the **tensor**.
#[rustfmt::skip]
pub(super) static REVISED_SCALAR: Grid = grid! {
         [f32  f16  f64  bf16 s8   u8   s16  u16  s32  u32  s64  u64  bool c32  c64  c128]
    f32:  f32  f16  f64  bf16 f32  f32  f32  x    f32  x    f32  x    f32  c32  c64  c128;
    f16:  f32  f16  f64  bf16 f32  f32  f32  x    f32  x    f32  x    f32  c32  c64  c128;
    f64:  f32  f16  f64  bf16 f32  f32  f32  x    f32  x    f32  x    f32  c128 c128 c128;
    bf16: f32  f16  f64  bf16 f32  f32  f32  x    f32  x    f32  x    f32  c32  c64  c128;
    s8:   f32  f16  f64  bf16 s8   u8   s16  u16  s32  u32  s64  u64  s8   c32  c64  c128;
    u8:   f32  f16  f64  bf16 s8   u8   s16  u16  s32  u32  s64  u64  u8   c32  c64  c128;
    s16:  f32  f16  f64  bf16 s8   u8   s16  u16  s32  u32  s64  u64  s16  c32  c64  c128;
    u16:  f32  f16  f64  bf16 s8   u8   s16  u16  s32  u32  s64  u64  x    c32  c64  c128;
    s32:  f32  f16  f64  bf16 s8   u8   s16  u16  s32  u32  s64  u64  s32  c32  c64  c128;
    u32:  f32  f16  f64  bf16 s8   u8   s16  u16  s32  u32  s64  u64  x    c32  c64  c128;
    s64:  f32  f16  f64  bf16 s8   u8   s16  u16  s32  u32  s64  u64  s64  c32  c64  c128;
    u64:  f32  f16  f64  bf16 s8   u8   s16  u16  s32  u32  s64  u64  x    c32  c64  c128;
    bool: f32  f16  f64  bf16 s8   u8   s16  u16  s32  u32  s64  u64  bool c32  c64  c128;
    c32:  c64  c32  c128 c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c32  c64  c128;
    c64:  c64  c32  c128 c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c32  c64  c128;
    c128: c64  c32  c128 c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c32  c64  c128;
};
