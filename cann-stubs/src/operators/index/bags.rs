//! Rows of a table joined by bags. What the operator checks is not published: it takes what PyTorch's function takes.

use aclnn_numerics::DType::F32;
use cann_kernels::indexing::index::{Bags, Join};

use super::checks::{invalid, ranks, same_type, shape};
use super::plans;
use crate::operators::call::{Call, Plan};
use crate::operators::conversions::through;
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn embedding_bag(call: &Call<'_>) -> Result<Plan> {
    let [weight, indices, offsets] = call.tensors_of(["weight", "indices", "offsets"])?;
    let factors = call.optional_tensor("perSampleWeights")?;
    let names = ["output", "offset2bag", "bagSize", "maxIndices"];
    let [out, of_index, sizes, greatest] = call.tensors_of(names)?;
    let signature = signatures::embedding_bag;
    let dtype = check::dtype(&weight, signature.takes)?;
    let index = check::dtype(&indices, signature.indices)?;
    same_type(&out, &weight)?;
    check::each(&[&offsets, &of_index, &sizes, &greatest], |other| same_type(other, &indices))?;
    ranks(&[&weight, &indices, &offsets, &out])?;
    let join = match call.int("mode")? {
        0 => Join::Sum,
        1 => Join::Mean,
        2 => Join::Greatest,
        other => return invalid(format!("mode is {other}, but must be 0 (sum), 1 (mean) or 2 (max)")),
    };
    let (&[rows, len], &[count], &[starts]) =
        (&weight.shape()?[..], &indices.shape()?[..], &offsets.shape()?[..])
    else {
        return invalid("weight must have two axes, and indices and offsets one");
    };
    if let Some(factors) = &factors {
        same_type(factors, &weight)?;
        shape(factors, &[count])?;
        if join != Join::Sum {
            return invalid("perSampleWeights goes with mode 0, sums");
        }
    }
    let has_end = call.flag("includeLastOffset")?;
    let Some(bags) = starts.checked_sub(has_end.into()) else {
        return invalid("offsets is empty, but includeLastOffset says that its last element is an end");
    };
    let padding = call.int("paddingIdx")?;
    if padding >= rows as i64 {
        return invalid(format!("paddingIdx is {padding}, but weight has {rows} rows"));
    }
    shape(&out, &[bags, len])?;
    // PyTorch leaves out what no gradient needs.
    let shape_or_nothing = |operand, sizes: &[usize]| match shape(operand, &[0]) {
        Ok(()) => Ok(()),
        Err(_) => shape(operand, sizes),
    };
    shape_or_nothing(&of_index, &[count])?;
    shape(&sizes, &[bags])?;
    match join {
        Join::Greatest => shape(&greatest, &[bags, len])?,
        _ => shape_or_nothing(&greatest, &[bags])?,
    }
    if bags == 0 && count == 0 {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    let mut inputs = vec![
        builder.read(&weight, weight.in_order(dtype)?, true),
        builder.read(&indices, indices.in_order(index)?, true),
        builder.read(&offsets, offsets.in_order(index)?, true),
    ];
    if let Some(factors) = &factors {
        inputs.push(builder.read(factors, factors.in_order(dtype)?, true));
    }
    let outputs = [
        builder.write(&out, dtype, out.in_order(dtype)?, true)?,
        builder.write(&of_index, index, of_index.in_order(index)?, true)?,
        builder.write(&sizes, index, sizes.in_order(index)?, true)?,
        builder.write(&greatest, index, greatest.in_order(index)?, true)?,
    ];
    let body = Bags {
        join,
        rows,
        len,
        has_end,
        padding,
        widen: through(&[dtype, F32])?,
        narrow: through(&[F32, dtype])?,
    };
    builder.whole(&inputs, &outputs, body);
    let mut kept = vec![(&weight, dtype), (&indices, index), (&offsets, index), (&out, dtype)];
    kept.extend(factors.as_ref().map(|factors| (factors, dtype)));
    Ok(builder.plan(plans::copies(&kept)))
}
