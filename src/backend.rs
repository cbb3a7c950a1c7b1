//! Which libraries serve, why, and what was tried.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fmt, ptr};

use aclnn_sys::{
    ACL_ERROR_COMPILING_STUB_MODE, ACL_ERROR_REPEAT_INITIALIZE, ACL_SUCCESS, Attempt, Environment, Meta,
    NotFound, Operators, Runtime, SymbolSource, Toolkit,
};
use once_cell::sync::OnceCell;

use crate::acl;
use crate::error::{Error, Failure, Result};
use crate::process;

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
/// `ACLNN_BACKEND` says which: `auto` (the default) takes CANN where it is installed and sees a device, the embedded
/// emulator elsewhere; `cann` fails where `auto` would take the embedded emulator; `emulator` takes the embedded one, in
/// capitals or not; anything else is the path of a toolkit or of a directory of libraries.
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
        BACKEND.get_or_try_init(|| {
            process::watch_forks();
            let request = Request::of_process();
            match &request {
                Request::Auto => Self::auto(&request),
                Request::Cann => {
                    let toolkit = find().map_err(|cause| not_found(&request, cause))?;
                    Self::of_toolkit(toolkit, &request)?.initialised()
                }
                Request::Emulator => Self::embedded(&request, "ACLNN_BACKEND asks for it".into(), Vec::new()),
                Request::Directory(path) => {
                    let toolkit = Toolkit::open(path, &Environment::of_process());
                    Self::of_toolkit(toolkit.map_err(|cause| not_found(&request, cause))?, &request)?
                        .initialised()
                }
            }
        })
    }

    /// CANN where it is installed and sees a device, the emulator elsewhere.
    fn auto(request: &Request) -> Result<Backend> {
        let toolkit = match find() {
            Ok(toolkit) => toolkit,
            Err(NotFound { tried }) => {
                return Self::embedded(
                    request,
                    format!("no CANN was found ({} places tried)", tried.len()),
                    tried,
                );
            }
        };
        let directory = toolkit.directory.display().to_string();
        let tried = toolkit.tried.clone();
        let found = Self::of_toolkit(toolkit, request)?;
        match found.initialised() {
            Ok(cann) => match acl::device_count(&cann) {
                Ok(0) => Self::embedded(request, format!("CANN in {directory} sees no device"), cann.tried),
                Ok(_) => Ok(cann),
                Err(why) => {
                    Self::embedded(request, format!("CANN in {directory} sees no device ({why})"), cann.tried)
                }
            },
            Err(Error::Library(failure)) if failure.code == Some(ACL_ERROR_COMPILING_STUB_MODE) => {
                let reason = format!("{directory} holds stand-ins for linking: there is no driver");
                Self::embedded(request, reason, tried)
            }
            Err(error) => Err(error),
        }
    }

    fn of_toolkit(toolkit: Toolkit, request: &Request) -> Result<Backend> {
        let Toolkit { runtime, meta, operators, directory, tried } = toolkit;
        let runtime = Runtime::load(&*runtime);
        let kind = if acl::is_emulated(&runtime) { BackendKind::DropIn } else { BackendKind::Cann };
        let origin = tried.iter().rfind(|attempt| attempt.error.is_none()).map(|attempt| attempt.origin);
        let why = match (request, origin) {
            (Request::Auto | Request::Cann, Some(origin)) => format!(", found by {origin}"),
            (Request::Directory(_), _) => ", as ACLNN_BACKEND asks".to_owned(),
            _ => String::new(),
        };
        let reason = format!("{}{why}", directory.display());
        Ok(Self::new(kind, reason, tried, runtime, Meta::load(&*meta), operators))
    }

    #[cfg(feature = "emulator")]
    fn embedded(_: &Request, reason: String, tried: Vec<Attempt>) -> Result<Backend> {
        let source: Arc<dyn SymbolSource> = Arc::new(cann_stubs::source());
        let (runtime, meta) = (Runtime::load(&*source), Meta::load(&*source));
        Self::new(BackendKind::Emulator, reason, tried, runtime, meta, source).initialised()
    }

    #[cfg(not(feature = "emulator"))]
    fn embedded(request: &Request, reason: String, tried: Vec<Attempt>) -> Result<Backend> {
        Err(match request {
            Request::Auto if tried.iter().all(|attempt| attempt.error.is_some()) => {
                not_found(request, NotFound { tried })
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
        Self { kind, reason, tried, runtime, meta, operators, source, synchronous, reuses }
    }

    /// Initialises the runtime. It is never ended: other parts of the process may use it.
    fn initialised(self) -> Result<Self> {
        // SAFETY: without a configuration.
        let code = unsafe { self.runtime.aclInit(ptr::null())? };
        match code {
            ACL_SUCCESS | ACL_ERROR_REPEAT_INITIALIZE => Ok(self),
            code => {
                let message = acl::recent_message(&self.runtime);
                Err(Failure { function: "aclInit", code: Some(code), message }.into())
            }
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

    /// Whether executors are kept for the next call of the same kind, unless `ACLNN_REUSE` forbids it.
    pub(crate) fn reuses_executors(&self) -> bool {
        self.reuses
    }
}

fn find() -> Result<Toolkit, NotFound> {
    Toolkit::find(&Environment::of_process(), RECORDED.map(Path::new))
}

fn not_found(request: &Request, cause: NotFound) -> Error {
    Error::NotFound { requested: request.to_string(), cause }
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
