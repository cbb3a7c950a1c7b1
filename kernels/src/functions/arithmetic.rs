//! Two operands, one result: the functions of the arithmetic operators, in every compute type.

use aclnn_numerics::DType;
use bytemuck::{Pod, Zeroable};
use num_complex::Complex;

use crate::functions::n_ary::{self, by_rows};
use crate::views::instructions::Instructions;

/// Combines two blocks element by element into a third. A block of a single element is repeated; otherwise the elements of
/// the third one are computed for which the others have elements.
pub type Binary = fn(&[u8], &[u8], &mut [u8]);

/// Returns the type in which values of `dtype` are computed: halves in f32, rounded once afterwards.
pub fn compute_type(dtype: DType) -> DType {
    match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        DType::C32 => DType::C64,
        other => other,
    }
}

/// A truth value as the device stores it: any byte but zero is true.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
struct Truth(u8);

/// A type that the device computes in. Integers wrap; complex numbers follow the textbook formulas.
trait Number: Pod {
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
}

/// Which of two NaNs a result has the payload of: that of the first operand. Left to itself the compiler exchanges the
/// operands of sums and products as suits the instructions.
trait OfTwoNans {
    /// `self`, quiet, where it is a NaN, and otherwise `result`.
    fn or_own_nan(self, result: Self) -> Self;
}

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl OfTwoNans for $type {
            #[inline(always)]
            fn or_own_nan(self, result: Self) -> Self {
                if self.is_nan() { Self::from_bits(self.to_bits() | Self::NAN.to_bits()) } else { result }
            }
        }

        impl Number for $type {
            #[inline(always)]
            fn add(self, other: Self) -> Self { self.or_own_nan(self + other) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self.or_own_nan(self - other) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self.or_own_nan(self * other) }
            #[inline(always)]
            fn div(self, other: Self) -> Self { self.or_own_nan(self / other) }
        }

        impl Number for Complex<$type> {
            #[inline(always)]
            fn add(self, other: Self) -> Self { Complex::new(self.re.add(other.re), self.im.add(other.im)) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { Complex::new(self.re.sub(other.re), self.im.sub(other.im)) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                Complex::new(
                    self.re.mul(other.re).sub(self.im.mul(other.im)),
                    self.re.mul(other.im).add(self.im.mul(other.re)),
                )
            }
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                let norm = other.re.mul(other.re).add(other.im.mul(other.im));
                Complex::new(
                    self.re.mul(other.re).add(self.im.mul(other.im)).div(norm),
                    self.im.mul(other.re).sub(self.re.mul(other.im)).div(norm),
                )
            }
        }
    )*};
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Number for $type {
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            fn sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            // Division computes integers in f32, so no operator uses this; the zero avoids a panic.
            fn div(self, other: Self) -> Self { self.checked_div(other).unwrap_or(0) }
        }
    )*};
}

floats! { f32 f64 }
integers! { i8 u8 i16 i32 i64 }

/// Or, exclusive or, and: the arithmetic of truth values.
impl Number for Truth {
    fn add(self, other: Self) -> Self {
        Truth(u8::from(self.0 != 0 || other.0 != 0))
    }
    fn sub(self, other: Self) -> Self {
        Truth(u8::from((self.0 != 0) != (other.0 != 0)))
    }
    fn mul(self, other: Self) -> Self {
        Truth(u8::from(self.0 != 0 && other.0 != 0))
    }
    fn div(self, other: Self) -> Self {
        self.mul(other)
    }
}

/// One function for every [`Number`].
trait Function {
    fn apply<T: Number>(a: T, b: T) -> T;
}

/// The loop over elements of `T`. `instructions` must be those of this processor.
fn compiled<T: Number, F: Function>(instructions: Instructions) -> Binary {
    #[inline(always)]
    fn row<T: Number, F: Function>([a, b]: [&[T]; 2], out: &mut [T]) -> bool {
        n_ary::in_rows!([a, b] out[index] => out[index] = F::apply(a, b));
        true
    }
    match instructions {
        Instructions::Baseline => |a, b, out| {
            by_rows(&[a, b], out, row::<T, F>);
        },
        // The compiler makes vectors of these by itself.
        #[cfg(target_arch = "aarch64")]
        Instructions::Neon => |a, b, out| {
            by_rows(&[a, b], out, row::<T, F>);
        },
        // Wider vectors gain nothing: elements are loaded and stored as fast as the caches give and take them.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 | Instructions::Avx512 | Instructions::Bf16 => |a, b, out| {
            #[target_feature(enable = "avx2")]
            fn row_avx2<T: Number, F: Function>(operands: [&[T]; 2], out: &mut [T]) -> bool {
                row::<T, F>(operands, out)
            }
            by_rows(&[a, b], out, |operands, out| {
                // SAFETY: only `Instructions::of_this_processor` makes these values, where the processor has them.
                unsafe { row_avx2::<T, F>(operands, out) }
            });
        },
    }
}

fn in_type<F: Function>(compute: DType, instructions: Instructions) -> Option<Binary> {
    macro_rules! same {
        ($type:ty) => {
            compiled::<$type, F>(instructions)
        };
    }
    Some(match compute {
        DType::F32 => same!(f32),
        DType::F64 => same!(f64),
        DType::I8 => same!(i8),
        DType::U8 => same!(u8),
        DType::I16 => same!(i16),
        DType::I32 => same!(i32),
        DType::I64 => same!(i64),
        DType::Bool => same!(Truth),
        DType::C64 => same!(Complex<f32>),
        DType::C128 => same!(Complex<f64>),
        _ => return None,
    })
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident($a:ident, $b:ident) = $result:expr;)*) => {
        /// An arithmetic operation on two elements.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operation {
            $($(#[$doc])* $name,)*
        }

        impl Operation {
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$name),*];

            /// The loop over elements of the compute type. `instructions` must be those of this processor.
            pub(crate) fn compiled(self, compute: DType, instructions: Instructions) -> Option<Binary> {
                match self {
                    $(Self::$name => in_type::<function::$name>(compute, instructions),)*
                }
            }
        }

        mod function {
            use super::{Function, Number};

            $(
                pub(crate) struct $name;

                impl Function for $name {
                    #[inline(always)]
                    fn apply<T: Number>($a: T, $b: T) -> T { $result }
                }
            )*
        }
    };
}

operations! {
    Add(a, b) = a.add(b);
    Sub(a, b) = a.sub(b);
    Mul(a, b) = a.mul(b);
    Div(a, b) = a.div(b);
}

impl Operation {
    /// Returns the loop over elements of the compute type.
    pub fn in_type(self, compute: DType) -> Option<Binary> {
        self.compiled(compute, Instructions::chosen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::size_of_dtype;

    const TYPES: [DType; 10] = [
        DType::F32,
        DType::F64,
        DType::I8,
        DType::U8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::Bool,
        DType::C64,
        DType::C128,
    ];

    /// Aligned for every type, and no multiple of a vector, so that loops have a rest.
    #[repr(align(64))]
    struct Aligned([u8; Aligned::SIZE]);

    impl Aligned {
        const SIZE: usize = 4096 - 16;

        /// Arbitrary bytes, among them numbers that are special: infinities, NaNs with payloads, zeros of both signs, the
        /// smallest and the largest ones.
        fn arbitrary(random: &mut fastrand::Rng, size: usize) -> Self {
            let mut bytes = Self([0; Self::SIZE]);
            bytes.0.iter_mut().for_each(|byte| *byte = random.usize(..256) as u8);
            let part = size.min(8);
            for (index, place) in bytes.0.chunks_exact_mut(part).enumerate() {
                let special: &[u64] = match part {
                    4 => {
                        &[0x7F80_0000, 0xFF80_0000, 0x7FC0_1234, 0xFFA0_0001, 0, 0x8000_0000, 1, 0x7F7F_FFFF]
                    }
                    8 => &[
                        0x7FF0 << 48,
                        0xFFF0 << 48,
                        0x7FF8_0000_0000_1234,
                        0xFFF4 << 48,
                        0,
                        1 << 63,
                        1,
                        u64::MAX,
                    ],
                    _ => &[0, 1, 0x80, 0xFF, 0x7F, 0x8000, 0xFFFF, 0x7FFF],
                };
                if index % 3 == 0 {
                    place.copy_from_slice(&special[random.usize(..special.len())].to_ne_bytes()[..part]);
                }
            }
            bytes
        }
    }

    #[test]
    fn every_set_of_instructions_computes_the_same_bits() {
        let widest = Instructions::chosen();
        let mut random = fastrand::Rng::with_seed(7);
        for operation in Operation::ALL {
            for dtype in TYPES {
                let size = size_of_dtype(dtype);
                let [plain, wide] = [Instructions::Baseline, widest].map(|instructions| {
                    operation.compiled(dtype, instructions).expect("a type to compute in")
                });
                for _ in 0..20 {
                    let (a, b) =
                        (Aligned::arbitrary(&mut random, size), Aligned::arbitrary(&mut random, size));
                    let (mut one, mut other) = (Aligned([0; Aligned::SIZE]), Aligned([1; Aligned::SIZE]));
                    for count in [Aligned::SIZE, 3 * size, size, 0] {
                        plain(&a.0, &b.0, &mut one.0[..count]);
                        wide(&a.0, &b.0, &mut other.0[..count]);
                        let differ =
                            one.0[..count].iter().zip(&other.0).position(|(one, other)| one != other);
                        assert_eq!(differ, None, "the byte at which {operation:?} of {dtype} differs");
                    }
                }
            }
        }
    }

    #[test]
    fn an_operand_of_one_element_is_repeated() {
        let mut random = fastrand::Rng::with_seed(5);
        for operation in Operation::ALL {
            for dtype in TYPES {
                let size = size_of_dtype(dtype);
                let combine = operation.in_type(dtype).expect("a type to compute in");
                let a = Aligned::arbitrary(&mut random, size);
                let mut copies = Aligned([0; Aligned::SIZE]);
                copies.0.chunks_exact_mut(size).for_each(|copy| copy.copy_from_slice(&a.0[..size]));
                let b = Aligned::arbitrary(&mut random, size);
                let run = |a: &[u8], b: &[u8]| {
                    let mut out = Aligned([0; Aligned::SIZE]);
                    combine(a, b, &mut out.0);
                    out.0
                };
                let one = &a.0[..size];
                assert!(run(one, &b.0) == run(&copies.0, &b.0), "{operation:?} of one {dtype} and others");
                assert!(run(&b.0, one) == run(&b.0, &copies.0), "{operation:?} of {dtype} and one other");
                assert!(run(one, one) == run(&copies.0, &copies.0), "{operation:?} of one {dtype} and one");
            }
        }
    }
}
