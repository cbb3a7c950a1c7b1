//! Finding and opening CANN.
//!
//! `search` names the directories where CANN may be, `open` opens one as a [`Toolkit`], `files` knows which libraries make up
//! a CANN, `resident` which of them the process has loaded already, `tried` keeps what happened on the way. Everything that
//! the process environment has to say comes in as an [`Environment`].

mod environment;
mod files;
mod open;
mod resident;
mod search;
mod tried;

pub use environment::Environment;
pub use open::Toolkit;
pub use tried::{Attempt, NotFound};
