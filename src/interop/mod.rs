//! Tensors to and from other libraries, each behind a feature of its name.
//!
//! | feature | gives |
//! |---|---|
//! | `ndarray` | [`Tensor::from_ndarray`](crate::Tensor::from_ndarray) and [`Tensor::to_ndarray`](crate::Tensor::to_ndarray) |
//! | `dlpack` | [`dlpack`]: any library that speaks DLPack, in C, C++ or Python |
//! | `safetensors` | [`safetensors`]: the file format |

#[cfg(feature = "dlpack")]
pub mod dlpack;
#[cfg(feature = "ndarray")]
mod ndarray;
#[cfg(feature = "safetensors")]
pub mod safetensors;
