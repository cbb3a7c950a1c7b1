//! Gradient descent with momentum, for lists of parameters.

use aclnn_numerics::DType::F32;
use cann_kernels::networks::optimizer::Sgd;

use super::step::{Steps, one_dtype, one_element, one_shape, refuse};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check;
use crate::operators::signatures;
use crate::status::Result;

/// As PyTorch computes it: the gradients are divided by their scale where they are.
pub(super) fn fused_sgd(call: &Call<'_>) -> Result<Plan> {
    let [params, grads] = [call.tensors("paramsRef")?, call.tensors("gradsRef")?];
    let buffers = call.optional("momentumBufferListOptionalRef", Call::tensors)?;
    let present = |tensor: &Operand| tensor.shape().is_ok_and(|shape| !shape.is_empty_tensor());
    let scale = call.optional_tensor("gradScaleOptional")?.filter(present);
    let sgd = Sgd {
        weight_decay: call.float("weightDecay")?,
        momentum: call.float("momentum")?,
        lr: call.float("lr")?,
        dampening: call.float("dampening")?,
        nesterov: call.flag("nesterov")?,
        maximize: call.flag("maximize")?,
        is_first: call.flag("isFirstStep")?,
    };
    let buffers = buffers.filter(|buffers| sgd.momentum != 0.0 && !buffers.is_empty());
    if sgd.momentum != 0.0 && buffers.is_none() && !params.is_empty() {
        return refuse("momentumBufferListOptionalRef is null, but momentum needs it".to_owned());
    }
    if [Some(&grads), buffers.as_ref()].iter().flatten().any(|list| list.len() != params.len()) {
        return refuse(format!("paramsRef has {} tensors, but another list has not", params.len()));
    }
    let all = [&params[..], &grads, buffers.as_deref().unwrap_or_default()].concat();
    one_dtype(&all, signatures::fused_sgd.takes)?;
    check::each(scale.as_slice(), |scale| one_element(scale, &[F32]))?;
    let mut steps = Steps::new();
    for (index, (var, grad)) in params.iter().zip(&grads).enumerate() {
        let buffer = buffers.as_ref().and_then(|buffers| buffers.get(index));
        let shaped: Vec<&Operand> = [Some(var), Some(grad), buffer].into_iter().flatten().collect();
        one_shape(&shaped)?;
        let inputs = [var, grad, buffer.unwrap_or(grad)];
        let step = sgd.step(scale.is_some(), buffer.is_some());
        let scale: Vec<&Operand> = scale.iter().collect();
        steps.add(&scale, &inputs, &shaped, step)?;
    }
    Ok(steps.plan())
}
