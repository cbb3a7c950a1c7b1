//! What ran: every piece of work with its stream, operands, bytes and times.
//!
//! A record is made when work is submitted and gets its times when the work runs. It goes to whoever records on the
//! submitting thread, and into the file that the environment names: an array of Chrome trace events, complete after
//! every event, which trace viewers open.

use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use aclnn_numerics::DType;

use crate::config;
use crate::runtime::stream::Stream;
use crate::runtime::work::Work;
use crate::status::Result;

/// One piece of work: a launched operator, a copy, a fill, or a function of the host.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Record {
    /// The C function that submitted it, such as `aclnnAdd`.
    pub function: &'static str,
    /// What is computed, step by step; the steps of one operator run in one pass.
    pub kernels: Vec<&'static str>,
    /// The number of the stream as `aclrtStreamGetId` tells it; `None` for what the host did at once.
    pub stream: Option<i32>,
    /// The number of the device; -1 for what the host did at once.
    pub device: i32,
    /// The tensors.
    pub operands: Vec<Operand>,
    /// Bytes read and written.
    pub bytes: usize,
    /// When it began, on the clock of the trace, and how long it took; `None` when it has not run.
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

/// What work says about itself when it is submitted.
#[derive(Default)]
pub(crate) struct Details {
    pub(crate) kernels: Vec<&'static str>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) bytes: usize,
}

/// A record whose times come later.
struct Entry {
    record: Record,
    time: OnceLock<(Duration, Duration)>,
}

impl Entry {
    fn record(&self) -> Record {
        Record { time: self.time.get().copied(), ..self.record.clone() }
    }
}

/// Records that a file's trace keeps for `control::trace`.
const KEPT: usize = 10_000;

/// A trace of the whole process.
struct Sink {
    file: File,
    /// Where the next event goes: before the end of the array.
    at: u64,
    /// Devices and streams that have a name.
    named: HashSet<(i32, i32)>,
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

fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Writes a trace of the process to a new file, instead of the one before.
pub(crate) fn open(path: &Path) -> io::Result<()> {
    let file = File::create(path)?;
    file.write_all_at(b"[\n]\n", 0)?;
    clock();
    *sink() = Some(Sink { file, at: 1, named: HashSet::new(), kept: VecDeque::new() });
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
        let opened = config::get().trace.as_ref().map(|path| open(path).map_err(|why| (path, why)));
        match opened {
            Some(Ok(())) => {}
            Some(Err((path, why))) => {
                eprintln!("cann-stubs: CANN_STUBS_TRACE={} cannot be written: {why}", path.display());
                STATE.store(CLOSED, Ordering::Release);
            }
            None => STATE.store(CLOSED, Ordering::Release),
        }
    });
}

fn is_on() -> bool {
    if STATE.load(Ordering::Relaxed) == UNREAD {
        open_configured();
    }
    STATE.load(Ordering::Relaxed) == OPEN
        || RECORDING.load(Ordering::Relaxed) > 0
            && OWN.try_with(|own| own.borrow().is_some()).unwrap_or(false)
}

/// Makes a record of work that is about to be submitted, if anybody wants one; the work then notes its times.
pub(crate) fn observed(
    stream: &Stream,
    function: &'static str,
    details: impl FnOnce() -> Details,
    work: Work,
) -> Work {
    if !is_on() {
        return work;
    }
    let entry = noted(function, Some(stream.id()), stream.device, details());
    Box::new(move || entry.timed(|| work.run())).into()
}

/// Runs what the host does at once, and makes a record of it if anybody wants one.
pub(crate) fn at_once(
    function: &'static str,
    details: impl FnOnce() -> Details,
    body: impl FnOnce() -> Result,
) -> Result {
    if is_on() { noted(function, None, -1, details()).timed(body) } else { body() }
}

fn noted(function: &'static str, stream: Option<i32>, device: i32, details: Details) -> Arc<Entry> {
    let Details { kernels, operands, bytes } = details;
    let record = Record { function, kernels, stream, device, operands, bytes, time: None };
    let entry = Arc::new(Entry { record, time: OnceLock::new() });
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
        let _ = self.time.set((begin, clock().saturating_sub(begin)));
        if STATE.load(Ordering::Acquire) == OPEN
            && let Some(sink) = sink().as_mut()
        {
            sink.add(self, outcome.is_ok());
        }
        outcome
    }
}

impl Sink {
    fn add(&mut self, entry: &Arc<Entry>, succeeded: bool) {
        let mut text = String::new();
        let record = &entry.record;
        let track = (record.device, record.stream.unwrap_or(-1));
        if self.named.insert(track) {
            let (device, stream) = track;
            let process = if device < 0 { "host".to_owned() } else { format!("device {device}") };
            let thread = if stream < 0 { "at once".to_owned() } else { format!("stream {stream}") };
            for (what, name) in [("process_name", process), ("thread_name", thread)] {
                let _ = write!(
                    text,
                    ",\n{{\"ph\":\"M\",\"name\":\"{what}\",\"pid\":{device},\"tid\":{stream},\
                     \"args\":{{\"name\":\"{name}\"}}}}"
                );
            }
        }
        let _ = write!(text, ",\n{}", event(&entry.record(), succeeded));
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
}

/// A record as a Chrome trace event. The texts in it are names of functions and parameters, which need no escapes.
fn event(record: &Record, succeeded: bool) -> String {
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
    format!(
        "{{\"ph\":\"X\",\"name\":\"{}\",\"cat\":\"emulator\",\"pid\":{},\"tid\":{},\"ts\":{:.3},\"dur\":{:.3},\
         \"args\":{{\"kernels\":\"{}\",\"bytes\":{},\"succeeded\":{succeeded},\"operands\":{{{}}}}}}}",
        record.function,
        record.device,
        record.stream.unwrap_or(-1),
        micros(begin),
        micros(duration),
        record.kernels.join(" "),
        record.bytes,
        operands.join(",")
    )
}

/// Runs `body`; gives a record of what this thread submitted meanwhile.
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
