//! Functions of two and more operands, in every compute type. What is given with more digits than f32 is computed in f64.

use aclnn_numerics::DType;
use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};

use crate::functions::division::NO_QUOTIENT;
use crate::functions::integer::Integer;
use crate::functions::n_ary::{self, by_rows, fold};

use crate::{Function, size_of_dtype};

/// Returns the function of an expression of one element of each operand.
macro_rules! each {
    ($type:ty => $out:ty, $operands:tt $result:expr) => {
        Function::Many(|operands, out| {
            by_rows(operands, out, n_ary::each!($type => $out, $operands $result));
        })
    };
}

/// Returns the function of an expression of one f32 of each operand, with the instructions of this processor.
macro_rules! in_f32 {
    ($operands:tt $result:expr) => {
        Function::Many(|operands, out| {
            by_rows(operands, out, n_ary::each_by_vectors!(f32, $operands $result));
        })
    };
}

/// Functions in the types that they are computed in.
macro_rules! functions {
    ($($name:ident $operands:tt: $kind:ident $float:expr $(, wraps $($Variant:ident $type:ty)|+ => $integer:expr)?
        $(, partial $Partial:ident $partial:ty => $some:expr)?;)*) => {$(
        /// Returns the function of the operator of this name for a compute type.
        #[inline(never)] // so that its loops are compiled in this crate
        pub fn $name(compute: DType) -> Option<Function> {
            functions!(@ $kind compute $operands $float);
            $(functions!(@ compute $operands $integer; $($Variant $type)|+);)?
            $(if compute == DType::$Partial {
                return Some(Function::Partial(|operands, out| {
                    let have_results = by_rows(operands, out, n_ary::try_each!($partial, $operands $some));
                    if have_results { Ok(()) } else { Err(NO_QUOTIENT) }
                }));
            })?
            None
        }
    )*};
    (@ truth $compute:ident $operands:tt $result:expr) => {
        functions!(@ $compute $operands $result; F32 f32 | F64 f64);
    };
    (@ float $compute:ident $operands:tt $result:expr) => {
        if $compute == DType::F32 {
            return Some(in_f32!($operands $result));
        }
        functions!(@ $compute $operands $result; F64 f64);
    };
    (@ $compute:ident $operands:tt $result:expr; $($Variant:ident $type:ty)|+) => {
        $(if $compute == DType::$Variant {
            return Some(each!($type => _, $operands $result));
        })+
    };
}

/// Returns the function of Addcmul whose last multiplication and addition are one instruction, which rounds once.
pub fn addcmul_fused(compute: DType) -> Option<Function> {
    match compute {
        DType::F32 => Some(in_f32!([a, b, c, value](b * c).mul_add(value, a))),
        _ => addcmul(compute),
    }
}

functions! {
    addcmul[a, b, c, value]: float a + b * c * value,
        wraps I8 i8 | U8 u8 | I32 i32 | I64 i64 => a.wrapping_add(b.wrapping_mul(c).wrapping_mul(value));
    add_relu[a, b, alpha]: float {
        let sum = a + b * alpha;
        if sum < 0.0 { 0.0 } else { sum }
    }, wraps I8 i8 | U8 u8 | I16 i16 | I32 i32 | I64 i64 => {
        let sum = a.wrapping_add(b.wrapping_mul(alpha));
        if sum > 0 { sum } else { 0 }
    };
    addcdiv[a, b, c, value]: float a + b / c * value,
        partial I64 i64 => b.quotient(c).map(|quotient| a.wrapping_add(quotient.wrapping_mul(value)));
    lerp[start, end, weight]: float if weight < 0.5 {
        start + weight * (end - start)
    } else {
        end + (weight - 1.0) * (end - start)
    };
    approximate_equal[a, b, tolerance]: truth u8::from((a - b).abs() < tolerance);
    is_close[a, b, rtol, atol]: truth u8::from(a == b || b.is_finite() && (a - b).abs() <= atol + rtol * b.abs());
    is_close_or_nan[a, b, rtol, atol]: truth u8::from(
        a == b || b.is_finite() && (a - b).abs() <= atol + rtol * b.abs() || a.is_nan() && b.is_nan()
    );
}

/// Functions of any number of elements.
macro_rules! folds {
    ($($name:ident($a:ident, $b:ident): float $float:expr, integer $integer:expr $(, complex $complex:expr)?;)*) => {$(
        /// Returns the function of the operator of this name for a compute type.
        #[inline(never)] // so that its loops are compiled in this crate
        pub fn $name(compute: DType) -> Option<Function> {
            macro_rules! function {
                ($type:ty, $function:expr) => {
                    |operands, out| fold::<$type, _>(operands, out, $function)
                };
            }
            Some(Function::Many(match compute {
                DType::F32 => function!(f32, |$a, $b| $float),
                DType::F64 => function!(f64, |$a, $b| $float),
                DType::I8 => function!(i8, |$a, $b| $integer),
                DType::U8 => function!(u8, |$a, $b| $integer),
                DType::I16 => function!(i16, |$a, $b| $integer),
                DType::I32 => function!(i32, |$a, $b| $integer),
                DType::I64 => function!(i64, |$a, $b| $integer),
                $(DType::C64 => function!([f32; 2], |$a, $b| $complex),
                DType::C128 => function!([f64; 2], |$a, $b| $complex),)?
                _ => return None,
            }))
        }
    )*};
}

folds! {
    max_n(a, b): float if a.is_nan() || a > b { a } else { b }, integer a.max(b);
    min_n(a, b): float if a.is_nan() || a < b { a } else { b }, integer a.min(b);
    add_n(a, b): float a + b, integer a.wrapping_add(b), complex [a[0] + b[0], a[1] + b[1]];
}

/// Chooses elements of a type by truth values, as they are stored.
pub fn choose(dtype: DType) -> Option<Function> {
    Some(Function::Many(match size_of_dtype(dtype) {
        1 => chosen::<u8>,
        2 => chosen::<u16>,
        4 => chosen::<u32>,
        8 => chosen::<u64>,
        16 => chosen::<u128>,
        _ => return None,
    }))
}

fn chosen<T: Pod>(operands: &[&[u8]], out: &mut [u8]) {
    let ([condition, a, b], Ok(out)) = (operands, try_cast_slice_mut::<u8, T>(out)) else { return };
    let (Ok(a), Ok(b)) = (try_cast_slice::<u8, T>(a), try_cast_slice::<u8, T>(b)) else { return };
    let [by, of_a, of_b] = [condition.len(), a.len(), b.len()].map(|len| usize::from(len > 1));
    if [by, of_a, of_b] == [1; 3] {
        let operands = condition.iter().zip(a).zip(b);
        out.iter_mut()
            .zip(operands)
            .for_each(|(out, ((truth, a), b))| *out = if *truth != 0 { *a } else { *b });
        return;
    }
    for (index, out) in out.iter_mut().enumerate() {
        *out = if condition[index * by] != 0 { a[index * of_a] } else { b[index * of_b] };
    }
}

/// Makes complex numbers of their parts.
pub fn complex(part: DType) -> Option<Function> {
    fn parts<T: Pod>(operands: &[&[u8]], out: &mut [u8]) {
        let Ok(out) = try_cast_slice_mut::<u8, T>(out) else { return };
        for (number, part) in operands.iter().take(2).enumerate() {
            let Ok(part) = try_cast_slice::<u8, T>(part) else { return };
            let step = usize::from(part.len() > 1);
            out.iter_mut()
                .skip(number)
                .step_by(2)
                .enumerate()
                .for_each(|(index, out)| *out = part[index * step]);
        }
    }
    Some(Function::Many(match part {
        DType::F32 => parts::<u32>,
        DType::F64 => parts::<u64>,
        _ => return None,
    }))
}

/// Makes complex numbers of their absolute values and angles.
pub fn polar(part: DType) -> Option<Function> {
    Some(match part {
        DType::F32 => each!(f32 => [f32; 2], [length, angle] {
            let (length, angle) = (f64::from(length), f64::from(angle));
            [(length * angle.cos()) as f32, (length * angle.sin()) as f32]
        }),
        DType::F64 => {
            each!(f64 => [f64; 2], [length, angle] [length * angle.cos(), length * angle.sin()])
        }
        _ => return None,
    })
}
