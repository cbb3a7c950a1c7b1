//! ONNX models on Ascend NPUs, and on the emulator where there is none.
//!
//! ```no_run
//! use aclnn_onnx::{Device, Model, Tensor};
//!
//! # fn main() -> Result<(), aclnn_onnx::Error> {
//! let device = Device::open(0)?;
//! let model = Model::open("model.onnx")?; // read and checked; nothing is on a device yet
//! let session = model.session(&device)?; // weights on the device, constants folded, patterns fused
//! let image = Tensor::from_slice(&device, &[0.0f32; 64], [1, 1, 8, 8])?;
//! let outputs = session.run([("image", &image)])?;
//! let scores = outputs.array("scores")?.to_vec::<f32>()?; // waits, and copies back
//! println!("{}", session.plan()?); // each node: what it launches, inserted Casts, or why it runs on the host
//! # let _ = scores;
//! # Ok(())
//! # }
//! ```
//!
//! - A [`Model`] is what a file says, read and checked. [`Model::inputs`], [`Model::outputs`], [`Model::opsets`] and
//!   [`Model::metadata`] tell about it.
//! - A [`Session`] is a model on a device. Threads share it. [`Session::run`] takes tensors on the device or [`Array`]s on
//!   the host, and queues the work; outputs are read with [`Outputs::array`], or stay on the device with
//!   [`Outputs::tensor`].
//! - What only steers a model (shapes, axes, lengths) is computed on the host without touching the device; what depends on
//!   shapes alone is computed once for each set of shapes. A [`Plan`] says what each node does, where the host must wait,
//!   and how much memory a run takes.
//! - [`Rewriting`]s make single operators of the patterns that exporters write: GELU, norms, attention, rotary embedding,
//!   linear layers. [`Options::without`] leaves one out.
//! - The operators of `aclnn` do the work: this crate uses its public interface alone. Types that no operator of the device
//!   takes are cast to wider ones, or computed on the host, and the plan says so.
//!
//! [`cookbook`] has recipes. The numerical rules of ONNX Cast and Range are those of [`aclnn::onnx`].
//!
//! # Features
//!
//! | feature | gives |
//! |---|---|
//! | `emulator` (default) | the emulator inside the program |
//! | `images` | the operator ImageDecoder, for BMP, JPEG, PNG, PNM, TIFF and WebP |
//! | `ndarray` | arrays of `ndarray` as inputs and outputs |

#![deny(clippy::indexing_slicing)]

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `error`: every failure, as data
// 2. `array`: elements on the host
// 3. `value`, `host`, `format`: tensors on the device, arrays, sequences and optionals; arithmetic on the host; the file format
// 4. `graph`: names resolved, nodes in order, functions expanded
// 5. `model`, `rewrite`, `run`: what a file says, checked; other nodes for the same; graphs that are ready to run
// 6. `operators`: what each operator does
// 7. `plan`, `survey`: which node runs where, and what it launches; what a model consists of
// 8. `session`: models on a device
// 9. `cases`, `cookbook`, `ndarray`: test cases in folders; recipes; arrays of `ndarray`

mod array;
pub mod cases;
pub mod cookbook;
mod error;
mod format;
mod graph;
mod host;
mod model;
#[cfg(feature = "ndarray")]
mod ndarray;
mod operators;
mod plan;
mod rewrite;
mod run;
mod session;
mod survey;
mod value;

pub use aclnn::{DType, Device, Shape, Tensor};
pub use array::Array;
pub use error::{Error, Result};
pub use format::types::{Dimension, ValueType};
pub use model::{LATEST_OPSET, Model, Port};
pub use plan::{Placement, Plan, PlannedNode};
pub use rewrite::Rewriting;
pub use session::{Options, Outputs, Session};
pub use survey::{Survey, UsedOperator};
pub use value::{Known, Value};

#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    mod readme {}
}
