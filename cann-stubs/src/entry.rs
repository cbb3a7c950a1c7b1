//! The border to C: every entry point is written once, exported for the drop-in libraries and listed for embedding.
//!
//! The wrapper types below hold the pointers of a C caller. They are made only from the arguments of an
//! `unsafe extern "C"` function, whose caller promises what CANN's interface asks for: that a pointer which is not null
//! leads to the object, array or text that its parameter describes. All reading and writing through such pointers
//! happens in this file.

use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use smallvec::SmallVec;

use crate::outcome::Outcome;
use crate::release::Release;
use crate::settings;
use crate::status::{Result, Status};
use crate::{check, fault, handle};

pub(crate) use crate::surface::EntryPoint;

/// A parameter of an entry point: what C passes, and what the body sees.
pub(crate) trait Parameter: Sized {
    type C;
    /// # Safety
    /// `value` is what a C caller passed for this parameter, under the promises of the interface.
    unsafe fn from_c(value: Self::C) -> Self;
}

/// The body of an entry point. A `dyn FnMut` would have two more functions for each of them, for the other ways to call it.
pub(crate) trait Body<T> {
    fn run(&mut self) -> T;
}

impl<T, F: FnMut() -> T> Body<T> for F {
    fn run(&mut self) -> T {
        self()
    }
}

/// Runs the body of an entry point, unless a fault applies or the emulated release lacks the function. A panic becomes an
/// error code.
///
/// A drop-in library exports every function whatever release it stands for: those that the release lacks refuse.
///
/// The body is no type parameter, so that this is compiled once for all entry points that return the same.
#[inline(never)]
pub(crate) fn call<R: Outcome>(entry: &'static str, body: &mut dyn Body<R::Body>) -> R {
    if settings::get().release < Release::LATEST
        && let Some(status) = lacking(entry)
    {
        return R::refused(entry, status);
    }
    call_consuming(entry, &|| (), body)
}

/// The failure of a function that the emulated release lacks.
#[cold]
#[inline(never)]
fn lacking(entry: &str) -> Option<Status> {
    let (since, release) = (Release::first_with(entry), settings::get().release);
    (since > release).then(|| {
        let message = format!(
            "CANN {since} brought this function, and the emulator stands for CANN {release}; CANN_STUBS_VERSION sets the \
             release"
        );
        Status::new(aclnn_sys::ACL_ERROR_API_NOT_SUPPORT, message)
    })
}

/// Runs a body as `call` does, for an entry point that consumes an argument even when it fails: `consume` does only that.
pub(crate) fn call_consuming<R: Outcome>(
    entry: &'static str,
    consume: &dyn Fn(),
    body: &mut dyn Body<R::Body>,
) -> R {
    if let Some(failed) = fault::of_call(entry).and_then(|status| R::failed(entry, status)) {
        consume();
        return failed;
    }
    match catch_unwind(AssertUnwindSafe(|| body.run())) {
        Ok(result) => {
            if let Some(failure) = R::failure(&result) {
                check::report_failure(entry, failure);
            }
            R::from_body(entry, result)
        }
        Err(_) => R::defect(entry),
    }
}

/// A place for a result, from the caller; may be null.
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    /// A null place, for a result that is not wanted.
    pub(crate) const fn null() -> Self {
        Out(std::ptr::null_mut())
    }

    pub(crate) fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// The place, or an error with `code` that names the parameter when it is null.
    pub(crate) fn required(self, name: &str, code: i32) -> Result<Place<T>> {
        if self.0.is_null() {
            Err(Status::new(code, format_args!("{name} is null")))
        } else {
            Ok(Place(self.0))
        }
    }

    /// The same place for a value of another type, where C has `void *`.
    pub(crate) fn cast<U>(self) -> Out<U> {
        Out(self.0.cast())
    }

    /// The same pointer as an array that the caller filled, for parameters that C declares without `const`.
    pub(crate) fn into_array(self) -> Array<T> {
        Array(self.0)
    }

    /// The place, when the caller wants the result.
    pub(crate) fn optional(self) -> Option<Place<T>> {
        (!self.0.is_null()).then_some(Place(self.0))
    }
}

/// A place of the caller that is not null.
pub(crate) struct Place<T>(*mut T);

impl<T> Place<T> {
    pub(crate) fn write(&self, value: T) {
        // SAFETY: the C caller promised a place for a `T`; `write` does not read or drop what was there.
        unsafe { self.0.write_unaligned(value) }
    }

    /// Writes values one after the other. The caller of the entry point promised a place for each.
    pub(crate) fn write_all(self, values: impl Iterator<Item = T>) {
        // SAFETY: the C caller promised places for as many values as other parameters say.
        values.enumerate().for_each(|(index, value)| unsafe { self.0.add(index).write_unaligned(value) });
    }

    /// Reads a value that the caller put there.
    pub(crate) fn read(&self) -> T
    where
        T: Copy,
    {
        // SAFETY: the C caller promised an initialised `T`.
        unsafe { self.0.read_unaligned() }
    }
}

impl Place<c_char> {
    /// Writes `text` and a zero byte. The caller of the entry point promised `text.len() + 1` bytes.
    pub(crate) fn write_text(self, text: &str) {
        // SAFETY: the C caller promised a buffer that is long enough; a new text never overlaps it.
        unsafe {
            self.0.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), text.len());
            self.0.add(text.len()).write(0);
        }
    }
}

impl<T> Parameter for Out<T> {
    type C = *mut T;
    unsafe fn from_c(value: *mut T) -> Self {
        Out(value)
    }
}

/// An array of the caller, of a length that another parameter gives; may be null.
pub(crate) struct Array<T>(*const T);

impl<T: Copy> Array<T> {
    /// The first `count` elements, copied; `None` when the pointer is null or `count` is absurd.
    pub(crate) fn read(&self, count: u64) -> Option<Vec<T>> {
        self.collect(count)
    }

    /// As `read`, into any collection.
    #[inline(never)]
    pub(crate) fn collect<C: FromIterator<T>>(&self, count: u64) -> Option<C> {
        let count = usize::try_from(count)
            .ok()
            .filter(|&count| count <= isize::MAX as usize / size_of::<T>().max(1))?;
        if self.0.is_null() {
            return None;
        }
        // SAFETY: the C caller promised `count` elements; they are read one by one, at any alignment.
        Some((0..count).map(|index| unsafe { self.0.add(index).read_unaligned() }).collect())
    }
}

impl<T: Copy> Array<T> {
    /// Returns whether `count` elements may be read.
    pub(crate) fn has(&self, count: u64) -> bool {
        let most = isize::MAX as usize / size_of::<T>().max(1);
        !self.0.is_null() && usize::try_from(count).is_ok_and(|count| count <= most)
    }

    /// Appends the first `count` elements to `to`, if they may be read. Returns whether they may.
    #[inline]
    pub(crate) fn append_to<A: smallvec::Array<Item = T>>(&self, to: &mut SmallVec<A>, count: u64) -> bool {
        let has = self.has(count);
        if has {
            let count = count as usize;
            to.reserve(count);
            // SAFETY: the C caller promised `count` elements; they are read one by one, at any alignment, and written to room
            // that was just reserved for them.
            unsafe {
                let end = to.as_mut_ptr().add(to.len());
                (0..count).for_each(|index| end.add(index).write(self.0.add(index).read_unaligned()));
                to.set_len(to.len() + count);
            }
        }
        has
    }

    /// Returns whether the first `count` elements may be read and are `values`.
    #[inline]
    pub(crate) fn holds(&self, values: &[T], count: u64) -> bool
    where
        T: PartialEq,
    {
        // SAFETY: the C caller promised `count` elements; they are read one by one, at any alignment.
        let is_same = |(index, value): (usize, &T)| unsafe { self.0.add(index).read_unaligned() } == *value;
        let is_there = count == values.len() as u64 && (count == 0 || !self.0.is_null());
        is_there && values.iter().enumerate().all(is_same)
    }
}

impl<T> Parameter for Array<T> {
    type C = *const T;
    unsafe fn from_c(value: *const T) -> Self {
        Array(value)
    }
}

impl<T> Array<*mut T> {
    /// The same array of pointers through which nothing is written.
    pub(crate) fn as_const(&self) -> Array<*const T> {
        Array(self.0.cast())
    }
}

impl Array<c_void> {
    /// The same place as an array of elements of a type that the interface only describes.
    pub(crate) fn of<T>(&self) -> Array<T> {
        Array(self.0.cast())
    }
}

impl<T> Array<T> {
    /// The bytes at this place, for a structure whose length it tells itself.
    pub(crate) fn as_any_bytes(&self) -> Array<u8> {
        Array(self.0.cast())
    }
}

impl Array<bool> {
    /// The same array as bytes: C may store any byte in a `bool`.
    pub(crate) fn as_bytes(&self) -> Array<u8> {
        Array(self.0.cast())
    }
}

/// A value of the caller whose type another parameter gives; may be null.
pub(crate) struct Untyped(*const c_void);

impl Untyped {
    pub(crate) fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// Copies the first bytes, as many as `to` has, unless the pointer is null.
    pub(crate) fn copy_to(&self, to: &mut [u8]) {
        if !self.0.is_null() {
            // SAFETY: the C caller promised a value of that size; it cannot be what `to` borrows.
            unsafe { self.0.cast::<u8>().copy_to_nonoverlapping(to.as_mut_ptr(), to.len()) };
        }
    }
}

impl Parameter for Untyped {
    type C = *mut c_void;
    unsafe fn from_c(value: *mut c_void) -> Self {
        Untyped(value)
    }
}

/// A text of the caller that ends with a zero byte; may be null.
pub(crate) struct Text(*const c_char);

impl Text {
    /// The text; bytes that are not UTF-8 are replaced.
    pub(crate) fn read(&self) -> Option<String> {
        if self.0.is_null() {
            return None;
        }
        // SAFETY: the C caller promised a text that ends with a zero byte.
        Some(unsafe { CStr::from_ptr(self.0) }.to_string_lossy().into_owned())
    }
}

impl Parameter for Text {
    type C = *const c_char;
    unsafe fn from_c(value: *const c_char) -> Self {
        Text(value)
    }
}

/// A handle from the caller, which may be any number. `T` is the C type that it stands for.
pub(crate) struct Handle<T>(pub(crate) usize, std::marker::PhantomData<T>);

impl<T> Parameter for Handle<*mut T> {
    type C = *mut T;
    unsafe fn from_c(value: *mut T) -> Self {
        Handle(handle::from_pointer(value), std::marker::PhantomData)
    }
}

impl<T> Parameter for Handle<*const T> {
    type C = *const T;
    unsafe fn from_c(value: *const T) -> Self {
        Handle(handle::from_pointer(value), std::marker::PhantomData)
    }
}

/// An address of the caller, on the host or on a device; may be null. `T` is the C type of the parameter.
///
/// The provenance of the address is exposed, so that the module which owns the memory can make a pointer of it again.
pub(crate) struct Address<T>(pub(crate) usize, std::marker::PhantomData<T>);

impl<T> Address<T> {
    /// The address, or an error with `code` that names the parameter when it is null.
    pub(crate) fn required(&self, name: &str, code: i32) -> Result<usize> {
        if self.0 == 0 { Err(Status::new(code, format_args!("{name} is null"))) } else { Ok(self.0) }
    }
}

impl<T> Parameter for Address<*mut T> {
    type C = *mut T;
    unsafe fn from_c(value: *mut T) -> Self {
        Address(value.expose_provenance(), std::marker::PhantomData)
    }
}

impl<T> Parameter for Address<*const T> {
    type C = *const T;
    unsafe fn from_c(value: *const T) -> Self {
        Address(value.expose_provenance(), std::marker::PhantomData)
    }
}

/// Parameters that are passed on as they are.
macro_rules! plain_parameters {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::entry::Parameter for $type {
            type C = $type;
            unsafe fn from_c(value: $type) -> $type { value }
        }
    )*};
}
pub(crate) use plain_parameters;

plain_parameters! { i8, u8, i32, u32, i64, u64, usize, bool, f32, f64, u16 }

/// Declares entry points: exports each for the drop-in libraries, under its C name with the prefix `cann_stubs_`, and lists
/// them all.
///
/// `[stored]` before a function says that it only stores its arguments, `[refuses CODE]` that it always fails. The
/// compiler compares each signature with the one in the headers.
macro_rules! entry_points {
    (
        $list:ident:
        $(
            $(#[$attribute:meta])*
            $([$($support:tt)+])? fn $name:ident($($parameter:ident: $type:ty),* $(,)?) -> $result:ty $body:block
        )*
    ) => {
        $(
            $(#[$attribute])*
            #[allow(non_snake_case)]
            #[cfg_attr(all(feature = "drop-in", not(test)), unsafe(export_name = concat!("cann_stubs_", stringify!($name))))]
            pub(crate) unsafe extern "C" fn $name(
                $($parameter: <$type as $crate::entry::Parameter>::C),*
            ) -> $result {
                $crate::entry::call::<$result>(stringify!($name), &mut || -> <$result as $crate::outcome::Outcome>::Body {
                    // SAFETY: the values come straight from the C caller.
                    $(let $parameter = unsafe { <$type as $crate::entry::Parameter>::from_c($parameter) };)*
                    $body
                })
            }

            const _: aclnn_sys::pfn::$name = $name;
        )*

        pub(crate) const $list: &[$crate::entry::EntryPoint] = &[
            // SAFETY: the assertions above compare the prototypes.
            $(unsafe {
                $crate::entry::EntryPoint::new(
                    stringify!($name),
                    $name as *const (),
                    $crate::surface::support!($($($support)+)?),
                )
            }),*
        ];
    };
}
pub(crate) use entry_points;
