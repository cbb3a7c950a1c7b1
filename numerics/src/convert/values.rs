//! The values of the floats of up to eight bits, as tables.

use super::hif8;
use super::small::FloatFormat;
use crate::dtype::DType;

/// The values of all codes of a byte, each of which is a bf16: the lower and the upper bytes of these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Values {
    pub(super) lower: [u8; 256],
    pub(super) upper: [u8; 256],
    pub(super) common: Option<Common>,
}

/// The formats that are common enough for loops of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Common {
    F8E4M3FN,
    F8E5M2,
}

impl Values {
    /// Returns the values of a type; `None` if it is no float of up to eight bits.
    #[inline]
    pub(crate) const fn of(dtype: DType) -> Option<&'static Values> {
        macro_rules! tables {
            ($($variant:ident)*) => {
                match dtype {
                    $(DType::$variant => {
                        const FORMAT: Option<FloatFormat> = FloatFormat::of(DType::$variant);
                        const COMMON: Option<Common> = match DType::$variant {
                            DType::F8E4M3FN => Some(Common::F8E4M3FN),
                            DType::F8E5M2 => Some(Common::F8E5M2),
                            _ => None,
                        };
                        static VALUES: Values = Values::new(FORMAT, COMMON);
                        Some(&VALUES)
                    })*
                    _ => None,
                }
            };
        }
        tables!(F8E4M3FN F8E4M3FNUZ F8E5M2 F8E5M2FNUZ F8E8M0 F4E2M1 F4E1M2 HiF8)
    }

    /// Makes the table of a format, or that of HiF8.
    #[inline]
    const fn new(format: Option<FloatFormat>, common: Option<Common>) -> Values {
        let mut values = Values { lower: [0; 256], upper: [0; 256], common };
        let mut code = 0;
        while code < 256 {
            let value = match format {
                Some(format) => format.decode(code as u8),
                None => hif8::decode(code as u8),
            };
            let [first, second, lower, upper] = value.to_bits().to_le_bytes();
            assert!(first == 0 && second == 0, "the value is a bf16");
            (values.lower[code], values.upper[code]) = (lower, upper);
            code += 1;
        }
        values
    }

    /// Returns the value of a code.
    #[inline(always)]
    pub(super) const fn get(&self, code: u8) -> f32 {
        let bytes = [0, 0, self.lower[code as usize], self.upper[code as usize]];
        f32::from_bits(u32::from_le_bytes(bytes))
    }
}
