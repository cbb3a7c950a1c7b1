//! The functions that reduce, in the types that they are computed in.

use std::marker::PhantomData;

use aclnn_numerics::DType;
use half::{bf16, f16};
use num_complex::Complex64;

use super::loops::{Loops, compiled};
use super::numbers::{Number, Widen, Word};
use super::reducers::{
    AbsoluteGreatest, AbsoluteSum, ByFunction, ComplexProduct, ComplexSum, Extreme, Extremes, LogSumExp,
    Moments, NanSum, Position, Product, Spread, Squares, Sum,
};

/// A reduction. A position and the extremes have two results.
#[derive(Clone, Copy, Debug)]
pub enum Function {
    Sum,
    /// The sum of the elements that are not NaN.
    NanSum,
    /// The sum, as a number of this type, divided by the count.
    Mean(DType),
    /// The sum in f32, multiplied by the reciprocal of the count in f32.
    ScaledMean,
    Product,
    Greatest,
    Smallest,
    /// The smallest and the greatest element.
    Extremes,
    /// The first of the greatest elements, and its number.
    FirstGreatest,
    /// The first of the smallest elements, and its number.
    FirstSmallest,
    /// The variance or standard deviation, and the mean.
    Moments(Spread),
    /// The logarithm of the sum of the exponentials, and whether it is rounded to 16 bits.
    LogSumExp(bool),
    /// The logarithm of the sum.
    LogSum,
    /// The norm of an order.
    Norm(f64),
}

fn quotient(sum: f64, count: usize) -> f64 {
    sum / count as f64
}

impl Function {
    /// Returns the type that the loops read for elements of type `dtype`, and that of their results.
    pub fn types(self, dtype: DType) -> Option<(DType, DType)> {
        use DType::{BF16, Bool, C64, C128, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
        let sums = matches!(self, Function::Sum | Function::Mean(_) | Function::ScaledMean);
        Some(match dtype {
            F16 | BF16 if sums => (dtype, F64),
            F32 | F16 | BF16 => (F32, F64),
            F64 => (F64, F64),
            I8 | U8 | I16 | U16 | I32 | Bool => (I32, I64),
            I64 | U32 | U64 => (I64, I64),
            C64 | C128 => (C128, C128),
            _ => return None,
        })
    }

    /// Returns the loops over elements of one of the types that [`Function::types`] names, and whether both results are the
    /// parts of a complex number.
    pub fn loops(self, element: DType) -> Option<(Box<dyn Loops>, bool)> {
        let loops = match (self, element) {
            (Function::Sum, DType::C128) => {
                return Some((compiled::<Complex64, _, 2>(ComplexSum { divided: false }), true));
            }
            (Function::Mean(_), DType::C128) => {
                return Some((compiled::<Complex64, _, 2>(ComplexSum { divided: true }), true));
            }
            (Function::Product, DType::C128) => {
                return Some((compiled::<Complex64, _, 2>(ComplexProduct), true));
            }
            // Some additions of 16-bit numbers are in f32, whose errors are far smaller than that of the result.
            (_, DType::F16) => self.summed::<f16, f32>()?,
            (_, DType::BF16) => self.summed::<bf16, f32>()?,
            (_, DType::F32) => self.of_f32()?,
            (_, DType::F64) => self.of_any::<f64, f64>(quotient)?,
            (_, DType::I32) => self.of_any::<i32, i64>(self.divide())?,
            (_, DType::I64) => self.of_any::<i64, i64>(self.divide())?,
            _ => return None,
        };
        Some((loops, false))
    }

    /// What every real type has.
    fn of_any<T, W>(self, divide: fn(W, usize) -> W) -> Option<Box<dyn Loops>>
    where
        T: Number + Widen<T> + Widen<W>,
        W: Word + Widen<W>,
    {
        Some(match self {
            Function::Sum => compiled::<T, _, 1>(Sum { result: None, element: PhantomData::<W> }),
            Function::Mean(_) => compiled::<T, _, 1>(Sum { result: Some(divide), element: PhantomData::<W> }),
            Function::Product => compiled::<T, _, 1>(Product::<W, W>(PhantomData)),
            Function::Greatest => compiled::<T, _, 1>(Extreme::<T, W, true>(PhantomData)),
            Function::Smallest => compiled::<T, _, 1>(Extreme::<T, W, false>(PhantomData)),
            Function::Extremes => compiled::<T, _, 2>(Extremes::<W>(PhantomData)),
            Function::FirstGreatest => compiled::<T, _, 2>(Position::<W, true>(PhantomData)),
            Function::FirstSmallest => compiled::<T, _, 2>(Position::<W, false>(PhantomData)),
            _ => return None,
        })
    }

    /// The sum of numbers `E`, their mean, or the logarithm of the sum.
    fn summed<T: Widen<E>, E: Number + Widen<f64>>(self) -> Option<Box<dyn Loops>> {
        let result: Option<fn(f64, usize) -> f64> = match self {
            Function::Sum => None,
            Function::Mean(_) => Some(quotient),
            Function::LogSum => Some(|sum, _| sum.ln()),
            Function::ScaledMean => Some(|sum, count| f64::from(sum as f32 * (1.0 / count as f64) as f32)),
            _ => return None,
        };
        Some(compiled::<T, _, 1>(Sum { result, element: PhantomData::<E> }))
    }

    fn of_f32(self) -> Option<Box<dyn Loops>> {
        Some(match self {
            Function::Sum | Function::Mean(_) | Function::ScaledMean | Function::LogSum => {
                self.summed::<f32, f64>()?
            }
            Function::Product => compiled::<f32, _, 1>(Product::<f32, f64>(PhantomData)),
            Function::NanSum => compiled::<f32, _, 1>(NanSum),
            Function::Moments(spread) => compiled::<f32, _, 2>(Moments { spread }),
            Function::LogSumExp(true) => compiled::<f32, _, 2>(LogSumExp(PhantomData::<[f32; 2]>)),
            Function::LogSumExp(false) => compiled::<f32, _, 2>(LogSumExp(PhantomData::<f64>)),
            Function::Norm(1.0) => compiled::<f32, _, 1>(AbsoluteSum),
            Function::Norm(2.0) => compiled::<f32, _, 1>(Squares),
            Function::Norm(0.0) => compiled::<f32, _, 1>(ByFunction::non_zeros()),
            Function::Norm(f64::INFINITY) => compiled::<f32, _, 1>(AbsoluteGreatest),
            Function::Norm(f64::NEG_INFINITY) => compiled::<f32, _, 1>(ByFunction::absolute_smallest()),
            Function::Norm(order) => compiled::<f32, _, 1>(ByFunction::powers(order)),
            _ => return self.of_any::<f32, f64>(quotient),
        })
    }

    /// The quotient of a sum of integers, which wraps in its type, and their count.
    fn divide(self) -> fn(i64, usize) -> i64 {
        match self {
            Function::Mean(DType::I8) => |sum, count| i64::from(sum as i8) / count as i64,
            Function::Mean(DType::U8) => |sum, count| i64::from(sum as u8) / count as i64,
            Function::Mean(DType::I16) => |sum, count| i64::from(sum as i16) / count as i64,
            Function::Mean(DType::I32) => |sum, count| i64::from(sum as i32) / count as i64,
            _ => |sum, count| sum / count as i64,
        }
    }
}
