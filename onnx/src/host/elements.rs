//! Functions of elements on the host. Integers are computed with 128 bits and lose what is too large for their type;
//! floats are computed with 64 bits and rounded once.

use aclnn::{DType, Scalar, Shape, bf16, f16};
use aclnn_numerics::layout::{Walk, broadcast};

use crate::array::Array;
use crate::error::{NodeResult, Reason};

/// A function of two numbers, for integers and for floats.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    /// `None` where the result is not defined.
    pub(crate) ints: fn(i128, i128) -> Option<i128>,
    pub(crate) floats: fn(f64, f64) -> f64,
    /// The result type, if it is not that of the operands.
    pub(crate) result: Option<DType>,
}

/// Returns the integers of an array, with their true values.
pub(crate) fn integers(array: &Array) -> NodeResult<Vec<i128>> {
    Ok(match array.dtype() {
        DType::U64 => array.to_vec::<u64>()?.into_iter().map(i128::from).collect(),
        _ => array.to_i64s()?.into_iter().map(i128::from).collect(),
    })
}

/// Returns integers as elements of a type.
pub(crate) fn from_integers(dtype: DType, values: &[i128], shape: &Shape) -> NodeResult<Array> {
    let values: Vec<i64> = values.iter().map(|&value| value as i64).collect();
    Ok(Array::from_i64s(dtype, &values, shape.clone())?)
}

/// Returns whether the elements are integers or truth values.
pub(crate) fn is_whole(array: &Array) -> bool {
    array.dtype().is_integer() || array.dtype() == DType::Bool
}

/// Applies a function to the pairs of two arrays, which are broadcast.
pub(crate) fn pairs(function: &Pair, left: &Array, right: &Array) -> NodeResult<Array> {
    if left.dtype() != right.dtype() {
        return Reason::text(format!("its operands are {left:?} and {right:?}, of different types"));
    }
    let Ok(shape) = broadcast(left.shape(), right.shape()) else {
        return Reason::text(format!("its operands are {left:?} and {right:?}, which do not broadcast"));
    };
    let [left, right] = [left, right].map(|array| {
        let layout = array.layout().broadcast_to(shape.clone()).ok();
        layout.and_then(|layout| array.view(&layout).ok()).unwrap_or_else(|| array.clone())
    });
    let result = function.result.unwrap_or(left.dtype());
    if is_whole(&left) {
        let (a, b) = (integers(&left)?, integers(&right)?);
        let values: Option<Vec<i128>> = a.iter().zip(&b).map(|(&a, &b)| (function.ints)(a, b)).collect();
        let Some(values) = values else { return Reason::text("an integer is divided by zero") };
        return from_integers(result, &values, &shape);
    }
    let (a, b) = (left.to_f64s()?, right.to_f64s()?);
    let values: Vec<f64> = a.iter().zip(&b).map(|(&a, &b)| (function.floats)(a, b)).collect();
    Ok(Array::from_f64s(result, &values, shape)?)
}

/// Applies a function to the elements of an array.
pub(crate) fn each(
    array: &Array,
    ints: impl Fn(i128) -> i128,
    floats: impl Fn(f64) -> f64,
) -> NodeResult<Array> {
    if is_whole(array) {
        let values: Vec<i128> = integers(array)?.into_iter().map(ints).collect();
        return from_integers(array.dtype(), &values, array.shape());
    }
    let values: Vec<f64> = array.to_f64s()?.into_iter().map(floats).collect();
    Ok(Array::from_f64s(array.dtype(), &values, array.shape().clone())?)
}

/// Returns, for each place of a shape in row-major order, the place in an array that is broadcast to the shape.
pub(crate) fn broadcast_places(array: &Array, shape: &Shape) -> NodeResult<Vec<usize>> {
    let layout = match array.layout().broadcast_to(shape.clone()) {
        Ok(layout) => layout,
        Err(_) => return Reason::text(format!("{array:?} does not broadcast to {:?}", &shape[..])),
    };
    let walk = Walk::new(shape, [layout.strides()]);
    let [stride] = walk.inner_strides();
    let mut places = Vec::with_capacity(shape.numel().unwrap_or(0));
    walk.for_each_run(|[offset], length| {
        places.extend((0..length as isize).map(|i| (offset + i * stride) as usize));
    });
    Ok(places)
}

/// Applies a function to the elements of an array of f64; the host computes such functions of no other type, as the device
/// has them.
pub(crate) fn doubles(array: &Array, function: impl Fn(f64) -> f64) -> NodeResult<Array> {
    if array.dtype() != DType::F64 {
        return Reason::missing("the host computes it for f64 alone");
    }
    let values: Vec<f64> = array.to_vec::<f64>()?.into_iter().map(function).collect();
    Ok(Array::from_slice(&values, array.shape().clone())?)
}

/// Returns truth values as an array.
pub(crate) fn truths(values: impl IntoIterator<Item = bool>, shape: &Shape) -> NodeResult<Array> {
    let bytes: Vec<u8> = values.into_iter().map(u8::from).collect();
    Ok(Array::new(DType::Bool, shape.clone(), bytes)?)
}

/// Returns the one number of an array.
pub(crate) fn scalar(array: &Array) -> NodeResult<Scalar> {
    macro_rules! read {
        ($($dtype:ident $type:ty)*) => {
            match array.dtype() {
                $(DType::$dtype => array.to_vec::<$type>()?.first().map(|&value| Scalar::from(value)),)*
                _ => None,
            }
        };
    }
    let value = read!(F32 f32 F64 f64 F16 f16 BF16 bf16 I8 i8 I16 i16 I32 i32 I64 i64 U8 u8 U16 u16 U32 u32 U64 u64 Bool bool);
    match value.filter(|_| array.numel() == 1) {
        Some(value) => Ok(value),
        None => Reason::text(format!("{array:?} is not one number")),
    }
}
