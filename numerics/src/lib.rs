//! Element types, promotion tables, conversions, ranges and layouts of Ascend NPU operators.
//!
//! This crate knows what the operators compute and nothing about how they are called: no C interface, no device.
//! The emulator executes these definitions, and the safe layer plans with them.
//!
//! | module | holds |
//! |---|---|
//! | [`dtype`] | [`DType`]: every element type with its names and codes |
//! | [`element`] | [`Element`]: the Rust types that hold an element |
//! | [`product`] | the Ascend products |
//! | [`types_by_product`] | sets of element types; the types that an operator takes on each product |
//! | [`signature`] | the element types of a call, as the declarations of the operators state them |
//! | [`promote`] | the type in which two operands are computed, in four editions of the table |
//! | [`convert`] | conversion of one element or a slice from any type to any type; all roundings |
//! | [`layout`] | shapes, strides, broadcasting, the order of iteration |
//! | [`print`](mod@print) | elements as text, laid out as NumPy does it |
//! | [`range`] | element counts and elements of Arange, Range and Linspace, and of the ranges of ONNX and OpenVINO |
//!
//! ```
//! use aclnn_numerics::{DType, promote};
//!
//! assert_eq!(promote::promote(DType::U8, DType::I8)?, DType::I16);
//! assert!(promote::promote(DType::U16, DType::F32).is_err());
//! # Ok::<(), promote::NotPromotable>(())
//! ```

#![deny(unsafe_code)]

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `dtype`, `layout`: element types by name and code; where elements lie in memory
// 2. `element`, `product`, `promote`, `serde`: Rust types of elements; Ascend products; promotion; serialisation
// 3. `convert`, `types_by_product`: from any element type to any other; the types that an operator takes
// 4. `print`, `range`, `signature`: elements as text; counts and elements of ranges; the types of a call

pub mod convert;
pub mod dtype;
pub mod element;
pub mod layout;
pub mod print;
pub mod product;
pub mod promote;
pub mod range;
#[cfg(feature = "serde")]
mod serde;
pub mod signature;
pub mod types_by_product;

pub use dtype::{Class, DType};
pub use element::Element;
pub use half::{bf16, f16};
pub use layout::{Layout, Shape};
pub use num_complex::Complex;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
