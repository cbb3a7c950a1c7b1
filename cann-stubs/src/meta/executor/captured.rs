//! Launches that graphs store, and submit at each replay.

use std::sync::Arc;

use super::{Executor, of_runtime, submit};
use crate::meta::address_cache::Addresses;
use crate::runtime::stream::Stream;
use crate::runtime::stream::capture::{self, OperatorTask, Replaceable};
use crate::runtime::stream::work::{Places, Planned};
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

    fn submit(&self, stream: &Stream, instead: Option<Arc<Replaceable>>) -> Result {
        let find = |_: &Executor, addresses: &mut Addresses| {
            addresses.extend_from_slice(&self.addresses);
            Ok(())
        };
        submit(Arc::clone(&self.planned), true, stream, find, |planned| match instead {
            Some(instead) => instead,
            None => planned,
        })
    }

    fn run(&self) -> Result {
        let places = Places { addresses: self.addresses.clone(), ..Places::default() };
        self.planned.run(&places)
    }
}
