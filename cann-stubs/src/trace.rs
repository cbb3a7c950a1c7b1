//! The trace: every piece of work with its stream, operands, bytes and times.
//!
//! A record is made when work is submitted and gets its times when the work runs. It goes to [`record`] on the
//! submitting thread, and into the file that the environment names: an array of Chrome trace events, complete after
//! every event, which trace viewers open. There a device is a process and each of its streams a thread; work that the
//! host does at once is in a process of its own, with a track for each thread.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use aclnn_numerics::DType;

use crate::messages::tell;
use crate::settings;
use crate::status::Result;

/// A record of one piece of work: a launched operator, a copy, a fill, or a function of the host.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Record {
    /// The C function that submitted the work, such as `aclnnAdd`.
    pub function: &'static str,
    /// The steps of the computation; the steps of one operator run in one pass.
    pub kernels: Vec<&'static str>,
    /// The id of the stream, as `aclrtStreamGetId` returns it; `None` for work that the host did at once.
    pub stream: Option<i32>,
    /// The ordinal of the device; -1 for work that the host did at once.
    pub device: i32,
    /// The tensors of the operator.
    pub operands: Vec<Operand>,
    /// The number of bytes that a copy or a fill moves, or that an operator or a collective reads and writes.
    pub bytes: usize,
    /// The rank and the number of ranks, for a collective and for messages between ranks.
    pub rank: Option<(usize, usize)>,
    /// The time at which the work began, on the clock of the trace, and its duration; `None` when the work has not run.
    pub time: Option<(Duration, Duration)>,
}

/// A tensor of a [`Record`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Operand {
    /// The name of the parameter.
    pub name: &'static str,
    /// The type of the elements.
    pub dtype: Option<DType>,
    /// The sizes of the view.
    pub shape: Vec<i64>,
}

impl Operand {
    pub(crate) fn new(name: &'static str, dtype: Option<DType>, shape: &[i64]) -> Self {
        Operand { name, dtype, shape: shape.to_vec() }
    }
}

/// The details that work gives when it is submitted.
#[derive(Default)]
pub(crate) struct Details {
    pub(crate) kernels: Vec<&'static str>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) bytes: usize,
    pub(crate) rank: Option<(usize, usize)>,
}

/// A record whose times come later.
struct Entry {
    record: Record,
    track: Track,
    time: OnceLock<(Duration, Duration)>,
}

impl Entry {
    fn record(&self) -> Record {
        Record { time: self.time.get().copied(), ..self.record.clone() }
    }
}

/// Where a viewer shows an event: events of one track never overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Track {
    Stream { device: i32, stream: i32 },
    Host(ThreadId),
}

impl Track {
    /// The number of the process. Viewers take 0 for the idle process, and negative numbers for another one.
    fn process(self) -> i64 {
        match self {
            Track::Host(_) => 1,
            Track::Stream { device, .. } => i64::from(device) + 2,
        }
    }

    fn process_name(self) -> String {
        match self {
            Track::Host(_) => "host".to_owned(),
            Track::Stream { device, .. } => format!("device {device}"),
        }
    }
}

/// The number of the first track: above those of processes, as a thread with the number of a process counts as its main
/// thread.
const FIRST_TRACK: u64 = 1000;

/// Records that a file's trace keeps for `control::trace`.
const KEPT: usize = 10_000;

/// A trace of the whole process.
struct Sink {
    file: File,
    /// Where the next event goes: before the end of the array.
    at: u64,
    /// The numbers of the tracks that have a name.
    tracks: HashMap<Track, u64>,
    /// Threads of the host among them.
    threads: usize,
    kept: VecDeque<Arc<Entry>>,
}

static SINK: Mutex<Option<Sink>> = Mutex::new(None);

const UNREAD: u8 = 0;
const CLOSED: u8 = 1;
const OPEN: u8 = 2;

/// Whether there is a sink.
static STATE: AtomicU8 = AtomicU8::new(UNREAD);

/// Threads that record.
static RECORDING: AtomicUsize = AtomicUsize::new(0);

thread_local!(static OWN: RefCell<Option<Vec<Arc<Entry>>>> = const { RefCell::new(None) });

fn sink() -> MutexGuard<'static, Option<Sink>> {
    SINK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The time on the clock of the trace.
pub(crate) fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Writes a trace of the process to a new file, instead of the one before.
pub(crate) fn open(path: &Path) -> io::Result<()> {
    let file = File::create(path)?;
    file.write_all_at(b"[\n]\n", 0)?;
    clock();
    *sink() = Some(Sink { file, at: 1, tracks: HashMap::new(), threads: 0, kept: VecDeque::new() });
    STATE.store(OPEN, Ordering::Release);
    Ok(())
}

/// Ends the trace of the process.
pub(crate) fn close() {
    STATE.store(CLOSED, Ordering::Release);
    *sink() = None;
}

/// Opens the file that the environment names, once.
fn open_configured() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        let opened = settings::get().trace.as_ref().map(|path| open(path).map_err(|why| (path, why)));
        match opened {
            Some(Ok(())) => {}
            Some(Err((path, why))) => {
                tell(&format!("CANN_STUBS_TRACE={} cannot be written: {why}", path.display()));
                STATE.store(CLOSED, Ordering::Release);
            }
            None => STATE.store(CLOSED, Ordering::Release),
        }
    });
}

/// Returns whether anybody wants records.
#[inline]
pub(crate) fn is_on() -> bool {
    let is_off = STATE.load(Ordering::Relaxed) == CLOSED && RECORDING.load(Ordering::Relaxed) == 0;
    !is_off && is_on_here()
}

#[cold]
fn is_on_here() -> bool {
    if STATE.load(Ordering::Relaxed) == UNREAD {
        open_configured();
    }
    STATE.load(Ordering::Relaxed) == OPEN
        || RECORDING.load(Ordering::Relaxed) > 0
            && OWN.try_with(|own| own.borrow().is_some()).unwrap_or(false)
}

/// Makes a record of work that is about to be queued on a stream, if anybody wants one; the work then runs by it.
#[inline(never)]
pub(crate) fn queued(
    (device, stream): (i32, i32),
    function: &'static str,
    details: impl FnOnce() -> Details,
) -> Option<Queued> {
    is_on().then(|| Queued(noted(function, Track::Stream { device, stream }, details())))
}

/// A record of queued work, which notes the times at which the work runs.
pub(crate) struct Queued(Arc<Entry>);

impl Queued {
    pub(crate) fn run(&self, work: impl FnOnce() -> Result) -> Result {
        self.0.timed(work)
    }

    /// Notes that the work ran since `begin`, and whether it succeeded.
    pub(crate) fn ran(&self, begin: Duration, succeeded: bool) {
        self.0.ran(begin, succeeded);
    }
}

/// Runs what the host does at once, and makes a record of it if anybody wants one.
pub(crate) fn at_once(
    function: &'static str,
    details: impl FnOnce() -> Details,
    body: impl FnOnce() -> Result,
) -> Result {
    if is_on() { noted(function, Track::Host(thread::current().id()), details()).timed(body) } else { body() }
}

fn noted(function: &'static str, track: Track, details: Details) -> Arc<Entry> {
    let Details { kernels, operands, bytes, rank } = details;
    let (stream, device) = match track {
        Track::Stream { device, stream } => (Some(stream), device),
        Track::Host(_) => (None, -1),
    };
    let record = Record { function, kernels, stream, device, operands, bytes, rank, time: None };
    let entry = Arc::new(Entry { record, track, time: OnceLock::new() });
    let _ = OWN.try_with(|own| {
        if let Some(own) = own.borrow_mut().as_mut() {
            own.push(Arc::clone(&entry));
        }
    });
    entry
}

impl Entry {
    fn timed(self: &Arc<Self>, work: impl FnOnce() -> Result) -> Result {
        let begin = clock();
        let outcome = work();
        self.ran(begin, outcome.is_ok());
        outcome
    }

    fn ran(self: &Arc<Self>, begin: Duration, succeeded: bool) {
        let _ = self.time.set((begin, clock().saturating_sub(begin)));
        if STATE.load(Ordering::Acquire) == OPEN
            && let Some(sink) = sink().as_mut()
        {
            sink.add(self, succeeded);
        }
    }
}

impl Sink {
    fn add(&mut self, entry: &Arc<Entry>, succeeded: bool) {
        let mut text = String::new();
        let track = self.number(entry.track, &mut text);
        let _ = write!(text, ",\n{}", event(&entry.record(), (entry.track.process(), track), succeeded));
        // The first event has nothing before it.
        let text = if self.at == 1 { text.trim_start_matches(',') } else { &text };
        let written = self.file.write_all_at(format!("{text}\n]\n").as_bytes(), self.at);
        // A disk that is full ends the trace where it is; the program goes on.
        if written.is_ok() {
            self.at += text.len() as u64;
        }
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(Arc::clone(entry));
    }

    /// The number of a track; a new one gets its names into `text` first.
    fn number(&mut self, track: Track, text: &mut String) -> u64 {
        let next = FIRST_TRACK + self.tracks.len() as u64;
        let number = *self.tracks.entry(track).or_insert(next);
        if number == next {
            let thread = match track {
                Track::Stream { stream, .. } => format!("stream {stream}"),
                Track::Host(_) => {
                    self.threads += 1;
                    format!("thread {}", self.threads)
                }
            };
            for (what, name) in [("process_name", track.process_name()), ("thread_name", thread)] {
                let _ = write!(
                    text,
                    ",\n{{\"ph\":\"M\",\"name\":\"{what}\",\"pid\":{},\"tid\":{number},\
                     \"args\":{{\"name\":\"{name}\"}}}}",
                    track.process()
                );
            }
        }
        number
    }
}

/// A record as a Chrome trace event. The texts in it are names of functions and parameters, which need no escapes.
fn event(record: &Record, (process, track): (i64, u64), succeeded: bool) -> String {
    let (begin, duration) = record.time.unwrap_or_default();
    let micros = |time: Duration| time.as_nanos() as f64 / 1e3;
    let operands: Vec<String> = record
        .operands
        .iter()
        .map(|operand| {
            let dtype = operand.dtype.map_or("?", |dtype| dtype.short_name());
            format!("\"{}\":\"{dtype}{:?}\"", operand.name, operand.shape)
        })
        .collect();
    let rank =
        record.rank.map_or_else(String::new, |(rank, ranks)| format!(",\"rank\":\"{rank} of {ranks}\""));
    format!(
        "{{\"ph\":\"X\",\"name\":\"{}\",\"cat\":\"emulator\",\"pid\":{process},\"tid\":{track},\"ts\":{:.3},\"dur\":{:.3},\
         \"args\":{{\"kernels\":\"{}\",\"bytes\":{},\"succeeded\":{succeeded},\"operands\":{{{}}}{rank}}}}}",
        record.function,
        micros(begin),
        micros(duration),
        record.kernels.join(" "),
        record.bytes,
        operands.join(",")
    )
}

/// Runs `body` and returns a record of each piece of work that this thread submitted in the meantime.
pub(crate) fn record(body: impl FnOnce()) -> Vec<Record> {
    /// Ends the recording also when the body panics.
    struct Recording(Option<Vec<Arc<Entry>>>);
    impl Drop for Recording {
        fn drop(&mut self) {
            RECORDING.fetch_sub(1, Ordering::Relaxed);
            let outer = self.0.take();
            let _ = OWN.try_with(|own| own.replace(outer));
        }
    }
    RECORDING.fetch_add(1, Ordering::Relaxed);
    let mut recording = Recording(OWN.replace(Some(Vec::new())));
    body();
    let own = OWN.take().unwrap_or_default();
    if let Some(outer) = recording.0.as_mut() {
        outer.extend(own.iter().cloned());
    }
    own.iter().map(|entry| entry.record()).collect()
}

/// The latest records of the process, while a trace is written.
pub(crate) fn kept() -> Vec<Record> {
    sink().as_ref().map(|sink| sink.kept.iter().map(|entry| entry.record()).collect()).unwrap_or_default()
}
