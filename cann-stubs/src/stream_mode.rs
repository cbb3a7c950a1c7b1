//! [`Mode`]: the modes of streams, which say when queued work runs although no thread waits for it.

/// A mode of streams: when the work that a program queued runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Mode {
    /// Work runs when a thread waits for a stream, queries it or processes its callbacks; and on a thread of the emulator
    /// once much work is queued, and where a thread that waits comes to a host function of another stream. This is the
    /// default.
    Lazy,
    /// Work runs only when a thread waits for it: a result that no thread waited for is never there. Host functions of
    /// another stream, to which that thread comes, run on a thread of the emulator.
    Deferred,
    /// Work runs as soon as possible, on threads of the emulator; no thread of the program needs to wait or query.
    Worker,
    /// Work runs at once, inside the call that queues it. Where the stream waits for a signal, a value or a callback, the
    /// work runs on a thread of the emulator as soon as that has come.
    Inline,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Mode; 4] = [Mode::Lazy, Mode::Deferred, Mode::Worker, Mode::Inline];

    /// Returns the value of `CANN_STUBS_STREAMS` that chooses the mode.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Lazy => "lazy",
            Mode::Deferred => "deferred",
            Mode::Worker => "worker",
            Mode::Inline => "inline",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Mode> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}
