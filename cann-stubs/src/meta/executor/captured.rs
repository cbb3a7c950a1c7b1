//! Launches that graphs store, and submit at each replay.

use std::sync::Arc;

use super::{Executor, of_runtime};
use crate::meta::address_cache::Addresses;
use crate::runtime::memory;
use crate::runtime::stream::capture::{self, OperatorTask, Slot};
use crate::runtime::stream::work::{Launch, Places, Planned};
use crate::runtime::stream::{Stream, Task, is_observed};
use crate::status::Result;

/// A planned operator with the addresses that its tensors had when it was launched.
struct Captured {
    planned: Arc<Executor>,
    addresses: Addresses,
}

impl Executor {
    /// Gives a launch, with a workspace of `needed` bytes, to the graph that uses the stream. `stays` says whether the executor
    /// is not consumed.
    #[cold]
    pub(super) fn capture(
        self: Arc<Self>,
        (workspace, needed): (usize, u64),
        stays: bool,
        stream: &Stream,
    ) -> Result {
        let mut addresses = Addresses::new();
        self.find_addresses(stays, &mut addresses)?;
        if needed > 0 {
            addresses.push(workspace);
        }
        self.check_memory(&addresses, stream.device)?;
        if !stays {
            self.plan.was_launched();
        }
        capture::launch(stream, Arc::new(Captured { planned: self, addresses })).map_err(of_runtime)
    }
}

impl OperatorTask for Captured {
    fn name(&self) -> &'static str {
        self.planned.operator
    }

    fn submit(&self, stream: &Stream, slot: Option<Arc<Slot>>) -> Result {
        let planned = &self.planned;
        let mut launch = Launch::blank();
        let Places { addresses, losses, distance } = &mut launch.places;
        let submission = stream.submission();
        // Before the memory is looked up.
        *losses = memory::losses();
        addresses.extend_from_slice(&self.addresses);
        planned.admit(stream, &submission, addresses, distance)?;
        let work: Arc<dyn Planned> = match slot {
            Some(slot) => slot,
            None => Arc::clone(planned) as Arc<dyn Planned>,
        };
        let task = if is_observed() {
            stream.observed(planned.operator, || planned.details()).launch(launch, work)
        } else {
            Task::Launch(launch.of(planned.operator, work))
        };
        stream.finish(submission, task);
        Ok(())
    }

    fn run(&self) -> Result {
        let places = Places { addresses: self.addresses.clone(), losses: memory::losses(), distance: None };
        self.planned.run(&places)
    }
}
