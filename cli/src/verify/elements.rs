//! Elements as bytes: made of numbers, read as numbers, printed.

use aclnn_numerics::{Complex, DType, Element, bf16, f16};

/// Calls `$body!` with the Rust type of an element type that is a number or bool; `None` for other types.
macro_rules! with_type {
    ($dtype:expr, $body:ident) => {
        match $dtype {
            DType::F32 => Some($body!(f32)),
            DType::F64 => Some($body!(f64)),
            DType::F16 => Some($body!(f16)),
            DType::BF16 => Some($body!(bf16)),
            DType::I8 => Some($body!(i8)),
            DType::U8 => Some($body!(u8)),
            DType::I16 => Some($body!(i16)),
            DType::U16 => Some($body!(u16)),
            DType::I32 => Some($body!(i32)),
            DType::U32 => Some($body!(u32)),
            DType::I64 => Some($body!(i64)),
            DType::U64 => Some($body!(u64)),
            DType::Bool => Some($body!(bool)),
            DType::C32 => Some($body!(Complex<f16>)),
            DType::C64 => Some($body!(Complex<f32>)),
            DType::C128 => Some($body!(Complex<f64>)),
            _ => None,
        }
    };
}

/// The bytes of a number in a type: integers saturate, floats are rounded, a complex number has no imaginary part, every
/// number but 0 is true. Of a float of eight bits the number is the code.
pub(crate) fn encode(dtype: DType, value: f64) -> Vec<u8> {
    fn bytes<T: Element>(value: T) -> Vec<u8> {
        T::as_bytes(&[value]).to_vec()
    }
    match dtype {
        DType::F32 => bytes(value as f32),
        DType::F64 => bytes(value),
        DType::F16 => bytes(f16::from_f32(value as f32)),
        DType::BF16 => bytes(bf16::from_f32(value as f32)),
        DType::I8 => bytes(value as i8),
        DType::I16 => bytes(value as i16),
        DType::I32 => bytes(value as i32),
        DType::I64 => bytes(value as i64),
        DType::U16 => bytes(value as u16),
        DType::U32 => bytes(value as u32),
        DType::U64 => bytes(value as u64),
        DType::Bool => bytes(value != 0.0),
        DType::C32 | DType::C64 | DType::C128 => {
            let part = part(dtype);
            [encode(part, value), encode(part, 0.0)].concat()
        }
        _ => bytes(value as i64 as u8),
    }
}

/// The least and the greatest number of an integer type.
pub(crate) fn limits(dtype: DType) -> Option<(i128, i128)> {
    let bits = dtype.bits() as u32;
    match dtype {
        DType::U8 | DType::U16 | DType::U32 | DType::U64 => Some((0, (1 << bits) - 1)),
        DType::I8 | DType::I16 | DType::I32 | DType::I64 => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        _ => None,
    }
}

/// The type of the parts of a complex number; otherwise the type itself.
pub(crate) fn part(dtype: DType) -> DType {
    match dtype {
        DType::C32 => DType::F16,
        DType::C64 => DType::F32,
        DType::C128 => DType::F64,
        other => other,
    }
}

/// A number of bytes, and not a complex one; of a type that is no number its code.
pub(crate) fn decode(dtype: DType, bytes: &[u8]) -> f64 {
    fn one<T: Element>(bytes: &[u8]) -> Option<T> {
        T::read_first(bytes)
    }
    let number = match dtype {
        DType::F32 => one::<f32>(bytes).map(f64::from),
        DType::F64 => one::<f64>(bytes),
        DType::F16 => one::<f16>(bytes).map(f64::from),
        DType::BF16 => one::<bf16>(bytes).map(f64::from),
        DType::I8 => one::<i8>(bytes).map(f64::from),
        DType::I16 => one::<i16>(bytes).map(f64::from),
        DType::I32 => one::<i32>(bytes).map(f64::from),
        DType::I64 => one::<i64>(bytes).map(|value| value as f64),
        DType::U16 => one::<u16>(bytes).map(f64::from),
        DType::U32 => one::<u32>(bytes).map(f64::from),
        DType::U64 => one::<u64>(bytes).map(|value| value as f64),
        _ => bytes.first().map(|byte| f64::from(*byte)),
    };
    number.unwrap_or(f64::NAN)
}

/// An element for people.
pub(crate) fn show(dtype: DType, bytes: &[u8]) -> String {
    macro_rules! shown {
        ($type:ty) => {
            <$type>::read_first(bytes).map(|element| format!("{element:?}"))
        };
    }
    with_type!(dtype, shown).flatten().unwrap_or_else(|| format!("{bytes:02x?}"))
}
