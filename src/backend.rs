//! The libraries that serve this process: which they are, why, and what was tried.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{env, fmt, ptr};

use aclnn_sys::{
    ACL_ERROR_COMPILING_STUB_MODE, ACL_ERROR_REPEAT_INITIALIZE, ACL_SUCCESS, Attempt, Collectives,
    Environment, Meta, NotFound, Operators, Runtime, SymbolSource, Toolkit,
};
use once_cell::sync::OnceCell;

use crate::acl::Acl;
use crate::error::{Error, Result};
use crate::fork;
use crate::trace;

/// The kind of libraries that serve.
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
/// `ACLNN_BACKEND` chooses them: `auto` (the default) takes the first CANN that opens, initialises and sees a device,
/// and the embedded emulator if there is none; `cann` fails where `auto` would take the embedded emulator; `emulator`
/// takes the embedded emulator. Case is ignored in these words. Any other value is the path of a toolkit or of a
/// directory of libraries. All libraries come from one directory: libraries of two CANN installations are never mixed.
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
    acl: Acl,
    meta: Meta,
    operators: Operators,
    source: Arc<dyn SymbolSource>,
    synchronous: bool,
    reuses: bool,
    start: Mutex<Start>,
}

/// How this crate has initialised the runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Not yet, or no longer.
    Not,
    First,
    /// Other code had initialised it before.
    Joined,
}

/// The reason why no CANN serves.
struct Unusable {
    reason: String,
    cause: NotFound,
}

static BACKEND: OnceCell<Backend> = OnceCell::new();

/// The directory of a toolkit at the time when this crate was built.
const RECORDED: Option<&str> = option_env!("ACLNN_RECORDED_CANN");

/// The request in `ACLNN_BACKEND`.
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
    /// Returns the libraries that serve. The first call finds and initialises them.
    ///
    /// # Errors
    /// [`Error::NotFound`] with everything that was tried, [`Error::NoEmulator`], or what the initialisation returned;
    /// the next call tries again. [`Error::Forked`] in a process that was forked after the first call.
    #[doc(alias = "aclInit")]
    pub fn get() -> Result<&'static Backend> {
        fork::check()?;
        let mut is_new = false;
        let backend = BACKEND.get_or_try_init(|| {
            fork::watch_forks();
            let chosen = Self::choose()?;
            is_new = true;
            Ok::<_, Error>(chosen)
        })?;
        // Not earlier: the subscriber that is told may call this function too.
        if is_new {
            trace::chosen(backend);
        }
        backend.initialise()?;
        Ok(backend)
    }

    /// Returns the libraries, if they were chosen already.
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
                // SAFETY: the user of the process states that CANN lies at this path, so the libraries there are CANN's
                // or stand in for them.
                let toolkit = unsafe { Toolkit::open(path, &Environment::of_process()) };
                let toolkit =
                    toolkit.map_err(|cause| Error::NotFound { requested: request.to_string(), cause })?;
                let backend = Self::of_toolkit(&toolkit, &request);
                backend.initialise()?;
                Ok(backend)
            }
        }
    }

    /// Returns the first CANN that initialises and sees a device.
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
        // SAFETY: the user of the process lets CANN be searched for, so libraries with CANN's names are CANN's or stand
        // in for them. Refused libraries were ended, and only text about them remains.
        let found =
            unsafe { Toolkit::find_with(&Environment::of_process(), RECORDED.map(Path::new), accept) };
        found.map_err(|cause| {
            let none = || format!("no CANN was found ({} places tried)", cause.tried.len());
            Unusable { reason: reason.unwrap_or_else(none), cause }
        })
    }

    /// Initialises the runtime and counts the devices. On failure, ends the runtime again and returns the reason.
    fn sees_devices(&self) -> Result<(), String> {
        self.initialise().map_err(|error| match error.code() {
            Some(ACL_ERROR_COMPILING_STUB_MODE) => {
                "it holds stand-ins for linking, as there is no driver".to_owned()
            }
            _ => error.to_string(),
        })?;
        let why = match self.acl.device_count() {
            Ok(0) => "it sees no device".to_owned(),
            Ok(_) => return Ok(()),
            Err(error) => format!("it does not count its devices: {error}"),
        };
        // Only the missing device matters here, not whether the end succeeds.
        let _ = self.end();
        Err(why)
    }

    fn of_toolkit(toolkit: &Toolkit, request: &Request) -> Backend {
        let acl = Acl::new(Runtime::load(&*toolkit.runtime), toolkit.collectives.clone());
        let kind = if acl.is_emulated() { BackendKind::DropIn } else { BackendKind::Cann };
        let why = match request {
            Request::Directory(_) => "as ACLNN_BACKEND asks".to_owned(),
            _ => format!("found by {}", toolkit.origin),
        };
        let reason = format!("{}, {why}", toolkit.directory.display());
        let (meta, tried) = (Meta::load(&*toolkit.meta), toolkit.tried.clone());
        Self::new(kind, reason, tried, acl, meta, toolkit.operators.clone())
    }

    #[cfg(all(feature = "emulator", target_os = "linux", target_pointer_width = "64"))]
    fn embedded(_: &Request, reason: String, tried: Vec<Attempt>) -> Result<Backend> {
        let source: Arc<dyn SymbolSource> = Arc::new(cann_stubs::source());
        let (acl, meta) = (Acl::new(Runtime::load(&*source), source.clone()), Meta::load(&*source));
        let backend = Self::new(BackendKind::Emulator, reason, tried, acl, meta, source);
        backend.initialise()?;
        Ok(backend)
    }

    #[cfg(not(all(feature = "emulator", target_os = "linux", target_pointer_width = "64")))]
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
        acl: Acl,
        meta: Meta,
        source: Arc<dyn SymbolSource>,
    ) -> Self {
        let synchronous = env::var_os("ACLNN_SYNC").is_some_and(|value| !value.is_empty() && value != "0");
        let reuses = env::var_os("ACLNN_REUSE").is_none_or(|value| value != "0");
        let operators = Operators::load(&*source);
        let start = Mutex::new(Start::Not);
        Self { kind, reason, tried, acl, meta, operators, source, synchronous, reuses, start }
    }

    fn start(&self) -> MutexGuard<'_, Start> {
        self.start.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Initialises the runtime, unless it is initialised already.
    pub(crate) fn initialise(&self) -> Result<()> {
        let mut start = self.start();
        if *start != Start::Not {
            return Ok(());
        }
        // SAFETY: without a configuration.
        *start = match unsafe { self.acl.runtime().aclInit(ptr::null())? } {
            ACL_SUCCESS => Start::First,
            ACL_ERROR_REPEAT_INITIALIZE => Start::Joined,
            code => return Err(self.acl.failed("aclInit", Some(code)).into()),
        };
        Ok(())
    }

    /// Undoes the initialisation by this crate, if there was one.
    pub(crate) fn end(&self) -> Result<()> {
        let mut start = self.start();
        let before = std::mem::replace(&mut *start, Start::Not);
        if before == Start::Not {
            return Ok(());
        }
        // SAFETY: the pointer for the remaining count may be null.
        match unsafe { self.acl.runtime().aclFinalizeReference(ptr::null_mut()) } {
            // Before 8.5 the runtime ends for the whole process at once. Code that found it initialised must not end
            // it.
            Err(_) if before == Start::Joined => Ok(()),
            // SAFETY: no arguments.
            Err(_) => self.acl.check("aclFinalize", unsafe { self.acl.runtime().aclFinalize() }),
            code => self.acl.check("aclFinalizeReference", code),
        }
    }

    /// Returns the kind of libraries that serve.
    pub fn kind(&self) -> BackendKind {
        self.kind
    }

    /// Returns one line that says which libraries serve and why.
    pub fn describe(&self) -> String {
        let reason = &self.reason;
        match self.kind {
            BackendKind::Cann => format!("CANN in {reason}"),
            BackendKind::DropIn => format!("the emulator's drop-in libraries in {reason}"),
            BackendKind::Emulator => format!("the embedded emulator on the CPU: {reason}"),
        }
    }

    /// Returns everything that was tried, in order.
    pub fn tried(&self) -> &[Attempt] {
        &self.tried
    }

    /// Returns the functions of the runtime.
    pub fn runtime(&self) -> &Runtime {
        self.acl.runtime()
    }

    /// Returns the functions of the runtime, with their codes as errors.
    #[inline]
    pub(crate) fn acl(&self) -> &Acl {
        &self.acl
    }

    /// Returns the functions that describe operands.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Returns the operators.
    pub fn operators(&self) -> &Operators {
        &self.operators
    }

    /// Returns the functions of collectives. The first call opens their libraries; a function that they lack, or all of
    /// them if there is no such library, is refused when it is called.
    pub fn collectives(&self) -> &Collectives {
        self.acl.collectives()
    }

    /// Returns the source of operators, for loading one more with [`operator!`](aclnn_sys::operator).
    pub fn operator_source(&self) -> &dyn SymbolSource {
        &*self.source
    }

    /// Returns whether `ACLNN_SYNC` asks to synchronise after every operator.
    pub(crate) fn is_synchronous(&self) -> bool {
        self.synchronous
    }

    /// Returns whether executors are kept for the next call of the same kind; `ACLNN_REUSE` may forbid it.
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
    /// Returns the embedded emulator as a release that lacks one function of the runtime.
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
        let (acl, meta) = (Acl::new(Runtime::load(&*source), source.clone()), Meta::load(&*source));
        let (kind, reason) = (BackendKind::Emulator, format!("without {function}"));
        let backend = Box::leak(Box::new(Self::new(kind, reason, Vec::new(), acl, meta, source)));
        backend.initialise()?;
        Ok(backend)
    }
}
