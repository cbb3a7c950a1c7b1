//! Requirements of a launch on the memory of its tensors and of its workspace.

use aclnn_sys::{ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_RUNTIME_ERROR};
use cann_kernels::Span;
use smallvec::SmallVec;

use super::{Executor, touched};
use crate::check;
use crate::check::tracker::{Access, Purpose};
use crate::misuse::{Check, Level};
use crate::runtime::memory;
use crate::status::{Result, Status};

impl Executor {
    /// Checks the memory of a launch on `device`: that of the tensors and of the workspace, which comes after them if the plan
    /// has one. Returns the bytes that are touched, and how far behind their addresses they are.
    #[cold]
    pub(super) fn check_memory(
        &self,
        addresses: &[usize],
        device: i32,
    ) -> Result<(SmallVec<[Access; 4]>, Option<isize>)> {
        let (tensors, workspace) = addresses.split_at(self.tensors.len().min(addresses.len()));
        if let [workspace] = workspace {
            self.check_workspace(*workspace, device)?;
        }
        let mut accesses = self.check_tensors(tensors, device)?;
        if let [workspace] = workspace
            && check::is_tracking()
        {
            let span = Span::dense(*workspace, self.plan.workspace as usize);
            must_lie_apart(&span, &accesses)?;
            accesses.push(Access { name: "workspace", span, purpose: Purpose::Workspace });
        }
        Ok((accesses, self.distance(addresses, device)))
    }

    /// Checks that the workspace is memory that `device` reaches.
    pub(super) fn check_workspace(&self, workspace: usize, device: i32) -> Result {
        let bytes = memory::device_bytes(workspace, self.plan.workspace as usize);
        let reached = bytes.and_then(|_| memory::must_reach(device, workspace));
        reached.map_err(|status| {
            let message = format!("the workspace: {}", status.message);
            status.with_code(ACLNN_ERR_PARAM_INVALID).with_message(message)
        })
    }

    /// Checks that the tensors lie in memory that `device` reaches and overlap only as a device allows it. Returns the bytes
    /// that a launch touches.
    fn check_tensors(&self, addresses: &[usize], device: i32) -> Result<SmallVec<[Access; 4]>> {
        let Some(kernel) = &self.plan.kernel else { return Ok(SmallVec::new()) };
        let wrong = |status: Status| status.with_code(ACLNN_ERR_PARAM_INVALID);
        touched::must_lie_in_memory(kernel, device, addresses, self.names()).map_err(wrong)?;
        let accesses = touched::accesses(kernel, addresses, &self.plan.tensors);
        if check::level() != Level::Off {
            self.check_overlap(&accesses)?;
            Self::check_outputs(&accesses)?;
        }
        Ok(accesses)
    }

    /// How far behind an address its byte is, if all addresses that a launch uses are those of allocations of the device.
    fn distance(&self, addresses: &[usize], device: i32) -> Option<isize> {
        // A view may lie in other memory than the address of its tensor.
        let views = self.plan.kernel.as_ref()?.views().iter();
        let firsts = views.zip(addresses).map(|(view, &address)| view.first_at(address));
        memory::distance(device, addresses.iter().copied().chain(firsts))
    }

    /// Refuses an output that overlaps an input where a device would write elements that it has still to read. The same
    /// elements at the same addresses are allowed.
    fn check_overlap(&self, accesses: &[Access]) -> Result {
        let tensors = &self.plan.tensors;
        // Tensors of a list have one name; a tensor without elements has no access.
        let direct = |(number, access): &(usize, &Access)| match tensors.get(*number) {
            Some(tensor) if accesses.len() == tensors.len() => tensor.direct,
            _ => tensors.iter().any(|tensor| tensor.name == access.name && tensor.direct),
        };
        let (outputs, inputs): (SmallVec<[&Access; 4]>, SmallVec<[&Access; 4]>) = accesses
            .iter()
            .enumerate()
            .filter(direct)
            .map(|(_, access)| access)
            .partition(|access| matches!(access.purpose, Purpose::Write | Purpose::Receive));
        // Of many inputs and outputs most lie in other memory altogether.
        let low = inputs.iter().map(|input| input.span.start()).min().unwrap_or(0);
        let high = inputs.iter().map(|input| input.span.end()).max().unwrap_or(0);
        for output in
            outputs.into_iter().filter(|output| output.span.start() < high && output.span.end() > low)
        {
            let overlaps = |input: &&&Access| input.span != output.span && input.span.overlaps(&output.span);
            if let Some(input) = inputs.iter().find(overlaps) {
                let message = format!(
                    "{} overlaps {} in part, and a device writes it while it reads; make them the same, or apart",
                    output.name, input.name
                );
                return Err(Status::new(ACLNN_ERR_RUNTIME_ERROR, message).of(Check::Overlap));
            }
        }
        Ok(())
    }

    /// Refuses two outputs that use the same bytes: of one of them the results would be lost.
    fn check_outputs(accesses: &[Access]) -> Result {
        let is_written = |access: &&Access| matches!(access.purpose, Purpose::Write | Purpose::Receive);
        let mut written: SmallVec<[&Access; 4]> = accesses.iter().filter(is_written).collect();
        written.sort_unstable_by_key(|access| access.span.start());
        // A kernel may write parts of one operand one after the other, and a list may have a tensor twice, which is computed
        // twice.
        let is_one = |a: &Access, b: &Access| a.name == b.name;
        for (index, first) in written.iter().enumerate() {
            let reached =
                written[index + 1..].iter().take_while(|other| other.span.start() < first.span.end());
            for second in reached {
                if !is_one(first, second) && first.span.overlaps(&second.span) {
                    let message = format!(
                        "the outputs {} and {} use the same memory, so that one of the results would be lost; give each \
                         memory of its own",
                        first.name, second.name
                    );
                    return Err(Status::new(ACLNN_ERR_RUNTIME_ERROR, message).of(Check::Overlap));
                }
            }
        }
        Ok(())
    }
}

/// Refuses a workspace that a tensor of the operator lies in: a device writes there while it computes.
fn must_lie_apart(workspace: &Span, accesses: &[Access]) -> Result {
    match accesses.iter().find(|access| access.span.overlaps(workspace)) {
        Some(access) if check::level() != Level::Off => {
            let message = format!(
                "the workspace overlaps {}, and a device writes there while it computes; give it memory of its own",
                access.name
            );
            Err(Status::new(ACLNN_ERR_RUNTIME_ERROR, message).of(Check::Overlap))
        }
        _ => Ok(()),
    }
}
