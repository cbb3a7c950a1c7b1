//! Steps of optimizers.

use aclnn::{DType, Tensor, ops};

use super::elements::InType;
use super::operator::Operator;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared, Values};

const DOMAIN: &str = "ai.onnx.preview.training";

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("Adagrad", 1, adagrad).of(DOMAIN),
    Operator::node("Adam", 1, adam).of(DOMAIN),
    Operator::node("Momentum", 1, momentum).of(DOMAIN),
];

/// Prepares a step of parameters: their values, gradients and states are the inputs after the rate and the count of steps,
/// and their new values and states are the outputs, in the same order.
fn steps<const STATES: usize, const RESULTS: usize>(
    step: impl Fn(Rate<'_>, &Tensor, &Tensor, [&Tensor; STATES]) -> NodeResult<[Tensor; RESULTS]>
    + Send
    + Sync
    + 'static,
) -> NodeResult<Prepared> {
    Ok(Prepared::device(move |call| {
        let groups = STATES + 2;
        let given = call.count().saturating_sub(2);
        if given == 0 || given % groups != 0 {
            return Reason::text(format!("it has {given} tensors, not {groups} for each parameter"));
        }
        let count = given / groups;
        let mut results: Vec<Option<Tensor>> = vec![None; count * RESULTS];
        for parameter in 0..count {
            let input = |group: usize| call.tensor(2 + group * count + parameter);
            let (x, gradient) = (input(0)?, input(1)?);
            let states: Vec<Tensor> = (0..STATES).map(|state| input(2 + state)).collect::<NodeResult<_>>()?;
            let mut borrowed = [&x; STATES];
            for (place, state) in borrowed.iter_mut().zip(&states) {
                *place = state;
            }
            let new = step(Rate { call, dtype: x.dtype() }, &x, &gradient, borrowed)?;
            for (group, tensor) in new.into_iter().enumerate() {
                if let Some(place) = results.get_mut(group * count + parameter) {
                    *place = Some(tensor);
                }
            }
        }
        Ok(results.into_iter().flatten().collect::<Values>())
    }))
}

/// The rate of learning and the count of steps, which stay on the device.
struct Rate<'a> {
    call: &'a Call<'a>,
    dtype: DType,
}

impl Rate<'_> {
    fn rate(&self) -> NodeResult<Tensor> {
        Ok(self.call.tensor(0)?.in_type(self.dtype)?)
    }

    /// Returns the count of steps as f64.
    fn count(&self) -> NodeResult<Tensor> {
        Ok(self.call.tensor(1)?.in_type(DType::F64)?)
    }
}

/// Adds the gradient of half the squares of the parameters.
fn regularized(x: &Tensor, gradient: &Tensor, coefficient: f32) -> NodeResult<Tensor> {
    Ok(match coefficient == 0.0 {
        true => gradient.clone(),
        false => x.mul(coefficient)?.add(gradient)?,
    })
}

fn adagrad(node: &Node) -> NodeResult<Prepared> {
    let decay = node.float("decay_factor", 0.0)?;
    let epsilon = node.float("epsilon", 1e-6)?;
    let coefficient = node.float("norm_coefficient", 0.0)?;
    steps(move |rate, x, gradient, [squares]: [&Tensor; 1]| {
        let factor = rate.count()?.mul(f64::from(decay))?.add(1)?.in_type(x.dtype())?;
        let gradient = regularized(x, gradient, coefficient)?;
        let squares = squares.add(&gradient.mul(&gradient)?)?;
        let step = gradient.div(&squares.sqrt()?.add(epsilon)?)?.mul(&rate.rate()?.div(&factor)?)?;
        Ok([x.sub(&step)?, squares])
    })
}

fn adam(node: &Node) -> NodeResult<Prepared> {
    let (alpha, beta) = (node.float("alpha", 0.9)?, node.float("beta", 0.999)?);
    let epsilon = node.float("epsilon", 1e-6)?;
    let before = node.float("norm_coefficient", 0.0)?;
    let after = node.float("norm_coefficient_post", 0.0)?;
    steps(move |rate, x, gradient, [means, squares]: [&Tensor; 2]| {
        let gradient = regularized(x, gradient, before)?;
        let means = means.mul(alpha)?.add(&gradient.mul(1.0 - alpha)?)?;
        let squares = squares.mul(beta)?.add(&gradient.mul(&gradient)?.mul(1.0 - beta)?)?;
        let count = rate.count()?;
        let remains = |factor: f32| count.rpow(f64::from(factor))?.rsub(1.0);
        let correction = remains(beta)?.sqrt()?.div(&remains(alpha)?)?;
        let correction = ops::where_(&count.gt(0)?, &correction, 1.0).run()?.in_type(x.dtype())?;
        let step = means.div(&squares.sqrt()?.add(epsilon)?)?.mul(&rate.rate()?.mul(&correction)?)?;
        let new = x.sub(&step)?;
        let new = if after == 0.0 { new } else { new.mul(1.0 - after)? };
        Ok([new, means, squares])
    })
}

fn momentum(node: &Node) -> NodeResult<Prepared> {
    let number = |name: &str| match node.attributes.float(name)? {
        Some(value) => Ok(value),
        None => Reason::text(format!("its attribute `{name}` is missing")),
    };
    let (alpha, beta) = (number("alpha")?, number("beta")?);
    let coefficient = number("norm_coefficient")?;
    let is_nesterov = match node.text("mode", "")?.as_str() {
        "standard" => false,
        "nesterov" => true,
        other => return Reason::text(format!("its mode is {other:?}, neither standard nor nesterov")),
    };
    steps(move |rate, x, gradient, [momentum]: [&Tensor; 1]| {
        let gradient = regularized(x, gradient, coefficient)?;
        // The first gradient counts in full.
        let factor = ops::where_(&rate.count()?.gt(0)?, f64::from(beta), 1.0).run()?.in_type(x.dtype())?;
        let momentum = momentum.mul(alpha)?.add(&gradient.mul(&factor)?)?;
        let direction = match is_nesterov {
            true => gradient.add(&momentum.mul(alpha)?)?,
            false => momentum.clone(),
        };
        Ok([x.sub(&direction.mul(&rate.rate()?)?)?, momentum])
    })
}
