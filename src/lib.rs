//! Safe bindings for Huawei Ascend NPU operators, with automatic type promotion and a CPU emulator for machines without an NPU.
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
//! - A [`Device`] is an NPU, or an emulated one. [`Backend::get`] tells which libraries serve, and why. Nothing is
//!   linked: CANN is searched for at run time.
//! - Work runs on the [`Stream`]s of a device. Operators queue work and return; functions that read a result wait for
//!   it. Work on tensors of two streams is ordered automatically, and an [`Event`] orders everything else.
//! - A [`Tensor`] has an element type ([`DType`]), a shape and a buffer on the device. Clones and views share the
//!   buffer; writing takes `&mut`. The second operand of an operator is another tensor, which is broadcast, or a
//!   [`Scalar`].
//! - Operands of different types are [promoted](topics::promotion) by a published table. A [`Plan`] lists the launches,
//!   and is made before anything is launched.
//! - The memory of dropped tensors is cached for later ones; it is [counted](Device::memory_statistics), can be
//!   [limited](Device::set_memory_limit) and [returned](Device::trim). Copies wait, or run beside the host with a
//!   [`HostBuffer`] and a [`Transfer`].
//! - Several devices, of one process or of many, work together as a group of [`collective`]s.
//! - An [`Error`] about arguments names the function, its operands and what to do, and leaves every tensor unchanged.
//!   Work may also fail [later](Error::StreamFailed): then everything that was computed from it is reported as lost.
//! - Threads share handles, and drop them in any order. `close` reports what a drop cannot.
//! - [`operator!`] makes safe functions of operators that this crate does not know; the module `sys` has the C
//!   functions.
//!
//! # Where to read on
//!
//! [`cookbook`] answers common questions with code, and the numbered programs in the folder `examples` are a tutorial.
//! [A page](topics::coming_from) shows this crate beside PyTorch, candle and ndarray, and [`ops`](ops#by-family) lists the
//! operators by family. The pages of [`topics`] explain the ideas: [safety](topics::safety), [promotion](topics::promotion),
//! [casting](topics::casting), [streams and memory](topics::streams_and_memory), [collectives](topics::collectives),
//! [errors](topics::errors), [the emulator's checks](topics::emulator_checks), [custom operators](topics::custom_operators),
//! and [environment variables](topics::environment_variables), of which `ACLNN_BACKEND` chooses the libraries.
//!
//! # Platforms and features
//!
//! CANN and the emulator are for 64-bit Linux, on x86_64 and aarch64. On other systems this crate builds too, the feature
//! `emulator` changes nothing, and no device is found.
//!
//! | feature | gives |
//! |---|---|
//! | `emulator` (default) | the emulator inside the program |
//! | `collectives` (default) | [`collective`]: what several devices do together; its library is opened at the first use |
//! | `ndarray` | `Tensor::from_ndarray`, `Tensor::to_ndarray`, and arrays by `TryFrom<&Tensor>` |
//! | `dlpack` | `interop::dlpack`: tensors shared with other libraries, in C, C++ or Python |
//! | `npy` | `interop::npy`, `Tensor::read_npy`, `Tensor::write_npy`: files of NumPy |
//! | `safetensors` | `interop::safetensors`: files of this format |
//! | `serde` | [`DType`] as its short name, [`Shape`] as a list and `collective::Id` as its bytes, read and written |
//! | `tracing` | spans and events of the targets `aclnn::backend`, `aclnn::device`, `aclnn::operator` (name, operands, bytes, host time, outcome), `aclnn::copy` and `aclnn::memory`. If `ACLNN_LOG` is set and the program has no subscriber, they are printed |

#![deny(clippy::indexing_slicing)]

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `generator`, `limits`, `statistics`: the state of random numbers; limits of the library; counts of the memory of a
//    device
// 2. `error`, `signatures`: every failure, as data; the signatures of the operators
// 3. `fork`, `trace`, `scalar`: forks; lists of launches, and what is reported to `tracing`; single values
// 4. `acl`: the functions of the runtime, with owned handles and codes as errors
// 5. `backend`: the libraries that serve, and why
// 6. `device_core`: what may outlive a device: its libraries, failures of drops
// 7. `executor`: descriptors and executors, and those that a stream keeps
// 8. `stream_core`: streams without their devices: work, failures, order
// 9. `pool`: device memory that is held, cached in the order of streams
// 10. `device`: the handle of a device, and what ends with it
// 11. `stream`: the handle of a stream
// 12. `event`, `memory`: marks in streams; device memory in use, and the streams that use it
// 13. `tensor`, `finalize`: elements in device memory, seen through a layout; the end of the use of the libraries
// 14. `argument_checks`, `operand`: checks of arguments before a launch; the second operand of an operator
// 15. `call`, `plan`: the two-phase call of an operator; what an operation will launch
// 16. `ops`: the operators
// 17. `collective`, `graph`, `host`: what the devices of a group do together; captured calls; copies between host and device
// 18. `between_devices`, `display`, `exact_range`, `histogram`: copies between devices; tensors as text; ranges of ONNX and
//     OpenVINO; how often values occur
// 19. `cookbook`, `interop`, `onnx`, `openvino`: recipes; other libraries and formats; exact front ends
// 20. `topics`: prose

mod acl;
mod argument_checks;
mod backend;
mod between_devices;
mod call;
#[cfg(feature = "collectives")]
pub mod collective;
pub mod cookbook;
mod device;
mod device_core;
mod display;
mod error;
mod event;
mod exact_range;
mod executor;
mod finalize;
mod fork;
mod generator;
mod graph;
mod histogram;
mod host;
pub mod interop;
mod limits;
mod memory;
pub mod onnx;
pub mod openvino;
mod operand;
pub mod ops;
pub mod plan;
mod pool;
mod scalar;
mod signatures;
mod statistics;
mod stream;
mod stream_core;
mod tensor;
// Links and tests in prose; a program needs none of it.
#[cfg(any(doc, doctest))]
pub mod topics;
mod trace;

pub use aclnn_numerics::{
    Class, Complex, DType, Element, Layout, Shape, bf16, element, f16, layout, product, promote, range,
};
pub use aclnn_sys as sys;
pub use backend::{Backend, BackendKind};
pub use device::Device;
pub use error::{
    CallInfo, CloseError, EarlierError, Error, Failure, OperandInfo, Operands, RankInfo, Result,
};
pub use event::Event;
pub use exact_range::SequencePlan;
pub use generator::Generator;
pub use graph::Graph;
pub use host::{HostBuffer, Transfer, TransferError};
pub use limits::MAX_RANK;
pub use memory::MemoryInfo;
pub use operand::{IntoOperand, Operand};
pub use ops::{Axes, IntoAxes};
pub use plan::{Plan, Policy};
pub use promote::Edition;
pub use scalar::Scalar;
pub use statistics::MemoryStatistics;
pub use stream::Stream;
pub use tensor::{At, AtAxis, Ellipsis, Index, IndexRange, NewAxis, Parts, Stepped, Tensor, step};
pub use trace::record_calls;

/// The expansion of [`operator!`]; not for direct use.
#[doc(hidden)]
pub mod __call {
    pub use crate::call::{Call, Given, Loaded, load};
    pub use crate::executor::Descriptors;
}

#[cfg(doctest)]
mod readme {
    #[doc = include_str!("../README.md")]
    mod english {}
    #[doc = include_str!("../README.zh-CN.md")]
    mod chinese {}
}
