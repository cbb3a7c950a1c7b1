//! Which libraries serve, why, and what was tried.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{env, fmt, ptr};

use aclnn_sys::{
    ACL_ERROR_COMPILING_STUB_MODE, ACL_ERROR_REPEAT_INITIALIZE, ACL_SUCCESS, Attempt, Environment, Meta,
    NotFound, Operators, Runtime, SymbolSource, Toolkit,
};
use once_cell::sync::OnceCell;

use crate::acl;
use crate::error::{Error, Result};
use crate::process;
use crate::trace;

/// What kind of libraries serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BackendKind {
    /// CANN: operators run on NPUs.
    Cann,
    /// The emulator's libraries in place of CANN's: operators run on the CPU.
    DropIn,
    /// The emulator in this program: operators run on the CPU.
    Emulator,
}

/// The libraries that serve this process. They are chosen and initialised once, at the first use.
///
/// `ACLNN_BACKEND` says which: `auto` (the default) takes the first CANN that opens, initialises and sees a device, the
/// embedded emulator where there is none; `cann` fails where `auto` would take the embedded emulator; `emulator` takes the
/// embedded one, in capitals or not; anything else is the path of a toolkit or of a directory of libraries. All libraries
/// come from one directory: those of a CANN that does not serve are not used beside those of another.
///
/// ```
/// let backend = aclnn::Backend::get()?;
/// println!("{backend}");
/// # Ok::<(), aclnn::Error>(())
/// ```
pub struct Backend {
    kind: BackendKind,
    reason: String,
    tried: Vec<Attempt>,
    runtime: Runtime,
    meta: Meta,
    operators: Operators,
    source: Arc<dyn SymbolSource>,
    synchronous: bool,
    reuses: bool,
    extended_events: bool,
    start: Mutex<Start>,
}

/// Whether this crate has initialised the runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Not yet, or not any more.
    Not,
    First,
    /// Somebody else had done it before.
    Joined,
}

/// Why no CANN serves.
struct Unusable {
    reason: String,
    cause: NotFound,
}

static BACKEND: OnceCell<Backend> = OnceCell::new();

/// Where a toolkit stood when this crate was built.
const RECORDED: Option<&str> = option_env!("ACLNN_RECORDED_CANN");

/// What `ACLNN_BACKEND` asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Request {
    Auto,
    Cann,
    Emulator,
    Directory(PathBuf),
}

impl Request {
    fn of_process() -> Self {
        let value = env::var_os("ACLNN_BACKEND").unwrap_or_default();
        match value.to_str().map(str::to_ascii_lowercase).as_deref() {
            Some("" | "auto") => Request::Auto,
            Some("cann") => Request::Cann,
            Some("emulator") => Request::Emulator,
            _ => Request::Directory(value.into()),
        }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::Auto => f.write_str("auto"),
            Request::Cann => f.write_str("cann"),
            Request::Emulator => f.write_str("emulator"),
            Request::Directory(path) => path.display().fmt(f),
        }
    }
}

impl Backend {
    /// The libraries that serve; the first call finds and initialises them.
    ///
    /// # Errors
    /// [`Error::NotFound`] with everything that was tried, [`Error::NoEmulator`], or what the initialisation returned:
    /// the next call tries again. [`Error::Forked`] in a process that was forked after the first call.
    #[doc(alias = "aclInit")]
    pub fn get() -> Result<&'static Backend> {
        process::check()?;
        let mut is_new = false;
        let backend = BACKEND.get_or_try_init(|| {
            process::watch_forks();
            let chosen = Self::choose()?;
            is_new = true;
            Ok::<_, Error>(chosen)
        })?;
        // Not before: who is told may ask for the libraries too.
        if is_new {
            trace::chosen(backend);
        }
        backend.initialise()?;
        Ok(backend)
    }

    /// The libraries, if they were chosen.
    pub(crate) fn chosen() -> Option<&'static Backend> {
        BACKEND.get()
    }

    fn choose() -> Result<Backend> {
        let request = Request::of_process();
        match &request {
            Request::Auto => Self::usable(&request)
                .or_else(|Unusable { reason, cause }| Self::embedded(&request, reason, cause.tried)),
            Request::Cann => Self::usable(&request)
                .map_err(|Unusable { cause, .. }| Error::NotFound { requested: request.to_string(), cause }),
            Request::Emulator => Self::embedded(&request, "ACLNN_BACKEND asks for it".into(), Vec::new()),
            Request::Directory(path) => {
                // SAFETY: what lies where the user of the process says that CANN lies is CANN, or stands in for it.
                let toolkit = unsafe { Toolkit::open(path, &Environment::of_process()) };
                let toolkit =
                    toolkit.map_err(|cause| Error::NotFound { requested: request.to_string(), cause })?;
                let backend = Self::of_toolkit(&toolkit, &request);
                backend.initialise()?;
                Ok(backend)
            }
        }
    }

    /// The first CANN that initialises and sees a device.
    fn usable(request: &Request) -> Result<Backend, Unusable> {
        let mut reason = None;
        let accept = |toolkit: &Toolkit| {
            let backend = Self::of_toolkit(toolkit, request);
            let directory = toolkit.directory.display();
            backend.sees_devices().map(|()| backend).inspect_err(|why| {
                // The first is the one that the user expects to serve.
                reason.get_or_insert_with(|| format!("CANN in {directory} does not serve: {why}"));
            })
        };
        // SAFETY: what goes by CANN's names where the user of the process lets CANN be looked for is CANN's, or stands in
        // for it. What is refused was ended, and all that is left of it is text.
        let found =
            unsafe { Toolkit::find_with(&Environment::of_process(), RECORDED.map(Path::new), accept) };
        found.map_err(|cause| {
            let none = || format!("no CANN was found ({} places tried)", cause.tried.len());
            Unusable { reason: reason.unwrap_or_else(none), cause }
        })
    }

    /// Initialises the runtime and counts the devices. Says why it does not serve, and ends it then.
    fn sees_devices(&self) -> Result<(), String> {
        self.initialise().map_err(|error| match error.code() {
            Some(ACL_ERROR_COMPILING_STUB_MODE) => {
                "it holds stand-ins for linking, as there is no driver".to_owned()
            }
            _ => error.to_string(),
        })?;
        let why = match acl::device_count(self) {
            Ok(0) => "it sees no device".to_owned(),
            Ok(_) => return Ok(()),
            Err(error) => format!("it does not count its devices: {error}"),
        };
        // That it sees no device is what counts.
        let _ = self.end();
        Err(why)
    }

    fn of_toolkit(toolkit: &Toolkit, request: &Request) -> Backend {
        let runtime = Runtime::load(&*toolkit.runtime);
        let kind = if acl::is_emulated(&runtime) { BackendKind::DropIn } else { BackendKind::Cann };
        let why = match request {
            Request::Directory(_) => "as ACLNN_BACKEND asks".to_owned(),
            _ => format!("found by {}", toolkit.origin),
        };
        let reason = format!("{}, {why}", toolkit.directory.display());
        let (meta, tried) = (Meta::load(&*toolkit.meta), toolkit.tried.clone());
        Self::new(kind, reason, tried, runtime, meta, toolkit.operators.clone())
    }

    #[cfg(feature = "emulator")]
    fn embedded(_: &Request, reason: String, tried: Vec<Attempt>) -> Result<Backend> {
        let source: Arc<dyn SymbolSource> = Arc::new(cann_stubs::source());
        let (runtime, meta) = (Runtime::load(&*source), Meta::load(&*source));
        let backend = Self::new(BackendKind::Emulator, reason, tried, runtime, meta, source);
        backend.initialise()?;
        Ok(backend)
    }

    #[cfg(not(feature = "emulator"))]
    fn embedded(request: &Request, reason: String, tried: Vec<Attempt>) -> Result<Backend> {
        Err(match request {
            Request::Auto if tried.iter().all(|attempt| attempt.error.is_some()) => {
                Error::NotFound { requested: request.to_string(), cause: NotFound { tried } }
            }
            _ => Error::NoEmulator { requested: request.to_string(), reason, tried },
        })
    }

    fn new(
        kind: BackendKind,
        reason: String,
        tried: Vec<Attempt>,
        runtime: Runtime,
        meta: Meta,
        source: Arc<dyn SymbolSource>,
    ) -> Self {
        let synchronous = env::var_os("ACLNN_SYNC").is_some_and(|value| !value.is_empty() && value != "0");
        let reuses = env::var_os("ACLNN_REUSE").is_none_or(|value| value != "0");
        let operators = Operators::load(&*source);
        let extended_events = !runtime.missing().any(|lack| lack.symbol == "aclrtCreateEventExWithFlag");
        let start = Mutex::new(Start::Not);
        Self {
            kind,
            reason,
            tried,
            runtime,
            meta,
            operators,
            source,
            synchronous,
            reuses,
            extended_events,
            start,
        }
    }

    fn start(&self) -> MutexGuard<'_, Start> {
        self.start.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Initialises the runtime, if that has not been done or was undone.
    pub(crate) fn initialise(&self) -> Result<()> {
        let mut start = self.start();
        if *start != Start::Not {
            return Ok(());
        }
        // SAFETY: without a configuration.
        *start = match unsafe { self.runtime.aclInit(ptr::null())? } {
            ACL_SUCCESS => Start::First,
            ACL_ERROR_REPEAT_INITIALIZE => Start::Joined,
            code => return Err(acl::failed(self, "aclInit", Some(code)).into()),
        };
        Ok(())
    }

    /// Undoes the initialisation, as far as it is that of this crate.
    pub(crate) fn end(&self) -> Result<()> {
        let mut start = self.start();
        let before = std::mem::replace(&mut *start, Start::Not);
        if before == Start::Not {
            return Ok(());
        }
        // SAFETY: the place for the number of those that are left may be missing.
        match unsafe { self.runtime.aclFinalizeReference(ptr::null_mut()) } {
            // Before 8.5 the runtime ends for everybody at once: who found it initialised leaves that to others.
            Err(_) if before == Start::Joined => Ok(()),
            // SAFETY: no arguments.
            Err(_) => acl::check(self, "aclFinalize", unsafe { self.runtime.aclFinalize() }),
            code => acl::check(self, "aclFinalizeReference", code),
        }
    }

    /// What kind of libraries serve.
    pub fn kind(&self) -> BackendKind {
        self.kind
    }

    /// Which libraries serve and why, in one line.
    pub fn describe(&self) -> String {
        let reason = &self.reason;
        match self.kind {
            BackendKind::Cann => format!("CANN in {reason}"),
            BackendKind::DropIn => format!("the emulator's drop-in libraries in {reason}"),
            BackendKind::Emulator => format!("the embedded emulator on the CPU: {reason}"),
        }
    }

    /// Everything that was tried, in order.
    pub fn tried(&self) -> &[Attempt] {
        &self.tried
    }

    /// The functions of the runtime.
    pub fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// The functions that describe operands.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The operators.
    pub fn operators(&self) -> &Operators {
        &self.operators
    }

    /// Where operators come from, for loading one more with [`operator!`](aclnn_sys::operator).
    pub fn operator_source(&self) -> &dyn SymbolSource {
        &*self.source
    }

    /// Whether `ACLNN_SYNC` asks to synchronise after every operator.
    pub(crate) fn is_synchronous(&self) -> bool {
        self.synchronous
    }

    /// Whether the release has events that hold an id of the hardware only while they are recorded and not done.
    pub(crate) fn has_extended_events(&self) -> bool {
        self.extended_events
    }

    /// Whether executors are kept for the next call of the same kind, unless `ACLNN_REUSE` forbids it.
    pub(crate) fn reuses_executors(&self) -> bool {
        self.reuses
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Backend")
            .field("kind", &self.kind)
            .field("reason", &self.reason)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
impl Backend {
    /// The embedded emulator as a release that lacks a function of the runtime.
    pub(crate) fn without(function: &'static str) -> Result<&'static Backend> {
        struct Without(&'static str, aclnn_sys::SymbolList);

        // SAFETY: every answer is that of the emulator.
        unsafe impl SymbolSource for Without {
            fn symbol(&self, name: &str) -> Option<ptr::NonNull<std::ffi::c_void>> {
                if name == self.0 { None } else { self.1.symbol(name) }
            }

            fn describe(&self) -> String {
                self.1.describe()
            }
        }

        let source: Arc<dyn SymbolSource> = Arc::new(Without(function, cann_stubs::source()));
        let (runtime, meta) = (Runtime::load(&*source), Meta::load(&*source));
        let (kind, reason) = (BackendKind::Emulator, format!("without {function}"));
        let backend = Box::leak(Box::new(Self::new(kind, reason, Vec::new(), runtime, meta, source)));
        backend.initialise()?;
        Ok(backend)
    }
}
