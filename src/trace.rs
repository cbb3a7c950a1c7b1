//! Reports of the crate to `tracing`. Without the feature `tracing` none of it is compiled; without an interested
//! subscriber no text is formatted. `record` lists launches for the program itself.

mod record;

use std::fmt::Display;

#[cfg(feature = "tracing")]
use crate::error::OperandInfo;
use crate::error::{Operands, Result};

pub use record::record_calls;

#[cfg(feature = "tracing")]
use {
    std::cell::RefCell,
    std::time::{Duration, Instant},
    tracing::{Level, debug, debug_span, enabled, info, level_filters::LevelFilter, warn},
    tracing_subscriber::filter::Targets,
};

/// Reports which libraries were chosen. Before that, it installs the subscriber that `ACLNN_LOG` asks for.
pub(crate) fn chosen(backend: &impl Display) {
    #[cfg(feature = "tracing")]
    {
        install();
        info!(target: "aclnn::backend", "{backend}");
    }
    let _ = backend;
}

/// Reports that a device was opened.
pub(crate) fn opened(device: i32, soc_name: &str) {
    #[cfg(feature = "tracing")]
    info!(target: "aclnn::device", device, soc_name, "opened");
    let _ = (device, soc_name);
}

/// The notes of runtime calls, reported when this is dropped and not while the calls run. A subscriber is code of the
/// program: it may call this crate too, and wait for a lock that is held meanwhile.
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
    /// Notes that the pool took memory from the device or gave memory back to it.
    #[inline]
    pub(crate) fn memory(&self, what: &'static str, bytes: usize) {
        #[cfg(feature = "tracing")]
        if may_be_told() {
            self.kept.borrow_mut().push(Note::Memory { what, bytes });
        }
        let _ = (what, bytes);
    }

    /// Notes a copy of bytes. The time is host time: of the whole copy, or until it is queued.
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

    /// Takes over the notes of `others`.
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

/// Returns whether any subscriber may want this level. Unlike `enabled!`, it calls no subscriber.
#[cfg(feature = "tracing")]
#[inline]
fn may_be_told() -> bool {
    LevelFilter::current() >= LevelFilter::DEBUG
}

/// Returns whether somebody may be told of the launch of an operator: a subscriber, or a recording.
#[inline]
pub(crate) fn tells_operators() -> bool {
    #[cfg(feature = "tracing")]
    if may_be_told() {
        return true;
    }
    record::is_recording()
}

/// Records and reports the launch of an operator. The time is host time until the work is queued; the bytes are those of
/// all operands.
#[inline]
pub(crate) fn operator<T>(
    name: &'static str,
    operands: impl Fn() -> Operands,
    launch: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let result = reported(name, &operands, launch)?;
    if record::is_recording() {
        record::record(name, operands());
    }
    Ok(result)
}

#[inline]
fn reported<T>(
    name: &'static str,
    operands: impl FnOnce() -> Operands,
    launch: impl FnOnce() -> Result<T>,
) -> Result<T> {
    #[cfg(feature = "tracing")]
    if enabled!(target: "aclnn::operator", Level::DEBUG) {
        let operands = operands();
        let size = |operand: &OperandInfo| operand.dtype.storage_bytes(operand.shape.as_ref()?.numel()?);
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
    // Parsed as a list of targets, a single word would be the name of a target.
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
