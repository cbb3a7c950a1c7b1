//! Steps of optimizers by the formulas of TensorFlow, with which they share their names.

use aclnn_numerics::DType::F64;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::networks::optimizer;

use super::step::{Steps, one_dtype, one_element, one_shape};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check;
use crate::operators::signatures;
use crate::status::Result;

/// Checks that tensors have one type and one shape, and numbers the same type and one element.
fn fit(tensors: &[Operand], numbers: &[Operand], takes: Types) -> Result {
    let dtype = one_dtype(&[tensors, numbers].concat(), takes)?;
    one_shape(tensors)?;
    let own = dtype.as_slice();
    check::each(numbers, |number| one_element(number, own))
}

/// The numbers of scalars.
fn numbers<const N: usize>(call: &Call<'_>, names: [&str; N]) -> Result<[f64; N]> {
    let mut numbers = [0.0; N];
    for (number, name) in numbers.iter_mut().zip(names) {
        let bytes = call.scalar(name)?.converted(F64).and_then(|bytes| bytes.first_chunk().copied());
        *number = f64::from_ne_bytes(bytes.unwrap_or_default());
    }
    Ok(numbers)
}

pub(super) fn apply_gradient_descent(call: &Call<'_>) -> Result<Plan> {
    let (tensors, given) = (call.tensors_of(["var", "delta"])?, call.tensors_of(["alpha"])?);
    fit(&tensors, &given, signatures::apply_gradient_descent.takes)?;
    let ([var, delta], [alpha]) = (&tensors, &given);
    let mut steps = Steps::new();
    steps.add(&[alpha], &[var, delta], &[var], optimizer::gradient_descent())?;
    Ok(steps.plan())
}

pub(super) fn apply_adadelta(call: &Call<'_>) -> Result<Plan> {
    let tensors =
        call.tensors_of(["var", "accum", "accumUpdate", "grad", "varOut", "accumOut", "accumUpdateOut"])?;
    fit(&tensors, &[], signatures::apply_adadelta.takes)?;
    let numbers = numbers(call, ["lr", "rho", "epsilon"])?;
    let [var, accum, update, grad, var_out, accum_out, update_out] = &tensors;
    let mut steps = Steps::new();
    steps.add(
        &[],
        &[var, accum, update, grad],
        &[var_out, accum_out, update_out],
        optimizer::adadelta(numbers),
    )?;
    Ok(steps.plan())
}

pub(super) fn apply_adam_d(call: &Call<'_>) -> Result<Plan> {
    adam(call, ["var", "m", "v", "grad", "varOut", "mOut", "vOut"], signatures::apply_adam_d.takes)
}

pub(super) fn apply_adam(call: &Call<'_>) -> Result<Plan> {
    adam(call, ["varRef", "m", "v", "grad", "varRef", "m", "v"], signatures::apply_adam.takes)
}

fn adam(call: &Call<'_>, names: [&str; 7], takes: Types) -> Result<Plan> {
    let tensors = call.tensors_of(names)?;
    let given = call.tensors_of(["beta1Power", "beta2Power", "lr", "beta1", "beta2", "epsilon"])?;
    fit(&tensors, &given, takes)?;
    let ([var, m, v, grad, var_out, m_out, v_out], nesterov) = (&tensors, call.flag("useNesterov")?);
    let mut steps = Steps::new();
    let [first, second, lr, beta1, beta2, epsilon] = &given;
    let numbers = [first, second, lr, beta1, beta2, epsilon];
    steps.add(&numbers, &[var, m, v, grad], &[var_out, m_out, v_out], optimizer::adam(nesterov))?;
    Ok(steps.plan())
}

pub(super) fn apply_adamax(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["var", "m", "v", "grad", "varOut", "mOut", "vOut"])?;
    fit(&tensors, &[], signatures::apply_adamax.takes)?;
    let names = ["beta1Power", "lr", "beta1", "beta2", "epsilon"];
    let numbers = numbers(call, names)?;
    let [var, m, v, grad, var_out, m_out, v_out] = &tensors;
    let mut steps = Steps::new();
    steps.add(&[], &[var, m, v, grad], &[var_out, m_out, v_out], optimizer::adamax(numbers))?;
    Ok(steps.plan())
}

pub(super) fn apply_ftrl(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["varRef", "accumRef", "linearRef", "grad"])?;
    let given = call.tensors_of(["lr", "l1", "l2", "lrPower"])?;
    fit(&tensors, &given, signatures::apply_ftrl.takes)?;
    let ([var, accum, linear, grad], [lr, l1, l2, power]) = (&tensors, &given);
    let mut steps = Steps::new();
    let numbers = [lr, l1, l2, power];
    steps.add(&numbers, &[var, accum, linear, grad], &[var, accum, linear], optimizer::ftrl())?;
    Ok(steps.plan())
}
