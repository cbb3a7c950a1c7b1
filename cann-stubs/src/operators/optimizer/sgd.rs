//! Gradient descent with momentum, for lists of parameters.

use aclnn_numerics::DType::F32;
use cann_kernels::networks::optimizer::Step;

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
    let (decay, momentum) = (call.float("weightDecay")?, call.float("momentum")?);
    let (lr, dampening) = (call.float("lr")?, call.float("dampening")?);
    let (nesterov, maximize) = (call.flag("nesterov")?, call.flag("maximize")?);
    let is_first = call.flag("isFirstStep")?;
    let buffers = buffers.filter(|buffers| momentum != 0.0 && !buffers.is_empty());
    if momentum != 0.0 && buffers.is_none() && !params.is_empty() {
        return refuse("momentumBufferListOptionalRef is null, but momentum needs it".to_owned());
    }
    if [Some(&grads), buffers.as_ref()].iter().flatten().any(|list| list.len() != params.len()) {
        return refuse(format!("paramsRef has {} tensors, but another list has not", params.len()));
    }
    let all = [&params[..], &grads, buffers.as_deref().unwrap_or_default()].concat();
    one_dtype(&all, signatures::fused_sgd.takes)?;
    check::each(scale.as_slice(), |scale| one_element(scale, &[F32]))?;
    let has_buffer = buffers.is_some();
    let by = move |scale: f64| {
        move |[var, grad, buffer]: [f64; 3]| {
            let unscaled = grad / scale;
            let grad = if maximize { -unscaled } else { unscaled } + decay * var;
            let buffer = if is_first { grad } else { momentum * buffer + (1.0 - dampening) * grad };
            let direction = match (has_buffer, nesterov) {
                (false, _) => grad,
                (true, true) => grad + momentum * buffer,
                (true, false) => buffer,
            };
            [var - lr * direction, unscaled, buffer]
        }
    };
    let scaled = move |[scale]: [f64; 1]| by(scale);
    let plain = move |[]: [f64; 0]| by(1.0);
    let mut steps = Steps::new();
    for (index, (var, grad)) in params.iter().zip(&grads).enumerate() {
        let buffer = buffers.as_ref().and_then(|buffers| buffers.get(index));
        let shaped: Vec<&Operand> = [Some(var), Some(grad), buffer].into_iter().flatten().collect();
        one_shape(&shaped)?;
        let (inputs, name) = ([var, grad, buffer.unwrap_or(grad)], "SGD");
        let without = move |scale: f64| {
            let step = by(scale);
            move |state| {
                let [var, grad, _] = step(state);
                [var, grad]
            }
        };
        match (&scale, buffer) {
            (Some(scale), Some(buffer)) => {
                steps.add([scale], inputs, [var, grad, buffer], Step::new(name, scaled))?;
            }
            (None, Some(buffer)) => steps.add([], inputs, [var, grad, buffer], Step::new(name, plain))?,
            (Some(scale), None) => {
                let step = Step::new(name, move |[scale]: [f64; 1]| without(scale));
                steps.add([scale], inputs, [var, grad], step)?;
            }
            (None, None) => {
                let step = Step::new(name, move |[]: [f64; 0]| without(1.0));
                steps.add([], inputs, [var, grad], step)?;
            }
        }
    }
    Ok(steps.plan())
}
