//! Images in another size: each element is a sum of a few of the image, with weights for each axis, which `taps` tells.

mod taps;

use bytemuck::Pod;

use crate::views::allocation;
use crate::views::failure::Result;

use taps::Taps;
pub use taps::{Axis, CUBIC, Mode, cubic};

/// The resampling of planes, rows and columns.
#[derive(Clone, Debug)]
pub struct Resampling(pub [Axis; 3]);

/// Numbers that are resampled, with sums in f64.
pub trait Number: Pod + Send + Sync {
    fn wide(self) -> f64;

    fn narrow(sum: f64) -> Self;
}

impl Number for f32 {
    fn wide(self) -> f64 {
        self.into()
    }

    fn narrow(sum: f64) -> Self {
        sum as f32
    }
}

impl Number for f64 {
    fn wide(self) -> f64 {
        self
    }

    fn narrow(sum: f64) -> Self {
        sum
    }
}

impl Resampling {
    /// Visits each element of the result, with the taps along each axis.
    fn each(&self, mut visit: impl FnMut(usize, [&[(usize, f64)]; 3])) -> Result {
        let [planes, rows, columns] = self.0.each_ref().map(|axis| allocation::collect::<Taps>(axis.taps()));
        let (planes, rows, columns) = (planes?, rows?, columns?);
        let mut number = 0;
        for plane in &planes {
            for row in &rows {
                for column in &columns {
                    visit(number, [plane, row, column]);
                    number += 1;
                }
            }
        }
        Ok(())
    }

    /// The number of the first element of a row of the image.
    fn row(&self, plane: usize, row: usize) -> usize {
        (plane * self.0[1].size + row) * self.0[2].size
    }

    /// Writes the elements of the result.
    pub fn resample<T: Number>(&self, image: &[T], out: &mut [T]) -> Result {
        let at = |index: usize| image.get(index).map_or(0.0, |element| element.wide());
        self.each(|number, [planes, rows, columns]| {
            let Some(out) = out.get_mut(number) else { return };
            if let ([(plane, _)], [(row, _)], [(column, _)]) = (planes, rows, columns) {
                *out = image.get(self.row(*plane, *row) + column).copied().unwrap_or(T::zeroed());
                return;
            }
            let mut sum = 0.0;
            for (plane, of_plane) in planes {
                for (row, of_row) in rows {
                    let (first, mut in_row) = (self.row(*plane, *row), 0.0);
                    for (column, of_column) in columns {
                        in_row += of_column * at(first + column);
                    }
                    sum += of_plane * of_row * in_row;
                }
            }
            *out = T::narrow(sum);
        })
    }

    /// Writes the gradient of [`Resampling::resample`].
    pub fn gradient<T: Number>(&self, gradient: &[T], out: &mut [T]) -> Result {
        let mut sums = allocation::zeros::<f64>(out.len())?;
        self.each(|number, [planes, rows, columns]| {
            let of = gradient.get(number).map_or(0.0, |element| element.wide());
            for (plane, weight) in planes {
                let of = of * weight;
                for (row, weight) in rows {
                    let (of, first) = (of * weight, self.row(*plane, *row));
                    for (column, weight) in columns {
                        if let Some(sum) = sums.get_mut(first + column) {
                            *sum += of * weight;
                        }
                    }
                }
            }
        })?;
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out = T::narrow(sum));
        Ok(())
    }
}
