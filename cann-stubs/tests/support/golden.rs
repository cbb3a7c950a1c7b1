//! Reading the golden vectors of `xtask/golden/arithmetic.py`, and comparing with them.

use aclnn_numerics::{Complex, DType, Element, bf16, f16};

/// The operators in the order of the script.
pub(crate) const OPERATIONS: [&str; 5] = ["add", "sub", "mul", "div", "rsub"];

/// A golden file, read from front to back.
pub(crate) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(count);
        self.0 = rest;
        bytes
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.bytes(1)[0]
    }

    pub(crate) fn operation(&mut self) -> &'static str {
        OPERATIONS[usize::from(self.byte())]
    }

    pub(crate) fn dtype(&mut self) -> DType {
        DType::from_acl_code(self.byte().into()).expect("a type of CANN")
    }

    pub(crate) fn elements(&mut self, dtype: DType, count: usize) -> &'a [u8] {
        self.bytes(dtype.bits() / 8 * count)
    }
}

/// Whether two elements are the same: to the bit, but that every NaN is as good as another.
pub(crate) fn same(dtype: DType, got: &[u8], expected: &[u8]) -> bool {
    fn one<T: Element>(bytes: &[u8]) -> T {
        T::from_bytes(bytes)[0]
    }
    fn is_nan(dtype: DType, bytes: &[u8]) -> bool {
        match dtype {
            DType::F32 => one::<f32>(bytes).is_nan(),
            DType::F64 => one::<f64>(bytes).is_nan(),
            DType::F16 => one::<f16>(bytes).is_nan(),
            DType::BF16 => one::<bf16>(bytes).is_nan(),
            _ => false,
        }
    }
    let part = match dtype {
        DType::C64 => DType::F32,
        DType::C128 => DType::F64,
        other => other,
    };
    let size = part.bits() / 8;
    got.len() == expected.len()
        && got
            .chunks(size)
            .zip(expected.chunks(size))
            .all(|(got, expected)| got == expected || is_nan(part, got) && is_nan(part, expected))
}

/// An element for people.
pub(crate) fn show(dtype: DType, bytes: &[u8]) -> String {
    macro_rules! shown {
        ($($variant:ident $type:ty),*) => {
            match dtype {
                $(DType::$variant => format!("{:?}", <$type>::from_bytes(bytes)),)*
                _ => format!("{bytes:02x?}"),
            }
        };
    }
    shown! { F32 f32, F64 f64, F16 f16, BF16 bf16, I8 i8, U8 u8, I16 i16, I32 i32, I64 i64, Bool bool,
    C64 Complex<f32>, C128 Complex<f64> }
}
