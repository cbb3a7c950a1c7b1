//! The errors of this crate, in one type.
//!
//! [`Operands`] holds the operands of a call, [`Failure`] what a function of the library returned. Making an error
//! never calls into the library: the library's message was fetched right after the call that failed.

mod close;
mod earlier;
mod failure;
mod memory;
mod operands;
mod rank;

use aclnn_numerics::convert::onnx::CastError;
use aclnn_numerics::layout::{BroadcastError, LayoutError};
use aclnn_numerics::promote::NotPromotable;
use aclnn_numerics::range::RangeError;
use aclnn_numerics::types_by_product::TypeSet;
use aclnn_numerics::{DType, Shape};

pub use close::CloseError;
pub use failure::Failure;
pub use operands::{CallInfo, OperandInfo, Operands};
pub use rank::RankInfo;

use crate::statistics::MemoryStatistics;

/// The result of every function that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate.
///
/// Errors about arguments name the function and its operands, with element types and shapes, including data of the
/// host. Errors of the runtime, of memory and of handles name these. All variants except [`Launch`](Error::Launch),
/// [`Collective`](Error::Collective), [`GroupFailed`](Error::GroupFailed), [`Library`](Error::Library),
/// [`StreamFailed`](Error::StreamFailed), [`OutOfMemory`](Error::OutOfMemory) and [`Deferred`](Error::Deferred) are found
/// before anything is launched and leave every tensor unchanged.
///
/// The message is complete: it includes the message of its cause. [`source`](std::error::Error::source) returns the
/// cause with its own type, for more details, so a program that prints errors should print this message and not the
/// chain of sources. `Debug` prints the message too, so that a `main` that returns an error says what to do.
///
/// ```
/// use std::error::Error as _;
/// use aclnn::{Device, Tensor, layout::BroadcastError};
///
/// let device = Device::open(0)?;
/// let a = Tensor::from_slice(&device, &[1, 2, 3], [3])?;
/// let b = Tensor::from_slice(&device, &[1, 2], [2])?;
/// let error = a.add(&b).unwrap_err();
/// let cause = error.source().and_then(|cause| cause.downcast_ref::<BroadcastError>());
/// assert_eq!(cause.map(|cause| cause.axis), Some(0));
/// # Ok::<(), aclnn::Error>(())
/// ```
///
/// | variant | source |
/// |---|---|
/// | [`Launch`](Error::Launch), [`Collective`](Error::Collective), [`GroupFailed`](Error::GroupFailed), [`Library`](Error::Library), [`StreamFailed`](Error::StreamFailed), [`OutOfMemory`](Error::OutOfMemory) | [`Failure`] |
/// | [`NotPromotable`](Error::NotPromotable) | [`promote::NotPromotable`](NotPromotable) |
/// | [`Broadcast`](Error::Broadcast) | [`layout::BroadcastError`](BroadcastError) |
/// | [`View`](Error::View) | [`layout::LayoutError`](LayoutError) |
/// | [`Range`](Error::Range) | [`range::RangeError`](RangeError) |
/// | [`Cast`](Error::Cast) | [`onnx::CastError`](CastError) |
/// | [`MissingSymbol`](Error::MissingSymbol) | [`sys::MissingSymbol`](aclnn_sys::MissingSymbol) |
/// | [`NotFound`](Error::NotFound) | [`sys::NotFound`](aclnn_sys::NotFound) |
/// | [`Deferred`](Error::Deferred) | [`Error`], which has a source of its own |
/// | others | none |
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operands have no common type in the promotion table.
    #[error("{operator}({operands}): {cause}")]
    NotPromotable {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The table and its reason.
        #[source]
        cause: NotPromotable,
    },

    /// The operator does not take a type on this product.
    #[error(
        "{operator}({operands}): {}", operands::unsupported(by, operands, *dtype, product, *accepted)
    )]
    Unsupported {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The library's operator that refuses: `Add`, or `Cast` if a Cast would have to be inserted.
        by: &'static str,
        /// The type that it refuses.
        dtype: DType,
        /// The product, by its SoC name.
        product: String,
        /// The types that it takes.
        accepted: TypeSet,
    },

    /// There is no Cast between two types on this product.
    #[error(
        "{operator}({operands}): there is no Cast from {from} to {to} on {product}; {}",
        operands::around(*from, *to)
    )]
    NoCast {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The type to convert from.
        from: DType,
        /// The type to convert to.
        to: DType,
        /// The product, by its SoC name.
        product: String,
    },

    /// A Cast that ONNX does not describe, or a string that is not a number.
    #[error("{operator}({operands}): {cause}")]
    Cast {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The reason from ONNX's description.
        #[source]
        cause: CastError,
    },

    /// The result cannot be converted to the requested type.
    #[error(
        "{operator}({operands}): the result is {computed} and does not become {out}: {rule}; {}",
        if *in_place { "compute into a new tensor and cast that" } else { "ask for another type, or compute first and cast then" }
    )]
    OutputDType {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The type that the operator computes.
        computed: DType,
        /// The requested type.
        out: DType,
        /// The rule that forbids it.
        rule: &'static str,
        /// Whether the result was to replace the first operand.
        in_place: bool,
    },

    /// `alpha` cannot be converted to the type in which the operator computes.
    #[error("{operator}({operands}): alpha is {alpha}, which is not converted to {computed}, in which the operands are computed; pass {}",
        if computed.is_float() { "a real number" } else { "an integer, or cast an operand to a floating-point type" })]
    Alpha {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The type of `alpha`.
        alpha: DType,
        /// The type in which the operator computes.
        computed: DType,
    },

    /// The shapes of the operands cannot be broadcast together.
    #[error("{operator}({operands}): {cause}")]
    Broadcast {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The axis and the sizes that differ.
        #[source]
        cause: BroadcastError,
    },

    /// The output does not have the shape of the result.
    #[error(
        "{operator}({operands}): the result has shape {expected}, but {name} has {given}; it must have exactly the shape of the result"
    )]
    OutputShape {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The tensor that receives the result.
        name: &'static str,
        /// The shape of the result.
        expected: Box<Shape>,
        /// The shape of the output.
        given: Box<Shape>,
    },

    /// An operand has more axes than operators take.
    #[error(
        "{operator}({operands}): {name} has {rank} axes, operators take at most {}; reshape it",
        crate::limits::MAX_RANK
    )]
    Rank {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The operand.
        name: &'static str,
        /// The number of axes of the operand.
        rank: usize,
    },

    /// The output shares some, but not all, elements with an operand, or has elements that share their memory.
    #[error(
        "{operator}({operands}): {output} overlaps {name} partly, so elements would be overwritten before they are read; make a copy of one first"
    )]
    Overlap {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The tensor that is written.
        output: &'static str,
        /// The tensor that the output overlaps.
        name: &'static str,
    },

    /// Several elements of the output share their memory, as in a broadcast view, or two outputs are the same tensor.
    #[error(
        "{operator}({operands}): elements of {output} share their memory, so it cannot be written; make a copy first"
    )]
    SharedElements {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The tensor that is written.
        output: &'static str,
    },

    /// The output is a part of a buffer whose elements are smaller than a byte.
    #[error(
        "{operator}({operands}): {output} is a part of a tensor of {dtype} and may share a byte with the rest, so it cannot be written; make a copy first"
    )]
    SharedBytes {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The tensor that is written.
        output: &'static str,
        /// The type of its elements.
        dtype: DType,
    },

    /// The operands lie on different devices.
    #[error("{operator}({operands}): {}", operands::apart(operands, *first, *second))]
    Devices {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The device of the first operand, or of the stream.
        first: i32,
        /// The other device.
        second: i32,
    },

    /// A scalar has a type, or a value, that CANN does not take for this parameter.
    #[error("{operator}({operands}): {reason}")]
    Scalar {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The reason, for the scalar.
        reason: String,
    },

    /// A number that is out of range for the operands, or operands whose shapes do not fit together.
    #[error("{operator}({operands}): {reason}")]
    Argument {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// What does not fit, and what would.
        reason: String,
    },

    /// A range that does not exist: its step is zero or leads away from the end, or its type has no ranges.
    #[error("{operator}({operands}): {cause}")]
    Range {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The reason, for the range.
        #[source]
        cause: RangeError,
    },

    /// A view that cannot be made, or an axis of an operator that does not exist.
    #[error("{view}({tensor}): {cause}")]
    View {
        /// The requested view, or the operator.
        view: &'static str,
        /// The tensor of the view.
        tensor: Operands,
        /// The reason.
        #[source]
        cause: LayoutError,
    },

    /// The number of bytes is not what a tensor of this type and shape takes.
    #[error("{operator}({operands}): {given} bytes were given for {dtype}{shape}, which takes {}{}",
        shape.numel().and_then(|count| dtype.storage_bytes(count)).map_or("more than any memory".into(), |bytes| bytes.to_string()),
        if dtype.bits() < 8 { "; elements of less than a byte are packed" } else { "" })]
    Bytes {
        /// The operation.
        operator: &'static str,
        /// The arguments of the operation.
        operands: Operands,
        /// The number of bytes given.
        given: usize,
        /// The type of the elements.
        dtype: DType,
        /// The shape.
        shape: Box<Shape>,
    },

    /// The number of elements of the host is not that of the shape.
    #[error(
        "{operator}({operands}): {given} {} not fill shape {shape}, which has {}",
        if *given == 1 { "element does" } else { "elements do" },
        operands::count(shape)
    )]
    Length {
        /// The operation.
        operator: &'static str,
        /// The arguments of the operation.
        operands: Operands,
        /// The number of elements given.
        given: usize,
        /// The shape.
        shape: Box<Shape>,
    },

    /// A tensor that is read as a single element has several elements, or none.
    #[error(
        "{operator}({operands}): the tensor has {} elements, not one; select one first",
        operands::count(shape)
    )]
    NotSingle {
        /// The operation.
        operator: &'static str,
        /// The arguments of the operation.
        operands: Operands,
        /// The shape of the tensor.
        shape: Box<Shape>,
    },

    /// The tensor's elements are not of the requested Rust type.
    #[error("{operator}({operands}): the tensor holds {dtype}, not {asked}; use {} here, or cast the tensor to {asked} first", dtype.rust_name())]
    ElementType {
        /// The operation.
        operator: &'static str,
        /// The arguments of the operation.
        operands: Operands,
        /// The type of the tensor's elements.
        dtype: DType,
        /// The requested type.
        asked: DType,
    },

    /// The elements do not lie in one piece, which a copy between host and device requires.
    #[error(
        "{operator}({operands}): the elements do not lie in row-major order without gaps; call contiguous() first{}",
        if *operator == "upload" { ", upload there, and copy_from that" } else { "" }
    )]
    NotContiguous {
        /// The operation.
        operator: &'static str,
        /// The tensor.
        operands: Operands,
    },

    /// A tensor that is larger than every address space, or whose elements cannot be stored in bytes.
    #[error("{operator}({operands}): a tensor of {dtype}{shape} is refused: {reason}")]
    Tensor {
        /// The operation.
        operator: &'static str,
        /// The arguments of the operation.
        operands: Operands,
        /// The type of the elements.
        dtype: DType,
        /// The shape.
        shape: Box<Shape>,
        /// The reason.
        reason: &'static str,
    },

    /// A tensor cannot be exchanged with another library.
    #[error("{with}: {reason}")]
    Interop {
        /// The other library or format.
        with: &'static str,
        /// The mismatch, and what to do about it.
        reason: String,
    },

    /// The device has too little memory left, or its [limit](crate::Device::set_memory_limit) is reached, even after
    /// cached memory was returned to the device.
    #[error("{call}: {}", memory::exhausted(*device, *requested, *free, *total, pool, cause.as_ref()))]
    OutOfMemory {
        /// The call that asked for the memory.
        call: Box<CallInfo>,
        /// The ordinal of the device.
        device: i32,
        /// The number of bytes asked for.
        requested: usize,
        /// The free bytes of the device; they may lie in pieces.
        free: usize,
        /// The bytes that the device has; 0, like `free`, where the library does not tell.
        total: usize,
        /// The memory that this crate holds.
        pool: Box<MemoryStatistics>,
        /// The failure that the library returned; `None` if the limit was reached.
        #[source]
        cause: Option<Failure>,
    },

    /// The host has too little memory left.
    #[error("{bytes} bytes do not fit into the memory of the host; work on less at a time")]
    HostMemory {
        /// The number of bytes asked for.
        bytes: usize,
    },

    /// A graph is being captured from the stream, which keeps the stream from doing something else.
    #[error(
        "{what} is refused while a graph is captured from the stream; do it before or after `Stream::capture`"
    )]
    Capture {
        /// The act that was to be done, as a noun.
        what: &'static str,
    },

    /// An operator failed in the library.
    #[error("{operator}({operands}): {cause}")]
    Launch {
        /// The operator.
        operator: &'static str,
        /// The operands of the call.
        operands: Operands,
        /// The failure that the library returned.
        #[source]
        cause: Failure,
    },

    /// The library refused a collective, or a group could not be made.
    #[error("{call} as {rank}: {cause}")]
    Collective {
        /// The collective and its operands.
        call: Box<CallInfo>,
        /// The rank and its group.
        rank: Box<RankInfo>,
        /// The failure that the library returned.
        #[source]
        cause: Failure,
    },

    /// A collective of the group has failed, on this rank or on another one. The group does nothing more: its communicators
    /// are of no use on any rank.
    #[error(
        "{call} as {rank}: the group has failed: {cause}; drop its communicators, and make a new group of the ranks that are left"
    )]
    GroupFailed {
        /// The call that was refused.
        call: Box<CallInfo>,
        /// The rank and its group.
        rank: Box<RankInfo>,
        /// The first failure that this rank learned of.
        #[source]
        cause: Failure,
    },

    /// A function of the runtime failed.
    #[error("{0}")]
    Library(#[from] Failure),

    /// Work failed while it ran, or could not be waited for. The stream on which it was queued, and those that used its
    /// results, stay failed: their results are not reliable.
    #[error(
        "work on a stream failed: {0}; what this stream and those that used its results computed is lost: make new streams and tensors"
    )]
    StreamFailed(#[source] Failure),

    /// The library lacks a function.
    #[error("{0}")]
    MissingSymbol(#[from] aclnn_sys::MissingSymbol),

    /// No usable libraries were found.
    #[error(
        "ACLNN_BACKEND={requested}: {}{cause}\n{}",
        operands::taken_for(requested),
        operands::WITHOUT_CANN
    )]
    NotFound {
        /// The value of `ACLNN_BACKEND`.
        requested: String,
        /// Everything that was tried.
        #[source]
        cause: aclnn_sys::NotFound,
    },

    /// The emulator is asked for or needed, but this program was built without it.
    #[error(
        "ACLNN_BACKEND={requested}: {reason}, but this program was built without the emulator: build it with the feature `emulator` of aclnn, or run it where CANN sees a device{}",
        operands::attempts(tried)
    )]
    NoEmulator {
        /// The value of `ACLNN_BACKEND`.
        requested: String,
        /// Why the emulator is needed.
        reason: String,
        /// The places where CANN was searched for.
        tried: Vec<aclnn_sys::Attempt>,
    },

    /// A variable of the environment has a value that cannot be used, or lacks one that belongs to it.
    #[error("{variable}={value}: {reason}")]
    Environment {
        /// The name of the variable.
        variable: &'static str,
        /// The value of the variable.
        value: String,
        /// What is wrong, and what would be right.
        reason: String,
    },

    /// The ranks that a launcher has started did not meet, so they cannot make a group.
    #[error("rank {rank} of {size} did not meet the others at {address}: {reason}")]
    Rendezvous {
        /// The rank that reports the failure.
        rank: usize,
        /// The number of ranks.
        size: usize,
        /// The place of the meeting: a host and a port.
        address: String,
        /// What failed, and what to do.
        reason: String,
    },

    /// This process was forked from one that used the libraries, which cannot be used after a fork.
    #[error(
        "this process was forked after the first device was opened, and what its parent opened does not work here; open devices after the fork, or start another program with exec"
    )]
    Forked,

    /// A device, stream or tensor is still used by other handles, so it was not closed. It ends with the last of them.
    #[error("{}{what} {device} is still in use: {}; drop {} first", if *what == "device" { "" } else { "a " }, operands::holders(*others), if *others == 1 { "it" } else { "them" })]
    InUse {
        /// The kind of handle that was to be closed.
        what: &'static str,
        /// The ordinal of the device.
        device: i32,
        /// The number of other handles.
        others: usize,
    },

    /// An internal rule of this crate was violated. Nothing was launched.
    #[error("{what}, which is a mistake in aclnn; please report it")]
    Internal {
        /// The rule that was violated.
        what: &'static str,
    },

    /// A failure in the drop of a handle, where it could not be reported.
    #[error("earlier, while dropping {what}: {cause}")]
    Deferred {
        /// The kind of handle that was dropped.
        what: &'static str,
        /// The failure.
        #[source]
        cause: EarlierError,
    },
}

impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl Error {
    /// Adds the operation and its operands, if the code that refused did not know them.
    pub(crate) fn during(self, operator: &'static str, operands: impl FnOnce() -> Operands) -> Error {
        match self {
            Error::Tensor { dtype, shape, reason, .. } => {
                Error::Tensor { operator, operands: operands(), dtype, shape, reason }
            }
            Error::OutOfMemory { mut call, device, requested, free, total, pool, cause } => {
                *call = CallInfo { operator, operands: operands() };
                Error::OutOfMemory { call, device, requested, free, total, pool, cause }
            }
            error => error,
        }
    }

    /// Returns the code of the library, if the error is a failure of the library.
    pub fn code(&self) -> Option<i32> {
        match self {
            Error::Library(cause)
            | Error::StreamFailed(cause)
            | Error::Launch { cause, .. }
            | Error::Collective { cause, .. }
            | Error::GroupFailed { cause, .. }
            | Error::OutOfMemory { cause: Some(cause), .. } => cause.code,
            Error::Deferred { cause, .. } => cause.code(),
            _ => None,
        }
    }
}

/// An [`Error`] that happened earlier.
///
/// The error is boxed, so that it takes little room in the error that contains it. The source is the [`Error`] itself.
pub struct EarlierError(Box<Error>);
