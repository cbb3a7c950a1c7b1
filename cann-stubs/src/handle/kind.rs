//! The kinds of objects that handles name.

/// The kind of object that a handle names. The value is the top byte of the handle: it makes the address non-canonical, so
/// that a program which dereferences a handle faults at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Context = 0x51,
    Stream,
    Event,
    Tensor,
    Scalar,
    IntArray,
    FloatArray,
    BoolArray,
    TensorList,
    ScalarList,
    Executor,
    PhysicalMemory,
    DataBuffer,
    TensorDescription,
    OperatorAttributes,
    Notify,
    AllocatorDescription,
    MemoryPool,
    Communicator,
    Graph,
    TaskGroup,
}

impl Kind {
    /// Every kind, in words.
    const ALL: [(Kind, &str); 21] = [
        (Kind::Context, "a context"),
        (Kind::Stream, "a stream"),
        (Kind::Event, "an event"),
        (Kind::Tensor, "a tensor"),
        (Kind::Scalar, "a scalar"),
        (Kind::IntArray, "an array of integers"),
        (Kind::FloatArray, "an array of floats"),
        (Kind::BoolArray, "an array of truth values"),
        (Kind::TensorList, "a list of tensors"),
        (Kind::ScalarList, "a list of scalars"),
        (Kind::Executor, "an executor"),
        (Kind::PhysicalMemory, "physical memory"),
        (Kind::DataBuffer, "a data buffer"),
        (Kind::TensorDescription, "a description of tensors"),
        (Kind::OperatorAttributes, "attributes of an operator"),
        (Kind::Notify, "a notification"),
        (Kind::AllocatorDescription, "a description of an allocator"),
        (Kind::MemoryPool, "a pool of memory"),
        (Kind::Communicator, "a communicator"),
        (Kind::Graph, "a graph"),
        (Kind::TaskGroup, "a group of tasks"),
    ];

    /// The kind that a handle says it is of.
    #[inline(never)]
    pub(super) fn of(handle: usize) -> Option<Self> {
        Self::ALL.iter().find(|(kind, _)| *kind as u8 == (handle >> 56) as u8).map(|(kind, _)| *kind)
    }

    /// Returns whether programs make such objects for every call of an operator.
    pub(super) fn is_made_often(self) -> bool {
        (Kind::Tensor as u8..=Kind::Executor as u8).contains(&(self as u8))
    }

    /// The kind in words.
    pub(super) fn called(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("another kind", |(_, words)| words)
    }
}
