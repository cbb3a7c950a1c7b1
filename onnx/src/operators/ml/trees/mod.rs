//! Ensembles of decision trees.

mod aggregate;
mod forest;
mod nested;
mod numbered;
mod on_device;
mod on_host;

use aclnn::{DType, Tensor};

use aggregate::Aggregate;
use forest::Forest;

use super::labels::Labels;
use super::scores::{Transform, features};
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared};
use crate::value::Value;

/// Returns the sums, or other aggregates, of the weights of each target, as f32 or f64.
fn aggregated(call: &Call<'_>, forest: &Forest, aggregate: Aggregate) -> NodeResult<Tensor> {
    let rows = features(call, true)?;
    let most = forest.features();
    if rows.dims().get(1).is_none_or(|&count| count < most) {
        return Reason::text(format!("its trees read {most} features of {:?}", rows.dims()));
    }
    match on_device::tables(forest, rows.dtype())? {
        Some(tables) => on_device::run(call, forest, tables, &rows, aggregate),
        None => {
            call.note_host("its trees compare in ways that the device does not follow");
            let rows = call.on_host(&rows.into())?;
            call.upload(&on_host::run(forest, &rows, aggregate)?)
        }
    }
}

fn named_aggregate(node: &Node) -> NodeResult<Aggregate> {
    Ok(match node.text("aggregate_function", "SUM")?.as_str() {
        "AVERAGE" => Aggregate::Average,
        "SUM" => Aggregate::Sum,
        "MIN" => Aggregate::Min,
        "MAX" => Aggregate::Max,
        other => return Reason::text(format!("its aggregate is `{other}`")),
    })
}

/// Returns the values that are added to scores, and how many there are.
fn base_values(node: &Node, targets: usize) -> NodeResult<(Option<Value>, usize)> {
    let values = numbered::numbers(node, "base_values")?.unwrap_or_default();
    match values.len() {
        0 => Ok((None, 0)),
        count if count == targets => Ok((Some(Array::from_slice(&values, [count])?.into()), count)),
        // A single one is that of the first target.
        1 => {
            let values: Vec<f64> = values.into_iter().chain(std::iter::repeat_n(0.0, targets - 1)).collect();
            Ok((Some(Array::from_slice(&values, [targets])?.into()), 1))
        }
        count => Reason::text(format!("it has {count} base values for {targets} targets")),
    }
}

fn with_base(call: &Call<'_>, scores: Tensor, base: &Option<Value>) -> NodeResult<Tensor> {
    match base {
        Some(base) => Ok(scores.add(&call.on_device(base)?.cast(scores.dtype())?)?),
        None => Ok(scores),
    }
}

pub(super) fn regressor(node: &Node) -> NodeResult<Prepared> {
    let (transform, aggregate) = (Transform::named(node)?, named_aggregate(node)?);
    let targets = node.int("n_targets", 1)?;
    let Ok(targets @ 1..=forest::MOST_TARGETS) = usize::try_from(targets) else {
        return Reason::text(format!("it has {targets} targets"));
    };
    let (base, _) = base_values(node, targets)?;
    let forest = numbered::forest(node, "target", targets)?;
    Ok(Prepared::device(move |call| {
        let scores = with_base(call, aggregated(call, &forest, aggregate)?, &base)?;
        transform.apply(&scores.cast(DType::F32)?)
    }))
}

pub(super) fn classifier(node: &Node) -> NodeResult<Prepared> {
    let (labels, transform) = (Labels::of(node, "classlabels_int64s")?, Transform::named(node)?);
    let classes = labels.count();
    let forest = numbered::forest(node, "class", classes)?;
    let (base, base_count) = base_values(node, classes)?;
    // If all weights are those of the first of two classes, and no others are added, they count for the second one.
    let is_single = classes == 1 || classes == 2 && forest.only_target() == Some(0) && base_count < 2;
    let positive = forest.weights_are_positive();
    let are_probabilities = match transform {
        Transform::None => positive,
        other => other == Transform::Probit,
    };
    Ok(Prepared::device(move |call| {
        let scores = aggregated(call, &forest, Aggregate::Sum)?;
        if !is_single {
            let scores = with_base(call, scores, &base)?.cast(DType::F32)?;
            return Ok((labels.take(call, &scores.argmax(1)?)?, transform.apply(&scores)?));
        }
        let scores = with_base(call, scores, &base)?.slice(1, ..1)?.cast(DType::F32)?;
        let second = scores.gt(if positive { 0.5 } else { 0.0 })?.reshape([scores.numel()])?;
        Ok((labels.choose(call, &second)?, transform.of_two(&scores, are_probabilities)?))
    }))
}

pub(super) fn ensemble(node: &Node) -> NodeResult<Prepared> {
    let transform = Transform::numbered(node)?;
    let aggregate = match node.int("aggregate_function", 1)? {
        0 => Aggregate::Average,
        1 => Aggregate::Sum,
        2 => Aggregate::Min,
        3 => Aggregate::Max,
        other => return Reason::text(format!("its `aggregate_function` is {other}")),
    };
    let forest = nested::forest(node)?;
    Ok(Prepared::device(move |call| {
        let scores = transform.apply(&aggregated(call, &forest, aggregate)?)?;
        Ok(scores.cast(call.dtype(0)?)?)
    }))
}
