//! Safe operators for Ascend NPUs, with mixed element types, that also run on machines without an NPU.
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
//! The [`cookbook`] answers common questions; the numbered programs in the folder `examples` are a tutorial.
//!
//! # The model
//!
//! A [`Device`] is an NPU, or an emulated one. Work runs on its [`Stream`]s: functions queue work and return, and
//! functions that read a result wait for it. Streams run in parallel. Work on tensors of two streams is ordered
//! automatically; an [`Event`] orders everything else.
//!
//! A [`Tensor`] has an element type ([`DType`]), a shape and a buffer on the device. Clones and views of a tensor share
//! the buffer; writing takes `&mut`. The second operand of an operator is another tensor, which is broadcast, or a
//! [`Scalar`].
//!
//! The memory of dropped tensors is cached for later tensors. All memory that is held is
//! [counted](Device::memory_statistics) and can be [limited](Device::set_memory_limit); cached memory can be
//! [returned to the device](Device::trim).
//!
//! Copies between host and device make the caller wait, or run while the host does other work: a [`HostBuffer`] is
//! pinned memory that the device reaches directly, and a [`Transfer`] holds it while a copy runs. [`Tensor::to`] copies
//! between devices.
//!
//! Operands of different types are promoted to a common type, by a [published table](promote). A [`Plan`] lists the
//! launches, and is made before anything is launched: bad input is refused with a reason and leaves every tensor
//! unchanged. An [`Error`] about operands, shapes or element types names the function, or the other library, and its
//! arguments.
//!
//! Work is only queued, so it may fail later. Then the results of its stream, and all results that were computed from
//! them, are reported as [lost](Error::StreamFailed) to every caller; new streams and tensors still work.
//!
//! [`operator!`] turns operators that this crate does not know, such as custom ones, into safe functions.
//!
//! Threads may share handles and drop them in any order, or never: a process may end at any point. A failure in a drop
//! is reported by the next call on the device that can fail. `close` on a device, stream, event, tensor or host buffer
//! reports it at once, and gives the handle back if the handle is still valid. A process that is
//! [forked](Error::Forked) after a device was opened has to start over with `exec`. For functions that this crate
//! lacks, use raw handles and the C functions in [`sys`]; [`Stream::from_raw`], [`Event::from_raw`] and
//! [`Tensor::from_raw`] adopt handles that were made with them.
//!
//! # Use with other code
//!
//! CANN keeps a context for each thread, which decides the device that its functions work on. A call of this crate
//! makes the context of its device current and leaves it current on the calling thread. Code that calls the runtime
//! directly has to set its own context after a call of this crate; this crate sets its context before each function.
//! Subscribers of `tracing` are told after a call has finished with the runtime, so they may call this crate, too.
//!
//! # The end of a program
//!
//! Nothing has to be done at the end. To have every failure reported, close tensors and streams first, then their
//! device. To let the libraries write or release what they hold, end them last, with [`Backend::finalize`], before the
//! end of `main`: when destructors of statics run, the libraries may have ended already.
//!
//! # Where it runs
//!
//! [`Backend::get`] tells which libraries serve and why. Nothing is linked: CANN is searched for at run time, and
//! without it the emulator inside this crate (feature `emulator`, on by default) computes the same on the CPU.
//!
//! Both are for 64-bit Linux, on x86_64 and aarch64. On other systems this crate builds without the feature `emulator`,
//! and finds no device.
//!
//! | variable | meaning |
//! |---|---|
//! | `ACLNN_BACKEND` | `auto` (default): the first CANN that opens, initialises and sees a device, otherwise the emulator. `cann`: CANN or an error. `emulator`: the emulator. Case is ignored. Any other value: the path of a toolkit or of a directory of libraries |
//! | `ACLNN_CANN_PATH` | a CANN toolkit or directory of libraries, searched first |
//! | `ASCEND_HOME_PATH`, `ASCEND_TOOLKIT_HOME` | CANN toolkits, searched next, as CANN's `set_env.sh` sets them; then come the dynamic linker and the default places |
//! | `ASCEND_CUSTOM_OPP_PATH`, `ASCEND_OPP_PATH` | packages of custom operators, and the directory of those installed, as CANN reads them. Operators are searched there first, with CANN and with the drop-in libraries |
//! | `ACLNN_SYNC` | `1`, or any value but `0`: launch operators one at a time, wait after each and name it in the error, to find the one that failed. Work queued through raw handles is waited for first, and its failures are never reported as those of an operator |
//! | `ACLNN_REUSE` | `0`: plan every call anew, instead of keeping executors for the next call of the same kind. For programs that change core limits or determinism by raw calls, as kept executors do not follow such changes |
//! | `ACLNN_LOG` | with the feature `tracing`: what to print to the standard error, `info`, `debug`, or levels by target such as `aclnn::operator=debug` |
//! | `CANN_STUBS_*`, `ACLNN_CACHE_LIMIT`, `DISABLE_L2_CACHE` | settings of the emulator, see the crate `cann-stubs`; CANN reads the last two as well |
//!
//! # Features
//!
//! | feature | gives |
//! |---|---|
//! | `emulator` (default) | the emulator inside the program |
//! | `ndarray` | `Tensor::from_ndarray`, `Tensor::to_ndarray`, and arrays by `TryFrom<&Tensor>` |
//! | `dlpack` | `interop::dlpack`: tensors shared with other libraries, in C, C++ or Python |
//! | `safetensors` | `interop::safetensors`: files of this format |
//! | `serde` | [`DType`] as its short name and [`Shape`] as a list, read and written |
//! | `tracing` | spans and events of the targets `aclnn::backend`, `aclnn::device`, `aclnn::operator` (name, operands, bytes, host time, outcome), `aclnn::copy` and `aclnn::memory`. If `ACLNN_LOG` is set and the program has no subscriber, they are printed |

#![deny(clippy::indexing_slicing)]

// Floors, from the ground up. A module uses what lies on lower floors, and its own children; `cargo xtask layers` checks it.
//
// 1. `limits`, `statistics`: limits of the library; counts of the memory of a device
// 2. `declared`, `error`: the signatures of the operators; every failure, as data
// 3. `fork`, `trace`, `scalar`: forks; what is reported to `tracing`; single values
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
// 17. `host`: copies between host and device
// 18. `between_devices`, `display`, `exact_range`, `histogram`: copies between devices; tensors as text; ranges of ONNX and
//     OpenVINO; how often values occur
// 19. `cookbook`, `interop`, `onnx`, `openvino`: recipes; other libraries and formats; exact front ends

mod acl;
mod argument_checks;
mod backend;
mod between_devices;
mod call;
pub mod cookbook;
mod declared;
mod device;
mod device_core;
mod display;
mod error;
mod event;
mod exact_range;
mod executor;
mod finalize;
mod fork;
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
mod statistics;
mod stream;
mod stream_core;
mod tensor;
mod trace;

pub use aclnn_numerics::{
    Class, Complex, DType, Element, Layout, Shape, bf16, element, f16, layout, product, promote, range,
};
pub use aclnn_sys as sys;
pub use backend::{Backend, BackendKind};
pub use device::Device;
pub use error::{CallInfo, CloseError, EarlierError, Error, Failure, OperandInfo, Operands, Result};
pub use event::Event;
pub use exact_range::SequencePlan;
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

/// The expansion of [`operator!`]; not for direct use.
#[doc(hidden)]
pub mod __call {
    pub use crate::call::{Call, Pass, Slot, load};
    pub use crate::executor::Descriptors;
}
