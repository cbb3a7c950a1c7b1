//! The boxes of images that are kept: those with the best scores, of which none covers another one too much.

use smallvec::SmallVec;

use crate::views::allocation;
use crate::views::order_by::order_by;
use crate::{Bound, Result, Sizes, Whole};

/// The choice of boxes for each class of each image.
pub struct Suppression {
    /// Images, classes and boxes.
    pub sizes: [usize; 3],
    /// The boxes that are kept for a class, at most.
    pub most: usize,
    /// The part of two boxes that both cover, beyond which the worse one is left out.
    pub overlap: f32,
    /// The score that boxes are better than.
    pub score: f32,
    /// Whether a box has its middle and its sizes, the width first, instead of two corners.
    pub is_centred: bool,
}

fn numbers(bound: &Bound<'_>) -> Result<Vec<f32>> {
    let mut numbers = allocation::zeros::<f32>(bound.numel())?;
    bound.gather(0..bound.numel(), bytemuck::cast_slice_mut(&mut numbers));
    Ok(numbers)
}

impl Suppression {
    /// The corners of a box, the lower ones first.
    fn corners(&self, own: &[f32]) -> [f32; 4] {
        match *own {
            [x, y, width, height] if self.is_centred => {
                [y - height / 2.0, x - width / 2.0, y + height / 2.0, x + width / 2.0]
            }
            [y, x, below, right] => [y.min(below), x.min(right), y.max(below), x.max(right)],
            _ => [0.0; 4],
        }
    }

    fn covers(&self, a: [f32; 4], b: [f32; 4]) -> bool {
        let area = |[top, left, below, right]: [f32; 4]| (below - top) * (right - left);
        let across = |axis: usize| (a[axis + 2].min(b[axis + 2]) - a[axis].max(b[axis])).max(0.0);
        let both = across(0) * across(1);
        both > 0.0 && both / (area(a) + area(b) - both) > self.overlap
    }
}

impl Whole for Suppression {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], sizes: &mut Sizes) -> Result {
        let ([boxes, scores], [out]) = (inputs, outputs) else { return Ok(()) };
        let (boxes, scores) = (numbers(boxes)?, numbers(scores)?);
        let [_, classes, count] = self.sizes;
        let mut row = 0;
        for (lane, scores) in scores.chunks(count.max(1)).enumerate() {
            let (image, class) = (lane / classes.max(1), lane % classes.max(1));
            let corners = |own: usize| {
                let first = (image * count + own) * 4;
                self.corners(&boxes[first..first + 4])
            };
            let mut order: Vec<usize> =
                allocation::collect((0..count).filter(|own| scores[*own] > self.score))?;
            order_by(&mut order, &mut |a, b| scores[b].total_cmp(&scores[a]));
            let mut kept: Vec<usize> = Vec::new();
            for own in order {
                if kept.len() >= self.most {
                    break;
                }
                if kept.iter().any(|better| self.covers(corners(*better), corners(own))) {
                    continue;
                }
                kept.push(own);
                let numbers = [image as i32, class as i32, own as i32];
                out.scatter(row * 3..(row + 1) * 3, bytemuck::cast_slice(&numbers));
                row += 1;
            }
        }
        sizes.push((0, SmallVec::from_slice(&[row as i64, 3])));
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["suppress boxes"]
    }
}
