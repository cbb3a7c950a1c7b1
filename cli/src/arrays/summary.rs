//! Summary of a tensor: type, shape, extremes, mean, and the elements as they are printed.

use std::fmt;

use aclnn::{DType, Tensor};
use aclnn_numerics::convert::cann;
use aclnn_numerics::convert::onnx::{self, CastOptions};
use anyhow::Result;
use serde::Serialize;
use serde_json::{Number, Value};

/// A summary of a tensor.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    dtype: String,
    shape: Vec<usize>,
    elements: usize,
    bytes: usize,
    /// The smallest element that is a number; null for complex numbers, and where there is none.
    min: Value,
    max: Value,
    /// The mean of the elements that are numbers, for truth values the part that is true.
    mean: Value,
    /// How many elements are NaN; complex numbers, in one of their parts.
    nan: usize,
    /// The elements, as the library prints them.
    text: String,
}

impl Summary {
    /// Reads a tensor and describes it. Waits for the work that computes it.
    pub(crate) fn of(tensor: &Tensor) -> Result<Summary> {
        let bytes = tensor.to_bytes()?;
        let (dtype, count) = (tensor.dtype(), tensor.numel());
        let mut summary = Summary {
            dtype: dtype.to_string(),
            shape: tensor.dims().to_vec(),
            elements: count,
            bytes: bytes.len(),
            min: Value::Null,
            max: Value::Null,
            mean: Value::Null,
            nan: 0,
            text: tensor.display()?.to_string(),
        };
        match dtype {
            DType::I64 => {
                summary.tell(bytes.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes)), |x| x as f64)
            }
            DType::U64 => {
                summary.tell(bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)), |x| x as f64)
            }
            _ if dtype.is_complex() => {
                let part = match dtype {
                    DType::C32 => DType::F16,
                    DType::C64 => DType::F32,
                    _ => DType::F64,
                };
                let parts = numbers(part, &bytes, 2 * count).unwrap_or_default();
                summary.nan =
                    parts.as_chunks::<2>().0.iter().filter(|parts| parts.iter().any(|x| x.is_nan())).count();
            }
            _ => {
                let all = numbers(dtype, &bytes, count).unwrap_or_default();
                let is_whole = dtype.is_integer();
                summary.nan = all.iter().filter(|x| x.is_nan()).count();
                let present = || all.iter().copied().filter(|x| !x.is_nan());
                match is_whole {
                    true => summary.tell(present().map(|x| x as i64), |x| x as f64),
                    false => summary.tell(present(), |x| x),
                }
                if dtype == DType::Bool {
                    (summary.min, summary.max) = (truth(&summary.min), truth(&summary.max));
                }
            }
        }
        Ok(summary)
    }

    /// Notes the extremes and the mean of numbers.
    fn tell<T: Copy + PartialOrd + Told>(
        &mut self,
        numbers: impl Iterator<Item = T> + Clone,
        real: impl Fn(T) -> f64,
    ) {
        let least = numbers.clone().reduce(|a, b| if b < a { b } else { a });
        let most = numbers.clone().reduce(|a, b| if b > a { b } else { a });
        let (count, sum) = numbers.fold((0_usize, 0.0), |(count, sum), x| (count + 1, sum + real(x)));
        if let (Some(least), Some(most)) = (least, most) {
            (self.min, self.max) = (least.told(), most.told());
            self.mean = (sum / count as f64).told();
        }
    }
}

/// A number as JSON, and infinities as text, which JSON lacks.
trait Told {
    fn told(self) -> Value;
}

impl Told for i64 {
    fn told(self) -> Value {
        self.into()
    }
}

impl Told for u64 {
    fn told(self) -> Value {
        self.into()
    }
}

impl Told for f64 {
    fn told(self) -> Value {
        Number::from_f64(self).map_or_else(|| self.to_string().into(), Value::Number)
    }
}

fn truth(number: &Value) -> Value {
    number.as_f64().map_or(Value::Null, |number| (number != 0.0).into())
}

/// Returns elements as f64, which holds those of every type but the 64-bit integers and complex numbers.
fn numbers(dtype: DType, bytes: &[u8], count: usize) -> Option<Vec<f64>> {
    let mut target = vec![0; count.checked_mul(8)?];
    if dtype == DType::F64 {
        target = bytes.to_vec();
    } else if let Ok(cast) = onnx::Cast::new(dtype, DType::F64, CastOptions::default()) {
        cast.run(bytes, count, &mut target).ok()?;
    } else {
        cann::converter(dtype, DType::F64)?(bytes, &mut target);
    }
    Some(target.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect())
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { dtype, shape, min, max, mean, nan, text, .. } = self;
        write!(f, "{dtype}{shape:?}")?;
        let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if !min.is_null() {
            write!(f, ", min {}, max {}, mean {}", plain(min), plain(max), plain(mean))?;
        }
        match nan {
            0 => {}
            nan => write!(f, ", {nan} NaN")?,
        }
        write!(f, "\n{text}")
    }
}

#[cfg(test)]
mod tests {
    use aclnn::{Complex, Device, f16};

    use super::*;

    #[test]
    fn extremes_and_means_leave_out_nan() -> Result<()> {
        let device = Device::open(0)?;
        let tensor = Tensor::from_slice(&device, &[1.5f32, f32::NAN, -2.0, f32::INFINITY], [2, 2])?;
        let summary = Summary::of(&tensor)?;
        assert_eq!((summary.min, summary.max, summary.nan), ((-2.0).into(), "inf".into(), 1));
        let wide = Summary::of(&Tensor::from_slice(&device, &[i64::MIN, i64::MAX], [2])?)?;
        assert_eq!((wide.min, wide.max), (i64::MIN.into(), i64::MAX.into()));
        let whole = Summary::of(&Tensor::from_slice(&device, &[1u8, 4], [2])?)?;
        assert_eq!((whole.min, whole.max, whole.mean), (1.into(), 4.into(), 2.5.into()));
        let truths = Summary::of(&Tensor::from_slice(&device, &[true, false], [2])?)?;
        assert_eq!((truths.min, truths.max, truths.mean), (false.into(), true.into(), 0.5.into()));
        let (pair, one) = (Complex::new(f16::ONE, f16::NAN), Complex::new(f16::ONE, f16::ONE));
        let complex = Summary::of(&Tensor::from_slice(&device, &[pair, one, one, pair, pair], [5])?)?;
        assert_eq!((complex.min, complex.nan), (Value::Null, 3));
        let none = Summary::of(&Tensor::from_slice::<f32>(&device, &[], [0, 3])?)?;
        assert_eq!((none.min, none.mean), (Value::Null, Value::Null));
        Ok(())
    }
}
