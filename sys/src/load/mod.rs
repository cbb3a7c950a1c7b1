//! Finding and opening CANN.
//!
//! `search` names the directories where CANN may be, and `open` opens one as a [`Toolkit`]. `files` knows which
//! libraries make up a CANN, `on_first_use` holds those of them that are opened late, and `resident` which of them the
//! process has already loaded. `file_of` tells the file of a function, and `not_found` records each attempt.
//! All settings of the process environment come in as an [`Environment`].

mod environment;
mod file_of;
mod files;
mod not_found;
mod on_first_use;
mod open;
mod resident;
mod search;

pub use environment::Environment;
pub use file_of::file_of;
pub use not_found::{Attempt, NotFound};
pub use open::Toolkit;
