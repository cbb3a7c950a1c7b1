//! Libraries that are opened when a function of them is looked for.

use super::not_found::reason;
use crate::{Chain, Library, SymbolSource};
use std::{
    ffi::c_void,
    path::PathBuf,
    ptr::NonNull,
    sync::{Arc, OnceLock},
};

/// Libraries of an opened toolkit, which most programs never need.
pub(super) struct OnFirstUse {
    paths: Vec<PathBuf>,
    opened: OnceLock<Opened>,
}

struct Opened {
    chain: Chain,
    description: String,
}

impl OnFirstUse {
    /// Remembers the libraries at `paths`.
    ///
    /// # Safety
    /// Code of the libraries runs when they are opened: they are CANN's, or stand in for CANN's.
    pub(super) unsafe fn new(paths: Vec<PathBuf>) -> Self {
        Self { paths, opened: OnceLock::new() }
    }

    fn opened(&self) -> &Opened {
        self.opened.get_or_init(|| {
            let (mut libraries, mut told) = (Vec::new(), Vec::new());
            for path in &self.paths {
                // SAFETY: `new` requires it.
                match unsafe { Library::open(path) } {
                    Ok(library) => {
                        told.push(path.display().to_string());
                        libraries.push(Arc::new(library) as Arc<dyn SymbolSource>);
                    }
                    Err(error) => {
                        told.push(format!("{}, which does not open: {}", path.display(), reason(&error)));
                    }
                }
            }
            let description = if told.is_empty() { "no library".to_owned() } else { told.join(", ") };
            Opened { chain: Chain::new(libraries), description }
        })
    }
}

// SAFETY: `new` requires libraries with CANN's functions, and they are never closed.
unsafe impl SymbolSource for OnFirstUse {
    fn symbol(&self, name: &str) -> Option<NonNull<c_void>> {
        self.opened().chain.symbol(name)
    }

    fn describe(&self) -> String {
        self.opened().description.clone()
    }
}
