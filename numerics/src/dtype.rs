//! The element types and their properties: one table, one row per type.

use std::fmt;
use std::str::FromStr;

/// The kind of number that a [`DType`] holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Truth values, one byte each.
    Bool,
    /// Two's complement integers.
    Signed,
    /// Integers without sign.
    Unsigned,
    /// Floating-point numbers of any width.
    Float,
    /// A pair of floating-point numbers.
    Complex,
    /// Text, which has no fixed size and exists on the host only.
    String,
}

struct Row {
    dtype: DType,
    short: &'static str,
    rust: &'static str,
    bits: usize,
    class: Class,
    acl: Option<(i32, &'static str)>,
    onnx: Option<(i32, &'static str)>,
}

macro_rules! absent_or {
    () => {
        None
    };
    ($code:literal $name:literal) => {
        Some(($code, $name))
    };
}

macro_rules! dtypes {
    ($($variant:ident $short:literal $rust:literal $bits:literal $class:ident
       ($($acl:tt)*) ($($onnx:tt)*) $doc:literal)*) => {
        /// An element type: every type that CANN numbers, and those that only ONNX has.
        ///
        /// The short names (`f32`, `i8`, …) are those of Rust where Rust has the type; the number in the name of a
        /// complex type counts the bits of both parts together.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum DType {
            $(#[doc = $doc] $variant,)*
        }

        // A static, of which there is one: each unit of code would have its own copy of a constant.
        static ROWS: &[Row] = &[$(Row {
            dtype: DType::$variant,
            short: $short,
            rust: $rust,
            bits: $bits,
            class: Class::$class,
            acl: absent_or!($($acl)*),
            onnx: absent_or!($($onnx)*),
        }),*];

        impl DType {
            /// Every element type, in the order of the variants.
            pub const ALL: &'static [DType] = &[$(DType::$variant),*];
        }
    };
}

// variant   short        Rust           bits class     ACL code and name           ONNX code and name
dtypes! {
    F32        "f32"        "f32"           32 Float    (0 "ACL_FLOAT")             (1 "float")            "IEEE binary32."
    F16        "f16"        "f16"           16 Float    (1 "ACL_FLOAT16")           (10 "float16")         "IEEE binary16."
    F64        "f64"        "f64"           64 Float    (11 "ACL_DOUBLE")           (11 "double")          "IEEE binary64."
    BF16       "bf16"       "bf16"          16 Float    (27 "ACL_BF16")             (16 "bfloat16")        "The upper half of a binary32."
    I8         "i8"         "i8"             8 Signed   (2 "ACL_INT8")              (3 "int8")             "8-bit signed integer."
    U8         "u8"         "u8"             8 Unsigned (4 "ACL_UINT8")             (2 "uint8")            "8-bit unsigned integer."
    I16        "i16"        "i16"           16 Signed   (6 "ACL_INT16")             (5 "int16")            "16-bit signed integer."
    U16        "u16"        "u16"           16 Unsigned (7 "ACL_UINT16")            (4 "uint16")           "16-bit unsigned integer."
    I32        "i32"        "i32"           32 Signed   (3 "ACL_INT32")             (6 "int32")            "32-bit signed integer."
    U32        "u32"        "u32"           32 Unsigned (8 "ACL_UINT32")            (12 "uint32")          "32-bit unsigned integer."
    I64        "i64"        "i64"           64 Signed   (9 "ACL_INT64")             (7 "int64")            "64-bit signed integer."
    U64        "u64"        "u64"           64 Unsigned (10 "ACL_UINT64")           (13 "uint64")          "64-bit unsigned integer."
    Bool       "bool"       "bool"           8 Bool     (12 "ACL_BOOL")             (9 "bool")             "Truth value in a byte."
    C32        "c32"        "Complex<f16>"  32 Complex  (33 "ACL_COMPLEX32")        ()                     "Complex of two binary16."
    C64        "c64"        "Complex<f32>"  64 Complex  (16 "ACL_COMPLEX64")        (14 "complex64")       "Complex of two binary32."
    C128       "c128"       "Complex<f64>" 128 Complex  (17 "ACL_COMPLEX128")       (15 "complex128")      "Complex of two binary64."
    String     "string"     "String"         0 String   (13 "ACL_STRING")           (8 "string")           "Text, of no fixed size."
    I4         "i4"         "i4"             4 Signed   (29 "ACL_INT4")             (22 "int4")            "4-bit signed integer, two per byte."
    U1         "u1"         "u1"             1 Unsigned (30 "ACL_UINT1")            ()                     "Single bit, eight per byte."
    HiF8       "hif8"       "HiF8"           8 Float    (34 "ACL_HIFLOAT8")         ()                     "HiFloat8: exponent and fraction share their width."
    F8E5M2     "f8e5m2"     "F8E5M2"         8 Float    (35 "ACL_FLOAT8_E5M2")      (19 "float8e5m2")      "8-bit float with infinities."
    F8E4M3FN   "f8e4m3fn"   "F8E4M3FN"       8 Float    (36 "ACL_FLOAT8_E4M3FN")    (17 "float8e4m3fn")    "8-bit float without infinities, largest 448."
    F8E8M0     "f8e8m0"     "F8E8M0"         8 Float    (37 "ACL_FLOAT8_E8M0")      (24 "float8e8m0")      "Power of two: no sign, no zero."
    F6E3M2     "f6e3m2"     "F6E3M2"         6 Float    (38 "ACL_FLOAT6_E3M2")      (28 "float6e3m2")      "6-bit float, 3 exponent bits."
    F6E2M3     "f6e2m3"     "F6E2M3"         6 Float    (39 "ACL_FLOAT6_E2M3")      (27 "float6e2m3")      "6-bit float, 2 exponent bits."
    F4E2M1     "f4e2m1"     "F4E2M1"         4 Float    (40 "ACL_FLOAT4_E2M1")      (23 "float4e2m1")      "4-bit float, two per byte, largest 6."
    F4E1M2     "f4e1m2"     "F4E1M2"         4 Float    (41 "ACL_FLOAT4_E1M2")      ()                     "4-bit float, two per byte, largest 1.75."
    HiF4       "hif4"       "HiF4"           4 Float    (42 "ACL_HIFLOAT4")         ()                     "HiFloat4; declared by CANN 9.0 only."
    F8E4M3FNUZ "f8e4m3fnuz" "F8E4M3FNUZ"     8 Float    ()                          (18 "float8e4m3fnuz")  "8-bit float without infinities and negative zero, largest 240."
    F8E5M2FNUZ "f8e5m2fnuz" "F8E5M2FNUZ"     8 Float    ()                          (20 "float8e5m2fnuz")  "8-bit float without infinities and negative zero, largest 57344."
    U4         "u4"         "u4"             4 Unsigned ()                          (21 "uint4")           "4-bit unsigned integer, two per byte."
    I2         "i2"         "i2"             2 Signed   ()                          (26 "int2")            "2-bit signed integer, four per byte."
    U2         "u2"         "u2"             2 Unsigned ()                          (25 "uint2")           "2-bit unsigned integer, four per byte."
}

impl DType {
    /// The sixteen types of the promotion tables, in the order of their rows and columns.
    pub const TABLE: [DType; 16] = [
        DType::F32,
        DType::F16,
        DType::F64,
        DType::BF16,
        DType::I8,
        DType::U8,
        DType::I16,
        DType::U16,
        DType::I32,
        DType::U32,
        DType::I64,
        DType::U64,
        DType::Bool,
        DType::C32,
        DType::C64,
        DType::C128,
    ];

    const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns the position in [`DType::TABLE`].
    pub(crate) fn table_index(self) -> Option<usize> {
        let index = self as usize;
        (index < Self::TABLE.len()).then_some(index)
    }

    /// Returns the `aclDataType` value, if CANN has the type.
    pub fn acl_code(self) -> Option<i32> {
        self.row().acl.map(|(code, _)| code)
    }

    /// Returns the type with this `aclDataType` value.
    pub fn from_acl_code(code: i32) -> Option<DType> {
        find(|row| row.acl.is_some_and(|(c, _)| c == code))
    }

    /// Returns the `aclDataType` enumerator, such as `ACL_FLOAT16`.
    pub fn acl_name(self) -> Option<&'static str> {
        self.row().acl.map(|(_, name)| name)
    }

    /// Returns the value in ONNX `TensorProto.DataType`, if ONNX has the type.
    pub fn onnx_code(self) -> Option<i32> {
        self.row().onnx.map(|(code, _)| code)
    }

    /// Returns the type with this ONNX `TensorProto.DataType` value.
    pub fn from_onnx_code(code: i32) -> Option<DType> {
        find(|row| row.onnx.is_some_and(|(c, _)| c == code))
    }

    /// Returns the name in ONNX type strings: `float8e4m3fn` of `tensor(float8e4m3fn)`.
    pub fn onnx_name(self) -> Option<&'static str> {
        self.row().onnx.map(|(_, name)| name)
    }

    /// Returns the name that is printed everywhere: `f32`, `i8`, `c64`. The pages with the promotion tables write `s8`
    /// for `i8`.
    pub const fn short_name(self) -> &'static str {
        self.row().short
    }

    /// Returns the name of the Rust type that holds an element (`i8`), or would hold it if Rust had such a type (`i4`).
    pub fn rust_name(self) -> &'static str {
        self.row().rust
    }

    /// Returns the number of bits of one element; 0 for strings.
    pub const fn bits(self) -> usize {
        self.row().bits
    }

    /// Returns the kind of number.
    pub const fn class(self) -> Class {
        self.row().class
    }

    /// Returns whether this is a signed or unsigned integer type; bool is not one.
    pub const fn is_integer(self) -> bool {
        matches!(self.class(), Class::Signed | Class::Unsigned)
    }

    /// Returns whether this is a floating-point type of any width.
    pub const fn is_float(self) -> bool {
        matches!(self.class(), Class::Float)
    }

    /// Returns whether this is a complex type of any width.
    pub const fn is_complex(self) -> bool {
        matches!(self.class(), Class::Complex)
    }

    /// Returns the bytes that `elements` packed elements take, rounded up to whole bytes; `None` if the number
    /// overflows.
    pub fn storage_bytes(self, elements: usize) -> Option<usize> {
        let bits = elements as u128 * self.bits() as u128;
        usize::try_from(bits.div_ceil(8)).ok()
    }
}

fn find(matches: impl Fn(&Row) -> bool) -> Option<DType> {
    ROWS.iter().find(|row| matches(row)).map(|row| row.dtype)
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.short_name())
    }
}

/// An error: no element type has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownDType(String);

impl fmt::Display for UnknownDType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown element type {:?}; known are", self.0)?;
        for (i, row) in ROWS.iter().enumerate() {
            f.write_str(if i == 0 { " " } else { ", " })?;
            f.write_str(row.short)?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownDType {}

/// Parses any of the four names, and those of the promotion tables (`s8` for `i8`), without regard to case.
impl FromStr for DType {
    type Err = UnknownDType;

    fn from_str(name: &str) -> Result<DType, UnknownDType> {
        let bits_of_signed = name.strip_prefix(['s', 'S']);
        find(|row| {
            let names = [Some(row.short), Some(row.rust), row.acl.map(|a| a.1), row.onnx.map(|o| o.1)];
            names.into_iter().flatten().any(|known| known.eq_ignore_ascii_case(name))
                || row.class == Class::Signed
                    && bits_of_signed.is_some_and(|bits| row.short.strip_prefix('i') == Some(bits))
        })
        .ok_or_else(|| UnknownDType(name.to_owned()))
    }
}

const _: () = {
    let mut i = 0;
    while i < DType::TABLE.len() {
        assert!(DType::TABLE[i] as usize == i, "the sixteen of the promotion tables come first");
        i += 1;
    }
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back() {
        for &dtype in DType::ALL {
            assert_eq!(dtype.row().dtype, dtype);
            let row = dtype.row();
            for name in [Some(row.short), Some(row.rust), dtype.acl_name(), dtype.onnx_name()] {
                let Some(name) = name else { continue };
                assert_eq!(name.parse::<DType>().unwrap(), dtype, "{name}");
                assert_eq!(name.to_uppercase().parse::<DType>().unwrap(), dtype, "{name}");
            }
            assert_eq!(dtype.acl_code().map(DType::from_acl_code), dtype.acl_code().map(|_| Some(dtype)));
            assert_eq!(dtype.onnx_code().map(DType::from_onnx_code), dtype.onnx_code().map(|_| Some(dtype)));
        }
        let error = "f31".parse::<DType>().unwrap_err().to_string();
        assert!(error.contains("\"f31\"") && error.contains("bf16"), "{error}");
    }

    #[test]
    fn short_names_are_those_of_rust_and_the_promotion_tables_are_read_too() {
        let short = [DType::I8, DType::I16, DType::I32, DType::I64, DType::I4, DType::I2];
        let names = ["i8", "i16", "i32", "i64", "i4", "i2"];
        let printed_in_tables = ["s8", "s16", "s32", "s64", "s4", "s2"];
        for ((dtype, name), printed) in short.into_iter().zip(names).zip(printed_in_tables) {
            assert_eq!((dtype.short_name(), dtype.to_string().as_str()), (name, name));
            assert_eq!(printed.parse(), Ok(dtype));
            assert_eq!(printed.to_uppercase().parse(), Ok(dtype));
        }
        assert_eq!(
            [DType::U8, DType::F32, DType::Bool, DType::C64].map(DType::short_name),
            ["u8", "f32", "bool", "c64"]
        );
        for unknown in ["s", "s1", "s08", "s128", "sf32", "si8", "su8"] {
            assert!(unknown.parse::<DType>().is_err(), "{unknown}");
        }
    }

    #[test]
    fn codes_in_gaps_are_unknown() {
        for code in [-1, 5, 14, 15, 18, 26, 28, 31, 32, 43, i32::MIN, i32::MAX] {
            assert_eq!(DType::from_acl_code(code), None, "{code}");
        }
        assert_eq!(DType::from_onnx_code(0), None);
        assert_eq!(DType::from_onnx_code(29), None);
    }

    #[test]
    fn storage_rounds_up_and_notices_overflow() {
        assert_eq!(DType::I4.storage_bytes(3), Some(2));
        assert_eq!(DType::U1.storage_bytes(9), Some(2));
        assert_eq!(DType::F6E3M2.storage_bytes(4), Some(3));
        assert_eq!(DType::F64.storage_bytes(usize::MAX / 8), Some(usize::MAX / 8 * 8));
        assert_eq!(DType::F64.storage_bytes(usize::MAX / 8 + 1), None);
        assert_eq!(DType::U1.storage_bytes(usize::MAX), Some(usize::MAX / 8 + 1));
        assert_eq!(DType::String.storage_bytes(7), Some(0));
    }
}
