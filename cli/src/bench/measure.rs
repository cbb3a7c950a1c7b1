//! A series that can be measured, and the best of several samples.

use std::time::{Duration, Instant};

use anyhow::Result;

/// How long a point is measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// Samples are taken for this time …
    time: Duration,
    /// … but at least so many, unless they take ten times as long.
    samples: usize,
}

impl Budget {
    pub(super) fn of(is_quick: bool) -> Self {
        let (millis, samples) = if is_quick { (5, 2) } else { (50, 5) };
        Self { time: Duration::from_millis(millis), samples }
    }

    /// Returns the seconds of the fastest sample. The first run makes what later ones find.
    pub(super) fn best(self, mut sample: impl FnMut() -> Result<Duration>) -> Result<f64> {
        let start = Instant::now();
        let (mut best, mut count) = (sample()?, 0);
        while count < self.samples && start.elapsed() < 10 * self.time || start.elapsed() < self.time {
            best = best.min(sample()?);
            count += 1;
        }
        // A clock may tell no time at all.
        Ok(best.as_secs_f64().max(1e-9))
    }
}

/// Returns the time that something takes.
pub(super) fn timed(body: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    body()?;
    Ok(start.elapsed())
}

/// A series that is to be measured.
pub(super) struct Measured<'a> {
    pub(super) group: &'static str,
    pub(super) name: String,
    pub(super) unit: &'static str,
    /// What the sizes count.
    pub(super) axis: &'static str,
    pub(super) sizes: Vec<usize>,
    /// Returns the value at a size.
    pub(super) measure: Box<dyn FnMut(usize, Budget) -> Result<f64> + 'a>,
}

impl Measured<'_> {
    /// Returns the name by which the series is chosen.
    pub(super) fn title(&self) -> String {
        format!("{}/{}", self.group, self.name)
    }
}
