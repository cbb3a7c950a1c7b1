//! The cross entropy of rows whose classes several devices share, with the products that make the scores of classes.

use std::ops::Range;

use crate::products::matrix::{Matrix, multiply};
use crate::views::allocation;
use crate::views::failure::Result;

/// Rows that are computed together.
const TOGETHER: usize = 64;

/// Rows of a model and the classes of a device.
#[derive(Clone, Copy)]
pub struct Vocabulary {
    pub rows: usize,
    /// Elements of a row, and of a class.
    pub len: usize,
    pub classes: usize,
}

/// The numbers of each row that [`Vocabulary::summary`] writes.
pub struct Summary<'a> {
    pub most: &'a mut [f32],
    pub sum: &'a mut [f32],
    /// The score of the target less the greatest one, and 0 where the target is not here.
    pub predicted: &'a mut [f32],
    /// The number of the target among the classes that are here, and 0 where it is not.
    pub place: &'a mut [i32],
    /// Whether the target is not here.
    pub is_elsewhere: &'a mut [bool],
    /// The scores of all classes; empty if they are not written.
    pub scores: &'a mut [f32],
}

/// The numbers of each row that a gradient starts from.
pub struct Known<'a> {
    pub gradient: &'a [f32],
    pub place: &'a [i32],
    pub is_elsewhere: &'a [bool],
    /// The greatest score and the sum of exponentials of each row,
    pub most: &'a [f32],
    pub sum: &'a [f32],
    /// or the probabilities of all classes.
    pub probabilities: &'a [f32],
    /// The part of the loss that all classes share.
    pub smoothing: f64,
}

impl Vocabulary {
    /// The rows in parts.
    fn parts(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let rows = self.rows;
        (0..rows).step_by(TOGETHER).map(move |first| first..rows.min(first + TOGETHER))
    }

    fn of_rows(&self, rows: &Range<usize>, len: usize) -> Range<usize> {
        rows.start * len..rows.end * len
    }

    /// The scores of the classes for some rows.
    fn score(&self, rows: &Range<usize>, [input, weight]: [&[f32]; 2], to: &mut [f32]) {
        let Self { len, classes, .. } = *self;
        let own = Matrix::rows(&input[self.of_rows(rows, len)], len);
        multiply([rows.len(), len, classes], own, Matrix::rows(weight, len).transposed(), to, false);
    }

    /// The scores of the classes for all rows.
    pub fn scores(&self, sides: [&[f32]; 2], to: &mut [f32]) {
        for rows in self.parts() {
            self.score(&rows, sides, &mut to[self.of_rows(&rows, self.classes)]);
        }
    }

    /// Computes what each device knows of each row, of targets of which those in a range are here.
    pub fn summary(&self, sides: [&[f32]; 2], targets: &[i32], here: Range<i64>, to: Summary<'_>) -> Result {
        let kept = if to.scores.is_empty() { TOGETHER.min(self.rows) * self.classes } else { 0 };
        let mut kept = allocation::zeros::<f32>(kept)?;
        for rows in self.parts() {
            let scores = match to.scores.get_mut(self.of_rows(&rows, self.classes)) {
                Some(scores) => scores,
                None => &mut kept[..rows.len() * self.classes],
            };
            self.score(&rows, sides, scores);
            for (row, scores) in rows.zip(scores.chunks_exact(self.classes)) {
                let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                to.most[row] = most;
                to.sum[row] = scores.iter().map(|score| f64::from(score - most).exp()).sum::<f64>() as f32;
                let target = i64::from(targets[row]);
                let place = if here.contains(&target) { Some((target - here.start) as usize) } else { None };
                to.is_elsewhere[row] = place.is_none();
                to.place[row] = place.unwrap_or(0) as i32;
                to.predicted[row] = place.map_or(0.0, |place| scores[place] - most);
            }
        }
        Ok(())
    }

    /// Computes the gradients of rows and of classes.
    pub fn gradients(&self, sides: [&[f32]; 2], known: &Known<'_>, [dx, dw]: [&mut [f32]; 2]) -> Result {
        let Self { len, classes, .. } = *self;
        let [input, weight] = sides;
        dw.fill(0.0);
        let mut scores = allocation::zeros::<f32>(TOGETHER.min(self.rows) * classes)?;
        for rows in self.parts() {
            let scores = &mut scores[..rows.len() * classes];
            match known.probabilities.get(self.of_rows(&rows, classes)).filter(|all| !all.is_empty()) {
                Some(probabilities) => scores.copy_from_slice(probabilities),
                None => self.score(&rows, sides, scores),
            }
            for (row, scores) in rows.clone().zip(scores.chunks_exact_mut(classes)) {
                let share = known.smoothing / classes as f64;
                let own = usize::try_from(known.place[row]).ok().filter(|_| !known.is_elsewhere[row]);
                for (class, score) in scores.iter_mut().enumerate() {
                    let probability = match known.probabilities {
                        [] => f64::from(*score - known.most[row]).exp() / f64::from(known.sum[row]),
                        _ => f64::from(*score),
                    };
                    let target = if own == Some(class) { 1.0 - known.smoothing } else { 0.0 };
                    *score = ((probability - target - share) * f64::from(known.gradient[row])) as f32;
                }
            }
            let all = Matrix::rows(scores, classes);
            let to = &mut dx[self.of_rows(&rows, len)];
            multiply([rows.len(), classes, len], all, Matrix::rows(weight, len), to, false);
            let own = Matrix::rows(&input[self.of_rows(&rows, len)], len);
            multiply([classes, rows.len(), len], all.transposed(), own, dw, true);
        }
        Ok(())
    }
}

/// Computes the cross entropy of a row by its greatest score, the sum of exponentials and the distance of the score of the
/// target from the greatest one, and writes the probabilities of all classes, unless `out` is empty. `scores` may be
/// empty without smoothing.
pub fn entropy_of_summary(
    [most, sum, predicted]: [f32; 3],
    scores: &[f32],
    (smoothing, classes): (f64, usize),
    out: &mut [f32],
) -> f32 {
    let log = f64::from(sum).ln();
    let own = log - f64::from(predicted);
    // The logarithm of a probability.
    let logs = scores.iter().map(|score| f64::from(*score) - f64::from(most) - log);
    let mean = if smoothing > 0.0 { logs.clone().sum::<f64>() / classes as f64 } else { 0.0 };
    out.iter_mut().zip(logs).for_each(|(to, log)| *to = log.exp() as f32);
    ((1.0 - smoothing) * own - smoothing * mean) as f32
}
