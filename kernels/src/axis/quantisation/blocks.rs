//! Blocks of matrices with scales of their own.

use super::codes::{Codes, largest};
use super::rows::{Rows, floats};

/// Matrices in blocks, which are smaller at the end of an axis. The input is a matrix in f32; the outputs are its codes and the
/// scale of each block.
pub struct Blocks {
    /// Rows and columns of a matrix, and of a block.
    pub matrix: [usize; 2],
    pub block: [usize; 2],
    /// The least factor, if it is above 0.
    pub least: f32,
    /// Whether elements are divided by the scale; otherwise they are multiplied by a factor that is rounded on its own.
    pub divides: bool,
    pub codes: Codes,
}

impl Blocks {
    pub fn rows(self) -> Rows {
        let [height, width] = self.matrix;
        let [down, across] = self.block;
        Rows::new("quantise blocks", move |_, inputs, outputs, room| {
            let x = floats(inputs, 0)?;
            let [to, scales] = outputs else { return Ok(()) };
            let scales: &mut [f32] = bytemuck::cast_slice_mut(scales);
            let mut scale = scales.iter_mut();
            for top in (0..height).step_by(down) {
                for left in (0..width).step_by(across) {
                    let len = across.min(width - left);
                    let starts = (top..height.min(top + down)).map(|row| row * width + left);
                    let m = starts.clone().map(|start| largest(&x[start..start + len])).fold(0.0, f32::max);
                    let [step, factor] = self.steps(m);
                    if let Some(scale) = scale.next() {
                        *scale = step;
                    }
                    for start in starts {
                        room.clear();
                        let elements = x[start..start + len].iter();
                        match self.divides {
                            true => room.extend(elements.map(|element| element / step)),
                            false => room.extend(elements.map(|element| element * factor)),
                        }
                        self.codes.write(room, &mut to[start..start + len]);
                    }
                }
            }
            Ok(())
        })
    }

    /// The scale and the factor of a block whose largest magnitude is `m`.
    fn steps(&self, m: f32) -> [f32; 2] {
        let most = self.codes.most();
        let [step, factor] = [m * (1.0 / most), 1.0 / m * most];
        match self.least > 0.0 {
            true => [step.min(1.0 / self.least), factor.max(self.least)],
            false => [step, factor],
        }
    }
}
