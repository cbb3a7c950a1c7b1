//! Adam with decoupled decay of weights, for one parameter and for lists of them, and with a running mean of the parameters.

use aclnn_numerics::DType::{self, F32, I64};
use aclnn_sys::ACLNN_ERR_PARAM_NULLPTR;
use cann_kernels::networks::optimizer::{AdamW, EmaAdam, adam_w};

use super::step::{Steps, one_dtype, one_element, one_shape, refuse};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::status::{Result, Status};

/// The types that a number of steps may have.
const STEPS: [DType; 2] = [F32, I64];

fn needed<T>(found: Option<T>, name: &str) -> Result<T> {
    let message = format!("{name} is null, but amsgrad needs it");
    found.ok_or_else(|| Status::new(ACLNN_ERR_PARAM_NULLPTR, message))
}

pub(super) fn apply_adam_w(call: &Call<'_>) -> Result<Plan> {
    let tensor = |name| call.tensor(name);
    let [var, m, v, grad] = [tensor("varRef")?, tensor("mRef")?, tensor("vRef")?, tensor("grad")?];
    let numbers =
        call.tensors_of(["beta1Power", "beta2Power", "lr", "weightDecay", "beta1", "beta2", "eps"])?;
    let [first_power, second_power, lr, decay, beta1, beta2, eps] = &numbers;
    let (amsgrad, maximize) = (call.flag("amsgrad")?, call.flag("maximize")?);
    let greatest = call.optional_tensor("maxGradNormOptional")?;
    let greatest = if amsgrad { Some(needed(greatest, "maxGradNormOptional")?) } else { None };
    let mut shaped = vec![var, m, v, grad];
    shaped.extend(&greatest);
    let all = [&shaped[..], &numbers].concat();
    let Some(dtype) = one_dtype(&all, signatures::apply_adam_w.takes)? else { return Ok(Plan::empty()) };
    one_shape(&shaped)?;
    check::each(&numbers, |number| one_element(number, &[dtype]))?;
    let mut steps = Steps::new();
    let greatest = greatest.as_ref().unwrap_or(&v);
    let numbers = [first_power, second_power, lr, decay, beta1, beta2, eps];
    let step = adam_w(amsgrad, maximize);
    steps.add(&numbers, &[&var, &m, &v, greatest, &grad], &[&var, &m, &v], step)?;
    Ok(steps.plan())
}

pub(super) fn apply_adam_w_v2(call: &Call<'_>) -> Result<Plan> {
    let tensor = |name| call.tensor(name);
    let [var, m, v, grad] = [tensor("varRef")?, tensor("mRef")?, tensor("vRef")?, tensor("grad")?];
    let (number, amsgrad) = (call.tensor("step")?, call.flag("amsgrad")?);
    let greatest = call.optional_tensor("maxGradNormOptionalRef")?;
    let greatest = if amsgrad { Some(needed(greatest, "maxGradNormOptionalRef")?) } else { None };
    let mut shaped = vec![var, m, v, grad];
    shaped.extend(&greatest);
    check::each(&shaped, |tensor| check::dtype(tensor, signatures::apply_adam_w_v2.takes))?;
    one_element(&number, &STEPS)?;
    one_shape(&shaped)?;
    let mut steps = Steps::new();
    add(
        &mut steps,
        &hyperparameters(call)?,
        [&var, &m, &v],
        greatest.as_ref(),
        &grad,
        &number,
        [None, None],
    )?;
    Ok(steps.plan())
}

pub(super) fn fused_adamw(call: &Call<'_>) -> Result<Plan> {
    let adam = hyperparameters(call)?;
    for (name, value) in
        [("lr", adam.lr), ("beta1", adam.beta1), ("beta2", adam.beta2), ("weightDecay", adam.weight_decay)]
    {
        // NaN is not negative.
        if value < 0.0 {
            return refuse(format!("{name} is {value}, but must not be negative"));
        }
    }
    let greatest = call.optional("maxExpAvgSqsRef", Call::tensors)?;
    if adam.amsgrad && greatest.is_none() {
        return refuse("maxExpAvgSqsRef is null, but amsgrad needs it".to_owned());
    }
    let greatest = greatest.filter(|_| adam.amsgrad);
    let tensors = |name| call.tensors(name);
    let params = tensors("paramsRef")?;
    let mut lists = vec![tensors("grads")?, tensors("expAvgsRef")?, tensors("expAvgSqsRef")?];
    lists.extend(greatest);
    let numbers = tensors("stateSteps")?;
    let present = |tensor: &Operand| tensor.shape().is_ok_and(|shape| !shape.is_empty_tensor());
    let scale = call.optional_tensor("gradScaleOptional")?.filter(present);
    let found = call.optional_tensor("foundInfOptional")?.filter(present);
    if params.is_empty() {
        return refuse("paramsRef is a list of none".to_owned());
    }
    if numbers.len() != params.len() || lists.iter().any(|list| list.len() != params.len()) {
        return refuse(format!("paramsRef has {} tensors, but another list has not", params.len()));
    }
    let all = [&params[..], &lists.concat()].concat();
    one_dtype(&all, signatures::fused_adamw.takes)?;
    let mut of_steps = None;
    for number in &numbers {
        let dtype = one_element(number, &STEPS)?;
        if *of_steps.get_or_insert(dtype) != dtype {
            return refuse("stateSteps must have one type".to_owned());
        }
    }
    check::each(&[&scale, &found], |tensor| one_element(tensor, &[F32]))?;
    let mut steps = Steps::new();
    for (index, var) in params.iter().enumerate() {
        let others: Vec<&Operand> = lists.iter().filter_map(|list| list.get(index)).collect();
        one_shape(&[&[var], &others[..]].concat())?;
        let [grad, m, v, greatest @ ..] = &others[..] else { continue };
        let around = [scale.as_ref(), found.as_ref()];
        add(&mut steps, &adam, [var, m, v], greatest.first().copied(), grad, &numbers[index], around)?;
    }
    Ok(steps.plan())
}

fn hyperparameters(call: &Call<'_>) -> Result<AdamW> {
    Ok(AdamW {
        lr: call.float("lr")?,
        beta1: call.float("beta1")?,
        beta2: call.float("beta2")?,
        weight_decay: call.float("weightDecay")?,
        eps: call.float("eps")?,
        amsgrad: call.flag("amsgrad")?,
        maximize: call.flag("maximize")?,
    })
}

/// Adds a step of one parameter. `around` are the factor of the gradient, and whether there was one that is not finite.
fn add(
    steps: &mut Steps,
    adam: &AdamW,
    [var, m, v]: [&Operand; 3],
    greatest: Option<&Operand>,
    grad: &Operand,
    number: &Operand,
    [scale, found]: [Option<&Operand>; 2],
) -> Result {
    let step = adam.counted(greatest.is_some(), scale.is_some(), found.is_some());
    let numbers = [number, scale.unwrap_or(number), found.unwrap_or(number)];
    match greatest {
        Some(greatest) => steps.add(&numbers, &[var, m, v, greatest, grad], &[var, m, v, greatest], step),
        None => steps.add(&numbers, &[var, m, v, grad], &[var, m, v], step),
    }
}

pub(super) fn apply_fused_ema_adam(call: &Call<'_>) -> Result<Plan> {
    let shaped = call.tensors_of(["grad", "varRef", "mRef", "vRef", "sRef"])?;
    let number = call.tensor("step")?;
    one_dtype(&shaped, signatures::apply_fused_ema_adam.takes)?;
    one_element(&number, &[I64])?;
    one_shape(&shaped)?;
    let mode = call.int("mode")?;
    if !matches!(mode, 0 | 1) {
        return refuse(format!("mode is {mode}, but must be 0 or 1"));
    }
    let adam = EmaAdam {
        lr: call.float("lr")?,
        ema_decay: call.float("emaDecay")?,
        beta1: call.float("beta1")?,
        beta2: call.float("beta2")?,
        eps: call.float("eps")?,
        weight_decay: call.float("weightDecay")?,
        is_decoupled: mode == 1,
        bias_correction: call.flag("biasCorrection")?,
    };
    let [grad, var, m, v, mean] = &shaped;
    let mut steps = Steps::new();
    steps.add(&[&number], &[grad, var, m, v, mean], &[var, m, v, mean], adam.numbered())?;
    Ok(steps.plan())
}
