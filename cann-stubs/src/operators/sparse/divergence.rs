//! The divergence of the scores that choose keys from the weights of attention, and its gradients.

use aclnn_numerics::DType::{F32, I32};
use cann_kernels::LaneFunction;
use cann_kernels::networks::attention::{Divergence, Indexer};

use super::indexer::{host, sequences_of_host};
use super::layout::{Heads, causal, fit, known, of_keys, unbounded};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::stage_planner::{Divided, StagePlanner, typed};
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn divergence(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["query", "key", "queryIndex", "keyIndex", "dQueryIndex", "dKeyIndex"])?;
    let [query, key, query_index, key_index, dq, dk] = &tensors;
    let [weights, most, sum] = call.tensors_of(["weights", "softmaxMax", "softmaxSum"])?;
    let [dw, loss] = call.tensors_of(["dWeights", "loss"])?;
    let is_sparse = call.has("sparseIndices");
    // What says which keys count: lists, or what is known of all scores.
    let beside = match is_sparse {
        true => vec![call.tensor("sparseIndices")?],
        false => Vec::from(call.tensors_of(["softmaxMaxIndex", "softmaxSumIndex"])?),
    };
    let ropes = [call.optional_tensor("queryRope")?, call.optional_tensor("keyRope")?];
    let floats: Vec<&Operand> = tensors.iter().chain(ropes.iter().flatten()).collect();
    let dtype = check::alike(&floats, signatures::divergence.takes)?;
    typed(&weights, &[dtype, F32])?;
    check::exactly(&dw, check::any_dtype(&weights)?)?;
    check::exactly(&loss, F32)?;
    let of_beside = if is_sparse { I32 } else { F32 };
    check::all_exactly(&beside, of_beside)?;
    Divided::Generated.check((|| {
        let layout = call.optional_text("layout")?.unwrap_or_else(|| "BSND".to_owned());
        of_keys(&layout, &layout)?;
        let (of_query, of_key) = (Heads::of(query, &layout)?, Heads::of(key, &layout)?);
        let (own, keys) = (Heads::of(query_index, &layout)?, Heads::of(key_index, &layout)?);
        let [heads, size] = [own.heads, own.size];
        fit(query_index, heads > 0 && size > 0)?;
        fit(key_index, keys.heads == 1 && keys.size == size && keys.batches == own.batches)?;
        let fits = of_key.heads > 0
            && of_query.heads.is_multiple_of(of_key.heads)
            && of_query.heads * of_query.size > 0;
        own.like(query, [of_query.heads, of_query.size])?;
        fit(query, fits)?;
        keys.like(key, [of_key.heads, of_query.size])?;
        let rope = match &ropes {
            [Some(of_query), Some(_)] => of_query.shape()?.last().copied().unwrap_or(0),
            _ => 0,
        };
        for (operand, like, heads) in [(&ropes[0], &own, of_query.heads), (&ropes[1], &keys, of_key.heads)] {
            check::each(operand.as_slice(), |operand| like.like(operand, [heads, rope]))?;
        }
        check::each(&[&weights, &dw], |list| own.list(list, heads))?;
        own.like(dq, [heads, size])?;
        keys.like(dk, [1, size])?;
        fit(&loss, loss.shape()?.numel() == Some(1))?;
        let [before, after] =
            if is_sparse { ["pre_tokens", "next_tokens"] } else { ["preTokens", "nextTokens"] };
        unbounded(call.int(before)?, call.int(after)?)?;
        let lengths = [host(call, "actualSeqLengthsQuery")?, host(call, "actualSeqLengthsKey")?];
        let sequences = sequences_of_host((&layout, &own, &keys), lengths, causal(call.int("sparseMode")?)?)?;
        let groups = [of_key.heads, of_query.heads / of_key.heads];
        let mut planner = StagePlanner::default();
        let mut inputs = Vec::new();
        for operand in [query_index, key_index, &weights, query, key] {
            inputs.push(planner.list(operand, Some(F32))?);
        }
        for operand in [&most, &sum] {
            inputs.push(known(&mut planner, operand, &of_query, groups)?);
        }
        for operand in &beside {
            match is_sparse {
                true => own.like(operand, [1, operand.shape()?.last().copied().unwrap_or(0)])?,
                false => fit(operand, operand.shape()?.numel() == Some(own.count()))?,
            }
            inputs.push(planner.list(operand, None)?);
        }
        for operand in ropes.iter().flatten().filter(|_| rope > 0) {
            inputs.push(planner.list(operand, Some(F32))?);
        }
        let mut outputs = Vec::new();
        for out in [dq, dk, &dw, &loss] {
            let len = out.shape()?.numel().unwrap_or(0);
            outputs.push(planner.write(out, len, Some(F32))?);
        }
        let body = Divergence {
            indexer: Indexer { sequences, heads, size, is_scaled: false },
            groups,
            sizes: [of_query.size, rope],
            scale: call.float("scaleValue")? as f32,
            is_sparse,
        };
        let step = LaneFunction::new("divergence of scores", move |_, inputs, outputs| {
            body.gradients(inputs, outputs)
        });
        planner.builder.lanes(inputs, outputs, 1, step);
        Ok(planner.plan())
    })())
}
