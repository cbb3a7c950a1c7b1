//! Test cases of ONNX: folders with a model, inputs and expected outputs.
//!
//! A folder holds `model.onnx` and any number of data sets:
//!
//! ```text
//! test_add/
//!   model.onnx
//!   test_data_set_0/
//!     input_0.pb      the values of the inputs, in the order of the model
//!     input_1.pb
//!     output_0.pb     what is expected
//!   tolerance.txt     optional: lines such as `rtol 0.002` and `atol 1e-7`
//!   carried.txt       optional: lines such as `state_out state_in`
//! ```
//!
//! Each `.pb` file holds one value: a `TensorProto`, or a `SequenceProto` or `OptionalProto` where the model declares such
//! a type. A line of `carried.txt` names an output and an input: from the second data set on, that input is the output of the
//! set before, as for a model that is run step by step with a state.
//!
//! ```no_run
//! use aclnn_onnx::Device;
//! use aclnn_onnx::cases;
//!
//! let mut device = Device::open(0)?;
//! for case in cases::find("tests")? {
//!     let outcome = case.run(&device);
//!     if !outcome.is_passed() {
//!         println!("{}: {outcome}", case.name());
//!         device = cases::renewed(device)?;
//!     }
//! }
//! # Ok::<(), aclnn_onnx::Error>(())
//! ```

// Floors, from the ground up.
//
// 1. `compare`, `files`: whether a value is as expected; values of files
// 2. `case`: the case of a folder
mod case;
mod compare;
mod files;

pub use case::{Case, Outcome, find, renewed};
pub use compare::{Tolerance, differs};
pub use files::read_value;
