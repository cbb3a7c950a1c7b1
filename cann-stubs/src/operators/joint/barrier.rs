//! Waiting for all ranks.

use crate::collective::joint::Exchange;
use crate::operators::call::{Call, Plan};
use crate::operators::{check, signatures};
use crate::status::Result;

use super::parts::Joint;

/// The tensor stays as it is. How long ranks wait is a setting of their group, whatever `timeOut` says; groups of which some
/// ranks are gone, which `elasticInfo` describes, are not emulated.
pub(super) fn distribute_barrier(call: &Call<'_>) -> Result<Plan> {
    let x = call.tensor("xRef")?;
    check::dtype(&x, signatures::distribute_barrier.takes)?;
    if call.has("elasticInfo") && call.optional_tensor("elasticInfo")?.is_some() {
        return check::not_emulated(
            "barriers of groups of which ranks are gone, so elasticInfo must be null",
        );
    }
    let mut joint = Joint::of(call, "group")?;
    joint.must_have("worldSize", call.int("worldSize")?)?;
    joint.together(Exchange::Barrier, &[])?;
    Ok(joint.plan())
}
