//! The gated delta rule.

use aclnn_numerics::DType::{self, BF16, F32, I32};
use cann_kernels::networks::attention::{DeltaRule, States, copied};

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::conversions::through;
use crate::operators::plan_builder::{Place, read_lanes};
use crate::operators::stage_planner::{Divided, StagePlanner, sizes};
use crate::operators::{check, signatures};
use crate::status::Result;

/// The most heads of values and elements of a head.
const HEADS: usize = 256;
const LARGEST: usize = 512;

/// The operands of the rule.
struct Rule<'a> {
    query: &'a Operand<'a>,
    key: &'a Operand<'a>,
    value: &'a Operand<'a>,
    beta: &'a Operand<'a>,
    decays: [Option<&'a Operand<'a>>; 2],
    /// Lengths of sequences, and the lists of states.
    lists: Vec<&'a Operand<'a>>,
    from: &'a Operand<'a>,
    to: &'a Operand<'a>,
    out: &'a Operand<'a>,
    states: States,
}

impl Rule<'_> {
    fn typed(&self) -> Result {
        let takes = signatures::delta_rule.takes;
        check::alike(&[self.query, self.key, self.value, self.beta, self.out], takes)?;
        check::all_exactly(&self.decays, F32)?;
        check::all_exactly(&self.lists, I32)?;
        match self.from.known_dtype() == self.to.known_dtype()
            && matches!(self.from.known_dtype(), Some(BF16 | F32))
        {
            true => Ok(()),
            false => invalid("states must be bf16 or f32"),
        }
    }

    fn plan(&self, scale: f64) -> Result<Plan> {
        let [tokens, key_heads, size] = sizes::<3>(self.query)?;
        let [_, heads, wide] = sizes::<3>(self.value)?;
        check::output_shape(self.key, &[tokens, key_heads, size])?;
        check::each(&[self.value, self.out], |one| check::output_shape(one, &[tokens, heads, wide]))?;
        check::output_shape(self.beta, &[tokens, heads])?;
        let [decay, columns] = self.decays;
        check::each(decay.as_slice(), |one| check::output_shape(one, &[tokens, heads]))?;
        check::each(columns.as_slice(), |one| check::output_shape(one, &[tokens, heads, size]))?;
        let [count, ..] = sizes::<4>(self.from)?;
        check::each(&[self.from, self.to], |one| check::output_shape(one, &[count, heads, wide, size]))?;
        let mut sequences = 0;
        for (number, list) in self.lists.iter().enumerate() {
            let [len] = sizes::<1>(list)?;
            sequences = if number == 0 { len } else { sequences };
            check::output_shape(list, &[if number == 1 { tokens } else { sequences }])?;
        }
        let is_possible = key_heads > 0
            && heads.is_multiple_of(key_heads)
            && (1..=HEADS).contains(&heads)
            && (1..=LARGEST).contains(&size)
            && (1..=LARGEST).contains(&wide)
            && (self.states != States::OfSequences || count == sequences);
        if !is_possible {
            return invalid(format_args!(
                "there are {key_heads} heads of keys with {size} elements and {heads} of values with {wide}: at most {HEADS}, a \
                 multiple of those of keys, and at most {LARGEST} elements"
            ));
        }
        let mut planner = StagePlanner::default();
        let mut inputs = Vec::new();
        for operand in
            [self.query, self.key, self.value, self.beta].into_iter().chain(self.decays.into_iter().flatten())
        {
            inputs.push(dense(&mut planner, operand, F32)?);
        }
        for list in &self.lists {
            inputs.push(dense(&mut planner, list, I32)?);
        }
        let dtype = check::any_dtype(self.from)?;
        inputs.push(planner.builder.look_up(self.from, self.from.in_order(dtype)?));
        let results = planner.builder.temporary(F32, tokens * heads * wide)?;
        let to = planner.builder.write(self.to, dtype, self.to.in_order(dtype)?, true)?;
        let body = DeltaRule {
            heads: [key_heads, heads],
            sizes: [size, wide],
            scale: scale as f32,
            decays: [decay.is_some(), columns.is_some()],
            states: self.states,
            conversions: [through(&[dtype, F32])?, through(&[F32, dtype])?],
        };
        planner.builder.whole(&inputs, &[results, to], body);
        if tokens > 0 {
            let out = planner.write(self.out, wide, Some(F32))?;
            planner.lanes([(results, read_lanes(wide, F32, F32)?)], [out], tokens * heads, copied());
        }
        Ok(planner.plan())
    }
}

/// The elements of an operand, one after the other, as a type.
fn dense(planner: &mut StagePlanner, operand: &Operand, seen: DType) -> Result<Place> {
    let from = planner.list(operand, Some(seen))?;
    let to = planner.kept(seen, from.1.len)?;
    let place = to.0;
    planner.lanes([from], [to], 1, copied());
    Ok(place)
}

pub(super) fn delta_rule_by_states(call: &Call<'_>) -> Result<Plan> {
    let names = ["query", "key", "value", "beta", "stateRef", "actualSeqLengths", "ssmStateIndices", "out"];
    let [query, key, value, beta, state, lengths, indices, out] = &call.tensors_of(names)?;
    let [decay, columns, accepted] = call.optional_tensors_of(["g", "gk", "numAcceptedTokens"])?;
    let mut lists = vec![lengths, indices];
    lists.extend(&accepted);
    let states = States::Numbered { accepted: accepted.is_some() };
    let decays = [decay.as_ref(), columns.as_ref()];
    let rule = Rule { query, key, value, beta, decays, lists, from: state, to: state, out, states };
    rule.typed()?;
    Divided::Generated.check(rule.plan(call.float("scaleValue")?))
}

pub(super) fn delta_rule(call: &Call<'_>) -> Result<Plan> {
    let names = ["query", "key", "value", "beta", "initialState", "actualSeqLengths", "out", "finalState"];
    let [query, key, value, beta, from, lengths, out, to] = &call.tensors_of(names)?;
    let decay = call.optional_tensor("gOptional")?;
    let (lists, states) = (vec![lengths], States::OfSequences);
    let rule = Rule { query, key, value, beta, decays: [decay.as_ref(), None], lists, from, to, out, states };
    rule.typed()?;
    Divided::Generated.check(rule.plan(call.float("scaleValue")?))
}
