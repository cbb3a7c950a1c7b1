//! The gradients of attention.

use aclnn_numerics::DType::F32;
use cann_kernels::networks::attention::{Backward, Statistics, sum_of_rows};
use cann_kernels::size_of_dtype;

use super::heads::{Heads, not_emulated, one_for_each, when_tiled};
use super::infer::noted;
use super::lengths::Part;
use super::problem::Problem;
use super::train::{Operands, like, needed};
use super::visible::Grid;
use crate::operators::axes::{invalid, tasks, temporaries};
use crate::operators::call::{Call, Plan};
use crate::operators::check;
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::operators::signatures;
use crate::status::Result;

pub(super) fn attention_backward(call: &Call<'_>) -> Result<Plan> {
    let operands = Operands::of(call, "keyIn", "pseShiftOptional")?;
    let [dy, dq, dk, dv] = call.tensors_of(["dy", "dqOut", "dkOut", "dvOut"])?;
    let (max, sum) = (needed(call, "softmaxMaxOptional")?, needed(call, "softmaxSumOptional")?);
    let optional = |name| if call.has(name) { call.optional_tensor(name) } else { Ok(None) };
    let (dshift, dsinks) = (optional("dpseOut")?, optional("dsinkOut")?);
    let (dq_rope, dk_rope) = (optional("dqRopeOut")?, optional("dkRopeOut")?);
    let operands = operands.typed(call, signatures::attention_backward.takes, &[&dy, &dq, &dk, &dv])?;
    let (dtype, layout) = (operands.dtype, operands.layout);
    let problem = operands.problem(call)?;
    let (sizes, [groups, each]) = (problem.query.sizes(), problem.groups());
    let (key, value) = (&problem.keys[0], &problem.values[0]);
    let dy = like(&dy, &problem, layout, value.size)?;
    let dq = like(&dq, &problem, layout, problem.query.size)?;
    let of_keys = |operand, like: &Heads<'_>| {
        let own = Heads::of(operand, dtype, layout, key.heads).map_err(when_tiled)?;
        match own.sizes() == like.sizes() {
            true => Ok(own),
            false => check::untiled(format_args!(
                "{} has not the sizes of {}",
                own.operand.name, like.operand.name
            )),
        }
    };
    let (dk, dv) = (of_keys(&dk, key)?, of_keys(&dv, value)?);
    let separate = match (&problem.rope, &dq_rope, &dk_rope) {
        (None, ..) => None,
        (Some([of_query, of_key]), Some(dq), Some(dk)) => {
            for operand in [dq, dk] {
                check::exactly(operand, dtype)?;
            }
            let dq = Heads::of(dq, dtype, layout, sizes[1]).map_err(when_tiled)?;
            let dk = Heads::of(dk, dtype, layout, key.heads).map_err(when_tiled)?;
            if dq.sizes() != of_query.sizes() || dk.sizes() != of_key.sizes() {
                return check::untiled(
                    "dqRopeOut and dkRopeOut have not the sizes of queryRope and keyInRope",
                );
            }
            Some([dq, dk])
        }
        _ => return check::untiled("queryRope and keyInRope have gradients, but no outputs for them"),
    };
    let dsinks = dsinks.filter(|_| problem.sinks.is_some());
    if let Some(dsinks) = &dsinks {
        one_for_each(dsinks, &[F32], sizes[1]).map_err(when_tiled)?;
    }
    let max = noted(&max, layout, sizes, Statistics::COPIES)?;
    let sum = noted(&sum, layout, sizes, Statistics::COPIES)?;
    // A gradient of nothing has no elements; it is left as it is.
    let dshift = dshift.filter(|_| problem.shift.is_some());
    let full = [sizes[0], sizes[1], sizes[2], key.tokens];
    let dshift = match &dshift {
        None => None,
        Some(dshift) => {
            if dshift.known_dtype() != Some(dtype) {
                return invalid(format_args!("{} is not {dtype}, the type of query", dshift.name));
            }
            let grid = Grid::of(dshift, dtype, full, false)?;
            if !grid.is_whole(full) {
                return not_emulated("dpseOut of a pse that several batches, heads or queries share");
            }
            Some(grid)
        }
    };
    let mut builder = PlanBuilder::new();
    let mut of_sinks = Vec::new();
    for part in &problem.parts {
        let Part { batches, queries, key_batches, keys, .. } = part;
        let lanes = batches.len() * groups;
        let mut outputs =
            vec![(&dq, batches, queries, each), (&dk, key_batches, keys, 1), (&dv, key_batches, keys, 1)];
        if let Some([dq, dk]) = &separate {
            outputs.extend([(dq, batches, queries, each), (dk, key_batches, keys, 1)]);
        }
        if queries.is_empty() || keys.is_empty() || lanes == 0 {
            for (heads, batches, tokens, each) in outputs {
                let view = heads.view(batches, tokens, [groups, each])?;
                let shape = view.shape().to_vec();
                if !shape.contains(&0) {
                    let place = builder.write(heads.operand, dtype, view, true)?;
                    builder.fill(place, &shape, &[0; 8][..size_of_dtype(dtype)]);
                }
            }
            continue;
        }
        let mut inputs = Vec::new();
        for (heads, batches, tokens, each) in [
            (&problem.query, batches, queries, each),
            (key, key_batches, keys, 1),
            (value, key_batches, keys, 1),
            (&dy, batches, queries, each),
            (&max, batches, queries, each),
            (&sum, batches, queries, each),
        ] {
            let view = heads.view(batches, tokens, [groups, each])?;
            let lane = read_lanes(each * tokens.len() * heads.size, heads.dtype, F32)?;
            inputs.push((builder.read(heads.operand, view, true), lane));
        }
        problem.beside(&mut builder, part, each, &mut inputs)?;
        let mut written = Vec::new();
        for (heads, batches, tokens, each) in outputs {
            let view = heads.view(batches, tokens, [groups, each])?;
            let lane = written_lanes(each * tokens.len() * heads.size, F32, dtype)?;
            written.push((builder.write(heads.operand, dtype, view, true)?, lane));
        }
        if dsinks.is_some() {
            let place = builder.temporary(F32, lanes * each)?;
            of_sinks.push((place, read_lanes(lanes * each, F32, F32)?));
            written.push((place, read_lanes(each, F32, F32)?));
        }
        if let Some(dshift) = &dshift {
            let view = dshift.view(batches, [groups, each], queries.len(), keys.len())?;
            let lane = written_lanes(each * queries.len() * keys.len(), F32, dtype)?;
            written.push((builder.write(dshift.operand, dtype, view, true)?, lane));
        }
        let (scores, has_sinks) = (problem.scores(part, each), dsinks.is_some());
        let body = Backward { scores, size: value.size, heads: each, has_sinks };
        builder.lanes(inputs, written, lanes, body);
    }
    let mut covered = vec![(&dq, false), (&dk, true), (&dv, true)];
    covered.extend(separate.iter().flat_map(|[dq, dk]| [(dq, false), (dk, true)]));
    cover(&mut builder, &problem, &covered)?;
    if let Some(dsinks) = &dsinks {
        let to = builder.write(dsinks, F32, dsinks.in_order(F32)?, true)?;
        builder.lanes(of_sinks, [(to, written_lanes(sizes[1], F32, F32)?)], 1, sum_of_rows());
    }
    let mut kept = Vec::new();
    for heads in [&problem.query, key, value, &dq, &dk, &dv] {
        kept.push((heads.operand, heads.dtype, F32));
    }
    Ok(builder.plan(temporaries(&kept)).by(tasks(true, &[])))
}

/// Writes zeros to the tokens behind the last sequence.
fn cover(builder: &mut PlanBuilder, problem: &Problem<'_>, outputs: &[(&Heads<'_>, bool)]) -> Result {
    let Some(last) = problem.parts.last() else { return Ok(()) };
    for (heads, is_of_keys) in outputs {
        let end = if *is_of_keys { last.keys.end } else { last.queries.end };
        let view = heads.view(&(0..heads.batches), &(end..heads.tokens), [heads.heads, 1])?;
        let shape = view.shape().to_vec();
        if !shape.contains(&0) {
            let place = builder.write(heads.operand, heads.dtype, view, true)?;
            builder.fill(place, &shape, &[0; 8][..size_of_dtype(heads.dtype)]);
        }
    }
    Ok(())
}
