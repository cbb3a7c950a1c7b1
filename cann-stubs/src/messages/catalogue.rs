//! The Chinese messages of the drop-in libraries: a file of the toolkit, which few programs read.

use std::ffi::{CStr, OsStr};
use std::fs;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Where the toolkit has the file, from the directory of the library on.
const PLACE: &str = "../share/cann-emulator/messages.zh.tsv";

/// Returns the text of the file. Where the library was carried away from it, messages stay in English, and one says why.
pub(super) fn text() -> &'static str {
    let library = own_path().and_then(|path| fs::canonicalize(path).ok());
    let path = library.as_deref().and_then(Path::parent).unwrap_or(Path::new("")).join(PLACE);
    let read = fs::read_to_string(&path).inspect_err(|error| {
        eprintln!("cann-stubs: messages are in English, since {} cannot be read: {error}", path.display());
    });
    read.unwrap_or_default().leak()
}

/// Returns the file from which this library was loaded.
fn own_path() -> Option<&'static Path> {
    let own = text as fn() -> &'static str;
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: any address may be asked for, and `info` is valid for writing.
    let found = unsafe { libc::dladdr(own as *const _, info.as_mut_ptr()) };
    // SAFETY: zeros are a valid value, and `dladdr` writes valid ones.
    let info = unsafe { info.assume_init() };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: this is a string that lives as long as the library, and so as long as this code.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    Some(Path::new(OsStr::from_bytes(name.to_bytes())))
}
