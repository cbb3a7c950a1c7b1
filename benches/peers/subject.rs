//! A subject of measurement: several ways to do the same, which take turns.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use aclnn::{DType, Device, Tensor};
use serde_json::{Map, Value};

use super::Result;
use super::items::Item;
use super::limit::{Pass, Stores};
use super::ours::Call;

/// Elements that a sample covers, so that the clock, the wait for the stream and caches that another process has filled weigh
/// little.
const SAMPLE: usize = 8_000_000;

/// The most runs of a sample: so many that the first ones weigh little, which come after the turn of another process.
const MOST: usize = 5_000;

/// Of so few elements the fixed cost of a call is a large part, so that it is measured beside them.
const SMALL: usize = 1_000;

/// What makes a subject on a device.
type Make<'a> = Box<dyn FnOnce(&Device) -> Result<Subject> + 'a>;

/// A subject that is not made yet, so that its memory is not allocated.
pub(crate) struct Plan<'a> {
    pub(crate) title: String,
    make: Make<'a>,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(title: String, make: impl FnOnce(&Device) -> Result<Subject> + 'a) -> Self {
        Self { title, make: Box::new(make) }
    }

    pub(crate) fn make(self, device: &Device) -> Result<Subject> {
        (self.make)(device)
    }
}

/// Several ways to do the same.
pub(crate) struct Subject {
    /// What is done, for another program that does it too.
    pub(crate) about: Value,
    runners: Vec<Runner>,
    random: fastrand::Rng,
}

/// A way to do it.
pub(crate) struct Runner {
    name: String,
    /// By how much the time of one run is divided: the elements of the result, or one.
    units: usize,
    /// The runs of a sample.
    times: usize,
    /// Runs as often as it is told, and returns the time.
    sample: Box<dyn FnMut(usize) -> Result<Duration>>,
    spent: Duration,
    taken: usize,
    /// Whether one run takes so long that the caches are as it leaves them at its beginning too.
    long: bool,
}

/// A library, or a way to write loops, that is measured beside this project.
#[derive(Clone)]
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    pub(crate) version: String,
    pub(crate) prepare: Prepare,
}

/// Makes an item of this shape ready, with the bytes of its inputs; `None` if the library lacks it.
type Prepare = fn(&Item, &[usize], &[Vec<u8>]) -> Option<Box<dyn Run>>;

/// An item that is ready.
pub(crate) trait Run {
    fn run(&mut self) -> Result<()>;

    /// Returns the bytes of the result, of the type of the item.
    fn result(&mut self) -> Result<Vec<u8>>;
}

impl Runner {
    /// The samples that even a slow one takes.
    const LEAST: usize = 5;

    /// Calls `run` and divides its time by `units`.
    pub(crate) fn new(
        name: impl Into<String>,
        units: usize,
        mut run: impl FnMut(usize) -> Result<()> + 'static,
    ) -> Self {
        Self::timed(name, units, move |times| {
            let start = Instant::now();
            run(times)?;
            Ok(start.elapsed())
        })
    }

    /// Takes the time that `sample` returns.
    pub(crate) fn timed(
        name: impl Into<String>,
        units: usize,
        sample: impl FnMut(usize) -> Result<Duration> + 'static,
    ) -> Self {
        let times = (SAMPLE / units).clamp(1, MOST);
        Self {
            name: name.into(),
            units,
            times,
            sample: Box::new(sample),
            spent: Duration::ZERO,
            taken: 0,
            long: false,
        }
    }

    /// Returns the nanoseconds of a unit, unless it had its share of the time.
    fn turn(&mut self, share: Duration) -> Result<Option<f64>> {
        if self.taken >= Self::LEAST && self.spent >= share {
            return Ok(None);
        }
        let start = Instant::now();
        // Once before the clock starts, to have the caches as this one leaves them.
        if !self.long {
            (self.sample)(1)?;
        }
        let time = (self.sample)(self.times)?;
        self.long = time >= self.times as u32 * Duration::from_millis(20);
        self.spent += start.elapsed();
        self.taken += 1;
        Ok(Some(time.as_nanos() as f64 / (self.times * self.units) as f64))
    }
}

impl Subject {
    pub(crate) fn new(mut about: Value, runners: Vec<Runner>) -> Self {
        about["names"] = runners.iter().map(|runner| runner.name.as_str()).collect();
        Self { about, runners, random: fastrand::Rng::with_seed(1) }
    }

    /// Lets each take its turn, and returns the nanoseconds of those that did. Nobody always comes after the same one: who
    /// comes after streaming stores finds more room in the caches.
    pub(crate) fn round(&mut self, share: Duration) -> Result<Map<String, Value>> {
        let mut times = Map::new();
        self.random.shuffle(&mut self.runners);
        for runner in &mut self.runners {
            if let Some(time) = runner.turn(share)? {
                times.insert(runner.name.clone(), time.into());
            }
        }
        Ok(times)
    }
}

/// Plans an item: this project, its limit, and the peers that have it.
pub(crate) fn item<'a>(item: &'static Item, elements: usize, peers: &'a [Peer]) -> Plan<'a> {
    Plan::new(format!("{}, {elements} elements", item.name), move |device| {
        let shape = item.shape(elements);
        let count = shape.iter().product();
        let (read, written) = item.bytes(&shape);
        let call = Call::new(device, item, &shape)?;
        let inputs = call.inputs()?;
        call.run(1)?;
        let expected = numbers(&call.result())?;

        let pass = Rc::new(RefCell::new(Pass::new(&read, written)));
        let limit = |name, stores| {
            let pass = Rc::clone(&pass);
            Runner::new(name, count, move |times| {
                (0..times).for_each(|_| pass.borrow_mut().run(stores));
                Ok(())
            })
        };
        let mut runners = vec![
            Runner::new("this project", count, move |times| Ok(call.run(times)?)),
            limit("limit", Stores::Cached),
            limit("limit, streaming", Stores::Streaming),
        ];
        if elements <= SMALL {
            let call = Call::new(device, item, &item.shape(1))?;
            runners.push(Runner::new("this project, one element", 1, move |times| Ok(call.run(times)?)));
        }
        for peer in peers {
            let Some(mut ready) = (peer.prepare)(item, &shape, &inputs) else { continue };
            ready.run()?;
            let result = Tensor::from_bytes(device, item.out, &ready.result()?, [count])?;
            if !agree(&numbers(&result)?, &expected) {
                eprintln!("\r\x1b[K{}: {}: computes other numbers", peer.name, item.name);
                continue;
            }
            runners
                .push(Runner::new(peer.name, count, move |times| (0..times).try_for_each(|_| ready.run())));
        }
        Ok(Subject::new(item.describe(elements), runners))
    })
}

fn numbers(tensor: &Tensor) -> Result<Vec<f32>> {
    Ok(tensor.cast(DType::F32)?.to_vec()?)
}

/// Returns whether the numbers are the same but for rounding.
fn agree(numbers: &[f32], expected: &[f32]) -> bool {
    let close = |(a, b): (&f32, &f32)| a == b || (a - b).abs() <= 0.02 + 0.02 * b.abs();
    numbers.len() == expected.len() && numbers.iter().zip(expected).all(close)
}
