//! The kinds of misuse, and the reactions to misuse that a check finds.

macro_rules! checks {
    ($($(#[doc = $doc:literal])* $Check:ident = $name:literal;)*) => {
        /// A kind of misuse, with a stable name.
        ///
        /// | name | misuse |
        /// |---|---|
        $(#[doc = concat!("| `", $name, "` |", $($doc,)* " |")])*
        ///
        /// A refused call returns CANN's code where CANN has one for the case; otherwise a runtime function returns 107000
        /// and a launch 361001. The next synchronisation reports a failure on a stream.
        ///
        /// Some kinds of misuse make no call fail: they are kept as reports and written to standard error. These are a copy
        /// to the host of nothing but bytes that were never written, what is marked below, and a leak, for which [`Leaks`]
        /// chooses more.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Check {
            $($(#[doc = $doc])* $Check,)*
        }

        impl Check {
            /// Every check.
            pub const ALL: &[Check] = &[$(Check::$Check),*];

            /// Returns the name of the check.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Check::$Check => $name,)*
                }
            }
        }
    };
}

checks! {
    /// A view, a copy or a fill reaches past the end of its allocation.
    OutOfBounds = "out-of-bounds";
    /// Device memory is used after it was freed.
    FreedPointer = "freed-pointer";
    /// An address is used or freed that is in no allocation.
    ForeignPointer = "foreign-pointer";
    /// Host memory is used where device memory is needed.
    HostPointer = "host-pointer";
    /// Memory is freed twice.
    DoubleFree = "double-free";
    /// A tensor, scalar, executor, stream, event or other object is used after it was destroyed.
    DestroyedHandle = "destroyed-handle";
    /// A handle is used that belongs to no object of the expected kind.
    ForeignHandle = "foreign-handle";
    /// An executor is launched that an earlier launch consumed.
    ExecutorReused = "executor-reused";
    /// An executor was planned, but neither launched nor destroyed before the runtime ended.
    ExecutorNeverRun = "executor-never-run";
    /// An executor is launched by phase two of another operator, which is only reported: the library runs what was planned.
    ForeignExecutor = "foreign-executor";
    /// `aclSetRawTensorAddr` changes a tensor between phase one and the launch.
    ChangedTensor = "changed-tensor";
    /// A launch gets less workspace than the operator asked for.
    SmallWorkspace = "small-workspace";
    /// A workspace is freed while nothing shows that the stream has finished the operator.
    FreedWorkspace = "freed-workspace";
    /// An output overlaps an input that the device reads while it writes, and the two are not exactly the same elements; or
    /// a workspace overlaps a tensor; or two outputs of an operator use the same bytes.
    Overlap = "overlap";
    /// The address of a tensor is not a multiple of the bytes of its elements; that of a collective is only reported, as what
    /// HCCL asks of it is not known.
    Misaligned = "misaligned";
    /// Elements of an output share memory with each other.
    SharedElements = "shared-elements";
    /// An operator computes with bytes that were never written, or a copy brings only such bytes to the host; the copy
    /// succeeds and is reported once for an allocation. Copies between device memory, `aclnnInplaceCopy` and `aclnnCast`
    /// are no misuse: the bytes of their target that come from such bytes count as never written too.
    NeverWritten = "never-written";
    /// Two streams, or a stream and the host, use the same bytes, one of them writes, and nothing orders the two.
    Race = "race";
    /// Device memory or pinned host memory is freed, registered host memory is unregistered, or virtual memory is unmapped
    /// while nothing shows that the stream has finished the work that uses the memory.
    FreedInUse = "freed-in-use";
    /// A communicator is destroyed while nothing shows that the stream has finished its work; the call succeeds.
    DestroyedInUse = "destroyed-in-use";
    /// A device uses memory of another device to which it was not given access.
    PeerAccess = "peer-access";
    /// An object or an allocation still lives when its context, its device or the runtime ends.
    Leak = "leak";
}

/// A level of checking: the reaction when a check finds misuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Level {
    /// No history is kept, and no check that needs one is made. Misuse that would crash the emulator, such as a handle
    /// that was destroyed or memory that does not exist, still fails with its code.
    Off,
    /// The call fails with a code, and a report is kept. This is the default.
    Error,
    /// The report is written to standard error, and the process stops.
    Abort,
}

impl Level {
    /// Every level.
    pub const ALL: [Level; 3] = [Level::Off, Level::Error, Level::Abort];

    /// Returns the value of `CANN_STUBS_CHECK` that chooses the level.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Error => "error",
            Level::Abort => "abort",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Level> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// A level for leaks: the reaction when an object still lives at the end of its context, its device or the runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Leaks {
    /// Leaks are not reported.
    Off,
    /// A line on standard error counts the leaks by kind, and reports are kept. This is the default.
    Tell,
    /// Standard error lists the leaks by kind and place, and reports are kept.
    List,
    /// Leaks are reported as with `List`, and the call that ends the runtime returns 107000. The runtime has ended all
    /// the same.
    Error,
    /// Leaks are reported as with `List`, and the process stops.
    Abort,
}

impl Leaks {
    /// Every level.
    pub const ALL: [Leaks; 5] = [Leaks::Off, Leaks::Tell, Leaks::List, Leaks::Error, Leaks::Abort];

    /// Returns the value of `CANN_STUBS_LEAKS` that chooses the level.
    pub const fn name(self) -> &'static str {
        match self {
            Leaks::Off => "off",
            Leaks::Tell => "tell",
            Leaks::List => "list",
            Leaks::Error => "error",
            Leaks::Abort => "abort",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Leaks> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}
