//! Functions of gates.

use aclnn::{Tensor, ops};

use crate::error::{NodeResult, Reason};

/// A function of a gate, with its numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Activation {
    Relu,
    Tanh,
    Sigmoid,
    Affine(f32, f32),
    LeakyRelu(f32),
    ThresholdedRelu(f32),
    ScaledTanh(f32, f32),
    HardSigmoid(f32, f32),
    Elu(f32),
    Softsign,
    Softplus,
}

impl Activation {
    /// Returns the function of a name, which takes its numbers from those that are left.
    pub(super) fn of(
        name: &str,
        alphas: &mut dyn Iterator<Item = f32>,
        betas: &mut dyn Iterator<Item = f32>,
    ) -> NodeResult<Activation> {
        let mut alpha = |default: f32| alphas.next().unwrap_or(default);
        let mut beta = |default: f32| betas.next().unwrap_or(default);
        Ok(match name.to_ascii_lowercase().as_str() {
            "relu" => Activation::Relu,
            "tanh" => Activation::Tanh,
            "sigmoid" => Activation::Sigmoid,
            "affine" => Activation::Affine(alpha(1.0), beta(0.0)),
            "leakyrelu" => Activation::LeakyRelu(alpha(0.01)),
            "thresholdedrelu" => Activation::ThresholdedRelu(alpha(1.0)),
            "scaledtanh" => Activation::ScaledTanh(alpha(1.0), beta(1.0)),
            "hardsigmoid" => Activation::HardSigmoid(alpha(0.2), beta(0.5)),
            "elu" => Activation::Elu(alpha(1.0)),
            "softsign" => Activation::Softsign,
            "softplus" => Activation::Softplus,
            other => return Reason::text(format!("`{other}` is no activation of gates")),
        })
    }

    pub(super) fn run(self, x: &Tensor) -> Result<Tensor, aclnn::Error> {
        match self {
            Activation::Relu => x.relu(),
            Activation::Tanh => x.tanh(),
            Activation::Sigmoid => x.sigmoid(),
            Activation::Affine(alpha, beta) => x.mul(alpha)?.add(beta),
            Activation::LeakyRelu(alpha) => ops::leaky_relu(x, alpha).run(),
            Activation::ThresholdedRelu(alpha) => ops::where_(&x.ge(alpha)?, x, &x.zeros_like()?).run(),
            Activation::ScaledTanh(alpha, beta) => x.mul(beta)?.tanh()?.mul(alpha),
            Activation::HardSigmoid(alpha, beta) => ops::clamp(&x.mul(alpha)?.add(beta)?, 0, 1).run(),
            Activation::Elu(alpha) => {
                let below = x.clamp_max(0)?.exp()?.sub(1)?.mul(alpha)?;
                ops::where_(&x.ge(0)?, x, &below).run()
            }
            Activation::Softsign => x.div(&x.abs()?.add(1)?),
            // The logarithm of 1 + eˣ, without overflow.
            Activation::Softplus => x.clamp_min(0)?.add(&x.abs()?.neg()?.exp()?.log1p()?),
        }
    }
}
