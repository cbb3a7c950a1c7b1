//! Linear models.

use aclnn::Tensor;

use super::labels::Labels;
use super::scores::{Transform, features, product};
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared};
use crate::value::Value;

/// Weights of `[targets, features]`, and what is added.
struct Weights {
    coefficients: Value,
    intercepts: Option<Value>,
}

impl Weights {
    fn new(node: &Node, targets: usize) -> NodeResult<Weights> {
        let Some(coefficients) = node.attributes.floats("coefficients")? else {
            return Reason::text("its coefficients are missing");
        };
        let intercepts = node.attributes.floats("intercepts")?.filter(|numbers| !numbers.is_empty());
        let each = coefficients.len() / targets.max(1);
        if targets == 0
            || each * targets != coefficients.len()
            || intercepts.is_some_and(|numbers| numbers.len() != targets)
        {
            return Reason::text(format!("{} coefficients do not fit {targets} targets", coefficients.len()));
        }
        let line = |numbers: &[f32]| Array::from_slice(numbers, [numbers.len()]);
        Ok(Weights {
            coefficients: Array::from_slice(coefficients, [targets, each])?.into(),
            intercepts: intercepts.map(line).transpose()?.map(Value::from),
        })
    }

    fn scores(&self, call: &Call<'_>) -> NodeResult<Tensor> {
        let scores = product(call, &features(call, false)?, &self.coefficients)?;
        match &self.intercepts {
            Some(intercepts) => Ok(scores.add(&call.on_device(intercepts)?)?),
            None => Ok(scores),
        }
    }
}

pub(super) fn regressor(node: &Node) -> NodeResult<Prepared> {
    let targets = node.int("targets", 1)?;
    let Ok(targets) = usize::try_from(targets) else {
        return Reason::text(format!("it has {targets} targets"));
    };
    let (weights, transform) = (Weights::new(node, targets)?, Transform::named(node)?);
    Ok(Prepared::device(move |call| transform.apply(&weights.scores(call)?)))
}

pub(super) fn classifier(node: &Node) -> NodeResult<Prepared> {
    node.ignore(&["multi_class"]);
    let (labels, transform) = (Labels::of(node, "classlabels_ints")?, Transform::named(node)?);
    // There is one row of coefficients for each intercept, or for each label.
    let given = node.attributes.floats("intercepts")?.map_or(0, <[f32]>::len);
    let targets = if given == 0 { labels.count() } else { given };
    let weights = Weights::new(node, targets)?;
    Ok(Prepared::device(move |call| {
        let scores = weights.scores(call)?;
        if targets > 1 {
            let classes = labels.take(call, &scores.argmax(1)?)?;
            return Ok((classes, transform.apply(&scores)?));
        }
        let classes = labels.choose(call, &scores.gt(0)?.reshape([scores.numel()])?)?;
        match labels.count() {
            2 => Ok((classes, transform.of_two(&scores, false)?)),
            _ => Ok((classes, transform.apply(&scores)?)),
        }
    }))
}
