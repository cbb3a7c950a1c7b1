//! The results of `aclnn bench`, as data: what the JSON file holds, and what charts are drawn from.

use serde::{Deserialize, Serialize};

use crate::environment::Environment;

/// A report of `aclnn bench`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct BenchReport {
    /// The version of this structure.
    pub(crate) format: u32,
    /// When it was made, in seconds since 1970 in UTC.
    pub(crate) made: u64,
    /// The command line that makes it again.
    pub(crate) command: String,
    /// How long it took, in seconds.
    pub(crate) seconds: f64,
    /// What was measured.
    pub(crate) environment: Environment,
    pub(crate) series: Vec<Series>,
}

/// One line of a chart.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Series {
    /// The chart: `host`, `operators` or `copies`.
    pub(crate) group: String,
    /// The name within the chart: `exp f32`.
    pub(crate) name: String,
    /// The unit of the values: `ns` for each call, where less is better, or `GB/s`.
    pub(crate) unit: String,
    /// What the places of the points count: `elements` or `bytes`.
    pub(crate) axis: String,
    pub(crate) points: Vec<Point>,
    /// Why there are no more points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

/// A measured value: the best of several samples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}
