//! Functions of the table: arguments, errors, and what no panic may cross.

use std::any::Any;
use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use ort_sys::stub;
use ort_sys::*;

/// Why a function fails: the code and the text that `ort` shows.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) code: OrtErrorCode,
    /// Empty for a null pointer where there must be none.
    pub(crate) message: String,
}

pub(crate) type Answer<T> = Result<T, Refusal>;

impl Refusal {
    pub(crate) fn new(code: OrtErrorCode, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into() }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Refusal {
        Refusal::new(OrtErrorCode::ORT_INVALID_ARGUMENT, message)
    }

    fn null() -> Refusal {
        Refusal::argument("")
    }

    /// Makes the status that tells of the failure of a function.
    pub(crate) fn status(self, function: &str) -> OrtStatusPtr {
        let message = match self.message.is_empty() {
            true => format!("{function} was given a null pointer"),
            // The text of a status ends with the first zero.
            false => self.message.replace('\0', "\u{fffd}"),
        };
        stub::Error::new_sys(self.code, message)
    }
}

impl From<aclnn::Error> for Refusal {
    fn from(error: aclnn::Error) -> Refusal {
        Refusal::new(OrtErrorCode::ORT_EP_FAIL, error.to_string())
    }
}

impl From<aclnn_onnx::Error> for Refusal {
    fn from(error: aclnn_onnx::Error) -> Refusal {
        use aclnn_onnx::Error;
        let code = match &error {
            Error::File { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                OrtErrorCode::ORT_NO_SUCHFILE
            }
            Error::Model { place, .. } if place == "file" => OrtErrorCode::ORT_INVALID_PROTOBUF,
            Error::Model { .. } => OrtErrorCode::ORT_INVALID_GRAPH,
            Error::NotSupported { .. } => OrtErrorCode::ORT_NOT_IMPLEMENTED,
            Error::Input { .. } | Error::Output { .. } | Error::Array(_) => {
                OrtErrorCode::ORT_INVALID_ARGUMENT
            }
            Error::Node { .. } | Error::Operator { .. } => OrtErrorCode::ORT_RUNTIME_EXCEPTION,
            Error::Device(_) => OrtErrorCode::ORT_EP_FAIL,
            _ => OrtErrorCode::ORT_FAIL,
        };
        Refusal::new(code, error.to_string())
    }
}

/// Runs the body of a function, and makes a status of what it answers. A panic becomes an error.
pub(crate) fn answer(function: &str, body: impl FnOnce() -> Answer<()>) -> OrtStatusPtr {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => OrtStatusPtr::default(),
        Ok(Err(refusal)) => refusal.status(function),
        Err(panic) => panicked(&*panic).status(function),
    }
}

/// Returns the error for a panic.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> Refusal {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no text");
    Refusal::new(OrtErrorCode::ORT_FAIL, format!("ort-aclnn has a defect: it panicked: {text}"))
}

/// A type of the C interface that stands for an object of this crate.
pub(crate) trait Object {
    type Here;
}

/// Makes the pointer that C gets for an object. [`release`] ends the object.
pub(crate) fn give<T: Object>(here: T::Here) -> *mut T {
    Box::into_raw(Box::new(here)).cast()
}

/// Ends an object.
///
/// # Safety
/// The pointer is null, or it comes from [`give`] and is not used any more.
pub(crate) unsafe fn release<T: Object>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: `give` made it from such a box, and nobody else uses it.
        let here = unsafe { Box::from_raw(pointer.cast::<T::Here>()) };
        // A panic ends here.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(here)));
    }
}

/// An argument of a function as its body sees it.
pub(crate) trait Argument {
    type Seen;

    /// # Safety
    /// A pointer is null, or valid until the function returns for what the C interface says of it: as many elements as
    /// the argument beside it counts, a text that ends with a zero, or an object that [`give`] made.
    unsafe fn seen(self) -> Self::Seen;
}

/// A pointer to what the function reads.
pub(crate) struct In<T>(*const T);

/// A pointer to what the function writes, or to an object that it may change.
pub(crate) struct Out<T>(*mut T);

impl<T> Argument for *const T {
    type Seen = In<T>;

    unsafe fn seen(self) -> In<T> {
        In(self)
    }
}

impl<T> Argument for *mut T {
    type Seen = Out<T>;

    unsafe fn seen(self) -> Out<T> {
        Out(self)
    }
}

macro_rules! plain_arguments {
    ($($plain:ty),*) => {
        $(impl Argument for $plain {
            type Seen = $plain;

            unsafe fn seen(self) -> $plain {
                self
            }
        })*
    };
}

plain_arguments!(
    bool,
    c_int,
    i64,
    u32,
    usize,
    ExecutionMode,
    GraphOptimizationLevel,
    ONNXTensorElementDataType,
    ONNXType,
    OrtAllocatorType,
    OrtDeviceMemoryType,
    OrtLoggingFunction,
    OrtLoggingLevel,
    OrtMemType,
    OrtMemoryInfoDeviceType,
    RunAsyncCallbackFn
);

impl<T> In<T> {
    pub(crate) fn raw(&self) -> *const T {
        self.0
    }

    /// Returns the elements: as many as the argument beside it says.
    pub(crate) fn list(&self, count: usize) -> Answer<&[T]> {
        list(self.0, count)
    }
}

impl<T: Object> In<T> {
    pub(crate) fn here(&self) -> Answer<&T::Here> {
        object(self.0)
    }

    /// Returns the object, or none for null.
    pub(crate) fn maybe(&self) -> Option<&T::Here> {
        object(self.0).ok()
    }
}

impl<T: Object> In<*mut T> {
    /// Returns the objects of a list in which some are null.
    pub(crate) fn some_objects(&self, count: usize) -> Answer<Vec<Option<&T::Here>>> {
        Ok(self.list(count)?.iter().map(|&pointer| object(pointer.cast_const()).ok()).collect())
    }
}

impl In<c_void> {
    /// Returns so many bytes.
    pub(crate) fn bytes(&self, count: usize) -> Answer<&[u8]> {
        list(self.0.cast(), count)
    }
}

impl<T: Object> In<*const T> {
    /// Returns the objects of a list.
    pub(crate) fn objects(&self, count: usize) -> Answer<Vec<&T::Here>> {
        self.list(count)?.iter().map(|&pointer| object(pointer)).collect()
    }
}

impl In<*const c_char> {
    /// Returns the texts of a list.
    pub(crate) fn texts(&self, count: usize) -> Answer<Vec<&str>> {
        self.list(count)?.iter().map(|&pointer| text(pointer)).collect()
    }
}

impl In<c_char> {
    pub(crate) fn text(&self) -> Answer<&str> {
        text(self.0)
    }

    #[cfg(not(windows))]
    pub(crate) fn path(&self) -> Answer<PathBuf> {
        if self.0.is_null() {
            return Err(Refusal::null());
        }
        // SAFETY: `Argument::seen` was promised a text.
        let bytes = unsafe { CStr::from_ptr(self.0) }.to_bytes();
        // SAFETY: on these systems, any bytes are a text of the system.
        Ok(PathBuf::from(unsafe { OsStr::from_encoded_bytes_unchecked(bytes) }))
    }
}

#[cfg(windows)]
impl In<u16> {
    pub(crate) fn path(&self) -> Answer<PathBuf> {
        use std::os::windows::ffi::OsStringExt;
        if self.0.is_null() {
            return Err(Refusal::null());
        }
        let ends = |&place: &usize| {
            // SAFETY: `Argument::seen` was promised a text, whose zero ends the loop.
            unsafe { *self.0.add(place) != 0 }
        };
        let count = (0..).take_while(ends).count();
        Ok(std::ffi::OsString::from_wide(self.list(count)?).into())
    }
}

impl<T> Out<T> {
    pub(crate) fn is_null(&self) -> bool {
        self.0.is_null()
    }

    pub(crate) fn raw(&self) -> *mut T {
        self.0
    }

    /// Returns the pointer to read what is there.
    pub(crate) fn reading(&self) -> In<T> {
        In(self.0.cast_const())
    }

    pub(crate) fn set(&self, value: T) -> Answer<()> {
        if self.0.is_null() {
            return Err(Refusal::null());
        }
        // SAFETY: `Argument::seen` was promised a valid pointer. What was there is not read.
        unsafe { self.0.write(value) };
        Ok(())
    }

    /// Returns the number that is there before it is set.
    pub(crate) fn get(&self) -> Answer<T>
    where
        T: Copy,
    {
        if self.0.is_null() {
            return Err(Refusal::null());
        }
        // SAFETY: `Argument::seen` was promised a valid pointer.
        Ok(unsafe { self.0.read() })
    }

    /// Writes elements to a place for at least so many.
    pub(crate) fn set_all(&self, values: &[T]) -> Answer<()>
    where
        T: Copy,
    {
        if values.is_empty() {
            return Ok(());
        }
        if self.0.is_null() {
            return Err(Refusal::null());
        }
        // SAFETY: `Argument::seen` was promised a place for so many elements.
        unsafe { self.0.copy_from_nonoverlapping(values.as_ptr(), values.len()) };
        Ok(())
    }
}

impl<T: Object> Out<T> {
    pub(crate) fn here(&self) -> Answer<&T::Here> {
        object(self.0)
    }

    /// Returns the object for changes: the caller has it for itself, as C says by a pointer that is not `const`.
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn here_mut(&self) -> Answer<&mut T::Here> {
        // SAFETY: `Argument::seen` was promised an object that `give` made, or null.
        unsafe { self.0.cast::<T::Here>().as_mut() }.ok_or_else(Refusal::null)
    }
}

impl<T: Object> Out<*mut T> {
    /// Gives an object to the caller.
    pub(crate) fn give(&self, here: T::Here) -> Answer<()> {
        if self.0.is_null() {
            return Err(Refusal::null());
        }
        self.set(give(here))
    }
}

impl Out<c_void> {
    /// Writes bytes to a place for at least so many.
    pub(crate) fn set_bytes(&self, bytes: &[u8]) -> Answer<()> {
        Out::<u8>(self.0.cast()).set_all(bytes)
    }
}

fn object<'a, T: Object>(pointer: *const T) -> Answer<&'a T::Here> {
    // SAFETY: `Argument::seen` was promised an object that `give` made, or null.
    unsafe { pointer.cast::<T::Here>().as_ref() }.ok_or_else(Refusal::null)
}

fn list<'a, T>(pointer: *const T, count: usize) -> Answer<&'a [T]> {
    match (count, pointer.is_null()) {
        (0, _) => Ok(&[]),
        (_, true) => Err(Refusal::null()),
        // SAFETY: `Argument::seen` was promised so many elements.
        _ => Ok(unsafe { std::slice::from_raw_parts(pointer, count) }),
    }
}

fn text<'a>(pointer: *const c_char) -> Answer<&'a str> {
    if pointer.is_null() {
        return Err(Refusal::null());
    }
    // SAFETY: `Argument::seen` was promised a text.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Refusal::argument(format!("{text:?} is not UTF-8")))
}

/// Defines functions of the table, and `serve`, which puts them into it.
macro_rules! entries {
    ($(fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block)*) => {
        $(
            #[allow(non_snake_case)]
            unsafe extern "system" fn $name($($argument: $type),*) -> ort_sys::OrtStatusPtr {
                $(
                    // SAFETY: callers of the C interface promise what `Argument::seen` asks for.
                    let $argument = unsafe { crate::entry::Argument::seen($argument) };
                )*
                crate::entry::answer(stringify!($name), || $body)
            }
        )*

        /// Puts the functions of this module into the table.
        pub(crate) fn serve(api: &mut ort_sys::OrtApi) {
            $(api.$name = $name;)*
        }
    };
}

/// Defines the functions that end objects, and `serve_releases`, which puts them into the table.
macro_rules! releases {
    ($($name:ident $type:ty),* $(,)?) => {
        $(
            #[allow(non_snake_case)]
            unsafe extern "system" fn $name(object: *mut $type) {
                // SAFETY: callers of the C interface end an object once, and do not use it afterwards.
                unsafe { crate::entry::release(object) }
            }
        )*

        /// Puts the functions that end objects into the table.
        pub(crate) fn serve_releases(api: &mut ort_sys::OrtApi) {
            $(api.$name = $name;)*
        }
    };
}

pub(crate) use {entries, releases};
