//! Output of a command: text for people, or JSON for programs.
//!
//! Text may hold colours, written as `{GOOD}fine{GOOD:#}`. They reach terminals alone, and none where `NO_COLOR` is set.

use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

/// A good result.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// A result that deserves a look.
pub(crate) const NOTED: Style = AnsiColor::Yellow.on_default();
/// An error.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// The part that was asked for.
pub(crate) const STRONG: Style = Style::new().bold();
/// A part that is there for completeness.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// The colours of `--help`.
pub(crate) const HELP: clap::builder::Styles = clap::builder::Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The form in which a command prints its result.
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
        print(&if self.json { serde_json::to_string_pretty(value)? + "\n" } else { text(value) })
    }
}

/// Prints `text` as it is, colours removed where nobody sees them.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever read the output has seen enough, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Breaks a line between words, so that each has at most `width` columns where its words allow that. Colours take none.
pub(crate) fn wrapped(line: &str, width: usize) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in line.split(' ') {
        let columns = anstream::adapter::strip_str(word).to_string().chars().count();
        if column > 0 && column + 1 + columns > width {
            text.push('\n');
            column = 0;
        } else if !text.is_empty() {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += columns;
    }
    text
}
