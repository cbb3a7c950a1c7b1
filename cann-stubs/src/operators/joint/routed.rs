//! Checks that the operators for experts on several ranks share: the places of experts, and the experts that tokens choose.

use aclnn_numerics::DType::{self, Bool, I8, I32, U8};
use cann_kernels::networks::experts::exchange::Routing;
use cann_kernels::size_of_dtype;

use super::parts::Joint;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand};
use crate::operators::check;
use crate::operators::fused::one_of;
use crate::status::Result;

/// The most experts, as the emulator chooses it, and the most choices of a token and tokens of a rank.
pub(super) const MOST_EXPERTS: usize = 1024;
const MOST_CHOSEN: usize = 16;
const MOST_TOKENS: usize = 512;

/// The operand of a parameter that may be null; later versions say so in its name.
pub(super) fn optional<'c>(call: &'c Call<'_>, name: &str) -> Result<Option<Operand<'c>>> {
    let later = format!("{name}Optional");
    let names = [name, &later];
    let known = names.into_iter().find(|name| call.has(name));
    known.map_or(Ok(None), |name| call.optional_tensor(name)).map(|own| own.filter(|own| !own.is_empty()))
}

/// An output that has one of two names.
pub(super) fn output<'c>(call: &'c Call<'_>, name: &'static str) -> Result<Operand<'c>> {
    call.tensor(if call.has(name) { name } else { name.trim_end_matches("Out") })
}

/// The tokens of a call and where its experts live.
pub(super) struct Routed<'c> {
    pub(super) joint: Joint<'c>,
    pub(super) routing: Routing,
    pub(super) ids: Operand<'c>,
    pub(super) mask: Option<Operand<'c>>,
    /// The elements of a row.
    pub(super) width: usize,
    /// The counts of special experts that stand for nothing, for the token, and for the token and a row.
    pub(super) special: [usize; 3],
}

/// A number among the attributes, which must lie in a range.
fn within(call: &Call<'_>, name: &str, most: usize) -> Result<usize> {
    let value = if call.has(name) { call.int(name)? } else { 0 };
    match usize::try_from(value) {
        Ok(number) if number <= most => Ok(number),
        _ => invalid(format_args!("{name} is {value}, but must be from 0 to {most}")),
    }
}

impl<'c> Routed<'c> {
    /// Checks the attributes and the operands that all operators have. `width` is the number of elements of a row.
    pub(super) fn of(call: &'c Call<'c>, width: usize) -> Result<Self> {
        let ids = call.tensor("expertIds")?;
        let mask = optional(call, "xActiveMask")?;
        check::exactly(&ids, I32)?;
        mask.as_ref().map(|mask| one_of(mask, &[Bool, I8, U8])).transpose()?;
        for name in ["activationScale", "weightScale", "groupList", "elasticInfo"] {
            if optional(call, name)?.is_some() {
                return check::not_emulated(format_args!("experts of ranks with {name}, which must be null"));
            }
        }
        if call.int("tpWorldSize")? > 1 {
            return check::not_emulated("experts whose rows are divided, so tpWorldSize must be 0 or 1");
        }
        for name in ["expertShardType", "outDtype", "groupListType"] {
            if call.has(name) && call.int(name)? != 0 {
                return invalid(format_args!("{name} is {}, but must be 0", call.int(name)?));
            }
        }
        if call.has("commQuantMode") && call.int("commQuantMode")? != 0 {
            return check::not_emulated("rows that ranks exchange in integers, so commQuantMode must be 0");
        }
        let [tokens, chosen] = ids.shape()?[..] else {
            return invalid(format_args!("expertIds has {} axes, but must have 2", ids.rank()));
        };
        if tokens > MOST_TOKENS || !(1..=MOST_CHOSEN).contains(&chosen) || !width.is_multiple_of(32) {
            return invalid(format_args!(
                "{tokens} tokens of {width} elements choose {chosen} experts: at most are {MOST_TOKENS} tokens, a multiple \
                 of 32 elements and {MOST_CHOSEN} experts"
            ));
        }
        if let Some(mask) = &mask {
            let shape = mask.shape()?;
            if shape[..] != [tokens] && shape[..] != [tokens, chosen] {
                return invalid(format_args!("xActiveMask has shape {shape} for {tokens} tokens"));
            }
        }
        let joint = Joint::of(call, "groupEp")?;
        joint.must_have("epWorldSize", call.int("epWorldSize")?)?;
        if usize::try_from(call.int("epRankId")?) != Ok(joint.rank) {
            return invalid(format_args!(
                "epRankId is {}, but this is rank {} of the group",
                call.int("epRankId")?,
                joint.rank
            ));
        }
        let shared_ranks = within(call, "sharedExpertRankNum", joint.ranks - 1)?;
        let shared = within(call, "sharedExpertNum", MOST_EXPERTS)?;
        let experts = within(call, "moeExpertNum", MOST_EXPERTS)?;
        let others = joint.ranks - shared_ranks;
        if experts == 0 || experts % others != 0 {
            return invalid(format_args!("{experts} experts have no equal numbers on {others} ranks"));
        }
        let shared = if shared_ranks == 0 { 0 } else { shared };
        if shared_ranks > 0 && (shared == 0 || shared_ranks % shared != 0) {
            return invalid(format_args!(
                "{shared} shared experts have no equal numbers of {shared_ranks} ranks"
            ));
        }
        let mut special = [0; 3];
        for (number, name) in special.iter_mut().zip(["zeroExpertNum", "copyExpertNum", "constExpertNum"]) {
            *number = within(call, name, MOST_EXPERTS)?;
        }
        let routing = Routing {
            tokens,
            chosen,
            rank: joint.rank,
            ranks: joint.ranks,
            shared,
            shared_ranks,
            local: experts / others,
            experts,
            special: special.iter().sum(),
        };
        Ok(Self { joint, routing, ids, mask, width, special })
    }
}

/// The bytes of a row of `width` elements.
pub(super) fn bytes_of(width: usize, dtype: DType) -> usize {
    width.saturating_mul(size_of_dtype(dtype))
}

/// The input of a number, or nothing, aligned for any type, where there is none.
pub(super) fn input<'a>(inputs: &[&'a [u8]], number: Option<usize>) -> &'a [u8] {
    let found = number.and_then(|number| inputs.get(number)).copied();
    found.unwrap_or_else(|| bytemuck::cast_slice::<u64, u8>(&[]))
}

/// Takes the output of a number, which can be taken once; nothing, aligned for any type, where there is none.
pub(super) fn take<'a>(outputs: &mut [&'a mut [u8]], number: Option<usize>) -> &'a mut [u8] {
    let nothing = bytemuck::cast_slice_mut::<u64, u8>(&mut []);
    match number.and_then(|number| outputs.get_mut(number)) {
        Some(output) => std::mem::replace(output, nothing),
        None => nothing,
    }
}
