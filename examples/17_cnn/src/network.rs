//! The network, layer by layer. Its sizes are those of `model.py`; everything is f16.

use std::collections::BTreeMap;

use aclnn::ops::Interpolation;
use aclnn::{Result, Tensor, ops};

/// The rows and the columns of an image that the network sees.
const SIZE: usize = 16;

/// The groups of channels of the second norm.
const GROUPS: usize = 4;

pub(crate) struct Network {
    /// The tensors of the file, by the names that PyTorch gave them.
    weights: BTreeMap<String, Tensor>,
}

impl Network {
    pub(crate) fn new(weights: BTreeMap<String, Tensor>) -> Self {
        Self { weights }
    }

    fn weight(&self, name: &str) -> &Tensor {
        &self.weights[name]
    }

    /// Returns what the convolutions find in images `[images, 1, rows, columns]`: `[images, 64, 4, 4]`.
    pub(crate) fn features(&self, images: &Tensor) -> Result<Tensor> {
        let x = images.interpolate(&[SIZE, SIZE], Interpolation::Linear { align_corners: false })?;

        let x = ops::conv2d(&x, self.weight("conv1.weight")).padding([1, 1]).run()?; // [images, 16, 16, 16]
        let (mean, variance) = (self.weight("norm1.running_mean"), self.weight("norm1.running_var"));
        let norm = ops::batch_norm_inference(&x, mean, variance);
        let x = norm.weight(self.weight("norm1.weight")).bias(self.weight("norm1.bias")).run()?.relu()?;
        let x = x.max_pool2d([2, 2])?; // [images, 16, 8, 8]

        let x = ops::conv2d(&x, self.weight("conv2.weight")).bias(self.weight("conv2.bias")).padding([1, 1]);
        let x = x.run()?; // [images, 32, 8, 8]
        let norm = ops::group_norm(&x, GROUPS);
        let x = norm.weight(self.weight("norm2.weight")).bias(self.weight("norm2.bias")).run()?.silu()?;

        let x = ops::conv2d(&x, self.weight("conv3.weight")).bias(self.weight("conv3.bias")).padding([1, 1]);
        x.stride([2, 2]).run()?.relu() // [images, 64, 4, 4]
    }

    /// Returns a score for each digit, `[images, 10]`.
    pub(crate) fn scores(&self, features: &Tensor) -> Result<Tensor> {
        let means = features.adaptive_avg_pool2d([1, 1])?.flatten(1, -1)?; // [images, 64]
        // A linear layer is a product and a sum. PyTorch keeps its weight as [out, in]; the transposed view costs no copy.
        ops::linear(&means, self.weight("linear.weight")).bias(self.weight("linear.bias")).run()
    }

    /// Returns how much each place speaks for each digit, `[images, 10, 4, 4]`: the mean over the places is the score, without
    /// the bias. The linear layer is applied to each place, which is a convolution with a window of one element.
    pub(crate) fn places(&self, features: &Tensor) -> Result<Tensor> {
        let weight = self.weight("linear.weight").unsqueeze(-1)?.unsqueeze(-1)?;
        features.conv2d(&weight)
    }
}
