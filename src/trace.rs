//! What the crate tells while it works. Without the feature `tracing` nothing is left of it, and without a subscriber that
//! wants to know no text is made.

use std::fmt::Display;

use crate::error::{Operands, Result};

#[cfg(feature = "tracing")]
use {
    std::cell::RefCell,
    std::time::{Duration, Instant},
    tracing::{Level, debug, debug_span, enabled, info, level_filters::LevelFilter, warn},
    tracing_subscriber::filter::Targets,
};

/// Which libraries were chosen. Before it tells, it installs what `ACLNN_LOG` asks for.
pub(crate) fn chosen(backend: &impl Display) {
    #[cfg(feature = "tracing")]
    {
        install();
        info!(target: "aclnn::backend", "{backend}");
    }
    let _ = backend;
}

/// A device was opened.
pub(crate) fn opened(device: i32, soc_name: &str) {
    #[cfg(feature = "tracing")]
    info!(target: "aclnn::device", device, soc_name, "opened");
    let _ = (device, soc_name);
}

/// What is to be told of calls of the runtime: not while they go on, but when this is dropped. A subscriber is code of the
/// program, which may call this crate too, and wait for what is locked meanwhile.
#[derive(Default)]
pub(crate) struct Notes {
    #[cfg(feature = "tracing")]
    kept: RefCell<Vec<Note>>,
}

#[cfg(feature = "tracing")]
enum Note {
    Memory { what: &'static str, bytes: usize },
    Copy { direction: &'static str, bytes: usize, time: Duration, error: Option<String> },
}

impl Notes {
    /// Memory was taken from the device or given back to it: the pool grew or shrank.
    #[inline]
    pub(crate) fn memory(&self, what: &'static str, bytes: usize) {
        #[cfg(feature = "tracing")]
        if may_be_told() {
            self.kept.borrow_mut().push(Note::Memory { what, bytes });
        }
        let _ = (what, bytes);
    }

    /// Bytes are copied. The time is that of the host: of the whole copy, or until it is queued.
    #[inline]
    pub(crate) fn copy<T>(
        &self,
        direction: &'static str,
        bytes: usize,
        copy: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        #[cfg(feature = "tracing")]
        if may_be_told() {
            let (result, time) = timed(copy);
            let error = result.as_ref().err().map(ToString::to_string);
            self.kept.borrow_mut().push(Note::Copy { direction, bytes, time, error });
            return result;
        }
        let _ = (direction, bytes);
        copy()
    }

    /// Takes over what others noted.
    pub(crate) fn take(&self, others: &Notes) {
        #[cfg(feature = "tracing")]
        self.kept.borrow_mut().append(&mut others.kept.borrow_mut());
        let _ = others;
    }
}

#[cfg(feature = "tracing")]
impl Drop for Notes {
    fn drop(&mut self) {
        for note in self.kept.take() {
            match note {
                Note::Memory { what, bytes } => debug!(target: "aclnn::memory", bytes, "{what}"),
                Note::Copy { direction, bytes, time, error: None } => {
                    debug!(target: "aclnn::copy", bytes, ?time, "{direction}");
                }
                Note::Copy { direction, bytes, time, error: Some(error) } => {
                    debug!(target: "aclnn::copy", bytes, ?time, %error, "{direction} failed");
                }
            }
        }
    }
}

/// Whether any subscriber wants so much. Unlike `enabled!`, it asks none.
#[cfg(feature = "tracing")]
#[inline]
fn may_be_told() -> bool {
    LevelFilter::current() >= LevelFilter::DEBUG
}

/// An operator is launched. The time is that of the host, until the work is queued; the bytes are those of all operands.
#[inline]
pub(crate) fn operator<T>(
    name: &'static str,
    operands: impl FnOnce() -> Operands,
    launch: impl FnOnce() -> Result<T>,
) -> Result<T> {
    #[cfg(feature = "tracing")]
    if enabled!(target: "aclnn::operator", Level::DEBUG) {
        let operands = operands();
        let size =
            |operand: &crate::OperandInfo| operand.dtype.storage_bytes(operand.shape.as_ref()?.numel()?);
        let bytes = operands.iter().filter_map(size).fold(0, usize::saturating_add);
        let span = debug_span!(target: "aclnn::operator", "operator", name, %operands, bytes);
        return span.in_scope(|| {
            let (result, time) = timed(launch);
            match &result {
                Ok(_) => debug!(target: "aclnn::operator", ?time, "queued"),
                Err(error) => debug!(target: "aclnn::operator", ?time, %error, "failed"),
            }
            result
        });
    }
    let _ = (name, operands);
    launch()
}

#[cfg(feature = "tracing")]
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Prints to the standard error what `ACLNN_LOG` asks for, unless the program has a subscriber of its own.
#[cfg(feature = "tracing")]
fn install() {
    use tracing_subscriber::{fmt, layer::SubscriberExt, registry, util::SubscriberInitExt};

    let Some(asked) = std::env::var_os("ACLNN_LOG").filter(|asked| !asked.is_empty()) else { return };
    let asked = asked.to_string_lossy();
    let of_crate = |level: LevelFilter| Targets::new().with_target("aclnn", level);
    // As a list of targets a word would be the name of one.
    let targets = if asked.contains('=') { asked.parse().ok() } else { asked.parse().ok().map(of_crate) };
    let installed = registry()
        .with(targets.clone().unwrap_or_else(|| of_crate(LevelFilter::INFO)))
        .with(fmt::layer().with_writer(std::io::stderr))
        .try_init();
    if installed.is_ok() && targets.is_none() {
        warn!(
            target: "aclnn",
            "ACLNN_LOG={asked} is taken for info; give off, error, warn, info, debug or trace, or such levels by target, as in aclnn::operator=debug,aclnn::copy=debug"
        );
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn operands_are_listed_only_for_who_listens() {
        let listed = Cell::new(0);
        let operands = || {
            listed.set(listed.get() + 1);
            Operands::new([])
        };
        let launch = || assert_eq!(operator("aclnnAdd", operands, || Ok(1)).ok(), Some(1));
        launch();
        #[cfg(feature = "tracing")]
        {
            let up_to =
                |level| tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::sink).finish();
            tracing::subscriber::with_default(up_to(Level::INFO), launch);
            assert_eq!(listed.take(), 0);
            tracing::subscriber::with_default(up_to(Level::DEBUG), launch);
            assert_eq!(listed.take(), 1);
        }
        assert_eq!(listed.get(), 0);
    }
}
