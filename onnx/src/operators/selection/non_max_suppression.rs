//! NonMaxSuppression: boxes of high scores that do not overlap much.

use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared};

/// A box by its corners.
#[derive(Clone, Copy)]
struct Corners {
    low: [f32; 2],
    high: [f32; 2],
}

impl Corners {
    /// Reads a box: two corners in any order, or a center and sizes.
    fn new(numbers: &[f32], by_center: bool) -> Option<Corners> {
        let &[a, b, c, d] = numbers else { return None };
        Some(match by_center {
            true => Corners { low: [a - c / 2.0, b - d / 2.0], high: [a + c / 2.0, b + d / 2.0] },
            false => Corners { low: [a.min(c), b.min(d)], high: [a.max(c), b.max(d)] },
        })
    }

    fn area(&self) -> f32 {
        let [a, b] = self.low;
        let [c, d] = self.high;
        (c - a) * (d - b)
    }

    /// Returns how much of what two boxes cover both of them cover.
    fn overlap(&self, other: &Corners) -> f32 {
        let ([a, b], [c, d]) = (self.low, self.high);
        let ([e, f], [g, h]) = (other.low, other.high);
        let shared = (c.min(g) - a.max(e)).max(0.0) * (d.min(h) - b.max(f)).max(0.0);
        let (own, others) = (self.area(), other.area());
        if shared <= 0.0 || own <= 0.0 || others <= 0.0 { 0.0 } else { shared / (own + others - shared) }
    }
}

pub(super) fn non_max_suppression(node: &Node) -> NodeResult<Prepared> {
    let by_center = node.flag("center_point_box", false)?;
    Ok(Prepared::host("the device has no suppression of boxes", move |call| suppressed(call, by_center)))
}

fn suppressed(call: &Call<'_>, by_center: bool) -> NodeResult<Array> {
    let (boxes, scores) = (call.array(0)?, call.array(1)?);
    let (&[batches, count, 4], &[others, classes, each]) = (boxes.dims(), scores.dims()) else {
        return Reason::text(format!("its boxes are {boxes:?} and its scores {scores:?}"));
    };
    if (batches, count) != (others, each) {
        return Reason::text(format!("its boxes are {boxes:?} and its scores {scores:?}"));
    }
    let most = if call.has(2) { call.int(2)?.max(0) as usize } else { 0 };
    let overlap = call.optional_number(3)?.unwrap_or(0.0) as f32;
    let least = call.optional_number(4)?.map(|number| number as f32);
    let (boxes, scores) = (boxes.to_vec::<f32>()?, scores.to_vec::<f32>()?);
    let boxes: Vec<Corners> =
        boxes.chunks(4).filter_map(|numbers| Corners::new(numbers, by_center)).collect();
    let mut chosen = Vec::new();
    for (row, scores) in scores.chunks(count.max(1)).enumerate().take(batches * classes) {
        let (batch, class) = (row / classes.max(1), row % classes.max(1));
        let own = boxes.get(batch * count..(batch + 1) * count).unwrap_or_default();
        let kept = kept(own, scores, most, overlap, least);
        chosen.extend(kept.into_iter().flat_map(|index| [batch, class, index]).map(|number| number as i64));
    }
    let rows = chosen.len() / 3;
    Ok(Array::line(chosen).reshape([rows, 3])?)
}

/// Returns the boxes that are kept, the best one first.
fn kept(boxes: &[Corners], scores: &[f32], most: usize, overlap: f32, least: Option<f32>) -> Vec<usize> {
    let mut order: Vec<(usize, f32, &Corners)> = scores
        .iter()
        .zip(boxes)
        .enumerate()
        .map(|(index, (&score, corners))| (index, score, corners))
        .filter(|&(_, score, _)| least.is_none_or(|least| score > least))
        .collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut kept: Vec<(usize, &Corners)> = Vec::new();
    for (index, _, corners) in order {
        if kept.len() >= most {
            break;
        }
        if !kept.iter().any(|(_, other)| other.overlap(corners) > overlap) {
            kept.push((index, corners));
        }
    }
    kept.into_iter().map(|(index, _)| index).collect()
}
