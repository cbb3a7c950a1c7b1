//! Collectives of the safe layer, in processes that emulate several devices.

#![cfg(feature = "collectives")]

mod failures;
mod handles;
mod launch;
mod results;

use std::thread;

use aclnn::collective::{Communicator, Id};
use aclnn::{Backend, BackendKind, Device, Error};

use crate::support;

pub(super) type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The number of devices in each process.
pub(super) const DEVICES: usize = 4;

/// Runs one test of these files in a process of its own, with several emulated devices, once with each way of running
/// streams; true in that process.
pub(super) fn is_alone(module: &str, test: &str, modes: &[&str]) -> Result<bool, Box<dyn std::error::Error>> {
    with(module, test, modes, &[])
}

/// As `is_alone`, with further variables.
pub(super) fn with(
    module: &str,
    test: &str,
    modes: &[&str],
    variables: &[(&str, &str)],
) -> Result<bool, Box<dyn std::error::Error>> {
    if Backend::get()?.kind() == BackendKind::Cann {
        support::skipped("ranks are emulated devices");
        return Ok(false);
    }
    let sets = modes.iter().map(|mode| {
        let mut set =
            vec![("CANN_STUBS_DEVICES", "4"), ("CANN_STUBS_STREAMS", *mode), ("CANN_STUBS_CHECK", "error")];
        set.extend(variables);
        set
    });
    Ok(support::is_alone(module, test, &sets.collect::<Vec<_>>())?)
}

/// Runs the ranks of a group in threads, and returns what each returned.
pub(super) fn in_threads<T: Send>(
    size: usize,
    rank: impl Fn(&Communicator) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let id = Id::new(&Device::open(0)?)?;
    let (id, rank) = (&id, &rank);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..size)
            .map(|number| {
                scope.spawn(move || {
                    let device = Device::open(i32::try_from(number).unwrap_or(-1))?;
                    rank(&Communicator::init(&device, id, number, size)?)
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| unreachable!("a rank panics")))
            .collect()
    })
}

/// Makes a group of the first devices, for one thread.
pub(super) fn at_once(size: usize) -> Result<Vec<Communicator>, Error> {
    Communicator::init_all(Device::all()?.get(..size).unwrap_or_default())
}
