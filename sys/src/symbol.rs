//! The sources of functions: libraries opened at run time, lists in the program, and chains of both.

use libloading::Library as Handle;
use std::{
    collections::HashMap,
    ffi::{OsStr, c_void},
    fmt,
    mem::ManuallyDrop,
    ptr::NonNull,
    sync::Arc,
};

/// A source of C functions, which returns the address of a function by its name.
///
/// # Safety
/// The address returned for a name is that of the C function that CANN documents under this name, and stays valid until
/// the process ends.
pub unsafe trait SymbolSource: Send + Sync {
    /// Returns the address of the function called `name`.
    fn symbol(&self, name: &str) -> Option<NonNull<c_void>>;

    /// Returns a description of the source for messages.
    fn describe(&self) -> String;
}

/// Returns a function of a source as a pointer of the type `F`.
///
/// # Safety
/// `F` is the type of a pointer to the function called `name`.
pub(crate) unsafe fn function<F: Copy>(source: &dyn SymbolSource, name: &str) -> Option<F> {
    const {
        assert!(size_of::<Option<F>>() == size_of::<Option<NonNull<c_void>>>());
        assert!(align_of::<Option<F>>() == align_of::<Option<NonNull<c_void>>>());
    }
    let address = source.symbol(name);
    // SAFETY: both are pointers that may be null, and the caller vouches for the type.
    unsafe { (&raw const address).cast::<Option<F>>().read() }
}

/// A shared library opened at run time. It is not closed when it is dropped, as pointers into it stay valid.
pub struct Library {
    name: String,
    handle: ManuallyDrop<Handle>,
}

impl Library {
    /// Opens the library at a path, or, for a bare name, the library that the dynamic linker finds.
    ///
    /// # Safety
    /// Code of the library runs when it is opened, and its functions are called with CANN's prototypes: the library is
    /// CANN's, or stands in for CANN's.
    ///
    /// # Errors
    /// The message of the dynamic linker, if the library does not open.
    pub unsafe fn open(path: impl AsRef<OsStr>) -> Result<Self, libloading::Error> {
        let path = path.as_ref();
        // SAFETY: the caller vouches for the library.
        let handle = unsafe { Handle::new(path)? };
        Ok(Self { name: path.to_string_lossy().into_owned(), handle: ManuallyDrop::new(handle) })
    }

    /// Closes the library. The dynamic linker decides what remains of it in the process.
    ///
    /// # Safety
    /// The library is closed once, and no function of it is used any more.
    pub(crate) unsafe fn close(&self) {
        // SAFETY: the value is never dropped, and the caller vouches that nobody uses it any more.
        drop(unsafe { std::ptr::read(&raw const *self.handle) });
    }

    /// Returns the path or name by which the library was opened.
    pub fn name(&self) -> &str {
        &self.name
    }
}

// SAFETY: `open` requires a library with CANN's functions, and the caller of `close` vouches that none is used any
// more.
unsafe impl SymbolSource for Library {
    fn symbol(&self, name: &str) -> Option<NonNull<c_void>> {
        // SAFETY: the address is not used here.
        let symbol = unsafe { self.handle.get::<*mut c_void>(name) }.ok()?;
        NonNull::new(*symbol)
    }

    fn describe(&self) -> String {
        self.name.clone()
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Library").field(&self.name).finish()
    }
}

/// A chain of several sources; a function comes from the first source that has it.
#[derive(Default, Clone)]
pub struct Chain(Vec<Arc<dyn SymbolSource>>);

impl Chain {
    /// Creates a chain of `sources`, the preferred one first.
    pub fn new(sources: impl IntoIterator<Item = Arc<dyn SymbolSource>>) -> Self {
        Self(sources.into_iter().collect())
    }

    /// Returns whether the chain has no sources.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

// SAFETY: every address is that of a source.
unsafe impl SymbolSource for Chain {
    fn symbol(&self, name: &str) -> Option<NonNull<c_void>> {
        self.0.iter().find_map(|source| source.symbol(name))
    }

    fn describe(&self) -> String {
        let names: Vec<String> = self.0.iter().map(|source| source.describe()).collect();
        if names.is_empty() { "no library".to_owned() } else { names.join(", ") }
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Chain").field(&self.describe()).finish()
    }
}

/// A function of this program, offered under its C name.
#[derive(Debug, Clone, Copy)]
pub struct Symbol {
    name: &'static str,
    address: *const (),
}

// SAFETY: this is the address of a function; nothing is read or written through it.
unsafe impl Send for Symbol {}
// SAFETY: as above.
unsafe impl Sync for Symbol {}

impl Symbol {
    /// Creates a symbol that offers the function at `address` as `name`.
    ///
    /// # Safety
    /// `address` is that of an `extern "C"` function with the prototype that CANN documents for `name`.
    pub const unsafe fn new(name: &'static str, address: *const ()) -> Self {
        Self { name, address }
    }

    /// Returns the C name.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// Functions of this program as a source, such as those of an emulator.
#[derive(Clone)]
pub struct SymbolList {
    name: String,
    symbols: HashMap<&'static str, Symbol>,
}

impl SymbolList {
    /// Creates a source called `name`. If two symbols have the same name, the first counts.
    pub fn new(name: impl Into<String>, symbols: impl IntoIterator<Item = Symbol>) -> Self {
        let mut by_name = HashMap::new();
        for symbol in symbols {
            by_name.entry(symbol.name).or_insert(symbol);
        }
        Self { name: name.into(), symbols: by_name }
    }
}

// SAFETY: `Symbol::new` requires what a source promises.
unsafe impl SymbolSource for SymbolList {
    fn symbol(&self, name: &str) -> Option<NonNull<c_void>> {
        NonNull::new(self.symbols.get(name)?.address.cast_mut().cast())
    }

    fn describe(&self) -> String {
        self.name.clone()
    }
}

impl fmt::Debug for SymbolList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SymbolList").field("name", &self.name).field("symbols", &self.symbols.len()).finish()
    }
}

/// An error: a library lacks a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingSymbol {
    /// The C name of the function.
    pub symbol: &'static str,
    /// The description of the source that was searched.
    pub library: String,
    /// The oldest CANN known to have the function, if not every release has it.
    pub since: Option<&'static str>,
}

impl MissingSymbol {
    /// Creates the error that `library` lacks `symbol`.
    #[cold]
    pub fn new(symbol: &'static str, library: &str) -> Self {
        Self { symbol, library: library.to_owned(), since: crate::since(symbol) }
    }
}

impl fmt::Display for MissingSymbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not in {}; ", self.symbol, self.library)?;
        match self.since {
            Some(version) => write!(f, "CANN {version} and later have it: install such a version"),
            None if self.symbol.starts_with("aclnn") => {
                write!(
                    f,
                    "install the package that holds it, beside CANN or the drop-in libraries of the emulator"
                )
            }
            None => write!(f, "check that these libraries belong to a complete CANN installation"),
        }
    }
}

impl std::error::Error for MissingSymbol {}
