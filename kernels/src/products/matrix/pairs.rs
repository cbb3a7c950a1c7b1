//! [`Pairs`]: which matrices of two operands are multiplied with each other.

/// The pairs of matrices of two operands whose other axes are broadcast. They are computed one by one, as there may be many.
#[derive(Clone)]
pub struct Pairs {
    count: usize,
    /// From the last axis to the first: the size of the result, and how many matrices of each operand lie between two
    /// neighbours.
    axes: Vec<(usize, [usize; 2])>,
}

impl Pairs {
    /// Returns the pair of the only matrix of each operand.
    pub fn single() -> Self {
        Self { count: 1, axes: Vec::new() }
    }

    /// Returns the pairs of operands of these sizes for a result of the sizes `batch`, to which both are broadcast; all
    /// without the axes of the matrices. `None` if they cannot be counted.
    pub fn of(batch: &[usize], operands: [&[usize]; 2]) -> Option<Self> {
        let count = match batch.contains(&0) {
            true => 0,
            false => batch.iter().try_fold(1_usize, |count, size| count.checked_mul(*size))?,
        };
        let mut between = [1; 2];
        let axes = batch.iter().rev().enumerate().map(|(axis, size)| {
            let mut steps = [0; 2];
            for ((step, between), sizes) in steps.iter_mut().zip(&mut between).zip(operands) {
                let own = sizes.iter().rev().nth(axis).copied().unwrap_or(1);
                *step = if own == 1 { 0 } else { *between };
                *between *= own.max(1);
            }
            (*size, steps)
        });
        Some(Self { count, axes: axes.collect() })
    }

    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns the numbers of both matrices of a pair.
    pub fn at(&self, number: usize) -> [usize; 2] {
        let (mut rest, mut pair) = (number, [0; 2]);
        for (size, steps) in &self.axes {
            let position = rest % size.max(&1);
            rest /= size.max(&1);
            pair.iter_mut().zip(steps).for_each(|(matrix, step)| *matrix += position * step);
        }
        pair
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the matrices of [2, 1, 3] and [4, 3], counted by hand.
    #[test]
    fn axes_of_one_matrix_are_repeated() {
        let pairs = Pairs::of(&[2, 4, 3], [&[2, 1, 3], &[4, 3]]).expect("few pairs");
        let all: Vec<_> = (0..pairs.len()).map(|number| pairs.at(number)).collect();
        let expected =
            (0..2).flat_map(|a| (0..4).flat_map(move |b| (0..3).map(move |c| [3 * a + c, 3 * b + c])));
        assert!(all.into_iter().eq(expected));
        assert_eq!(Pairs::of(&[0, usize::MAX, 2], [&[0], &[2]]).expect("none").len(), 0);
        assert!(Pairs::of(&[usize::MAX, 2], [&[2], &[2]]).is_none());
        assert_eq!(Pairs::single().at(0), [0, 0]);
    }
}
