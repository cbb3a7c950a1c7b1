//! Random numbers, which a seed decides.

use aclnn::{Tensor, ops};

use super::function::functions;
use super::operation::{Direct, changed};

functions! {
    rand(device: device, shape: sizes, seed: generator = "0", dtype: dtype = "f32")[] =>
        Direct(|| Tensor::rand(device, &shape[..], dtype, &mut { seed }));
    randn(device: device, shape: sizes, mean: f32 = "0", std: f32 = "1", seed: generator = "0", dtype: dtype = "f32")[NormalFloatFloat] =>
        Direct(|| Tensor::normal(device, &shape[..], mean, std, dtype, &mut { seed }));
    randint(device: device, shape: sizes, from: i64 = "0", to: i64, seed: generator = "0", dtype: dtype = "i64")[] =>
        Direct(|| Tensor::randint(device, &shape[..], from..to, dtype, &mut { seed }));
    randperm(device: device, n: size, seed: generator = "0", dtype: dtype = "i64")[Randperm] =>
        Direct(|| Tensor::randperm(device, n, dtype, &mut { seed }));
    uniform_in_place(own: target, from: f64 = "0", to: f64 = "1", seed: generator = "0")[InplaceUniform] =>
        changed(own, |own| own.uniform_in_place(from..to, &mut { seed }));
    normal_in_place(own: target, mean: f32 = "0", std: f32 = "1", seed: generator = "0")[InplaceNormal] =>
        changed(own, |own| own.normal_in_place(mean, std, &mut { seed }));
    random_in_place(own: target, from: i64 = "0", to: i64, seed: generator = "0")[InplaceRandom] =>
        changed(own, |own| own.random_in_place(from..to, &mut { seed }));
    normal(mean: operand, std: operand, seed: generator = "0")[NormalTensorTensor NormalTensorFloat NormalFloatTensor] =>
        Direct(|| ops::normal(mean, std, &mut { seed }));
    bernoulli(own: tensor, seed: generator = "0")[BernoulliTensor] => Direct(|| own.bernoulli(&mut { seed }));
    bernoulli_in_place(own: target, probability: operand, seed: generator = "0")[InplaceBernoulli InplaceBernoulliTensor] =>
        changed(own, |own| own.bernoulli_in_place(probability, &mut { seed }));
    rrelu(own: tensor, lower: f64 = "0.125", upper: f64 = "0.3333333333333333", seed: generator = "0")[RReluWithNoise] =>
        Direct(|| own.rrelu(lower, upper, &mut { seed }));
    multinomial(own: tensor, samples: size, replacement: bool = "false", seed: generator = "0")[Multinomial] =>
        Direct(|| own.multinomial(samples, replacement, &mut { seed }));
    dropout(own: tensor, p: f64 = "0.5", seed: generator = "0")[] => Direct(|| own.dropout(p, &mut { seed }));
    dropout_mask(device: device, shape: sizes, p: f64 = "0.5", seed: generator = "0")[DropoutGenMaskV2] =>
        Direct(|| Tensor::dropout_mask(device, &shape[..], p, &mut { seed }));
    dropout_by(own: tensor, mask: tensor, p: f64 = "0.5")[DropoutDoMask] => Direct(|| own.dropout_by(mask, p));
    dropout_backward(own: tensor, mask: tensor, p: f64 = "0.5")[DropoutBackward] =>
        Direct(|| own.dropout_backward(mask, p));
}
