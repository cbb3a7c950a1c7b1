//! The loops from every source type to every target type, without dispatch between elements.

use std::marker::PhantomData;

use bytemuck::Pod;
use half::{bf16, f16};

use crate::convert::level::{Halves, Level, Loop, i32_from_f32, i32_from_f64, i64_from_f32, i64_from_f64};
use crate::convert::pack::Width;
use crate::convert::small::{FloatEncoder, FloatFormat, PowerEncoder};
use crate::convert::{Converter, cann, convert_bytes, round};
use crate::dtype::DType;

/// The number of packed elements that are unpacked, converted and packed again at a time.
const BLOCK: usize = 512;

/// How the elements of a source become Rust numbers.
#[derive(Clone, Copy, Debug)]
enum Read {
    /// The elements are Rust numbers already.
    Plain,
    /// As f32, which holds every value of the type, decoded from one code per byte.
    Float(Width, Converter),
    /// As i8.
    Signed(Width),
    /// As u8.
    Unsigned(Width),
}

/// How Rust numbers become elements of the target.
#[derive(Clone, Copy, Debug)]
pub(super) enum Write {
    /// As Rust numbers.
    Plain,
    Float(FloatEncoder, Width),
    Power(PowerEncoder),
    /// As the low bits of an integer.
    Low(Width),
}

/// Converts numbers to numbers, or to codes of one byte each.
type Compiled = fn(&Write, &[u8], &mut [u8]);

/// The byte of a bool, which any value but zero makes true.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
struct Truth(u8);

/// The values that a source gives to each kind of target.
trait Source: Pod {
    fn f32(self) -> f32;
    fn f64(self) -> f64;
    /// Returns the value rounded to odd, for a further rounding.
    fn odd(self) -> f32;
    /// Returns the low 32 bits of an integer; the whole part of a float, saturating.
    fn i32(self) -> i32;
    fn i64(self) -> i64;
    /// Returns the low bits of an integer; for a float, the result of CANN's Cast. So do `u32` and `u64`.
    fn u8(self) -> u8;
    fn u32(self) -> u32;
    fn u64(self) -> u64;
    fn truth(self) -> bool;
}

macro_rules! source {
    ($type:ty, $self:ident: $f32:expr, $f64:expr, $odd:expr, $i32:expr, $i64:expr, $u8:expr, $u32:expr, $u64:expr,
     $truth:expr) => {
        impl Source for $type {
            #[inline(always)]
            fn f32($self) -> f32 {
                $f32
            }
            #[inline(always)]
            fn f64($self) -> f64 {
                $f64
            }
            #[inline(always)]
            fn odd($self) -> f32 {
                $odd
            }
            #[inline(always)]
            fn i32($self) -> i32 {
                $i32
            }
            #[inline(always)]
            fn i64($self) -> i64 {
                $i64
            }
            #[inline(always)]
            fn u8($self) -> u8 {
                $u8
            }
            #[inline(always)]
            fn u32($self) -> u32 {
                $u32
            }
            #[inline(always)]
            fn u64($self) -> u64 {
                $u64
            }
            #[inline(always)]
            fn truth($self) -> bool {
                $truth
            }
        }
    };
}

macro_rules! integers {
    ($($type:ty: $self:ident => $odd:expr;)*) => {$(
        source! { $type, $self:
            $self as f32, $self as f64, $odd, $self as i32, $self as i64, $self as u8, $self as u32, $self as u64,
            $self != 0
        }
    )*};
}

integers! {
    i8: self => self as f32;
    u8: self => self as f32;
    i16: self => self as f32;
    u16: self => self as f32;
    i32: self => round::f32_from_f64_to_odd(self as f64);
    u32: self => round::f32_from_f64_to_odd(self as f64);
    i64: self => round::f32_from_i64_to_odd(self);
    u64: self => round::f32_from_u64_to_odd(self);
}

macro_rules! floats {
    ($($type:ty: $self:ident => $seen:expr, $odd:expr, $i32:ident, $i64:ident;)*) => {$(
        source! { $type, $self:
            $seen as f32, $seen as f64, $odd, $i32($seen), $i64($seen), cann::cast($self), cann::cast($self),
            cann::cast($self), $seen != 0.0
        }
    )*};
}

floats! {
    f64: self => self, round::f32_from_f64_to_odd(self), i32_from_f64, i64_from_f64;
    f32: self => self, self, i32_from_f32, i64_from_f32;
    f16: self => round::f32_from_f16(self), round::f32_from_f16(self), i32_from_f32, i64_from_f32;
    bf16: self => round::f32_from_bf16(self), round::f32_from_bf16(self), i32_from_f32, i64_from_f32;
}

macro_rules! as_u8 {
    ($($method:ident $type:ty),*) => {
        impl Source for Truth {$(
            #[inline(always)]
            fn $method(self) -> $type {
                u8::from(self.0 != 0).$method()
            }
        )*}
    };
}
as_u8!(f32 f32, f64 f64, odd f32, i32 i32, i64 i64, u8 u8, u32 u32, u64 u64, truth bool);

/// A Rust number that is a target.
trait Target: Pod {
    fn of(source: impl Source) -> Self;
}

macro_rules! targets {
    ($($type:ty: $source:ident => $value:expr;)*) => {$(
        impl Target for $type {
            #[inline(always)]
            fn of($source: impl Source) -> Self {
                $value
            }
        }
    )*};
}

targets! {
    f32: source => source.f32();
    f64: source => source.f64();
    f16: source => round::f16_from_f32(source.odd());
    bf16: source => round::bf16_from_f32(source.odd());
    i8: source => source.i32() as i8;
    u8: source => source.u8();
    i16: source => source.i32() as i16;
    u16: source => source.i32() as u16;
    i32: source => source.i32();
    u32: source => source.u32();
    i64: source => source.i64();
    u64: source => source.u64();
    Truth: source => Truth(source.truth().into());
}

/// The loop from a type of numbers to another.
struct Numbers<S, T>(PhantomData<(S, T)>);

impl<S: Source, T: Target> Loop for Numbers<S, T> {
    const LEVELS: bool = true;

    type Settings = Write;

    #[inline(always)]
    fn run(_: impl Halves, _: &Write, source: &[u8], target: &mut [u8]) {
        convert_bytes(source, target, |value: S| T::of(value));
    }
}

/// The loop from a type of numbers to codes.
struct Codes<S>(PhantomData<S>);

impl<S: Source> Loop for Codes<S> {
    const LEVELS: bool = true;

    type Settings = Write;

    #[inline(always)]
    fn run(_: impl Halves, write: &Write, source: &[u8], target: &mut [u8]) {
        match *write {
            Write::Plain => {}
            Write::Float(encoder, _) => {
                convert_bytes(source, target, |value: S| encoder.encode(value.odd()));
            }
            Write::Power(encoder) => convert_bytes(source, target, |value: S| encoder.encode(value.odd())),
            Write::Low(width) => {
                let mask = width.mask();
                convert_bytes(source, target, |value: S| value.i32() as u8 & mask);
            }
        }
    }
}

macro_rules! loops {
    ($level:expr, $from:expr, $to:expr; $($variant:ident $type:ty),*) => {
        match $from {
            $(DType::$variant => loops!(@ $level, $type, $to;
                F32 f32, F16 f16, F64 f64, BF16 bf16, I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64,
                U64 u64, Bool Truth),)*
            _ => None,
        }
    };
    (@ $level:expr, $source:ty, $to:expr; $($variant:ident $type:ty),*) => {
        match $to {
            $(DType::$variant => Some($level.compiled::<Numbers<$source, $type>>()),)*
            _ => Some($level.compiled::<Codes<$source>>()),
        }
    };
}

/// Returns how to read a type, and the Rust type that it is read as.
fn read(level: Level, from: DType) -> Option<(Read, DType)> {
    macro_rules! by_code {
        ($($variant:ident)*) => {
            match from {
                $(DType::$variant => {
                    struct Decode;

                    impl Loop for Decode {
                        const LEVELS: bool = true;

                        type Settings = ();

                        #[inline(always)]
                        fn run(_: impl Halves, _: &(), source: &[u8], target: &mut [u8]) {
                            if let Some(format) = const { FloatFormat::of(DType::$variant) } {
                                convert_bytes(source, target, |code: u8| format.decode(code));
                            }
                        }
                    }

                    return Some((Read::Float(Width::of(from)?, level.converter::<Decode>()), DType::F32));
                })*
                _ => {}
            }
        };
    }
    by_code!(F8E4M3FN F8E4M3FNUZ F8E5M2 F8E5M2FNUZ F8E8M0 F4E2M1);
    Some(match from {
        DType::I4 | DType::I2 => (Read::Signed(Width::of(from)?), DType::I8),
        DType::U4 | DType::U2 => (Read::Unsigned(Width::of(from)?), DType::U8),
        _ => (Read::Plain, from),
    })
}

/// Returns the loop from a type, as it is read, to another; `None` if one of them is not a Rust type.
fn select(level: Level, from: DType, to: DType) -> Option<Compiled> {
    loops!(level, from, to;
        F32 f32, F16 f16, F64 f64, BF16 bf16, I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64,
        Bool Truth)
}

/// One conversion, ready to run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernel {
    read: Read,
    convert: Compiled,
    write: Write,
    from_bits: usize,
    to_bits: usize,
}

impl Kernel {
    /// Returns `None` if a type is not numeric.
    pub(super) fn new(from: DType, to: DType, write: Write) -> Option<Kernel> {
        let level = Level::best();
        let (read, seen) = read(level, from)?;
        Some(Kernel {
            read,
            convert: select(level, seen, to)?,
            write,
            from_bits: from.bits(),
            to_bits: to.bits(),
        })
    }

    /// Converts `count` elements. Both slices have exactly the length that these elements take.
    pub(super) fn run(&self, source: &[u8], count: usize, target: &mut [u8]) {
        let packed = match self.write {
            Write::Float(_, width) | Write::Low(width) if width != Width::Bits8 => Some(width),
            _ => None,
        };
        if let (Read::Plain, None) = (self.read, packed) {
            return (self.convert)(&self.write, source, target);
        }
        // The elements of a block take whole bytes at every width.
        let sources = source.chunks(BLOCK * self.from_bits / 8);
        let targets = target.chunks_mut(BLOCK * self.to_bits / 8);
        let mut left = count;
        for (source, target) in sources.zip(targets) {
            let count = left.min(BLOCK);
            left -= count;
            match packed {
                None => self.convert_block(source, count, target),
                Some(width) => {
                    let mut results = [0; BLOCK];
                    let results = results.get_mut(..count).unwrap_or_default();
                    self.convert_block(source, count, results);
                    width.pack(results, target);
                }
            }
        }
    }

    fn convert_block(&self, source: &[u8], count: usize, target: &mut [u8]) {
        let width = match self.read {
            Read::Plain => return (self.convert)(&self.write, source, target),
            Read::Float(width, _) | Read::Signed(width) | Read::Unsigned(width) => width,
        };
        let mut codes = [0; BLOCK];
        let codes = codes.get_mut(..count).unwrap_or_default();
        width.unpack(source, codes);
        match self.read {
            Read::Float(_, decode) => {
                let mut values = [0f32; BLOCK];
                decode(codes, bytemuck::cast_slice_mut(&mut values));
                let values = values.get(..count).unwrap_or_default();
                return (self.convert)(&self.write, bytemuck::cast_slice(values), target);
            }
            Read::Signed(_) => codes.iter_mut().for_each(|code| *code = width.sign_extend(*code) as u8),
            Read::Plain | Read::Unsigned(_) => {}
        }
        (self.convert)(&self.write, codes, target);
    }
}

/// Copies packed elements; bits after the last element become zero.
pub(super) fn copy(bits: usize, source: &[u8], count: usize, target: &mut [u8]) {
    for (to, from) in target.iter_mut().zip(source) {
        *to = *from;
    }
    let taken = count % 8 * bits % 8;
    if let (true, Some(last)) = (taken > 0, target.last_mut()) {
        *last &= 0xFF >> (8 - taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::levels::compare;
    use crate::convert::small::{Beyond, RoundMode};

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        compare(|level, from, to| {
            let write = match (FloatFormat::of(to), Width::of(to)) {
                (Some(format), Some(width)) => match format.encoder(Beyond::Largest, Beyond::Special) {
                    Some(encoder) => Write::Float(encoder, width),
                    None => Write::Power(PowerEncoder::new(RoundMode::Nearest, true)),
                },
                (None, Some(width)) if width != Width::Bits8 => Write::Low(width),
                _ => Write::Plain,
            };
            // The loops alone: packing is the same at every level.
            let (read, seen) = read(level, from)?;
            let convert = select(level, seen, to)?;
            Some(move |source: &[u8], target: &mut [u8]| match read {
                Read::Float(_, decode) => {
                    let mut values = vec![0; source.len() * size_of::<f32>()];
                    decode(source, &mut values);
                    convert(&write, &values, target);
                }
                _ => convert(&write, source, target),
            })
        });
    }
}
