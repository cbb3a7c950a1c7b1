//! A process that runs cases, and may die of it.

use std::io::{self, BufWriter};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;

use aclnn_numerics::product::Product;
use anyhow::Context as _;

use super::call::Caller;
use super::cases;
use super::change::Change;
use super::frame::{Hello, send};
use super::plan::{self, Selection};
use crate::declared;
use crate::environment::Environment;

/// What a child runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Task {
    pub(super) selection: Selection,
    pub(super) seed: u64,
    pub(super) device: i32,
    /// The number of the first case.
    pub(super) from: usize,
    /// Whether the case is called with each change of its arguments, instead of with them.
    pub(super) explains: bool,
}

/// Runs cases and tells the parent through the socket that stands in for standard input, which no library writes to.
pub(super) fn run(task: &Task) -> anyhow::Result<()> {
    let socket =
        io::stdin().as_fd().try_clone_to_owned().context("a child is started by aclnn verify alone")?;
    let mut parent = BufWriter::new(UnixStream::from(socket));
    let environment = Environment::of_process();
    let device = environment.devices.iter().find(|device| device.ordinal == task.device);
    let soc = device.map(|device| device.soc.clone()).unwrap_or_default();
    let product = product(&soc);
    let cases = plan::cases(&task.selection, product);
    let number = plan::fingerprint(&cases, task.seed);
    let serves = environment.error.is_none();
    send(&mut parent, &Hello { environment, soc, cases: number })?;
    if !serves {
        return Ok(());
    }
    let caller = Caller::new(task.device)?;
    for (number, id) in cases.iter().filter(|(number, _)| *number >= task.from) {
        let operator = declared::of(id.info).context("a declared operator has a signature")?;
        let arguments = cases::arguments(&operator, id, product, task.seed);
        if task.explains {
            for (number, change) in Change::ALL.into_iter().enumerate() {
                let Some(changed) = change.arguments(&operator, &arguments) else { continue };
                send(&mut parent, &caller.call(id.info.name(), &changed, number)?)?;
            }
            break;
        }
        let frame = caller.call(id.info.name(), &arguments, *number).with_context(|| id.to_string())?;
        send(&mut parent, &frame)?;
        if frame.ends_the_process() {
            break;
        }
    }
    Ok(())
}

/// The product with a SoC name; for an unknown one that of the 910B, whose lists are the longest but for the 950.
pub(super) fn product(soc: &str) -> Product {
    Product::from_soc_name(soc).unwrap_or(Product::Ascend910B)
}
