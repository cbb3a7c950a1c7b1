//! Operators of Ascend NPUs, safely, with mixed element types, and on machines without an NPU too.
//!
//! ```
//! use aclnn::{DType, Device, Tensor, f16};
//!
//! # fn main() -> Result<(), aclnn::Error> {
//! let device = Device::open(0)?; // CANN if it is there, else the emulator
//! let a = Tensor::from_slice(&device, &[f16::ONE; 6], [2, 3])?;
//! let b = Tensor::from_slice(&device, &[0.5f32, 1.5, 2.5], [3])?;
//! let sum = a.add(&b)?; // f16 + f32 → f32: a Cast of `a` is inserted, [3] broadcasts
//! assert_eq!(aclnn::ops::add(&a, &b).plan()?.to_string(), "add: Cast self f16→f32; Add f32 → f32 [2, 3]");
//! let scaled = aclnn::ops::add(&a, &b).alpha(0.5).dtype(DType::F16).run()?;
//! let values: Vec<f32> = sum.to_vec()?; // waits for the stream, copies back
//! assert_eq!(values, [1.5, 2.5, 3.5, 1.5, 2.5, 3.5]);
//! let ramp = Tensor::arange(&device, 0.0, 2.5, 0.5, DType::BF16)?; // generated on the device
//! # let _ = (scaled, ramp);
//! # Ok(())
//! # }
//! ```
//!
//! # The model
//!
//! A [`Device`] is an NPU, or an emulated one. Work runs on its [`Stream`]s: functions queue it and return, and what
//! reads a result waits. Streams run beside each other; work on tensors of two streams is put in order by itself, and an
//! [`Event`] marks a point for everything else.
//!
//! A [`Tensor`] is a type ([`DType`]), a shape and a buffer on the device. Cloning it and making views shares the buffer;
//! writing takes `&mut`. Beside a tensor stands another one, which broadcasts, or a [`Scalar`].
//!
//! Operands of different types are promoted to a common one, by a [published table](promote). What will be launched is a
//! [`Plan`](plan::Plan), made before anything is launched: bad input is refused with a reason and leaves every tensor as
//! it was. Every [`Error`] names the operator and its operands.
//!
//! Work is only queued, so it may fail later: then whatever its stream computed, and whatever used that, is reported as
//! [lost](Error::StreamFailed) to everyone who asks, and new streams and tensors go on.
//!
//! Handles may be shared by threads and dropped in any order. What fails in a drop is reported by the next call on the
//! device that can fail; `close` on a device, stream, event or tensor reports it at once. Where this crate is not enough, raw
//! handles and the C functions in [`sys`] are.
//!
//! # Where it runs
//!
//! [`Backend::get`] tells which libraries serve and why. Nothing is linked: CANN is looked for at run time, and without it
//! the emulator inside this crate (feature `emulator`, on by default) computes the same on the CPU.
//!
//! | variable | meaning |
//! |---|---|
//! | `ACLNN_BACKEND` | `auto` (default): CANN where it is installed and sees a device, else the emulator. `cann`: CANN or an error. `emulator`: the emulator. In capitals or not. Anything else: the path of a toolkit or of a directory of libraries |
//! | `ACLNN_CANN_PATH` | a CANN toolkit or directory of libraries, looked at first |
//! | `ASCEND_HOME_PATH`, `ASCEND_TOOLKIT_HOME` | CANN toolkits, looked at next, as CANN's `set_env.sh` sets them; then come the dynamic linker and the default places |
//! | `ACLNN_SYNC` | `1`: wait after every operator and name it in the error, to find the one that failed |
//! | `CANN_STUBS_*` | settings of the emulator, see its crate |

#![deny(clippy::indexing_slicing)]

mod acl;
mod backend;
mod call;
mod check;
mod device;
mod error;
mod event;
mod memory;
pub mod onnx;
pub mod openvino;
mod operand;
pub mod ops;
pub mod plan;
mod scalar;
mod sequence;
mod stream;
mod tensor;

/// The most axes that operators take.
pub const MAX_RANK: usize = 8;

pub use aclnn_numerics::{
    Class, Complex, DType, Element, Layout, Shape, bf16, element, f16, layout, product, promote, range,
};
pub use aclnn_sys as sys;
pub use backend::{Backend, BackendKind};
pub use device::{Device, MemoryInfo};
pub use error::{CloseError, Error, Failure, OperandInfo, Operands, Result};
pub use event::Event;
pub use memory::MemoryStatistics;
pub use operand::Operand;
pub use scalar::Scalar;
pub use sequence::SequencePlan;
pub use stream::Stream;
pub use tensor::Tensor;
