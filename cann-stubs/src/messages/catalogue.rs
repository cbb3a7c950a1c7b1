//! The Chinese messages of the drop-in libraries: a file of the toolkit, which few programs read.

use std::ffi::c_void;
use std::fs;
use std::path::Path;
use std::ptr::NonNull;

use aclnn_sys::file_of;

/// Where the toolkit has the file, from the directory of the library on.
const PLACE: &str = "../share/cann-emulator/messages.zh.tsv";

/// Returns the text of the file. Where the library was carried away from it, messages stay in English, and one says why.
pub(super) fn text() -> &'static str {
    let own = NonNull::new(text as *const () as *mut c_void);
    // SAFETY: this code runs, so what holds it is open.
    let library = own.and_then(|own| unsafe { file_of(own) }).and_then(|path| fs::canonicalize(path).ok());
    let path = library.as_deref().and_then(Path::parent).unwrap_or(Path::new("")).join(PLACE);
    let read = fs::read_to_string(&path).inspect_err(|error| {
        eprintln!("cann-stubs: messages are in English, since {} cannot be read: {error}", path.display());
    });
    read.unwrap_or_default().leak()
}
