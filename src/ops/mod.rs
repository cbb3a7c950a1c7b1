//! The operators, one file per family.
//!
//! Most of them are methods of [`Tensor`](crate::Tensor). The functions here start an operation that takes more:
//!
//! ```
//! use aclnn::{DType, Device, Tensor, ops};
//!
//! let device = Device::open(0)?;
//! let a = Tensor::from_slice(&device, &[1i16, 2, 3], [3])?;
//! let b = Tensor::from_slice(&device, &[0.5f32, 0.5, 0.5], [3])?;
//! let operation = ops::add(&a, &b).alpha(2).dtype(DType::I32);
//! assert_eq!(operation.plan()?.to_string(), "add: Cast self i16→f32; Add f32 → f32 [3]; Cast result f32→i32");
//! assert_eq!(operation.run()?.to_vec::<i32>()?, [2, 3, 4]);
//! # Ok::<(), aclnn::Error>(())
//! ```

mod arithmetic;
mod binary;
mod cast;
mod copy;
mod fill;
mod operators;
mod range;

pub use arithmetic::{add, add_in_place, div, div_in_place, mul, mul_in_place, rsub, sub, sub_in_place};
pub use binary::{Binary, BinaryInPlace};
