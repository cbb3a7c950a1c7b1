//! `aclnn bench`: what calls, operators and copies cost.

// Floors, from the ground up.
//
// 1. `measure`: a series that can be measured, and the best of several samples
// 2. `raw`: a sum through the C functions
// 3. `copies`, `host`, `operators`: the series

mod copies;
mod host;
mod measure;
mod operators;
mod raw;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

use aclnn::{DType, Device};
use anyhow::{Context as _, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use crate::columns::Columns;
use crate::element_type;
use crate::environment::Environment;
use crate::output::{BAD, Format};
use crate::report::bench::{BenchReport, Point, Series};
use measure::{Budget, Measured};

const EXAMPLES: &str = "\
Examples:
  aclnn bench --quick
  aclnn bench --filter copies --out copies.json
  aclnn bench --filter 'operators/softmax' --dtype f16

Every figure is the best of several samples. Device time includes a wait for the device, which a
program that queues its work does not need.";

/// Measures the time of calls, operators and copies
///
/// Measures the host time of a call (phase one and two of the C functions, and the safe call), the throughput of each
/// operator by size, and copies by size, from pinned and from other memory. Prints a table and saves a report.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Measure a few operators at a few sizes, in some seconds
    #[arg(long)]
    quick: bool,
    /// Measure only the series whose names, such as `operators/exp f32`, contain this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// The element types that operators are measured with, separated by commas; without it, f32, f16 and i32
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = element_type::parse)]
    dtype: Vec<DType>,
    /// The file for the report
    #[arg(long, value_name = "FILE", default_value = "aclnn-bench.json")]
    out: PathBuf,
    /// The ordinal of the device
    #[arg(long, default_value_t = 0)]
    device: i32,
    #[command(flatten)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let start = Instant::now();
    let device = Device::open(arguments.device)?;
    let dtypes = match arguments.dtype.as_slice() {
        [] if arguments.quick => &[DType::F32][..],
        [] => &[DType::F32, DType::F16, DType::I32],
        given => given,
    };
    let mut all = host::series(&device);
    all.extend(operators::series(&device, dtypes, arguments.quick, &arguments.filter));
    all.extend(copies::series(&device, arguments.quick));
    all.retain(|one| one.title().contains(&arguments.filter));
    ensure!(!all.is_empty(), "no series has {:?} in its name", arguments.filter);
    let series = measured(all, Budget::of(arguments.quick))?;
    let report = BenchReport {
        format: 1,
        made: SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_secs(),
        command: std::env::args().collect::<Vec<_>>().join(" "),
        seconds: start.elapsed().as_secs_f64(),
        environment: Environment::of_process(),
        series,
    };
    let json = serde_json::to_vec_pretty(&report)?;
    std::fs::write(&arguments.out, json)
        .with_context(|| format!("{} cannot be written", arguments.out.display()))?;
    arguments
        .format
        .print(&report, |report| text(report) + &format!("report in {}\n", arguments.out.display()))?;
    let is_whole = report.series.iter().all(|one| one.error.is_none());
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Measures every point of every series.
fn measured(all: Vec<Measured<'_>>, budget: Budget) -> Result<Vec<Series>> {
    let points: usize = all.iter().map(|one| one.sizes.len()).sum();
    // It is drawn on terminals alone, on the standard error.
    let progress = ProgressBar::new(points as u64)
        .with_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} ({elapsed}, {eta} left)")?);
    let series = all.into_iter().map(|mut one| {
        progress.set_message(one.title());
        let (mut points, mut error) = (Vec::new(), None);
        for size in std::mem::take(&mut one.sizes) {
            progress.inc(1);
            // What fails at a size is told and costs the larger ones; everything else is measured.
            if error.is_some() {
                continue;
            }
            match (one.measure)(size, budget) {
                Ok(y) => points.push(Point { x: size as f64, y }),
                Err(reason) => error = Some(format!("at {size}: {reason}")),
            }
        }
        let [group, name, unit, axis] = [one.group, &one.name, one.unit, one.axis].map(str::to_owned);
        Series { group, name, unit, axis, points, error }
    });
    let series = series.collect();
    progress.finish_and_clear();
    Ok(series)
}

/// A table for each group, with a column for each size.
fn text(report: &BenchReport) -> String {
    let mut groups: BTreeMap<&str, Vec<&Series>> = BTreeMap::new();
    for series in &report.series {
        groups.entry(&series.group).or_default().push(series);
    }
    let mut text = String::new();
    if let Some(backend) = &report.environment.backend {
        _ = writeln!(text, "{backend}\n");
    }
    for (group, series) in groups {
        let unit = series.first().map_or(("", ""), |one| (&one.unit, &one.axis));
        let mut sizes: Vec<f64> = series.iter().flat_map(|one| &one.points).map(|point| point.x).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let titles = std::iter::once(format!("{group}, {} by {}", unit.0, unit.1));
        let mut columns = Columns::new(titles.chain(sizes.iter().map(|size| short(*size))).collect());
        for one in series {
            let at = |size: &f64| {
                let point = one.points.iter().find(|point| point.x == *size);
                point.map_or_else(String::new, |point| {
                    format!("{:.*}", usize::from(point.y < 100.0) * 2, point.y)
                })
            };
            columns.row(std::iter::once(one.name.clone()).chain(sizes.iter().map(at)).collect());
        }
        _ = writeln!(text, "{columns}");
    }
    for one in &report.series {
        if let Some(error) = &one.error {
            _ = writeln!(text, "{BAD}failed{BAD:#}     {}/{} {error}", one.group, one.name);
        }
    }
    text
}

/// Shortens a size: 65536 is 64Ki, 1000000 is 1M.
fn short(size: f64) -> String {
    let units = [(f64::from(1 << 20), "Mi"), (f64::from(1 << 10), "Ki"), (1e6, "M"), (1e3, "k")];
    let unit = units.into_iter().find(|(unit, _)| size >= *unit && size % unit == 0.0);
    unit.map_or_else(|| size.to_string(), |(unit, name)| format!("{}{name}", size / unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        let texts = [16.0, 1000.0, 1024.0, 65536.0, 1e6, 4e6, 16777216.0].map(short);
        assert_eq!(texts, ["16", "1k", "1Ki", "64Ki", "1M", "4M", "16Mi"]);
    }

    #[test]
    fn a_table_has_a_column_for_each_size() {
        let series = |name: &str, points: &[(f64, f64)]| Series {
            group: "operators".to_owned(),
            name: name.to_owned(),
            unit: "GB/s".to_owned(),
            axis: "elements".to_owned(),
            points: points.iter().map(|&(x, y)| Point { x, y }).collect(),
            error: None,
        };
        let report = BenchReport {
            series: vec![series("exp f32", &[(1e3, 1.5), (1e6, 250.25)]), series("add f32", &[(1e6, 3.0)])],
            ..BenchReport::default()
        };
        assert_eq!(
            text(&report),
            "operators, GB/s by elements    1k    1M\nexp f32                      1.50   250\nadd f32                            3.00\n\n"
        );
    }
}
