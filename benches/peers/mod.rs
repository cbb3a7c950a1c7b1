//! What is measured, and who takes turns: `items` and `calls` make subjects, `ours`, `limit`, `hand` and the peers that are
//! passed to [`main`] compute them. With `--serve`, another program says when the next turns are taken, so that it can
//! take turns itself.

mod allocations;
mod calls;
#[cfg(target_arch = "x86_64")]
mod hand;
pub(crate) mod items;
mod limit;
// Loops by hand are for x86-64; elsewhere there may be no peer in this process.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod memory;
mod ours;
mod processors;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(crate) mod subject;

use std::io::BufRead;
use std::time::{Duration, Instant};
use std::{env, error, fs, io};

use aclnn::Device;
use serde_json::{Map, Value, json};

use subject::{Peer, Plan};

pub(crate) type Result<T> = std::result::Result<T, Box<dyn error::Error>>;

/// Measures everything, beside `others`.
pub(crate) fn main(others: &[Peer]) -> Result<()> {
    let options = Options::parse(env::args().skip(1))?;
    // The product is the one that has 8-bit floats.
    // SAFETY: this is the only thread.
    unsafe {
        env::set_var("CANN_STUBS_SOC", "Ascend950");
        // With it the emulator takes a backtrace for each object.
        env::remove_var("RUST_BACKTRACE");
    }
    if !options.processors.is_empty() {
        return calls::compute_for_another(&options);
    }
    let processors = processors::stay_on_one();
    let device = Device::open(0)?;
    let mut peers = Vec::new();
    #[cfg(target_arch = "x86_64")]
    if hand::runs_here() {
        peers.push(hand::peer());
    }
    peers.extend_from_slice(others);

    let mut plans = Vec::new();
    for &elements in &options.sizes {
        plans.extend(items::ITEMS.iter().map(|item| subject::item(item, elements, &peers)));
    }
    plans.extend(calls::plans(&processors));
    plans.retain(|plan| plan.title.contains(&options.only));
    let versions: Map<String, Value> =
        peers.iter().map(|peer| (peer.name.to_owned(), peer.version.clone().into())).collect();
    let about = json!({
        "backend": device.backend().to_string(), "versions": versions, "bound": processors.is_some(),
        "subjects": plans.len(), "rounds": options.rounds, "share": options.share.as_secs_f64(),
    });
    if options.serve {
        serve(&device, &about, plans, &options)
    } else {
        measure(&device, about, plans, &options)
    }
}

struct Options {
    sizes: Vec<usize>,
    /// How often all take their turns.
    rounds: usize,
    /// The time after which one takes no more turns, once it had a few.
    share: Duration,
    json: Option<String>,
    serve: bool,
    /// What is measured holds it in its title.
    only: String,
    /// The processors of a process that computes an item for another.
    processors: String,
    item: String,
    /// Whether only its bytes are moved.
    limit: bool,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let (mut rounds, mut share) = (25, Duration::from_millis(250));
        let (mut sizes, mut json, mut serve) = (Vec::new(), None, false);
        let (mut only, mut processors, mut item) = (String::new(), String::new(), String::new());
        let mut limit = false;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                // From cargo.
                "--bench" => {}
                "--json" => json = Some(value()?),
                "--serve" => serve = true,
                "--quick" => (rounds, share) = (3, Duration::from_millis(10)),
                "--only" => only = value()?,
                "--processors" => processors = value()?,
                "--item" => item = value()?,
                "--limit" => limit = true,
                elements => match elements.parse::<f64>() {
                    Ok(elements) if elements >= 256.0 => sizes.push(elements as usize),
                    _ => return Err(format!("{elements} is not a number of elements from 256 on").into()),
                },
            }
        }
        if sizes.is_empty() {
            sizes = vec![1_000, 1_000_000];
        }
        Ok(Self { sizes, rounds, share, json, serve, only, processors, item, limit })
    }
}

/// Describes each subject in a line, and takes turns for each line that is read, until `next` is read.
fn serve(device: &Device, about: &Value, plans: Vec<Plan<'_>>, options: &Options) -> Result<()> {
    println!("{about}");
    let mut lines = io::stdin().lock().lines();
    for plan in plans {
        let mut subject = plan.make(device)?;
        println!("{}", subject.about);
        loop {
            match lines.next().transpose()?.as_deref() {
                Some("next") => break,
                Some(_) => println!("{}", Value::Object(subject.round(options.share)?)),
                None => return Ok(()),
            }
        }
    }
    Ok(())
}

/// Measures every subject, and prints and writes what came out.
fn measure(device: &Device, mut about: Value, plans: Vec<Plan<'_>>, options: &Options) -> Result<()> {
    println!("backend: {}", device.backend());
    let (start, count, mut measured) = (Instant::now(), plans.len(), Vec::new());
    for (index, plan) in plans.into_iter().enumerate() {
        let title = plan.title.clone();
        let mut subject = plan.make(device)?;
        eprint!("\r\x1b[K{:>4} s: {} of {count}", start.elapsed().as_secs(), index + 1);
        let mut samples: Map<String, Value> = Map::new();
        for _ in 0..options.rounds {
            for (name, time) in subject.round(options.share)? {
                if let Value::Array(times) = samples.entry(name).or_insert_with(|| json!([])) {
                    times.push(time);
                }
            }
        }
        eprint!("\r\x1b[K");
        let names = subject.about["names"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let figures = names.map(|name| format!("{name} {:.3}", samples.get(name).map_or(f64::NAN, median)));
        println!("{title:<40} {}", figures.collect::<Vec<_>>().join(" | "));
        subject.about["samples"] = samples.into();
        measured.push(subject.about);
    }
    if let Some(file) = &options.json {
        about["measured"] = measured.into();
        fs::write(file, about.to_string())?;
    }
    Ok(())
}

fn median(times: &Value) -> f64 {
    let mut times: Vec<f64> = times.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
