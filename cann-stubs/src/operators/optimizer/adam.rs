//! Adam with decoupled decay of weights, for one parameter and for lists of them, and with a running mean of the parameters.

use aclnn_numerics::DType::{self, F32, I64};
use aclnn_sys::ACLNN_ERR_PARAM_NULLPTR;
use cann_kernels::networks::optimizer::{AdamW, State, Step};

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
    let make = move |[first, second, lr, weight_decay, beta1, beta2, eps]: [f64; 7]| {
        let adam = AdamW { lr, beta1, beta2, weight_decay, eps, amsgrad, maximize };
        without_greatest(adam.step([first * beta1, second * beta2]))
    };
    let mut steps = Steps::new();
    let greatest = greatest.as_ref().unwrap_or(&v);
    let numbers = [first_power, second_power, lr, decay, beta1, beta2, eps];
    steps.add(numbers, [&var, &m, &v, greatest, &grad], [&var, &m, &v], Step::new("Adam", make))?;
    Ok(steps.plan())
}

/// The step without its last result.
fn without_greatest(step: impl Fn(State) -> [f64; 4]) -> impl Fn(State) -> [f64; 3] {
    move |state| {
        let [var, m, v, _] = step(state);
        [var, m, v]
    }
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
    let (adam, is_scaled, may_be_found) = (*adam, scale.is_some(), found.is_some());
    let make = move |[number, scale, found]: [f64; 3]| {
        // The library's kernels count the step that they take.
        let step = adam.step(adam.powers(number + 1.0));
        let is_kept = may_be_found && found == 1.0;
        move |[var, m, v, greatest, grad]: State| match is_kept {
            true => [var, m, v, greatest],
            false => step([var, m, v, greatest, if is_scaled { grad / scale } else { grad }]),
        }
    };
    let numbers = [number, scale.unwrap_or(number), found.unwrap_or(number)];
    match greatest {
        Some(greatest) => {
            let inputs = [var, m, v, greatest, grad];
            steps.add(numbers, inputs, [var, m, v, greatest], Step::new("Adam", make))
        }
        None => {
            let make = move |numbers| {
                let step = without_greatest(make(numbers));
                move |[var, m, v, grad]: [f64; 4]| step([var, m, v, v, grad])
            };
            steps.add(numbers, [var, m, v, grad], [var, m, v], Step::new("Adam", make))
        }
    }
}

pub(super) fn apply_fused_ema_adam(call: &Call<'_>) -> Result<Plan> {
    let shaped = call.tensors_of(["grad", "varRef", "mRef", "vRef", "sRef"])?;
    let number = call.tensor("step")?;
    one_dtype(&shaped, signatures::apply_fused_ema_adam.takes)?;
    one_element(&number, &[I64])?;
    one_shape(&shaped)?;
    let (lr, decay) = (call.float("lr")?, call.float("emaDecay")?);
    let (beta1, beta2) = (call.float("beta1")?, call.float("beta2")?);
    let (eps, weight_decay) = (call.float("eps")?, call.float("weightDecay")?);
    let (mode, corrects) = (call.int("mode")?, call.flag("biasCorrection")?);
    if !matches!(mode, 0 | 1) {
        return refuse(format!("mode is {mode}, but must be 0 or 1"));
    }
    let make = move |[number]: [f64; 1]| {
        let [first_left, second_left] = match corrects {
            true => [1.0 - beta1.powf(number), 1.0 - beta2.powf(number)],
            false => [1.0; 2],
        };
        move |[grad, var, m, v, mean]: [f64; 5]| {
            let grad = if mode == 0 { grad + weight_decay * var } else { grad };
            let m = beta1 * m + (1.0 - beta1) * grad;
            let v = beta2 * v + (1.0 - beta2) * grad * grad;
            let update = m / first_left / ((v / second_left).sqrt() + eps);
            let update = if mode == 1 { update + weight_decay * var } else { update };
            let var = var - lr * update;
            [var, m, v, decay * mean + (1.0 - decay) * var]
        }
    };
    let [grad, var, m, v, mean] = &shaped;
    let mut steps = Steps::new();
    steps.add([&number], [grad, var, m, v, mean], [var, m, v, mean], Step::new("Adam", make))?;
    Ok(steps.plan())
}
