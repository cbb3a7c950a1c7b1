//! Conversions, mixed arithmetic and ranges compared with the limit of memory, on one thread.
//!
//! `cargo bench --bench peers -- [--json FILE] [--repeats N] [ELEMENTS...]`, such as `1e5 1.6e7`. An item goes through the
//! two-phase C interface with a repeated executor. Its limit is a pass over the same number of bytes that computes nothing.
//! Both take turns, and each figure is the median of its repetitions. `benches/peers.py` reads
//! the items of the file and measures other libraries.

mod items;
mod limit;
mod ours;

use std::error::Error;
use std::time::Instant;
use std::{env, fs};

use aclnn::Device;

use items::{ITEMS, Item};
use limit::{Pass, Stores};
use ours::Call;

/// Elements that a sample covers, so that the clock and the wait for the stream weigh little.
const SAMPLE: usize = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse(env::args().skip(1))?;
    // The product is the one that has 8-bit floats; an executor whose plan the library keeps cannot be repeated.
    for (name, value) in [("CANN_STUBS_SOC", "Ascend950"), ("DISABLE_L2_CACHE", "1")] {
        // SAFETY: this is the only thread.
        unsafe { env::set_var(name, value) };
    }
    let on_one = stay_on_one_processor();
    let device = Device::open(0)?;
    println!("backend: {}", device.backend());
    println!(
        "{}",
        if on_one { "on one processor" } else { "on every processor: the process cannot be bound to one" }
    );

    let mut measured = Vec::new();
    for &elements in &options.sizes {
        println!("\n{elements} elements, ns per element, medians of {}", options.repeats);
        println!("{:<24} {:>9} {:>9} {:>10} {:>8}", "", "time", "limit", "% of limit", "× limit");
        let mut ratios = Vec::new();
        for (index, item) in ITEMS.iter().enumerate() {
            eprint!("\r{elements} elements: {} of {}", index + 1, ITEMS.len());
            let (time, limit) = measure(&device, item, elements, options.repeats)?;
            eprint!("\r{:40}\r", "");
            let ratio = time / limit;
            println!("{:<24} {time:>9.3} {limit:>9.3} {:>10.0} {ratio:>8.2}", item.name, 100.0 / ratio);
            ratios.push(ratio);
            let mut row = item.describe(elements);
            row["time"] = time.into();
            row["limit"] = limit.into();
            measured.push(row);
        }
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let worst = ratios.into_iter().fold(0.0, f64::max);
        println!("geometric mean of {} items: {mean:.2} times the limit; the worst: {worst:.1}", ITEMS.len());
    }
    if let Some(file) = options.json {
        let report = serde_json::json!({ "backend": device.backend().to_string(), "items": measured });
        fs::write(file, report.to_string())?;
    }
    Ok(())
}

struct Options {
    sizes: Vec<usize>,
    repeats: usize,
    json: Option<String>,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let mut options = Self { sizes: Vec::new(), repeats: 9, json: None };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                // From cargo.
                "--bench" => {}
                "--json" => options.json = Some(value()?),
                "--repeats" => options.repeats = value()?.parse::<usize>()?.max(1),
                elements => match elements.parse::<f64>() {
                    Ok(elements) if elements >= 16.0 => options.sizes.push(elements as usize),
                    _ => return Err(format!("{elements} is not a number of elements from 16 on").into()),
                },
            }
        }
        if options.sizes.is_empty() {
            options.sizes = vec![1_000, 1_000_000];
        }
        Ok(options)
    }
}

/// Returns the nanoseconds per element of an item and of its limit.
fn measure(device: &Device, item: &Item, elements: usize, repeats: usize) -> aclnn::Result<(f64, f64)> {
    let shape = item.shape(elements);
    let count: usize = shape.iter().product();
    // Few enough launches that the emulator leaves them to the thread that waits.
    let times = (SAMPLE / count).clamp(1, 500);
    let call = Call::new(device, item, &shape)?;
    let (read, written) = item.bytes(&shape);
    let mut pass = Pass::new(&read, written);

    let each = |start: Instant| start.elapsed().as_nanos() as f64 / (times * count) as f64;
    let (mut ours, mut limits) = (Vec::new(), [Vec::new(), Vec::new()]);
    for _ in 0..repeats {
        // Once before the clock starts, to have the caches as this one leaves them.
        call.run(1)?;
        let start = Instant::now();
        call.run(times)?;
        ours.push(each(start));
        for (stores, limits) in [Stores::Cached, Stores::Streaming].into_iter().zip(&mut limits) {
            pass.run(stores);
            let start = Instant::now();
            for _ in 0..times {
                pass.run(stores);
            }
            limits.push(each(start));
        }
    }
    let [cached, streaming] = limits;
    Ok((median(ours), median(cached).min(median(streaming))))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Binds this process to the processor that it runs on, so that the emulator uses one thread. Returns whether it is bound.
fn stay_on_one_processor() -> bool {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: a set of processors is plain data, and the calls read and write it alone.
        unsafe {
            let Ok(processor) = usize::try_from(libc::sched_getcpu()) else { return false };
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(processor, &mut set);
            libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set) == 0
        }
    }
    #[cfg(not(target_os = "linux"))]
    false
}
