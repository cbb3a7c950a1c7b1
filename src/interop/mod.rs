//! Exchanging tensors with other libraries, each behind a feature of its name.
//!
//! | feature | gives |
//! |---|---|
//! | `ndarray` | `Tensor::from_ndarray`, `Tensor::to_ndarray`, and `TryFrom<&Tensor>` for arrays |
//! | `dlpack` | `dlpack`: any library that speaks DLPack, in C, C++ or Python |
//! | `npy` | `npy`: files of NumPy, and `Tensor::read_npy`, `Tensor::write_npy` |
//! | `safetensors` | `safetensors`: files of this format |

#[cfg(feature = "dlpack")]
pub mod dlpack;
#[cfg(feature = "ndarray")]
mod ndarray;
#[cfg(feature = "npy")]
pub mod npy;
#[cfg(feature = "safetensors")]
pub mod safetensors;
