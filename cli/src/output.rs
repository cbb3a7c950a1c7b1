//! What a command prints: text for people, or JSON for programs.

use std::io::{self, Write as _};

use serde::Serialize;

/// How a command prints its result.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Format {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl Format {
    /// Prints `value` as JSON where that was asked for, else the text that `text` makes of it.
    pub(crate) fn print<T: Serialize>(
        self,
        value: &T,
        text: impl FnOnce(&T) -> String,
    ) -> anyhow::Result<()> {
        let text = if self.json { serde_json::to_string_pretty(value)? + "\n" } else { text(value) };
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            // Whoever read the output has seen enough, as `head` does.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => Ok(written?),
        }
    }
}
