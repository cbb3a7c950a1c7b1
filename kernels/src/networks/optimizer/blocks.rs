//! A step of AdamW whose moments are numbers of steps, block by block.

use crate::{Result, allocation};

/// The number of steps of a table.
pub const STEPS: usize = 256;

/// Numbers of steps in a table, of which each block has its greatest number.
#[derive(Clone, Copy)]
pub struct Coded<'a> {
    pub codes: &'a [f32],
    pub table: &'a [f32],
    pub most: &'a [f32],
}

impl Coded<'_> {
    /// A step of the table.
    #[inline(always)]
    fn step(&self, place: usize) -> f64 {
        self.table.get(place).map_or(0.0, |step| f64::from(*step))
    }

    /// The number of the step that is nearest to a part of the greatest number, the lower one of two.
    fn nearest(&self, part: f64) -> usize {
        let above = self.table.partition_point(|step| f64::from(*step) < part).clamp(1, STEPS - 1);
        let (low, high) = (self.step(above - 1), self.step(above));
        if part - low <= high - part { above - 1 } else { above }
    }

    /// Changes each moment of a block to `beta` times itself and the other part of a gradient, or of its square.
    #[inline(never)]
    fn changed(
        &self,
        (block, first): (usize, usize),
        (gradients, scale): (&[f32], f64),
        beta: f64,
        is_square: bool,
    ) -> Result<Vec<f64>> {
        let most = self.most.get(block).map_or(0.0, |most| f64::from(*most));
        let codes = self.codes.get(first..).unwrap_or_default();
        let numbers = codes.iter().zip(gradients).map(|(code, gradient)| {
            let gradient = f64::from(*gradient) * scale;
            let own = (1.0 - beta) * gradient;
            beta * (self.step(*code as usize) * most) + if is_square { own * gradient } else { own }
        });
        allocation::collect(numbers)
    }

    /// Writes the numbers of steps of a block, and its greatest number. A moment that loses its sign takes the next step.
    #[inline(never)]
    fn store(&self, numbers: &[f64], (block, first): (usize, usize), codes: &mut [f32], most_of: &mut [f32]) {
        // A moment that is NaN makes the greatest number NaN, and with it the whole block when it is read again.
        let greater = |most: f64, x: &f64| if most >= x.abs() || most.is_nan() { most } else { x.abs() };
        let most = numbers.iter().fold(0.0, greater) as f32;
        for (code, number) in codes.iter_mut().skip(first).zip(numbers) {
            let part = if most == 0.0 { 0.0 } else { number / f64::from(most) };
            let mut step = self.nearest(part);
            if *number > 0.0 && self.step(step) < 0.0 {
                step = (step + 1).min(STEPS - 1);
            } else if *number < 0.0 && self.step(step) > 0.0 {
                step = step.saturating_sub(1);
            }
            *code = step as f32;
        }
        if let Some(greatest) = most_of.get_mut(block) {
            *greatest = most;
        }
    }
}

/// The numbers of a step.
pub struct AdamWInBlocks {
    /// Elements of a block.
    pub len: usize,
    pub lr: f64,
    pub decay: f64,
    pub eps: f64,
    /// The factor of gradients.
    pub scale: f64,
    pub betas: [f64; 2],
}

impl AdamWInBlocks {
    /// Computes a step of this number: the elements, and the codes and the greatest numbers of the moments.
    pub fn step(
        &self,
        number: f64,
        [x, gradients]: [&[f32]; 2],
        [m, v]: [Coded<'_>; 2],
        [out, m_out, v_out, most_m, most_v]: [&mut [f32]; 5],
    ) -> Result {
        let [beta1, beta2] = self.betas;
        let (first, second) = (1.0 - beta1.powf(number), 1.0 - beta2.powf(number));
        for (block, start) in (0..x.len()).step_by(self.len.max(1)).enumerate() {
            let own = start..x.len().min(start + self.len);
            let (Some(x), Some(gradients), Some(out)) =
                (x.get(own.clone()), gradients.get(own.clone()), out.get_mut(own.clone()))
            else {
                return Ok(());
            };
            let (place, gradients) = ((block, start), (gradients, self.scale));
            let of_m = m.changed(place, gradients, beta1, false)?;
            let of_v = v.changed(place, gradients, beta2, true)?;
            for ((out, x), (m, v)) in out.iter_mut().zip(x).zip(of_m.iter().zip(&of_v)) {
                let change = m / first / ((v / second).sqrt() + self.eps);
                *out = (f64::from(*x) * (1.0 - self.lr * self.decay) - self.lr * change) as f32;
            }
            m.store(&of_m, place, m_out, most_m);
            v.store(&of_v, place, v_out, most_v);
        }
        Ok(())
    }
}
