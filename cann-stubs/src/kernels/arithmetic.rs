//! Two operands, one result: the functions of the arithmetic operators, in every compute type.

use aclnn_numerics::DType;
use bytemuck::{Pod, Zeroable, try_cast_slice, try_cast_slice_mut};
use num_complex::Complex;

/// Combines two blocks of one type, element by element, up to the end of the shortest block.
pub(crate) type Binary = fn(&[u8], &[u8], &mut [u8]);

/// The type in which values of `dtype` are computed: halves in f32, rounded once afterwards.
pub(crate) fn compute_type(dtype: DType) -> DType {
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

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl Number for $type {
            fn add(self, other: Self) -> Self { self + other }
            fn sub(self, other: Self) -> Self { self - other }
            fn mul(self, other: Self) -> Self { self * other }
            fn div(self, other: Self) -> Self { self / other }
        }

        impl Number for Complex<$type> {
            fn add(self, other: Self) -> Self { Complex::new(self.re + other.re, self.im + other.im) }
            fn sub(self, other: Self) -> Self { Complex::new(self.re - other.re, self.im - other.im) }
            fn mul(self, other: Self) -> Self {
                Complex::new(
                    self.re * other.re - self.im * other.im,
                    self.re * other.im + self.im * other.re,
                )
            }
            fn div(self, other: Self) -> Self {
                let norm = other.re * other.re + other.im * other.im;
                Complex::new(
                    (self.re * other.re + self.im * other.im) / norm,
                    (self.im * other.re - self.re * other.im) / norm,
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

fn blockwise<T: Number, F: Function>(a: &[u8], b: &[u8], out: &mut [u8]) {
    let count = out.len() / size_of::<T>();
    let cut = |bytes: &'_ [u8]| bytes.len().min(count * size_of::<T>());
    let (Ok(a), Ok(b), Ok(out)) = (
        try_cast_slice::<u8, T>(&a[..cut(a)]),
        try_cast_slice::<u8, T>(&b[..cut(b)]),
        try_cast_slice_mut::<u8, T>(out),
    ) else {
        debug_assert!(false, "blocks are aligned");
        return;
    };
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = F::apply(*a, *b);
    }
}

fn in_type<F: Function>(compute: DType) -> Option<Binary> {
    Some(match compute {
        DType::F32 => blockwise::<f32, F>,
        DType::F64 => blockwise::<f64, F>,
        DType::I8 => blockwise::<i8, F>,
        DType::U8 => blockwise::<u8, F>,
        DType::I16 => blockwise::<i16, F>,
        DType::I32 => blockwise::<i32, F>,
        DType::I64 => blockwise::<i64, F>,
        DType::Bool => blockwise::<Truth, F>,
        DType::C64 => blockwise::<Complex<f32>, F>,
        DType::C128 => blockwise::<Complex<f64>, F>,
        _ => return None,
    })
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($a:ident, $b:ident) = $result:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name(compute: DType) -> Option<Binary> {
            struct This;
            impl Function for This {
                fn apply<T: Number>($a: T, $b: T) -> T { $result }
            }
            in_type::<This>(compute)
        }
    )*};
}

functions! {
    add(a, b) = a.add(b);
    sub(a, b) = a.sub(b);
    /// The second operand less the first.
    rsub(a, b) = b.sub(a);
    mul(a, b) = a.mul(b);
    div(a, b) = a.div(b);
}
