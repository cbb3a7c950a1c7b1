//! Launches of operators of several ranks, whose plans have parts.

use std::sync::Arc;

use aclnn_sys::{ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT, ACLNN_ERR_INNER};
use smallvec::SmallVec;

use super::{Executor, of_runtime, submit};
use crate::collective::joint::{self, Broken, Exchange, Kept};
use crate::meta::address_cache::Addresses;
use crate::meta::plan::Part;
use crate::meta::tensor::TENSORS;
use crate::runtime::stream::work::{Places, Planned};
use crate::runtime::stream::{Stream, capture};
use crate::status::{Result, Status};

/// Work that a rank does alone.
struct Alone {
    work: Arc<Executor>,
    broken: Broken,
}

impl Planned for Alone {
    fn run_brief(&self, _: &Places) -> Option<Result> {
        None
    }

    fn run(&self, places: &Places) -> Result {
        // The stream has failed already.
        if self.broken.is_set() {
            return Ok(());
        }
        // Work that panics leaves it so.
        self.broken.set(true);
        let outcome = self.work.run(places);
        self.broken.set(outcome.is_err());
        outcome
    }

    fn recycle(self: Arc<Self>) {}
}

/// A part, with the addresses of its tensors.
enum Found<'a> {
    Alone(Executor, &'a [usize]),
    Together(&'a Kept, Exchange, Addresses),
}

/// The failure of a part that ranks do together.
fn inner(status: Status) -> Status {
    status.with_code(ACLNN_ERR_INNER)
}

impl Executor {
    /// Queues the parts of the plan on a stream, one after the other; or stores the operator in the graph that the stream is
    /// captured into.
    pub(super) fn queue_parts(self: Arc<Self>, workspace: usize, stream: &Stream) -> Result {
        if self.plan.workspace > 0 {
            self.check_workspace(workspace, stream.device)?;
        }
        let mut addresses = Addresses::new();
        for (number, (handle, planned)) in self.tensors.iter().zip(&self.plan.tensors).enumerate() {
            addresses.push(match planned.slot.workspace() {
                Some(offset) => workspace.saturating_add(offset),
                None => TENSORS
                    .with(*handle, |tensor| tensor.address())
                    .map_err(|why| self.lacks((number, why)))?,
            });
        }
        let groups = self.groups(stream.device)?;
        if !stream.is_used_by_graph() {
            return self.submit_parts(&addresses, &groups, stream);
        }
        if !stream.is_captured() {
            let message = "an operator of several ranks replaces no task of a graph";
            return Err(of_runtime(Status::new(ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT, message)));
        }
        self.each_part(&addresses, &groups, |part| match part {
            Found::Alone(alone, own) => alone.check_memory(own, stream.device).map(drop),
            Found::Together(group, exchange, buffers) => {
                joint::launch((self.operator, None), group, exchange, &buffers, stream).map_err(inner)
            }
        })?;
        let (operator, stored) = (self.operator, groups.clone());
        capture::submit(stream, operator, move |stream| self.submit_parts(&addresses, &stored, stream))
            .map_err(of_runtime)?;
        groups.iter().for_each(Kept::forget_refusal);
        Ok(())
    }

    /// The place of the device in the group of each part that ranks do together.
    fn groups(&self, device: i32) -> Result<Vec<Kept>> {
        let names = self.plan.parts.iter().filter_map(|part| match part {
            Part::Alone(_) => None,
            Part::Together(group, ..) => Some(group),
        });
        names.map(|group| joint::find(group, device).map_err(inner)).collect()
    }

    /// Visits the parts, with the addresses of their tensors.
    fn each_part(
        &self,
        addresses: &[usize],
        groups: &[Kept],
        mut visit: impl FnMut(Found<'_>) -> Result,
    ) -> Result {
        let (mut rest, mut handles, mut groups) = (addresses, &self.tensors[..], groups.iter());
        for part in &self.plan.parts {
            let count = part.tensors().min(rest.len());
            let (own, others) = rest.split_at(count);
            let (own_handles, other_handles) = handles.split_at(count);
            (rest, handles) = (others, other_handles);
            match part {
                Part::Alone(plan) => {
                    let tensors = SmallVec::from_slice(own_handles);
                    visit(Found::Alone(Executor { tensors, ..Executor::blank(self.operator, plan) }, own))?;
                }
                Part::Together(_, exchange, offsets) => {
                    let buffers = own.iter().zip(offsets).map(|(own, offset)| own.saturating_add(*offset));
                    if let Some(group) = groups.next() {
                        visit(Found::Together(group, *exchange, buffers.collect()))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn submit_parts(&self, addresses: &[usize], groups: &[Kept], stream: &Stream) -> Result {
        let broken = Broken::default();
        self.each_part(addresses, groups, |part| match part {
            Found::Alone(alone, own) => {
                let find = |_: &Executor, addresses: &mut Addresses| {
                    addresses.extend_from_slice(own);
                    Ok(())
                };
                let broken = broken.clone();
                submit(Arc::new(alone), false, stream, find, |work| Arc::new(Alone { work, broken }))
            }
            Found::Together(group, exchange, buffers) => {
                joint::launch((self.operator, Some(&broken)), group, exchange, &buffers, stream)
                    .map_err(inner)
            }
        })
    }
}
