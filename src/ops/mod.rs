//! The operators, with all their options. [A table](#by-family) lists them by family.
//!
//! Most of them are also methods of [`Tensor`](crate::Tensor) with the options at their defaults. A function of this module
//! prepares an operation: its methods set options, [`run`](Binary::run) queues it and returns the result, `run_into` writes to
//! a tensor that is there, and [`plan`](Binary::plan) tells what will be launched.
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
//!
//! # Indices
//!
//! Functions that find elements by their indices take a tensor of i32 or i64, or a mask. Its elements are on the device, so they
//! are not looked at before the work runs. Whether a negative index counts from the end, each function says. The emulator lets
//! the work fail where an index does not exist, so that the stream reports it; what CANN's operators do then, CANN does not
//! say: elements of the result may be arbitrary, and memory of the device beside the tensor may be read or written.
//!
//! # Axes
//!
//! Axes count from 0, or from the end if they are negative. Functions that combine elements take one axis, several, or `..` for
//! all of them; see [`Axes`]. A tensor without axes counts as one with a single axis of one element.
//!
//! # In place
//!
//! A method whose name ends in `_in_place` replaces the elements of its tensor, and of all views that share them. There is one
//! for each function that CANN has in this form. The tensor keeps its type: where the result does not fit, as a fraction does
//! not fit an integer, the call is refused and the tensor stays as it was. For functions without such a form, `run_into` writes
//! to any tensor, also to the operand itself:
//!
//! ```
//! use aclnn::{Device, Tensor, ops};
//!
//! let device = Device::open(0)?;
//! let mut a = Tensor::from_slice(&device, &[-1.0f32, 4.0], [2])?;
//! a.relu_in_place()?;
//! assert_eq!(a.to_vec::<f32>()?, [0.0, 4.0]);
//! ops::maximum(&a.clone(), 1).run_into(&mut a)?;
//! assert_eq!(a.to_vec::<f32>()?, [1.0, 4.0]);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # Operators of Rust
//!
//! `+`, `-`, `*` and `/` take tensors, borrowed or by value, and numbers on either side; `-` also works before one
//! tensor. Each returns a `Result`, as the operation may be refused:
//!
//! ```
//! use aclnn::{Device, Scalar, Tensor};
//!
//! let device = Device::open(0)?;
//! let a = Tensor::from_slice(&device, &[1.0f32, 2.0, 4.0], [3])?;
//! assert_eq!((1 / &a)?.to_vec::<f32>()?, [1.0, 0.5, 0.25]);
//! assert_eq!(((0.5f32 * &a)? - a.neg()?)?.to_vec::<f32>()?, [1.5, 3.0, 6.0]);
//!
//! let rate = 0.25f32;
//! assert_eq!((&a * rate)?.to_vec::<f32>()?, [0.25, 0.5, 1.0]);
//! assert_eq!((rate * &a)?.to_vec::<f32>()?, [0.25, 0.5, 1.0]);
//! assert_eq!((Scalar::from(2u8) - &a)?.to_vec::<f32>()?, [1.0, 0.0, -2.0]);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! - Any number can be on the right. On the left, `f32`, `f64`, `i32`, `f16`, `bf16`, `Complex` and
//!   [`Scalar`](crate::Scalar) are possible, and every other number converts to a `Scalar`. There, a literal with a
//!   decimal point needs its type: `0.5f32` or `0.5f64`. Otherwise `(0.5 * &a)?` is ambiguous, and the compiler asks
//!   for an annotation.
//! - There is no `+=`: it returns nothing, so a refusal would be lost. Call
//!   [`add_in_place`](crate::Tensor::add_in_place) and the similar methods instead.
//!
#![doc = include_str!("families.md")]

#[allow(unused_imports, reason = "the links of the table need the name")]
use crate::Tensor;

// The functions of these modules are `#[inline]`, so that a program compiles the operators that it calls and no others.
mod activations;
mod arithmetic;
mod attention;
mod axes;
mod binary;
mod cast;
mod clamp;
mod closeness;
mod convolution;
mod copy;
mod elementwise;
mod experts;
mod fill;
pub mod foreach;
mod gated;
mod gradients;
mod index;
mod linalg;
mod loss;
mod matrix;
mod methods;
mod movement;
mod n_ary;
mod neg;
mod normalization;
mod optimizer;
mod overloads;
mod pairwise;
mod parametric;
mod pooling;
mod prepared;
mod quantisation;
mod random;
mod range;
mod recurrent;
mod reduction;
mod reductions;
mod resize;
mod sampling;
mod scan;
mod sorting;
mod ternary;
mod unary;

pub use activations::*;
pub use arithmetic::{
    add, add_in_place, div, div_in_place, div_trunc, div_trunc_in_place, mul, mul_in_place, rdiv, rpow,
    rremainder, rsub, rxlogy, sub, sub_in_place,
};
pub use attention::{
    Attention, AttentionGradients, AttentionOutputs, HeadLayout, LatentKeys, PagedCache, PagedSizes,
    PagedStep, Rotation, RotationGradients, SequenceId, attention, latent_keys, rotary_by_positions,
    rotary_embedding_backward,
};
pub use axes::{Axes, IntoAxes};
pub use binary::{Binary, BinaryInPlace};
pub use clamp::{clamp, clamp_max, clamp_min};
pub use closeness::*;
pub use convolution::*;
#[cfg(feature = "collectives")]
pub(crate) use copy::write_to;
pub use elementwise::{Attributes, Elementwise};
pub use experts::ByExpert;
pub use gated::{GeGlu, geglu};
pub use gradients::{elu_backward, gelu_erf_backward, log_sigmoid_backward};
pub use index::{
    BagMode, EmbeddingBackward, EmbeddingBag, EmbeddingBags, IndexAdd, ScatterReduce, ScatterReduction,
    embedding_backward, embedding_bag, index_add, scatter_reduce,
};
pub use linalg::{QrMode, TriangularSolve, cdist_backward, triangular_solve};
pub use loss::*;
pub use matrix::*;
pub use movement::{Im2col, Join, PadMode, cat, im2col, pad_backward, stack, windows_backward};
pub use n_ary::*;
pub use normalization::{
    BatchNorm, BatchNormInference, Normalization, NormalizationBackward, add_rms_norm, batch_norm,
    batch_norm_backward, batch_norm_inference, group_norm, group_norm_backward, instance_norm, layer_norm,
    layer_norm_backward, rms_norm, rms_norm_backward,
};
pub use optimizer::{AdamW, adam_w, update_scale};
pub use pairwise::*;
pub use parametric::Parametric;
pub use pooling::*;
pub use random::normal;
pub use recurrent::{
    LstmCell, LstmGradients, LstmStates, Recurrent, RecurrentGradients, RecurrentOutputs, RecurrentSteps,
    RecurrentWeights, gru, lstm, lstm_cell, lstm_cell_backward,
};
pub use reduction::Reduction;
pub use reductions::*;
pub use resize::{Interpolation, interpolate, interpolate_backward};
pub use sampling::{GridSample, SampleMode, SamplePadding, affine_grid, grid_sample};
pub use scan::{RunningSum, Scan, cumprod, cumsum, log_softmax, softmax};
pub use sorting::{
    SearchSorted, Select, Sort, TopK, Unique, bucketize, kth_value, median_dim, nan_median_dim,
    search_sorted, sort, topk, unique, unique_consecutive,
};
pub use ternary::*;
pub use unary::*;
