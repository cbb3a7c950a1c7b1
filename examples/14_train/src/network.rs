//! The network, its gradients, and the steps of its optimizer.
//!
//! The library has no automatic differentiation. It has the operators that compute gradients, one for each forward one, and
//! `Trainer::gradients` calls them in reverse order.

use aclnn::ops::{self, foreach};
use aclnn::{DType, Device, Generator, Result, Tensor};

/// Pixels of an image, 8 × 8.
pub(crate) const PIXELS: usize = 64;
const HIDDEN: usize = 128;
const CLASSES: usize = 10;
const RATE: f32 = 4e-3;

/// The factor of the loss before its gradient is computed.
const LOSS_SCALE: f32 = 1024.0;

/// A weight or a bias.
struct Parameter {
    /// The weights that the optimizer changes, in f32.
    master: Tensor,
    /// The copy in f16 that the network computes with.
    value: Tensor,
    /// The running means of gradients and of their squares.
    first: Tensor,
    second: Tensor,
}

impl Parameter {
    fn new(master: Tensor) -> Result<Self> {
        let (first, second) = (master.zeros_like()?, master.zeros_like()?);
        Ok(Self { value: master.cast(DType::F16)?, master, first, second })
    }
}

pub(crate) struct Trainer {
    /// Weights and biases of the first layer, then of the second.
    parameters: [Parameter; 4],
    /// How many steps were taken.
    steps: Tensor,
    /// 1 if a gradient was infinite or NaN.
    overflowed: Tensor,
    /// One over the scale of the loss.
    inverse: Tensor,
    /// The gradient of the scaled loss by the loss.
    seed: Tensor,
}

/// The activations of a batch that gradients need.
struct Activations {
    /// Before and after the rectifier, `[batch, HIDDEN]`.
    before: Tensor,
    hidden: Tensor,
    /// `[batch, CLASSES]`.
    logits: Tensor,
}

impl Trainer {
    pub(crate) fn new(device: &Device, generator: &mut Generator) -> Result<Self> {
        let mut layer = |inputs: usize, outputs: usize| -> Result<[Parameter; 2]> {
            let spread = (2.0 / inputs as f32).sqrt();
            let weight = (Tensor::randn(device, [inputs, outputs], DType::F32, generator)? * spread)?;
            Ok([Parameter::new(weight)?, Parameter::new(Tensor::zeros(device, [outputs], DType::F32)?)?])
        };
        let ([w1, b1], [w2, b2]) = (layer(PIXELS, HIDDEN)?, layer(HIDDEN, CLASSES)?);
        Ok(Self {
            parameters: [w1, b1, w2, b2],
            steps: Tensor::zeros(device, [1], DType::F32)?,
            overflowed: Tensor::zeros(device, [1], DType::F32)?,
            inverse: Tensor::full(device, [1], 1.0 / LOSS_SCALE, DType::F32)?,
            seed: Tensor::full(device, (), LOSS_SCALE, DType::F32)?,
        })
    }

    fn forward(&self, pixels: &Tensor) -> Result<Activations> {
        let [w1, b1, w2, b2] = self.parameters.each_ref().map(|parameter| &parameter.value);
        let before = ops::addmm(b1, pixels, w1).run()?;
        let hidden = before.relu()?;
        let logits = ops::addmm(b2, &hidden, w2).run()?;
        Ok(Activations { before, hidden, logits })
    }

    /// Returns the digit that each image shows most likely.
    pub(crate) fn predict(&self, pixels: &Tensor) -> Result<Tensor> {
        self.forward(pixels)?.logits.argmax(1)
    }

    /// Returns the loss of a batch, and the gradients of the scaled loss by the parameters.
    pub(crate) fn gradients(&self, pixels: &Tensor, labels: &Tensor) -> Result<(Tensor, [Tensor; 4])> {
        let Activations { before, hidden, logits } = self.forward(pixels)?;
        // Exponentials and their sums need f32.
        let likely = logits.cast(DType::F32)?.log_softmax(1)?;
        let loss_of = ops::nll_loss(&likely, labels);
        let (loss, total) = loss_of.run_with_total_weight()?;

        // The gradients by what was computed, from the last result to the first.
        let [_, _, w2, _] = self.parameters.each_ref().map(|parameter| &parameter.value);
        let by_logits =
            loss_of.backward(&self.seed, &total)?.log_softmax_backward(&likely, 1)?.cast(DType::F16)?;
        let by_hidden = by_logits.matmul(&w2.transpose(0, 1)?)?;
        let by_before = by_hidden.threshold_backward(&before, 0)?;

        // Those by the parameters: f16 is multiplied, and summed up in f32.
        let product = |left: &Tensor, right: &Tensor| {
            ops::matmul(&left.transpose(0, 1)?, right).dtype(DType::F32).run()
        };
        let sum = |rows: &Tensor| rows.cast(DType::F32)?.sum(0);
        let gradients =
            [product(pixels, &by_before)?, sum(&by_before)?, product(&hidden, &by_logits)?, sum(&by_logits)?];
        Ok((loss, gradients))
    }

    /// Changes the parameters by the gradients of a scaled loss.
    pub(crate) fn optimize(&mut self, gradients: &mut [Tensor; 4]) -> Result<()> {
        foreach::unscale(&mut gradients.each_mut(), &mut self.overflowed, &self.inverse)?;
        // A framework would leave out the step and lower the scale if something overflowed.
        for (parameter, gradient) in self.parameters.iter_mut().zip(&*gradients) {
            let Parameter { master, value, first, second } = parameter;
            ops::adam_w(master, first, second, gradient, &self.steps).lr(RATE).run()?;
            value.copy_from(master)?;
        }
        self.steps.add_in_place(1)
    }
}
