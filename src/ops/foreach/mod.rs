//! Functions of lists of tensors in place, each with one launch: what optimizers do with all parameters of a network.
//!
//! ```
//! use aclnn::{Device, Tensor, ops::foreach};
//!
//! let device = Device::open(0)?;
//! let mut weight = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
//! let mut bias = Tensor::from_slice(&device, &[5.0f32, 6.0], [2])?;
//! let gradients = [weight.ones_like()?, bias.ones_like()?];
//! // A step of gradient descent.
//! foreach::add(&mut [&mut weight, &mut bias], &[&gradients[0], &gradients[1]], -0.5)?;
//! assert_eq!(weight.to_vec::<f32>()?, [0.5, 1.5, 2.5, 3.5]);
//! assert_eq!(bias.to_vec::<f32>()?, [4.5, 5.5]);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! All tensors of a call have one type: f32, f16 or bf16, and for some functions also integers. f16 and bf16 are computed in
//! f32 and rounded once; integers are computed in i32 and wrap. Lists have as many tensors, and those at one place of the
//! lists have one shape: nothing is broadcast. A list without tensors is fine, and so are tensors without elements. A number
//! beside tensors of f16 is rounded to f16 first.
//!
//! The 910B and the 950 have these operators. The 910 and the 310P refuse them.
//!
//! # Errors
//!
//! All functions return [`Argument`](crate::Error::Argument) for lists that do not fit each other, and for tensors that are
//! written at one place of the lists and used at another; [`Unsupported`](crate::Error::Unsupported) for types that the
//! product does not take; [`Scalar`](crate::Error::Scalar) for a number that the tensors do not take;
//! [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank), [`SharedElements`](crate::Error::SharedElements) and
//! [`Overlap`](crate::Error::Overlap), all before anything is launched; and [`Launch`](crate::Error::Launch) if the library
//! refuses.

mod functions;
mod lists;
mod others;

pub use functions::*;
pub use others::{copy, norm, unscale, zero};
