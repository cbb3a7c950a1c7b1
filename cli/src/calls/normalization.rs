//! Normalisation, and gated linear units.

use aclnn::Tensor;
use aclnn::ops::{self, BatchNorm, BatchNormInference, Normalization, NormalizationBackward};

use super::function::functions;
use super::operation::{Direct, changed};

/// Sets the options of a normalisation.
macro_rules! affine {
    ($operation:expr, $weight:ident, $bias:ident, $eps:ident) => {{
        let operation = $operation.eps($eps);
        let operation = match $weight {
            Some(weight) => operation.weight(weight),
            None => operation,
        };
        match $bias {
            Some(bias) => operation.bias(bias),
            None => operation,
        }
    }};
}

type Three = aclnn::Result<(Tensor, Tensor, Tensor)>;

fn with_statistics<'a>(operation: Normalization<'a>) -> Direct<impl FnOnce() -> Three + use<'a>> {
    Direct(move || operation.run_with_statistics())
}

fn of_batch<'a>(operation: BatchNorm<'a>) -> Direct<impl FnOnce() -> Three + use<'a>> {
    Direct(move || operation.run_with_statistics())
}

fn inferred<'a>(
    operation: BatchNormInference<'a>,
) -> Direct<impl FnOnce() -> aclnn::Result<Tensor> + use<'a>> {
    Direct(move || operation.run())
}

fn gradients<'a>(
    operation: NormalizationBackward<'a>,
    weight: Option<&'a Tensor>,
    eps: f64,
) -> Direct<impl FnOnce() -> Three + use<'a>> {
    let operation = operation.eps(eps);
    Direct(move || match weight {
        Some(weight) => operation.weight(weight).run(),
        None => operation.run(),
    })
}

functions! {
    layer_norm(own: tensor, weight: optional_tensor, bias: optional_tensor, shape: sizes, eps: f64 = "1e-5")
        [LayerNorm LayerNormWithImplMode FastLayerNorm] =>
        with_statistics(affine!(ops::layer_norm(own, &shape[..]), weight, bias, eps));
    group_norm(own: tensor, weight: optional_tensor, bias: optional_tensor, groups: size, eps: f64 = "1e-5")[GroupNorm] =>
        with_statistics(affine!(ops::group_norm(own, groups), weight, bias, eps));
    instance_norm(own: tensor, weight: optional_tensor, bias: optional_tensor, eps: f64 = "1e-5")[] =>
        with_statistics(affine!(ops::instance_norm(own), weight, bias, eps));
    batch_norm(own: tensor, weight: optional_tensor, bias: optional_tensor, eps: f64 = "1e-5")[BatchNorm] =>
        of_batch(affine!(ops::batch_norm(own), weight, bias, eps));
    batch_norm_inference(
        own: tensor, mean: tensor, variance: tensor, weight: optional_tensor, bias: optional_tensor, eps: f64 = "1e-5"
    )[BatchNorm] => inferred(affine!(ops::batch_norm_inference(own, mean, variance), weight, bias, eps));
    layer_norm_backward(
        grad: tensor, own: tensor, mean: tensor, rstd: tensor, weight: optional_tensor, shape: sizes
    )[LayerNormBackward] => gradients(ops::layer_norm_backward(grad, own, &shape[..], mean, rstd), weight, 0.0);
    group_norm_backward(
        grad: tensor, own: tensor, mean: tensor, rstd: tensor, weight: optional_tensor, groups: size
    )[GroupNormBackward] => gradients(ops::group_norm_backward(grad, own, groups, mean, rstd), weight, 0.0);
    batch_norm_backward(
        grad: tensor, own: tensor, mean: tensor, spread: tensor, weight: optional_tensor, eps: f64 = "1e-5"
    )[BatchNormBackward] => gradients(ops::batch_norm_backward(grad, own, mean, spread), weight, eps);
    rms_norm(own: tensor, weight: tensor, eps: f64 = "1e-6")[RmsNorm] =>
        Direct(move || ops::rms_norm(own, weight, eps));
    rms_norm_backward(grad: tensor, own: tensor, inverses: tensor, weight: tensor)[RmsNormGrad] =>
        Direct(|| ops::rms_norm_backward(grad, own, inverses, weight));
    add_rms_norm(own: tensor, other: tensor, weight: tensor, eps: f64 = "1e-6")[AddRmsNorm] =>
        Direct(move || ops::add_rms_norm(own, other, weight, eps));
    renorm(own: tensor, p: f64 = "2", axis: axis, most: f64)[Renorm] => Direct(move || own.renorm(p, axis, most));
    renorm_in_place(own: target, p: f64 = "2", axis: axis, most: f64)[InplaceRenorm] =>
        changed(own, move |own| own.renorm_in_place(p, axis, most));
    embedding_renorm_in_place(own: target, indices: tensor, p: f64 = "2", most: f64)[EmbeddingRenorm] =>
        changed(own, move |own| own.embedding_renorm_in_place(indices, p, most));
    glu(own: tensor, axis: axis = "-1")[Glu] => Direct(|| own.glu(axis));
    glu_backward(own: tensor, x: tensor, axis: axis = "-1")[GluBackward] => Direct(|| own.glu_backward(x, axis));
    swiglu(own: tensor, axis: axis = "-1")[SwiGlu] => Direct(|| own.swiglu(axis));
    swiglu_backward(own: tensor, x: tensor, axis: axis = "-1")[SwiGluGrad] => Direct(|| own.swiglu_backward(x, axis));
    geglu(own: tensor, axis: axis = "-1", tanh: bool = "false", gelu_of_first: bool = "false")[GeGlu GeGluV3] =>
        Direct(move || gated(own, axis, tanh, gelu_of_first).run());
    geglu_backward(
        grad: tensor, own: tensor, gelu: tensor, axis: axis = "-1", tanh: bool = "false", gelu_of_first: bool = "false"
    )[GeGluBackward GeGluV3Backward] => Direct(move || gated(own, axis, tanh, gelu_of_first).backward(grad, gelu));
    prelu_backward(own: tensor, x: tensor, weight: tensor)[PreluBackward] =>
        Direct(|| own.prelu_backward(x, weight));
}

fn gated(own: &Tensor, axis: i64, tanh: bool, of_first: bool) -> ops::GeGlu<'_> {
    let operation = ops::geglu(own, axis);
    let operation = if tanh { operation.tanh() } else { operation };
    if of_first { operation.gelu_of_first() } else { operation }
}
