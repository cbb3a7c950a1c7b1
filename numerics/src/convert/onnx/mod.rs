//! The Cast operator of ONNX, versions 1 to 25.
//!
//! [`Cast`] is one conversion, looked up once and run on whole tensors. [`cast`], [`cast_slice`] and [`cast_one`] are
//! short forms of it, and [`cast_from_strings`] and [`cast_to_strings`] convert text. [`rule`](mod@rule) shows the rule
//! of every pair of types.
//!
//! ```
//! use aclnn_numerics::convert::onnx::{CastOptions, cast, cast_one};
//! use aclnn_numerics::element::F8E4M3FN;
//! use aclnn_numerics::{DType, bf16};
//!
//! // Five floats to three bytes of int4: the low bits of the whole part, two per byte, the first one low.
//! let mut packed = [0; 3];
//! let floats: Vec<u8> = [1f32, -1.0, 7.9, 8.0, 3.0].iter().flat_map(|v| v.to_le_bytes()).collect();
//! cast(DType::F32, DType::I4, CastOptions::default(), &floats, 5, &mut packed)?;
//! assert_eq!(packed, [0xF1, 0x87, 0x03]);
//!
//! assert_eq!(cast_one::<f32, F8E4M3FN>(1e6, CastOptions::default())?, F8E4M3FN(0x7E));
//! assert_eq!(cast_one::<i64, bf16>(16842753, CastOptions::default())?.to_f32(), 16908288.0);
//!
//! let error = cast_one::<f32, bf16>(1.0, CastOptions { opset: 9, ..Default::default() });
//! assert_eq!(
//!     error.unwrap_err().to_string(),
//!     "bf16 is not a type of ONNX Cast at opset 9: version 13 first allows it"
//! );
//! # Ok::<(), aclnn_numerics::convert::onnx::CastError>(())
//! ```
//!
//! # Choices where the description leaves the result open
//!
//! *evaluator* is the Python reference evaluator of the onnx package; it converts by NumPy and, for the small types, by
//! ml_dtypes. *CANN* is what is known of the Cast of the device; in rows that follow it, host and device give the same
//! result.
//!
//! | case | result here | source of the choice |
//! |---|---|---|
//! | float → i8, i16, u16, u8 (from f16, f64) | truncated to i32, saturating, and of that the low bits: 300.0 → i8 44, −1.0 → u8 255, 1e20 → i8 −1 | CANN; evaluator in range of i32 |
//! | float → u8 from the others | the same by way of i64: 1e20 → 255, 2³² → 0 | CANN; evaluator in range of i32 |
//! | float → i32, i64, u32, u64 | truncated, saturating: 1e20 → i32 2147483647, −1.0 → u32 0 | CANN, NumPy on ARM; NumPy on x86 gives −2³¹ or −2⁶³ beyond the signed types, and the low bits of an i64 to u32 and u64 |
//! | float → integer, NaN | 0 | CANN, ml_dtypes, NumPy on ARM; on x86 NumPy gives −2³¹, −2⁶³ or their low bits |
//! | float → float | one rounding, nearest even, also from f64 and 64-bit integers | NumPy; ml_dtypes rounds these twice on the way to bf16 and the 8-bit types, NumPy i64 → f16 |
//! | float → i4, u4, i2, u2, out of range | the low bits, as for i8 | evaluator, node tests from 24 on; those of 21 and 23 saturate |
//! | f32 → bf16 | nearest even | evaluator, node tests from 24 on; those up to 23 cut bits off |
//! | ±∞ → f8e4m3fnuz, f8e5m2fnuz, saturating, 19 to 23 | NaN | the table; the node tests of these versions have the largest value |
//! | NaN → f16, bf16, f32, f64 | quiet, with its sign | NumPy |
//! | NaN → f8e5m2 | 0x7E, 0xFE | ml_dtypes |
//! | −NaN → f8e4m3fn, f8e5m2, saturating | −NaN, as not saturating | ml_dtypes |
//! | \[x\] < −max → f8e4m3fn, not saturating | −NaN | ml_dtypes |
//! | −∞ → f8e5m2, saturating, 19 to 23 | −max; one print of the table has no sign | evaluator |
//! | f8e5m2 → itself | as from any other type: ±∞ saturates | evaluator |
//! | → f4e2m1, out of range | ±6, whatever `saturate` says | ml_dtypes |
//! | → f4e2m1, NaN | −0, −NaN gives +0 | ml_dtypes, node tests from 24 on; those of 23 have 6 |
//! | packing | the first element in the low bits; unused bits of the last byte are zero | evaluator |
//! | → f8e8m0, the mode and `saturate` in other pairs than the table has | the mode rounds what is in range, `saturate` decides about the rest, as in the table | neither: the evaluator makes NaN of ∞ and 0x01 of all subnormal f32, ml_dtypes NaN of 0 |
//! | → f8e8m0, −0 | as 0 | evaluator |
//! | → f8e8m0, negative | NaN | ml_dtypes, CANN; the evaluator drops the sign |
//! | → f8e8m0, 2¹²⁷ < x < 1.5·2¹²⁷, nearest, not saturating | NaN: the table compares x, not the rounded x | the table; both references give 2¹²⁷ |
//! | bool with a byte other than 0 and 1 | true | this crate |
//! | text | see [`cast_from_strings`] and [`cast_to_strings`] | |
//!
//! `saturate` applies to float8 targets and `round_mode` to f8e8m0 only; elsewhere, and in versions without the
//! attribute, neither has an effect. 0 → f8e8m0 prints 0 in the table: code 0x00, which is 2⁻¹²⁷.

mod cann;
mod error;
mod kernel;
pub mod rule;
mod text;
mod version;

use std::str::FromStr;

use half::{bf16, f16};

use super::small::{Beyond, FloatFormat, PowerEncoder};
pub use crate::convert::small::RoundMode;
use crate::dtype::DType;
use crate::element::{Element, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0};
pub use cann::is_exact_on_cann;
pub use error::CastError;
use kernel::{Kernel, Write};
use rule::Rule;
pub use text::{cast_from_strings, cast_to_strings};
pub use version::{LATEST, To, cast_like_version, since, types, version};

/// The attributes of Cast other than `to`, and the opset that decides what they mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CastOptions {
    /// Whether a value too large for a float8 type becomes the largest one. On by default.
    pub saturate: bool,
    /// The rounding to f8e8m0 of a value between two powers of two. Up by default.
    pub round_mode: RoundMode,
    /// The opset of the model; it selects the version of Cast. [`LATEST`] by default.
    pub opset: u32,
}

impl Default for CastOptions {
    #[inline]
    fn default() -> CastOptions {
        CastOptions { saturate: true, round_mode: RoundMode::Up, opset: LATEST }
    }
}

/// Parses the attribute `round_mode`.
impl FromStr for RoundMode {
    type Err = CastError;

    #[inline]
    fn from_str(name: &str) -> Result<RoundMode, CastError> {
        match name {
            "up" => Ok(RoundMode::Up),
            "down" => Ok(RoundMode::Down),
            "nearest" => Ok(RoundMode::Nearest),
            _ => Err(CastError::RoundMode { name: name.to_owned() }),
        }
    }
}

/// A conversion of one type to another with options.
///
/// Look the conversion up once and run it on whole tensors.
#[derive(Clone, Copy, Debug)]
pub struct Cast {
    from: DType,
    to: DType,
    /// The loop that converts; `None` if the elements are copied.
    kernel: Option<Kernel>,
}

impl Cast {
    /// Returns the conversion of `from` to `to`.
    ///
    /// # Errors
    /// The opset has no known version of Cast, its version lacks one of the types, or one of the types is string.
    #[inline]
    pub fn new(from: DType, to: DType, options: CastOptions) -> Result<Cast, CastError> {
        let version = version::check(from, to, options.opset)?;
        let format = FloatFormat::of(to);
        let write = match rule::rule(from, to) {
            Some(Rule::Same) => return Ok(Cast { from, to, kernel: None }),
            Some(Rule::Truth | Rule::Round | Rule::Bits | Rule::Whole | Rule::Wide | Rule::Clamp) => {
                Some(Write::Number)
            }
            Some(Rule::Float8) => {
                let [overflow, infinite] = rule::beyond_float8(to, version, options.saturate);
                format.and_then(|format| format.encoder(overflow, infinite)).map(Write::Float)
            }
            Some(Rule::Float4) => {
                format.and_then(|format| format.encoder(Beyond::Largest, Beyond::Largest)).map(Write::Float)
            }
            Some(Rule::Power) => Some(Write::Power(PowerEncoder::new(options.round_mode, options.saturate))),
            Some(Rule::Read | Rule::Write) | None => None,
        };
        let kernel = write.and_then(|write| Kernel::new(from, to, write)).ok_or(CastError::Strings)?;
        Ok(Cast { from, to, kernel: Some(kernel) })
    }

    /// Returns the type of the source.
    #[inline]
    pub fn from(&self) -> DType {
        self.from
    }

    /// Returns the type of the target.
    #[inline]
    pub fn to(&self) -> DType {
        self.to
    }

    /// Converts `count` elements, packed and of any alignment.
    ///
    /// Bytes past the elements are ignored in the source and kept in the target.
    ///
    /// # Errors
    /// A slice is too short. Nothing is written in this case.
    #[inline]
    pub fn run(&self, source: &[u8], count: usize, target: &mut [u8]) -> Result<(), CastError> {
        let bytes = |dtype: DType| dtype.storage_bytes(count).unwrap_or(usize::MAX);
        let (needed, found) = (bytes(self.from), source.len());
        let source = source.get(..needed).ok_or(CastError::Source { needed, found })?;
        let (needed, found) = (bytes(self.to), target.len());
        let target = target.get_mut(..needed).ok_or(CastError::Target { needed, found })?;
        match &self.kernel {
            None => kernel::copy(self.from.bits(), source, count, target),
            Some(kernel) => kernel.run(source, count, target),
        }
        Ok(())
    }

    /// Converts one element, given and returned as bits in an integer; higher bits are ignored.
    #[inline]
    pub fn code(&self, code: u64) -> u64 {
        let mut target = [0; 8];
        match self.run(&code.to_le_bytes(), 1, &mut target) {
            Ok(()) => u64::from_le_bytes(target),
            // No element is longer than eight bytes.
            Err(_) => 0,
        }
    }
}

/// Converts `count` elements of `source`, packed and of any alignment, into `target`.
///
/// # Errors
/// As for [`Cast::new`] and [`Cast::run`].
#[inline]
pub fn cast(
    from: DType,
    to: DType,
    options: CastOptions,
    source: &[u8],
    count: usize,
    target: &mut [u8],
) -> Result<(), CastError> {
    Cast::new(from, to, options)?.run(source, count, target)
}

/// An element of a type that has a Rust type and that Cast converts.
pub trait CastElement: Element {
    /// Reads one element; missing bytes count as zero.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! cast_elements {
    ($($type:ty)*) => {$(
        impl CastElement for $type {
            #[inline]
            fn read(bytes: &[u8]) -> Self {
                bytes.get(..size_of::<Self>()).map_or(bytemuck::Zeroable::zeroed(), bytemuck::pod_read_unaligned)
            }
        }
    )*};
}

cast_elements!(f32 f16 f64 bf16 i8 u8 i16 u16 i32 u32 i64 u64 F8E5M2 F8E4M3FN F8E8M0 F8E4M3FNUZ F8E5M2FNUZ);

impl CastElement for bool {
    #[inline]
    fn read(bytes: &[u8]) -> Self {
        bytes.first().is_some_and(|&byte| byte != 0)
    }
}

/// Converts one element.
///
/// # Errors
/// As for [`Cast::new`].
pub fn cast_one<A: CastElement, B: CastElement>(value: A, options: CastOptions) -> Result<B, CastError> {
    let mut target = [0; 8];
    cast(A::DTYPE, B::DTYPE, options, A::as_bytes(&[value]), 1, &mut target)?;
    Ok(B::read(&target))
}

/// Converts as many elements as both slices hold.
///
/// # Errors
/// As for [`Cast::new`].
pub fn cast_slice<A: CastElement, B: CastElement>(
    source: &[A],
    target: &mut [B],
    options: CastOptions,
) -> Result<(), CastError> {
    const BLOCK: usize = 512;
    let cast = Cast::new(A::DTYPE, B::DTYPE, options)?;
    let mut bytes = [0; 8 * BLOCK];
    for (source, target) in source.chunks(BLOCK).zip(target.chunks_mut(BLOCK)) {
        cast.run(A::as_bytes(source), source.len(), &mut bytes)?;
        for (to, element) in target.iter_mut().zip(bytes.chunks_exact(size_of::<B>())) {
            *to = B::read(element);
        }
    }
    Ok(())
}
