//! Support vector machines.

use aclnn::{DType, Tensor};

use super::labels::Labels;
use super::scores::{Transform, features, product};
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared};
use crate::value::Value;

/// A measure of how like two rows are.
#[derive(Clone, Copy)]
enum Kind {
    Linear,
    Poly,
    Rbf,
    Sigmoid,
}

/// A kernel with the rows that it compares with.
struct Kernel {
    kind: Kind,
    gamma: f64,
    added: f64,
    degree: f64,
    vectors: Value,
}

impl Kernel {
    fn new(node: &Node, count: usize) -> NodeResult<Kernel> {
        let kind = match node.text("kernel_type", "LINEAR")?.as_str() {
            "LINEAR" => Kind::Linear,
            "POLY" => Kind::Poly,
            "RBF" => Kind::Rbf,
            "SIGMOID" => Kind::Sigmoid,
            other => return Reason::text(format!("its kernel is `{other}`")),
        };
        let numbers = node.attributes.floats("kernel_params")?.unwrap_or_default();
        let number = |place: usize| numbers.get(place).copied().unwrap_or(0.0).into();
        let vectors = node.attributes.floats("support_vectors")?.unwrap_or_default();
        let each = vectors.len() / count.max(1);
        if count == 0 || each * count != vectors.len() {
            return Reason::text(format!("{} numbers are not {count} support vectors", vectors.len()));
        }
        let vectors = Array::from_slice(vectors, [count, each])?.into();
        Ok(Kernel { kind, gamma: number(0), added: number(1), degree: number(2), vectors })
    }

    /// Compares rows with all vectors.
    fn compare(&self, call: &Call<'_>, rows: &Tensor) -> NodeResult<Tensor> {
        let vectors = call.on_device(&self.vectors)?;
        if let Kind::Rbf = self.kind {
            let distances = match rows.cdist(&vectors, 2.0) {
                Err(aclnn::Error::Unsupported { .. }) => {
                    let differences = rows.unsqueeze(1)?.sub(&vectors.unsqueeze(0)?)?;
                    differences.mul(&differences)?.sum(-1)?
                }
                distances => {
                    let distances = distances?;
                    distances.mul(&distances)?
                }
            };
            return Ok(distances.mul(-self.gamma)?.exp()?);
        }
        let products = product(call, rows, &self.vectors)?;
        let scaled = || products.mul(self.gamma)?.add(self.added);
        Ok(match self.kind {
            Kind::Poly => scaled()?.pow(self.degree)?,
            Kind::Sigmoid => scaled()?.tanh()?,
            _ => products,
        })
    }
}

fn floats(node: &Node, name: &str) -> NodeResult<Vec<f32>> {
    Ok(node.attributes.floats(name)?.unwrap_or_default().to_vec())
}

pub(super) fn regressor(node: &Node) -> NodeResult<Prepared> {
    let (transform, one_class) = (Transform::named(node)?, node.flag("one_class", false)?);
    let count = usize::try_from(node.int("n_supports", 0)?).unwrap_or(0);
    let kernel = match count {
        0 => {
            node.ignore(&["kernel_type", "kernel_params", "support_vectors"]);
            None
        }
        count => Some(Kernel::new(node, count)?),
    };
    let weights = floats(node, "coefficients")?;
    let weights = Value::from(Array::from_slice(&weights, [1, weights.len()])?);
    let added = floats(node, "rho")?.first().copied().unwrap_or(0.0);
    Ok(Prepared::device(move |call| {
        let rows = features(call, false)?;
        let compared = match &kernel {
            Some(kernel) => kernel.compare(call, &rows)?,
            None => rows,
        };
        let scores = product(call, &compared, &weights)?.add(added)?;
        match one_class {
            true => Ok(scores.gt(0)?.cast(DType::F32)?.mul(2)?.sub(1)?),
            false => transform.apply(&scores),
        }
    }))
}

/// Classes that vote in pairs.
struct Pairs {
    kernel: Kernel,
    /// The first vector of each class, and the one after its last.
    ranges: Vec<(usize, usize)>,
    coefficients: Vec<f32>,
    rho: Vec<f32>,
    /// The numbers that make probabilities of scores.
    chances: Option<(Vec<f32>, Vec<f32>)>,
}

pub(super) fn classifier(node: &Node) -> NodeResult<Prepared> {
    let (labels, transform) = (Labels::of(node, "classlabels_ints")?, Transform::named(node)?);
    let (coefficients, rho) = (floats(node, "coefficients")?, floats(node, "rho")?);
    let (a, b) = (floats(node, "prob_a")?, floats(node, "prob_b")?);
    let positive = coefficients.iter().all(|&weight| weight >= 0.0);
    let counts = node.ints("vectors_per_class")?.unwrap_or_default();
    let mut ranges = Vec::new();
    let mut total = 0usize;
    for count in counts {
        let count = usize::try_from(count).ok().and_then(|count| total.checked_add(count));
        let end = count.ok_or("its numbers of vectors are too large or negative".to_owned())?;
        ranges.push((total, end));
        total = end;
    }
    if total == 0 {
        return linear(node, labels, transform, coefficients, rho.first().copied().unwrap_or(0.0), positive);
    }
    let classes = ranges.len();
    let pairs = classes * (classes.max(1) - 1) / 2;
    if classes != labels.count()
        || classes < 2
        || coefficients.len() != (classes - 1) * total
        || rho.len() < pairs
        || a.len() != b.len()
        || !a.is_empty() && a.len() != pairs
    {
        return Reason::text("its vectors, coefficients and labels do not fit");
    }
    let chances = if a.is_empty() { None } else { Some((a, b)) };
    let model = Pairs { kernel: Kernel::new(node, total)?, ranges, coefficients, rho, chances };
    Ok(Prepared::host("its classes vote in pairs", move |call| {
        let rows = model.kernel.compare(call, &features(call, false)?)?;
        let count = rows.dims().first().copied().unwrap_or(0);
        let kernels = call.on_host(&rows.into())?.to_vec::<f32>()?;
        let (mut scores, mut chosen) = (Vec::new(), Vec::new());
        for row in kernels.chunks(total) {
            let (votes, row) = model.vote(row);
            // Of equal numbers of votes, those of the first class win.
            let best = votes.iter().enumerate().rev().max_by_key(|(_, votes)| **votes);
            chosen.push(best.map_or(0, |(class, _)| class as i64));
            match &model.chances {
                Some((a, b)) => scores.extend(probabilities(&row, a, b, classes)),
                None => scores.extend(row),
            }
        }
        let classes_of_rows = labels.take(call, &call.upload(&Array::line(chosen))?)?;
        let width = scores.len() / count.max(1);
        let scores: Vec<f32> = scores.into_iter().map(|score| score as f32).collect();
        let scores = call.upload(&Array::from_slice(&scores, [count, width])?)?;
        Ok(match width {
            1 => (classes_of_rows, transform.of_two(&scores, false)?),
            _ => (classes_of_rows, transform.apply(&scores)?),
        })
    }))
}

/// Without vectors, the coefficients are those of the features.
fn linear(
    node: &Node,
    labels: Labels,
    transform: Transform,
    coefficients: Vec<f32>,
    rho: f32,
    positive: bool,
) -> NodeResult<Prepared> {
    node.ignore(&["kernel_type", "kernel_params", "support_vectors"]);
    let classes = labels.count();
    let each = coefficients.len() / classes.max(1);
    if each * classes != coefficients.len() {
        return Reason::text(format!("{} coefficients do not fit {classes} classes", coefficients.len()));
    }
    let weights = Value::from(Array::from_slice(&coefficients, [classes, each])?);
    Ok(Prepared::device(move |call| {
        let scores = product(call, &features(call, false)?, &weights)?.add(rho)?;
        let count = scores.dims().first().copied().unwrap_or(0);
        let classes_of_rows = match classes {
            1 => labels.choose(call, &scores.gt(if positive { 0.5 } else { 0.0 })?.reshape([count])?)?,
            _ => labels.take(call, &scores.argmax(1)?)?,
        };
        Ok((classes_of_rows, transform.apply(&scores)?))
    }))
}

impl Pairs {
    /// Returns the votes for each class, and the scores of the pairs.
    fn vote(&self, kernels: &[f32]) -> (Vec<usize>, Vec<f64>) {
        let (classes, total) = (self.ranges.len(), kernels.len());
        let mut votes = vec![0; classes];
        let mut scores = Vec::with_capacity(self.rho.len());
        let sum = |row: usize, (start, end): (usize, usize)| -> f64 {
            let weights = self.coefficients.get(row * total + start..row * total + end).unwrap_or_default();
            let kernels = kernels.get(start..end).unwrap_or_default();
            weights.iter().zip(kernels).map(|(&weight, &kernel)| f64::from(weight) * f64::from(kernel)).sum()
        };
        for (first, &range) in self.ranges.iter().enumerate() {
            for (second, &other) in self.ranges.iter().enumerate().skip(first + 1) {
                let added = self.rho.get(scores.len()).copied().unwrap_or(0.0);
                let score = f64::from(added) + sum(second - 1, range) + sum(first, other);
                if let Some(votes) = votes.get_mut(if score > 0.0 { first } else { second }) {
                    *votes += 1;
                }
                scores.push(score);
            }
        }
        (votes, scores)
    }
}

/// Returns the probabilities of classes of which each pair has a score.
fn probabilities(scores: &[f64], a: &[f32], b: &[f32], classes: usize) -> Vec<f64> {
    let mut pairs = vec![vec![0.0; classes]; classes];
    let mut numbers = scores.iter().zip(a).zip(b);
    for first in 0..classes {
        for second in first + 1..classes {
            let Some(((score, &a), &b)) = numbers.next() else { continue };
            let exponent = score * f64::from(a) + f64::from(b);
            let won = (1.0 / (1.0 + exponent.exp())).clamp(1e-7, 1.0 - 1e-7);
            set(&mut pairs, first, second, won);
            set(&mut pairs, second, first, 1.0 - won);
        }
    }
    coupled(&pairs)
}

fn set(matrix: &mut [Vec<f64>], row: usize, column: usize, value: f64) {
    if let Some(place) = matrix.get_mut(row).and_then(|row| row.get_mut(column)) {
        *place = value;
    }
}

fn get(matrix: &[Vec<f64>], row: usize, column: usize) -> f64 {
    matrix.get(row).and_then(|row| row.get(column)).copied().unwrap_or(0.0)
}

/// Finds the probabilities that agree best with those of all pairs (Wu, Lin and Weng, 2004, the second approach).
fn coupled(pairs: &[Vec<f64>]) -> Vec<f64> {
    let count = pairs.len();
    let mut matrix = vec![vec![0.0; count]; count];
    for row in 0..count {
        for column in 0..count {
            let value = match row == column {
                true => {
                    (0..count).filter(|&other| other != row).map(|other| get(pairs, other, row).powi(2)).sum()
                }
                false => -get(pairs, column, row) * get(pairs, row, column),
            };
            set(&mut matrix, row, column, value);
        }
    }
    let mut chances = vec![1.0 / count as f64; count];
    for _ in 0..count.max(100) {
        let mut products: Vec<f64> =
            matrix.iter().map(|row| row.iter().zip(&chances).map(|(a, b)| a * b).sum()).collect();
        let mut square: f64 = products.iter().zip(&chances).map(|(a, b)| a * b).sum();
        if products.iter().all(|product| (product - square).abs() < 0.005 / count as f64) {
            break;
        }
        for (place, row) in matrix.iter().enumerate() {
            let (own, product) = (get(&matrix, place, place), products.get(place).copied().unwrap_or(0.0));
            let change = (square - product) / own;
            if let Some(chance) = chances.get_mut(place) {
                *chance += change;
            }
            square = (square + change * (change * own + 2.0 * product)) / (1.0 + change).powi(2);
            for ((product, &weight), chance) in products.iter_mut().zip(row).zip(&mut chances) {
                *product = (*product + change * weight) / (1.0 + change);
                *chance /= 1.0 + change;
            }
        }
    }
    chances
}
