//! ONNX Cast and CastLike (versions 1 to 25) and Range-11, exactly.
//!
//! The device is used where it does exactly what ONNX describes, for every input for which ONNX defines a result.
//! Otherwise the host computes the result by the definitions of [`numerics`](aclnn_numerics::convert::onnx) and copies
//! it to the device. The plan of an operation tells which, and why.
//!
//! ```
//! use aclnn::onnx::{self, CastOptions};
//! use aclnn::{DType, Device, Tensor};
//!
//! let device = Device::open(0)?;
//! let a = Tensor::from_slice(&device, &[1.0f32, -0.3, 1e6, f32::INFINITY], [4])?;
//!
//! let halves = onnx::cast(&a, DType::F16);
//! assert_eq!(halves.plan()?.to_string(), "Cast-25: Cast f32→f16 on the device");
//!
//! // Infinity became NaN up to version 23, and the largest number from 24 on.
//! let options = CastOptions { opset: 23, ..CastOptions::default() };
//! let small = onnx::cast(&a, DType::F8E4M3FNUZ).options(options);
//! assert_eq!(small.plan()?.to_string(), "Cast-23: f32→f8e4m3fnuz on the host, which the device cannot do");
//! assert_eq!(small.run()?.to_bytes()?, [0x40, 0xB2, 0x7F, 0x80]);
//!
//! let range = onnx::range(&device, 10, 4, -2);
//! assert_eq!(range.plan()?.to_string(), "Range-11: 3 × i32 by Arange on the device");
//! assert_eq!(range.run()?.to_vec::<i32>()?, [10, 8, 6]);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! Tensors of types that only ONNX has (f8e4m3fnuz, uint4, int2 and so on) are made by [`cast`] or
//! [`Tensor::from_bytes`](crate::Tensor::from_bytes). They can be moved, viewed and cast; every other operator refuses
//! them and says to cast them first. Strings are on the host, in a [`StringTensor`]: [`cast_from_strings`],
//! [`cast_to_strings`] and [`cast_strings`] are their Casts.

mod cast;
mod range;
mod strings;

pub use aclnn_numerics::convert::onnx::{
    CastError, CastOptions, LATEST, RoundMode, To, rule, since, types, version,
};

pub use crate::exact_range::RangeInput;
pub use cast::{Cast, CastPlan, cast, cast_like};
pub use range::{Range, range};
pub use strings::{StringTensor, cast_from_strings, cast_strings, cast_to_strings};
