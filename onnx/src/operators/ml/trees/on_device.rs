//! Trees on the device: all rows go down all trees at once, step by step.

use aclnn::{DType, Tensor};

use super::aggregate::Aggregate;
use super::forest::{Forest, Tables, Test, TreeNode};
use crate::array::Array;
use crate::error::NodeResult;
use crate::run::Call;

/// The most weights that are read at once.
const MOST: usize = 1 << 24;

/// A branch that is taken by values up to a limit.
struct Step {
    feature: usize,
    limit: f64,
    yes: usize,
    no: usize,
    nan: bool,
}

impl Step {
    /// Every test of an order is one of values up to a limit, if the ways are exchanged where needed.
    fn of(place: usize, node: &TreeNode, wide: bool) -> Option<Step> {
        let TreeNode::Branch { feature, test, yes, no, nan } = node else {
            return Some(Step { feature: 0, limit: 0.0, yes: place, no: place, nan: false });
        };
        let below = |limit: f64| if wide { limit.next_down() } else { f64::from((limit as f32).next_down()) };
        let (limit, turned) = match test {
            Test::AtMost(limit) => (*limit, false),
            Test::Below(limit) => (below(*limit), false),
            Test::AtLeast(limit) => (below(*limit), true),
            Test::Above(limit) => (*limit, true),
            Test::Equal(_) | Test::Unequal(_) | Test::Member(_) => return None,
        };
        Some(match turned {
            true => Step { feature: *feature, limit, yes: *no, no: *yes, nan: !*nan },
            false => Step { feature: *feature, limit, yes: *yes, no: *no, nan: *nan },
        })
    }
}

/// Returns the tables for rows of a type, unless the device cannot follow the tests.
pub(super) fn tables(forest: &Forest, dtype: DType) -> NodeResult<Option<&Tables>> {
    let place = forest.kept_tables(dtype);
    if place.get().is_none() {
        let made = Tables::new(forest, dtype)?;
        return Ok(place.get_or_init(|| made).as_ref());
    }
    Ok(place.get().and_then(Option::as_ref))
}

impl Tables {
    /// Returns the tables of a forest for rows of a type; `None` if a test is not one of an order.
    fn new(forest: &Forest, dtype: DType) -> NodeResult<Option<Tables>> {
        let nodes = forest.nodes.iter().enumerate();
        let steps: Option<Vec<Step>> =
            nodes.map(|(place, node)| Step::of(place, node, dtype == DType::F64)).collect();
        let cells = forest.nodes.len().saturating_mul(forest.targets);
        let Some(steps) = steps.filter(|_| cells <= 4 * MOST) else { return Ok(None) };
        let line = |number: fn(&Step) -> usize| Array::line(steps.iter().map(|step| number(step) as i64));
        let limits: Vec<f64> = steps.iter().map(|step| step.limit).collect();
        let nan: Vec<bool> = steps.iter().map(|step| step.nan).collect();
        let mut weights = vec![f64::NAN; cells];
        for (node, weights) in forest.nodes.iter().zip(weights.chunks_mut(forest.targets.max(1))) {
            let TreeNode::Leaf(pairs) = node else { continue };
            for &(target, weight) in pairs {
                if let Some(own) = weights.get_mut(target) {
                    *own = if own.is_nan() { weight } else { *own + weight };
                }
            }
        }
        Ok(Some(Tables {
            features: line(|step| step.feature).into(),
            limits: Array::from_f64s(dtype, &limits, [limits.len()])?.into(),
            yes: line(|step| step.yes).into(),
            no: line(|step| step.no).into(),
            nan: match nan.contains(&true) {
                true => Some(Array::from_slice(&nan, [nan.len()])?.into()),
                false => None,
            },
            weights: Array::from_f64s(dtype, &weights, [forest.nodes.len(), forest.targets])?.into(),
        }))
    }

    /// Returns the leaves that rows reach in some trees: a row for each row, a column for each tree.
    fn leaves(&self, call: &Call<'_>, forest: &Forest, rows: &Tensor, roots: &[usize]) -> NodeResult<Tensor> {
        let count = rows.dims().first().copied().unwrap_or(0);
        let roots = call.upload(&Array::line(roots.iter().map(|&root| root as i64)))?;
        let mut places = roots.unsqueeze(0)?.broadcast_to([count, roots.numel()])?.contiguous()?;
        let tables = [&self.features, &self.limits, &self.yes, &self.no].map(|table| call.on_device(table));
        let [features, limits, yes, no] = tables;
        let (features, limits, yes, no) = (features?, limits?, yes?, no?);
        let nan = self.nan.as_ref().map(|nan| call.on_device(nan)).transpose()?;
        for _ in 0..forest.depth {
            let values = rows.gather(1, &features.take_axis(0, &places)?)?;
            let mut holds = values.le(&limits.take_axis(0, &places)?)?;
            if let Some(nan) = &nan {
                holds = holds.logical_or(&values.is_nan()?.logical_and(&nan.take_axis(0, &places)?)?)?;
            }
            places = holds.where_(&yes.take_axis(0, &places)?, &no.take_axis(0, &places)?)?;
        }
        Ok(places)
    }
}

/// Returns the aggregate of the weights of each target for each row.
pub(super) fn run(
    call: &Call<'_>,
    forest: &Forest,
    tables: &Tables,
    rows: &Tensor,
    aggregate: Aggregate,
) -> NodeResult<Tensor> {
    let count = rows.dims().first().copied().unwrap_or(0);
    if count == 0 {
        return Ok(Tensor::empty(call.stream(), [0, forest.targets], rows.dtype())?);
    }
    let table = call.on_device(&tables.weights)?;
    // A leaf has no weight for most targets.
    let missing = table.is_nan()?;
    let nothing = match aggregate {
        Aggregate::Sum | Aggregate::Average => 0.0,
        Aggregate::Min => f64::INFINITY,
        Aggregate::Max => f64::NEG_INFINITY,
    };
    let table = missing.where_(nothing, &table)?;
    let each = (MOST / (count * forest.targets.max(1)).max(1)).max(1);
    let mut result: Option<Tensor> = None;
    for roots in forest.roots.chunks(each) {
        let weights = table.take_axis(0, &tables.leaves(call, forest, rows, roots)?)?;
        let part = match aggregate {
            Aggregate::Sum | Aggregate::Average => weights.sum(1)?,
            Aggregate::Min => weights.min(1)?,
            Aggregate::Max => weights.max(1)?,
        };
        result = Some(match (result, aggregate) {
            (None, _) => part,
            (Some(result), Aggregate::Min) => result.minimum(&part)?,
            (Some(result), Aggregate::Max) => result.maximum(&part)?,
            (Some(result), _) => result.add(&part)?,
        });
    }
    let result = match result {
        Some(result) => result,
        None => Tensor::zeros(call.stream(), [count, forest.targets], rows.dtype())?,
    };
    Ok(match aggregate {
        Aggregate::Sum => result,
        Aggregate::Average => result.div(forest.roots.len() as f64)?,
        // No leaf has a weight.
        Aggregate::Min | Aggregate::Max => result.eq(nothing)?.where_(0.0, &result)?,
    })
}
