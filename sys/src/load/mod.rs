//! Finding and opening CANN.
//!
//! `search` names the directories where CANN may be, and `open` opens one as a [`Toolkit`]. `files` knows which
//! libraries make up a CANN, and `resident` which of them the process has already loaded. `tried` records each attempt.
//! All settings of the process environment come in as an [`Environment`].

mod environment;
mod files;
mod open;
mod resident;
mod search;
mod tried;

pub use environment::Environment;
pub use open::Toolkit;
pub use tried::{Attempt, NotFound};
