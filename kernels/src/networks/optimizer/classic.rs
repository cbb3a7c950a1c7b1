//! Steps of optimizers by the formulas of TensorFlow, with which they share their names.

use super::Step;
use crate::LaneBody;

/// Returns the step of `[var, delta]` to `[var]`, whose number is the rate.
pub fn gradient_descent() -> Box<dyn LaneBody> {
    Step::boxed("gradient descent", |[alpha]: [f64; 1]| move |[var, delta]: [f64; 2]| [var - alpha * delta])
}

/// Returns the step of `[var, accum, update, grad]` to `[var, accum, update]`.
pub fn adadelta([lr, rho, epsilon]: [f64; 3]) -> Box<dyn LaneBody> {
    Step::boxed("Adadelta", move |[]: [f64; 0]| {
        move |[var, accum, update, grad]: [f64; 4]| {
            let accum = rho * accum + (1.0 - rho) * grad * grad;
            let change = ((update + epsilon) / (accum + epsilon)).sqrt() * grad;
            [var - lr * change, accum, rho * update + (1.0 - rho) * change * change]
        }
    })
}

/// Returns the step of `[var, m, v, grad]` to `[var, m, v]`. Its numbers are the powers of both betas, the rate, both betas,
/// and epsilon.
pub fn adam(nesterov: bool) -> Box<dyn LaneBody> {
    Step::boxed("Adam", move |[first, second, lr, beta1, beta2, epsilon]: [f64; 6]| {
        let rate = lr * (1.0 - second).sqrt() / (1.0 - first);
        move |[var, m, v, grad]: [f64; 4]| {
            let m = beta1 * m + (1.0 - beta1) * grad;
            let v = beta2 * v + (1.0 - beta2) * grad * grad;
            let ahead = if nesterov { beta1 * m + (1.0 - beta1) * grad } else { m };
            [var - rate * ahead / (v.sqrt() + epsilon), m, v]
        }
    })
}

/// Returns the step of `[var, m, v, grad]` to `[var, m, v]`.
pub fn adamax([power, lr, beta1, beta2, epsilon]: [f64; 5]) -> Box<dyn LaneBody> {
    Step::boxed("Adamax", move |[]: [f64; 0]| {
        move |[var, m, v, grad]: [f64; 4]| {
            let m = beta1 * m + (1.0 - beta1) * grad;
            let v = (beta2 * v).max(grad.abs());
            [var - lr / (1.0 - power) * m / (v + epsilon), m, v]
        }
    })
}

/// Returns the step of `[var, accum, linear, grad]` to `[var, accum, linear]`. Its numbers are the rate, both penalties, and the
/// power of the rate.
pub fn ftrl() -> Box<dyn LaneBody> {
    Step::boxed("FTRL", move |[lr, l1, l2, power]: [f64; 4]| {
        move |[var, accum, linear, grad]: [f64; 4]| {
            let next = accum + grad * grad;
            let root = next.powf(-power);
            let linear = linear + grad - (root - accum.powf(-power)) / lr * var;
            let var =
                if linear.abs() > l1 { (l1.copysign(linear) - linear) / (root / lr + 2.0 * l2) } else { 0.0 };
            [var, next, linear]
        }
    })
}
