//! The functions of `single` where the results stay f64.

pub(in crate::kernels) use libm::{erf, erfc};

pub(in crate::kernels) fn exp(x: f64) -> f64 {
    x.exp()
}

pub(in crate::kernels) fn tanh(x: f64) -> f64 {
    x.tanh()
}

given_functions!();
